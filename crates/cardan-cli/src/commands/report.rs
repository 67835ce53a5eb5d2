//! `cardan report`: the interactive report of a run, from the files of its folder.

use crate::args::{ModelArgs, ReportArgs};
use crate::exit::{Code, Failure};
use crate::scene::scene;
use crate::{input, output};
use cardan::system::System;
use cardan_io::model_file::Document;
use cardan_io::report::{self, Case, ContactEntry, Report, Touches};
use cardan_io::results::{self, Table, touches};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Writes the report of a run again.
pub fn report(args: &ReportArgs) -> Result<Code, Failure> {
    let document = input::read(&ModelArgs { file: args.result.join("model.toml"), set: Vec::new() })?;
    let system = input::compile(&document)?;
    let path = args.result.join("run.json");
    let failed = |error: &dyn std::fmt::Display| Failure::file(format!("{}: {error}", path.display()));
    let text = fs::read_to_string(&path).map_err(|error| failed(&error))?;
    let summary: Value = serde_json::from_str(&text).map_err(|error| failed(&error))?;
    write(&args.result, &document, &system, &summary)?;
    output::say(&format!("written to {}", args.result.join("report.html").display()));
    Ok(Code::Done)
}

/// Writes `report.html` into the folder of a run, from the samples in its files.
pub fn write(folder: &Path, document: &Document, system: &System, summary: &Value) -> Result<(), Failure> {
    let table = results::read(folder).map_err(Failure::file)?;
    // Touches without a list of contacts are those of an earlier run.
    let written = if summary["contacts"].is_null() { None } else { touches::read(folder).map_err(Failure::file)? };
    let touches = written.map(|touches| Touches::of(&touches, &table.columns[0]));
    write_shown(folder, document, system, summary, &report::thinned(table), touches.as_ref())
}

/// The same from samples and touches at hand.
pub fn write_shown(
    folder: &Path,
    document: &Document,
    system: &System,
    summary: &Value,
    table: &Table,
    touches: Option<&Touches>,
) -> Result<(), Failure> {
    let scene = scene(document, system, table.channels.iter().map(|c| c.name.as_str()));
    let report = Report {
        title: document.model.name(),
        scene: &scene,
        gravity: document.model.gravity().into(),
        channels: &table.channels,
        cases: vec![Case {
            description: document.description.as_deref().unwrap_or_default(),
            columns: &table.columns,
            statistics: statistics(summary),
            contacts: contacts(summary),
            touches,
        }],
        shown: 0,
        messages: messages(summary),
    };
    report::write(&report, folder.join("report.html")).map_err(Failure::file)
}

/// Without the final values, which the report shows anyway, without what is said in messages, and without contacts, which have a table of their own.
fn statistics(summary: &Value) -> Value {
    let elsewhere = ["final", "warnings", "error", "hints", "likely_mistake", "contacts"];
    let shown = summary.as_object().into_iter().flatten().filter(|(key, _)| !elsewhere.contains(&key.as_str()));
    Value::Object(shown.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// What contacts did; nothing where the run was made before that was written down.
fn contacts(summary: &Value) -> Vec<ContactEntry> {
    serde_json::from_value(summary["contacts"]["each"].clone()).unwrap_or_default()
}

fn messages(summary: &Value) -> Vec<String> {
    let words = |key: &str| summary[key].as_array().cloned().unwrap_or_default();
    let error = summary["error"].as_str().map(|e| format!("The run failed: {e}"));
    let hints = words("hints").into_iter().filter_map(|h| h.as_str().map(|h| format!("Try: {h}")));
    error.into_iter().chain(hints).chain(words("warnings").into_iter().filter_map(|w| w.as_str().map(String::from))).collect()
}
