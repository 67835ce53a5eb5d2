//! Sphere: d = |x| − r.

use super::{Solid, positive};
use crate::contact::surface::Nearest;
use crate::math::{Mat3, Vec3};

/// A ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// r, m.
    pub radius: f64,
}

impl Solid for Sphere {
    fn nearest(&self, x: &Vec3) -> Nearest {
        Nearest::rounded(x, self.radius, &Mat3::identity())
    }
    fn reach(&self) -> f64 {
        self.radius
    }
    fn depth(&self) -> f64 {
        self.radius
    }
    fn size(&self) -> Option<f64> {
        Some(self.radius)
    }
    fn mistake(&self) -> Option<String> {
        positive(&[("radius", self.radius)])
    }
}
