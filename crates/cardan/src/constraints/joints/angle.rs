//! FixedAngle: the rotation of i about z_j stays at an angle (turns counted); meaningful where the z axes are parallel.

use super::super::{Axes, Row, primitives};
use super::{JointParameter, JointType};
use crate::measures::Measure;
use crate::units::Dimension;
use std::sync::Arc;

/// Rotation about z held at an angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedAngle {
    /// Angle, rad.
    pub angle: f64,
}

impl JointType for FixedAngle {
    fn name(&self) -> &'static str {
        "angle"
    }
    fn summary(&self) -> &'static str {
        "rotation about z held at an angle"
    }
    fn rows(&self, _: &Axes) -> Vec<Row> {
        primitives::angle(self.angle)
    }
    fn parameter(&self) -> Option<JointParameter> {
        let (value, dimension) = (self.angle, Dimension::ANGLE);
        Some(JointParameter { name: "angle", summary: "angle about z", dimension, value, as_placed: Some(Measure::angle()) })
    }
    fn with_parameter(&self, angle: f64) -> Option<Arc<dyn JointType>> {
        Some(Arc::new(Self { angle }))
    }
}
