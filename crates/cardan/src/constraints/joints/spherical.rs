//! Spherical: a ball joint: coincident origins.

use super::super::{Axes, Row, primitives};
use super::JointType;

/// Ball joint: all rotations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spherical;

impl JointType for Spherical {
    fn name(&self) -> &'static str {
        "spherical"
    }
    fn summary(&self) -> &'static str {
        "ball joint: all rotations"
    }
    fn rows(&self, _: &Axes) -> Vec<Row> {
        primitives::coincident()
    }
}
