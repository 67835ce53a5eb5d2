//! The generalized-α method in its acceleration-level form (Algorithm 1): the equations of motion hold at t_{n+1}, and u follows
//!
//! ```text
//! (1 − α_m) u_{n+1} + α_m u_n = (1 − α_f) a_{n+1} + α_f a_n                                             (5)
//! α_m = (2ρ − 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = ½ + α_f − α_m,   β = (γ + ½)²/4                      (10, 12)
//! ```
//!
//! with ρ ∈ [0, 1] the spectral radius at infinite frequency. u_n stands for the acceleration at t_n + (α_m − α_f) h, which
//! makes the local error in q (β + (α_m − α_f)/2 − 1/6) h² (u_{n+1} − u_n). When the step changes by s = h_n/h_{n−1}, order
//! 2 asks for γ*_n = 1 − α_m − γ_n with
//!
//! ```text
//! γ*_n = s (1 − α_m)(½ − α_f) γ*_{n−1} / ((α_f + s (1 − α_f)) γ*_{n−1} − α_m (½ − α_f))                 (29)
//! ```
//!
//! Differential states have the same formulas with parameters of their own in place of α_m, α_f, γ,
//!
//! ```text
//! (1 − δ_m) w_{n+1} + δ_m w_n = (1 − δ_f) ẋ_{n+1} + δ_f ẋ_n                                             (6)
//! δ_m = ½ (3ρ − 1)/(ρ + 1),   δ_f = ρ/(ρ + 1),   θ = ½ + δ_f − δ_m, after changes of step as γ          (11, 13)
//! ```
//!
//! and a ρ of their own where it is asked for: a stiff controller may need more damping than the mechanics.
//!
//! Reference: Brüls, Arnold, doi:10.1115/1.2960475; equation numbers are the paper's.

use super::implicit::Implicit;
use super::one_step::OneStep;
use super::{Advance, Method, NewmarkType, Options, Parameter, Scheme, StateScheme, StepRatio};
use crate::system::System;
use std::sync::Arc;

/// The generalized-α method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneralizedAlpha {
    /// ρ_∞ ∈ [0, 1]: 1 without damping, 0 annihilates the highest frequencies at once.
    pub rho: f64,
    /// The same for differential states; `None`: as for the motion.
    pub rho_states: Option<f64>,
}

/// γ* may wander this factor away from its value for equal steps before it is set back.
const WANDER: f64 = 8.0;
/// So close to that value it is taken to be there: after equal steps only round-off is left.
const SETTLED: f64 = 1e-14;

impl GeneralizedAlpha {
    /// With this ρ_∞ for motion and differential states.
    pub fn new(rho: f64) -> Self {
        Self { rho, rho_states: None }
    }

    /// α_m and α_f.
    fn alphas(&self) -> (f64, f64) {
        ((2.0 * self.rho - 1.0) / (self.rho + 1.0), self.rho / (self.rho + 1.0))
    }

    /// γ for equal steps (10).
    fn nominal_gamma(&self) -> f64 {
        let (m, f) = self.alphas();
        0.5 + f - m
    }

    /// δ_m and δ_f (13).
    fn deltas(&self) -> (f64, f64) {
        let rho = self.rho_states.unwrap_or(self.rho);
        (0.5 * (3.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0))
    }
}

/// γ_n after a change of step (29).
fn updated((m, f): (f64, f64), ratio: f64, previous: Option<f64>) -> f64 {
    let (nominal, half) = (0.5 + f - m, 0.5 - f);
    let Some(previous) = previous.filter(|_| half.abs() >= 1e-12) else { return nominal };
    let star = 1.0 - m - previous;
    let next = ratio * (1.0 - m) * half * star / ((f + ratio * (1.0 - f)) * star - m * half);
    let wandered = next / half;
    let has_settled = (wandered - 1.0).abs() < SETTLED;
    if (1.0 / WANDER..=WANDER).contains(&wandered) && !has_settled { 1.0 - m - next } else { nominal }
}

impl Default for GeneralizedAlpha {
    /// ρ_∞ = 0.8.
    fn default() -> Self {
        Self::new(0.8)
    }
}

impl NewmarkType for GeneralizedAlpha {
    fn scheme(&self, step: StepRatio) -> Scheme {
        let ((m, f), (dm, df)) = (self.alphas(), self.deltas());
        let states = StateScheme {
            theta: updated((dm, df), step.ratio, step.previous.map(|p| p[1])),
            rate: (1.0 - dm) / (1.0 - df),
            of_auxiliary: dm / (1.0 - df),
            of_rate: -df / (1.0 - df),
        };
        Scheme {
            beta: 0.25 * (self.nominal_gamma() + 0.5).powi(2),
            gamma: updated((m, f), step.ratio, step.previous.map(|p| p[0])),
            acceleration: (1.0 - m) / (1.0 - f),
            of_auxiliary: m / (1.0 - f),
            of_acceleration: -f / (1.0 - f),
            states,
        }
    }
    fn error_constant(&self) -> f64 {
        0.25 * (self.nominal_gamma() + 0.5).powi(2) + 0.5 * self.offset() - 1.0 / 6.0
    }
    fn offset(&self) -> f64 {
        let (m, f) = self.alphas();
        m - f
    }
}

/// The generalized-α method with γ and θ of equal steps also where steps change: of order 1 then. For comparison only.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct UncorrectedGeneralizedAlpha(pub GeneralizedAlpha);

impl NewmarkType for UncorrectedGeneralizedAlpha {
    fn scheme(&self, _: StepRatio) -> Scheme {
        self.0.scheme(StepRatio::FIRST)
    }
    fn error_constant(&self) -> f64 {
        self.0.error_constant()
    }
    fn offset(&self) -> f64 {
        self.0.offset()
    }
}

impl Method for UncorrectedGeneralizedAlpha {
    fn name(&self) -> &'static str {
        "gen-alpha-uncorrected"
    }
    fn summary(&self) -> &'static str {
        "generalized-α without its correction for changes of the step"
    }
    fn order(&self) -> usize {
        1
    }
    fn at_work(&self, system: &System, options: &Options) -> Box<dyn Advance> {
        Box::new(Implicit::new(system, options, OneStep::new(*self, system)))
    }
    fn undamped(&self) -> bool {
        self.0.undamped()
    }
    fn with(&self, _: &str, _: Parameter) -> Option<Arc<dyn Method>> {
        None
    }
    fn mistake(&self) -> Option<String> {
        self.0.mistake()
    }
}

impl Method for GeneralizedAlpha {
    fn name(&self) -> &'static str {
        "gen-alpha"
    }
    fn summary(&self) -> &'static str {
        "generalized-α: order 2 also in accelerations, damping by ρ_∞ ∈ [0, 1]"
    }
    fn order(&self) -> usize {
        2
    }
    fn at_work(&self, system: &System, options: &Options) -> Box<dyn Advance> {
        Box::new(Implicit::new(system, options, OneStep::new(*self, system)))
    }
    fn damping(&self) -> String {
        if self.undamped() { "none".into() } else { "by rho".into() }
    }
    fn undamped(&self) -> bool {
        self.rho == 1.0
    }
    fn with(&self, parameter: &str, value: Parameter) -> Option<Arc<dyn Method>> {
        let value = value.number()?;
        match parameter {
            "rho" => Some(Arc::new(Self { rho: value, ..*self })),
            "rho_states" => Some(Arc::new(Self { rho_states: Some(value), ..*self })),
            _ => None,
        }
    }
    fn mistake(&self) -> Option<String> {
        let wrong = [Some(self.rho), self.rho_states].into_iter().flatten().find(|rho| !(0.0..=1.0).contains(rho))?;
        Some(format!("generalized-α needs 0 ≤ ρ_∞ ≤ 1, it is {wrong}"))
    }
}
