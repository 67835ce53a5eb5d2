//! FixedAngle: the rotation of i about z_j stays at an angle (turns counted); meaningful where the z axes are parallel.

use super::JointType;
use super::super::{Axes, Row, primitives};

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
}
