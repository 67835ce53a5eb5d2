//! The runs of a mechanism: every method in every form of the constraints it offers, at some tolerances, and one with nothing but
//! defaults.

use super::judge::{Judge, Worst};
use super::truth::{Truth, truth};
use super::{Mechanism, kept, mechanism};
use cardan::analysis;
use cardan::integrators::{Method, all};
use cardan::prelude::*;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

/// The tolerances.
pub const TOLERANCES: [f64; 5] = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];

/// Steps after which a run is given up.
const MOST: usize = 100_000;

/// How a run is made.
#[derive(Debug, Clone)]
pub struct Way {
    /// The method; `None` for all defaults.
    pub method: Option<Arc<dyn Method>>,
    /// Form of the constraints.
    pub formulation: Formulation,
    /// Tolerance; `None` for the default one.
    pub tolerance: Option<f64>,
}

impl Way {
    /// Nothing but defaults.
    pub fn default_settings() -> Self {
        Self { method: None, formulation: Formulation::Default, tolerance: None }
    }

    /// The name of the method and of the form of the constraints, as in tables and on the command line.
    pub fn name(&self) -> String {
        match &self.method {
            None => "defaults".into(),
            Some(method) => format!("{}-{}", method.name(), self.formulation.name().replace("index ", "i")),
        }
    }

    /// The tolerance in words.
    pub fn tolerance_name(&self) -> String {
        self.tolerance.map_or("default".into(), |t| format!("{t:.0e}"))
    }

    /// The bar of the promise, relative to the scale of a channel; `None` where the motion is too sensitive.
    fn promise(&self, sensitivity: f64) -> Option<f64> {
        let tolerance = self.tolerance.unwrap_or(1e-5);
        let plain = (1e4 * tolerance).clamp(1e-3, 0.3);
        let amplified = 100.0 * sensitivity * tolerance;
        (amplified <= 0.3).then_some(plain.max(amplified))
    }
}

/// Every method in every form of the constraints it solves with error control.
pub fn ways() -> Vec<(Arc<dyn Method>, Formulation)> {
    let adaptive = all().into_iter().filter(|m| m.adaptive());
    let ways = adaptive.flat_map(|m| m.formulations().iter().map(move |f| (m.clone(), *f)).collect::<Vec<_>>());
    ways.filter(|(m, f)| !(m.undamped() && *f == Formulation::Index3)).collect()
}

/// Which runs are made of every mechanism.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// Every method at one tolerance, which goes round with the seed, and the defaults.
    Rotating,
    /// Every method at every tolerance, and the defaults.
    All,
    /// One method by name, at one tolerance.
    One(String, Option<f64>),
}

impl Choice {
    /// The runs of this seed.
    pub fn ways(&self, seed: u64) -> Vec<Way> {
        let every = || ways().into_iter().enumerate();
        let way = |(method, formulation), tolerance| Way { method: Some(method), formulation, tolerance: Some(tolerance) };
        let mut out = vec![Way::default_settings()];
        match self {
            Self::Rotating => {
                // Families go round with the seed too: tolerances move on once all families were there.
                let round = (seed / super::families::FAMILIES.len() as u64) as usize;
                out.extend(every().map(|(k, m)| way(m, TOLERANCES[(round + k) % TOLERANCES.len()])));
            }
            Self::All => out.extend(every().flat_map(|(_, m)| TOLERANCES.map(|t| way(m.clone(), t)))),
            Self::One(name, tolerance) => {
                let tolerances = tolerance.map_or(TOLERANCES.to_vec(), |t| vec![t]);
                out.extend(every().flat_map(|(_, m)| tolerances.iter().map(|t| way(m.clone(), *t)).collect::<Vec<_>>()));
                out.retain(|way| way.name() == *name);
            }
        }
        out
    }
}

/// What bounds the steps of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The time between samples, as by default.
    Samples,
    /// Nothing but their errors.
    Errors,
}

/// How a run came out.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Within the promise; the largest error.
    Right(Worst),
    /// Success, but outside of the promise.
    Wrong(Worst),
    /// The motion is too sensitive for this tolerance.
    Sensitive(Worst),
    /// A typed error, its sort and its words.
    Refused(&'static str, String),
    /// Given up after too many steps.
    TooLong,
}

/// A run and how it came out.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// How it was made.
    pub way: Way,
    /// How it came out.
    pub verdict: Verdict,
    /// Steps.
    pub steps: usize,
    /// Evaluations of the equations.
    pub evaluations: usize,
    /// Largest errors of positions and of velocities.
    pub parts: [f64; 2],
}

/// What became of a mechanism.
pub struct Trial {
    /// Its seed.
    pub seed: u64,
    /// Its family.
    pub family: &'static str,
    /// Its sensitivity and its runs; why there is no truth otherwise.
    pub outcomes: Result<(f64, Vec<Outcome>), String>,
}

/// Makes the runs of a mechanism. Truths are kept in a folder, if there is one.
pub fn trial(seed: u64, choice: &Choice, bound: Bound, folder: Option<&Path>) -> Trial {
    let mechanism = mechanism(seed, 0.0);
    let outcomes = System::new(&mechanism.model).map_err(|e| format!("model: {e}")).and_then(|system| {
        let mut judge = Judge::new(&system);
        let truth = kept::or_compute(folder, &mechanism, &mut judge, |judge| truth(&mechanism, &system, judge))?;
        let runs = choice.ways(seed).into_iter().map(|way| run((&mechanism, &system), (way, bound), &truth, &mut judge));
        Ok((truth.sensitivity, runs.collect()))
    });
    Trial { seed, family: mechanism.family, outcomes }
}

/// Makes one run and judges it.
fn run((mechanism, system): (&Mechanism, &System), (way, bound): (Way, Bound), truth: &Truth, judge: &mut Judge) -> Outcome {
    let mut simulation = Simulation::new(system).record(analysis::Record::Interval(mechanism.interval()));
    if bound == Bound::Errors {
        simulation = simulation.largest_step(mechanism.t_end);
    }
    if let Some(method) = &way.method {
        simulation = simulation.shared_method(method.clone()).formulation(way.formulation);
    }
    if let Some(tolerance) = way.tolerance {
        simulation = simulation.tolerance(tolerance);
    }
    let results = match attempt(&simulation, mechanism.t_end, MOST) {
        Ok(results) => results,
        Err(failure) => return Outcome { way, verdict: failure.verdict(), steps: 0, evaluations: 0, parts: [0.0; 2] },
    };
    let mut samples: Vec<&Sample> = results.samples.iter().collect();
    // The end is recorded once more where round-off puts it behind the last multiple of the interval.
    samples.truncate(mechanism.samples + 1);
    let record = judge.record(system, &samples);
    let worst = judge.worst(&record, &truth.record, &truth.scales);
    let verdict = match way.promise(truth.sensitivity) {
        None if worst.error.is_finite() => Verdict::Sensitive(worst),
        Some(bar) if worst.error <= bar + truth.doubt => Verdict::Right(worst),
        _ => Verdict::Wrong(worst),
    };
    let parts = judge.positions_and_velocities(&record, &truth.record, &truth.scales);
    Outcome { way, verdict, steps: results.statistics.steps, evaluations: results.statistics.evaluations, parts }
}

/// Why there are no results.
pub enum Limited {
    /// Given up after too many steps.
    TooLong,
    /// The engine's error.
    Failed(Box<SimulationError>),
    /// The engine panicked.
    Panicked,
}

impl Limited {
    fn verdict(&self) -> Verdict {
        let error = match self {
            Self::TooLong => return Verdict::TooLong,
            Self::Panicked => return Verdict::Wrong(Worst { error: f64::INFINITY, channel: "a panic".into(), time: 0.0 }),
            Self::Failed(error) => error,
        };
        let sort = match **error {
            SimulationError::Settings(_) => "settings",
            SimulationError::Assembly(_) | SimulationError::Equilibrium(_) => "assembly",
            SimulationError::Start { .. } => "start",
            SimulationError::Step { .. } => "step",
            SimulationError::TooSmall { .. } => "tolerance",
            SimulationError::Accumulation { .. } => "events",
            #[allow(unreachable_patterns, reason = "other sorts of errors need not be told apart here")]
            _ => "health",
        };
        Verdict::Refused(sort, error.to_string())
    }
}

/// Counts steps and ends a run that takes too many.
struct Patience(usize);

impl Observer for Patience {
    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        let counts = &progress.statistics;
        if counts.steps + counts.rejected + counts.failed > self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs for at most so many steps. A panic is a mistake of the engine; other runs go on.
pub fn attempt(simulation: &Simulation, t_end: f64, most: usize) -> Result<Results, Limited> {
    let run = || simulation.run_observed(t_end, &mut Patience(most));
    let outcome = catch_unwind(AssertUnwindSafe(run)).map_err(|_| Limited::Panicked)?;
    let results = outcome.map_err(|e| Limited::Failed(Box::new(e)))?;
    if results.ending == Ending::Stopped { Err(Limited::TooLong) } else { Ok(results) }
}
