//! Torus: all within e of a circle of radius r in the plane z = 0.

use super::Solid;
use crate::contact::surface::{Nearest, NearestInPlane, revolved};
use crate::math::Vec3;
use nalgebra::Vector2;

/// A tube bent to a ring about z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Torus {
    /// r, of the ring, m.
    pub radius: f64,
    /// e, of the tube, m.
    pub tube: f64,
}

impl Solid for Torus {
    fn nearest(&self, x: &Vec3) -> Nearest {
        revolved(x, |rho, z| NearestInPlane::rounded(Vector2::new(rho - self.radius, z), self.tube))
    }
    fn reach(&self) -> f64 {
        self.radius + self.tube
    }
    fn depth(&self) -> f64 {
        self.tube
    }
    fn size(&self) -> Option<f64> {
        Some(self.tube)
    }
    fn mistake(&self) -> Option<String> {
        let right = self.tube > 0.0 && self.radius > self.tube && self.radius.is_finite();
        (!right).then(|| format!("the tube ({}) must have a positive radius, and the ring ({}) a larger one", self.tube, self.radius))
    }
}
