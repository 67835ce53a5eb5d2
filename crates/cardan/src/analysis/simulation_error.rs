//! Why a simulation did not reach its end.

use super::assembly_error::AssemblyError;
use crate::integrators::StepError;
use crate::results::Results;
use crate::system::KktError;
use thiserror::Error;

/// A failed simulation. Errors during the run carry everything recorded up to the failure.
#[derive(Debug, Error)]
pub enum SimulationError {
    /// Method parameters, tolerance, step or end time make no sense.
    #[error("{0}")]
    Settings(String),
    /// No consistent start was found.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// The start, or the restart after an event, failed.
    #[error("the run could not start at t = {t} s: {error}")]
    Start {
        /// When.
        t: f64,
        /// Why.
        error: KktError,
        /// What was recorded before.
        results: Box<Results>,
    },
    /// A step could not be completed.
    #[error("the step of {h:.3e} s from t = {t} s failed: {error}. {advice}")]
    Step {
        /// Start of the step.
        t: f64,
        /// Its size.
        h: f64,
        /// Why.
        error: StepError,
        /// What to try.
        advice: &'static str,
        /// What was recorded before.
        results: Box<Results>,
    },
    /// The error test cannot be met with any step size.
    #[error(
        "at t = {t} s the tolerance cannot be met even with a step of {h:.3e} s: look for a jump in a force or motion there, \
         or loosen the tolerance"
    )]
    TooSmall {
        /// When.
        t: f64,
        /// The step.
        h: f64,
        /// What was recorded before.
        results: Box<Results>,
    },
    /// An event happens again and again in no time.
    #[error(
        "event '{event}' happens again and again at t = {t} s, its times accumulate: a bouncing body that comes to rest? End the run or \
         hold the body there when it is slow enough"
    )]
    Accumulation {
        /// The event.
        event: String,
        /// When.
        t: f64,
        /// What was recorded before.
        results: Box<Results>,
    },
}

impl SimulationError {
    /// What was recorded before the failure.
    pub fn results(&self) -> Option<&Results> {
        match self {
            SimulationError::Settings(_) | SimulationError::Assembly(_) => None,
            SimulationError::Start { results, .. }
            | SimulationError::Step { results, .. }
            | SimulationError::TooSmall { results, .. }
            | SimulationError::Accumulation { results, .. } => Some(results),
        }
    }
}

/// The most useful thing to try after a failed step.
fn advice(error: &StepError, fixed: bool) -> &'static str {
    match error {
        StepError::NotFinite { .. } => "Check that function: a division by zero, a root or logarithm of a negative number?",
        StepError::Singular { .. } => "Check for redundant joints there, or a mechanism that passes a dead centre.",
        StepError::NotConverged { .. } if fixed => {
            "Try a smaller step or error control; if the mechanism is at a dead centre there, start or drive it a little differently."
        }
        StepError::NotConverged { .. } => "Look for a jump in a force or a mechanism at a dead centre there.",
    }
}

/// A failure before the results are attached.
pub(super) enum Failure {
    /// At which time, why.
    Start(f64, KktError),
    /// From which time, with which step, why; whether the step could not be made smaller.
    Step(f64, f64, StepError, bool),
    /// At which time, which step.
    TooSmall(f64, f64),
    /// At which time, which event.
    Accumulation(f64, String),
}

impl Failure {
    pub(super) fn with(self, results: Results) -> SimulationError {
        let results = Box::new(results);
        match self {
            Failure::Start(t, error) => SimulationError::Start { t, error, results },
            Failure::Step(t, h, error, fixed) => {
                let advice = advice(&error, fixed);
                SimulationError::Step { t, h, error, advice, results }
            }
            Failure::TooSmall(t, h) => SimulationError::TooSmall { t, h, results },
            Failure::Accumulation(t, event) => SimulationError::Accumulation { event, t, results },
        }
    }
}
