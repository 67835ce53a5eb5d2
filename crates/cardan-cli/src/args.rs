//! Commands and options.

use crate::exit::TABLE;
use cardan::units::{Dimension, Unit};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Simulates mechanical systems: bodies, joints and forces described in a model file.
#[derive(Debug, Parser)]
#[command(name = "cardan", version, after_help = TABLE)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a model and write its results
    #[command(after_help = TABLE)]
    Run(RunArgs),
    /// Explain a model: degrees of freedom, redundant constraints, masses, mistakes
    Check(CheckArgs),
    /// Plot channels of a result as SVG or PNG; without channels, list them
    Plot(PlotArgs),
    /// Write the interactive report of a result again
    Report(ReportArgs),
    /// Show what a model consists of
    Show(ShowArgs),
    /// Begin a model of your own
    New(NewArgs),
    /// List the models that come with Cardan, or show one
    Gallery(GalleryArgs),
    /// Compare methods on a model: error against work
    Compare(crate::commands::compare::CompareArgs),
    /// Compute tables and figures of papers again, and compare
    Reproduce(crate::commands::reproduce::ReproduceArgs),
    /// Find where a model rests, and the forces there
    Statics(crate::commands::statics::StaticsArgs),
    /// Compute the motion of a model that is driven in all its degrees of freedom
    Kinematics(crate::commands::kinematics::KinematicsArgs),
    /// Give linear equations A, B, C, D from inputs to sensors
    Linearize(crate::commands::linearize::LinearizeArgs),
    /// List eigenvalues, frequencies and damping of small motions
    Modes(crate::commands::modes::ModesArgs),
    /// Draw where methods are stable
    Stability(StabilityArgs),
    /// List the integration methods
    Methods,
    /// List the joint types
    Joints,
    /// List the kinds of forces
    Forces,
    /// List the kinds of blocks
    Blocks,
    /// List the functions of expressions
    Functions,
    /// List the units
    Units,
    /// Print the JSON Schema of model files, for editors
    Schema,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Form of the constraints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormulationArg {
    /// Position constraints
    Index3,
    /// Position and velocity constraints
    Index2,
}

/// What happens when a step in real time is not done in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Overrun {
    /// The next steps start at once until they are on time again
    CatchUp,
    /// The missed periods are left out: the model falls behind the clock
    Skip,
    /// The run ends
    Stop,
}

/// A result file's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Format {
    /// Text, one line a sample
    Csv,
    /// Columns in binary
    Parquet,
}

fn methods() -> Vec<&'static str> {
    cardan::integrators::all().iter().map(|m| m.name()).collect()
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().into(), value.trim().into()))
}

/// A model file, and numbers in place of its own.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// The model file
    #[arg(value_name = "MODEL")]
    pub file: PathBuf,
    /// Replace a parameter of the model; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
}

/// A time with a unit, or in seconds.
fn time(text: &str) -> Result<f64, String> {
    let digits = text.find(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 'E')).unwrap_or(text.len());
    let (number, unit) = (text[..digits].trim(), text[digits..].trim());
    let unit = Unit::parse(if unit.is_empty() { "s" } else { unit }).map_err(|error| error.to_string())?;
    if unit.dimension != Dimension::TIME {
        return Err("write a time, such as 1ms".into());
    }
    positive(number).map(|value| value * unit.factor)
}

/// Between 0 and 1.
fn tolerance(text: &str) -> Result<f64, String> {
    positive(text).and_then(|value| if value < 1.0 { Ok(value) } else { Err("it must be between 0 and 1".into()) })
}

/// Zero or more.
pub fn not_negative(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "write a number")?;
    if value >= 0.0 && value.is_finite() { Ok(value) } else { Err("it must not be negative".into()) }
}

/// More than zero.
pub fn positive(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "write a number")?;
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err("it must be positive".into()) }
}

/// Options of `cardan run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,
    /// Integration method
    #[arg(long, value_parser = clap::builder::PossibleValuesParser::new(methods()))]
    pub method: Option<String>,
    /// Tolerance of the error control
    #[arg(long, value_name = "TOLERANCE", value_parser = tolerance, allow_negative_numbers = true, conflicts_with = "step")]
    pub tol: Option<f64>,
    /// Fixed step, s
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// End time, s
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub t_end: Option<f64>,
    /// Form of the constraints
    #[arg(long)]
    pub formulation: Option<FormulationArg>,
    /// Threads for large models; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Step by step with the clock on the wall; prints how long steps took
    #[arg(long)]
    pub realtime: bool,
    /// Time between two steps in real time, also their size, such as 1ms [default: the model's step, or 1 ms]
    #[arg(long, value_name = "TIME", value_parser = time, requires = "realtime", conflicts_with_all = ["tol", "step"])]
    pub period: Option<f64>,
    /// What happens when a step in real time takes too long
    #[arg(long, value_enum, default_value = "catch-up", requires = "realtime")]
    pub overrun: Overrun,
    /// Steps of a real-time run one after another as quickly as they go, without the clock
    #[arg(long, requires = "realtime", conflicts_with = "overrun")]
    pub no_wait: bool,
    /// Folder of the results [default: MODEL-results]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Result files
    #[arg(long, value_enum, value_delimiter = ',', default_value = "parquet")]
    pub output: Vec<Format>,
    /// Write the results also where they take more than 4 GB
    #[arg(long)]
    pub large: bool,
    /// Print one JSON object about the run to stdout
    #[arg(long)]
    pub json: bool,
    /// No messages but errors
    #[arg(long)]
    pub quiet: bool,
}

/// Options of `cardan check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,
    /// Also say what a step in real time costs, and try it
    #[arg(long)]
    pub realtime: bool,
    /// Print one JSON object to stdout
    #[arg(long)]
    pub json: bool,
}

/// Options of `cardan plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Folder of a run, or a result file
    pub result: PathBuf,
    /// Channels, such as crank.position.x or 'crank.*'
    pub channels: Vec<String>,
    /// Channel along the horizontal axis
    #[arg(long, value_name = "CHANNEL", default_value = "time")]
    pub against: String,
    /// The picture, .svg or .png
    #[arg(long, value_name = "FILE", default_value = "plot.svg")]
    pub out: PathBuf,
}

/// Options of `cardan stability`.
#[derive(Debug, Args)]
pub struct StabilityArgs {
    /// Methods; all of them if none is named
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(methods()))]
    pub methods: Vec<String>,
    /// The picture, .svg
    #[arg(long, value_name = "FILE", default_value = "stability.svg")]
    pub out: PathBuf,
}

/// Options of `cardan report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Folder of a run
    pub result: PathBuf,
}

/// Options of `cardan show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,
    /// Print the model file with parameters, units and repetitions worked out
    #[arg(long)]
    pub expand: bool,
}

/// Options of `cardan new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// Name of the model and of its folder
    pub name: String,
    /// Begin with this model of the gallery
    #[arg(long, value_name = "GALLERY", default_value = "pendulum")]
    pub from: String,
}

/// Options of `cardan gallery`.
#[derive(Debug, Args)]
pub struct GalleryArgs {
    /// Show this one
    pub name: Option<String>,
}
