//! Absolute stability of a method, from steps of the method itself.
//!
//! A mass with a spring and a damper has the second-order test equation
//!
//! ```text
//! q̈ − 2 Re(λ) q̇ + |λ|² q = 0          solutions e^{λt}, e^{λ̄t};    ξ = h λ                                  (1)
//! ```
//!
//! A method with equal steps makes of it a linear recurrence z_{n+1} = Z z_n, where z holds q and v and whatever else the method carries:
//! accelerations, values of earlier steps. Z is not asked for. Two runs, from (q, v) = (1, 0) and (0, 1), are watched; with
//! w_n the positions and velocities of a few successive steps one below the other,
//!
//! ```text
//! W₁ = Z_w W₀,     W₀ = (w_0 … w_{m−1}) of both runs,  W₁ the same one step on                                (2)
//! ```
//!
//! has the eigenvalues of Z that the motion can show. They are those of Uᵀ W₁ V Σ⁻¹ with the singular values Σ of W₀ that stand out
//! from round-off. The first steps are left out: methods with a past begin otherwise than they go on.

use crate::bodies::{Body, BodyId, Marker};
use crate::forces::VectorForce;
use crate::integrators::{Method, Options, Stepper};
use crate::math::Dual;
use crate::model::Model;
use crate::system::{State, System};
use nalgebra::DMatrix;
use std::sync::Arc;

/// Steps before the recurrence is looked at.
const SETTLING: usize = 8;
/// Steps one below the other in w.
const DEPTH: usize = 6;
/// Columns of W₀ from each run.
const COLUMNS: usize = 14;
/// Singular values below this part of the largest are round-off.
const ROUND_OFF: f64 = 1e-9;

/// The spectral radius of Z at ξ = `real` + i `imaginary`: the method is stable there if it is at most 1. `None` where the method cannot step.
pub fn amplification(method: &Arc<dyn Method>, real: f64, imaginary: f64) -> Option<f64> {
    let system = oscillator(real, imaginary)?;
    let frequency = real.hypot(imaginary).max(1e-3);
    let mut runs = Vec::new();
    for (q, v) in [(1.0, 0.0), (0.0, frequency)] {
        runs.push(motion(&system, method, q, v, frequency)?);
    }
    spectral_radius(&runs)
}

/// Equation 1 with h = 1, along x.
fn oscillator(real: f64, imaginary: f64) -> Option<System> {
    let mut model = Model::new("oscillator");
    let mass = model.add_body(Body::point_2d("mass", 1.0));
    let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
    let (stiffness, damping) = (Dual::constant(real * real + imaginary * imaginary), Dual::constant(-2.0 * real));
    model.add_force(VectorForce::new("spring", i, j, move |k| -k.displacement * stiffness - k.velocity * damping));
    System::new(&model).ok()
}

/// (q, v / frequency) after every step of size 1, divided by the largest of the first ones that count.
fn motion(system: &System, method: &Arc<dyn Method>, q: f64, v: f64, frequency: f64) -> Option<Vec<[f64; 2]>> {
    let mut x: State = system.initial().clone();
    (x.q[0], x.v[0]) = (q, v);
    let mut stepper = Stepper::new(system, method.clone(), Options::default(), &x, &[]);
    stepper.start(&x, 1.0).ok()?;
    let mut states = Vec::with_capacity(SETTLING + DEPTH + COLUMNS + 1);
    for _ in 0..SETTLING + DEPTH + COLUMNS + 1 {
        stepper.attempt_exactly(1.0).ok()?;
        stepper.accept();
        states.push([stepper.now().q[0], stepper.now().v[0] / frequency]);
    }
    let kept = states.split_off(SETTLING);
    kept.iter().flatten().all(|x| x.is_finite()).then_some(kept)
}

/// Equation 2.
fn spectral_radius(runs: &[Vec<[f64; 2]>]) -> Option<f64> {
    let hankel = |shift: usize| {
        DMatrix::from_fn(2 * DEPTH, COLUMNS * runs.len(), |row, column| {
            let run = &runs[column / COLUMNS];
            run[shift + column % COLUMNS + row / 2][row % 2]
        })
    };
    let (before, after) = (hankel(0), hankel(1));
    let largest = before.amax();
    if largest == 0.0 {
        return Some(0.0);
    }
    let svd = (before / largest).try_svd(true, true, f64::EPSILON, 1000)?;
    let (u, v_t, singular) = (svd.u?, svd.v_t?, svd.singular_values);
    let rank = singular.iter().filter(|s| **s > ROUND_OFF * singular[0]).count();
    let (u, v_t) = (u.columns(0, rank), v_t.rows(0, rank));
    let inverse = DMatrix::from_fn(rank, rank, |i, j| if i == j { 1.0 / singular[i] } else { 0.0 });
    let reduced = u.transpose() * (after / largest) * v_t.transpose() * inverse;
    Some(reduced.complex_eigenvalues().iter().map(|z| z.norm()).fold(0.0, f64::max))
}
