//! Stability of methods, from their steps: against the formulas of their amplification matrices.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::amplification;
use cardan::integrators::{LocalLinearization, Method, all};
use cardan::prelude::*;
use std::sync::Arc;

fn radius(method: impl Method + 'static, real: f64, imaginary: f64) -> f64 {
    amplification(&(Arc::new(method) as Arc<dyn Method>), real, imaginary).unwrap()
}

#[test]
fn local_linearization_has_the_radius_of_the_solution() {
    for (real, imaginary) in [(0.0, 1.0), (0.0, 30.0), (-1.0, 2.0), (-3.0, 0.5), (0.4, 1.5)] {
        let (own, exact) = (radius(LocalLinearization::default(), real, imaginary), f64::exp(real));
        assert!((own - exact).abs() < 1e-8 * (1.0 + exact), "{real} + {imaginary} i: {own} instead of {exact}");
    }
}

#[test]
fn the_trapezoidal_rule_neither_damps_nor_grows() {
    for omega in [0.1, 1.0, 3.0, 50.0] {
        let own = radius(Newmark::default(), 0.0, omega);
        assert!((own - 1.0).abs() < 1e-8, "ωh = {omega}: {own}");
    }
    // Its amplification of a damped oscillator is |(2 + ξ)/(2 − ξ)|.
    let (own, exact) = (radius(Newmark::default(), -1.0, 2.0), (1.0_f64 + 4.0).sqrt() / (9.0_f64 + 4.0).sqrt());
    assert!((own - exact).abs() < 1e-8, "{own} instead of {exact}");
}

#[test]
fn high_frequencies_are_damped_as_parameters_say() {
    for rho in [0.2, 0.5, 0.8] {
        let own = radius(GeneralizedAlpha::new(rho), 0.0, 1e4);
        assert!((own - rho).abs() < 5e-3, "generalized-α {rho}: {own}");
    }
    for alpha in [-0.3, -0.1] {
        let own = radius(Hht { alpha }, 0.0, 1e5);
        assert!((own - hht_at_infinity(alpha)).abs() < 1e-3, "HHT {alpha}: {own} instead of {}", hht_at_infinity(alpha));
    }
}

/// ρ_∞ of HHT, with γ = ½ − α and β = (1 − α)²/4.
fn hht_at_infinity(alpha: f64) -> f64 {
    let (gamma, beta) = (0.5 - alpha, 0.25 * (1.0 - alpha).powi(2));
    // q_{n+1} (1 + α) = α q_n: one root α/(1 + α); the others from q = 0, so that β u₁ + (½ − β) u₀ + v₀ = 0 in units of h.
    // u₁ = −(v₀ + (½ − β) u₀)/β, v₁ = v₀ + (1 − γ) u₀ + γ u₁.
    let matrix = nalgebra::Matrix2::new(1.0 - gamma / beta, 1.0 - gamma - gamma * (0.5 - beta) / beta, -1.0 / beta, -(0.5 - beta) / beta);
    let own = matrix.complex_eigenvalues().iter().map(|z| z.norm()).fold(0.0, f64::max);
    own.max((alpha / (1.0 + alpha)).abs())
}

/// Explicit Euler multiplies by |1 + ξ|: nothing undamped is stable.
#[test]
fn explicit_euler_is_unstable_without_damping() {
    let methods = all();
    let euler = methods.iter().find(|m| m.name() == "euler-explicit").unwrap();
    for (real, imaginary) in [(0.0, 0.5), (-1.0, 0.7), (-2.5, 0.1)] {
        let (own, exact) = (amplification(euler, real, imaginary).unwrap(), f64::hypot(1.0 + real, imaginary));
        assert!((own - exact).abs() < 1e-6, "{real} + {imaginary} i: {own} instead of {exact}");
    }
}

#[test]
fn every_method_is_stable_where_steps_are_small() {
    for method in all() {
        let own = amplification(&method, -0.05, 0.1).unwrap();
        assert!(own < 1.0 && own > 0.9, "{}: {own}", method.name());
    }
}
