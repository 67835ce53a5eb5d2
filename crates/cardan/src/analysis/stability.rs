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
//! has the eigenvalues of Z that the motion can show. With W₀ P = Q R, the columns sorted by size, they are those of Qᵀ W₁ P R⁻¹ for the leading
//! columns that stand out from round-off. The first steps are left out: methods with a past begin otherwise than they go on.

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
/// The spectral radius is found from the power 2 to this.
const SQUARINGS: i32 = 40;
/// Entries on the diagonal of R below this part of the largest are round-off.
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
    let mut after = after / largest;
    let qr = (before / largest).col_piv_qr();
    let (q, r) = (qr.q(), qr.r());
    qr.p().permute_columns(&mut after);
    let rank = (0..r.nrows()).take_while(|k| r[(*k, *k)].abs() > ROUND_OFF * r[(0, 0)].abs()).count();
    let image = q.columns(0, rank).transpose() * after.columns(0, rank);
    let reduced = r.view((0, 0), (rank, rank)).transpose().solve_lower_triangular(&image.transpose())?;
    Some(growth(reduced))
}

/// The spectral radius, lim |Aᵏ|^(1/k), by squaring.
fn growth(mut a: DMatrix<f64>) -> f64 {
    let mut logarithm = 0.0;
    for k in 0..SQUARINGS {
        let size = a.norm();
        if size == 0.0 {
            return 0.0;
        }
        logarithm += size.ln() * 0.5_f64.powi(k);
        a /= size;
        a = &a * &a;
    }
    logarithm.exp()
}
