//! Why a step could not be completed: the element and the equation behind a failure.

use crate::linear::LinearError;
use crate::system::{Evaluated, KktError, System, WHOLE};
use thiserror::Error;

/// A step of a method that integrates increments of attitudes fails where a body would turn further, rad: a little less than half a turn.
pub(crate) const TOO_FAR: f64 = 3.0;

/// Why a step could not be completed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StepError {
    /// Newton's method did not converge.
    #[error("Newton's method did not converge; the largest residual is in {equation} of '{element}' ({residual:.3e})")]
    NotConverged {
        /// Body, constraint or differential state.
        element: String,
        /// The equation.
        equation: String,
        /// Its residual.
        residual: f64,
    },
    /// The step would tear the mechanism apart.
    #[error(
        "the step ends with '{element}' ({direction}) off by {position:.3e} and its velocity by {velocity:.3e}: \
         a singular configuration, where constraints block the same motion?"
    )]
    Violated {
        /// The constraint.
        element: String,
        /// Its direction.
        direction: String,
        /// Φ of the row.
        position: f64,
        /// Its rate.
        velocity: f64,
    },
    /// The Newton matrix is singular.
    #[error("the Newton matrix is singular near '{element}': constraints that block the same motion, or a singular configuration")]
    Singular {
        /// Body or constraint.
        element: String,
    },
    /// An equation does not determine what it should.
    #[error("{reason}")]
    Undetermined {
        /// Which, and why.
        reason: String,
    },
    /// A body turns further in a step than the method can follow.
    #[error("body '{body}' turns by {turn:.2} rad in one step, more than the {TOO_FAR} rad that this method can follow")]
    TurnsTooFar {
        /// The body.
        body: String,
        /// By how much, rad.
        turn: f64,
    },
    /// The turns of a body cannot be counted over the step.
    #[error(
        "the rotation of body '{body}' in one step differs by {by:.2} rad from what its speeds before and after make of it: turns could be miscounted"
    )]
    TurnsLost {
        /// The body.
        body: String,
        /// By how much, rad.
        by: f64,
    },
    /// A prescribed position jumps, which no motion can follow.
    #[error("the position that '{constraint}' prescribes jumps by {by:.3e} (m or rad): no motion can follow it")]
    Jumps {
        /// The motion or constraint.
        constraint: String,
        /// By how much.
        by: f64,
    },
    /// The motion is too fast for the step of a method that does not choose it.
    #[error("the motion is too fast for steps of {h} s: {what}; steps of {step:.1e} s may do")]
    TooFast {
        /// Body or constraint.
        element: String,
        /// What went too far.
        what: String,
        /// The step, s.
        h: f64,
        /// One that may do, s.
        step: f64,
    },
    /// An element gave NaN or infinity.
    #[error("{fault}")]
    NotFinite {
        /// Which element, and why.
        fault: String,
    },
}

impl From<KktError> for StepError {
    fn from(error: KktError) -> Self {
        match error {
            KktError::Singular { element } => Self::Singular { element },
            KktError::Undetermined { reason } => Self::Undetermined { reason },
            KktError::NotFinite { fault } => Self::NotFinite { fault },
            KktError::NotConverged { element, direction, residual } => {
                Self::NotConverged { element, equation: format!("the constraint '{direction}'"), residual }
            }
        }
    }
}

/// The element behind a failed factorisation or solve.
pub(crate) fn name(at: &mut Evaluated, error: LinearError) -> StepError {
    match error {
        LinearError::Singular { block } => match at.undetermined() {
            Some(reason) => StepError::Undetermined { reason },
            None => StepError::Singular { element: at.system().block_name(block).into() },
        },
        LinearError::NotFinite | LinearError::NotFactored => match at.find_non_finite() {
            Some(fault) => StepError::NotFinite { fault },
            None => StepError::Singular { element: WHOLE.into() },
        },
    }
}

/// The element behind a residual that is not finite; where the state itself is not, the iteration has run away.
pub(crate) fn not_finite(at: &mut Evaluated) -> StepError {
    match at.find_non_finite() {
        Some(fault) if at.state().is_finite() => StepError::NotFinite { fault },
        _ => StepError::NotConverged { element: WHOLE.into(), equation: "the equations".into(), residual: f64::INFINITY },
    }
}

/// The equation with the largest residual. Constraint rows are compared as accelerations, divided by `c_q`, dynamics as they are.
pub(crate) fn worst(system: &System, c_q: f64, rhs: &[f64]) -> StepError {
    let nv = system.nv();
    let worst = (0..rhs.len()).max_by(|a, b| rhs[*a].abs().total_cmp(&rhs[*b].abs())).unwrap_or(0);
    let residual = rhs[worst].abs();
    if worst >= nv + system.rows() {
        let (element, equation) = system.row_name(worst - nv);
        return StepError::NotConverged { element, equation: format!("the {equation}"), residual };
    }
    if worst >= nv {
        let (element, direction) = system.row_name(worst - nv);
        return StepError::NotConverged { element, equation: format!("the constraint '{direction}'"), residual: residual * c_q };
    }
    let (element, balance) = system.balance_name(worst);
    StepError::NotConverged { element, equation: format!("the {balance}"), residual }
}
