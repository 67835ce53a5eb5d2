//! Dense output: cubic Hermite interpolation between two accepted states, on the manifold.
//!
//! In the chart at q_n, q(τ) = q_n ⊕ θ(τ) with τ = (t − t_n)/h ∈ [0, 1]:
//!
//! ```text
//! θ(0) = 0,   θ(1) = q_{n+1} ⊖ q_n,   θ′(0) = h v_n,   θ′(1) = h T⁻¹(θ(1)) v_{n+1}                     (1)
//! θ(τ) = (3τ² − 2τ³) θ(1) + (τ − 2τ² + τ³) θ′(0) + (τ³ − τ²) θ′(1),     v(τ) = T(θ) θ′(τ)/h            (2)
//! ```
//!
//! Position is of order 4, velocity of order 3: above the methods' own. Differential states and their rates are treated as q and v.

use crate::bodies::Kind;
use crate::math::{Vec3, tangent, tangent_inverse};
use crate::system::{State, System};

/// The state at time `t` between two states of one run; a and λ are interpolated linearly.
pub fn interpolate(system: &System, from: &State, to: &State, t: f64) -> State {
    let h = to.t - from.t;
    let tau = if h > 0.0 { (t - from.t) / h } else { 1.0 };
    let mut end = vec![0.0; system.nv()];
    system.difference(&from.q, &to.q, &mut end);
    let mut slope: Vec<f64> = to.v.iter().map(|v| h * v).collect();
    for k in attitudes(system) {
        let mapped = tangent_inverse(&vector(&end[k..])) * vector(&slope[k..]);
        slope[k..k + 3].copy_from_slice(mapped.as_slice());
    }
    let mut theta = vec![0.0; system.nv()];
    let mut out = to.clone();
    for i in 0..system.nv() {
        let rate;
        (theta[i], rate) = hermite(tau, end[i], h * from.v[i], slope[i]);
        out.v[i] = if h > 0.0 { rate / h } else { to.v[i] };
        out.a[i] = (1.0 - tau) * from.a[i] + tau * to.a[i];
    }
    for k in attitudes(system) {
        let mapped = tangent(&vector(&theta[k..])) * vector(&out.v[k..]);
        out.v[k..k + 3].copy_from_slice(mapped.as_slice());
    }
    system.retract(&from.q, &theta, &mut out.q);
    for (l, (a, b)) in out.lambda.iter_mut().zip(from.lambda.iter().zip(&to.lambda)) {
        *l = (1.0 - tau) * a + tau * b;
    }
    for i in 0..system.nx() {
        let (change, rate) = hermite(tau, to.x[i] - from.x[i], h * from.x_dot[i], h * to.x_dot[i]);
        out.x[i] = from.x[i] + change;
        out.x_dot[i] = if h > 0.0 { rate / h } else { to.x_dot[i] };
    }
    out.t = t;
    out.memory.copy_from_slice(if tau < 0.5 { &from.memory } else { &to.memory });
    out
}

/// The cubic (2) and its derivative by τ at τ.
fn hermite(tau: f64, end: f64, start_slope: f64, end_slope: f64) -> (f64, f64) {
    let (t2, t3) = (tau * tau, tau * tau * tau);
    let value = (3.0 * t2 - 2.0 * t3) * end + (tau - 2.0 * t2 + t3) * start_slope + (t3 - t2) * end_slope;
    let rate = 6.0 * (tau - t2) * end + (1.0 - 4.0 * tau + 3.0 * t2) * start_slope + (3.0 * t2 - 2.0 * tau) * end_slope;
    (value, rate)
}

/// Where the rotation velocities of attitudes start.
fn attitudes(system: &System) -> impl Iterator<Item = usize> {
    system.bodies().iter().filter(|b| b.shape.columns().len() == 6).map(|b| b.v0 + 3)
}

fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}
