//! Why a simulation did not reach its end.

use super::assembly_error::AssemblyError;
use super::hints::Steps;
use super::statics::StaticsError;
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
    /// No equilibrium was found to start from.
    #[error("the run was to start at rest: {0}")]
    Equilibrium(#[from] StaticsError),
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
    #[error("the step of {h:.3e} s from t = {t} s failed: {error}; {}", error.hints(*steps)[0])]
    Step {
        /// Start of the step.
        t: f64,
        /// Its size.
        h: f64,
        /// Why.
        error: StepError,
        /// How the step was chosen.
        steps: Steps,
        /// What was recorded before.
        results: Box<Results>,
    },
    /// The error test cannot be met with any step size.
    #[error(
        "at t = {t} s the tolerance cannot be met even with a step of {h:.3e} s{}: look for a jump in a force or motion there \
         or a dead centre, or loosen the tolerance",
        at.as_ref().map_or(String::new(), |(body, balance)| format!(", the largest error is in the {balance} of '{body}'"))
    )]
    TooSmall {
        /// When.
        t: f64,
        /// The step.
        h: f64,
        /// Body and equation with the largest error.
        at: Option<(String, String)>,
        /// What was recorded before.
        results: Box<Results>,
    },
    /// Energy has come out of nothing.
    #[error(
        "at t = {t} s the mechanism has {gained:.3e} J that no motion, load or spring has given it, of {throughput:.3e} J in all: the steps \
         do not follow the motion any more, and what was computed before may be wrong too; {}", super::hints::runaway(*steps)[0]
    )]
    Energy {
        /// When.
        t: f64,
        /// How much, J.
        gained: f64,
        /// The largest of kinetic energy, range of potential energy, work and dissipated energy until then, J.
        throughput: f64,
        /// How steps were chosen.
        steps: Steps,
        /// What was recorded before.
        results: Box<Results>,
    },
    /// Energy has vanished.
    #[error(
        "at t = {t} s {lost:.3e} J of {throughput:.3e} J in all are gone that no damper, load or motion has taken: the errors of the steps have \
         damped the motion away, and what was computed before may be wrong too; tighten the tolerance by a factor of a hundred"
    )]
    EnergyLost {
        /// When.
        t: f64,
        /// How much, J.
        lost: f64,
        /// The largest of kinetic energy, range of potential energy, work and dissipated energy until then, J.
        throughput: f64,
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
            SimulationError::Settings(_) | SimulationError::Assembly(_) | SimulationError::Equilibrium(_) => None,
            SimulationError::Start { results, .. }
            | SimulationError::Step { results, .. }
            | SimulationError::TooSmall { results, .. }
            | SimulationError::Energy { results, .. }
            | SimulationError::EnergyLost { results, .. }
            | SimulationError::Accumulation { results, .. } => Some(results),
        }
    }

    /// When the run failed, s.
    pub fn time(&self) -> Option<f64> {
        match self {
            SimulationError::Settings(_) | SimulationError::Assembly(_) | SimulationError::Equilibrium(_) => None,
            SimulationError::Start { t, .. }
            | SimulationError::Step { t, .. }
            | SimulationError::TooSmall { t, .. }
            | SimulationError::Energy { t, .. }
            | SimulationError::EnergyLost { t, .. }
            | SimulationError::Accumulation { t, .. } => Some(*t),
        }
    }

    /// The step that failed, s.
    pub fn step(&self) -> Option<f64> {
        match self {
            SimulationError::Step { h, .. } | SimulationError::TooSmall { h, .. } => Some(*h),
            _ => None,
        }
    }

    /// The element with the largest residual (or error) in the last attempt, and its equation.
    pub fn culprit(&self) -> Option<(&str, &str)> {
        match self {
            SimulationError::Step { error: StepError::NotConverged { element, equation, .. }, .. } => Some((element, equation)),
            SimulationError::Step { error: StepError::Violated { element, direction, .. }, .. } => Some((element, direction)),
            SimulationError::TooSmall { at: Some((body, balance)), .. } => Some((body, balance)),
            _ => None,
        }
    }
}

/// A failure before the results are attached.
pub(super) enum Failure {
    /// At which time, why.
    Start(f64, KktError),
    /// From which time, with which step, why; how the step was chosen.
    Step(f64, f64, StepError, Steps),
    /// At which time, which step, where.
    TooSmall(f64, f64, Option<(String, String)>),
    /// At which time, how much came out of nothing (less than nothing: is gone), of how much; how steps were chosen.
    Energy(f64, [f64; 2], Steps),
    /// At which time, which event.
    Accumulation(f64, String),
}

impl Failure {
    pub(super) fn with(self, results: Results) -> SimulationError {
        let results = Box::new(results);
        match self {
            Failure::Start(t, error) => SimulationError::Start { t, error, results },
            Failure::Step(t, h, error, steps) => SimulationError::Step { t, h, error, steps, results },
            Failure::TooSmall(t, h, at) => SimulationError::TooSmall { t, h, at, results },
            Failure::Energy(t, [missing, throughput], _) if missing < 0.0 => {
                SimulationError::EnergyLost { t, lost: -missing, throughput, results }
            }
            Failure::Energy(t, [gained, throughput], steps) => SimulationError::Energy { t, gained, throughput, steps, results },
            Failure::Accumulation(t, event) => SimulationError::Accumulation { event, t, results },
        }
    }
}
