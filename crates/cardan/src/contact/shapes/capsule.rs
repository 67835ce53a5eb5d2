//! Capsule: all within r of a segment of length l along z.

use super::{Solid, positive};
use crate::contact::surface::Nearest;
use crate::math::{Mat3, Vec3};

/// A cylinder with round ends about z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    /// r, m.
    pub radius: f64,
    /// l, between the centres of the round ends, m.
    pub length: f64,
}

impl Solid for Capsule {
    fn nearest(&self, x: &Vec3) -> Nearest {
        let half = 0.5 * self.length;
        let along = x.z.clamp(-half, half);
        let sliding = if x.z == along { 0.0 } else { 1.0 };
        Nearest::rounded(&Vec3::new(x.x, x.y, x.z - along), self.radius, &Mat3::from_diagonal(&Vec3::new(1.0, 1.0, sliding)))
    }
    fn reach(&self) -> f64 {
        self.radius + 0.5 * self.length
    }
    fn depth(&self) -> f64 {
        self.radius
    }
    fn size(&self) -> Option<f64> {
        Some(self.radius)
    }
    fn mistake(&self) -> Option<String> {
        positive(&[("radius", self.radius), ("length", self.length)])
    }
}
