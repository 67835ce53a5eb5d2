//! SameOrientation: all axes stay parallel; translations free.

use super::super::{Axes, Row, primitives};
use super::JointType;

/// Axes stay parallel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SameOrientation;

impl JointType for SameOrientation {
    fn name(&self) -> &'static str {
        "same-orientation"
    }
    fn summary(&self) -> &'static str {
        "axes stay parallel"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        primitives::same_orientation(axes)
    }
}
