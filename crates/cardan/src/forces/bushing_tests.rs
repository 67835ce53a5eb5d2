//! Bushing and beam against the same law in dual numbers: with R_F = R_j exp(κ φ), κ = 0 for the bushing and ½ for the beam,
//!
//! ```text
//! x = (exp(−κφ) u − u₀, φ),   P = −K x − C ẋ + P₀,   f = exp(κφ) P_u,   τ = T⁻¹(φ) (P_φ − κ T(κφ) (u × f)).
//! ```

use super::relative::{self, Load, Relative};
use super::{Beam, Bushing, Force, ForceLaw, Section, Tangent};
use crate::bodies::{MarkerId, MarkerState};
use crate::math::dual::DualVec3;
use crate::math::random::Random;
use crate::math::{Dual, Mat6, Vec3, Vec6, dual_rotation, rotation, stack};
use crate::measures::{Context, Memory};
use std::cell::RefCell;

/// K, C, P₀, u₀ and κ.
struct Law {
    k: Mat6,
    c: Mat6,
    preload: Vec6,
    offset: Vec3,
    kappa: f64,
}

impl Law {
    /// Of a bushing, whose matrices are full if `coupled` is not zero.
    fn bushing(random: &mut Random, coupled: f64) -> (Self, Force) {
        let mut matrix = |sign: f64| {
            let a = Mat6::from_fn(|_, _| random.range(-1.0, 1.0));
            let full = a + a.transpose() * sign;
            full * coupled + Mat6::from_diagonal(&Vec6::from_fn(|k, _| 1.0 + 0.3 * k as f64))
        };
        let (k, c) = (matrix(1.0), matrix(0.3));
        let mut six = || Vec6::from_fn(|_, _| random.range(-1.0, 1.0));
        let (p, offset) = (six(), crate::math::linear(&six()));
        let force = Bushing::new("bushing", MarkerId(0), MarkerId(1)).stiffness(k).damping(c);
        let force = force.preload([p[0], p[1], p[2]], [p[3], p[4], p[5]]).offset(offset.into());
        (Self { k, c, preload: p, offset, kappa: 0.0 }, force.into())
    }

    /// Of a beam.
    fn beam(random: &mut Random) -> (Self, Force) {
        let mut number = || random.range(0.5, 1.5);
        let section = Section {
            area: number(),
            bending: [number(), number()],
            torsion: number(),
            shear: [0.0, number()],
            youngs_modulus: number(),
            shear_modulus: number(),
        };
        let (length, ratio) = (number(), number());
        let beam = Beam::new("beam", MarkerId(0), MarkerId(1), length, section).damping_ratio(ratio);
        let k = Mat6::from_diagonal(&beam.stiffness());
        (Self { k, c: k * ratio, preload: Vec6::zeros(), offset: Vec3::new(length, 0.0, 0.0), kappa: 0.5 }, beam.into())
    }

    /// A beam, a bushing with diagonal matrices, one with full ones.
    fn all(random: &mut Random) -> [(Self, Force); 3] {
        [Self::beam(random), Self::bushing(random, 0.0), Self::bushing(random, 1.0)]
    }

    /// The equations of the head.
    fn load(&self, k: &Relative) -> Load {
        let kappa = Dual::constant(self.kappa);
        let phi = dual_rotation::log(&k.rotation);
        let inverse = dual_rotation::tangent_inverse(&phi);
        let (frame, half) = (dual_rotation::exp(&(phi * kappa)), dual_rotation::tangent(&(phi * kappa)) * kappa);
        let phi_rate = inverse.tr_mul(&k.angular_velocity);
        let spin = half.tr_mul(&phi_rate);
        let u = frame.tr_mul(&k.displacement) - self.offset.map(Dual::constant);
        let u_rate = frame.tr_mul(&(k.velocity - spin.cross(&k.displacement)));
        let (x, rate) = ([u, phi], [u_rate, phi_rate]);
        let mut p = [DualVec3::zeros(); 2];
        for a in 0..6 {
            let sum = (0..6).map(|b| x[b / 3][b % 3] * self.k[(a, b)] + rate[b / 3][b % 3] * self.c[(a, b)]);
            p[a / 3][a % 3] = sum.fold(Dual::constant(self.preload[a]), |sum, x| sum - x);
        }
        let f = frame * p[0];
        (f, inverse * (p[1] - half * k.displacement.cross(&f)))
    }
}

/// Two markers in motion, turned against each other by a rotation vector.
fn markers(random: &mut Random, turn: &Vec3) -> [MarkerState; 2] {
    let mut three = || Vec3::from_fn(|_, _| random.range(-1.0, 1.0));
    let j = rotation::exp(&(three() * 2.0));
    let rotations = [j * rotation::exp(turn), j].map(|q| q.to_rotation_matrix().into_inner());
    rotations.map(|r| MarkerState { p: three(), r, v: three(), w: three() })
}

fn with<T>(markers: &[MarkerState; 2], f: impl FnOnce(&Context) -> T) -> T {
    let scratch = RefCell::default();
    f(&Context { t: 0.3, markers, memory: &Memory::EMPTY, states: &[], lambda: &[], scratch: &scratch })
}

fn direction(random: &mut Random) -> Vec3 {
    Vec3::from_fn(|_, _| random.range(-1.0, 1.0)).normalize()
}

/// The largest difference of wrenches and tangents to those of the law in dual numbers.
fn difference(law: &Law, force: &Force, markers: &[MarkerState; 2]) -> (f64, f64) {
    with(markers, |ctx| {
        let (mut exact, mut tangent) = (Tangent::zero(), Tangent::zero());
        tangent.position[1].fill(7.0);
        let expected = relative::wrench_and_tangent(force.markers(), ctx, |k| law.load(k), &mut exact);
        let found = force.wrench_and_tangent(ctx, &mut tangent);
        assert_eq!(found, force.wrench(ctx));
        assert_eq!(force.tangent(ctx), tangent);
        let mut worst = (0.0f64, 0.0f64);
        for a in 0..2 {
            worst.0 = worst.0.max((found[a] - expected[a]).amax());
            worst.1 = worst.1.max((tangent.position[a] - exact.position[a]).amax());
            worst.1 = worst.1.max((tangent.velocity[a] - exact.velocity[a]).amax());
        }
        worst
    })
}

#[test]
fn agrees_with_dual_numbers_at_any_rotation() {
    let mut random = Random::new(3);
    let angles = [0.0, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3, 0.05, 0.19, 0.21, 0.5, 1.0, 1.57, 2.09, 2.1, 2.8, 3.0, 3.1];
    for angle in angles {
        for _ in 0..10 {
            for (law, force) in Law::all(&mut random) {
                let turn = direction(&mut random) * angle;
                let (value, tangent) = difference(&law, &force, &markers(&mut random, &turn));
                // The logarithm in dual numbers divides by the sine of the angle.
                let bar = 2e-12 / (std::f64::consts::PI - angle).min(1.0).powi(3);
                assert!(value < bar && tangent < 5.0 * bar, "{force:?}, {angle} rad: {value:e}, {tangent:e}");
            }
        }
    }
}

#[test]
fn tangents_are_well_conditioned_close_to_half_a_turn() {
    let mut random = Random::new(5);
    for gap in [1e-1, 1e-2, 1e-3] {
        for (_, force) in Law::all(&mut random) {
            let turn = direction(&mut random) * (std::f64::consts::PI - gap);
            let at = markers(&mut random, &turn);
            let tangent = with(&at, |ctx| force.tangent(ctx));
            for (marker, k) in (0..2).flat_map(|m| (0..6).map(move |k| (m, k))) {
                let h = 0.1 * gap;
                let moved = |s: f64| {
                    let mut at = at;
                    let (p, theta) = if k < 3 { (Vec3::ith(k, s * h), Vec3::zeros()) } else { (Vec3::zeros(), Vec3::ith(k - 3, s * h)) };
                    at[marker].p += p;
                    at[marker].r = rotation::exp(&theta).to_rotation_matrix().into_inner() * at[marker].r;
                    with(&at, |ctx| force.wrench(ctx)[0])
                };
                let [a, b, c, d] = [1.0, -1.0, 2.0, -2.0].map(moved);
                let numeric = ((a - b) * 8.0 - (c - d)) / (12.0 * h);
                let error = (numeric - tangent.position[marker].column(k)).amax();
                assert!(error < 1e-3 * gap + 1e-8, "{force:?}, {gap}: {error:e}");
            }
        }
    }
}

/// A state after a short time at constant velocities.
fn later(markers: &[MarkerState; 2], s: f64) -> [MarkerState; 2] {
    (*markers).map(|m| MarkerState { p: m.p + m.v * s, r: rotation::exp(&(m.w * s)).to_rotation_matrix().into_inner() * m.r, ..m })
}

#[test]
fn power_is_what_potential_and_damping_lose() {
    let mut random = Random::new(7);
    for angle in [1e-6, 0.3, 1.7, 2.9] {
        for (_, force) in Law::all(&mut random) {
            let turn = direction(&mut random) * angle;
            let at = markers(&mut random, &turn);
            let potential = |s: f64| with(&later(&at, s), |ctx| force.potential(ctx));
            let h = 1e-3;
            let rate = ((potential(h) - potential(-h)) * 8.0 - (potential(2.0 * h) - potential(-2.0 * h))) / (12.0 * h);
            with(&at, |ctx| {
                let w = force.wrench(ctx);
                let power: f64 = (0..2).map(|a| w[a].dot(&stack(at[a].v, at[a].w))).sum();
                let error = power + rate + force.dissipation(ctx);
                assert!(error.abs() < 1e-9, "{force:?}, {angle}: {error:e}");
            });
        }
    }
}
