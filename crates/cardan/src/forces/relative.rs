//! A law given in the axes of marker j, in terms of how marker i moves relative to it:
//!
//! ```text
//! u = R_jᵀ d,   R = R_jᵀ R_i,   u̇ = R_jᵀ (v_i − v_j − ω_j × d),   ω = R_jᵀ (ω_i − ω_j),    d = p_i − p_j        (1)
//! (f, τ) = law(u, R, u̇, ω, t)                                  on marker i, in the axes of j                  (2)
//! w_i = (R_j f, R_j τ),   w_j = −(R_j f, R_j τ + d × R_j f)                                                    (3)
//! ```
//!
//! The twelve local directions (δu, δψ, δu̇, δω) are differentiated by dual numbers, two a pass; the rest is the geometry
//! of (1) and (3), so any law is exact in position and velocity.

use super::Tangent;
use crate::bodies::{MarkerId, MarkerState};
use crate::math::dual::{Dual, DualMat3, DualVec3};
use crate::math::{Mat3, Vec3, Vec6, skew, stack};
use crate::measures::Context;
use nalgebra::{Matrix3, SMatrix};

/// Motion of marker i seen from marker j, in the axes of j.
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

/// Force and torque on marker i in the axes of j.
pub type Load = (DualVec3, DualVec3);

impl Relative {
    /// The kinematics with ε₁ and ε₂ along two of the twelve local directions (none: no derivatives).
    fn seeded(i: &MarkerState, j: &MarkerState, time: f64, first: Option<usize>, second: Option<usize>) -> Self {
        let d = i.p - j.p;
        let local = |v: Vec3| j.r.tr_mul(&v);
        let lift = |v: Vec3, at: usize| {
            DualVec3::from_fn(|k, _| Dual::seeded(v[k], f64::from(first == Some(at + k)), f64::from(second == Some(at + k))))
        };
        let r = j.r.tr_mul(&i.r);
        let turn = |k: Option<usize>| k.filter(|k| (3..6).contains(k)).map_or(Mat3::zeros(), |k| skew(&Vec3::ith(k - 3, 1.0)) * r);
        let (r1, r2) = (turn(first), turn(second));
        Self {
            time,
            displacement: lift(local(d), 0),
            rotation: Matrix3::from_fn(|a, b| Dual::seeded(r[(a, b)], r1[(a, b)], r2[(a, b)])),
            velocity: lift(local(i.v - j.v - j.w.cross(&d)), 6),
            angular_velocity: lift(local(i.w - j.w), 9),
        }
    }
}

/// The load without derivatives.
pub fn load(markers: [MarkerId; 2], ctx: &Context, law: impl Fn(&Relative) -> Load) -> (Vec3, Vec3) {
    let [i, j] = markers.map(|m| ctx.marker(m));
    let (f, tau) = law(&Relative::seeded(i, j, ctx.t, None, None));
    (f.map(|x| x.v), tau.map(|x| x.v))
}

/// The kinematics without derivatives.
pub fn kinematics(markers: [MarkerId; 2], ctx: &Context) -> Relative {
    let [i, j] = markers.map(|m| ctx.marker(m));
    Relative::seeded(i, j, ctx.t, None, None)
}

/// Equation (3).
pub fn wrench(markers: [MarkerId; 2], ctx: &Context, law: impl Fn(&Relative) -> Load) -> [Vec6; 2] {
    let (f, tau) = load(markers, ctx, law);
    let [i, j] = markers.map(|m| ctx.marker(m));
    let (f, tau, d) = (j.r * f, j.r * tau, i.p - j.p);
    [stack(f, tau), stack(-f, -tau - d.cross(&f))]
}

/// The exact tangent of (3).
pub fn tangent(markers: [MarkerId; 2], ctx: &Context, law: impl Fn(&Relative) -> Load) -> Tangent {
    let [i, j] = markers.map(|m| ctx.marker(m));
    let mut local = SMatrix::<f64, 6, 12>::zeros();
    let mut value = Vec6::zeros();
    for k in 0..6 {
        let (f, tau) = law(&Relative::seeded(i, j, ctx.t, Some(2 * k), Some(2 * k + 1)));
        for a in 0..3 {
            for (row, x) in [(a, f[a]), (a + 3, tau[a])] {
                value[row] = x.v;
                local[(row, 2 * k)] = x.e1;
                local[(row, 2 * k + 1)] = x.e2;
            }
        }
    }
    let (position, velocity) = directions(i, j);
    let turn_j =
        stack_columns(&skew(&(j.r * Vec3::new(value[0], value[1], value[2]))), &skew(&(j.r * Vec3::new(value[3], value[4], value[5]))));
    let mut by_position = rotate(&j.r, &(local * position));
    // δθ_j turns the load with the axes of j: δ(R_j f) = δθ_j × R_j f.
    let mut columns = by_position.fixed_view_mut::<6, 3>(0, 9);
    columns -= turn_j;
    let by_velocity = rotate(&j.r, &(local * velocity));
    assemble(&by_position, &by_velocity, &(i.p - j.p), &(j.r * Vec3::new(value[0], value[1], value[2])))
}

type Wide = SMatrix<f64, 12, 12>;
type Rows = SMatrix<f64, 6, 12>;

fn stack_columns(top: &Mat3, bottom: &Mat3) -> SMatrix<f64, 6, 3> {
    let mut out = SMatrix::<f64, 6, 3>::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(top);
    out.fixed_view_mut::<3, 3>(3, 0).copy_from(bottom);
    out
}

fn rotate(r: &Mat3, m: &Rows) -> Rows {
    let mut out = Rows::zeros();
    out.fixed_rows_mut::<3>(0).copy_from(&(r * m.fixed_rows::<3>(0)));
    out.fixed_rows_mut::<3>(3).copy_from(&(r * m.fixed_rows::<3>(3)));
    out
}

/// The local directions (δu, δψ, δu̇, δω) produced by pose variations and by twists (δp_i, δθ_i, δp_j, δθ_j).
fn directions(i: &MarkerState, j: &MarkerState) -> (Wide, Wide) {
    let rt = j.r.transpose();
    let d = i.p - j.p;
    let (rel_v, rel_w) = (i.v - j.v - j.w.cross(&d), i.w - j.w);
    let (mut x, mut xi) = (Wide::zeros(), Wide::zeros());
    let set = |m: &mut Wide, row: usize, column: usize, block: Mat3| m.fixed_view_mut::<3, 3>(row, column).copy_from(&(rt * block));
    let one = Mat3::identity();
    for (m, row) in [(&mut x, 0), (&mut xi, 6)] {
        set(m, row, 0, one);
        set(m, row, 6, -one);
        set(m, row, 9, skew(&d));
        set(m, row + 3, 3, one);
        set(m, row + 3, 9, -one);
    }
    set(&mut x, 6, 0, -skew(&j.w));
    set(&mut x, 6, 6, skew(&j.w));
    set(&mut x, 6, 9, skew(&rel_v));
    set(&mut x, 9, 9, skew(&rel_w));
    (x, xi)
}

/// From the tangent of (R_j f, R_j τ) to the blocks of both wrenches.
fn assemble(by_position: &Rows, by_velocity: &Rows, d: &Vec3, force: &Vec3) -> Tangent {
    let mut out = Tangent::zero();
    let lever = skew(d);
    for (source, target, moves) in [(by_position, &mut out.position, 1.0), (by_velocity, &mut out.velocity, 0.0)] {
        let mut reaction = -source;
        let mut torque = reaction.fixed_rows_mut::<3>(3);
        torque -= lever * source.fixed_rows::<3>(0);
        // δd × f = −f̂ δd acts on the torque of j, d being p_i − p_j.
        let moved = skew(force) * moves;
        let mut at_i = reaction.fixed_view_mut::<3, 3>(3, 0);
        at_i += moved;
        let mut at_j = reaction.fixed_view_mut::<3, 3>(3, 6);
        at_j -= moved;
        for b in 0..2 {
            target[0][b].copy_from(&source.fixed_columns::<6>(6 * b));
            target[1][b].copy_from(&reaction.fixed_columns::<6>(6 * b));
        }
    }
    out
}
