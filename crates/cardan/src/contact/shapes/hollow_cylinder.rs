//! Hollow cylinder: a plate of thickness l with a hole of radius r; in the half plane a corner at (r, l/2) that is solid beyond r.

use super::{Solid, positive};
use crate::contact::surface::{Nearest, NearestInPlane, revolved};
use crate::math::Vec3;
use nalgebra::Vector2;

/// A plate with a round hole about z: bushes, bearings, guides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HollowCylinder {
    /// r, m.
    pub radius: f64,
    /// l, m.
    pub length: f64,
}

impl Solid for HollowCylinder {
    fn nearest(&self, x: &Vec3) -> Nearest {
        revolved(x, |rho, z| {
            let at = NearestInPlane::corner(Vector2::new(self.radius - rho, z.abs() - 0.5 * self.length)).mirrored(0);
            if z < 0.0 { at.mirrored(1) } else { at }
        })
    }
    fn reach(&self) -> f64 {
        f64::INFINITY
    }
    fn depth(&self) -> f64 {
        0.5 * self.length
    }
    fn size(&self) -> Option<f64> {
        Some(self.radius.min(0.5 * self.length))
    }
    fn mistake(&self) -> Option<String> {
        positive(&[("radius", self.radius), ("length", self.length)])
    }
}
