//! From the engine's model to tables: how a model that was built in code is written. Functions written in Rust have no text;
//! the elements that hold them are named.

mod bodies;
mod constraints;
mod contacts;
mod forces;
mod names;
mod profiles;

use super::document::Document;
use super::field::{Entry, Function, Named, Quantity};
use super::number::Amount;
use super::parameters::Parameters;
use super::tables::{self, Crossing, File, Given, Head, Sections, Settings, Then};
use super::write::WriteError;
use cardan::bodies::Shape;
use cardan::control::{Sort, Value};
use cardan::expr::Extrapolation;
use cardan::math::Vec3;
use cardan::model::{Direction, Elements, Form, Model, SensorErrors, Solution};
use names::MarkerNames;

/// The tables of a document's model.
pub(super) fn lift(document: &Document) -> Result<File, WriteError> {
    let model = &document.model;
    let lifting = Lifting { model, names: MarkerNames::new(model) };
    let flexible = model.bodies().iter().filter(|b| matches!(b.shape, Shape::Flexible(_)));
    let flexible: Vec<String> = flexible.map(|b| b.name.clone()).collect();
    if !flexible.is_empty() {
        return Err(WriteError::Bodies(flexible));
    }
    let mut rust = Vec::new();
    let mut sections = Sections { bodies: lifting.bodies(&document.graphics), joints: lifting.joints(), ..Sections::default() };
    lifting.extras(&mut sections, &mut rust);
    lifting.forces(&mut sections, &mut rust);
    lifting.contacts(&mut sections, &mut rust);
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

fn sensor(s: &cardan::model::Sensor) -> Entry<tables::Sensor> {
    let SensorErrors { bias, noise, seed, clock } = s.errors;
    let table = tables::Sensor {
        kind: tables::SensorKind::Function(tables::Reading { function: function(&s.function) }),
        unit: s.unit.as_deref().map(Into::into),
        bias: unless_zero(bias),
        noise: unless_zero(noise),
        seed: (seed != 0).then_some(seed as usize),
        sample_time: clock.map(|clock| clock.period),
        offset: clock.and_then(|clock| unless_zero(clock.offset)),
    };
    entry(&s.name, table)
}

fn block(b: &cardan::control::Block) -> Entry<tables::Block> {
    let sort = |name: &str| cardan::control::find(&b.kind).and_then(|kind| kind.keys.iter().find(|key| key.name == name));
    let given = |(name, value): &(String, Value)| {
        let key = sort(name)?;
        let given = match value {
            Value::Text(word) if matches!(key.sort, Sort::Word(_)) => Given::Word(word.clone()),
            Value::Text(text) => Given::Signal(function(text)),
            Value::Texts(texts) => Given::Signals(texts.iter().map(|text| function(text)).collect()),
            Value::Number(x) if key.sort == Sort::Signal => Given::Signal(function(&x.to_string())),
            Value::Number(x) => Given::Number(*x),
            Value::Numbers(x) if key.sort == Sort::Signals => Given::Signals(x.iter().map(|x| function(&x.to_string())).collect()),
            Value::Numbers(x) => Given::Numbers(x.clone()),
            Value::Matrix(x) => Given::Matrix(x.clone()),
            Value::Flag(x) => Given::Flag(*x),
        };
        Some((key.name, given))
    };
    entry(&b.name, tables::Block { kind: b.kind.clone(), values: b.values.iter().filter_map(given).collect() })
}

fn signals(model: &Model, out: &mut Sections) {
    out.splines = Named(
        model
            .splines()
            .iter()
            .map(|(name, s)| {
                let extrapolate = (s.extrapolation() == Extrapolation::Constant).then_some(tables::Extrapolation::Constant);
                let [x, y] = [s.x(), s.y()].map(|values| values.iter().map(|x| Quantity::plain(*x)).collect());
                entry(name, tables::Spline { x, y, file: None, columns: None, extrapolate })
            })
            .collect(),
    );
    let variable = |v: &cardan::model::Variable| {
        let (implicit, initial) = match v.solution {
            Solution::Substituted => (None, None),
            Solution::Solved(guess) => (Some(true), unless_zero(guess)),
        };
        entry(&v.name, tables::Variable { function: function(&v.function), implicit, initial })
    };
    out.variables = Named(model.variables().iter().map(variable).collect());
    let array = |a: &cardan::model::Array| {
        let (values, functions) = match &a.elements {
            Elements::Values(values) => (values.clone(), Vec::new()),
            Elements::Functions(texts) => (Vec::new(), texts.iter().map(|text| function(text)).collect()),
        };
        entry(&a.name, tables::Array { values, functions })
    };
    out.arrays = Named(model.arrays().iter().map(array).collect());
    let state = |s: &cardan::model::Differential| {
        let text = Some(function(&s.function));
        let (function, equation) = if s.form == Form::Equation { (None, text) } else { (text, None) };
        entry(&s.name, tables::Differential { function, equation, initial: unless_zero(s.initial) })
    };
    out.states = Named(model.states().iter().map(state).collect());
    let input = |i: &cardan::model::Input| entry(&i.name, tables::Input { initial: unless_zero(i.initial) });
    out.inputs = Named(model.inputs().iter().map(input).collect());
    out.blocks = Named(model.blocks().iter().map(block).collect());
    out.sensors = Named(model.sensors().iter().map(sensor).collect());
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
