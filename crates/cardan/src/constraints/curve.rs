//! A point of one body on a spline curve of another.
//!
//! With d the origin of marker i in the axes of marker j, s*(d) the parameter of the nearest point of the curve r(s), t the
//! unit tangent there and k the z axis of marker j:
//!
//! ```text
//! (d − r(s*))·r′(s*) = 0                                                                (1)
//! Φ₁ = (d − r)·n,   Φ₂ = (d − r)·b,   n = k × t / |k × t|,   b = t × n                   (2)
//! ```
//!
//! In the plane of a flat curve Φ₁ is the signed distance and Φ₂ the height, which planar models do not have. The curve
//! must not run along z_j. Derivatives: each Newton step on (1) in numbers with derivatives carries one more order of those of s*.

use super::user::{differentiate, second_derivatives};
use super::{Constraint, Paths, RowValue};
use crate::bodies::MarkerId;
use crate::math::number::{Number, length};
use crate::math::spline::Curve;
use crate::math::{Mat6, Vec6};
use crate::measures::{Context, Frame, Memory};
use nalgebra::Vector3;
use std::sync::Arc;

/// Keeps the origin of marker i on a curve fixed to marker j.
#[derive(Debug, Clone)]
pub struct PointOnCurve {
    /// Unique name.
    pub name: String,
    markers: [MarkerId; 2],
    curve: Arc<Curve>,
    slot: usize,
    kept: Vec<usize>,
}

impl PointOnCurve {
    /// Marker i's origin stays on the curve, whose points are given in the axes of marker j.
    pub fn new(name: &str, i: MarkerId, j: MarkerId, curve: Curve) -> Self {
        Self { name: name.into(), markers: [i, j], curve: Arc::new(curve), slot: usize::MAX, kept: vec![0, 1] }
    }

    /// The curve, in the axes of marker j.
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    pub(crate) fn set_slot(&mut self, slot: usize) {
        self.slot = slot;
    }

    /// Remembers the nearest point over the whole curve.
    pub(crate) fn start(&self, ctx: &Context, memory: &mut Memory) {
        memory.keep(self.slot, self.curve.nearest(&self.local(ctx)), 0.0);
    }

    fn local(&self, ctx: &Context) -> crate::math::Vec3 {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        j.r.tr_mul(&(i.p - j.p))
    }

    fn residual<T: Number>(&self, row: usize, s: f64, frames: &[Frame<T>]) -> T {
        let (i, j) = (&frames[0], &frames[1]);
        let d = j.rotation.tr_mul(&(i.position - j.position));
        let [r, d1, d2] = self.curve.derivatives(s);
        let slope = T::constant(d1.norm_squared() - (d.map(T::value) - r).dot(&d2));
        let mut parameter = T::constant(s);
        for _ in 0..4 {
            let [r, t] = self.curve.varied(parameter);
            parameter += (d - r).dot(&t) / slope;
        }
        let [r, t] = self.curve.varied(parameter);
        let t = t / length(&t);
        let across = Vector3::new(-t.y, t.x, T::zero());
        let n = across / length(&across);
        let direction = if self.kept[row] == 0 { n } else { t.cross(&n) };
        (d - r).dot(&direction)
    }

    fn parameter(&self, ctx: &Context) -> f64 {
        self.curve.refine(&self.local(ctx), ctx.past().extrapolated(self.slot).unwrap_or(0.0))
    }

    /// How fast the nearest point runs along the curve.
    fn rate(&self, ctx: &Context, s: f64) -> f64 {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let relative = j.r.tr_mul(&(i.v - j.v - j.w.cross(&(i.p - j.p))));
        let tangent = self.curve.derivatives(s)[1];
        relative.dot(&tangent) / tangent.norm_squared()
    }
}

impl Constraint for PointOnCurve {
    fn markers(&self) -> &[MarkerId] {
        &self.markers
    }

    fn rows(&self) -> usize {
        self.kept.len()
    }

    fn direction(&self, row: usize) -> String {
        ["normal to the curve", "height over the curve"][self.kept[row]].into()
    }

    fn evaluate(&self, ctx: &Context, row: usize, gradient: &mut [Vec6], gradient_t: &mut [Vec6]) -> RowValue {
        let s = self.parameter(ctx);
        differentiate(ctx, &self.markers, gradient, gradient_t, |frames, _| self.residual(row, s, frames))
    }

    fn hessian(&self, ctx: &Context, row: usize, out: &mut [Mat6]) {
        let s = self.parameter(ctx);
        second_derivatives(ctx, &self.markers, out, |frames, _| self.residual(row, s, frames));
    }

    fn change(&self, ctx: &Context, row: usize, paths: &Paths) -> f64 {
        self.residual(row, self.parameter(ctx), paths.frames).varied[2]
    }

    /// Planar models have no height row.
    fn keep(&mut self, rows: &[usize]) {
        self.kept = rows.iter().map(|r| self.kept[*r]).collect();
    }

    fn remember(&self, ctx: &Context, memory: &mut Memory) {
        let s = self.parameter(ctx);
        memory.keep(self.slot, s, self.rate(ctx, s));
    }
}
