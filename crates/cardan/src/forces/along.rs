//! A scalar law F(s, ṡ, t) along a measure s. With g, H of the measure and the twist ξ of both markers
//! (see [`crate::measures`]):
//!
//! ```text
//! w = F g                                                                              (1)
//! ∂w_a/∂x_b = g_a (F_s g_b + F_ṡ (Hᵀξ)_b) + F H_ab,      ∂w_a/∂ξ_b = F_ṡ g_a g_b         (2)
//! ```
//!
//! F is positive where it drives s up; its power is F ṡ exactly. H follows from one 3×3 block ([`Bend`]), and so does (2), for a = i; along
//! an axis of j the force is a load that depends on the relative motion (`geometry`).

use super::Tangent;
use super::geometry::{Half, Linearized, Motion, pair};
use crate::bodies::{MarkerId, MarkerState};
use crate::math::{Mat3, Mat6, Vec3, Vec6, angular, linear, skew};
use crate::measures::{Bend, Context, Measure, Memory};

/// The measure a law acts along, between marker i and marker j.
#[derive(Debug, Clone)]
pub struct Along {
    pub measure: Measure,
    pub markers: [MarkerId; 2],
}

/// F and its derivatives.
#[derive(Debug, Clone, Copy)]
pub struct Slopes {
    /// F.
    pub force: f64,
    /// F_s.
    pub by_s: f64,
    /// F_ṡ.
    pub by_rate: f64,
}

impl Along {
    /// s, ṡ and g.
    #[inline]
    pub fn state(&self, ctx: &Context) -> (f64, f64, [Vec6; 2]) {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let (s, g) = self.measure.evaluate(i, j, ctx.past());
        (s, g[0].dot(&i.twist()) + g[1].dot(&j.twist()), g)
    }

    /// Equations (1) and (2), from F and its slopes at s and ṡ.
    #[inline]
    pub fn wrench_and_tangent(&self, ctx: &Context, law: impl FnOnce(f64, f64) -> Slopes, out: &mut Tangent) -> [Vec6; 2] {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let (s, rate, g) = self.state(ctx);
        let law = law(s, rate);
        self.write_tangent(i, j, &law, &g, out);
        g.map(|g| g * law.force)
    }

    /// Equation (2).
    #[inline]
    pub fn write_tangent(&self, i: &MarkerState, j: &MarkerState, law: &Slopes, g: &[Vec6; 2], out: &mut Tangent) {
        match self.measure.bend(i, j) {
            Bend::Shift(h) => shift_tangent(law, &linear(&g[0]), &h, &(i.v - j.v), out),
            Bend::Turn(h) => turn_tangent(law, &angular(&g[0]), &h, &(i.w - j.w), out),
            Bend::Axis => axis_tangent(law, &linear(&g[0]), i, j, out),
        }
    }

    /// Stores s where the measure counts turns.
    pub fn remember(&self, ctx: &Context, memory: &mut Memory) {
        if let Some(slot) = self.measure.slot() {
            let (s, rate, _) = self.state(ctx);
            memory.keep(slot, s, rate);
        }
    }
}

/// The distance of the origins with its rate, and its direction e.
#[inline]
pub fn between_origins(i: &MarkerState, j: &MarkerState) -> (f64, f64, Vec3) {
    let d = i.p - j.p;
    let s = d.norm();
    let e = if s > 0.0 { d / s } else { Vec3::zeros() };
    (s, e.dot(&(i.v - j.v)), e)
}

/// Equation (2) where g = (e, 0, −e, 0); v is the relative velocity.
#[inline]
fn shift_tangent(law: &Slopes, e: &Vec3, h: &Mat3, v: &Vec3, out: &mut Tangent) {
    let [by_shift, damping] = shifted(law, e, h, v);
    put(&mut out.position, 0, [&by_shift, &-by_shift]);
    put(&mut out.velocity, 0, [&damping, &-damping]);
}

/// The derivatives of F e by the relative displacement and by its rate, v, where h = ∂e.
#[inline]
pub fn shifted(law: &Slopes, e: &Vec3, h: &Mat3, v: &Vec3) -> [Mat3; 2] {
    let row = e * law.by_s + h * v * law.by_rate;
    [e * row.transpose() + h * law.force, e * (e * law.by_rate).transpose()]
}

/// Equation (2) where g = (0, n, 0, −n); w is the relative angular velocity.
#[inline]
fn turn_tangent(law: &Slopes, n: &Vec3, h: &Mat3, w: &Vec3, out: &mut Tangent) {
    let bent = h.tr_mul(w);
    let row_i = n * law.by_s + bent * law.by_rate;
    let row_j = (n.cross(w) - bent) * law.by_rate - n * law.by_s;
    let by_i = n * row_i.transpose() + h * law.force;
    let by_j = n * row_j.transpose() - (skew(n) + h) * law.force;
    put(&mut out.position, 3, [&by_i, &by_j]);
    let damping = n * (n * law.by_rate).transpose();
    put(&mut out.velocity, 3, [&damping, &-damping]);
}

/// Equation (2) along b, fixed in marker j.
#[inline]
fn axis_tangent(law: &Slopes, b: &Vec3, i: &MarkerState, j: &MarkerState, out: &mut Tangent) {
    let zero = Mat3::zeros();
    let along = |slope: f64| pair(&(b * (b * slope).transpose()), &zero);
    let by = [along(law.by_s), Half::zeros(), along(law.by_rate), Half::zeros()];
    Motion::of(i, j).write_tangent(&Linearized { force: b * law.force, torque: Vec3::zeros(), by }, out);
}

/// Writes the quarters at (`at`, `at`) of both blocks.
#[inline]
fn put(blocks: &mut [Mat6; 2], at: usize, of_i: [&Mat3; 2]) {
    for b in 0..2 {
        blocks[b].fill(0.0);
        blocks[b].fixed_view_mut::<3, 3>(at, at).copy_from(of_i[b]);
    }
}
