//! Newmark's method:  M a_{n+1} + f_{n+1} = 0 with the formulas (1) of the room, u = a.
//!
//! Stable for γ ≥ ½ and β ≥ (γ + ½)²/4 (eq. 3); of order 2 only for γ = ½, β = ¼, without numerical damping. The local
//! error in q is (β − 1/6) h² (a_{n+1} − a_n) (eq. 21). Differential states follow the formula of velocities, θ = γ.
//! Reference: Gavrea, Negrut, Potra, IMECE2005-81770; equation numbers are the paper's.

use super::implicit::Implicit;
use super::one_step::OneStep;
use super::{Advance, Method, NewmarkType, Options, Parameter, Scheme, Startup, StateScheme, StepRatio};
use crate::system::System;
use std::sync::Arc;

/// Newmark's method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Newmark {
    /// γ: ½ without damping, more with damping (and order 1).
    pub gamma: f64,
    /// β, at least (γ + ½)²/4.
    pub beta: f64,
}

impl Newmark {
    /// With this γ and the smallest stable β.
    pub fn new(gamma: f64) -> Self {
        Self { gamma, beta: 0.25 * (gamma + 0.5).powi(2) }
    }
}

impl Default for Newmark {
    /// The trapezoidal rule, γ = ½.
    fn default() -> Self {
        Self::new(0.5)
    }
}

impl NewmarkType for Newmark {
    fn scheme(&self, _: StepRatio) -> Scheme {
        Scheme {
            beta: self.beta,
            gamma: self.gamma,
            acceleration: 1.0,
            of_auxiliary: 0.0,
            of_acceleration: 0.0,
            states: StateScheme { theta: self.gamma, rate: 1.0, of_auxiliary: 0.0, of_rate: 0.0 },
        }
    }
    fn error_constant(&self) -> f64 {
        self.beta - 1.0 / 6.0
    }
    fn offset(&self) -> f64 {
        0.0
    }
    fn startup(&self) -> Startup {
        Startup::Consistent
    }
}

impl Method for Newmark {
    fn name(&self) -> &'static str {
        "newmark"
    }
    fn summary(&self) -> &'static str {
        "Newmark: order 2 without damping (γ = ½), order 1 with (γ > ½)"
    }
    fn order(&self) -> usize {
        if self.gamma == 0.5 { 2 } else { 1 }
    }
    fn at_work(&self, system: &System, options: &Options) -> Box<dyn Advance> {
        Box::new(Implicit::new(system, options, OneStep::new(*self, system)))
    }
    fn damping(&self) -> String {
        if self.undamped() { "none".into() } else { "by gamma, at the cost of order".into() }
    }
    fn undamped(&self) -> bool {
        self.gamma == 0.5
    }
    /// γ comes with the smallest stable β.
    fn with(&self, parameter: &str, value: Parameter) -> Option<Arc<dyn Method>> {
        let value = value.number()?;
        match parameter {
            "gamma" => Some(Arc::new(Self::new(value))),
            "beta" => Some(Arc::new(Self { beta: value, ..*self })),
            _ => None,
        }
    }
    fn mistake(&self) -> Option<String> {
        let least = 0.25 * (self.gamma + 0.5).powi(2);
        if !(self.gamma >= 0.5 && self.gamma.is_finite()) {
            return Some(format!("Newmark needs γ ≥ ½ for stability, it is {}", self.gamma));
        }
        let stable = self.beta >= least * (1.0 - 1e-12) && self.beta.is_finite();
        (!stable).then(|| format!("Newmark needs β ≥ (γ + ½)²/4 = {least} for stability, it is {}", self.beta))
    }
}
