//! Point: a ball of no radius, |x|.

use super::Solid;
use crate::contact::surface::Nearest;
use crate::math::{Mat3, Vec3};

/// A point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint;

impl Solid for ContactPoint {
    fn nearest(&self, x: &Vec3) -> Nearest {
        Nearest::rounded(x, 0.0, &Mat3::identity())
    }
    fn reach(&self) -> f64 {
        0.0
    }
    fn depth(&self) -> f64 {
        0.0
    }
    fn size(&self) -> Option<f64> {
        None
    }
    fn mistake(&self) -> Option<String> {
        None
    }
}
