//! Reference tables from the registries of the engine and the schema of model files.

use crate::exit::{Code, Failure};
use crate::output;
use cardan::constraints::Coordinate;
use cardan::{constraints, expr, integrators, units};
use cardan_io::model_file;
use serde_json::Value;

/// Prints rows under a heading.
fn print(heading: &[&str], rows: Vec<Vec<String>>) -> Result<Code, Failure> {
    let heading = heading.iter().map(|h| h.to_uppercase()).collect();
    output::print(&output::table(&[vec![heading], rows].concat()))?;
    Ok(Code::Done)
}

/// `cardan methods`.
pub fn methods() -> Result<Code, Failure> {
    let all = integrators::all();
    let yes = |is: bool| if is { "yes" } else { "" }.to_string();
    let row = |m: &std::sync::Arc<dyn integrators::Method>| {
        let indices: Vec<&str> = m.formulations().iter().map(|f| f.name().trim_start_matches("index ")).collect();
        vec![
            m.name().into(),
            m.order().to_string(),
            m.solves().name().into(),
            indices.join(", "),
            yes(m.adaptive()),
            yes(m.real_time()),
            m.damping(),
            m.summary().into(),
        ]
    };
    let heading = ["name", "order", "kind", "index", "tolerance", "real time", "damping", "method"];
    print(&heading, all.iter().map(row).collect())
}

/// `cardan joints`.
pub fn joints() -> Result<Code, Failure> {
    let coordinate = |c: &Coordinate| match c {
        Coordinate::Translation => "translation",
        Coordinate::Rotation => "rotation",
    };
    let row = |joint: &std::sync::Arc<dyn constraints::JointType>| {
        let rows = joint.rows(&constraints::Axes::spatial()).len();
        let free: Vec<&str> = joint.coordinates().iter().map(coordinate).collect();
        vec![joint.name().into(), rows.to_string(), free.join(", "), joint.summary().into()]
    };
    print(&["name", "rows", "motions on", "joint"], constraints::joints::all().iter().map(row).collect())
}

/// `cardan forces`.
pub fn forces() -> Result<Code, Failure> {
    kinds("Force")
}

/// `cardan blocks`.
pub fn blocks() -> Result<Code, Failure> {
    kinds("Block")
}

/// The kinds of a table of model files with their keys.
fn kinds(table: &str) -> Result<Code, Failure> {
    let kinds = model_file::schema();
    let kinds = kinds["$defs"][table]["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    let paragraphs: Vec<String> = kinds.iter().map(of_kind).collect();
    output::print(&paragraphs.join("\n"))?;
    Ok(Code::Done)
}

/// A kind with its keys, as the schema of model files describes them.
fn of_kind(kind: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().trim_end_matches('.').to_string();
    let keys = kind["properties"].as_object().into_iter().flatten().filter(|(key, _)| *key != "kind");
    let row = |(key, about): (&String, &Value)| {
        let needed = kind["required"].as_array().is_some_and(|all| all.iter().any(|k| k == key));
        let unit = about["title"].as_str().and_then(|t| t.strip_prefix("a number in ")).and_then(|t| t.split_once(',')).map_or("", |t| t.0);
        vec![format!("  {key}"), if needed { "needed" } else { "" }.into(), unit.into(), word(&about["description"])]
    };
    let about = &kind["properties"]["kind"];
    format!("{}: {}\n{}", word(&about["const"]), word(&about["description"]), output::table(&keys.map(row).collect::<Vec<_>>()))
}

/// `cardan functions`.
pub fn functions() -> Result<Code, Failure> {
    let arguments = |(least, most): (usize, usize)| match most {
        usize::MAX => format!("{least} or more"),
        most if most == least => least.to_string(),
        most => format!("{least} to {most}"),
    };
    let row = |f: &expr::Function| vec![f.name.into(), arguments(f.arguments), f.summary.into()];
    print(&["name", "arguments", "function"], expr::FUNCTIONS.iter().map(row).collect())
}

/// `cardan units`.
pub fn units() -> Result<Code, Failure> {
    let row = |u: &units::UnitEntry| {
        let prefixes = if u.prefixes { "with prefixes" } else { "" };
        vec![u.symbol.into(), output::number(u.factor), u.dimension.to_string(), prefixes.into()]
    };
    print(&["unit", "in si", "dimension", ""], units::UNITS.iter().map(row).collect())
}
