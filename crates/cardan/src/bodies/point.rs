//! Point masses in the plane (x, y) or in space (x, y, z): plain vector spaces, m a = f.

use super::{Chart, Kind};
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
    fn columns(&self) -> &'static [usize] {
        &[0, 1, 2][..self.dimensions]
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
    fn project(&self, _: &Mat3, force: &Vec3, _: &Vec3, out: &mut [f64]) {
        out.iter_mut().zip(force.iter()).for_each(|(out, force)| *out = *force);
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
    fn add_mass_times(&self, a: &[f64], scale: f64, out: &mut [f64]) {
        out.iter_mut().zip(a).for_each(|(out, a)| *out += scale * self.mass * a);
    }
    fn add_mass(&self, scale: f64, out: &mut [f64]) {
        for k in 0..self.dimensions {
            out[k * (self.dimensions + 1)] += scale * self.mass;
        }
    }
    #[inline]
    fn add_gyroscopic(&self, _: &[f64], _: f64, _: &mut [f64]) {}
    fn add_gyroscopic_tangent(&self, _: &[f64], _: f64, _: &mut [f64]) {}
    fn add_turning(&self, _: &Mat3, _: f64, _: &mut [f64]) {}
    fn spin(&self, _: &[f64], _: &[f64]) -> Vec3 {
        Vec3::zeros()
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
