//! Reference tables from the registries of the engine.

use crate::exit::{Code, Failure};
use crate::output;
use crate::scene::kebab;
use cardan::constraints::Coordinate;
use cardan::{constraints, expr, forces, integrators, units};

/// Prints rows under a heading.
fn print(heading: &[&str], rows: Vec<Vec<String>>) -> Result<Code, Failure> {
    let heading = heading.iter().map(|h| h.to_uppercase()).collect();
    output::print(&output::table(&[vec![heading], rows].concat()))?;
    Ok(Code::Done)
}

/// `cardan methods`.
pub fn methods() -> Result<Code, Failure> {
    let all = integrators::all();
    let row = |m: &std::sync::Arc<dyn integrators::Method>| vec![m.name().into(), m.order().to_string(), m.summary().into()];
    print(&["name", "order", "method"], all.iter().map(row).collect())
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
    print(&["name", "force"], forces::KINDS.iter().map(|(name, summary)| vec![kebab(name), (*summary).into()]).collect())
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
        vec![u.symbol.into(), u.factor.to_string(), u.dimension.to_string(), prefixes.into()]
    };
    print(&["unit", "in si", "dimension", ""], units::UNITS.iter().map(row).collect())
}
