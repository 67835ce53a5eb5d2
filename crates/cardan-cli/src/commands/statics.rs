//! `cardan statics`: where a mechanism rests, and the forces there.

use crate::args::ModelArgs;
use crate::at::unbalanced;
use crate::exit::{Code, Failure};
use crate::output::save;
use crate::output::{count, number};
use crate::{input, output, table};
use cardan::analysis::{Equilibrium, equilibrium};
use cardan::system::System;
use cardan_io::results::Table;
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Options of `cardan statics`.
#[derive(Debug, Args)]
pub struct StaticsArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,
    /// Write all channels there, .csv or .json
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON object to stdout
    #[arg(long)]
    pub json: bool,
}

/// Finds the equilibrium of a model.
pub fn statics(args: &StaticsArgs) -> Result<Code, Failure> {
    let document = input::read(&args.model)?;
    let system = input::compile(&document)?;
    let found = equilibrium(&system).map_err(|error| unbalanced(&error))?;
    let all = table::of_state(&system, &found.state);
    match &args.out {
        Some(path) if path.extension().is_some_and(|e| e == "json") => save(path, &format!("{:#}\n", json(&system, &found, &all)))?,
        Some(path) => table::write_csv(&all, path)?,
        None => {}
    }
    output::print(&if args.json { format!("{:#}\n", json(&system, &found, &all)) } else { text(&system, &found, &all) })?;
    Ok(Code::Done)
}

fn json(system: &System, found: &Equilibrium, all: &Table) -> Value {
    json!({
        "model": system.name(),
        "steps": found.iterations,
        "residual": found.residual,
        "free": found.free,
        "moved": output::moved(&found.moved),
        "warnings": found.warnings,
        "channels": table::first_values(all),
    })
}

fn text(system: &System, found: &Equilibrium, all: &Table) -> String {
    let mut out =
        format!("{}: at rest after {}, forces balance to {}\n\n", system.name(), count(found.iterations, "step"), number(found.residual));
    out.push_str(&output::table(&positions(system, found, all)));
    let forces = wrenches(all);
    if forces.len() > 1 {
        out.push_str(&format!("\n{}", output::table(&forces)));
    }
    for (name, x) in system.state_names().zip(&found.state.x) {
        out.push_str(&format!("\n{name} = {}", number(*x)));
    }
    if !found.free.is_empty() {
        out.push_str(&format!("\nnothing brings back: {} (the equilibrium is one of many)\n", found.free.join(", ")));
    }
    if !found.non_unique_reactions.is_empty() {
        out.push_str("\nconstraints are redundant: reactions are not unique, the smallest are given\n");
    }
    out.extend(found.warnings.iter().map(|warning| format!("\nwarning: {warning}\n")));
    out
}

/// Where the bodies are and how far they went.
fn positions(system: &System, found: &Equilibrium, all: &Table) -> Vec<Vec<String>> {
    let mut rows = vec![["BODY", "X", "Y", "Z", "MOVED", "TURNED"].map(String::from).to_vec()];
    for body in system.bodies() {
        let moved = found.moved.iter().find(|m| m.body == body.name);
        let place = ["x", "y", "z"].map(|axis| table::value(all, &format!("{}.position.{axis}", body.name)));
        let mut row = vec![body.name.clone()];
        row.extend(place.iter().map(|p| p.map_or(String::new(), |p| format!("{} m", number(rounded(p))))));
        let far = |by: f64, unit: &str| if by > 1e-12 { format!("{} {unit}", number(by)) } else { "-".into() };
        row.push(far(moved.map_or(0.0, |m| m.distance), "m"));
        row.push(far(moved.map_or(0.0, |m| m.rotation), "rad"));
        rows.push(row);
    }
    rows
}

/// Forces and torques of all joints and forces, on their first marker in world axes.
fn wrenches(all: &Table) -> Vec<Vec<String>> {
    let mut rows = vec![["ELEMENT", "FX", "FY", "FZ", "TX", "TY", "TZ"].map(String::from).to_vec()];
    let largest = |kind: &str| {
        let same = all.channels.iter().zip(&all.columns).filter(|(c, _)| c.name.contains(kind));
        same.map(|(_, column)| column[0].abs()).fold(0.0, f64::max)
    };
    for element in all.channels.iter().filter_map(|c| c.name.strip_suffix(".force.x")) {
        let mut row = vec![element.to_string()];
        for (kind, unit) in [("force", "N"), ("torque", "N*m")] {
            let name = format!("{element}.{kind}");
            let scale = largest(&format!(".{kind}."));
            let shown = |v: f64| if v.abs() < 1e-11 * scale { 0.0 } else { v };
            let parts = ["x", "y", "z"].map(|axis| table::value(all, &format!("{name}.{axis}")));
            // Contacts tell their force only.
            row.extend(parts.map(|v| v.map_or("-".into(), |v| format!("{} {unit}", number(shown(v))))));
        }
        rows.push(row);
    }
    rows
}

/// Without round-off.
fn rounded(value: f64) -> f64 {
    if value.abs() < 1e-12 { 0.0 } else { value }
}
