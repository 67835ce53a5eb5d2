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
//! must not run along z_j. s* is followed from step to step (`math/spline`). With e = d − r, D = r′·r′ − e·r″ and m either
//! n or b, functions of s whose derivatives dual numbers give, the derivatives by d are
//!
//! ```text
//! s_d = r′/D,    D s_dd = (e·r‴ − 3 r′·r″) s_d s_dᵀ + r″ s_dᵀ + s_d r″ᵀ                         (3)
//! Φ_d = m + (e·m′) s_d                                                                          (4)
//! Φ_dd = m′ s_dᵀ + s_d m′ᵀ + (e·m″ − r′·m′) s_d s_dᵀ + (e·m′) s_dd                              (5)
//! ```
//!
//! and those by the poses follow from the displacements d along the axes of j, which are measures. For third derivatives each Newton step on (1)
//! in numbers with derivatives carries one more order of those of s*.

use super::{Constraint, Paths, RowValue};
use crate::bodies::MarkerId;
use crate::math::number::{Number, length};
use crate::math::spline::Curve;
use crate::math::{Dual, Mat3, Mat6, Vec3, Vec6, skew};
use crate::measures::{Context, Frame, Measure, Memory};
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

    fn local(&self, ctx: &Context) -> Vec3 {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        j.r.tr_mul(&(i.p - j.p))
    }

    /// Φ in numbers along varied paths.
    fn residual<T: Number>(&self, row: usize, s: f64, frames: &[Frame<T>]) -> T {
        let (i, j) = (&frames[0], &frames[1]);
        let d = j.rotation.tr_mul(&(i.position - j.position));
        let [r, d1, d2, _] = self.curve.derivatives(s);
        let slope = T::constant(d1.norm_squared() - (d.map(T::value) - r).dot(&d2));
        let mut parameter = T::constant(s);
        for _ in 0..4 {
            let [r, t] = self.curve.varied(parameter);
            parameter += (d - r).dot(&t) / slope;
        }
        let [r, t] = self.curve.varied(parameter);
        (d - r).dot(&self.normal(row, t))
    }

    /// n or b (2) from r′.
    fn normal<T: Number>(&self, row: usize, tangent: Vector3<T>) -> Vector3<T> {
        let across = Vector3::new(-tangent.y, tangent.x, T::zero());
        let n = across / length(&across);
        if self.kept[row] == 0 { n } else { (tangent / length(&tangent)).cross(&n) }
    }

    /// What (3) to (5) are made of.
    fn point(&self, ctx: &Context, row: usize) -> Point {
        let d = self.local(ctx);
        let [r, r1, r2, r3] = self.curve.derivatives(self.parameter(ctx));
        let tangent = Vector3::from_fn(|k, _| Dual { v: r1[k], e1: r2[k], e2: r2[k], e12: r3[k] });
        let m = self.normal(row, tangent);
        let e = d - r;
        let slope = r1.norm_squared() - e.dot(&r2);
        Point { e, r: [r1, r2, r3], m: [m.map(|m| m.v), m.map(|m| m.e1), m.map(|m| m.e12)], slope, s_d: r1 / slope }
    }

    fn parameter(&self, ctx: &Context) -> f64 {
        self.curve.follow(&self.local(ctx), ctx.past().extrapolated(self.slot).unwrap_or(0.0))
    }

    /// How fast the nearest point runs along the curve.
    fn rate(&self, ctx: &Context, s: f64) -> f64 {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let relative = j.r.tr_mul(&(i.v - j.v - j.w.cross(&(i.p - j.p))));
        let tangent = self.curve.derivatives(s)[1];
        relative.dot(&tangent) / tangent.norm_squared()
    }
}

/// A point beside the curve: e; r′, r″, r‴; m, m′, m″; D; s_d.
struct Point {
    e: Vec3,
    r: [Vec3; 3],
    m: [Vec3; 3],
    slope: f64,
    s_d: Vec3,
}

impl Point {
    /// Equation (4).
    fn gradient(&self) -> Vec3 {
        self.m[0] + self.s_d * self.e.dot(&self.m[1])
    }

    /// Equation (5).
    fn hessian(&self) -> Mat3 {
        let Self { e, r: [r1, r2, r3], m: [_, m1, m2], slope, s_d } = self;
        let square = s_d * s_d.transpose();
        let both = |a: &Vec3| a * s_d.transpose() + s_d * a.transpose();
        let s_dd = (square * (e.dot(r3) - 3.0 * r1.dot(r2)) + both(r2)) / *slope;
        both(m1) + square * (e.dot(m2) - r1.dot(m1)) + s_dd * e.dot(m1)
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

    fn evaluate(&self, ctx: &Context, row: usize, gradient: &mut [Vec6], _: &mut [Vec6]) -> RowValue {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let point = self.point(ctx, row);
        let (_, g) = Measure::Along(point.gradient()).evaluate(i, j, ctx.past());
        gradient.iter_mut().zip(&g).for_each(|(gradient, g)| *gradient += g);
        RowValue { value: point.e.dot(&point.m[0]), ..RowValue::default() }
    }

    fn hessian(&self, ctx: &Context, row: usize, out: &mut [Mat6]) {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let point = self.point(ctx, row);
        let bent = Measure::Along(point.gradient()).hessian(i, j);
        // Φ_dd in the axes of the world, and how d changes with the poses: by −δp_j and d × δθ_j as well as by δp_i.
        let curved = j.r * point.hessian() * j.r.transpose();
        let by_turns = skew(&(i.p - j.p));
        let zero = Mat3::zeros();
        let maps = [[Mat3::identity(), zero], [-Mat3::identity(), by_turns]];
        for (k, out) in out.iter_mut().enumerate() {
            let (a, b) = (k / 2, k % 2);
            *out += bent[a][b];
            for (row, left) in maps[a].iter().enumerate() {
                for (column, right) in maps[b].iter().enumerate() {
                    let mut part = out.fixed_view_mut::<3, 3>(3 * row, 3 * column);
                    part += left.transpose() * curved * right;
                }
            }
        }
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
