//! What a run gives: samples of the state, measures of its quality, statistics, events.

mod dense;

pub use dense::interpolate;

use crate::integrators::Statistics;
use crate::system::{Energy, Momentum, State, System};

/// One recorded instant; accelerations and multipliers are consistent with q and v.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The state.
    pub state: State,
    /// Its energies.
    pub energy: Energy,
    /// Its momentum.
    pub momentum: Momentum,
}

/// An event that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct EventRecord {
    /// The event's name.
    pub name: String,
    /// When.
    pub t: f64,
    /// The state just before the event's action.
    pub state: State,
}

/// The record of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// Recorded instants in order of time; the start and the end are always among them.
    pub samples: Vec<Sample>,
    /// Events in order of time.
    pub events: Vec<EventRecord>,
    /// Degrees of freedom of the mechanism as it was assembled.
    pub degrees_of_freedom: usize,
    /// Rows whose multipliers are not unique because constraints are redundant: the smallest ones are reported.
    pub non_unique_reactions: Vec<usize>,
    /// Solver statistics.
    pub statistics: Statistics,
    /// Largest violation of the position constraints at any accepted step.
    pub position_violation: f64,
    /// Largest violation of the velocity constraints at any accepted step.
    pub velocity_violation: f64,
    /// Largest change of the total energy against the start, over the samples, J.
    pub energy_drift: f64,
    /// What the user should know: a start in a singular configuration, reactions that could not be computed.
    pub warnings: Vec<String>,
}

impl Results {
    /// The last recorded state.
    pub fn last(&self) -> Option<&State> {
        self.samples.last().map(|s| &s.state)
    }

    /// Times of the samples.
    pub fn times(&self) -> Vec<f64> {
        self.series(|s| s.t)
    }

    /// Any quantity over the samples.
    pub fn series<T>(&self, quantity: impl Fn(&State) -> T) -> Vec<T> {
        self.samples.iter().map(|s| quantity(&s.state)).collect()
    }

    /// The state at any time within the record, by dense output between the samples around it (record every step for the
    /// full accuracy of the method); `None` outside.
    pub fn at(&self, system: &System, t: f64) -> Option<State> {
        let after = self.samples.partition_point(|s| s.state.t < t);
        let to = &self.samples.get(after)?.state;
        if to.t == t {
            return Some(to.clone());
        }
        let from = &self.samples.get(after.checked_sub(1)?)?.state;
        Some(interpolate(system, from, to, t))
    }

    pub(crate) fn add(&mut self, state: State, energy: Energy, momentum: Momentum) {
        if let Some(first) = self.samples.first() {
            self.energy_drift = self.energy_drift.max((energy.total() - first.energy.total()).abs());
        }
        self.samples.push(Sample { state, energy, momentum });
    }
}
