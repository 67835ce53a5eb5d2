//! Hollow sphere: d = r − |x|, solid outside.

use super::{Solid, positive};
use crate::contact::surface::Nearest;
use crate::math::{Mat3, Vec3};

/// All that is outside of a ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HollowSphere {
    /// r, m.
    pub radius: f64,
}

impl Solid for HollowSphere {
    fn nearest(&self, x: &Vec3) -> Nearest {
        Nearest::rounded(x, self.radius, &Mat3::identity()).inside_out()
    }
    fn reach(&self) -> f64 {
        f64::INFINITY
    }
    fn depth(&self) -> f64 {
        f64::INFINITY
    }
    fn size(&self) -> Option<f64> {
        Some(self.radius)
    }
    fn mistake(&self) -> Option<String> {
        positive(&[("radius", self.radius)])
    }
}
