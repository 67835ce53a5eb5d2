//! Ellipsoid Σ (y_k/a_k)² = 1. The point y nearest to x satisfies x − y = t D y, D = diag(1/a_k²), so that
//!
//! ```text
//! y_k = x_k a_k²/(a_k² + t),      Σ (a_k x_k/(a_k² + t))² = 1,      t > −min a_k²                              (1)
//! n = D y/m,   m = |D y|,   d = t m,   S = P D P/m,   P = I − n nᵀ,   H = (I + d S)⁻¹ S                          (2)
//! ```
//!
//! The sum in (1) falls with t and is convex: Newton's method from the left, where it is larger than 1, converges without leaping over the root.
//!
//! Reference: Eberly, Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid (2013).

use super::{Solid, positive};
use crate::contact::surface::Nearest;
use crate::math::{Mat3, Vec3};

/// Most iterations; Newton's method takes about ten from far away.
const MOST: usize = 100;

/// An ellipsoid about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    /// a, semi-axes along x, y and z, m.
    pub semi_axes: Vec3,
}

impl Ellipsoid {
    /// t of (1).
    fn multiplier(&self, x: &Vec3) -> f64 {
        let squares = self.semi_axes.component_mul(&self.semi_axes);
        // Where the terms of one axis alone make the sum 1: the root is at or beyond the largest of these.
        let mut t = (0..3).fold(-squares.min(), |t, k| t.max(self.semi_axes[k] * x[k].abs() - squares[k]));
        for _ in 0..MOST {
            let (mut sum, mut slope) = (-1.0, 0.0);
            for k in 0..3 {
                let whole = squares[k] + t;
                if whole > 0.0 && x[k] != 0.0 {
                    let term = self.semi_axes[k] * x[k] / whole;
                    (sum, slope) = (sum + term * term, slope - 2.0 * term * term / whole);
                }
            }
            if sum <= 4.0 * f64::EPSILON || slope == 0.0 {
                break;
            }
            t -= sum / slope;
        }
        t
    }

    /// The nearest point of the surface. Within the part of a plane of symmetry where both sides are equally near, one of them.
    fn nearest_point(&self, x: &Vec3, t: f64) -> Vec3 {
        let squares = self.semi_axes.component_mul(&self.semi_axes);
        let mut y = Vec3::from_fn(|k, _| if squares[k] + t > 0.0 { x[k] * squares[k] / (squares[k] + t) } else { 0.0 });
        let left = 1.0 - y.component_div(&self.semi_axes).norm_squared();
        if left > 1e-12 {
            let k = squares.imin();
            y[k] = (self.semi_axes[k] * left.sqrt()).copysign(x[k]);
        }
        y
    }
}

impl Solid for Ellipsoid {
    fn nearest(&self, x: &Vec3) -> Nearest {
        let t = self.multiplier(x);
        let scale = self.semi_axes.map(|a| 1.0 / (a * a));
        let gradient = scale.component_mul(&self.nearest_point(x, t));
        let size = gradient.norm();
        let (normal, distance) = (gradient / size, t * size);
        let tangential = Mat3::identity() - normal * normal.transpose();
        let curvature = tangential * Mat3::from_diagonal(&scale) * tangential / size;
        let bend = (Mat3::identity() + curvature * distance).try_inverse().map_or(curvature, |inverse| inverse * curvature);
        Nearest { distance, normal, bend }
    }
    fn reach(&self) -> f64 {
        self.semi_axes.max()
    }
    fn depth(&self) -> f64 {
        let a = &self.semi_axes;
        a.min() * a.min() / a.max()
    }
    fn size(&self) -> Option<f64> {
        Some(self.depth())
    }
    fn mistake(&self) -> Option<String> {
        positive(&[
            ("semi-axis along x", self.semi_axes.x),
            ("semi-axis along y", self.semi_axes.y),
            ("semi-axis along z", self.semi_axes.z),
        ])
    }
}
