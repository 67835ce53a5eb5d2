//! Disk of radius r with a rounded edge of radius e: all within e of a flat disk of radius r − e. Wheels, coins, rings.

use super::Solid;
use crate::contact::surface::{Nearest, NearestInPlane, revolved};
use crate::math::Vec3;
use nalgebra::{Matrix2, Vector2};

/// A disk about z, of thickness 2 e.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disk {
    /// r, m.
    pub radius: f64,
    /// e, m; zero for a sharp edge.
    pub edge: f64,
}

impl Solid for Disk {
    fn nearest(&self, x: &Vec3) -> Nearest {
        revolved(x, |rho, z| {
            let beyond = rho - (self.radius - self.edge);
            if beyond > 0.0 {
                return NearestInPlane::rounded(Vector2::new(beyond, z), self.edge);
            }
            NearestInPlane { distance: z.abs() - self.edge, normal: Vector2::new(0.0, 1.0_f64.copysign(z)), bend: Matrix2::zeros() }
        })
    }
    fn reach(&self) -> f64 {
        self.radius
    }
    fn depth(&self) -> f64 {
        self.edge
    }
    fn size(&self) -> Option<f64> {
        Some(self.radius)
    }
    fn mistake(&self) -> Option<String> {
        if !(self.radius > 0.0 && self.radius.is_finite()) {
            return Some(format!("the radius must be positive, it is {}", self.radius));
        }
        let fits = (0.0..=self.radius).contains(&self.edge);
        (!fits).then(|| format!("the radius of the edge must be between 0 and that of the disk ({}), it is {}", self.radius, self.edge))
    }
}
