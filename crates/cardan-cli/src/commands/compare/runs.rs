//! The runs of a comparison: each is timed, measured against the reference, and given up when it takes too long.

use crate::exit::{Code, Failure};
use cardan::analysis::{Observer, Progress, Record, SimulationError};
use cardan::integrators::{self, Method, Statistics};
use cardan::results::{Ending, Results};
use cardan::system::System;
use cardan_io::compare::{self as measure, Errors};
use cardan_io::model_file::Settings;
use cardan_io::model_file::tables::Index;
use cardan_io::results::Table;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs shorter than this are repeated, and the quickest counts.
const SHORT: f64 = 0.1;
const REPEATS: usize = 3;

/// A method and how it is used.
pub struct Plan {
    /// What the user calls it.
    pub label: String,
    /// The method.
    pub method: Arc<dyn Method>,
    formulation: Option<Index>,
}

impl Plan {
    /// `NAME` or `NAME:FORMULATION`.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let (name, formulation) = text.split_once(':').map_or((text, None), |(name, form)| (name, Some(form)));
        let all = integrators::all();
        let Some(method) = all.iter().find(|m| m.name() == name.trim()).cloned() else {
            let known: Vec<&str> = all.iter().map(|m| m.name()).collect();
            return Err(Failure::new(Code::Usage, format!("there is no method '{name}'; known: {}", known.join(", "))));
        };
        let formulation = match formulation {
            None => None,
            Some("index3") => Some(Index::Index3),
            Some("index2") => Some(Index::Index2),
            Some("index1") => Some(Index::Index1),
            Some(other) => {
                let message = format!("there is no formulation '{other}'; known: index3, index2, index1");
                return Err(Failure::new(Code::Usage, message));
            }
        };
        Ok(Self { label: text.trim().into(), method, formulation })
    }
}

/// One run of one method.
pub struct Row {
    /// What the user calls the method.
    pub method: String,
    /// `tolerance` or `step`.
    pub control: &'static str,
    /// Its value.
    pub size: f64,
    /// What came out, or why nothing did.
    pub outcome: Result<Measured, String>,
}

/// What a run gave.
pub struct Measured {
    /// Errors against the reference.
    pub errors: Errors,
    /// Time of the run, s.
    pub seconds: f64,
    /// What it counted.
    pub statistics: Statistics,
}

/// A model to run methods on.
pub struct Bench<'a> {
    /// The equations.
    pub system: &'a System,
    /// The model's own settings.
    pub settings: &'a Settings,
    /// End time, s.
    pub t_end: f64,
    /// Time between samples, s.
    pub interval: f64,
    /// A run that takes longer is given up, s.
    pub limit: f64,
}

/// Ends a run that takes too long.
struct Patience {
    until: Instant,
}

impl Observer for Patience {
    fn step(&mut self, _: &Progress) -> ControlFlow<()> {
        if Instant::now() > self.until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Bench<'_> {
    /// One run.
    pub fn run(&self, plan: &Plan, size: f64) -> Result<Results, SimulationError> {
        let mut settings = self.settings.clone().with_method(plan.method.name());
        settings.formulation = plan.formulation;
        (settings.tolerance, settings.step) = if plan.method.adaptive() { (Some(size), None) } else { (None, Some(size)) };
        // Samples are for comparing: they do not bound the steps.
        let longest = settings.largest_step.unwrap_or(f64::INFINITY);
        let mut patience = Patience { until: Instant::now() + Duration::from_secs_f64(self.limit) };
        settings
            .simulation(self.system)?
            .record(Record::Interval(self.interval))
            .largest_step(longest)
            .run_observed(self.t_end, &mut patience)
    }

    /// A run, timed and compared.
    pub fn measure(&self, plan: &Plan, size: f64, reference: &Table) -> Row {
        let control = if plan.method.adaptive() { "tolerance" } else { "step" };
        Row { method: plan.label.clone(), control, size, outcome: self.outcome(plan, size, reference) }
    }

    fn outcome(&self, plan: &Plan, size: f64, reference: &Table) -> Result<Measured, String> {
        let (mut seconds, mut last) = (f64::INFINITY, None);
        for _ in 0..REPEATS {
            let begun = Instant::now();
            let run = self.run(plan, size).map_err(|error| error.to_string())?;
            seconds = begun.elapsed().as_secs_f64().min(seconds);
            if run.ending == Ending::Stopped {
                return Err(format!("given up after {} s", self.limit));
            }
            last = Some(run);
            if seconds > SHORT {
                break;
            }
        }
        let run = last.ok_or("no run")?;
        let states: Vec<&str> = self.system.state_names().collect();
        let errors = measure::errors(reference, &measure::table(self.system, &run), &states);
        let errors = errors.ok_or("no time in common with the reference")?;
        Ok(Measured { errors, seconds, statistics: run.statistics })
    }
}
