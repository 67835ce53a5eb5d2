//! Functions of time, written once and differentiated by dual numbers.

use crate::math::Dual;
use std::sync::Arc;

/// A function of time given as a closure over dual numbers, so that its rate and acceleration are exact.
#[derive(Clone)]
pub struct TimeFunction(Arc<dyn Fn(Dual) -> Dual + Send + Sync>);

impl TimeFunction {
    /// Wraps a closure, e.g. `TimeFunction::new(|t| (t * 3.0).sin())`.
    pub fn new(f: impl Fn(Dual) -> Dual + Send + Sync + 'static) -> Self {
        Self(Arc::new(f))
    }

    /// Always this value.
    pub fn constant(value: f64) -> Self {
        Self::new(move |_| Dual::constant(value))
    }

    /// Value, first and second derivative at time `t`.
    pub fn derivatives(&self, t: f64) -> [f64; 3] {
        let y = (self.0)(Dual::seeded(t, 1.0, 1.0));
        [y.v, y.e1, y.e12]
    }
}

impl std::fmt::Debug for TimeFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TimeFunction")
    }
}

impl From<f64> for TimeFunction {
    fn from(value: f64) -> Self {
        Self::constant(value)
    }
}
