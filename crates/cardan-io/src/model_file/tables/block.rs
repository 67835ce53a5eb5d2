//! Blocks. Their kinds and keys are those of the engine's list; here they are read, written and described.

use super::super::field::{Field, Function, Name, Table};
use super::super::item::Item;
use super::super::reader::{Entries, Reader, Value};
use super::super::schema::{Alternative, Defs, Json};
use super::super::table::{kind, unknown_kind, unknown_word};
use cardan::control::{BlockKind, KINDS, Key, Sort, find};
use cardan::units::Dimension;
use serde_json::json;

/// A controller, actuator or filter.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// The name of its kind.
    pub kind: String,
    /// Its keys that are given.
    pub values: Vec<(&'static str, Given)>,
}

/// The value of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// A signal.
    Signal(Function),
    /// Signals.
    Signals(Vec<Function>),
    /// A number.
    Number(f64),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Rows.
    Matrix(Vec<Vec<f64>>),
    /// A word.
    Word(String),
    /// Yes or no.
    Flag(bool),
}

/// A number in SI units; of any dimension where none is asked for.
struct Si(f64);

impl Field for Si {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        let any = dimension == Dimension::NONE;
        if any { reader.amount(value).map(|amount| Si(amount.value)) } else { reader.number(value, dimension).map(Si) }
    }

    fn write(&self) -> Option<Item> {
        self.0.write()
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        f64::schema(dimension, defs)
    }
}

fn plain(list: Vec<Si>) -> Vec<f64> {
    list.into_iter().map(|x| x.0).collect()
}

/// Reads a key: `None` after a problem, `Some(None)` where it is left out.
fn read(key: &'static Key, entries: &mut Entries, reader: &mut Reader) -> Option<Option<Given>> {
    fn take<F: Field>(key: &'static Key, entries: &mut Entries, reader: &mut Reader, given: impl Fn(F) -> Given) -> Option<Option<Given>> {
        match key.optional {
            true => entries.take::<Option<F>>(key.name, key.dimension, reader).map(|value| value.map(given)),
            false => entries.take::<F>(key.name, key.dimension, reader).map(|value| Some(given(value))),
        }
    }
    match key.sort {
        Sort::Signal => take(key, entries, reader, Given::Signal),
        Sort::Signals => take(key, entries, reader, Given::Signals).map(present),
        Sort::Number => take(key, entries, reader, |x: Si| Given::Number(x.0)),
        Sort::Numbers => take(key, entries, reader, |x| Given::Numbers(plain(x))).map(present),
        Sort::Matrix => take(key, entries, reader, |x: Vec<Vec<Si>>| Given::Matrix(x.into_iter().map(plain).collect())).map(present),
        Sort::Flag => take(key, entries, reader, Given::Flag),
        Sort::Word(words) => {
            let Some(name) = entries.take::<Option<Name>>(key.name, key.dimension, reader)? else { return Some(None) };
            if words.contains(&name.text.as_str()) {
                return Some(Some(Given::Word(name.text)));
            }
            unknown_word(reader, &name, words.iter().copied())
        }
    }
}

/// A list without entries is one left out.
fn present(given: Option<Given>) -> Option<Given> {
    given.filter(|given| match given {
        Given::Signals(list) => !list.is_empty(),
        Given::Numbers(list) => !list.is_empty(),
        Given::Matrix(list) => !list.is_empty(),
        _ => true,
    })
}

impl Table for Block {
    const NAME: &'static str = "Block";

    fn take(entries: &mut Entries, reader: &mut Reader) -> Option<Self> {
        let (name, span) = kind(entries, reader, None)?;
        let Some(kind) = find(&name) else { return unknown_kind(entries, reader, &name, span, KINDS.iter().map(|kind| kind.name)) };
        // All keys are read before any is asked for, so that every problem is found.
        let read: Vec<Option<Option<(&'static str, Given)>>> =
            kind.keys.iter().map(|key| read(key, entries, reader).map(|given| given.map(|given| (key.name, given)))).collect();
        let values = read.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Self { kind: name, values: values.into_iter().flatten().collect() })
    }

    fn put(&self, out: &mut Vec<(String, Item)>) {
        out.push(("kind".into(), Item::Text(self.kind.clone())));
        for (key, given) in &self.values {
            let item = match given {
                Given::Signal(x) => x.write(),
                Given::Signals(x) => x.write(),
                Given::Number(x) => x.write(),
                Given::Numbers(x) => x.write(),
                Given::Matrix(x) => x.write(),
                Given::Word(x) => x.write(),
                Given::Flag(x) => x.write(),
            };
            out.extend(item.map(|item| ((*key).into(), item)));
        }
    }

    fn alternatives(defs: &mut Defs) -> Vec<Alternative> {
        KINDS.iter().map(|kind| alternative(kind, defs)).collect()
    }
}

fn alternative(kind: &BlockKind, defs: &mut Defs) -> Alternative {
    let mut out = Alternative::default();
    out.key("kind", kind.summary, true, json!({ "const": kind.name }));
    for key in kind.keys {
        let schema = match key.sort {
            Sort::Signal => Function::schema(Dimension::NONE, defs),
            Sort::Signals => Vec::<Function>::schema(Dimension::NONE, defs),
            Sort::Number => f64::schema(key.dimension, defs),
            Sort::Numbers => Vec::<f64>::schema(key.dimension, defs),
            Sort::Matrix => Vec::<Vec<f64>>::schema(key.dimension, defs),
            Sort::Word(words) => json!({ "enum": words }),
            Sort::Flag => bool::schema(Dimension::NONE, defs),
        };
        out.key(key.name, key.summary, !key.optional, schema);
    }
    out
}
