//! `cardan linearize`: A, B, C, D of a model, from named inputs to named sensors.

use crate::args::ModelArgs;
use crate::at::{AtArgs, words};
use crate::exit::{Code, Failure};
use crate::output::save;
use crate::{input, output};
use cardan::analysis::{LinearModel, LinearizeError, linearize};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Options of `cardan linearize`.
#[derive(Debug, Args)]
pub struct LinearizeArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,
    /// Inputs, variables, blocks, or forces given by functions (FORCE or FORCE.x)
    #[arg(long, value_delimiter = ',')]
    pub inputs: Vec<String>,
    /// Sensors [default: all]
    #[arg(long, value_delimiter = ',')]
    pub outputs: Vec<String>,
    /// Where to linearise
    #[command(flatten)]
    pub at: AtArgs,
    /// Write the matrices there: .json, .m (Matlab, Octave) or .csv
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Linearises a model.
pub fn run(args: &LinearizeArgs) -> Result<Code, Failure> {
    let document = input::read(&args.model)?;
    let system = input::compile(&document)?;
    let state = args.at.state(&document, &system)?;
    let all: Vec<&str> = document.model.sensors().iter().map(|s| s.name.as_str()).collect();
    let outputs: Vec<&str> = if args.outputs.is_empty() { all } else { args.outputs.iter().map(String::as_str).collect() };
    let inputs: Vec<&str> = args.inputs.iter().map(String::as_str).collect();
    let linear = linearize(&document.model, &state, &inputs, &outputs).map_err(|error| explained(&error))?;
    output::say(&format!("{}: linearised {}", system.name(), words(&linear.steadiness)));
    match &args.out {
        Some(path) => save(path, &formatted(&linear, path)?)?,
        None => output::print(&text(&linear))?,
    }
    Ok(Code::Done)
}

/// The failure of a linearisation.
pub fn explained(error: &LinearizeError) -> Failure {
    let code = match error {
        LinearizeError::Input { .. } | LinearizeError::Output { .. } => Code::Usage,
        LinearizeError::Model(_) => Code::Model,
        LinearizeError::Solve(_) | LinearizeError::Decomposition => Code::Integration,
    };
    Failure::new(code, error)
}

/// A matrix with its name, row by row.
type Named = (&'static str, Vec<Vec<f64>>);

fn matrices(linear: &LinearModel) -> [Named; 4] {
    [("A", &linear.a), ("B", &linear.b), ("C", &linear.c), ("D", &linear.d)]
        .map(|(name, m)| (name, m.row_iter().map(|row| row.iter().copied().collect()).collect()))
}

fn formatted(linear: &LinearModel, path: &Path) -> Result<String, Failure> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("json") => Ok(format!("{:#}\n", json(linear))),
        Some("m") => Ok(matlab(linear)),
        Some("csv") => Ok(csv(linear)),
        _ => Err(Failure::new(Code::Usage, "the file must end in .json, .m or .csv")),
    }
}

fn json(linear: &LinearModel) -> Value {
    let mut out = json!({
        "states": linear.states,
        "inputs": linear.inputs,
        "outputs": linear.outputs,
        "state": words(&linear.steadiness),
    });
    matrices(linear).into_iter().for_each(|(name, rows)| out[name] = rows.into());
    out
}

fn matlab(linear: &LinearModel) -> String {
    let names = |names: &[String]| names.iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", ");
    let sizes = [linear.states.len(), linear.states.len(), linear.outputs.len(), linear.outputs.len()];
    let widths = [linear.states.len(), linear.inputs.len(), linear.states.len(), linear.inputs.len()];
    let mut out = format!("% x' = A x + B u, y = C x + D u; linearised {}\n", words(&linear.steadiness));
    for (k, (name, rows)) in matrices(linear).into_iter().enumerate() {
        let rows: Vec<String> = rows.iter().map(|row| numbers(row, " ")).collect();
        let empty = sizes[k] * widths[k] == 0;
        out += &if empty {
            format!("{name} = zeros({}, {});\n", sizes[k], widths[k])
        } else {
            format!("{name} = [\n  {}];\n", rows.join("\n  "))
        };
    }
    out + &format!(
        "states = {{{}}};\ninputs = {{{}}};\noutputs = {{{}}};\n",
        names(&linear.states),
        names(&linear.inputs),
        names(&linear.outputs)
    )
}

/// One line a row, with the name of the matrix before it.
fn csv(linear: &LinearModel) -> String {
    let rows =
        matrices(linear).into_iter().flat_map(|(name, rows)| rows.into_iter().map(move |row| format!("{name},{}\n", numbers(&row, ","))));
    rows.collect()
}

fn numbers(row: &[f64], between: &str) -> String {
    row.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(between)
}

fn text(linear: &LinearModel) -> String {
    let mut out = String::new();
    for (name, rows) in matrices(linear) {
        let (down, across) = match name {
            "A" => (&linear.states, &linear.states),
            "B" => (&linear.states, &linear.inputs),
            "C" => (&linear.outputs, &linear.states),
            _ => (&linear.outputs, &linear.inputs),
        };
        if down.is_empty() || across.is_empty() {
            continue;
        }
        let head = [vec![name.to_string()], across.clone()].concat();
        let body = rows.iter().zip(down).map(|(row, label)| {
            let cells = row.iter().map(|x| output::number(if x.abs() < 1e-12 { 0.0 } else { *x }));
            std::iter::once(label.clone()).chain(cells).collect()
        });
        out += &format!("{}\n", output::table(&std::iter::once(head).chain(body).collect::<Vec<_>>()));
    }
    out
}
