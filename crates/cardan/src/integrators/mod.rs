//! Time integration: one file a method; the step control and the start exist once, and so do predictor and corrector (`newton`).
//!
//! A method at work is an [`Advance`]: it gets from one state to the next. The implicit ones (`implicit`) write the state at t_{n+1} as a
//! function of one acceleration-like unknown u (`newton/step`), and ask for the equations of motion and the constraints there. What tells them
//! apart is what they know before the step ([`Formula`]): the Newmark family needs one step back and the numbers of a [`Scheme`]
//! (`one_step`), backward differentiation formulas several. Differential states are integrated as velocities are, with an unknown w
//! beside u (see `states`).

mod acceptance;
mod advance;
mod bdf;
mod bdf_history;
mod chart;
mod course;
mod dormand_prince;
mod euler;
mod extents;
mod formula;
mod generalized_alpha;
mod hht;
mod implicit;
mod local_linearization;
mod newmark;
mod one_step;
mod operations;
mod radau;
mod speeds;
mod start;
mod states;
mod step_control;
mod stepper;
mod turns;

pub use advance::{Advance, Estimate, Site, Sizes};
pub use bdf::Bdf;
pub use dormand_prince::DormandPrince;
pub use euler::{Constraints, EulerSettings, ExplicitEuler, HalfExplicitEuler, Jacobian, LinearImplicitEuler, ProjectionMatrix, Watch};
pub use formula::Formula;
pub use generalized_alpha::{GeneralizedAlpha, UncorrectedGeneralizedAlpha};
pub use hht::Hht;
pub use local_linearization::{ErrorPer, LocalLinearization, Projection};
pub use newmark::Newmark;
pub use operations::Operations;
pub use radau::Radau;
pub(crate) use speeds::Speeds;
pub use start::Change;
pub use states::StateScheme;
pub use step_control::{Law, StepControl};
pub use stepper::{Statistics, Stepper};

pub use crate::newton::{Coefficients, Formulation, Iterations, Known, Norm, Options, Point, Startup, StepError};

use crate::system::System;
use std::fmt::Debug;
use std::sync::Arc;

/// The numbers of one step of the Newmark family (equation 1 of `one_step`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scheme {
    /// β.
    pub beta: f64,
    /// γ.
    pub gamma: f64,
    /// c_a = ∂a/∂u.
    pub acceleration: f64,
    /// â = `of_auxiliary` u_n + `of_acceleration` a_n.
    pub of_auxiliary: f64,
    /// See `of_auxiliary`.
    pub of_acceleration: f64,
    /// The numbers of differential states.
    pub states: StateScheme,
}

impl Scheme {
    /// The numbers of velocities, written as those of differential states: v is to u what x is to w.
    pub fn velocities(&self) -> StateScheme {
        let Self { gamma, acceleration, of_auxiliary, of_acceleration, .. } = *self;
        StateScheme { theta: gamma, rate: acceleration, of_auxiliary, of_rate: of_acceleration }
    }
}

/// What a method knows about the step it is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepRatio {
    /// s = h_n / h_{n−1}; 1 for the first step.
    pub ratio: f64,
    /// γ of the previous step, and θ of differential states; `None` for the first.
    pub previous: Option<[f64; 2]>,
}

impl StepRatio {
    /// The first step, or steps of equal size.
    pub const FIRST: StepRatio = StepRatio { ratio: 1.0, previous: None };
}

/// The value of a parameter of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Parameter<'a> {
    /// A number.
    Number(f64),
    /// A choice by name.
    Word(&'a str),
}

impl Parameter<'_> {
    /// The number, if it is one.
    pub fn number(self) -> Option<f64> {
        if let Self::Number(value) = self { Some(value) } else { None }
    }
}

/// What a method solves in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solves {
    /// Nonlinear equations, by Newton's method: implicit methods.
    Newton,
    /// Linear equations with the matrix of Newton's method, once or a given number of times: linearly implicit methods.
    Linear,
    /// Accelerations only: explicit methods.
    Accelerations,
}

impl Solves {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Newton => "implicit",
            Self::Linear => "linearly implicit",
            Self::Accelerations => "explicit",
        }
    }
}

/// A method, as users choose it.
pub trait Method: Debug + Send + Sync {
    /// Name in files, on the command line and in tables.
    fn name(&self) -> &'static str;
    /// One line for reference tables.
    fn summary(&self) -> &'static str;
    /// Order of convergence in q and v.
    fn order(&self) -> usize;
    /// The method at work on a system.
    fn at_work(&self, system: &System, options: &Options) -> Box<dyn Advance>;
    /// The forms of the constraints that it can solve, the best first.
    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index3, Formulation::Index2]
    }
    /// What it solves in a step.
    fn solves(&self) -> Solves {
        Solves::Newton
    }
    /// How high frequencies are damped, in words.
    fn damping(&self) -> String {
        if self.undamped() { "none" } else { "some" }.into()
    }
    /// Whether the work of a step is known before it is made, as real time asks for.
    fn real_time(&self) -> bool {
        self.solves() != Solves::Newton && !self.adaptive()
    }
    /// Whether it estimates its error, so that steps can be chosen by a tolerance.
    fn adaptive(&self) -> bool {
        true
    }
    /// The part of the tolerance that the estimated error of one step may take, where velocities are controlled. Errors of many steps add up;
    /// methods that go on with the better one of two formulas make smaller errors than they estimate.
    ///
    /// The error at the end of a run is that of a step times their number, which for order 2 grows as the cube root of what a step may take
    /// falls: for an error at the end proportional to the tolerance ε, a step takes a part proportional to √ε. It rises again where steps of
    /// ε^(3/2) would come down to round-off, slowly enough that finer tolerances still mean smaller steps.
    fn share(&self, tolerance: f64) -> f64 {
        const FINE: f64 = 1e-7;
        let part = if tolerance < FINE { 0.02 * (FINE / tolerance).powf(0.35) } else { 60.0 * tolerance.sqrt() };
        part.clamp(0.02, 0.1)
    }
    /// How steps are chosen from estimates of the error.
    fn control(&self) -> StepControl {
        StepControl::default()
    }
    /// Whether the highest frequencies are not damped at all.
    fn undamped(&self) -> bool {
        false
    }
    /// Whether its formulas, and its estimates of the error, go through points before the last one. Such a method starts anew behind every kink,
    /// also of higher derivatives: no polynomial goes through both sides of it.
    fn looks_back(&self) -> bool {
        false
    }
    /// The operations of a step, where they are known before the run: methods for real time. `regularization` is that of the assembly.
    fn operations(&self, _system: &System, _regularization: &[f64]) -> Option<Operations> {
        None
    }
    /// The same method with one of its parameters set; `None` if it has no parameter of that name and kind.
    fn with(&self, _parameter: &str, _value: Parameter) -> Option<Arc<dyn Method>> {
        None
    }
    /// What is wrong with the parameters, if anything: the stability limits.
    fn mistake(&self) -> Option<String> {
        None
    }
}

/// What a method of the Newmark family is made of.
pub trait NewmarkType: Debug + Copy + 'static {
    /// The numbers of a step.
    fn scheme(&self, step: StepRatio) -> Scheme;
    /// C in the estimate C h² (u_{n+1} − u_n) of the local error in q.
    fn error_constant(&self) -> f64;
    /// κ: u_n stands for the acceleration at t_n + κ h.
    fn offset(&self) -> f64;
    /// Whether the start is corrected by default (see [`Startup`]).
    fn startup(&self) -> Startup {
        Startup::Corrected
    }
}

/// One example of every method: the list behind reference tables and test batteries.
pub fn all() -> Vec<Arc<dyn Method>> {
    let others: [Arc<dyn Method>; 3] = [Arc::new(Radau), Arc::new(DormandPrince), Arc::new(LocalLinearization::default())];
    implicit().into_iter().chain(others).chain(real_time()).collect()
}

/// The methods for real time, whose steps have a number of operations that is known before.
pub fn real_time() -> Vec<Arc<dyn Method>> {
    vec![Arc::new(ExplicitEuler::default()), Arc::new(HalfExplicitEuler::default()), Arc::new(LinearImplicitEuler::default())]
}

/// The methods that solve for one acceleration-like unknown.
pub fn implicit() -> Vec<Arc<dyn Method>> {
    vec![Arc::new(Newmark::default()), Arc::new(Hht::default()), Arc::new(GeneralizedAlpha::default()), Arc::new(Bdf::default())]
}
