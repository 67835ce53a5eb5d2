//! A law given in the axes of marker j, in terms of how marker i moves relative to it:
//!
//! ```text
//! u = R_jᵀ d,   R = R_jᵀ R_i,   u̇ = R_jᵀ (v_i − v_j − ω_j × d),   ω = R_jᵀ (ω_i − ω_j),    d = p_i − p_j        (1)
//! (f, τ) = law(u, R, u̇, ω, t)                                  on marker i, in the axes of j                  (2)
//! w_i = (R_j f, R_j τ),   w_j = −(R_j f, R_j τ + d × R_j f)                                                    (3)
//! ```
//!
//! Of laws given as functions, the twelve local directions (δu, δψ, δu̇, δω) are differentiated by dual numbers, two a pass; the rest is the geometry
//! of (1) and (3), so any law is exact in position and velocity. With Λ the derivatives of (R_j f, R_j τ) in world axes,
//!
//! ```text
//! by δp_i   Λ_u − Λ_u̇ ω̂_j = −by δp_j       by δθ_i   Λ_ψ       by δv_i   Λ_u̇ = −by δv_j       by δω_i   Λ_ω          (4)
//! by δθ_j   Λ_u d̂ − Λ_ψ + Λ_u̇ (R_j u̇)^ + Λ_ω (R_j ω)^ − ((R_j f)^, (R_j τ)^)                by δω_j   Λ_u̇ d̂ − Λ_ω
//! ```

use super::Tangent;
use crate::bodies::{MarkerId, MarkerState};
use crate::math::dual::{Dual, DualMat3, DualVec3};
use crate::math::{Mat3, Mat6, Vec3, Vec6, skew, stack};
use crate::measures::Context;
use nalgebra::Matrix6x3;

/// Motion of marker i seen from marker j, in the axes of j, with derivatives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relative {
    /// Time, s.
    pub time: f64,
    /// u: position of i.
    pub displacement: DualVec3,
    /// R: rotation, axes of i to axes of j.
    pub rotation: DualMat3,
    /// u̇: velocity of i as seen in j.
    pub velocity: DualVec3,
    /// ω: angular velocity of i against j.
    pub angular_velocity: DualVec3,
}

/// Force and torque on marker i in the axes of j, with derivatives.
pub type Load = (DualVec3, DualVec3);

/// Derivatives of (f, τ) by δu, δψ, δu̇ and δω.
pub type Slopes = [Matrix6x3<f64>; 4];

/// The same motion without derivatives (1).
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    pub u: Vec3,
    pub r: Mat3,
    pub u_rate: Vec3,
    pub omega: Vec3,
}

impl Motion {
    /// Of marker i against marker j.
    #[inline]
    pub fn of(markers: [MarkerId; 2], ctx: &Context) -> Self {
        let [i, j] = markers.map(|m| ctx.marker(m));
        let d = i.p - j.p;
        let local = |v: Vec3| j.r.tr_mul(&v);
        Self { u: local(d), r: j.r.tr_mul(&i.r), u_rate: local(i.v - j.v - j.w.cross(&d)), omega: local(i.w - j.w) }
    }

    /// With ε₁ and ε₂ along two of the twelve local directions (none: no derivatives).
    fn seeded(&self, time: f64, first: Option<usize>, second: Option<usize>) -> Relative {
        let lift = |v: &Vec3, at: usize| {
            DualVec3::from_fn(|k, _| Dual::seeded(v[k], f64::from(first == Some(at + k)), f64::from(second == Some(at + k))))
        };
        let turn = |k: Option<usize>| k.filter(|k| (3..6).contains(k)).map_or(Mat3::zeros(), |k| skew(&Vec3::ith(k - 3, 1.0)) * self.r);
        let (r1, r2) = (turn(first), turn(second));
        Relative {
            time,
            displacement: lift(&self.u, 0),
            rotation: DualMat3::from_fn(|a, b| Dual::seeded(self.r[(a, b)], r1[(a, b)], r2[(a, b)])),
            velocity: lift(&self.u_rate, 6),
            angular_velocity: lift(&self.omega, 9),
        }
    }
}

/// The wrenches of a law given as a function.
pub fn wrench(markers: [MarkerId; 2], ctx: &Context, law: impl Fn(&Relative) -> Load) -> [Vec6; 2] {
    let (f, tau) = law(&Motion::of(markers, ctx).seeded(ctx.t, None, None));
    wrenches(markers, ctx, (f.map(|x| x.v), tau.map(|x| x.v)))
}

/// Equation (3).
#[inline]
pub fn wrenches(markers: [MarkerId; 2], ctx: &Context, (f, tau): (Vec3, Vec3)) -> [Vec6; 2] {
    let [i, j] = markers.map(|m| ctx.marker(m));
    let (f, tau, d) = (j.r * f, j.r * tau, i.p - j.p);
    [stack(f, tau), stack(-f, -tau - d.cross(&f))]
}

/// The exact tangent of a law given as a function.
pub fn tangent(markers: [MarkerId; 2], ctx: &Context, law: impl Fn(&Relative) -> Load) -> Tangent {
    let motion = Motion::of(markers, ctx);
    let mut slopes = Slopes::default();
    let mut load = (Vec3::zeros(), Vec3::zeros());
    for first in (0..12).step_by(2) {
        let (f, tau) = law(&motion.seeded(ctx.t, Some(first), Some(first + 1)));
        for (row, x) in f.iter().chain(&tau).enumerate() {
            slopes[first / 3][(row, first % 3)] = x.e1;
            slopes[(first + 1) / 3][(row, (first + 1) % 3)] = x.e2;
        }
        load = (f.map(|x| x.v), tau.map(|x| x.v));
    }
    tangents(markers, ctx, load, &slopes)
}

/// Equation (4), and what follows from it for the wrench on j.
pub fn tangents(markers: [MarkerId; 2], ctx: &Context, (f, tau): (Vec3, Vec3), slopes: &Slopes) -> Tangent {
    let [i, j]: [&MarkerState; 2] = markers.map(|m| ctx.marker(m));
    let d = i.p - j.p;
    let [by_u, by_psi, by_rate, by_omega] = slopes.each_ref().map(|slope| in_world(&j.r, slope));
    let (force, torque) = (j.r * f, j.r * tau);
    let by_place = by_u - times_skew(&by_rate, &j.w);
    let turned = times_skew(&by_rate, &(i.v - j.v - j.w.cross(&d))) + times_skew(&by_omega, &(i.w - j.w));
    let by_turn = times_skew(&by_u, &d) - by_psi + turned - stacked(&[skew(&force), skew(&torque)]);
    let position = [beside(&by_place, &by_psi), beside(&-by_place, &by_turn)];
    let velocity = [beside(&by_rate, &by_omega), beside(&-by_rate, &(times_skew(&by_rate, &d) - by_omega))];
    let mut reactions = position.map(|block| reaction(&block, &d));
    // δd × f = −f̂ δd acts on the torque of j, d being p_i − p_j.
    for column in 0..3 {
        let torque = force.cross(&Vec3::ith(column, 1.0));
        add_torque(&mut reactions[0], column, &torque);
        add_torque(&mut reactions[1], column, &-torque);
    }
    Tangent { position: [position, reactions], velocity: [velocity, velocity.map(|block| reaction(&block, &d))] }
}

/// Derivatives in the axes of j, turned to those of the world.
fn in_world(r: &Mat3, slope: &Matrix6x3<f64>) -> Matrix6x3<f64> {
    stacked(&[0, 3].map(|row| r * slope.fixed_rows::<3>(row) * r.transpose()))
}

/// One above the other.
pub fn stacked([top, bottom]: &[Mat3; 2]) -> Matrix6x3<f64> {
    let mut out = Matrix6x3::zeros();
    out.fixed_rows_mut::<3>(0).copy_from(top);
    out.fixed_rows_mut::<3>(3).copy_from(bottom);
    out
}

fn beside(left: &Matrix6x3<f64>, right: &Matrix6x3<f64>) -> Mat6 {
    let mut out = Mat6::zeros();
    out.fixed_columns_mut::<3>(0).copy_from(left);
    out.fixed_columns_mut::<3>(3).copy_from(right);
    out
}

/// m ŵ.
fn times_skew(m: &Matrix6x3<f64>, w: &Vec3) -> Matrix6x3<f64> {
    let [x, y, z] = [0, 1, 2].map(|k| m.column(k));
    Matrix6x3::from_columns(&[y * w.z - z * w.y, z * w.x - x * w.z, x * w.y - y * w.x])
}

/// What the wrench on j changes by, d being held.
fn reaction(block: &Mat6, d: &Vec3) -> Mat6 {
    let mut out = -block;
    for column in 0..6 {
        let lever = block.fixed_view::<3, 1>(0, column).cross(d);
        add_torque(&mut out, column, &lever);
    }
    out
}

fn add_torque(block: &mut Mat6, column: usize, torque: &Vec3) {
    (0..3).for_each(|row| block[(3 + row, column)] += torque[row]);
}
