//! The Hilber–Hughes–Taylor method for the index-3 equations:
//!
//! ```text
//! 1/(1+α) (M u)_{n+1} + f_{n+1} − α/(1+α) f_n = 0,    f = Gᵀλ − Q                                       (11a)
//! γ = ½ − α,   β = (1 − α)²/4,   α ∈ [−1/3, 0]                                                          (6)
//! local error in q:  (β − 1/(6(1+α))) h² (u_{n+1} − u_n)                                                (25)
//! ```
//!
//! u_n stands for the acceleration at t_n + α h; that at t_{n+1}, which forces see, is a_{n+1} = (u_{n+1} + α a_n)/(1 + α), and
//! (11a) reads M a_{n+1} + f_{n+1} = α/(1+α) (M a_n + f_n), which is zero at the start and so at every step. When the
//! step changes by s = h_n/h_{n−1}, order 2 asks for
//!
//! ```text
//! γ_n = (½ − α/s) / (1 + α − α/s)                                                                       (*)
//! ```
//!
//! which is (29) of the generalized-α paper with α_m = 0, α_f = −α, and equals (6) for s = 1. Differential states are treated as
//! velocities are (the paper's fictitious Z with Ż = X), which damps them as (9a) with ρ > ½ does, and keeps order 2.
//! Reference: Negrut, Rampalli, Ottarsson, Sajdak, doi:10.1115/1.2389231; equation numbers are the paper's.

use super::implicit::Implicit;
use super::one_step::OneStep;
use super::{Advance, Method, NewmarkType, Options, Parameter, Scheme, StateScheme, StepRatio};
use crate::system::System;
use std::sync::Arc;

/// The Hilber–Hughes–Taylor method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hht {
    /// α ∈ [−1/3, 0]; the more negative, the more numerical damping.
    pub alpha: f64,
}

impl Default for Hht {
    /// α = −0.3.
    fn default() -> Self {
        Self { alpha: -0.3 }
    }
}

impl NewmarkType for Hht {
    fn scheme(&self, step: StepRatio) -> Scheme {
        let alpha = self.alpha;
        let back = alpha / step.ratio;
        let gamma = (0.5 - back) / (1.0 + alpha - back);
        Scheme {
            beta: 0.25 * (1.0 - alpha).powi(2),
            gamma,
            acceleration: 1.0 / (1.0 + alpha),
            of_auxiliary: 0.0,
            of_acceleration: alpha / (1.0 + alpha),
            states: StateScheme { theta: gamma, rate: 1.0 / (1.0 + alpha), of_auxiliary: 0.0, of_rate: alpha / (1.0 + alpha) },
        }
    }
    fn error_constant(&self) -> f64 {
        0.25 * (1.0 - self.alpha).powi(2) - 1.0 / (6.0 * (1.0 + self.alpha))
    }
    fn offset(&self) -> f64 {
        self.alpha
    }
}

impl Method for Hht {
    fn name(&self) -> &'static str {
        "hht"
    }
    fn summary(&self) -> &'static str {
        "Hilber–Hughes–Taylor: order 2, damping by α ∈ [−1/3, 0]"
    }
    fn order(&self) -> usize {
        2
    }
    fn at_work(&self, system: &System, options: &Options) -> Box<dyn Advance> {
        Box::new(Implicit::new(system, options, OneStep::new(*self, system)))
    }
    fn damping(&self) -> String {
        if self.undamped() { "none".into() } else { "by alpha".into() }
    }
    fn undamped(&self) -> bool {
        self.alpha == 0.0
    }
    fn with(&self, parameter: &str, value: Parameter) -> Option<Arc<dyn Method>> {
        let alpha = value.number().filter(|_| parameter == "alpha")?;
        Some(Arc::new(Self { alpha }))
    }
    fn mistake(&self) -> Option<String> {
        let stable = (-1.0 / 3.0 - 1e-12..=0.0).contains(&self.alpha);
        (!stable).then(|| format!("HHT needs −1/3 ≤ α ≤ 0 for stability and order 2, it is {}", self.alpha))
    }
}
