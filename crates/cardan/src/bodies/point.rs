//! Point masses in the plane (x, y) or in space (x, y, z): plain vector spaces, m a = f.

use super::{BodyMotion, Chart, Kind, Wrench};
use crate::math::{Mat3, Vec3};

/// A point mass.
#[derive(Debug, Clone)]
pub struct Point {
    /// Mass, kg.
    pub mass: f64,
    /// 2 (xy plane) or 3.
    pub dimensions: usize,
}

impl Kind for Point {
    fn kind_name(&self) -> &'static str {
        if self.dimensions == 2 { "point 2D" } else { "point 3D" }
    }
    fn nq(&self) -> usize {
        self.dimensions
    }
    fn nv(&self) -> usize {
        self.dimensions
    }
    fn center_of_mass(&self) -> Vec3 {
        Vec3::zeros()
    }
    fn radius_of_gyration(&self) -> f64 {
        0.0
    }
    #[inline]
    fn mass(&self) -> f64 {
        self.mass
    }
    #[inline]
    fn frame(&self, q: &[f64]) -> (Mat3, Vec3) {
        (Mat3::identity(), Vec3::new(q[0], q[1], q.get(2).copied().unwrap_or(0.0)))
    }
    #[inline]
    fn twist(&self, v: &[f64]) -> (Vec3, Vec3) {
        (Vec3::new(v[0], v[1], v.get(2).copied().unwrap_or(0.0)), Vec3::zeros())
    }
    #[inline]
    fn project(&self, _: &Mat3, wrench: &Wrench, _: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(wrench.force.iter()).for_each(|(out, force)| *out = *force);
    }
    #[inline]
    fn retract(&self, _: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        for ((q1, q0), delta) in q1.iter_mut().zip(q0).zip(delta) {
            *q1 = q0 + delta;
        }
    }
    fn difference(&self, q0: &[f64], q1: &[f64], delta: &mut [f64]) {
        for k in 0..self.dimensions {
            delta[k] = q1[k] - q0[k];
        }
    }
    fn retract_tangent(&self, _: Chart, _: &[f64]) -> Option<Mat3> {
        None
    }
    #[inline]
    fn add_mass_times(&self, _: &[f64], a: &[f64], scale: f64, out: &mut [f64]) {
        out.iter_mut().zip(a).for_each(|(out, a)| *out += scale * self.mass * a);
    }
    fn add_mass(&self, _: &[f64], scale: f64, out: &mut [f64]) {
        for k in 0..self.dimensions {
            out[k * (self.dimensions + 1)] += scale * self.mass;
        }
    }
    #[inline]
    fn add_quadratic_forces(&self, _: &[f64], _: &[f64], _: f64, _: &mut [f64]) {}
    fn add_inertia_tangent(&self, _: &BodyMotion, _: [f64; 2], _: &Mat3, _: &mut [f64]) {}
    fn add_turning(&self, _: &Mat3, _: f64, _: &mut [f64]) {}
    fn momentum(&self, _: &[f64], v: &[f64]) -> [Vec3; 2] {
        [self.twist(v).0 * self.mass, Vec3::zeros()]
    }
    #[inline]
    fn magnitudes(&self, q: &[f64], out: &mut [f64]) {
        out.iter_mut().zip(q).for_each(|(out, q)| *out = q.abs());
    }
    fn turns(&self, _: &[f64]) -> f64 {
        0.0
    }
    fn upright(&self) -> bool {
        true
    }
}
