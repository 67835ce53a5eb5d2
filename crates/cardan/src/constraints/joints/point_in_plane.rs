//! PointInPlane: origin of i in the xy plane of j; rotations free.

use super::super::{Axes, Row, primitives};
use super::JointType;

/// Origin of i in the xy plane of j.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointInPlane;

impl JointType for PointInPlane {
    fn name(&self) -> &'static str {
        "in-plane"
    }
    fn summary(&self) -> &'static str {
        "origin of i in the xy plane of j"
    }
    fn rows(&self, _: &Axes) -> Vec<Row> {
        primitives::in_plane()
    }
}
