//! What tells the implicit methods apart (`implicit`). One implementation serves the Newmark family (`one_step`), another the backward
//! differentiation formulas (`bdf`).

use super::advance::{Estimate, Sizes};
use super::{Options, start::Change};
use crate::newton::{Coefficients, Known, Point};
use crate::system::{Kkt, KktError, System, Work};
use std::fmt::Debug;

/// A step as it was solved.
#[derive(Debug, Clone, Copy)]
pub struct Attempted<'a> {
    /// The equations.
    pub system: &'a System,
    /// Where it started.
    pub now: &'a Point,
    /// Where it ended.
    pub next: &'a Point,
}

/// Takes out of errors of velocities what constraints do not admit and stiff forces do not let last: (S Gᵀ; G 0)(e, ·) = (c_a M e, 0) with
/// the Newton matrix.
pub type Filter<'a> = dyn FnMut(&mut [f64]) + 'a;

/// The formulas of an implicit method.
pub trait Formula: Debug {
    /// Forgets the past; prepares a point with consistent q, v, a, λ, with u = a and w = ẋ, for a first step of about `h`.
    fn start(
        &mut self,
        system: &System,
        options: &Options,
        h: f64,
        now: &mut Point,
        kkt: &mut Kkt,
        work: &mut Work,
    ) -> Result<(), KktError>;
    /// Writes what is known of differential states before a step of size `h` from `now`, and gives the step's coefficients.
    fn prepare(&mut self, system: &System, now: &Point, h: f64, known: &mut Known) -> Coefficients;
    /// q̂ and v̂ of the step that was prepared: as a rule where it starts.
    fn base<'a>(&'a self, now: &'a Point) -> [&'a [f64]; 2] {
        [&now.x.q, &now.x.v]
    }
    /// Local errors of the step to `next`, entry by entry against 1/Y: of u's coordinates first, then of differential states.
    fn error_of(&self, system: &System, now: &Point, next: &Point, sizes: Sizes, entry: usize) -> f64;
    /// The local error of the step to `next` for this tolerance.
    fn estimate(&mut self, step: &Attempted, sizes: Sizes, tolerance: f64, filter: &mut Filter) -> Estimate;
    /// A first step whose error is about the tolerance, where accelerations and rates change by `change` over `probe`.
    fn first_step(&self, change: &Change, probe: f64, sizes: Sizes, tolerance: f64) -> f64;
    /// The step to `now` was accepted.
    fn accept(&mut self, system: &System, now: &Point);
}
