//! The command `cardan-bench`: runs a problem and prints one line of JSON, describes a problem to peers, compares with them.

use cardan::prelude::Formulation;
use cardan_bench::compare::{Choice, compare};
use cardan_bench::describe::describe;
use cardan_bench::growth::measure_growth;
use cardan_bench::launch::Launcher;
use cardan_bench::measure::{Outcome, Settings, Steps, measure};
use cardan_bench::problems::problem;
use cardan_bench::reference::{self, References};
use cardan_bench::report;
use cardan_bench::torture::command::Torture;
use cardan_io::model_file::{Document, write};
use clap::{Args, Parser, Subcommand};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Cardan against other programs.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a problem with Cardan and print what it took, as a line of JSON
    Run(Run),
    /// Print a problem as JSON, for other programs
    Describe(Which),
    /// Print a problem as a model file, for `cardan run`
    Model(ModelFile),
    /// Run all problems in all programs and write peers.md
    Compare(Compare),
    /// Compute the reference solutions and write reference.json
    Reference(Place),
    /// Run random mechanisms with every method and compare with tight runs
    Torture(Torture),
}

#[derive(Args)]
struct Place {
    /// The Python that has the peers
    #[arg(long)]
    python: PathBuf,
    /// The folder `benches`
    #[arg(long)]
    benches: PathBuf,
    /// A folder for files that may be deleted
    #[arg(long)]
    scratch: PathBuf,
    /// Only this problem
    #[arg(long)]
    only: Option<String>,
}

#[derive(Args)]
struct Compare {
    #[command(flatten)]
    place: Place,
    /// Only a part of the problems
    #[arg(long, conflicts_with = "only")]
    quick: bool,
    /// Names and versions of the peers, for the page
    #[arg(long)]
    version: Vec<String>,
}

#[derive(Args)]
struct Which {
    /// Name of the problem
    problem: String,
    /// Size
    #[arg(long, default_value_t = 1)]
    n: usize,
}

#[derive(Args)]
struct ModelFile {
    #[command(flatten)]
    which: Which,
    /// Fixed steps of this size, s
    #[arg(long)]
    step: Option<f64>,
    /// A sample this often, s [default: every step]
    #[arg(long)]
    interval: Option<f64>,
    /// End of the run, s [default: the problem's own]
    #[arg(long)]
    end: Option<f64>,
}

#[derive(Args)]
struct Run {
    #[command(flatten)]
    which: Which,
    /// Name of the method, as in `cardan methods`
    #[arg(long, default_value = "gen-alpha")]
    method: String,
    /// A parameter of the method, as rho=0.9
    #[arg(long, value_parser = parameter)]
    set: Vec<(String, f64)>,
    /// Stabilised index-2 constraints
    #[arg(long)]
    index2: bool,
    /// Fixed steps of this size, s
    #[arg(long, required_unless_present = "tol", conflicts_with = "tol")]
    step: Option<f64>,
    /// Error control at this tolerance
    #[arg(long)]
    tol: Option<f64>,
    /// End of the run, s [default: the problem's own]
    #[arg(long)]
    end: Option<f64>,
    /// How often to run; the shortest time counts
    #[arg(long, default_value_t = 1)]
    repeat: usize,
    /// Compare with the problem of this size, which runs in turn
    #[arg(long)]
    beside: Option<usize>,
}

fn parameter(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("expected name=value")?;
    Ok((name.into(), value.parse().map_err(|_| format!("'{value}' is not a number"))?))
}

fn main() -> ExitCode {
    match perform(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn perform(command: Command) -> Result<(), Box<dyn Error>> {
    match command {
        Command::Describe(which) => println!("{}", describe(&problem(&which.problem, which.n)?)?),
        Command::Model(model) => print!("{}", model.text()?),
        Command::Run(run) => {
            println!("{}", serde_json::to_string(&run.perform()?)?);
        }
        Command::Compare(compare) => compare.perform()?,
        Command::Torture(torture) => match torture.perform()? {
            0 => {}
            wrong => return Err(format!("{wrong} runs are wrong").into()),
        },
        Command::Reference(place) => {
            let mut references = place.references()?;
            references.append(&mut reference::compute(&place.launcher(), place.only.as_deref())?);
            fs::write(place.reference_file(), serde_json::to_string_pretty(&references)? + "\n")?;
        }
    }
    Ok(())
}

impl Place {
    fn launcher(&self) -> Launcher {
        Launcher { python: self.python.clone(), scripts: self.benches.join("peers"), scratch: self.scratch.clone() }
    }

    fn reference_file(&self) -> PathBuf {
        self.benches.join("reference.json")
    }

    /// The references there are.
    fn references(&self) -> Result<References, Box<dyn Error>> {
        let file = self.reference_file();
        if file.is_file() { Ok(serde_json::from_str(&fs::read_to_string(file)?)?) } else { Ok(References::new()) }
    }
}

impl ModelFile {
    fn text(&self) -> Result<String, Box<dyn Error>> {
        let problem = problem(&self.which.problem, self.which.n)?;
        let mut document = Document::from_model(problem.model);
        let simulation = &mut document.simulation;
        (simulation.step, simulation.output_interval) = (self.step, self.interval);
        simulation.t_end = self.end.or(Some(problem.t_end));
        Ok(write(&document)?)
    }
}

impl Compare {
    fn perform(&self) -> Result<(), Box<dyn Error>> {
        let choice = match (&self.place.only, self.quick) {
            (Some(name), _) => Choice::Family(name.clone()),
            (None, true) => Choice::Quick,
            (None, false) => Choice::All,
        };
        let references = self.place.references()?;
        let all = compare(&self.place.launcher(), &references, &choice)?;
        for measured in &all {
            if let Some(svg) = report::plot(measured) {
                fs::write(picture(&self.place.benches, &measured.family, measured.n), svg)?;
            }
        }
        fs::write(self.place.benches.join("peers.md"), report::page(&all, &references, &report::machine(&self.version)))?;
        Ok(())
    }
}

fn picture(benches: &Path, family: &str, n: usize) -> PathBuf {
    benches.join("peers").join(format!("{family}-{n}.svg"))
}

impl Run {
    fn perform(&self) -> Result<Outcome, Box<dyn Error>> {
        let (Which { problem: name, n }, settings) = (&self.which, self.settings());
        let chosen = problem(name, *n)?;
        Ok(match self.beside {
            Some(small) => measure_growth(&chosen, &problem(name, small)?, n / small.max(1), &settings)?,
            None => measure(&chosen, &settings)?,
        })
    }

    fn settings(&self) -> Settings {
        let steps = match (self.step, self.tol) {
            (Some(h), _) => Steps::Fixed(h),
            (None, tolerance) => Steps::Controlled(tolerance.unwrap_or(1e-6)),
        };
        let formulation = if self.index2 { Formulation::Index2 } else { Formulation::default() };
        let parameters = self.set.clone();
        Settings { method: self.method.clone(), parameters, formulation, steps, end: self.end, repeat: self.repeat }
    }
}
