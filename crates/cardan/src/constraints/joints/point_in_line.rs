//! PointInLine: origin of i on the z axis of j; rotations free.

use super::super::coupler::Coordinate;
use super::super::{Axes, Row, primitives};
use super::JointType;

/// Origin of i on the z axis of j.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointInLine;

impl JointType for PointInLine {
    fn name(&self) -> &'static str {
        "in-line"
    }
    fn summary(&self) -> &'static str {
        "origin of i on the z axis of j"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        primitives::in_line(axes)
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Translation]
    }
}
