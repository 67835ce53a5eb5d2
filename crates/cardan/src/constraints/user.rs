//! Constraints written by the user: Φ(markers, t) = 0 as a closure over dual numbers.
//!
//! Derivatives are taken by seeding the marker poses: first derivatives two directions at a pass, second derivatives
//! one pair of directions at a pass, all exact.

use super::{Constraint, ExpressionConstraint, Paths, RowValue};
use crate::bodies::MarkerId;
use crate::math::{Dual, Mat6, Vec6};
use crate::measures::{Context, Frame};
use std::sync::Arc;

type Function = dyn Fn(&[Frame], Dual) -> Dual + Send + Sync;

/// A scalar constraint between any number of markers.
#[derive(Clone)]
pub struct UserConstraint {
    /// Unique name.
    pub name: String,
    markers: Vec<MarkerId>,
    function: Arc<Function>,
}

impl UserConstraint {
    /// Holds `function(marker frames, time)` at zero.
    pub fn new(name: &str, markers: &[MarkerId], function: impl Fn(&[Frame], Dual) -> Dual + Send + Sync + 'static) -> Self {
        Self { name: name.into(), markers: markers.to_vec(), function: Arc::new(function) }
    }

    /// Holds an expression of displacements, angles and time at zero.
    pub fn expression(name: &str, function: impl Into<String>) -> ExpressionConstraint {
        ExpressionConstraint { name: name.into(), function: function.into() }
    }
}

impl std::fmt::Debug for UserConstraint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UserConstraint").field("name", &self.name).field("markers", &self.markers).finish_non_exhaustive()
    }
}

/// Directions of n markers followed by time.
pub(super) fn seeded<T>(ctx: &Context, markers: &[MarkerId], first: usize, second: usize, f: impl FnOnce(&[Frame], Dual) -> T) -> T {
    let own = |k: usize, direction: usize| (direction / 6 == k).then_some(direction % 6);
    let frame = |(k, id): (usize, &MarkerId)| Frame::seeded(ctx.marker(*id), own(k, first), own(k, second));
    let time = 6 * markers.len();
    let t = Dual::seeded(ctx.t, f64::from(first == time), f64::from(second == time));
    match markers {
        [i] => f(&[frame((0, i))], t),
        [i, j] => f(&[frame((0, i)), frame((1, j))], t),
        many => f(&many.iter().enumerate().map(frame).collect::<Vec<_>>(), t),
    }
}

impl Constraint for UserConstraint {
    fn markers(&self) -> &[MarkerId] {
        &self.markers
    }

    fn rows(&self) -> usize {
        1
    }

    fn direction(&self, _: usize) -> String {
        "user function".into()
    }

    fn multiplier_unit(&self, _: usize) -> &'static str {
        "1"
    }

    fn is_driven(&self) -> bool {
        true
    }

    fn evaluate(&self, ctx: &Context, _: usize, gradient: &mut [Vec6], gradient_t: &mut [Vec6]) -> RowValue {
        differentiate(ctx, &self.markers, gradient, gradient_t, &*self.function)
    }

    fn hessian(&self, ctx: &Context, _: usize, out: &mut [Mat6]) {
        second_derivatives(ctx, &self.markers, out, &*self.function);
    }

    fn change(&self, _: &Context, _: usize, paths: &Paths) -> f64 {
        paths.by_differences(&*self.function)
    }
}

/// Value, gradient and time derivatives of a function of frames.
pub(super) fn differentiate(
    ctx: &Context,
    markers: &[MarkerId],
    gradient: &mut [Vec6],
    gradient_t: &mut [Vec6],
    function: impl Fn(&[Frame], Dual) -> Dual,
) -> RowValue {
    let time = 6 * markers.len();
    for a in 0..time {
        let y = seeded(ctx, markers, a, time, &function);
        gradient[a / 6][a % 6] += y.e1;
        gradient_t[a / 6][a % 6] += y.e12;
    }
    let y = seeded(ctx, markers, time, time, &function);
    RowValue { value: y.v, rate: y.e1, acceleration: y.e12 }
}

/// H of a function of frames.
pub(super) fn second_derivatives(ctx: &Context, markers: &[MarkerId], out: &mut [Mat6], function: impl Fn(&[Frame], Dual) -> Dual) {
    let n = markers.len();
    for a in 0..6 * n {
        for b in 0..6 * n {
            out[(a / 6) * n + b / 6][(a % 6, b % 6)] += seeded(ctx, markers, a, b, &function).e12;
        }
    }
}
