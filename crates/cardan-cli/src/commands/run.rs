//! `cardan run`: a model file in, a folder of results out.
//!
//! ```text
//! results.parquet, results.csv    every channel of every sample, written as the run goes
//! model.toml                      the model with everything worked out, as it was run
//! run.json                        how the run went
//! report.html                     the interactive report
//! ```

use super::report;
use crate::args::{Format, FormulationArg, RunArgs};
use crate::exit::{Code, Failure};
use crate::output::save;
use crate::progress::Bar;
use crate::recorder::{Recorder, Target};
use crate::size::Size;
use crate::summary::{self, Settings, Status};
use crate::{input, output};
use cardan::analysis::{Simulation, SimulationError};
use cardan::integrators::Formulation;
use cardan::results::{Channels, Keep, Results};
use cardan::system::System;
use cardan_io::model_file::Document;
use cardan_io::model_file::tables::Index;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Scope};
use std::time::Instant;

/// What to do about a run that writes too much.
const LESS: &str = "a longer output_interval in the section [simulation]; or --large, if that much is meant";

/// Runs a model.
pub fn run(args: &RunArgs) -> Result<Code, Failure> {
    if args.realtime {
        return super::real_time::run(args);
    }
    let begun = Instant::now();
    let prepared = prepare(args).and_then(|(document, system)| {
        let channels = Channels::new(&system);
        check_size(args, &document, &channels).map(|()| (document, system, channels))
    });
    if let (Err(failure), true) = (&prepared, args.json) {
        let name = args.model.file.display().to_string();
        let mut summary = json!({ "model": name, "status": "failed" });
        if let (Some(all), Value::Object(why)) = (summary.as_object_mut(), failure.to_json()) {
            all.extend(why);
        }
        output::print(&format!("{summary:#}\n"))?;
    }
    let (document, system, channels) = prepared?;
    let folder = args.out.clone().unwrap_or_else(|| folder_of(&args.model.file));
    let job = Job { args, document: &document, system: &system, folder: &folder, begun };
    let finished = job.execute(channels)?;
    if args.json {
        output::print(&format!("{:#}\n", finished.summary))?;
    }
    if !args.quiet {
        output::say(&summary::text(&finished.summary));
        if finished.started {
            output::say(&format!("  results are in {}", folder.display()));
        }
    }
    finished.end()
}

/// The model, with the settings of the command line over its own.
pub(super) fn prepare(args: &RunArgs) -> Result<(Document, System), Failure> {
    let mut document = input::read(&args.model)?;
    let settings = &mut document.simulation;
    if let Some(method) = &args.method {
        *settings = settings.clone().with_method(method);
    }
    if args.tol.is_some() || args.step.is_some() {
        (settings.tolerance, settings.step) = (args.tol, args.step);
    }
    if let Some(formulation) = args.formulation {
        settings.formulation = Some(match formulation {
            FormulationArg::Index3 => Index::Index3,
            FormulationArg::Index2 => Index::Index2,
        });
    }
    settings.threads = args.threads.map(usize::from).or(settings.threads);
    settings.t_end = args.t_end.or(settings.t_end);
    if settings.t_end.is_none() {
        let mut failure = Failure::new(Code::Model, "the model has no end time");
        failure.hints.push("give one with --t-end, or t_end in the section [simulation]".into());
        return Err(failure);
    }
    let system = input::compile(&document)?;
    check_settings(args, &document, &system)?;
    Ok((document, system))
}

/// Settings that make no sense are mistakes of the model: shown in its file, unless the command line has had a part in them.
fn check_settings(args: &RunArgs, document: &Document, system: &System) -> Result<(), Failure> {
    let own = args.method.is_none() && args.tol.is_none() && args.step.is_none() && args.formulation.is_none();
    if args.realtime {
        return Ok(());
    }
    if own {
        return input::check_settings(document, system);
    }
    let mistakes = document.simulation.wrong_values().into_iter().chain(document.simulation.wrong_together(system));
    let first = mistakes.map(|mistake| SimulationError::Settings(mistake.message)).next();
    first.map_or(Ok(()), |error| Err(explained(&error)))
}

/// A run that writes very much must be asked for.
fn check_size(args: &RunArgs, document: &Document, channels: &Channels) -> Result<(), Failure> {
    let size = Size::of(&document.simulation, channels.list().len(), &formats(args));
    size.filter(|_| !args.large).map_or(Ok(()), |size| size.refuse(LESS))
}

/// Each format once.
fn formats(args: &RunArgs) -> Vec<Format> {
    let mut formats = args.output.clone();
    formats.sort();
    formats.dedup();
    formats
}

/// `model.toml` → `model-results`; a file called `model.toml` in a folder is called after the folder.
pub(super) fn folder_of(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    let folder = model.parent().and_then(Path::file_name).map(|n| n.to_string_lossy());
    let name = folder.filter(|_| stem == "model").unwrap_or(stem);
    PathBuf::from(format!("{name}-results"))
}

/// A run about to be made.
struct Job<'a> {
    args: &'a RunArgs,
    document: &'a Document,
    system: &'a System,
    folder: &'a Path,
    begun: Instant,
}

/// A run that has ended.
struct Finished {
    summary: Value,
    outcome: Result<Results, SimulationError>,
    /// Whether it ever started, and so wrote anything.
    started: bool,
}

impl Job<'_> {
    fn execute(&self, channels: Channels) -> Result<Finished, Failure> {
        thread::scope(|scope| self.integrate(channels, scope))
    }

    /// The run, with threads beside it in this scope.
    fn integrate<'scope, 'env>(&'env self, channels: Channels, scope: &'scope Scope<'scope, 'env>) -> Result<Finished, Failure> {
        let simulation = self.document.simulation.simulation(self.system).map_err(|error| explained(&error))?.keep(Keep::Ends);
        let bar = if output::is_terminal() && !self.args.quiet { Bar::visible() } else { Bar::hidden() };
        let target = Target { folder: self.folder.into(), formats: formats(self.args), document: self.document };
        let threads = self.document.simulation.threads;
        let mut recorder = Recorder::new(self.system, channels, target, bar, on_interrupt(), threads, scope);
        let t_end = self.document.simulation.t_end.unwrap_or_default();
        let outcome = simulation.run_observed(t_end, &mut recorder);
        let wall = recorder.integration_seconds();
        let (start, book) = recorder.finish()?;
        let setup = start.at.map_or(self.begun.elapsed(), |began| began - self.begun);
        let settings = self.settings(&simulation, t_end, setup.as_secs_f64());
        let summary = summary::json(&settings, self.system, &start, &book, wall, &outcome);
        let started = start.at.is_some();
        if started {
            save(&self.folder.join("run.json"), &format!("{summary:#}\n"))?;
            let (table, touches) = book.samples();
            report::write_shown(self.folder, self.document, self.system, &summary, &table, touches.as_ref())?;
        }
        Ok(Finished { summary, outcome, started })
    }

    fn settings(&self, simulation: &Simulation, t_end: f64, setup_seconds: f64) -> Settings {
        let formulation = match simulation.formulation_used() {
            Formulation::Index1 => "index1",
            Formulation::Index2 => "index2",
            Formulation::Index3 | Formulation::Default => "index3",
        };
        Settings { model: self.system.name().into(), method: simulation.method_name().into(), formulation, t_end, setup_seconds }
    }
}

impl Finished {
    fn end(&self) -> Result<Code, Failure> {
        match (&self.outcome, Status::of(&self.outcome)) {
            (Err(error), _) => Err(explained(error)),
            (Ok(_), Status::Interrupted) => Ok(Code::Interrupted),
            (Ok(_), _) => Ok(Code::Done),
        }
    }
}

/// What failed, the likely mistake, and what to try.
pub fn explained(error: &SimulationError) -> Failure {
    let code = match error {
        SimulationError::Settings(_) => Code::Model,
        SimulationError::Assembly(_) | SimulationError::Equilibrium(_) => Code::Assembly,
        _ => Code::Integration,
    };
    let hints = error.hints().map(String::from).to_vec();
    // A hint that the message ends with is not said twice.
    let message = hints.iter().fold(error.to_string(), |text, hint| text.replace(&format!("; {hint}"), ""));
    Failure { hints, ..Failure::new(code, format!("{message}\n  likely: {}", error.likely_mistake())) }
}

/// A flag that Ctrl-C raises; a second one ends the command at once.
pub(super) fn on_interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = flag.clone();
    let handler = move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(Code::Interrupted as i32);
        }
    };
    // Without a handler Ctrl-C ends the command as it always does, and the files are readable all the same.
    let _ = ctrlc::set_handler(handler);
    flag
}
