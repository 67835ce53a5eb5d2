//! Half space: d = z.

use super::Solid;
use crate::contact::surface::Nearest;
use crate::math::Vec3;

/// All that is below the plane z = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace;

impl Solid for HalfSpace {
    fn nearest(&self, x: &Vec3) -> Nearest {
        Nearest::flat(x.z, Vec3::z())
    }
    fn reach(&self) -> f64 {
        f64::INFINITY
    }
    fn depth(&self) -> f64 {
        f64::INFINITY
    }
    fn size(&self) -> Option<f64> {
        None
    }
    fn mistake(&self) -> Option<String> {
        None
    }
}
