//! Newton's method, shared by all methods that solve for one acceleration-like unknown u of a step:
//!
//! ```text
//! what u means for q, v and a, and the residual there          step
//! where u starts: extrapolated from the last steps             predictor, rules
//! corrections with a Jacobian that is kept (modified Newton)   corrector
//! corrections that go to and fro                               oscillation
//! when that ends                                               stopping
//! how long a Jacobian is kept                                  reuse
//! how a step is to be solved; why one could not be             options, step_error
//! ```

mod corrector;
mod options;
mod oscillation;
mod predictor;
mod reuse;
mod rules;
mod step;
mod step_error;
mod stopping;

pub(crate) use corrector::Corrector;
pub use options::{Formulation, Iterations, Norm, Options, Startup};
pub(crate) use predictor::Predictor;
pub(crate) use step::Step;
pub use step::{Coefficients, Known, Point};
pub use step_error::StepError;
pub(crate) use step_error::{TOO_FAR, name, not_finite, worst};
