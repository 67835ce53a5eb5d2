//! Forces between pairs of markers that come and go: of many markers, few act on each other at a time, and which ones they are depends on
//! the state, as with contacts. The law says which pairs act now; a pair that acts gives wrenches and tangents as any force between two
//! markers does. The matrix of Newton's method has blocks for pairs that act, and for those that did a short while ago.

use super::{Exchange, Tangent};
use crate::bodies::MarkerId;
use crate::contact::Grid;
use crate::expr::Side;
use crate::math::{Vec3, Vec6};
use crate::measures::{Context, Memory};
use std::fmt::Debug;
use std::sync::Arc;

/// Two places in the list of a law's markers: i and j.
pub type Pair = [usize; 2];

/// How far two shapes may move relative to each other before they could have passed through each other, and how fast they move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clearance {
    /// Which force.
    pub force: usize,
    /// The distance, m.
    pub distance: f64,
    /// A bound of the relative speed, m/s.
    pub speed: f64,
}

/// A pair that has differential states.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairStates {
    /// The pair.
    pub pair: Pair,
    /// Where its states begin among those of the system.
    pub first: usize,
    /// How many there are.
    pub count: usize,
    /// How large they become: smaller ones need no smaller errors.
    pub size: f64,
}

/// How a differential state of a pair is coupled to its motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StateSlopes {
    /// The rate f of the state.
    pub rate: f64,
    /// ∂f by poses of markers i and j, and by their twists.
    pub by_pose: [Vec6; 2],
    /// ∂f by their twists.
    pub by_twist: [Vec6; 2],
    /// ∂f by the state itself.
    pub own: f64,
    /// The derivative of the wrench on marker i by the state.
    pub wrench: Vec6,
}

/// Two markers whose shapes are deep in each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The markers.
    pub markers: [MarkerId; 2],
    /// How deep, m.
    pub depth: f64,
}

/// A touch as the choice of steps sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closing {
    /// The pair.
    pub pair: Pair,
    /// Which of its touches.
    pub place: u32,
    /// The gap, m, negative where surfaces overlap.
    pub gap: f64,
    /// Its rate, m/s.
    pub rate: f64,
    /// The energy that is stored in it, J.
    pub stored: f64,
    /// The wrenches of a normal force of 1 N on both markers.
    pub along: [Vec6; 2],
}

/// A touch that is closed, as it is reported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Press {
    /// Which shapes, the one of group i first.
    pub pair: Pair,
    /// Which of their touches.
    pub place: u32,
    /// Where, in the world, m.
    pub point: Vec3,
    /// The normal force on the first shape, in the world, N; nothing where damping has taken all of it.
    pub normal: Vec3,
    /// The friction force on the first shape, in the world, N.
    pub friction: Vec3,
}

/// What a force between changing pairs gives.
pub trait PairLaw: Debug + Send + Sync {
    /// Unique name.
    fn name(&self) -> &str;
    /// All markers that it may act on.
    fn markers(&self) -> &[MarkerId];
    /// Appends the pairs that act at this state, with room for a search among many. They, and their order, depend on nothing else, and where one
    /// begins or ends to act its wrenches are continuous.
    fn acting(&self, ctx: &Context, grid: &mut Grid, out: &mut Vec<Pair>);
    /// The wrenches on both markers of a pair: action and reaction.
    fn wrench(&self, pair: Pair, ctx: &Context) -> [Vec6; 2];
    /// The same, and the tangent of the one on marker i in `out`, whatever was there before.
    fn wrench_and_tangent(&self, pair: Pair, ctx: &Context, out: &mut Tangent) -> [Vec6; 2];
    /// The change of the wrenches with time alone.
    fn rate(&self, _pair: Pair, _ctx: &Context) -> [Vec6; 2] {
        [Vec6::zeros(); 2]
    }
    /// Potential energy, J.
    fn potential(&self, _pair: Pair, _ctx: &Context) -> f64 {
        0.0
    }
    /// Power taken out of the system, W.
    fn dissipation(&self, _pair: Pair, _ctx: &Context) -> f64 {
        0.0
    }
    /// How it exchanges energy.
    fn exchange(&self) -> Exchange {
        Exchange::Dissipated
    }
    /// What it tells of itself as a whole: names and units.
    fn quantities(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Their values.
    fn tell(&self, _acting: &[Pair], _ctx: &Context, _out: &mut [f64]) {}
    /// The pairs that have differential states, whether they act or not.
    fn pair_states(&self) -> &[PairStates] {
        &[]
    }
    /// Calls `each` with the states of a pair, in order, and their slopes.
    fn for_states(&self, _of: &PairStates, _ctx: &Context, _each: &mut dyn FnMut(StateSlopes)) {}
    /// Whether it remembers how touches began.
    fn remembers(&self) -> bool {
        false
    }
    /// Keeps what must be remembered of an accepted state.
    fn remember(&self, _acting: &[Pair], _ctx: &Context, _memory: &mut Memory) {}
    /// Whether it is one thing here and another there, with sides that steps had better not leap over.
    fn has_sides(&self) -> bool {
        false
    }
    /// Appends its sides, always the same number of them.
    fn sides(&self, _ctx: &Context, _out: &mut Vec<Side>) {}
    /// Appends the distance and speed of every pair that could pass through each other, always the same pairs.
    fn clearances(&self, _ctx: &Context, _each: &mut dyn FnMut(f64, f64)) {}
    /// Those of its shapes that are deepest in each other, if they are so by more than a tenth of their size.
    fn overlap(&self, _acting: &[Pair], _ctx: &Context) -> Option<Overlap> {
        None
    }
    /// Calls `each` with the touches of pairs that act.
    fn closings(&self, _acting: &[Pair], _ctx: &Context, _each: &mut dyn FnMut(Closing)) {}
    /// Calls `each` with the touches of pairs that act and are closed.
    fn presses(&self, _acting: &[Pair], _ctx: &Context, _each: &mut dyn FnMut(Press)) {}
    /// How long a mass alone would be in contact that has such a gap and rate, s.
    fn duration(&self, _mass: f64, _touch: &Closing, _ctx: &Context) -> f64 {
        f64::INFINITY
    }
    /// What is wrong with its parameters, if anything.
    fn mistake(&self) -> Option<String> {
        None
    }
}

/// A force between changing pairs.
#[derive(Debug, Clone)]
pub struct PairForce(Arc<dyn PairLaw>);

impl PairForce {
    /// With this law.
    pub fn new(law: impl PairLaw + 'static) -> Self {
        Self(Arc::new(law))
    }
}

impl std::ops::Deref for PairForce {
    type Target = dyn PairLaw;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}
