//! Integrals over time of a function of time alone,
//!
//! ```text
//! F₁(t) = ∫₀ᵗ f dτ,      F₂(t) = ∫₀ᵗ F₁ dτ = ∫₀ᵗ (t − τ) f dτ                                                      (1)
//! on [a, b]:   F₁(b) = F₁(a) + ∫ f,      F₂(b) = F₂(a) + (b − a) F₁(a) + ∫ (b − τ) f                             (2)
//! ```
//!
//! to round-off. Both are kept at times 0 = t₀ < t₁ < … that depend on nothing but their number, so that values do not depend on what was
//! asked for before; from the last of them before t on they are integrated anew. A piece is integrated by Gauss' rule of five points, which
//! is exact for polynomials of degree nine, and halved until the halves say the same; at a corner of f that ends with the corner between
//! two numbers that are almost the same. Pieces are no longer than 1/128 s, or 1/8192 of the time that has passed, and a pulse of f that is
//! shorter than a tenth of that may be overlooked.
//!
//! Reference: Davis & Rabinowitz, Methods of Numerical Integration, 2nd ed. (1984), ch. 6.

use std::sync::{Mutex, PoisonError};

/// Nodes and weights of Gauss' rule on [−1, 1].
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];
/// Halves may differ from the whole by this part of the largest integral on the way.
const TOLERANCE: f64 = 1e-14;
/// Where f is too rough for that, so many pieces are enough.
const PIECES: usize = 400;

/// F₁ and F₂ at a time.
#[derive(Debug, Clone, Copy)]
struct Knot {
    t: f64,
    values: [f64; 2],
}

/// F₁ and F₂ of a function, which is given with every call and must be the same in all.
#[derive(Debug)]
pub(super) struct Integral {
    knots: Mutex<Vec<Knot>>,
}

impl Default for Integral {
    fn default() -> Self {
        // Room for two minutes, so that steps need not allocate.
        let mut knots = Vec::with_capacity(1 << 14);
        knots.push(Knot { t: 0.0, values: [0.0; 2] });
        Self { knots: Mutex::new(knots) }
    }
}

impl Integral {
    /// (F₁, F₂) at time t.
    pub fn at(&self, t: f64, f: &mut dyn FnMut(f64) -> f64) -> [f64; 2] {
        if !t.is_finite() {
            return [f64::NAN; 2];
        }
        if t < 0.0 {
            return backward(t, f);
        }
        let mut knots = self.knots.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(next) = knots.last().map(next_time).filter(|next| *next <= t) {
            let last = knots[knots.len() - 1];
            knots.push(last.onward(next, f));
        }
        let before = knots.partition_point(|knot| knot.t <= t).max(1) - 1;
        knots[before].onward(t, f).values
    }
}

/// The longest piece, s, near t = 0.
const PIECE: f64 = 1.0 / 128.0;

fn next_time(knot: &Knot) -> f64 {
    knot.t + (knot.t / 8192.0).max(PIECE)
}

/// Before t = 0, which is seldom asked for, nothing is kept.
fn backward(t: f64, f: &mut dyn FnMut(f64) -> f64) -> [f64; 2] {
    let mut knot = Knot { t: 0.0, values: [0.0; 2] };
    while knot.t - PIECE > t {
        knot = knot.onward(knot.t - PIECE, f);
    }
    knot.onward(t, f).values
}

impl Knot {
    /// Equation (2).
    fn onward(&self, t: f64, f: &mut dyn FnMut(f64) -> f64) -> Self {
        let [first, second] = self.values;
        let [d_first, d_second] = if t == self.t { [0.0; 2] } else { Quadrature { f, end: t, size: 0.0, pieces: 0 }.between(self.t, t) };
        Self { t, values: [first + d_first, second + (t - self.t) * first + d_second] }
    }
}

/// The integrals of f and of (end − τ) f over pieces.
struct Quadrature<'f> {
    f: &'f mut dyn FnMut(f64) -> f64,
    end: f64,
    /// The largest integral of |f| so far.
    size: f64,
    pieces: usize,
}

impl Quadrature<'_> {
    fn between(&mut self, a: f64, b: f64) -> [f64; 2] {
        let whole = self.gauss(a, b);
        self.halved(a, b, whole)
    }

    fn halved(&mut self, a: f64, b: f64, whole: [f64; 2]) -> [f64; 2] {
        let middle = 0.5 * (a + b);
        let (left, right) = (self.gauss(a, middle), self.gauss(middle, b));
        let both = [left[0] + right[0], left[1] + right[1]];
        let error = (both[0] - whole[0]).abs();
        self.pieces += 1;
        // A value that is not a number stays one.
        let rough = error > TOLERANCE * self.size;
        if !rough || self.pieces > PIECES || middle <= a.min(b) || middle >= a.max(b) {
            return both;
        }
        let (left, right) = (self.halved(a, middle, left), self.halved(middle, b, right));
        [left[0] + right[0], left[1] + right[1]]
    }

    fn gauss(&mut self, a: f64, b: f64) -> [f64; 2] {
        let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
        let (mut sums, mut size) = ([0.0; 2], 0.0);
        for (x, w) in GAUSS {
            let t = middle + half * x;
            let value = w * half * (self.f)(t);
            sums[0] += value;
            sums[1] += value * (self.end - t);
            size += value.abs();
        }
        self.size = self.size.max(size);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(f: impl Fn(f64) -> f64, exact: impl Fn(f64) -> [f64; 2], tolerance: f64) {
        let integral = Integral::default();
        for t in [1.7, 0.001, -0.4, 0.3, 12.0, 0.0, 1.7] {
            let [first, second] = integral.at(t, &mut |t| f(t));
            let [e1, e2] = exact(t);
            assert!((first - e1).abs() <= tolerance * (1.0 + e1.abs()), "at {t}: {first} instead of {e1}");
            assert!((second - e2).abs() <= tolerance * (1.0 + e2.abs()), "at {t}: {second} instead of {e2}");
        }
    }

    #[test]
    fn smooth_functions_are_integrated_to_round_off() {
        check(|t| t * t, |t| [t.powi(3) / 3.0, t.powi(4) / 12.0], 1e-13);
        check(|t| (7.0 * t).sin(), |t| [(1.0 - (7.0 * t).cos()) / 7.0, t / 7.0 - (7.0 * t).sin() / 49.0], 1e-13);
        check(|t| (2000.0 * t).cos(), |t| [(2000.0 * t).sin() / 2e3, (1.0 - (2000.0 * t).cos()) / 4e6], 1e-12);
    }

    #[test]
    fn corners_and_jumps_are_found() {
        let ramp = |t: f64| (t - 0.2531).max(0.0);
        check(|t| f64::from(u8::from(t > 0.2531)), |t| [ramp(t), 0.5 * ramp(t).powi(2)], 1e-12);
        check(ramp, |t| [0.5 * ramp(t).powi(2), ramp(t).powi(3) / 6.0], 1e-12);
    }

    #[test]
    fn values_do_not_depend_on_what_was_asked_before() {
        let (a, b, f) = (Integral::default(), Integral::default(), |t: f64| (t * t).sin() + 0.1);
        let direct = a.at(3.21, &mut { f });
        (0..400).for_each(|k| _ = b.at(0.011 * f64::from(k), &mut { f }));
        assert_eq!(direct, b.at(3.21, &mut { f }));
    }

    #[test]
    fn a_function_that_ends_leaves_no_number_after_its_end() {
        let integral = Integral::default();
        let [value, _] = integral.at(0.4, &mut |t| (0.5 - t).sqrt());
        assert!((value - (0.5_f64.powf(1.5) - 0.1_f64.powf(1.5)) / 1.5).abs() < 1e-12);
        assert!(integral.at(0.7, &mut |t| (0.5 - t).sqrt())[0].is_nan());
    }
}
