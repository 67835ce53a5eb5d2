//! Rigid bodies: q = (r of the centre of mass, unit quaternion), v = (ṙ in the world frame, ω in the body frame).
//!
//! ```text
//! m r̈ = f,     J ω̇ + ω × J ω = τ      (J constant, body frame)                                (1)
//! q ⊕ δ = (r + δ_r, Q exp(δ_φ))                                                               (2)
//! ```
//!
//! so the mass is constant and no attitude is singular; the quaternion is normalised at every retraction.
//!
//! An ideal rod has no inertia about its own axis n, and M would be singular. It is given a trace of it,
//!
//! ```text
//! J + ε J_max n nᵀ,     ε = 1e-7                                                                (3)
//! ```
//!
//! as a rod has whose thickness is some thousandth of its length. Joints that hold the rotation about n make that invisible.

use super::inertia::{self, Inertia};
use super::{BodyMotion, Chart, Kind, Wrench};
use crate::math::{Mat3, Quat, Vec3, cayley_tangent, exp, log, skew, tangent};

/// A rigid body.
#[derive(Debug, Clone)]
pub struct Rigid {
    mass: f64,
    /// As it is used (3).
    tensor: Mat3,
    /// As it was given.
    given: Mat3,
    center_of_mass: Vec3,
}

/// ε of equation 3.
pub const TRACE: f64 = 1e-7;

impl Rigid {
    /// A rigid body of this mass and inertia.
    pub fn new(mass: f64, inertia: Inertia) -> Self {
        let given = inertia.about_center_of_mass(mass);
        let tensor = inertia::idle_axis(&given).map_or(given, |n| given + n * n.transpose() * (TRACE * given.trace() / 2.0));
        Self { mass, tensor, given, center_of_mass: inertia.center_of_mass() }
    }

    /// The axis about which the body has no inertia, if it is an ideal rod.
    pub fn idle_axis(&self) -> Option<Vec3> {
        inertia::idle_axis(&self.given)
    }

    /// The tensor as it was given, also that of an ideal rod.
    pub fn given_tensor(&self) -> &Mat3 {
        &self.given
    }

    pub(super) fn set_center_of_mass(&mut self, center: Vec3) {
        self.center_of_mass = center;
    }

    /// Inertia tensor about the centre of mass in body axes, kg m².
    pub fn tensor(&self) -> &Mat3 {
        &self.tensor
    }

    pub(super) fn mistake(&self) -> Option<String> {
        if !self.center_of_mass.iter().all(|x| x.is_finite()) {
            return Some("the centre of mass is not finite".into());
        }
        inertia::mistake(&self.given)
    }
}

/// The attitude of a body in space, body to world.
pub(super) fn quaternion(q: &[f64]) -> Quat {
    Quat::new_unchecked(nalgebra::Quaternion::new(q[3], q[4], q[5], q[6]))
}

/// The quaternion of an increment, of any length.
#[inline]
fn increment(chart: Chart, delta: &Vec3) -> nalgebra::Quaternion<f64> {
    match chart {
        Chart::Exponential => *exp(delta).quaternion(),
        Chart::Cayley => nalgebra::Quaternion::new(1.0, 0.5 * delta.x, 0.5 * delta.y, 0.5 * delta.z),
    }
}

#[inline]
pub(super) fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

/// q1 = q0 ⊕ δ of a frame in space (2).
#[inline(always)]
pub(super) fn retract_frame(chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
    for k in 0..3 {
        q1[k] = q0[k] + delta[k];
    }
    let turned = Quat::new_normalize(quaternion(q0).quaternion() * increment(chart, &vector(&delta[3..])));
    q1[3..7].copy_from_slice(&[turned.w, turned.i, turned.j, turned.k]);
}

/// δ with q1 = q0 ⊕ δ.
pub(super) fn frame_difference(q0: &[f64], q1: &[f64], delta: &mut [f64]) {
    for k in 0..3 {
        delta[k] = q1[k] - q0[k];
    }
    delta[3..6].copy_from_slice(log(&(quaternion(q0).inverse() * quaternion(q1))).as_slice());
}

/// The tangent of (2) for rotations.
pub(super) fn frame_tangent(chart: Chart, delta: &[f64]) -> Mat3 {
    let delta = vector(&delta[3..]);
    if chart == Chart::Cayley { cayley_tangent(&delta) } else { tangent(&delta) }
}

/// Magnitudes of the coordinates of a frame; attitudes have none.
#[inline]
pub(super) fn frame_magnitudes(q: &[f64], out: &mut [f64]) {
    for k in 0..3 {
        out[k] = q[k].abs();
        out[3 + k] = 0.0;
    }
}

/// out (nv×nv, column-major) += scale · a block between the rotations of a frame.
#[inline]
pub(super) fn add_turning(nv: usize, block: &Mat3, scale: f64, out: &mut [f64]) {
    for k in 0..3 {
        for i in 0..3 {
            out[(3 + k) * nv + 3 + i] += scale * block[(i, k)];
        }
    }
}

impl Kind for Rigid {
    fn kind_name(&self) -> &'static str {
        "rigid"
    }
    fn nq(&self) -> usize {
        7
    }
    fn nv(&self) -> usize {
        6
    }
    fn center_of_mass(&self) -> Vec3 {
        self.center_of_mass
    }
    fn radius_of_gyration(&self) -> f64 {
        (self.tensor.diagonal().max() / self.mass).sqrt()
    }
    #[inline]
    fn mass(&self) -> f64 {
        self.mass
    }
    #[inline]
    fn frame(&self, q: &[f64]) -> (Mat3, Vec3) {
        (quaternion(q).to_rotation_matrix().into_inner(), vector(q))
    }
    #[inline]
    fn twist(&self, v: &[f64]) -> (Vec3, Vec3) {
        (vector(v), vector(&v[3..]))
    }
    #[inline]
    fn project(&self, r: &Mat3, Wrench { force, torque }: &Wrench, _: &[f64], out: &mut [f64]) {
        let torque = r.tr_mul(torque);
        out.copy_from_slice(&[force.x, force.y, force.z, torque.x, torque.y, torque.z]);
    }
    #[inline(always)]
    fn retract(&self, chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        retract_frame(chart, q0, delta, q1);
    }
    fn difference(&self, q0: &[f64], q1: &[f64], delta: &mut [f64]) {
        frame_difference(q0, q1, delta);
    }
    fn retract_tangent(&self, chart: Chart, delta: &[f64]) -> Option<Mat3> {
        Some(frame_tangent(chart, delta))
    }
    #[inline]
    fn add_mass_times(&self, _: &[f64], a: &[f64], scale: f64, out: &mut [f64]) {
        let torque = self.tensor * vector(&a[3..]);
        for k in 0..3 {
            out[k] += scale * self.mass * a[k];
            out[3 + k] += scale * torque[k];
        }
    }
    fn add_mass(&self, _: &[f64], scale: f64, out: &mut [f64]) {
        for k in 0..3 {
            out[k * 7] += scale * self.mass;
        }
        self.add_turning(&self.tensor, scale, out);
    }
    #[inline]
    fn add_quadratic_forces(&self, _: &[f64], v: &[f64], scale: f64, out: &mut [f64]) {
        let w = vector(&v[3..]);
        let g = w.cross(&(self.tensor * w));
        for k in 0..3 {
            out[3 + k] += scale * g[k];
        }
    }
    /// Only ω × J ω depends on the motion.
    fn add_inertia_tangent(&self, at: &BodyMotion, [_, c_v]: [f64; 2], _: &Mat3, out: &mut [f64]) {
        let w = vector(&at.v[3..]);
        self.add_turning(&(skew(&w) * self.tensor - skew(&(self.tensor * w))), c_v, out);
    }
    fn add_turning(&self, block: &Mat3, scale: f64, out: &mut [f64]) {
        add_turning(6, block, scale, out);
    }
    fn momentum(&self, q: &[f64], v: &[f64]) -> [Vec3; 2] {
        [vector(v) * self.mass, quaternion(q) * (self.tensor * vector(&v[3..]))]
    }
    #[inline]
    fn magnitudes(&self, q: &[f64], out: &mut [f64]) {
        frame_magnitudes(q, out);
    }
    fn turns(&self, _: &[f64]) -> f64 {
        0.0
    }
    fn upright(&self) -> bool {
        false
    }
}
