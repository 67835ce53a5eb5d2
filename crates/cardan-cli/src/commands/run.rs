//! `cardan run`: a model file in, a folder of results out.
//!
//! ```text
//! results.parquet, results.csv    every channel of every sample, written as the run goes
//! model.toml                      the model with everything worked out, as it was run
//! run.json                        how the run went
//! report.html                     the interactive report
//! ```

use super::report;
use crate::args::{FormulationArg, RunArgs};
use crate::exit::{Code, Failure};
use crate::progress::Bar;
use crate::recorder::Recorder;
use crate::summary::{self, Settings, Status};
use crate::{input, output};
use cardan::analysis::{Simulation, SimulationError};
use cardan::integrators::Formulation;
use cardan::results::{Keep, Results};
use cardan::system::System;
use cardan_io::model_file::Document;
use cardan_io::model_file::tables::Index;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Runs a model.
pub fn run(args: &RunArgs) -> Result<Code, Failure> {
    if args.realtime {
        return super::real_time::run(args);
    }
    let begun = Instant::now();
    let prepared = prepare(args);
    if let (Err(failure), true) = (&prepared, args.json) {
        let name = args.model.file.display().to_string();
        let mut summary = json!({ "model": name, "status": "failed" });
        if let (Some(all), Value::Object(why)) = (summary.as_object_mut(), failure.to_json()) {
            all.extend(why);
        }
        output::print(&format!("{summary:#}\n"))?;
    }
    let (document, system) = prepared?;
    let folder = args.out.clone().unwrap_or_else(|| folder_of(&args.model.file));
    fs::create_dir_all(&folder).map_err(|error| Failure::file(format!("{}: {error}", folder.display())))?;
    save(&folder.join("model.toml"), &input::expanded(&document)?)?;
    let finished = Job { args, document: &document, system: &system, folder: &folder, begun }.execute()?;
    if args.json {
        output::print(&format!("{:#}\n", finished.summary))?;
    }
    if !args.quiet {
        output::say(&summary::text(&finished.summary));
        output::say(&format!("  results are in {}", folder.display()));
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
    settings_failure(document.simulation.simulation(&system).err())?;
    Ok((document, system))
}

/// Settings that make no sense are mistakes of the model.
fn settings_failure(error: Option<SimulationError>) -> Result<(), Failure> {
    error.map_or(Ok(()), |error| Err(explained(&error)))
}

/// `model.toml` → `model-results`; a file called `model.toml` in a folder is called after the folder.
pub(super) fn folder_of(model: &Path) -> PathBuf {
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    let folder = model.parent().and_then(Path::file_name).map(|n| n.to_string_lossy());
    let name = folder.filter(|_| stem == "model").unwrap_or(stem);
    PathBuf::from(format!("{name}-results"))
}

pub(super) fn save(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::file(format!("{}: {error}", path.display())))
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
}

impl Job<'_> {
    fn execute(&self) -> Result<Finished, Failure> {
        let simulation = self.document.simulation.simulation(self.system).map_err(|error| explained(&error))?.keep(Keep::Ends);
        let bar = if output::is_terminal() && !self.args.quiet { Bar::visible() } else { Bar::hidden() };
        let mut formats = self.args.output.clone();
        formats.sort();
        formats.dedup();
        let mut recorder = Recorder::create(self.system, self.folder, &formats, bar, on_interrupt()).map_err(Failure::file)?;
        let t_end = self.document.simulation.t_end.unwrap_or_default();
        let outcome = simulation.run_observed(t_end, &mut recorder);
        let wall = recorder.integration_seconds();
        recorder.finish();
        if let Some(error) = recorder.failure.take() {
            return Err(Failure::file(error));
        }
        let setup = recorder.began().map_or(self.begun.elapsed(), |began| began - self.begun);
        let summary = summary::json(&self.settings(&simulation, t_end, setup.as_secs_f64()), self.system, &recorder, wall, &outcome);
        save(&self.folder.join("run.json"), &format!("{summary:#}\n"))?;
        report::write(self.folder, self.document, self.system, &summary)?;
        Ok(Finished { summary, outcome })
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
        SimulationError::Assembly(_) => Code::Assembly,
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
