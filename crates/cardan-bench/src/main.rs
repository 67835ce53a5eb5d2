//! The command `cardan-bench`: runs a problem and prints one line of JSON, describes a problem to peers.

use cardan::prelude::Formulation;
use cardan_bench::describe::describe;
use cardan_bench::measure::{Settings, Steps, measure};
use cardan_bench::problems::problem;
use clap::{Args, Parser, Subcommand};
use std::error::Error;
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
        Command::Run(run) => {
            let outcome = measure(&problem(&run.which.problem, run.which.n)?, &run.settings())?;
            println!("{}", serde_json::to_string(&outcome)?);
        }
    }
    Ok(())
}

impl Run {
    fn settings(&self) -> Settings {
        let steps = match (self.step, self.tol) {
            (Some(h), _) => Steps::Fixed(h),
            (None, tolerance) => Steps::Controlled(tolerance.unwrap_or(1e-6)),
        };
        let formulation = if self.index2 { Formulation::Index2 } else { Formulation::Index3 };
        let parameters = self.set.clone();
        Settings { method: self.method.clone(), parameters, formulation, steps, end: self.end, repeat: self.repeat }
    }
}
