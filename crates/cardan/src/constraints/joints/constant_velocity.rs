//! ConstantVelocity: a homokinetic joint (Rzeppa): coincident origins, and both shafts turn by the same angle about their own axes.
//!
//! With the 3-1-3 angles ψ, θ, φ of marker i in marker j,
//!
//! ```text
//! x_i·y_j − y_i·x_j = (1 + cos θ) sin(ψ + φ) = 0                                               (1)
//! ```
//!
//! so ψ + φ = 0 for every bend θ short of π.

use super::super::{Axes, Row, primitives};
use super::JointType;
use crate::math::Vec3;
use crate::measures::Measure;

/// Constant-velocity joint between two shafts along z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstantVelocity;

impl JointType for ConstantVelocity {
    fn name(&self) -> &'static str {
        "constant-velocity"
    }
    fn summary(&self) -> &'static str {
        "homokinetic joint: both shafts turn alike about their z axes"
    }
    fn rows(&self, _: &Axes) -> Vec<Row> {
        let spin = Row::new("rotation about z", Measure::Dot(Vec3::x(), Vec3::y())).plus(-1.0, Measure::Dot(Vec3::y(), Vec3::x()));
        [primitives::coincident(), vec![spin]].concat()
    }
}
