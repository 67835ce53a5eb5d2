//! Forces between two markers, and gravity. One file a kind; a new force is a file here and a line in the list below.
//!
//! A force gives the wrenches w_i = (F, M) and w_j = −(F, M + (p_i − p_j) × F), force and torque at the marker in world axes, and the
//! exact tangent of w_i with respect to pose variations x and twists ξ of both markers, its potential energy and the power it dissipates, so that an energy audit
//! can check it. Two mechanisms cover the kinds: a scalar law along a measure (`along`) and a law in the axes of
//! marker j (`relative`). Forces between pairs of markers that come and go implement [`PairLaw`] instead. Forces given by expressions
//! ([`ExpressionForce`]) are data here; `system/expressions` evaluates them.

mod along;
mod beam;
mod between;
mod bushing;
#[cfg(test)]
mod bushing_tests;
mod deformation;
mod expression;
mod friction;
pub(crate) mod geometry;
mod gravity;
mod halfway;
mod pair;
mod relative;
mod single;
mod spring_damper;
mod vector;

pub use beam::{Beam, Section};
pub(crate) use between::Between;
pub use bushing::Bushing;
pub use expression::{COMPONENTS, Components, ExpressionForce};
pub use friction::JointFriction;
pub use gravity::Gravity;
pub use pair::{Clearance, Closing, Overlap, Pair, PairForce, PairLaw, PairStates, Press, StateSlopes};
pub use relative::Relative;
pub use single::{Line, SingleForce};
pub use spring_damper::{RotationalSpringDamper, SpringDamper, SpringLaw};
pub use vector::{GeneralForce, VectorForce};

use crate::bodies::MarkerId;
use crate::expr::Side;
use crate::math::{Mat6, Vec6};
use crate::measures::{Context, Memory};

/// Tangent blocks of a force: ∂w_i/∂x_b and ∂w_i/∂ξ_b, b being 0 for marker i and 1 for marker j. What acts on j is the reaction to w_i at
/// the origin of i, so that its tangent follows.
#[derive(Debug, Clone, PartialEq)]
pub struct Tangent {
    /// With respect to poses.
    pub position: [Mat6; 2],
    /// With respect to twists.
    pub velocity: [Mat6; 2],
}

impl Tangent {
    /// All zero.
    pub fn zero() -> Self {
        Self { position: [Mat6::zeros(); 2], velocity: [Mat6::zeros(); 2] }
    }
}

/// How a force exchanges energy with the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// Through its potential alone.
    Stored,
    /// Through its potential and what it dissipates.
    Dissipated,
    /// In any way: its power is that of its wrenches.
    Applied,
}

/// What every kind of force gives.
pub trait ForceLaw {
    /// Unique name.
    fn name(&self) -> &str;
    /// Marker i and marker j.
    fn markers(&self) -> [MarkerId; 2];
    /// The wrenches on both markers: action and reaction.
    fn wrench(&self, ctx: &Context) -> [Vec6; 2];
    /// The wrenches, and the tangent of w_i in `out`, whatever was there before.
    fn wrench_and_tangent(&self, ctx: &Context, out: &mut Tangent) -> [Vec6; 2];
    /// The tangent of w_i.
    fn tangent(&self, ctx: &Context) -> Tangent {
        let mut out = Tangent::zero();
        self.wrench_and_tangent(ctx, &mut out);
        out
    }
    /// The change of the wrenches with time alone.
    fn rate(&self, _ctx: &Context) -> [Vec6; 2] {
        [Vec6::zeros(); 2]
    }
    /// Potential energy, J.
    fn potential(&self, _ctx: &Context) -> f64 {
        0.0
    }
    /// Power taken out of the system by the force's damping, W (zero or positive for passive laws).
    fn dissipation(&self, _ctx: &Context) -> f64 {
        0.0
    }
    /// How it exchanges energy.
    fn exchange(&self) -> Exchange {
        Exchange::Dissipated
    }
    /// The multipliers the force depends on (friction), as indices of constraint rows.
    fn reaction_rows(&self) -> &[usize] {
        &[]
    }
    /// ∂w/∂λ of one of [`ForceLaw::reaction_rows`].
    fn reaction_gradient(&self, _ctx: &Context, _row: usize) -> [Vec6; 2] {
        [Vec6::zeros(); 2]
    }
    /// The slot of its remembered angle, if it counts turns.
    fn slot(&mut self) -> Option<&mut usize> {
        None
    }
    /// Stores what must be remembered of an accepted state.
    fn remember(&self, _ctx: &Context, _memory: &mut Memory) {}
    /// Whether the law is one thing here and another there, with sides that steps had better not leap over.
    fn has_sides(&self) -> bool {
        false
    }
    /// Its side, if it has any.
    fn side(&self, _ctx: &Context) -> Option<Side> {
        None
    }
    /// What is wrong with its parameters, if anything.
    fn mistake(&self) -> Option<String> {
        None
    }
}

macro_rules! registry {
    ($($Kind:ident: $summary:literal;)*) => {
        /// A force of any kind.
        #[derive(Debug, Clone)]
        pub enum Force {
            $(#[doc = $summary] $Kind($Kind)),*
        }
        /// Name and one-line summary of every kind of force: the list behind reference tables.
        pub const KINDS: &[(&str, &str)] = &[$((stringify!($Kind), $summary)),*];
        impl Force {
            /// The name of the kind, as in [`KINDS`].
            pub fn kind_name(&self) -> &'static str { match self { $(Force::$Kind(_) => stringify!($Kind)),* } }
        }
        impl ForceLaw for Force {
            fn name(&self) -> &str { match self { $(Force::$Kind(f) => f.name()),* } }
            fn markers(&self) -> [MarkerId; 2] { match self { $(Force::$Kind(f) => f.markers()),* } }
            #[inline]
            fn wrench(&self, ctx: &Context) -> [Vec6; 2] { match self { $(Force::$Kind(f) => f.wrench(ctx)),* } }
            #[inline]
            fn wrench_and_tangent(&self, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
                match self { $(Force::$Kind(f) => f.wrench_and_tangent(ctx, out)),* }
            }
            fn rate(&self, ctx: &Context) -> [Vec6; 2] { match self { $(Force::$Kind(f) => f.rate(ctx)),* } }
            fn potential(&self, ctx: &Context) -> f64 { match self { $(Force::$Kind(f) => f.potential(ctx)),* } }
            fn dissipation(&self, ctx: &Context) -> f64 { match self { $(Force::$Kind(f) => f.dissipation(ctx)),* } }
            fn exchange(&self) -> Exchange { match self { $(Force::$Kind(f) => f.exchange()),* } }
            fn reaction_rows(&self) -> &[usize] { match self { $(Force::$Kind(f) => f.reaction_rows()),* } }
            fn reaction_gradient(&self, ctx: &Context, row: usize) -> [Vec6; 2] {
                match self { $(Force::$Kind(f) => f.reaction_gradient(ctx, row)),* }
            }
            fn slot(&mut self) -> Option<&mut usize> { match self { $(Force::$Kind(f) => f.slot()),* } }
            fn remember(&self, ctx: &Context, memory: &mut Memory) { match self { $(Force::$Kind(f) => f.remember(ctx, memory)),* } }
            fn has_sides(&self) -> bool { match self { $(Force::$Kind(f) => f.has_sides()),* } }
            fn side(&self, ctx: &Context) -> Option<Side> { match self { $(Force::$Kind(f) => f.side(ctx)),* } }
            fn mistake(&self) -> Option<String> { match self { $(Force::$Kind(f) => f.mistake()),* } }
        }
        $(impl From<$Kind> for Force { fn from(f: $Kind) -> Self { Force::$Kind(f) } })*
    };
}

registry! {
    SpringDamper: "spring and damper along the line between two markers";
    RotationalSpringDamper: "spring and damper about z, counting turns";
    Bushing: "linear force and torque in six directions with 6×6 stiffness and damping";
    Beam: "Timoshenko beam element between two markers";
    JointFriction: "regularised Coulomb friction with stiction in a joint, with the joint's reaction as normal force";
    SingleForce: "user function along a line, an axis or a rotation";
    VectorForce: "user force with three components in the axes of marker j";
    GeneralForce: "user force and torque with six components in the axes of marker j";
}
