//! Surfaces as signed distances. With d(x) the distance of a point from a surface, negative inside of the solid,
//!
//! ```text
//! n = ∇d,   |n| = 1,   H = ∇∇d,   H n = 0                                                                    (1)
//! ```
//!
//! n is the outward normal at the nearest point x − d n, and H says how n turns as x moves. A ball of radius r whose centre is at x has the gap d − r to
//! the surface, so one function a shape serves every contact with balls, points and corners.
//!
//! Solids of revolution about z are given in the half plane (ρ, z) by d and its derivatives there:
//!
//! ```text
//! n = n_ρ e_ρ + n_z e_z,    H = [e_ρ e_z] H₂ [e_ρ e_z]ᵀ + (n_ρ/ρ) e_φ e_φᵀ                                     (2)
//! ```

use crate::math::{Mat3, Vec3};
use nalgebra::{Matrix2, Matrix3x2, Vector2};

/// Distances below this are not divided by, m.
const TINY: f64 = 1e-150;

/// A point's distance from a surface, with its derivatives (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// d, negative inside.
    pub distance: f64,
    /// n.
    pub normal: Vec3,
    /// H.
    pub bend: Mat3,
}

impl Nearest {
    /// That of a plane face.
    pub fn flat(distance: f64, normal: Vec3) -> Self {
        Self { distance, normal, bend: Mat3::zeros() }
    }

    /// The distance |x| − r from what is rounded about a point, an edge or a face: x is what leads there from the nearest of its points, and `free`
    /// projects on the directions in which that stays where it is.
    pub fn rounded(x: &Vec3, radius: f64, free: &Mat3) -> Self {
        let length = x.norm();
        let normal = if length > TINY { x / length } else { Vec3::x() };
        Self { distance: length - radius, normal, bend: (free - normal * normal.transpose()) / length.max(TINY) }
    }

    /// The other side of the surface.
    pub fn inside_out(self) -> Self {
        Self { distance: -self.distance, normal: -self.normal, bend: -self.bend }
    }

    /// In axes that R turns into those of the world.
    pub fn turned(self, r: &Mat3) -> Self {
        Self { distance: self.distance, normal: r * self.normal, bend: r * self.bend * r.transpose() }
    }
}

/// The same in the half plane (ρ, z).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestInPlane {
    pub distance: f64,
    pub normal: Vector2<f64>,
    pub bend: Matrix2<f64>,
}

impl NearestInPlane {
    /// From what is rounded about a point, x leading from there.
    pub fn rounded(x: Vector2<f64>, radius: f64) -> Self {
        let length = x.norm();
        let normal = if length > TINY { x / length } else { Vector2::x() };
        Self { distance: length - radius, normal, bend: (Matrix2::identity() - normal * normal.transpose()) / length.max(TINY) }
    }

    /// The other side of the curve.
    pub fn inside_out(self) -> Self {
        Self { distance: -self.distance, normal: -self.normal, bend: -self.bend }
    }

    /// From a corner that fills the quadrant where both coordinates are negative.
    pub fn corner(q: Vector2<f64>) -> Self {
        if q.x > 0.0 && q.y > 0.0 {
            return Self::rounded(q, 0.0);
        }
        let axis = if q.x > q.y { 0 } else { 1 };
        Self { distance: q[axis], normal: Vector2::ith(axis, 1.0), bend: Matrix2::zeros() }
    }

    /// With one coordinate (0 or 1) reversed.
    pub fn mirrored(mut self, axis: usize) -> Self {
        self.normal[axis] = -self.normal[axis];
        self.bend[(0, 1)] = -self.bend[(0, 1)];
        self.bend[(1, 0)] = -self.bend[(1, 0)];
        self
    }
}

/// A solid of revolution about z (2).
pub fn revolved(x: &Vec3, half_plane: impl FnOnce(f64, f64) -> NearestInPlane) -> Nearest {
    let rho = x.x.hypot(x.y);
    let radial = if rho > TINY { Vec3::new(x.x / rho, x.y / rho, 0.0) } else { Vec3::x() };
    let around = Vec3::new(-radial.y, radial.x, 0.0);
    let flat = half_plane(rho, x.z);
    let plane = Matrix3x2::from_columns(&[radial, Vec3::z()]);
    let bend = plane * flat.bend * plane.transpose() + around * around.transpose() * (flat.normal.x / rho.max(TINY));
    Nearest { distance: flat.distance, normal: plane * flat.normal, bend }
}
