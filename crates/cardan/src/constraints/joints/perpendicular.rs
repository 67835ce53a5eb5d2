//! PerpendicularAxes: x of i stays perpendicular to y of j.

use super::super::{Axes, Row, primitives};
use super::JointType;

/// X of i stays perpendicular to y of j.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerpendicularAxes;

impl JointType for PerpendicularAxes {
    fn name(&self) -> &'static str {
        "perpendicular-axes"
    }
    fn summary(&self) -> &'static str {
        "x of i stays perpendicular to y of j"
    }
    fn rows(&self, _: &Axes) -> Vec<Row> {
        primitives::perpendicular_axes()
    }
}
