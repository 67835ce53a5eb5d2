//! Translational: a slider: origin of i on the z axis of j, parallel axes.

use super::super::coupler::Coordinate;
use super::super::{Axes, Row, primitives};
use super::JointType;

/// Slider: translation along z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Translational;

impl JointType for Translational {
    fn name(&self) -> &'static str {
        "translational"
    }
    fn summary(&self) -> &'static str {
        "slider: translation along z"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        [primitives::in_line(axes), primitives::same_orientation(axes)].concat()
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Translation]
    }
}
