//! Rod: a massless rod with spherical ends: (|d|² − L²)/(2L) = 0, so that λ is the force in the rod, pressure negative.

use super::JointType;
use super::super::{Axes, Row, primitives};

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
    fn mistake(&self) -> Option<String> {
        (self.length.is_nan() || self.length <= 0.0).then(|| format!("the length must be positive, it is {} m", self.length))
    }
}
