//! Parameters: numbers with names. They may use each other in any order; the command line may replace them.

use super::field::Field;
use super::item::Item;
use super::number::{Amount, evaluate};
use super::problem::{Problem, Span};
use super::reader::{Reader, Value, literal, names_in};
use super::schema::{Defs, Json};
use cardan::expr::{Expr, parse};
use cardan::units::Dimension;
use serde_json::json;
use toml::de::{DeTable, DeValue};

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
        json!({ "type": "object", "additionalProperties": f64::schema(dimension, defs) })
    }
}

/// A parameter before it is worked out.
struct Pending {
    name: String,
    /// Where its value stands.
    span: Span,
    /// The text it was given as, and where that comes from.
    text: String,
    origin: Origin,
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
            table.iter().filter_map(|(name, value)| pending(name.get_ref(), &name.span(), value, overrides, reader)).collect()
        }
        Some((value, _)) => return reader.within("parameters", |reader| reader.expected(value, "a table").unwrap_or(())),
    };
    check_overrides(overrides, &all, table.map_or(0..0, |value| value.span()), reader);
    for k in 0..all.len() {
        work_out(k, &mut all, &mut Vec::new(), reader);
    }
}

fn pending(name: &str, place: &Span, value: &Value, overrides: &[(String, String)], reader: &mut Reader) -> Option<Pending> {
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    if !name.chars().all(letters) || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        let message = format!("'{name}' cannot be the name of a parameter");
        reader.report(Problem::new(place.clone(), message, "letters, digits and _ only, a letter first"));
        return None;
    }
    let given = overrides.iter().rev().find(|(other, _)| other == name);
    let (text, origin) = match (given, value.get_ref()) {
        (Some((_, text)), _) => (text.clone(), Origin::CommandLine),
        (None, DeValue::String(text)) => (text.to_string(), Origin::File),
        (None, number) => match literal(number) {
            Some(x) => (format!("{x:?}"), Origin::File),
            None => return reader.within(name, |reader| reader.expected(value, "a finite number or an expression")),
        },
    };
    let mut out = Pending { name: name.into(), span: value.span(), text, origin, state: State::Done };
    match parse(&out.text) {
        Ok(expr) => out.state = State::Waiting(expr),
        Err(error) => report(&out, &error, reader),
    }
    Some(out)
}

/// A mistake in the expression of a parameter.
fn report(pending: &Pending, error: &cardan::expr::ExprError, reader: &mut Reader) {
    match pending.origin {
        Origin::File => reader.within(&pending.name, |reader| reader.expression_problem(&pending.span, &pending.text, error)),
        Origin::CommandLine => {
            let message = format!("--set {}={}: {error}", pending.name, pending.text);
            reader.report(Problem::new(pending.span.clone(), message, "to be replaced"));
        }
    }
}

fn check_overrides(overrides: &[(String, String)], known: &[Pending], place: Span, reader: &mut Reader) {
    for (name, _) in overrides.iter().filter(|(name, _)| known.iter().all(|p| p.name != *name)) {
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
    names_in(&expr, &mut |name| needed.extend(all.iter().position(|p| p.name == name)));
    for other in needed {
        reader.used.insert(all[other].name.clone());
        work_out(other, all, path, reader);
    }
    path.pop();
    all[k].state = State::Done;
    // Where something it uses is wrong, that has been said already.
    let failed = std::cell::Cell::new(false);
    names_in(&expr, &mut |name| failed.set(failed.get() || (all.iter().any(|p| p.name == name) && !reader.parameters.contains_key(name))));
    if failed.get() {
        return;
    }
    match evaluate(&expr, reader) {
        Ok(amount) => {
            reader.parameters.insert(all[k].name.clone(), amount.as_parameter());
        }
        Err(error) => report(&all[k], &error, reader),
    }
}

fn report_cycle(k: usize, all: &[Pending], path: &[usize], reader: &mut Reader) {
    let start = path.iter().position(|other| *other == k).unwrap_or(0);
    let names: Vec<&str> = path[start..].iter().chain([&k]).map(|k| all[*k].name.as_str()).collect();
    let message = format!("parameters depend on each other in a circle: {}", names.join(" → "));
    reader.report(Problem::new(all[k].span.clone(), message, "part of the circle"));
}
