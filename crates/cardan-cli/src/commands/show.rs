//! `cardan show`: what a model consists of, or its file with everything worked out.

use crate::args::ShowArgs;
use crate::exit::{Code, Failure};
use crate::output::number;
use crate::scene::kebab;
use crate::{input, output};
use cardan::bodies::{Kind, MarkerId};
use cardan::forces::ForceLaw;
use cardan::model::{Extra, Model};
use cardan_io::model_file::Document;

/// Shows a model.
pub fn show(args: &ShowArgs) -> Result<Code, Failure> {
    let document = input::read(&args.model)?;
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
    let bodies =
        model.bodies()[1..].iter().map(|b| vec![b.name.clone(), b.shape.kind_name().into(), format!("{} kg", number(b.shape.mass()))]);
    out.push_str(&section("bodies", bodies.collect()));
    let joints = model.joints().iter().map(|j| vec![j.name.clone(), j.kind.name().into(), ends(model, [j.i, j.j])]);
    out.push_str(&section("joints", joints.collect()));
    out.push_str(&section("other constraints", model.extras().iter().map(|e| vec![e.name().into(), extra_kind(e).into()]).collect()));
    let laws = model.forces().iter().map(|f| (f.name(), f.kind_name(), f.markers()));
    let written = model.expression_forces().iter().map(|f| (f.name.as_str(), f.kind_name(), [f.i, f.j]));
    out.push_str(&section("forces", laws.chain(written).map(|(name, kind, m)| vec![name.into(), kebab(kind), ends(model, m)]).collect()));
    out.push_str(&section("sensors", model.sensors().iter().map(|s| vec![s.name.clone(), s.function.clone()]).collect()));
    let parameters = document.parameters.iter().map(|(name, value)| vec![name.clone(), number(*value)]);
    out.push_str(&section("parameters (SI)", parameters.collect()));
    out
}

/// Two markers with their bodies: `rod.tip – ground.origin`.
fn ends(model: &Model, markers: [MarkerId; 2]) -> String {
    let full = |m: MarkerId| {
        let marker = &model.markers()[m.index()];
        format!("{}.{}", model.bodies()[marker.body.index()].name, marker.name)
    };
    markers.map(full).join(" – ")
}

/// What a constraint besides the joints is, in words of model files.
fn extra_kind(extra: &Extra) -> &'static str {
    match extra {
        Extra::Motion(_) => "motion",
        Extra::Coupler(_) => "coupler",
        Extra::Curve(_) => "point-on-curve",
        Extra::KnifeEdge(_) => "knife-edge",
        Extra::Rolling(_) => "rolling-disk",
        Extra::User(_) | Extra::Expression(_) => "function",
    }
}

/// A heading with indented rows below; nothing if there are none.
fn section(heading: &str, rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let lines: String = output::table(&rows).lines().map(|line| format!("  {line}\n")).collect();
    format!("\n{heading}\n{lines}")
}
