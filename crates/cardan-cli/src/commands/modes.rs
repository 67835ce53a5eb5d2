//! `cardan modes`: frequencies, damping and shapes of small motions.

use super::linearize::explained;
use crate::args::ModelArgs;
use crate::at::{AtArgs, words};
use crate::exit::{Code, Failure};
use crate::output::number;
use crate::output::save;
use crate::scene::scene;
use crate::{input, output, table};
use cardan::analysis::{Mode, Modes, modes};
use cardan::system::System;
use cardan_io::model_file::Document;
use cardan_io::report::{self, Case, Report};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Options of `cardan modes`.
#[derive(Debug, Args)]
pub struct ModesArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,
    /// Where to linearise
    #[command(flatten)]
    pub at: AtArgs,
    /// Write eigenvalues and shapes there, .json or .csv (eigenvalues only)
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write a page that shows the modes moving, one at a time
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// The mode that the page shows first, by its number in the table
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "report")]
    pub mode: usize,
}

/// Samples of a swing on the page.
const SAMPLES: usize = 60;
/// Bodies that are named with a mode.
const NAMED: usize = 3;
/// Bodies that move less than this part of the first are not named.
const SHARE: f64 = 0.05;

/// Computes the modes of a model.
pub fn run(args: &ModesArgs) -> Result<Code, Failure> {
    let document = input::read(&args.model)?;
    let system = input::compile(&document)?;
    let state = args.at.state(&document, &system)?;
    let found = modes(&system, &state).map_err(|error| explained(&error))?;
    output::say(&format!("{}: modes {}", system.name(), words(&found.steadiness)));
    output::print(&output::table(&rows(&system, &found)))?;
    match &args.out {
        Some(path) if path.extension().is_some_and(|e| e == "csv") => save(path, &csv(&found))?,
        Some(path) => save(path, &format!("{:#}\n", json(&system, &found)))?,
        None => {}
    }
    if let Some(path) = &args.report {
        page(path, args.mode, &document, &system, &found)?;
        output::say(&format!("written to {}", path.display()));
    }
    Ok(Code::Done)
}

fn rows(system: &System, found: &Modes) -> Vec<Vec<String>> {
    let heading = ["MODE", "EIGENVALUE", "FREQUENCY", "DAMPING", "TIME CONSTANT", "MOVES MOST"].map(String::from).to_vec();
    let row = |(k, mode): (usize, &Mode)| {
        let imaginary = if mode.eigenvalue.im > 0.0 { format!(" ± {}i", number(mode.eigenvalue.im)) } else { String::new() };
        let part = |value: Option<f64>, unit: &str| value.map_or("-".into(), |v| format!("{}{unit}", number(v)));
        vec![
            (k + 1).to_string(),
            format!("{}{imaginary}", number(mode.eigenvalue.re)),
            format!("{} Hz", number(mode.frequency())),
            part(mode.damping_ratio(), ""),
            part(mode.time_constant(), " s"),
            moving(system, mode),
        ]
    };
    std::iter::once(heading).chain(found.modes.iter().enumerate().map(row)).collect()
}

/// The bodies that move most, or the states that do where no body moves.
fn moving(system: &System, mode: &Mode) -> String {
    let bodies: Vec<(String, f64)> = mode.movements(system).into_iter().map(|(name, d, r)| (name, d.max(r))).collect();
    let bodies = most(&bodies);
    if !bodies.is_empty() {
        return bodies;
    }
    let mut states: Vec<(String, f64)> = system.state_names().map(String::from).zip(mode.states.iter().map(|s| s.norm())).collect();
    states.sort_by(|a, b| b.1.total_cmp(&a.1));
    most(&states)
}

/// The first names of a list whose largest comes first.
fn most(all: &[(String, f64)]) -> String {
    let share = SHARE * all.first().map_or(0.0, |(_, size)| *size);
    all.iter().filter(|(_, size)| *size > share).take(NAMED).map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}

fn csv(found: &Modes) -> String {
    let line =
        |m: &Mode| format!("{:?},{:?},{:?},{:?}\n", m.eigenvalue.re, m.eigenvalue.im, m.frequency(), m.damping_ratio().unwrap_or(f64::NAN));
    std::iter::once("real [1/s],imaginary [rad/s],frequency [Hz],damping ratio [1]\n".into()).chain(found.modes.iter().map(line)).collect()
}

fn json(system: &System, found: &Modes) -> Value {
    let shape = |mode: &Mode| {
        let body = |b: &cardan::system::CompiledBody| {
            let parts: Vec<[f64; 2]> = mode.shape[b.v()].iter().map(|s| [s.re, s.im]).collect();
            (b.name.clone(), json!(parts))
        };
        Value::Object(system.bodies().iter().map(body).collect())
    };
    let mode = |m: &Mode| {
        json!({
            "eigenvalue": [m.eigenvalue.re, m.eigenvalue.im],
            "frequency": m.frequency(),
            "damping_ratio": m.damping_ratio(),
            "time_constant": m.time_constant(),
            "shape": shape(m),
        })
    };
    json!({ "model": system.name(), "state": words(&found.steadiness), "modes": found.modes.iter().map(mode).collect::<Vec<_>>() })
}

/// The page of the report with one swing of every mode, one of them shown.
fn page(path: &Path, number: usize, document: &Document, system: &System, found: &Modes) -> Result<(), Failure> {
    let Some(shown) = number.checked_sub(1).filter(|k| *k < found.modes.len()) else {
        return Err(Failure::new(Code::Usage, format!("there is no mode {number}: there are {}", found.modes.len())));
    };
    let tables: Vec<_> = found.modes.iter().map(|mode| table::of_results(system, &found.swing(system, mode, SAMPLES))).collect();
    let descriptions: Vec<String> = found.modes.iter().enumerate().map(|(k, mode)| description(k + 1, mode)).collect();
    let case = |k: usize| Case {
        description: &descriptions[k],
        columns: &tables[k].columns,
        statistics: json!({ "model": system.name(), "mode": k + 1, "eigenvalue": format!("{}", found.modes[k].eigenvalue) }),
        contacts: Vec::new(),
        touches: None,
    };
    let channels = &tables[shown].channels;
    let scene = scene(document, system, channels.iter().map(|c| c.name.as_str()));
    let report = Report {
        title: document.model.name(),
        scene: &scene,
        gravity: document.model.gravity().into(),
        channels,
        cases: (0..tables.len()).map(case).collect(),
        shown,
        messages: vec![format!("Linearised {}; the amplitude is chosen to be seen", words(&found.steadiness))],
    };
    report::write(&report, path).map_err(Failure::file)
}

fn description(number: usize, mode: &Mode) -> String {
    format!("Mode {number}: {:.4} Hz, damping ratio {:.4}", mode.frequency(), mode.damping_ratio().unwrap_or(0.0))
}
