//! PlanarJoint: a plate on a table: origin of i in the xy plane of j, parallel z axes.

use super::super::coupler::Coordinate;
use super::super::{Axes, Row, primitives};
use super::JointType;

/// Slides in the xy plane of j, rotates about z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanarJoint;

impl JointType for PlanarJoint {
    fn name(&self) -> &'static str {
        "planar"
    }
    fn summary(&self) -> &'static str {
        "slides in the xy plane of j, rotates about z"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        [primitives::in_plane(), primitives::parallel_axes(axes)].concat()
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Rotation]
    }
}
