//! What the stepper asks of a method while it runs. One implementation serves the Newmark family (`one_step`), another the backward
//! differentiation formulas (`bdf`).

use super::step::{Coefficients, Known, Point};
use super::{Options, start::Change};
use crate::system::{Kkt, KktError, System, Work};
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

/// 1/Y of the coordinates behind u, and of the differential states.
#[derive(Debug, Clone, Copy)]
pub struct Sizes<'a> {
    /// Of the coordinates.
    pub moving: &'a [f64],
    /// Of the states.
    pub states: &'a [f64],
}

/// A method at work.
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
    /// Writes what is known before a step of size `h` from `now` and gives its coefficients.
    fn prepare(&mut self, system: &System, now: &Point, h: f64, known: &mut Known) -> Coefficients;
    /// Local errors of the step to `next`, entry by entry against 1/Y: of u's coordinates first, then of differential states.
    fn error_of(&self, system: &System, now: &Point, next: &Point, sizes: Sizes, entry: usize) -> f64;
    /// The local error of the step to `next` for this tolerance.
    fn estimate(&mut self, system: &System, now: &Point, next: &Point, sizes: Sizes, tolerance: f64) -> Estimate;
    /// A first step whose error is about the tolerance, where accelerations and rates change by `change` over `probe`.
    fn first_step(&self, now: &Point, change: &Change, probe: f64, sizes: Sizes, tolerance: f64) -> f64;
    /// The step to `now` was accepted.
    fn accept(&mut self, system: &System, now: &Point);
}
