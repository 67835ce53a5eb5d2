//! Functions of time, written once and differentiated by dual numbers.

use crate::expr::{Program, Scratch};
use crate::math::Dual;
use std::sync::Arc;

#[derive(Clone)]
enum Law {
    Closure(Arc<dyn Fn(Dual) -> Dual + Send + Sync>),
    /// The program is there once the model is compiled.
    Text(String, Option<Arc<Program>>),
}

/// A function of time: a closure over dual numbers or an expression, so that its rate and acceleration are exact.
#[derive(Clone)]
pub struct TimeFunction(Law);

impl TimeFunction {
    /// Wraps a closure, e.g. `TimeFunction::new(|t| (t * 3.0).sin())`.
    pub fn new(f: impl Fn(Dual) -> Dual + Send + Sync + 'static) -> Self {
        Self(Law::Closure(Arc::new(f)))
    }

    /// An expression of TIME, parameters, splines and variables of these, e.g. `"STEP(TIME, 0, 0, 1, 30 deg)"`.
    pub fn expression(text: impl Into<String>) -> Self {
        Self(Law::Text(text.into(), None))
    }

    /// Always this value.
    pub fn constant(value: f64) -> Self {
        Self::new(move |_| Dual::constant(value))
    }

    /// The text of an expression; `None` for a closure.
    pub fn text(&self) -> Option<&str> {
        match &self.0 {
            Law::Closure(_) => None,
            Law::Text(text, _) => Some(text),
        }
    }

    /// The expression with its program.
    pub(crate) fn compiled(text: &str, program: Program) -> Self {
        Self(Law::Text(text.into(), Some(Arc::new(program))))
    }

    /// The program of a compiled expression.
    pub(crate) fn program(&self) -> Option<&Program> {
        match &self.0 {
            Law::Text(_, program) => program.as_deref(),
            Law::Closure(_) => None,
        }
    }

    /// Value, first and second derivative at time `t`. An expression has them once its model is compiled, until then they are
    /// not numbers.
    pub fn derivatives(&self, t: f64, scratch: &mut Scratch) -> [f64; 3] {
        let time = Dual::seeded(t, 1.0, 1.0);
        let y = match &self.0 {
            Law::Closure(f) => f(time),
            Law::Text(_, Some(program)) => program.dual(&[time][..program.inputs().len()], scratch),
            Law::Text(_, None) => Dual::constant(f64::NAN),
        };
        [y.v, y.e1, y.e12]
    }

    /// The third derivative from `t` on: a difference of second ones, which are the highest that dual numbers have. It looks ahead, since
    /// steps do.
    pub fn third_derivative(&self, t: f64, scratch: &mut Scratch) -> f64 {
        let h = 1e-5 * (1.0 + t.abs());
        let [a, b, c] = [1.0, 2.0, 3.0].map(|k| self.derivatives(t + k * h, scratch)[2]);
        (-5.0 * a + 8.0 * b - 3.0 * c) / (2.0 * h)
    }
}

impl std::fmt::Debug for TimeFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TimeFunction({})", self.text().unwrap_or("closure"))
    }
}

impl From<f64> for TimeFunction {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}
