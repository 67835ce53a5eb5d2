//! Dense output of order 4: rates of increments and of differential states as the cubics through the start and the stages, integrated,
//!
//! ```text
//! δ(τ) = h Σ_j w_j(τ) δ̇_j,     w_j = ∫₀^τ l_j,     l_j Lagrange's factors of the times 0, c₁, c₂, 1                     (1)
//! ```
//!
//! which meets the end of the step exactly, the quadrature of the method being exact for cubics. Velocities are the cubic through their
//! values, accelerations and multipliers the quadratics through the stages.

use super::stages::Stages;
use super::tableau::{STAGES, Tableau};
use crate::math::lagrange;
use crate::newton::Point;
use crate::system::{State, System};

/// The state at `t` within a step from `now` to `end`.
pub fn between(system: &System, tableau: &Tableau, stages: &Stages, now: &Point, end: &State, t: f64) -> State {
    let tau = (t - now.x.t) / stages.h;
    let (times, mut out) = ([0.0, tableau.c[0], tableau.c[1], 1.0], end.clone());
    let (value, weight) = (lagrange::factors(&times, 4, tau), integrated(&times, tau));
    let quadratic = lagrange::factors(&tableau.c, STAGES, tau);
    let delta: Vec<f64> = (0..system.nv()).map(|k| stages.h * combine(&weight, now.x.v[k], |j| stages.rate[j][k])).collect();
    system.retract(&now.x.q, &delta, &mut out.q);
    for k in 0..system.nv() {
        out.v[k] = combine(&value, now.x.v[k], |j| stages.x[j].v[k]);
        out.a[k] = (0..STAGES).map(|j| quadratic[j] * stages.x[j].a[k]).sum();
    }
    for k in 0..system.rows() {
        out.lambda[k] = (0..STAGES).map(|j| quadratic[j] * stages.x[j].lambda[k]).sum();
    }
    for k in 0..system.nx() {
        out.x[k] = now.x.x[k] + stages.h * combine(&weight, now.w[k], |j| stages.x[j].x_dot[k]);
        out.x_dot[k] = combine(&value, now.w[k], |j| stages.x[j].x_dot[k]);
    }
    out.t = t;
    out
}

fn combine(factors: &[f64; 4], start: f64, stage: impl Fn(usize) -> f64) -> f64 {
    factors[0] * start + (0..STAGES).map(|j| factors[j + 1] * stage(j)).sum::<f64>()
}

/// w_j of (1), by Gauss's two-point formula.
fn integrated(times: &[f64; 4], tau: f64) -> [f64; 4] {
    let offset = 1.0 / 3f64.sqrt();
    let [a, b] = [1.0 - offset, 1.0 + offset].map(|x| lagrange::factors(times, 4, 0.5 * tau * x));
    std::array::from_fn(|j| 0.5 * tau * (a[j] + b[j]))
}
