//! `cardan compare`: methods on one model, their errors against the work they take.
//!
//! ```text
//! compare.csv, compare.json                     one row a run
//! ERROR-WORK.svg                                positions, velocities, multipliers against seconds, evaluations, factorizations
//! ```

mod ladder;
mod render;
mod runs;

use crate::args::{ModelArgs, positive};
use crate::exit::{Code, Failure};
use crate::{input, output};
use cardan_io::compare as measure;
use cardan_io::results::{self, Table};
use ladder::Ladder;
use runs::{Bench, Plan, Row};
use std::path::{Path, PathBuf};

/// Compare methods on a model: error against work.
///
/// Every method runs with each of the tolerances, or with each of the steps where it has no error control. Errors are the largest over
/// output times of the weighted root mean square of the differences from a reference: Radau at a tight tolerance, or a result file.
#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    /// The model
    #[command(flatten)]
    model: ModelArgs,
    /// Methods, each with a formulation if it is not the method's own: hht:index2
    #[arg(long, value_delimiter = ',', default_value = "hht,gen-alpha,bdf,radau,dormand-prince")]
    methods: Vec<String>,
    /// Tolerances, from:to by powers of ten, or a list
    #[arg(long, value_name = "TOLERANCES", default_value = "1e-3:1e-9")]
    tol: Ladder,
    /// Steps of methods without error control, from:to, or a list [default: hundredths to ten thousandths of the run]
    #[arg(long)]
    steps: Option<Ladder>,
    /// End time, s
    #[arg(long, value_parser = positive)]
    t_end: Option<f64>,
    /// Result file or folder to compare with, instead of an accurate run
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    /// A run that takes longer is given up, s
    #[arg(long, value_parser = positive, default_value = "60")]
    limit: f64,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write tables and plots into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Output times of a run that is compared with an accurate one.
const SAMPLES: f64 = 20.0;
/// Methods and tolerances of the accurate run: the first that works.
const TIGHT: [(&str, f64); 3] = [("radau", 1e-12), ("radau", 1e-10), ("dormand-prince", 1e-10)];

/// Runs the command.
pub fn compare(args: &CompareArgs) -> Result<Code, Failure> {
    let plans = args.methods.iter().map(|text| Plan::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let document = input::read(&args.model)?;
    let system = input::compile(&document)?;
    let no_end = || Failure::new(Code::Model, "the model has no end time: give one with --t-end");
    let t_end = args.t_end.or(document.simulation.t_end).ok_or_else(no_end)?;
    let own_interval = document.simulation.output_interval.filter(|_| args.reference.is_some());
    let interval = own_interval.unwrap_or(t_end / SAMPLES);
    let bench = Bench { system: &system, settings: &document.simulation, t_end, interval, limit: args.limit };
    let reference = reference(args.reference.as_deref(), &bench)?;
    let steps = args.steps.clone().unwrap_or_else(|| Ladder::between(1e-2 * t_end, 1e-4 * t_end, 10f64.sqrt()));
    let mut rows: Vec<Row> = Vec::new();
    for plan in &plans {
        let sizes = if plan.method.adaptive() { &args.tol } else { &steps };
        rows.extend(sizes.values.iter().map(|size| bench.measure(plan, *size, &reference)));
    }
    if let Some(folder) = &args.out {
        write_all(folder, &rows)?;
    }
    output::print(&if args.json { format!("{:#}\n", render::json(&rows)) } else { render::table(&rows) })?;
    Ok(Code::Done)
}

/// What the runs are compared with.
fn reference(file: Option<&Path>, bench: &Bench) -> Result<Table, Failure> {
    match file {
        Some(file) => results::read(file).map_err(Failure::file),
        None => accurate(bench),
    }
}

/// The most accurate run that works: beside singular configurations not all do.
fn accurate(bench: &Bench) -> Result<Table, Failure> {
    let mut failed = Failure::new(Code::Integration, "no reference");
    for (method, tolerance) in TIGHT {
        match bench.run(&Plan::parse(method)?, tolerance) {
            Ok(run) => return Ok(measure::table(bench.system, &run)),
            Err(error) => {
                output::say(&format!("{method} at the tolerance {tolerance:e} gives no reference: {error}"));
                failed = super::run::explained(&error);
            }
        }
    }
    Err(failed)
}

fn write_all(folder: &Path, rows: &[Row]) -> Result<(), Failure> {
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error| Failure::file(format!("cannot write {path}: {error}"))
    };
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let tables = [("compare.csv".into(), render::csv(rows)), ("compare.json".into(), format!("{:#}\n", render::json(rows)))];
    for (name, content) in tables.into_iter().chain(render::figures(rows)) {
        let path = folder.join(name);
        std::fs::write(&path, content).map_err(failed(&path))?;
    }
    Ok(())
}
