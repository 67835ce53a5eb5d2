//! Planar bodies (x, y of the centre of mass, θ): a plain vector space, m ẍ = f_x, m ÿ = f_y, J θ̈ = τ; θ counts full turns.

use super::{BodyMotion, Chart, Kind, Wrench};
use crate::math::{Mat3, Vec3};

/// A body that moves in the xy plane and turns about z.
#[derive(Debug, Clone)]
pub struct Planar {
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia about z through the centre of mass, kg m².
    pub inertia: f64,
    /// Offset of the centre of mass from the body frame's origin, in the xy plane.
    pub center_of_mass: Vec3,
}

impl Planar {
    pub(super) fn mistake(&self) -> Option<String> {
        if !(self.inertia > 0.0 && self.inertia.is_finite()) {
            let inertia = self.inertia;
            return Some(format!("the moment of inertia must be positive, it is {inertia} kg m²; a point mass has none (kind point-2d)"));
        }
        let finite = self.center_of_mass.iter().all(|x| x.is_finite());
        (!finite).then(|| "the centre of mass is not finite".into())
    }
}

impl Kind for Planar {
    fn kind_name(&self) -> &'static str {
        "planar"
    }
    fn nq(&self) -> usize {
        3
    }
    fn nv(&self) -> usize {
        3
    }
    fn center_of_mass(&self) -> Vec3 {
        self.center_of_mass
    }
    fn radius_of_gyration(&self) -> f64 {
        (self.inertia / self.mass).sqrt()
    }
    #[inline]
    fn mass(&self) -> f64 {
        self.mass
    }
    #[inline]
    fn frame(&self, q: &[f64]) -> (Mat3, Vec3) {
        let (s, c) = q[2].sin_cos();
        (Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0), Vec3::new(q[0], q[1], 0.0))
    }
    #[inline]
    fn twist(&self, v: &[f64]) -> (Vec3, Vec3) {
        (Vec3::new(v[0], v[1], 0.0), Vec3::new(0.0, 0.0, v[2]))
    }
    #[inline]
    fn project(&self, _: &Mat3, Wrench { force, torque }: &Wrench, _: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[force.x, force.y, torque.z]);
    }
    #[inline]
    fn retract(&self, _: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        for k in 0..3 {
            q1[k] = q0[k] + delta[k];
        }
    }
    fn difference(&self, q0: &[f64], q1: &[f64], delta: &mut [f64]) {
        for k in 0..3 {
            delta[k] = q1[k] - q0[k];
        }
    }
    fn retract_tangent(&self, _: Chart, _: &[f64]) -> Option<Mat3> {
        None
    }
    #[inline]
    fn add_mass_times(&self, _: &[f64], a: &[f64], scale: f64, out: &mut [f64]) {
        out[0] += scale * self.mass * a[0];
        out[1] += scale * self.mass * a[1];
        out[2] += scale * self.inertia * a[2];
    }
    fn add_mass(&self, _: &[f64], scale: f64, out: &mut [f64]) {
        out[0] += scale * self.mass;
        out[4] += scale * self.mass;
        out[8] += scale * self.inertia;
    }
    #[inline]
    fn add_quadratic_forces(&self, _: &[f64], _: &[f64], _: f64, _: &mut [f64]) {}
    fn add_inertia_tangent(&self, _: &BodyMotion, _: [f64; 2], _: &Mat3, _: &mut [f64]) {}
    fn add_turning(&self, block: &Mat3, scale: f64, out: &mut [f64]) {
        out[8] += scale * block[(2, 2)];
    }
    fn momentum(&self, _: &[f64], v: &[f64]) -> [Vec3; 2] {
        [self.twist(v).0 * self.mass, Vec3::new(0.0, 0.0, self.inertia * v[2])]
    }
    #[inline]
    fn magnitudes(&self, q: &[f64], out: &mut [f64]) {
        for k in 0..3 {
            out[k] = q[k].abs();
        }
    }
    fn turns(&self, q: &[f64]) -> f64 {
        q[2]
    }
    fn upright(&self) -> bool {
        true
    }
}
