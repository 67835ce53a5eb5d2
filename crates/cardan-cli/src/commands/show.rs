//! `cardan show`: what a model consists of, or its file with everything worked out.

use crate::args::ShowArgs;
use crate::exit::{Code, Failure};
use crate::scene::kebab;
use crate::{input, output};
use cardan::bodies::Kind;
use cardan::forces::ForceLaw;
use cardan_io::model_file::Document;

/// Shows a model.
pub fn show(args: &ShowArgs) -> Result<Code, Failure> {
    let document = input::read(&args.model, &args.set)?;
    let text = if args.expand { input::expanded(&document)? } else { overview(&document) };
    output::print(&text)?;
    Ok(Code::Done)
}

fn overview(document: &Document) -> String {
    let model = &document.model;
    let mut out = format!("{}\n", model.name());
    if let Some(description) = &document.description {
        out.push_str(&format!("{description}\n"));
    }
    let bodies = model.bodies()[1..].iter().map(|b| vec![b.name.clone(), b.shape.kind_name().into(), format!("{} kg", b.shape.mass())]);
    out.push_str(&section("bodies", bodies.collect()));
    let joints = model.joints().iter().map(|j| {
        let ends = [j.i, j.j].map(|m| model.markers()[m.index()].name.clone());
        vec![j.name.clone(), j.kind.name().into(), ends.join(" – ")]
    });
    out.push_str(&section("joints", joints.collect()));
    out.push_str(&section("other constraints", model.extras().iter().map(|e| vec![e.name().into()]).collect()));
    let laws = model.forces().iter().map(|f| (f.name(), f.kind_name()));
    let written = model.expression_forces().iter().map(|f| (f.name.as_str(), f.kind_name()));
    out.push_str(&section("forces", laws.chain(written).map(|(name, kind)| vec![name.into(), kebab(kind)]).collect()));
    out.push_str(&section("sensors", model.sensors().iter().map(|s| vec![s.name.clone(), s.function.clone()]).collect()));
    let parameters = document.parameters.iter().map(|(name, value)| vec![name.clone(), value.to_string()]);
    out.push_str(&section("parameters (SI)", parameters.collect()));
    out
}

/// A heading with indented rows below; nothing if there are none.
fn section(heading: &str, rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let lines: String = output::table(&rows).lines().map(|line| format!("  {line}\n")).collect();
    format!("\n{heading}\n{lines}")
}
