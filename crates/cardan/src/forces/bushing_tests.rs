//! The bushing against the same law in dual numbers, as it is written in the head of `bushing.rs`.

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
    fn random(random: &mut Random, kappa: f64, coupled: f64) -> Self {
        let mut matrix = |sign: f64| {
            let a = Mat6::from_fn(|_, _| random.range(-1.0, 1.0));
            let full = a + a.transpose() * sign;
            full * coupled + Mat6::from_diagonal(&Vec6::from_fn(|k, _| 1.0 + 0.3 * k as f64))
        };
        let (k, c) = (matrix(1.0), matrix(0.3));
        let mut six = || Vec6::from_fn(|_, _| random.range(-1.0, 1.0));
        Self { k, c, preload: six(), offset: crate::math::linear(&six()), kappa }
    }

    fn bushing(&self) -> Bushing {
        let p = &self.preload;
        let out = Bushing::new("bushing", MarkerId(0), MarkerId(1)).stiffness(self.k).damping(self.c);
        let out = out.preload([p[0], p[1], p[2]], [p[3], p[4], p[5]]).offset(self.offset.into());
        if self.kappa == 0.0 { out } else { out.measured_halfway() }
    }

    /// Equations (1) to (3) of the bushing.
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
    f(&Context { t: 0.3, markers, memory: &Memory::EMPTY, lambda: &[], scratch: &scratch })
}

fn direction(random: &mut Random) -> Vec3 {
    Vec3::from_fn(|_, _| random.range(-1.0, 1.0)).normalize()
}

/// The largest difference of wrenches and tangents to those of the law in dual numbers.
fn difference(law: &Law, markers: &[MarkerState; 2]) -> (f64, f64) {
    let bushing = law.bushing();
    with(markers, |ctx| {
        let (mut exact, mut tangent) = (Tangent::zero(), Tangent::zero());
        tangent.position[1][0].fill(7.0);
        let expected = relative::wrench_and_tangent(bushing.markers(), ctx, |k| law.load(k), &mut exact);
        let found = bushing.wrench_and_tangent(ctx, &mut tangent);
        assert_eq!(found, bushing.wrench(ctx));
        let mut worst = (0.0f64, 0.0f64);
        for a in 0..2 {
            worst.0 = worst.0.max((found[a] - expected[a]).amax());
            for b in 0..2 {
                worst.1 = worst.1.max((tangent.position[a][b] - exact.position[a][b]).amax());
                worst.1 = worst.1.max((tangent.velocity[a][b] - exact.velocity[a][b]).amax());
            }
        }
        worst
    })
}

#[test]
fn agrees_with_dual_numbers_at_any_rotation() {
    let mut random = Random::new(3);
    let angles = [0.0, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3, 0.05, 0.19, 0.21, 0.5, 1.0, 1.57, 2.09, 2.1, 2.8, 3.0, 3.1];
    for (kappa, coupled) in [(0.0, 0.0), (0.0, 1.0), (0.5, 0.0), (0.5, 1.0)] {
        for angle in angles {
            for _ in 0..10 {
                let law = Law::random(&mut random, kappa, coupled);
                let turn = direction(&mut random) * angle;
                let (value, tangent) = difference(&law, &markers(&mut random, &turn));
                // The logarithm in dual numbers divides by the sine of the angle.
                let bar = 2e-12 / (std::f64::consts::PI - angle).min(1.0).powi(3);
                assert!(value < bar && tangent < 5.0 * bar, "κ = {kappa}, coupled {coupled}, {angle} rad: {value:e}, {tangent:e}");
            }
        }
    }
}

#[test]
fn tangents_are_well_conditioned_close_to_half_a_turn() {
    let mut random = Random::new(5);
    for kappa in [0.0, 0.5] {
        for gap in [1e-1, 1e-2, 1e-3] {
            let law = Law::random(&mut random, kappa, 1.0);
            let turn = direction(&mut random) * (std::f64::consts::PI - gap);
            let at = markers(&mut random, &turn);
            let tangent = with(&at, |ctx| law.bushing().tangent(ctx));
            for (marker, k) in (0..2).flat_map(|m| (0..6).map(move |k| (m, k))) {
                let h = 0.1 * gap;
                let moved = |s: f64| {
                    let mut at = at;
                    let (p, theta) = if k < 3 { (Vec3::ith(k, s * h), Vec3::zeros()) } else { (Vec3::zeros(), Vec3::ith(k - 3, s * h)) };
                    at[marker].p += p;
                    at[marker].r = rotation::exp(&theta).to_rotation_matrix().into_inner() * at[marker].r;
                    with(&at, |ctx| law.bushing().wrench(ctx))
                };
                let [a, b, c, d] = [1.0, -1.0, 2.0, -2.0].map(moved);
                for w in 0..2 {
                    let numeric = ((a[w] - b[w]) * 8.0 - (c[w] - d[w])) / (12.0 * h);
                    let error = (numeric - tangent.position[w][marker].column(k)).amax();
                    assert!(error < 1e-3 * gap + 1e-8, "κ = {kappa}, {gap}: {error:e}");
                }
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
    for (kappa, coupled, angle) in
        [0.0, 0.5].into_iter().flat_map(|k| [0.0, 1.0].map(|c| [1e-6, 0.3, 1.7, 2.9].map(|a| (k, c, a)))).flatten()
    {
        let bushing: Force = Law::random(&mut random, kappa, coupled).bushing().into();
        let turn = direction(&mut random) * angle;
        let at = markers(&mut random, &turn);
        let potential = |s: f64| with(&later(&at, s), |ctx| bushing.potential(ctx));
        let h = 1e-3;
        let rate = ((potential(h) - potential(-h)) * 8.0 - (potential(2.0 * h) - potential(-2.0 * h))) / (12.0 * h);
        with(&at, |ctx| {
            let w = bushing.wrench(ctx);
            let power: f64 = (0..2).map(|a| w[a].dot(&stack(at[a].v, at[a].w))).sum();
            let error = power + rate + bushing.dissipation(ctx);
            assert!(error.abs() < 1e-9, "κ = {kappa}, coupled {coupled}, {angle}: {error:e}");
        });
    }
}

#[test]
fn beams_are_bushings_measured_halfway() {
    let section = Section::round(0.3, 2.0, 0.3);
    let beam = Beam::new("beam", MarkerId(0), MarkerId(1), 0.9, section).damping_ratio(0.2);
    let mut random = Random::new(9);
    let at = markers(&mut random, &Vec3::new(0.2, -0.4, 0.3));
    with(&at, |ctx| {
        let mut tangent = Tangent::zero();
        assert_eq!(beam.wrench_and_tangent(ctx, &mut tangent), beam.wrench(ctx));
        assert_eq!(beam.tangent(ctx), tangent);
    });
}
