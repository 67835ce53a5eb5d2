//! Revolute: a hinge: coincident origins, parallel z axes; rotation about z stays free.

use super::super::coupler::Coordinate;
use super::super::{Axes, Row, primitives};
use super::JointType;

/// Hinge: rotation about z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Revolute;

impl JointType for Revolute {
    fn name(&self) -> &'static str {
        "revolute"
    }
    fn summary(&self) -> &'static str {
        "hinge: rotation about z"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        [primitives::coincident(), primitives::parallel_axes(axes)].concat()
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Rotation]
    }
}
