//! `cardan kinematics`: the motion of a mechanism that is driven in all its degrees of freedom; a folder of results as `cardan run` makes.

use super::report;
use super::run::folder_of;
use crate::args::{Format, ModelArgs, positive};
use crate::exit::{Code, Failure};
use crate::output::{count, number, save};
use crate::size::Size;
use crate::summary::shortened;
use crate::{input, output, table};
use cardan::analysis::{KinematicsError, kinematics};
use cardan::results::{Channels, Results};
use cardan_io::model_file::Settings;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Options of `cardan kinematics`.
#[derive(Debug, Args)]
pub struct KinematicsArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,
    /// End time, s [default: that of the model]
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub t_end: Option<f64>,
    /// Time between samples, s [default: that of the model, or a 200th of the time]
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub interval: Option<f64>,
    /// Folder of the results [default: MODEL-results]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Computes the motion of a model from its constraints.
pub fn run(args: &KinematicsArgs) -> Result<Code, Failure> {
    let document = input::read(&args.model)?;
    let system = input::compile(&document)?;
    let Some(t_end) = args.t_end.or(document.simulation.t_end) else {
        return Err(Failure { hints: vec!["give one with --t-end".into()], ..Failure::new(Code::Model, "the model has no end time") });
    };
    let interval = args.interval.or(document.simulation.output_interval).unwrap_or(t_end / 200.0);
    let settings = Settings { t_end: Some(t_end), output_interval: Some(interval), ..Settings::default() };
    if let Some(mistake) = settings.wrong_values().first() {
        return Err(Failure::new(Code::Model, &mistake.message));
    }
    let channels = Channels::new(&system).list().len();
    // All samples are held in memory before they are written.
    Size::of(&settings, channels, &[Format::Csv]).map_or(Ok(()), |size| size.refuse("a longer --interval"))?;
    let (results, failure) = match kinematics(&system, &times(t_end, interval)) {
        Ok(results) => (results, None),
        Err(error) => (error.results().cloned().unwrap_or_default(), Some(explained(&error))),
    };
    if let Some(failure) = failure.clone().filter(|_| results.samples.is_empty()) {
        return Err(failure);
    }
    let folder = args.out.clone().unwrap_or_else(|| folder_of(&args.model.file));
    std::fs::create_dir_all(&folder).map_err(|error| Failure::file(format!("{}: {error}", folder.display())))?;
    save(&folder.join("model.toml"), &input::expanded(&document)?)?;
    table::write_csv(&table::of_results(&system, &results), &folder.join("results.csv"))?;
    let summary = summary(system.name(), &results, failure.as_ref());
    save(&folder.join("run.json"), &format!("{summary:#}\n"))?;
    report::write(&folder, &document, &system, &summary)?;
    output::say(&format!(
        "{}: {} up to {} s, constraints closed to {:.1e}\n  results are in {}",
        system.name(),
        count(results.samples.len(), "sample"),
        number(results.last().map_or(0.0, |x| x.t)),
        results.position_violation,
        folder.display()
    ));
    shortened(results.warnings.iter().map(|w| format!("  warning: {w}")).collect(), "warning").iter().for_each(|line| output::say(line));
    failure.map_or(Ok(Code::Done), Err)
}

/// Multiples of the interval, and the end.
fn times(t_end: f64, interval: f64) -> Vec<f64> {
    let whole = (t_end / interval * (1.0 + 1e-12)).floor() as usize;
    let mut times: Vec<f64> = (0..=whole).map(|k| k as f64 * interval).collect();
    if times.last().is_some_and(|last| t_end - last > 1e-9 * t_end) {
        times.push(t_end);
    }
    times
}

fn summary(name: &str, results: &Results, failure: Option<&Failure>) -> serde_json::Value {
    let mut out = json!({
        "model": name,
        "analysis": "kinematics",
        "status": if failure.is_some() { "failed" } else { "completed" },
        "t": results.last().map_or(0.0, |x| x.t),
        "samples": results.samples.len(),
        "position_violation": results.position_violation,
        "velocity_violation": results.velocity_violation,
        "warnings": results.warnings,
    });
    if let Some(failure) = failure {
        out["error"] = failure.message.clone().into();
    }
    out
}

fn explained(error: &KinematicsError) -> Failure {
    let code = match error {
        KinematicsError::Assembly(_) => Code::Assembly,
        KinematicsError::Times(_) | KinematicsError::Free { .. } | KinematicsError::States { .. } => Code::Model,
        KinematicsError::Locked { .. } | KinematicsError::Solve { .. } => Code::Integration,
    };
    Failure::new(code, error)
}
