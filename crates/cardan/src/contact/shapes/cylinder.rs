//! Solid cylinder: in the half plane a corner at (r, l/2).

use super::{Solid, positive};
use crate::contact::surface::{Nearest, NearestInPlane, revolved};
use crate::math::Vec3;
use nalgebra::Vector2;

/// A cylinder about z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    /// r, m.
    pub radius: f64,
    /// l, m.
    pub length: f64,
}

impl Solid for Cylinder {
    fn nearest(&self, x: &Vec3) -> Nearest {
        revolved(x, |rho, z| {
            let at = NearestInPlane::corner(Vector2::new(rho - self.radius, z.abs() - 0.5 * self.length));
            if z < 0.0 { at.mirrored(1) } else { at }
        })
    }
    fn reach(&self) -> f64 {
        self.radius.hypot(0.5 * self.length)
    }
    fn depth(&self) -> f64 {
        self.radius.min(0.5 * self.length)
    }
    fn size(&self) -> Option<f64> {
        Some(self.depth())
    }
    fn mistake(&self) -> Option<String> {
        positive(&[("radius", self.radius), ("length", self.length)])
    }
}
