//! Screw: a screw: cylindrical joint with  s_z − pitch · θ / 2π = 0  (pitch in m per turn).

use super::super::coupler::Coordinate;
use super::super::{Axes, Row, primitives};
use super::{JointParameter, JointType};
use crate::math::Vec3;
use crate::measures::Measure;
use crate::units::Dimension;
use std::sync::Arc;

/// Translation along z by the pitch every turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Screw {
    /// Advance along z per turn, m.
    pub pitch: f64,
}

impl JointType for Screw {
    fn name(&self) -> &'static str {
        "screw"
    }
    fn summary(&self) -> &'static str {
        "translation along z by the pitch every turn"
    }
    fn rows(&self, axes: &Axes) -> Vec<Row> {
        let advance = Row::new("screw thread", Measure::Along(Vec3::z())).plus(-self.pitch / std::f64::consts::TAU, Measure::angle());
        [primitives::in_line(axes), primitives::parallel_axes(axes), vec![advance]].concat()
    }
    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Translation, Coordinate::Rotation]
    }
    fn parameter(&self) -> Option<JointParameter> {
        let (value, dimension) = (self.pitch, Dimension::LENGTH);
        Some(JointParameter { name: "pitch", summary: "advance along z per turn", dimension, value, as_placed: None })
    }
    fn with_parameter(&self, pitch: f64) -> Option<Arc<dyn JointType>> {
        Some(Arc::new(Self { pitch }))
    }
}
