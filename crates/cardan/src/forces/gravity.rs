//! Uniform gravity: the force m g on every centre of mass, potential energy −m g·r.

use crate::bodies::{Kind, Shape};
use crate::math::Vec3;

/// A uniform field of acceleration, m/s².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gravity(pub Vec3);

impl Gravity {
    /// Potential energy of a body, zero at the origin.
    pub fn potential(&self, body: &Shape, q: &[f64]) -> f64 {
        -body.mass() * self.0.dot(&body.center(q))
    }
}
