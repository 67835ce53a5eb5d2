//! Watching a run: what is recorded and how far it is, as it goes; and ending it early.

use super::assemble::Assembly;
use crate::integrators::Statistics;
use crate::results::Sample;
use std::ops::ControlFlow;

/// How far a run is, after an accepted step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Time reached, s.
    pub t: f64,
    /// Size of the step that led there, s.
    pub h: f64,
    /// End of the run, s.
    pub t_end: f64,
    /// Statistics so far.
    pub statistics: Statistics,
}

/// Someone who watches a run. Every method may be left out.
pub trait Observer {
    /// The mechanism is assembled, time integration begins.
    fn assembled(&mut self, _assembly: &Assembly) {}
    /// A sample was recorded; `Break` ends the run here, also amid the samples of one step.
    fn sample(&mut self, _sample: &Sample) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// How many samples behind the steps it may be told of them: those of large systems are then finished in a thread of their own, while
    /// the run goes on. The samples are the same, but `Break` ends the run so much later, and those under way are told nevertheless.
    fn lag(&self) -> usize {
        0
    }
    /// A step was accepted; `Break` ends the run here.
    fn step(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Nobody.
pub(super) struct Unobserved;

impl Observer for Unobserved {}
