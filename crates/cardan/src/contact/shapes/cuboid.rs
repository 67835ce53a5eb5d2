//! Cuboid of half-widths s. With q = |x| − s in every axis, d = |max(q, 0)| outside, the largest q inside: distances from corners, edges and faces.

use super::{Solid, positive};
use crate::contact::surface::Nearest;
use crate::math::{Mat3, Vec3};

/// A box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuboid {
    /// Widths along x, y and z, m.
    pub size: Vec3,
}

impl Solid for Cuboid {
    fn nearest(&self, x: &Vec3) -> Nearest {
        let q = x.abs() - 0.5 * self.size;
        if q.max() <= 0.0 {
            let k = q.imax();
            return Nearest::flat(q[k], Vec3::ith(k, 1.0_f64.copysign(x[k])));
        }
        let beyond = Vec3::from_fn(|k, _| q[k].max(0.0).copysign(x[k]));
        Nearest::rounded(&beyond, 0.0, &Mat3::from_diagonal(&q.map(|q| if q > 0.0 { 1.0 } else { 0.0 })))
    }
    fn reach(&self) -> f64 {
        0.5 * self.size.norm()
    }
    fn depth(&self) -> f64 {
        0.5 * self.size.min()
    }
    fn size(&self) -> Option<f64> {
        Some(0.5 * self.size.min())
    }
    fn mistake(&self) -> Option<String> {
        positive(&[("width along x", self.size.x), ("width along y", self.size.y), ("width along z", self.size.z)])
    }
}
