//! A measured run: what it gave, what it counted, how much CPU time it took. Peers give the same record as a line of JSON.

use crate::growth::Growth;
use crate::problems::Problem;
use cardan::analysis::{Assembly, AssemblyError};
use cardan::integrators::{Method, Parameter, all};
use cardan::model::ModelError;
use cardan::prelude::*;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;
use thiserror::Error;

/// The outcome of a run, of Cardan or of a peer. What a program does not tell is missing.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Outcome {
    /// Number of equations: velocities and multipliers, or what the program solves for.
    pub equations: usize,
    /// Accepted steps.
    pub steps: usize,
    /// Newton iterations.
    pub newton_iterations: Option<usize>,
    /// Evaluations of the equations.
    pub evaluations: Option<usize>,
    /// Jacobians.
    pub jacobians: Option<usize>,
    /// Matrices factored.
    pub factorizations: Option<usize>,
    /// CPU time from the model to the equations, s.
    pub compile_s: Option<f64>,
    /// CPU time of the assembly, s.
    pub assemble_s: Option<f64>,
    /// CPU time of the first step with everything it prepares, s.
    pub first_step_s: Option<f64>,
    /// CPU time to the end of the last step, without what is recorded after it, s.
    pub last_step_s: Option<f64>,
    /// CPU time of all steps, the shortest of the repeated runs, s.
    pub cpu_s: f64,
    /// Part of it that the program spends in functions written in Python, s.
    pub callbacks_s: Option<f64>,
    /// The observed numbers at the end.
    pub observed: Vec<f64>,
    /// Change of the total energy, J.
    pub energy_drift: Option<f64>,
    /// Largest memory of the process, MB.
    pub memory_mb: Option<f64>,
    /// Where it ran beside a smaller problem: what it took against that.
    pub growth: Option<Growth>,
    /// Why there is no result.
    pub failure: Option<String>,
}

impl Outcome {
    /// CPU time of the program's own work, s.
    pub fn own_s(&self) -> f64 {
        self.cpu_s - self.callbacks_s.unwrap_or(0.0).min(0.9 * self.cpu_s)
    }

    /// CPU time of a step after the first, s, where that is known, otherwise of any step.
    pub fn step_s(&self) -> f64 {
        match (self.first_step_s, self.last_step_s) {
            (Some(first), Some(last)) if self.steps > 1 => (last - first) / (self.steps - 1) as f64,
            _ => self.cpu_s / self.steps.max(1) as f64,
        }
    }

    /// What a step takes, in Newton iterations, where a Jacobian counts as three.
    pub fn work(&self) -> Option<f64> {
        Some((self.newton_iterations? as f64 + 3.0 * self.jacobians? as f64) / self.steps.max(1) as f64)
    }
}

/// How Cardan is to run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Name of the method.
    pub method: String,
    /// Its parameters by name.
    pub parameters: Vec<(String, f64)>,
    /// Form of the constraints.
    pub formulation: Formulation,
    /// How steps are chosen.
    pub steps: Steps,
    /// End of the run, s; the problem's own if missing.
    pub end: Option<f64>,
    /// How often to run; the shortest time counts.
    pub repeat: usize,
}

/// How steps are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Steps {
    /// All of this size, s.
    Fixed(f64),
    /// By error control at this tolerance.
    Controlled(f64),
}

/// A run that cannot be made.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// The method is not there, or has no such parameter.
    #[error("there is no method '{0}' with these parameters")]
    Method(String),
    /// The model is wrong.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The mechanism cannot be assembled.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// The run failed.
    #[error(transparent)]
    Run(#[from] Box<SimulationError>),
}

/// Runs a problem as often as asked and gives the counts with the shortest time.
pub fn measure(problem: &Problem, settings: &Settings) -> Result<Outcome, MeasureError> {
    let prepared = Prepared::new(problem, settings)?;
    let mut best = None;
    for _ in 0..settings.repeat.max(1) {
        best = Some(shorter(best, prepared.run(settings)?));
    }
    Ok(prepared.finish(best))
}

/// The one of two runs that took less time.
pub(crate) fn shorter(best: Option<Outcome>, outcome: Outcome) -> Outcome {
    best.filter(|b| b.cpu_s <= outcome.cpu_s).unwrap_or(outcome)
}

/// A compiled problem and the method it is run with.
pub(crate) struct Prepared<'a> {
    problem: &'a Problem,
    system: System,
    method: Arc<dyn Method>,
    compile_s: f64,
}

fn method(settings: &Settings) -> Result<Arc<dyn Method>, MeasureError> {
    let unknown = || MeasureError::Method(settings.method.clone());
    let method = all().into_iter().find(|m| m.name() == settings.method).ok_or_else(unknown)?;
    settings.parameters.iter().try_fold(method, |method, (name, value)| method.with(name, Parameter::Number(*value)).ok_or_else(unknown))
}

impl<'a> Prepared<'a> {
    /// Compiles it.
    pub fn new(problem: &'a Problem, settings: &Settings) -> Result<Self, MeasureError> {
        let method = method(settings)?;
        let start = cpu_time();
        let system = System::new(&problem.model)?;
        Ok(Self { problem, system, method, compile_s: cpu_time() - start })
    }

    /// What the chosen run gave, and what was not a part of it.
    pub fn finish(&self, best: Option<Outcome>) -> Outcome {
        Outcome { compile_s: Some(self.compile_s), memory_mb: peak_memory(), ..best.unwrap_or_default() }
    }

    /// One run.
    pub fn run(&self, settings: &Settings) -> Result<Outcome, MeasureError> {
        let simulation = Simulation::new(&self.system).shared_method(self.method.clone());
        let simulation = simulation.formulation(settings.formulation).record(Record::Ends);
        let simulation = match settings.steps {
            Steps::Fixed(h) => simulation.step(h),
            Steps::Controlled(tolerance) => simulation.tolerance(tolerance),
        };
        let mut watch = Watch::default();
        let begin = cpu_time();
        let results = simulation.run_observed(settings.end.unwrap_or(self.problem.t_end), &mut watch).map_err(Box::new)?;
        let end = cpu_time();
        let counts = results.statistics;
        Ok(Outcome {
            equations: self.system.unknowns(),
            steps: counts.steps,
            newton_iterations: Some(counts.newton_iterations),
            evaluations: Some(counts.evaluations),
            jacobians: Some(counts.jacobians),
            factorizations: Some(counts.factorizations),
            assemble_s: Some(watch.assembled - begin),
            first_step_s: watch.first_step.map(|t| t - watch.assembled),
            last_step_s: watch.last_step.map(|t| t - watch.assembled),
            cpu_s: end - watch.assembled,
            observed: results.last().map(|x| self.problem.observe(&self.system, x)).unwrap_or_default(),
            energy_drift: Some(results.energy_drift),
            ..Outcome::default()
        })
    }
}

/// Notes the times between which a run is measured.
#[derive(Default)]
struct Watch {
    assembled: f64,
    first_step: Option<f64>,
    last_step: Option<f64>,
}

impl Observer for Watch {
    fn assembled(&mut self, _assembly: &Assembly) {
        self.assembled = cpu_time();
    }
    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        if self.first_step.is_none() {
            self.first_step = Some(cpu_time());
        }
        if progress.t >= progress.t_end * (1.0 - 1e-9) {
            self.last_step = Some(cpu_time());
        }
        ControlFlow::Continue(())
    }
}

/// CPU time of the process, s.
fn cpu_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Largest memory of the process, MB, where the system tells.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}
