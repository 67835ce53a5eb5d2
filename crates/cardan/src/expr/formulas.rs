//! The functions of the table that are made of elementary operations.
//!
//! ```text
//! s = (x − x₀)/(x₁ − x₀) held between 0 and 1,   u = x − x₀
//! STEP    h₀ + (h₁ − h₀) s² (3 − 2 s)                                                           (1)
//! STEP5   h₀ + (h₁ − h₀) s³ (10 − 15 s + 6 s²)                                                  (2)
//! HAVSIN  h₀ + (h₁ − h₀) (1 − cos π s)/2                                                        (3)
//! SHF     a sin(ω u − φ) + b                                                                    (4)
//! POLY    Σ a_j u^j                                                                             (5)
//! CHEBY   Σ a_j T_j(u),   T_0 = 1, T_1 = u, T_{j+1} = 2 u T_j − T_{j−1}                         (6)
//! FORCOS  a₀ + Σ a_j cos(j ω u),      FORSIN  a₀ + Σ a_j sin(j ω u)                             (7)
//! stop    k p^e − c_max STEP(p, 0, 0, d, 1) ẋ                                                   (8)
//! IMPACT  max(0, stop) with p = x₁ − x where x < x₁, else 0                                     (9)
//! BISTOP  as IMPACT at x₁; where x > x₂: min(0, −k p^e − c_max STEP(p, 0, 0, d, 1) ẋ), p = x − x₂   (10)
//! ```
//!
//! In (8) the damping grows from zero at first touch to its full value at the depth d; in (9) the contact never pulls.

use super::builder::{Builder, Slot};
use super::primitives::{Binary, Unary};

/// s of a transition between x₀ and x₁; one of no length is a jump at x₀.
fn progress(b: &mut Builder, x: Slot, x0: Slot, x1: Slot) -> Slot {
    let (u, length) = (b.sub(x, x0), b.sub(x1, x0));
    if b.known_value(length) == Some(0.0) {
        let (zero, one) = (b.constant(0.0), b.constant(1.0));
        let behind = b.binary(Binary::LessEqual, x0, x);
        return b.select(behind, one, zero);
    }
    let s = b.div(u, length);
    held(b, s)
}

/// s held between 0 and 1.
fn held(b: &mut Builder, s: Slot) -> Slot {
    let (zero, one) = (b.constant(0.0), b.constant(1.0));
    let s = b.binary(Binary::Max, s, zero);
    b.binary(Binary::Min, s, one)
}

/// s² (3 − 2 s).
fn cubic(b: &mut Builder, s: Slot) -> Slot {
    horner(b, s, &[0.0, 0.0, 3.0, -2.0])
}

fn horner(b: &mut Builder, u: Slot, coefficients: &[f64]) -> Slot {
    let coefficients: Vec<Slot> = coefficients.iter().map(|&c| b.constant(c)).collect();
    polynomial(b, u, &coefficients)
}

fn polynomial(b: &mut Builder, u: Slot, coefficients: &[Slot]) -> Slot {
    let mut sum = b.constant(0.0);
    for (k, &c) in coefficients.iter().rev().enumerate() {
        sum = if k == 0 {
            c
        } else {
            let higher = b.mul(sum, u);
            b.add(higher, c)
        };
    }
    sum
}

/// h₀ + (h₁ − h₀) part.
fn between(b: &mut Builder, h0: Slot, h1: Slot, part: Slot) -> Slot {
    let height = b.sub(h1, h0);
    let risen = b.mul(height, part);
    b.add(h0, risen)
}

/// Equation 1: x, x₀, h₀, x₁, h₁.
pub(super) fn step(b: &mut Builder, a: &[Slot]) -> Slot {
    let s = progress(b, a[0], a[1], a[3]);
    let part = cubic(b, s);
    between(b, a[2], a[4], part)
}

/// Equation 2.
pub(super) fn step5(b: &mut Builder, a: &[Slot]) -> Slot {
    let s = progress(b, a[0], a[1], a[3]);
    let part = horner(b, s, &[0.0, 0.0, 0.0, 10.0, -15.0, 6.0]);
    between(b, a[2], a[4], part)
}

/// Equation 3.
pub(super) fn havsin(b: &mut Builder, a: &[Slot]) -> Slot {
    let s = progress(b, a[0], a[1], a[3]);
    let (pi, one, half) = (b.constant(std::f64::consts::PI), b.constant(1.0), b.constant(0.5));
    let angle = b.mul(pi, s);
    let cos = b.unary(Unary::Cos, angle);
    let double = b.sub(one, cos);
    let part = b.mul(double, half);
    between(b, a[2], a[4], part)
}

/// Equation 4: x, x₀, a, ω, φ, b.
pub(super) fn harmonic(b: &mut Builder, a: &[Slot]) -> Slot {
    let u = b.sub(a[0], a[1]);
    let turned = b.mul(a[3], u);
    let angle = b.sub(turned, a[4]);
    let sin = b.unary(Unary::Sin, angle);
    let wave = b.mul(a[2], sin);
    b.add(wave, a[5])
}

/// Equation 5: x, x₀, a₀, a₁, ….
pub(super) fn poly(b: &mut Builder, a: &[Slot]) -> Slot {
    let u = b.sub(a[0], a[1]);
    polynomial(b, u, &a[2..])
}

/// Equation 6.
pub(super) fn cheby(b: &mut Builder, a: &[Slot]) -> Slot {
    let u = b.sub(a[0], a[1]);
    let double = b.add(u, u);
    let (mut t, mut next) = (b.constant(1.0), u);
    let mut sum = a[2];
    for &c in &a[3..] {
        let term = b.mul(c, next);
        sum = b.add(sum, term);
        let product = b.mul(double, next);
        (t, next) = (next, b.sub(product, t));
    }
    sum
}

/// Equation 7: x, x₀, ω, a₀, a₁, ….
pub(super) fn fourier(b: &mut Builder, a: &[Slot], wave: Unary) -> Slot {
    let u = b.sub(a[0], a[1]);
    let angle = b.mul(a[2], u);
    let mut sum = a[3];
    for (j, &c) in a[4..].iter().enumerate() {
        let multiple = b.constant(j as f64 + 1.0);
        let angle = b.mul(multiple, angle);
        let wave = b.unary(wave, angle);
        let term = b.mul(c, wave);
        sum = b.add(sum, term);
    }
    sum
}

/// What a stop is made of.
struct Stop {
    k: Slot,
    e: Slot,
    cmax: Slot,
    d: Slot,
}

impl Stop {
    /// k p^e and c_max STEP(p, 0, 0, d, 1) ẋ.
    fn parts(&self, b: &mut Builder, p: Slot, xdot: Slot) -> (Slot, Slot) {
        let power = b.binary(Binary::Pow, p, self.e);
        let ratio = b.div(p, self.d);
        let s = held(b, ratio);
        let share = cubic(b, s);
        let damping = b.mul(self.cmax, share);
        (b.mul(self.k, power), b.mul(damping, xdot))
    }

    /// Equations 8 and 9 at x₁; `free` elsewhere.
    fn lower(&self, b: &mut Builder, [x, xdot, x1]: [Slot; 3], free: Slot) -> Slot {
        let p = b.sub(x1, x);
        let (elastic, damping) = self.parts(b, p, xdot);
        let (zero, force) = (b.constant(0.0), b.sub(elastic, damping));
        let force = b.binary(Binary::Max, zero, force);
        let touches = b.binary(Binary::Less, x, x1);
        b.select(touches, force, free)
    }

    /// Equation 10 at x₂; zero elsewhere.
    fn upper(&self, b: &mut Builder, [x, xdot, x2]: [Slot; 3]) -> Slot {
        let p = b.sub(x, x2);
        let (elastic, damping) = self.parts(b, p, xdot);
        let (zero, sum) = (b.constant(0.0), b.add(elastic, damping));
        let force = b.unary(Unary::Neg, sum);
        let force = b.binary(Binary::Min, zero, force);
        let touches = b.binary(Binary::Less, x2, x);
        b.select(touches, force, zero)
    }
}

/// Equation 9: x, ẋ, x₁, k, e, c_max, d.
pub(super) fn impact(b: &mut Builder, a: &[Slot]) -> Slot {
    let free = b.constant(0.0);
    Stop { k: a[3], e: a[4], cmax: a[5], d: a[6] }.lower(b, [a[0], a[1], a[2]], free)
}

/// Equation 10: x, ẋ, x₁, x₂, k, e, c_max, d.
pub(super) fn bistop(b: &mut Builder, a: &[Slot]) -> Slot {
    let stop = Stop { k: a[4], e: a[5], cmax: a[6], d: a[7] };
    let above = stop.upper(b, [a[0], a[1], a[3]]);
    stop.lower(b, [a[0], a[1], a[2]], above)
}

/// a₁ − a₂ where that is positive, else 0.
pub(super) fn dim(b: &mut Builder, a: &[Slot]) -> Slot {
    let (zero, difference) = (b.constant(0.0), b.sub(a[0], a[1]));
    b.binary(Binary::Max, zero, difference)
}

/// |a₁| with the sign of a₂.
pub(super) fn sign(b: &mut Builder, a: &[Slot]) -> Slot {
    let (zero, size) = (b.constant(0.0), b.unary(Unary::Abs, a[0]));
    let opposite = b.unary(Unary::Neg, size);
    let forward = b.binary(Binary::LessEqual, zero, a[1]);
    b.select(forward, size, opposite)
}

/// Folds all arguments with one operation.
pub(super) fn fold(b: &mut Builder, a: &[Slot], f: Binary) -> Slot {
    a[1..].iter().fold(a[0], |sum, &next| b.binary(f, sum, next))
}

/// The second argument where the first is not zero, else the third.
pub(super) fn choose(b: &mut Builder, a: &[Slot]) -> Slot {
    b.select(a[0], a[1], a[2])
}
