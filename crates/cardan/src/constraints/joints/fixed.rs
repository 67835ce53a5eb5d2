//! Fixed: removes all six degrees of freedom: coincident origins and parallel axes.

use super::super::{Axes, Row, primitives};
use super::JointType;

/// Welds marker i to marker j.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fixed;

impl JointType for Fixed {
    fn name(&self) -> &'static str {
        "fixed"
    }
    fn summary(&self) -> &'static str {
        "welds marker i to marker j"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        [primitives::coincident(), primitives::same_orientation(axes)].concat()
    }
}
