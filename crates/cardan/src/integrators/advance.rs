//! What the stepper asks of a method while it runs: to go from `now` to `next`. The implicit methods that solve for one acceleration-like
//! unknown share one implementation (`implicit`); the others have their own.

use super::extents::Extents;
use super::speeds::Speeds;
use super::start::Change;
use super::stepper::Statistics;
use super::{Options, StepError};
use crate::math::weighted_rms;
use crate::newton::Point;
use crate::system::{Kkt, KktError, State, System, Work};
use std::fmt::Debug;

/// The size of a local error against the tolerance, and how it falls with h.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// √Θ = error / tolerance; the step is good if it is at most 1.
    pub ratio: f64,
    /// The error falls as h^(order + 1).
    pub order: usize,
    /// The same two of a next step of this size, whose order may be another one.
    pub next: (f64, usize),
}

/// 1/Y of the coordinates behind u, of the velocities, and of the differential states.
#[derive(Debug, Clone, Copy)]
pub struct Sizes<'a> {
    /// Of the coordinates.
    pub moving: &'a [f64],
    /// Of the velocities; empty where they are not controlled.
    pub rates: &'a [f64],
    /// Of the states.
    pub states: &'a [f64],
}

impl Sizes<'_> {
    /// The size of errors of velocities; zero where they are not controlled.
    pub fn of_rates(&self, error: &[f64]) -> f64 {
        if self.rates.is_empty() { 0.0 } else { weighted_rms(error, self.rates) }
    }

    /// By how much more, against their sizes, something changes as a velocity than as a position of the same number, at most.
    pub fn quickest(&self) -> f64 {
        self.rates.iter().zip(self.moving).fold(0.0, |m, (rate, moving)| m.max(rate / moving))
    }

    /// The largest round-off of all velocities.
    pub fn round_off(&self, c: f64) -> f64 {
        round_off(self.quickest(), 1.0, c)
    }

    /// That of one of them; zero beyond the velocities.
    pub fn of_rate(&self, error: &[f64], entry: usize) -> f64 {
        self.rates.get(entry).map_or(0.0, |weight| (weight * error[entry]).abs())
    }
}

/// The error of one velocity of weight `rate`, whose position has the weight `moving`, that round-off of the position makes in a step over which
/// velocities move positions by `c` times themselves.
pub fn round_off(rate: f64, moving: f64, c: f64) -> f64 {
    4.0 * f64::EPSILON * rate / (moving * c)
}

/// What every method has at hand.
#[derive(Debug)]
pub struct Site<'s> {
    /// The equations.
    pub system: &'s System,
    /// How the method is used; the formulation is one of the method's.
    pub options: Options,
    /// Where the last accepted step ended. Never written by an attempt.
    pub now: Point,
    /// Where the attempted step ended.
    pub next: Point,
    /// Accelerations and projections.
    pub kkt: Kkt,
    /// Scratch of evaluations.
    pub work: Work,
    /// 1/Y: Y the sizes of the coordinates behind u, then of the differential states.
    pub weights: Vec<f64>,
    /// 1/Y of the velocities; empty where they are not controlled.
    pub rates: Vec<f64>,
    /// What the sizes of positions and states are made from; `None` where they are those of papers.
    pub extents: Option<Extents>,
    /// What the sizes of velocities are made from.
    pub speeds: Speeds,
    /// Largest violations where the attempted step ended: position and velocity level.
    pub violation: (f64, f64),
    /// Steps since the last start, and the size of the first one.
    pub since_start: (usize, f64),
    /// Counts so far; those of `kkt` are added by the stepper.
    pub statistics: Statistics,
}

impl Site<'_> {
    /// 1/Y, in three parts.
    pub fn sizes(&self) -> Sizes<'_> {
        let (moving, states) = self.weights.split_at(self.system.nv());
        Sizes { moving, rates: &self.rates, states }
    }

    /// Sizes for a step that ends where `next` stands: a mechanism that starts from rest is known by where it gets to.
    pub fn weigh(&mut self) {
        if let Some(extents) = &self.extents {
            extents.weigh(&self.next.x, &mut self.weights);
        }
        if !self.rates.is_empty() {
            self.speeds.weigh_errors(&self.next.x.v, &mut self.rates);
        }
    }
}

/// A method at work on a system.
pub trait Advance: Debug {
    /// Forgets the past; `site.now` has consistent q, v, a, λ, with u = a and w = ẋ; the first step will be about `h`.
    fn start(&mut self, site: &mut Site, h: f64) -> Result<(), KktError>;
    /// Writes `site.next` at `h` after `site.now`, with its time. With a tolerance, gives the estimate of the local error.
    fn attempt(&mut self, site: &mut Site, h: f64, tolerance: Option<f64>) -> Result<Option<Estimate>, StepError>;
    /// Whether steps keep the constraints, so that gross violations mean that one has gone wrong.
    fn keeps_constraints(&self) -> bool {
        true
    }
    /// The attempted step was accepted: `site.now` is its end.
    fn accept(&mut self, _site: &mut Site) {}
    /// The attempted step failed.
    fn failed(&mut self) {}
    /// The local error of the attempted step, entry by entry against 1/Y: of velocities' coordinates first, then of differential states.
    fn error_of(&self, site: &Site, entry: usize) -> f64;
    /// A first step whose error is about the tolerance, where accelerations and rates change by `change` over `probe`.
    fn first_step(&self, site: &Site, change: &Change, probe: f64, tolerance: f64) -> f64;
    /// The state at `t` within the attempted step, where the method has a dense output of its own.
    fn between(&self, _site: &Site, _t: f64) -> Option<State> {
        None
    }
}
