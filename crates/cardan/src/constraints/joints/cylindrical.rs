//! Cylindrical: a shaft in a sleeve: origin of i on the z axis of j, parallel z axes.

use super::super::coupler::Coordinate;
use super::super::{Axes, Row, primitives};
use super::JointType;

/// Translation along and rotation about z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylindrical;

impl JointType for Cylindrical {
    fn name(&self) -> &'static str {
        "cylindrical"
    }
    fn summary(&self) -> &'static str {
        "translation along and rotation about z"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        [primitives::in_line(axes), primitives::parallel_axes(axes)].concat()
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Translation, Coordinate::Rotation]
    }
}
