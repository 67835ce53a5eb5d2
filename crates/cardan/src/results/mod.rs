//! What a run gives: samples of the state, measures of its quality, statistics, events.

mod balance;
mod channels;
mod contacts;
mod dense;

pub use balance::{EnergyBalance, Exchanged, Missing};
pub use channels::{Channel, Channels};
pub use contacts::ContactRecord;
pub use dense::interpolate;

use crate::integrators::Statistics;
use crate::math::Vec3;
use crate::system::{Energy, Momentum, State, System, UnknownName};

/// Which samples stay in memory; an observer sees all of them either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// All.
    #[default]
    All,
    /// The first and the last one.
    Ends,
}

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

/// How a run came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ending {
    /// At its end time (or by an error, which is then returned).
    #[default]
    Time,
    /// By an event that ends the run.
    Event,
    /// By its observer.
    Stopped,
}

/// The record of a run. Its numbers have names, which [`Channels`] lists.
///
/// ```
/// use cardan::prelude::*;
/// let mut model = Model::new("projectile");
/// model.set_gravity([0.0, 0.0, -9.81]);
/// model.add_body(Body::point("ball", 0.2).at([0.0, 0.0, 1.5]).moving([3.0, 0.0, 0.0]));
/// let system = System::new(&model)?;
/// let results = Simulation::new(&system).record(Record::Interval(0.1)).run(0.5)?;
///
/// let (times, heights) = (results.times(), results.channel(&system, "ball.position.z")?);
/// assert!((heights[5] - (1.5 - 0.5 * 9.81 * times[5] * times[5])).abs() < 1e-6);
/// assert!((results.vectors(&system, "ball.velocity")?[5].x - 3.0).abs() < 1e-6);
///
/// let mistake = results.channel(&system, "ball.positon.z").unwrap_err();
/// assert_eq!(mistake.to_string(), "there is no channel 'ball.positon.z'; did you mean 'ball.position.z'?");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Results {
    /// Recorded instants in order of time; the start and the end are always among them.
    pub samples: Vec<Sample>,
    /// How the run came to its end.
    pub ending: Ending,
    /// Events in order of time.
    pub events: Vec<EventRecord>,
    /// Degrees of freedom of the mechanism as it was assembled.
    pub degrees_of_freedom: usize,
    /// Rows whose multipliers are not unique because constraints are redundant: the smallest ones are reported.
    pub non_unique_reactions: Vec<usize>,
    /// Solver statistics.
    pub statistics: Statistics,
    /// Largest violation of the position constraints at any accepted step or sample.
    pub position_violation: f64,
    /// Largest violation of the velocity constraints at any accepted step or sample.
    pub velocity_violation: f64,
    /// Largest change of the total energy against the start, over the samples, J.
    pub energy_drift: f64,
    /// Where the energy came from, where it went, and what is missing.
    pub energy: EnergyBalance,
    /// What contacts, and other forces between changing pairs, did.
    pub contacts: Vec<ContactRecord>,
    /// What the user should know: a start in a singular configuration, reactions that could not be computed.
    pub warnings: Vec<String>,
}

impl Results {
    /// A channel over the samples, by its name, such as `crank.position.x`. Who wants most of the channels takes [`Channels::fill`].
    pub fn channel(&self, system: &System, name: &str) -> Result<Vec<f64>, UnknownName> {
        let mut channels = Channels::new(system);
        let place = channels.index(name)?;
        Ok(channels.columns(system, &self.samples, [place]).into_iter().map(|[value]| value).collect())
    }

    /// The three channels NAME.x, NAME.y and NAME.z over the samples, such as those of `crank.position`.
    pub fn vectors(&self, system: &System, name: &str) -> Result<Vec<Vec3>, UnknownName> {
        let mut channels = Channels::new(system);
        let place = |axis| channels.index(&format!("{name}.{axis}"));
        let places = [place("x")?, place("y")?, place("z")?];
        Ok(channels.columns(system, &self.samples, places).into_iter().map(Vec3::from).collect())
    }

    /// The last recorded state.
    #[must_use]
    pub fn last(&self) -> Option<&State> {
        self.samples.last().map(|s| &s.state)
    }

    /// Times of the samples.
    #[must_use]
    pub fn times(&self) -> Vec<f64> {
        self.series(|s| s.t)
    }

    /// Any quantity over the samples.
    #[must_use]
    pub fn series<T>(&self, quantity: impl Fn(&State) -> T) -> Vec<T> {
        self.samples.iter().map(|s| quantity(&s.state)).collect()
    }

    /// The state at any time within the record, by dense output between the samples around it (record every step for the
    /// full accuracy of the method); `None` outside.
    #[must_use]
    pub fn at(&self, system: &System, t: f64) -> Option<State> {
        let after = self.samples.partition_point(|s| s.state.t < t);
        let to = &self.samples.get(after)?.state;
        if to.t == t {
            return Some(to.clone());
        }
        let from = &self.samples.get(after.checked_sub(1)?)?.state;
        Some(interpolate(system, from, to, t))
    }

    /// Takes violations of positions and velocities into account.
    pub(crate) fn note_violation(&mut self, (position, velocity): (f64, f64)) {
        self.position_violation = self.position_violation.max(position);
        self.velocity_violation = self.velocity_violation.max(velocity);
    }

    pub(crate) fn add(&mut self, sample: Sample, keep: Keep) {
        if let Some(first) = self.samples.first() {
            self.energy_drift = self.energy_drift.max((sample.energy.total() - first.energy.total()).abs());
        }
        if keep == Keep::Ends {
            self.samples.truncate(1);
        }
        self.samples.push(sample);
    }
}
