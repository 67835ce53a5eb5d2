//! Universal: a Hooke joint: coincident origins; the pins of the cross, x of i and y of j, stay perpendicular.
//! With both shafts along z when straight, the output turns unevenly when bent.

use super::super::{Axes, Row, primitives};
use super::JointType;

/// Hooke joint: pins along x of i and y of j.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Universal;

impl JointType for Universal {
    fn name(&self) -> &'static str {
        "universal"
    }
    fn summary(&self) -> &'static str {
        "Hooke joint: pins along x of i and y of j"
    }
    fn rows(&self, _: &Axes) -> Vec<Row> {
        [primitives::coincident(), primitives::perpendicular_axes()].concat()
    }
}
