//! A law given in the axes of marker j, in terms of how marker i moves relative to it:
//!
//! ```text
//! u = R_jᵀ d,   R = R_jᵀ R_i,   u̇ = R_jᵀ (v_i − v_j − ω_j × d),   ω = R_jᵀ (ω_i − ω_j),    d = p_i − p_j        (1)
//! (f, τ) = law(u, R, u̇, ω, t)                                  on marker i, in the axes of j                  (2)
//! w_i = (R_j f, R_j τ),   w_j = −(R_j f, R_j τ + d × R_j f)                                                    (3)
//! ```
//!
//! The twelve local directions (δu, δψ, δu̇, δω) are differentiated by dual numbers, two a pass; the rest is the geometry
//! of [`super::geometry`], so any law is exact in position and velocity. Time is a dual number, too: a further pass gives ∂w/∂t.

use super::Tangent;
use super::geometry::{Half, Linearized, Motion, rotated};
use crate::bodies::{MarkerId, MarkerState};
use crate::math::dual::{Dual, DualMat3, DualVec3};
use crate::math::{Mat3, Vec3, Vec6, skew};
use crate::measures::Context;

/// Motion of marker i seen from marker j, in the axes of j.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relative {
    /// Time, s.
    pub time: Dual,
    /// u: position of i.
    pub displacement: DualVec3,
    /// R: rotation, axes of i to axes of j.
    pub rotation: DualMat3,
    /// u̇: velocity of i as seen in j.
    pub velocity: DualVec3,
    /// ω: angular velocity of i against j.
    pub angular_velocity: DualVec3,
}

/// Force and torque on marker i in the axes of j.
pub type Load = (DualVec3, DualVec3);

impl Relative {
    /// Without derivatives.
    fn constant(i: &MarkerState, motion: &Motion, time: f64) -> Self {
        let local = |v: &Vec3| motion.j.r.tr_mul(v).map(Dual::constant);
        Self {
            time: Dual::constant(time),
            displacement: local(&motion.d),
            rotation: motion.j.r.tr_mul(&i.r).map(Dual::constant),
            velocity: local(&motion.v),
            angular_velocity: local(&motion.w),
        }
    }

    /// With ε₁ and ε₂ along the local directions 2 `pass` and 2 `pass` + 1.
    fn seeded(&self, pass: usize) -> Self {
        let mut out = *self;
        for (second, k) in [(false, 2 * pass), (true, 2 * pass + 1)] {
            let seed = |x: &mut Dual, slope: f64| if second { x.e2 = slope } else { x.e1 = slope };
            match k / 3 {
                0 => seed(&mut out.displacement[k], 1.0),
                1 => {
                    let turned = skew(&Vec3::ith(k - 3, 1.0)) * self.rotation.map(|x| x.v);
                    out.rotation.iter_mut().zip(turned.iter()).for_each(|(x, slope)| seed(x, *slope));
                }
                2 => seed(&mut out.velocity[k - 6], 1.0),
                _ => seed(&mut out.angular_velocity[k - 9], 1.0),
            }
        }
        out
    }
}

/// One part of a load, turned to world axes.
fn turned(r: &Mat3, load: &Load, part: impl Fn(&Dual) -> f64) -> (Vec3, Vec3) {
    (r * load.0.map(|x| part(&x)), r * load.1.map(|x| part(&x)))
}

/// Equation (3).
pub fn wrench(markers: [MarkerId; 2], ctx: &Context, law: impl Fn(&Relative) -> Load) -> [Vec6; 2] {
    let [i, j] = markers.map(|m| ctx.marker(m));
    let motion = Motion::of(i, j);
    let (force, torque) = turned(&j.r, &law(&Relative::constant(i, &motion, ctx.t)), |x| x.v);
    motion.wrenches(&force, &torque)
}

/// The change of (3) with time alone.
pub fn rate(markers: [MarkerId; 2], ctx: &Context, law: impl Fn(&Relative) -> Load) -> [Vec6; 2] {
    let [i, j] = markers.map(|m| ctx.marker(m));
    let motion = Motion::of(i, j);
    let mut k = Relative::constant(i, &motion, ctx.t);
    k.time.e1 = 1.0;
    let (force, torque) = turned(&j.r, &law(&k), |x| x.e1);
    motion.wrenches(&force, &torque)
}

/// Equation (3) and its exact tangent.
pub fn wrench_and_tangent(markers: [MarkerId; 2], ctx: &Context, law: impl Fn(&Relative) -> Load, out: &mut Tangent) -> [Vec6; 2] {
    let [i, j] = markers.map(|m| ctx.marker(m));
    let motion = Motion::of(i, j);
    let k = Relative::constant(i, &motion, ctx.t);
    let mut by = [Half::zeros(); 4];
    let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
    for pass in 0..6 {
        let load = law(&k.seeded(pass));
        for a in 0..6 {
            let x = if a < 3 { &load.0[a] } else { &load.1[a - 3] };
            by[2 * pass / 3][(a, 2 * pass % 3)] = x.e1;
            by[(2 * pass + 1) / 3][(a, (2 * pass + 1) % 3)] = x.e2;
        }
        if pass == 5 {
            (force, torque) = turned(&j.r, &load, |x| x.v);
        }
    }
    motion.write_tangent(&Linearized { force, torque, by: by.map(|half| rotated(&j.r, &half)) }, out);
    motion.wrenches(&force, &torque)
}
