//! `cardan run --realtime`: steps against the clock on the wall, and how long they took; `cardan check --realtime`: what a step costs.
//!
//! ```text
//! model.toml      the model with everything worked out, as it was run
//! run.json        how the run went
//! outputs.csv     time and sensors, written as the run goes
//! ```

use super::run::{explained, folder_of, on_interrupt, prepare};
use crate::args::RunArgs;
use crate::exit::{Code, Failure};
use crate::input;
use crate::output::{self, count, save};
use crate::outputs::Outputs;
use crate::real_time::{Pace, Pacer, Record, Verdict};
use crate::timing::{Timing, short};
use cardan::analysis::{Assembly, Cost, RealTime, RealTimeError};
use cardan::integrators::{LinearImplicitEuler, Method, StepError};
use cardan::system::System;
use cardan_io::model_file::Document;
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The period where nobody says another, s.
const PERIOD: f64 = 1e-3;
/// Steps that `cardan check` tries, and how long at most.
const TRIED: usize = 5000;
const PATIENCE: f64 = 2.0;

/// The method and the period of a run, with what is to be said about them.
struct Choice {
    method: Arc<dyn Method>,
    period: f64,
    note: Option<String>,
}

impl Choice {
    /// The model's method if it is one for real time, else the default one; its step, unless another period is asked for.
    fn of(document: &Document, system: &System, period: Option<f64>) -> Result<Self, Failure> {
        let own = document.simulation.integrator().map_err(|error| explained(&error))?;
        let period = period.or(document.simulation.step).unwrap_or(PERIOD);
        if own.operations(system, &[]).is_some() {
            return Ok(Self { method: own, period, note: None });
        }
        let method = LinearImplicitEuler::default();
        let note = format!("{} iterates: {} takes its place in real time", own.name(), method.name());
        Ok(Self { method: Arc::new(method), period, note: Some(note) })
    }
}

/// Runs a model in real time.
pub fn run(args: &RunArgs) -> Result<Code, Failure> {
    let (document, system) = prepare(args)?;
    let choice = Choice::of(&document, &system, args.period.or(args.step))?;
    let steps = (document.simulation.t_end.unwrap_or_default() / choice.period).round().max(1.0) as usize;
    let mut engine = RealTime::shared(&system, choice.method.clone(), choice.period).map_err(|error| explained(&error))?;
    let folder = args.out.clone().unwrap_or_else(|| folder_of(&args.model.file));
    fs::create_dir_all(&folder).map_err(|error| Failure::file(format!("{}: {error}", folder.display())))?;
    save(&folder.join("model.toml"), &input::expanded(&document)?)?;
    let mut outputs = Outputs::create(&folder.join("outputs.csv"), &system)?;
    let pace = if args.no_wait { Pace::Free } else { Pace::Clock(args.overrun) };
    let (record, ending) = drive(&mut engine, &system, Pacer::start(choice.period, pace), steps, &mut outputs);
    outputs.finish()?;
    let summary = summary(&choice, &system, &engine, &record, &ending);
    save(&folder.join("run.json"), &format!("{summary:#}\n"))?;
    if args.json {
        output::print(&format!("{summary:#}\n"))?;
    }
    if !args.quiet {
        output::say(&text(&choice, &system, &engine, &record));
        output::say(&format!("  results are in {}", folder.display()));
    }
    ending.result()
}

/// How a run ended.
enum Ending {
    Completed,
    Interrupted,
    Late { t: f64, by: f64 },
    Failed(RealTimeError),
}

impl Ending {
    fn name(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Interrupted => "interrupted",
            Self::Late { .. } => "late",
            Self::Failed(_) => "failed",
        }
    }

    fn result(self) -> Result<Code, Failure> {
        match self {
            Self::Completed => Ok(Code::Done),
            Self::Interrupted => Ok(Code::Interrupted),
            Self::Late { t, by } => {
                let mut failure = Failure::new(Code::Late, format!("the step to t = {t:.6} s was late by {}", short(by)));
                failure.hints = vec!["a longer --period, or --overrun catch-up".into()];
                Err(failure)
            }
            Self::Failed(error) => {
                let mut failure = Failure::new(Code::Integration, &error);
                failure.hints = vec![hint(&error)];
                Err(failure)
            }
        }
    }
}

/// What to try.
fn hint(error: &RealTimeError) -> String {
    match error {
        RealTimeError::Step { error: StepError::TooFast { step, .. }, .. } => format!("--period {}", short(*step).replace(' ', "")),
        _ => "a shorter --period; for stiff forces the method euler-linear-implicit".into(),
    }
}

/// All steps, with what the sensors said after each.
fn drive(engine: &mut RealTime, system: &System, mut pacer: Pacer, steps: usize, outputs: &mut Outputs) -> (Record, Ending) {
    let (inputs, mut sensed) = (system.initial().inputs[..system.inputs().len()].to_vec(), vec![0.0; system.sensors().len()]);
    let interrupted = on_interrupt();
    let mut ending = Ending::Completed;
    for _ in 0..steps {
        match pacer.step(|| engine.step(&inputs, &mut sensed)) {
            Ok(Verdict::GoOn) => {}
            Ok(Verdict::Stop) => ending = Ending::Late { t: engine.state().t, by: 0.0 },
            Err(error) => {
                ending = Ending::Failed(error);
                break;
            }
        }
        outputs.row(engine.state().t, &sensed);
        if interrupted.load(Ordering::Relaxed) {
            ending = Ending::Interrupted;
        }
        if !matches!(ending, Ending::Completed) {
            break;
        }
    }
    let record = pacer.finish();
    if let Ending::Late { by, .. } = &mut ending {
        *by = record.latest;
    }
    (record, ending)
}

fn summary(choice: &Choice, system: &System, engine: &RealTime, record: &Record, ending: &Ending) -> Value {
    let (position, velocity) = engine.worst_violation();
    json!({
        "model": system.name(),
        "method": choice.method.name(),
        "note": choice.note,
        "status": ending.name(),
        "t": engine.state().t,
        "period": choice.period,
        "steps": record.timing.steps(),
        "step_seconds": record.timing.json(),
        "overruns": record.overruns,
        "latest": record.latest,
        "skipped_periods": record.skipped,
        "unplanned_factorizations": engine.statistics().unplanned,
        "constraint_violation": { "position": position, "velocity": velocity },
    })
}

fn text(choice: &Choice, system: &System, engine: &RealTime, record: &Record) -> String {
    let mut lines: Vec<String> = choice.note.iter().map(|note| format!("note: {note}")).collect();
    let timing = &record.timing;
    let steps = count(timing.steps(), "step");
    lines.push(format!("{}: {steps} of {} with {}", system.name(), short(choice.period), choice.method.name()));
    lines.push(format!("  {}", timing.line()));
    let late = if record.overruns == 0 { String::new() } else { format!(", late by at most {}", short(record.latest)) };
    let skipped = if record.skipped == 0 { String::new() } else { format!(", {} left out", count(record.skipped, "period")) };
    lines.push(format!("  {}{late}{skipped}", count(record.overruns, "overrun")));
    let (position, velocity) = engine.worst_violation();
    lines.push(format!("  constraints are violated by at most {position:.1e} (positions) and {velocity:.1e} (velocities)"));
    let unplanned = engine.statistics().unplanned;
    if unplanned > 0 {
        lines.push(format!("  warning: {} lost pivots and took more operations than planned", count(unplanned, "factorisation")));
    }
    lines.push(timing.histogram());
    lines.join("\n")
}

/// What a step in real time costs, worked out and tried.
pub struct Trial {
    choice: Choice,
    cost: Option<Cost>,
    timing: Timing,
    unplanned: usize,
}

impl Trial {
    /// Tries some steps, as quickly as they go.
    pub fn of(document: &Document, system: &System, assembly: &Assembly) -> Result<Self, Failure> {
        let choice = Choice::of(document, system, None)?;
        let cost = Cost::of(system, choice.method.as_ref(), &assembly.state, &assembly.redundancy.regularization);
        let mut engine = RealTime::shared(system, choice.method.clone(), choice.period).map_err(|error| explained(&error))?;
        let (inputs, mut sensed) = (system.initial().inputs[..system.inputs().len()].to_vec(), vec![0.0; system.sensors().len()]);
        let (begun, mut timing) = (Instant::now(), Timing::new());
        while timing.steps() < TRIED && begun.elapsed().as_secs_f64() < PATIENCE {
            let now = Instant::now();
            engine.step(&inputs, &mut sensed).map_err(|error| Failure::new(Code::Integration, error))?;
            timing.add(now.elapsed().as_secs_f64());
        }
        Ok(Self { choice, cost, timing, unplanned: engine.statistics().unplanned })
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let cost = self.cost.map(|c| {
            json!({
                "evaluations": c.operations.evaluations,
                "tangents": c.operations.tangents,
                "factorizations": c.operations.factorizations,
                "solutions": c.operations.solutions,
                "flops": { "evaluation": c.evaluation, "tangent": c.tangent, "factorization": c.linear.map(|l| l.factor),
                    "solution": c.linear.map(|l| l.solve), "step": c.total() },
                "bytes": c.bytes,
            })
        });
        json!({
            "method": self.choice.method.name(),
            "note": self.choice.note,
            "step": self.choice.period,
            "cost": cost,
            "step_seconds": self.timing.json(),
            "smallest_period": self.timing.quantile(0.99),
            "unplanned_factorizations": self.unplanned,
        })
    }

    /// A table for people.
    pub fn text(&self) -> String {
        let note = self.choice.note.iter().map(|note| format!("note: {note}\n")).collect::<String>();
        let mut out = format!("\n{note}a step of {} with {}\n", short(self.choice.period), self.choice.method.name());
        if let Some(cost) = &self.cost {
            out += &output::table(&rows(cost));
            out += &format!("matrices and factors have {:.1} kB\n", cost.bytes as f64 / 1000.0);
        }
        out += &format!("tried: {}\n", self.timing.line());
        if self.unplanned > 0 {
            out += &format!("warning: {} lost pivots and took more operations than planned\n", count(self.unplanned, "factorisation"));
        }
        out + &format!("smallest period that 99 % of the steps keep on this machine: {}\n", short(self.timing.quantile(0.99)))
    }
}

/// Operations of a step: how many, floating-point operations of each and of all.
fn rows(cost: &Cost) -> Vec<Vec<String>> {
    let known = |flops: Option<u64>| flops.map_or("?".into(), |f| f.to_string());
    let row = |what: &str, number: usize, each: Option<u64>, sign: &str| {
        let all = each.map(|each| each * number as u64);
        vec![format!("  {what}"), number.to_string(), format!("{sign}{}", known(each)), format!("{sign}{}", known(all))]
    };
    let (of, linear) = (cost.operations, cost.linear);
    vec![
        vec!["  operations".into(), "a step".into(), "flops each".into(), "flops".into()],
        row("evaluations", of.evaluations, Some(cost.evaluation), "~"),
        row("matrices", of.tangents, Some(cost.tangent), "~"),
        row("factorisations", of.factorizations, linear.map(|l| l.factor), ""),
        row("solutions", of.solutions, linear.map(|l| l.solve), ""),
        vec!["  together".into(), String::new(), String::new(), format!("~{}", known(cost.total()))],
    ]
}
