//! Constraints: joints as lists of primitives, motions, couplers, user-written and nonholonomic constraints.
//!
//! A constraint sees n markers and gives rows. A row of level [`Level::Position`] is Φ(x, t) = 0, one of level
//! [`Level::Velocity`] (nonholonomic) is g(x, t)·ξ + b = 0; both act on the markers with the wrenches −λ g. For each row:
//!
//! ```text
//! value Φ, rate Φ_t, acceleration Φ_tt, gradient g_a, its time derivative ∂g_a/∂t, and H_ab = ∂g_a/∂x_b    (1)
//! ```
//!
//! with pose variations x and twists ξ as in [`crate::measures`]. Everything else (pull-back to bodies, velocity and
//! acceleration level, geometric stiffness) is built from these in `system`.

mod coupler;
mod curve;
mod expression;
pub mod joints;
mod motion;
mod nonholonomic;
mod paths;
mod primitives;
mod rows;
mod user;

pub use coupler::{Coordinate, Coupler, Term};
pub use curve::PointOnCurve;
pub use expression::{ExpressionConstraint, ExpressionRow};
pub use joints::{Joint, JointId, JointParameter, JointType};
pub use motion::{Drive, Motion, Prescribed};
pub use nonholonomic::{KnifeEdge, NoSlip, RollingContact, RollingDisk};
pub use paths::Paths;
pub use primitives::Axes;
pub use rows::{Row, RowTerm, Rows, Target};
pub use user::UserConstraint;

use crate::bodies::MarkerId;
use crate::math::{Mat6, Vec6};
use crate::measures::{Context, Memory};

/// At which level a constraint is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Φ(q, t) = 0.
    Position,
    /// A(q, t) v + b = 0.
    Velocity,
}

/// The parts of a row that do not belong to a marker.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowValue {
    /// Φ (zero for rows of velocity level).
    pub value: f64,
    /// Φ_t, or b for rows of velocity level.
    pub rate: f64,
    /// Φ_tt, or ∂b/∂t for rows of velocity level.
    pub acceleration: f64,
}

/// What every kind of constraint gives (equation 1 of the room).
pub trait Constraint {
    /// The markers it sees.
    fn markers(&self) -> &[MarkerId];
    /// Number of rows.
    fn rows(&self) -> usize;
    /// Names of the rows' directions, for messages.
    fn direction(&self, row: usize) -> String;
    /// Unit of a row's multiplier; "1" where the constraint cannot know.
    fn multiplier_unit(&self, _row: usize) -> &'static str {
        "N"
    }
    /// Position or velocity level.
    fn level(&self) -> Level {
        Level::Position
    }
    /// Whether a row may depend on time by itself, and so do work.
    fn is_driven(&self) -> bool {
        false
    }
    /// One row: value, gradient per marker and its explicit time derivative (both slices come zeroed).
    fn evaluate(&self, ctx: &Context, row: usize, gradient: &mut [Vec6], gradient_t: &mut [Vec6]) -> RowValue;
    /// H of one row, `out[a * n + b] += ∂g_a/∂x_b` (comes zeroed).
    fn hessian(&self, ctx: &Context, row: usize, out: &mut [Mat6]);
    /// How Φ̈ of one row, or for rows of velocity level the rate of A v + b, changes when the paths of its markers are varied.
    fn change(&self, ctx: &Context, row: usize, paths: &Paths) -> f64;
    /// Keeps only these rows, where others are identically zero. Kinds with one row have nothing to drop.
    fn keep(&mut self, _rows: &[usize]) {}
    /// Stores what must be remembered of an accepted state.
    fn remember(&self, _ctx: &Context, _memory: &mut Memory) {}
}

macro_rules! elements {
    ($($kind:ident),*) => {
        /// A compiled constraint.
        #[derive(Debug, Clone)]
        pub enum Element {
            $(#[doc = concat!("See [`", stringify!($kind), "`].")] $kind($kind)),*
        }
        impl Constraint for Element {
            fn markers(&self) -> &[MarkerId] { match self { $(Element::$kind(e) => e.markers()),* } }
            fn rows(&self) -> usize { match self { $(Element::$kind(e) => e.rows()),* } }
            fn direction(&self, row: usize) -> String { match self { $(Element::$kind(e) => e.direction(row)),* } }
            fn multiplier_unit(&self, row: usize) -> &'static str { match self { $(Element::$kind(e) => e.multiplier_unit(row)),* } }
            fn level(&self) -> Level { match self { $(Element::$kind(e) => e.level()),* } }
            fn is_driven(&self) -> bool { match self { $(Element::$kind(e) => e.is_driven()),* } }
            #[inline]
            fn evaluate(&self, ctx: &Context, row: usize, gradient: &mut [Vec6], gradient_t: &mut [Vec6]) -> RowValue {
                match self { $(Element::$kind(e) => e.evaluate(ctx, row, gradient, gradient_t)),* }
            }
            fn hessian(&self, ctx: &Context, row: usize, out: &mut [Mat6]) {
                match self { $(Element::$kind(e) => e.hessian(ctx, row, out)),* }
            }
            fn change(&self, ctx: &Context, row: usize, paths: &Paths) -> f64 {
                match self { $(Element::$kind(e) => e.change(ctx, row, paths)),* }
            }
            fn keep(&mut self, rows: &[usize]) { match self { $(Element::$kind(e) => e.keep(rows)),* } }
            fn remember(&self, ctx: &Context, memory: &mut Memory) {
                match self { $(Element::$kind(e) => e.remember(ctx, memory)),* }
            }
        }
        $(impl From<$kind> for Element { fn from(e: $kind) -> Self { Element::$kind(e) } })*
    };
}
elements!(Rows, UserConstraint, ExpressionRow, PointOnCurve, RollingContact, NoSlip, KnifeEdge);
