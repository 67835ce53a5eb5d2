//! ParallelAxes: the z axes of both markers stay parallel; translations free.

use super::super::coupler::Coordinate;
use super::super::{Axes, Row, primitives};
use super::JointType;

/// Z axes stay parallel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParallelAxes;

impl JointType for ParallelAxes {
    fn name(&self) -> &'static str {
        "parallel-axes"
    }
    fn summary(&self) -> &'static str {
        "z axes stay parallel"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        primitives::parallel_axes(axes)
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Rotation]
    }
}
