//! Dense output: cubic Hermite interpolation between two accepted states, on the manifold, about a uniform motion.
//!
//! With m = ½ h (v_n + v_{n+1}) the step of a motion with the mean velocity, and τ = (t − t_n)/h ∈ [0, 1],
//!
//! ```text
//! q(τ) = (q_n ⊕ τ m) ⊕ η(τ),        v(τ) = (exp(−η) m + T(η) η′(τ))/h                                               (1)
//! η(0) = 0,   η(1) = q_{n+1} ⊖ (q_n ⊕ m),   η′(0) = h v_n − m,   η′(1) = T⁻¹(η(1)) (h v_{n+1} − exp(−η(1)) m)      (2)
//! ```
//!
//! and η the cubic that meets (2). What is interpolated is the departure from uniform motion: bodies may turn any number of times between
//! the two states. Where coordinates are a vector space, (1) is the ordinary cubic. Position is of order 4, velocity of order 3: above the
//! methods' own. Differential states and their rates are treated as q and v.

use crate::math::{Vec3, exp, tangent, tangent_inverse};
use crate::system::{State, System};

/// The state at time `t` between two states of one run; a and λ are interpolated linearly.
pub fn interpolate(system: &System, from: &State, to: &State, t: f64) -> State {
    let h = to.t - from.t;
    if h <= 0.0 {
        return to.clone();
    }
    let tau = (t - from.t) / h;
    let mut out = from.clone();
    interpolate_motion(system, from, to, tau, h, &mut out);
    for (l, (a, b)) in out.lambda.iter_mut().zip(from.lambda.iter().zip(&to.lambda)) {
        *l = (1.0 - tau) * a + tau * b;
    }
    for i in 0..system.nx() {
        let (change, rate) = hermite(tau, to.x[i] - from.x[i], h * from.x_dot[i], h * to.x_dot[i]);
        out.x[i] = from.x[i] + change;
        out.x_dot[i] = rate / h;
    }
    out.t = t;
    out
}

/// Equations (1) and (2).
fn interpolate_motion(system: &System, from: &State, to: &State, tau: f64, h: f64, out: &mut State) {
    let nv = system.nv();
    let mean: Vec<f64> = from.v.iter().zip(&to.v).map(|(a, b)| 0.5 * h * (a + b)).collect();
    let (mut carried, mut end) = (from.q.clone(), vec![0.0; nv]);
    system.retract(&from.q, &mean, &mut carried);
    system.difference(&carried, &to.q, &mut end);
    let mut slope: Vec<f64> = to.v.iter().zip(&mean).map(|(v, m)| h * v - m).collect();
    for k in system.attitudes() {
        let (eta, m) = (vector(&end[k..]), vector(&mean[k..]));
        let relative = vector(&to.v[k..]) * h - exp(&-eta) * m;
        slope[k..k + 3].copy_from_slice((tangent_inverse(&eta) * relative).as_slice());
    }
    let mut eta = end.clone();
    for i in 0..nv {
        let rate;
        (eta[i], rate) = hermite(tau, end[i], h * from.v[i] - mean[i], slope[i]);
        out.v[i] = (mean[i] + rate) / h;
        out.a[i] = (1.0 - tau) * from.a[i] + tau * to.a[i];
    }
    for k in system.attitudes() {
        let (turn, m) = (vector(&eta[k..]), vector(&mean[k..]));
        let rate = vector(&out.v[k..]) * h - m;
        out.v[k..k + 3].copy_from_slice(((exp(&-turn) * m + tangent(&turn) * rate) / h).as_slice());
    }
    let part: Vec<f64> = mean.iter().map(|m| tau * m).collect();
    system.retract(&from.q, &part, &mut carried);
    system.retract(&carried, &eta, &mut out.q);
}

/// The cubic with this end and these slopes, and its derivative by τ at τ.
fn hermite(tau: f64, end: f64, start_slope: f64, end_slope: f64) -> (f64, f64) {
    let (t2, t3) = (tau * tau, tau * tau * tau);
    let value = (3.0 * t2 - 2.0 * t3) * end + (tau - 2.0 * t2 + t3) * start_slope + (t3 - t2) * end_slope;
    let rate = 6.0 * (tau - t2) * end + (1.0 - 4.0 * tau + 3.0 * t2) * start_slope + (3.0 * t2 - 2.0 * tau) * end_slope;
    (value, rate)
}

fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}
