//! Uniform gravity: the force m g on every centre of mass, potential energy −m g·r.

use crate::bodies::{Kind, Shape};
use crate::math::Vec3;

/// A uniform field of acceleration, m/s².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gravity(pub Vec3);

impl Gravity {
    /// out += scale · (force on a body's velocities).
    #[inline]
    pub fn add(&self, body: &Shape, scale: f64, out: &mut [f64]) {
        for (k, column) in body.columns().iter().enumerate().filter(|(_, c)| **c < 3) {
            out[k] += scale * body.mass() * self.0[*column];
        }
    }

    /// Potential energy of a body, zero at the origin.
    pub fn potential(&self, body: &Shape, q: &[f64]) -> f64 {
        -body.mass() * self.0.dot(&body.frame(q).1)
    }
}
