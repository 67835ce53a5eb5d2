//! Finite differences of fourth order, and states moved along a motion.

use cardan::prelude::*;

const H: f64 = 4e-4;

/// d/ds f(s) at zero: central differences at h, h/2 and h/4, extrapolated to an error of O(h⁶).
pub fn derivative(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let central = |h: f64| f(h).iter().zip(f(-h)).map(|(p, m)| (p - m) / (2.0 * h)).collect::<Vec<_>>();
    let [a, b, c] = [H, 0.5 * H, 0.25 * H].map(central);
    (0..a.len()).map(|k| (a[k] - 20.0 * b[k] + 64.0 * c[k]) / 45.0).collect()
}

/// The state after the time s with constant velocities (zero accelerations).
pub fn moved(system: &System, x: &State, s: f64) -> State {
    let mut y = x.clone();
    let delta: Vec<f64> = x.v.iter().map(|v| s * v).collect();
    system.retract(&x.q, &delta, &mut y.q);
    y.t += s;
    y
}

/// Asserts that two vectors agree relative to their size.
#[track_caller]
pub fn assert_close(exact: &[f64], numeric: &[f64], tolerance: f64, what: &str) {
    assert_eq!(exact.len(), numeric.len(), "{what}: lengths");
    let size = numeric.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (k, (e, n)) in exact.iter().zip(numeric).enumerate() {
        assert!((e - n).abs() <= tolerance * size, "{what}: entry {k} is {e:.12e}, differences give {n:.12e} (size {size:.1e})");
    }
}
