//! Parameters: numbers with names, or lists of them. They may use each other in any order; the command line may replace numbers.

use super::field::Field;
use super::item::Item;
use super::number::{Amount, element_name, evaluate};
use super::problem::{Problem, Span};
use super::reader::{Reader, Value, literal, names_in};
use super::schema::{Defs, Json};
use cardan::expr::{Expr, find, parse};
use cardan::units::Dimension;
use serde_json::json;
use toml::de::{DeArray, DeTable, DeValue};

/// All parameters in SI, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parameters(pub Vec<(String, Amount)>);

impl Field for Parameters {
    /// They have been worked out before everything else, by [`resolve`].
    fn read(value: &Value, _: Dimension, reader: &mut Reader) -> Option<Self> {
        let names: Vec<String> = value.get_ref().as_table()?.keys().map(|name| name.get_ref().to_string()).collect();
        Some(Self(names.into_iter().filter_map(|name| reader.parameters.get(&name).map(|amount| (name.clone(), *amount))).collect()))
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }

    fn write(&self) -> Option<Item> {
        let one = |(name, amount): &(String, Amount)| (name.clone(), Item::Number(amount.value));
        (!self.0.is_empty()).then(|| Item::Table(self.0.iter().map(one).collect()))
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        let one = f64::schema(dimension, defs);
        json!({ "type": "object", "additionalProperties": { "anyOf": [one, { "type": "array", "items": one }] } })
    }
}

/// A parameter, or an element of a list, before it is worked out.
struct Pending {
    name: String,
    /// Its list.
    list: Option<String>,
    /// Where its value stands.
    span: Span,
    /// The text it was given as, and where that comes from.
    text: String,
    origin: Origin,
    /// What the file says, where the command line replaces it.
    replaced: Option<Expr>,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum Origin {
    File,
    CommandLine,
}

enum State {
    Waiting(Expr),
    InWork,
    Done,
}

/// Works out all parameters of a document and hands them to the reader.
pub(super) fn resolve(root: &DeTable, overrides: &[(String, String)], reader: &mut Reader) {
    let table = root.get("parameters");
    let mut all = match table.map(|value| (value, value.get_ref())) {
        None => Vec::new(),
        Some((_, DeValue::Table(table))) => {
            table.iter().flat_map(|(name, value)| all_pending(name.get_ref(), &name.span(), value, overrides, reader)).collect()
        }
        Some((value, _)) => return reader.within("parameters", |reader| reader.expected(value, "a table").unwrap_or(())),
    };
    check_case(&all, reader);
    check_overrides(overrides, &all, table.map_or(0..0, |value| value.span()), reader);
    for k in 0..all.len() {
        work_out(k, &mut all, &mut Vec::new(), reader);
    }
}

/// A number, or the elements of a list.
fn all_pending(name: &str, place: &Span, value: &Value, overrides: &[(String, String)], reader: &mut Reader) -> Vec<Pending> {
    if !is_name(name, place, reader) {
        return Vec::new();
    }
    match value.get_ref() {
        DeValue::Array(elements) => list(name, elements, reader),
        _ => pending(name, value, overrides, reader).into_iter().collect(),
    }
}

fn list(name: &str, elements: &DeArray, reader: &mut Reader) -> Vec<Pending> {
    let one = |(k, value): (usize, &Value)| {
        let own = pending(&element_name(name, k + 1), value, &[], reader)?;
        Some(Pending { list: Some(name.into()), ..own })
    };
    elements.iter().enumerate().filter_map(one).collect()
}

fn pending(name: &str, value: &Value, overrides: &[(String, String)], reader: &mut Reader) -> Option<Pending> {
    let given = overrides.iter().rev().find(|(other, _)| other == name);
    let (text, origin) = match (given, value.get_ref()) {
        (Some((_, text)), _) => (text.clone(), Origin::CommandLine),
        (None, DeValue::String(text)) => (text.to_string(), Origin::File),
        (None, number) => match literal(number) {
            Some(x) => (format!("{x:?}"), Origin::File),
            None => {
                reader.broken.insert(name);
                return reader.within(&format!("parameters.{name}"), |reader| reader.expected(value, "a finite number or an expression"));
            }
        },
    };
    let replaced = value.get_ref().as_str().filter(|_| origin == Origin::CommandLine).and_then(|own| parse(own).ok());
    let mut out = Pending { name: name.into(), list: None, span: value.span(), text, origin, replaced, state: State::Done };
    match parse(&out.text) {
        Ok(expr) => out.state = State::Waiting(expr),
        Err(error) => {
            report(&out, &error, reader);
            reader.broken.insert(name);
        }
    }
    Some(out)
}

/// Whether a parameter may be called so.
pub(super) fn is_name(name: &str, place: &Span, reader: &mut Reader) -> bool {
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    if !name.chars().all(letters) || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let message = format!("'{name}' cannot be the name of a parameter");
        reader.report(Problem::new(place.clone(), message, "letters, digits and _ only, a letter first"));
        return false;
    }
    if let Some(function) = find(name).filter(|f| f.arguments.1 == 0) {
        let message = format!("'{name}' cannot be the name of a parameter: functions read it as {}", function.summary);
        reader.report(Problem::new(place.clone(), message, "give it another name"));
    }
    true
}

/// A mistake in the expression of a parameter.
fn report(pending: &Pending, error: &cardan::expr::ExprError, reader: &mut Reader) {
    match pending.origin {
        Origin::File => {
            let path = format!("parameters.{}", pending.name);
            reader.within(&path, |reader| reader.expression_problem(&pending.span, &pending.text, error));
        }
        Origin::CommandLine => {
            let message = format!("--set {}={}: {error}", pending.name, pending.text);
            reader.report(Problem::new(pending.span.clone(), message, "to be replaced"));
        }
    }
}

/// Functions do not tell capitals from small letters.
fn check_case(all: &[Pending], reader: &mut Reader) {
    let mut seen = std::collections::HashMap::new();
    for p in all {
        if let Some(first) = seen.insert(p.name.to_lowercase(), &p.name) {
            let message = format!("the parameters '{first}' and '{}' differ only in the case of letters", p.name);
            reader.report(Problem::new(p.span.clone(), message, "the second of them"));
        }
    }
}

fn check_overrides(overrides: &[(String, String)], known: &[Pending], place: Span, reader: &mut Reader) {
    for (name, _) in overrides.iter().filter(|(name, _)| known.iter().all(|p| p.list.is_some() || p.name != *name)) {
        if known.iter().any(|p| p.list.as_ref() == Some(name)) {
            reader.report(Problem::new(
                place.clone(),
                format!("--set {name}: '{name}' is a list, only numbers can be replaced"),
                "among these",
            ));
            continue;
        }
        let message = format!("--set {name}: the model has no parameter of that name");
        reader.report(Problem::new(place.clone(), message, "not among these").suggest(name, known.iter().map(|p| p.name.as_str())));
    }
}

/// Works out a parameter after those that it uses; `path` holds the ones being worked out.
fn work_out(k: usize, all: &mut [Pending], path: &mut Vec<usize>, reader: &mut Reader) {
    let expr = match std::mem::replace(&mut all[k].state, State::InWork) {
        State::Waiting(expr) => expr,
        State::Done => {
            all[k].state = State::Done;
            return;
        }
        State::InWork => return report_cycle(k, all, path, reader),
    };
    path.push(k);
    let mut needed = Vec::new();
    names_in(&expr, &mut |name| needed.extend((0..all.len()).filter(|k| all[*k].name == name || all[*k].list.as_deref() == Some(name))));
    for other in needed {
        reader.used.insert(all[other].name.clone());
        work_out(other, all, path, reader);
    }
    path.pop();
    all[k].state = State::Done;
    match evaluate(&expr, reader) {
        Ok(amount) if keeps_dimension(&all[k], &amount, reader) => {
            reader.parameters.insert(all[k].name.clone(), amount.as_parameter());
        }
        Ok(_) => reader.broken.insert(&all[k].name),
        Err(error) => {
            // Where something it uses is wrong, that has been said already.
            if !reader.uses_broken(&expr) {
                report(&all[k], &error, reader);
            }
            reader.broken.insert(&all[k].name);
        }
    }
}

/// Whether a value of the command line has the dimension of the one it replaces, as far as both have one.
fn keeps_dimension(pending: &Pending, amount: &Amount, reader: &mut Reader) -> bool {
    let own = pending.replaced.as_ref().and_then(|expr| evaluate(expr, reader).ok()).and_then(|own| own.dimension());
    let (Some(own), Some(given)) = (own, amount.dimension()) else { return true };
    if !given.fits(own) {
        let message = format!("--set {}={} has the wrong dimension", pending.name, pending.text);
        reader.report(Problem::new(pending.span.clone(), message, format!("expected a value in {own}, found one in {given}")));
    }
    given.fits(own)
}

fn report_cycle(k: usize, all: &[Pending], path: &[usize], reader: &mut Reader) {
    let start = path.iter().position(|other| *other == k).unwrap_or(0);
    let names: Vec<&str> = path[start..].iter().chain([&k]).map(|k| all[*k].name.as_str()).collect();
    path[start..].iter().for_each(|k| reader.broken.insert(&all[*k].name));
    let message = format!("parameters depend on each other in a circle: {}", names.join(" → "));
    reader.report(Problem::new(all[k].span.clone(), message, "part of the circle"));
}
