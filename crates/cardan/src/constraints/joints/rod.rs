//! Rod: a massless rod with spherical ends: (|d|² − L²)/(2L) = 0, so that λ is the force in the rod, pressure negative.

use super::super::{Axes, Row, primitives};
use super::{JointParameter, JointType};
use crate::measures::Measure;
use crate::units::Dimension;
use std::sync::Arc;

/// Massless rod: constant distance of the origins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rod {
    /// Length, m.
    pub length: f64,
}

impl JointType for Rod {
    fn name(&self) -> &'static str {
        "rod"
    }
    fn summary(&self) -> &'static str {
        "massless rod: constant distance of the origins"
    }
    fn rows(&self, _: &Axes) -> Vec<Row> {
        primitives::distance(self.length)
    }
    fn parameter(&self) -> Option<JointParameter> {
        let (value, dimension) = (self.length, Dimension::LENGTH);
        Some(JointParameter { name: "length", summary: "length", dimension, value, as_placed: Some(Measure::Distance) })
    }
    fn with_parameter(&self, length: f64) -> Option<Arc<dyn JointType>> {
        Some(Arc::new(Self { length }))
    }
    fn mistake(&self) -> Option<String> {
        (self.length.is_nan() || self.length <= 0.0).then(|| format!("the length must be positive, it is {} m", self.length))
    }
}
