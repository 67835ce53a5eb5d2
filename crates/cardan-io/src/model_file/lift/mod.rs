//! From the engine's model to tables: how a model that was built in code is written. Functions written in Rust have no text;
//! the elements that hold them are named.

mod bodies;
mod constraints;
mod forces;
mod names;

use super::document::Document;
use super::field::{Entry, Function, Named};
use super::number::Amount;
use super::parameters::Parameters;
use super::tables::{self, Crossing, File, Head, Sections, Settings, Then};
use super::write::WriteError;
use cardan::expr::Extrapolation;
use cardan::math::Vec3;
use cardan::model::{Direction, Model};
use names::MarkerNames;

/// The tables of a document's model.
pub(super) fn lift(document: &Document) -> Result<File, WriteError> {
    let model = &document.model;
    let lifting = Lifting { model, names: MarkerNames::new(model) };
    let mut rust = Vec::new();
    let mut sections = Sections { bodies: lifting.bodies(&document.graphics), joints: lifting.joints(), ..Sections::default() };
    lifting.extras(&mut sections, &mut rust);
    lifting.forces(&mut sections, &mut rust);
    signals(model, &mut sections);
    if !rust.is_empty() {
        return Err(WriteError::Functions(rust));
    }
    let gravity = model.gravity();
    let parameters = model.parameters().iter().map(|(name, value)| (name.clone(), Amount::bare(*value)));
    let head = Head {
        name: Some(model.name().into()),
        description: document.description.clone(),
        gravity: (gravity != Vec3::zeros()).then(|| gravity.into()),
        parameters: Parameters(parameters.collect()),
        simulation: (document.simulation != Settings::default()).then(|| document.simulation.clone()),
    };
    Ok(File { head, sections })
}

struct Lifting<'m> {
    model: &'m Model,
    names: MarkerNames,
}

/// An element without a place.
fn entry<T>(name: &str, value: T) -> Entry<T> {
    Entry { name: name.into(), span: 0..0, value }
}

fn function(text: &str) -> Function {
    Function { text: text.into(), span: 0..0 }
}

/// A number that is written only where it is not zero.
fn unless_zero(value: f64) -> Option<f64> {
    (value != 0.0).then_some(value)
}

/// A vector that is written only where it is not zero.
fn vector(v: &Vec3) -> Option<[f64; 3]> {
    (*v != Vec3::zeros()).then(|| (*v).into())
}

fn signals(model: &Model, out: &mut Sections) {
    out.splines = Named(
        model
            .splines()
            .iter()
            .map(|(name, s)| {
                let extrapolate = (s.extrapolation() == Extrapolation::Constant).then_some(tables::Extrapolation::Constant);
                entry(name, tables::Spline { x: s.x().to_vec(), y: s.y().to_vec(), file: None, columns: None, extrapolate })
            })
            .collect(),
    );
    let variable = |v: &cardan::model::Variable| entry(&v.name, tables::Variable { function: function(&v.function) });
    out.variables = Named(model.variables().iter().map(variable).collect());
    let state = |s: &cardan::model::Differential| {
        entry(&s.name, tables::Differential { function: function(&s.function), initial: unless_zero(s.initial) })
    };
    out.states = Named(model.states().iter().map(state).collect());
    let input = |i: &cardan::model::Input| entry(&i.name, tables::Input { initial: unless_zero(i.initial) });
    out.inputs = Named(model.inputs().iter().map(input).collect());
    out.sensors = Named(
        model
            .sensors()
            .iter()
            .map(|s| entry(&s.name, tables::Sensor { function: function(&s.function), unit: s.unit.as_deref().map(Into::into) }))
            .collect(),
    );
    out.events = Named(
        model
            .events()
            .iter()
            .map(|e| {
                let direction = match e.direction {
                    Direction::Any => None,
                    Direction::Rising => Some(Crossing::Rising),
                    Direction::Falling => Some(Crossing::Falling),
                };
                entry(&e.name, tables::Event { function: function(&e.function), direction, action: e.terminal.then_some(Then::Stop) })
            })
            .collect(),
    );
}
