//! Repetitions: elements that are written once and read once for each value of an index.

use super::field::{Field, Name, Table};
use super::item::Item;
use super::number::Amount;
use super::parameters::is_name;
use super::problem::Problem;
use super::reader::{Entries, Reader, Value};
use super::schema::{Alternative, Defs, Json, product};
use super::table::table;
use super::tables::Sections;
use cardan::units::Dimension;
use serde_json::json;

/// Repetitions of one table, a guard against a slip of the pen.
const MOST: f64 = 1e6;

table! {
    /// What is repeated how often.
    pub struct Range {
        /// Name of the index, a parameter in numbers and in `{…}`.
        index: Name,
        /// First value; default 0.
        from: Option<f64>,
        /// Last value.
        to: Option<f64>,
        /// How many values, instead of the last.
        count: Option<f64>,
        /// Numbers with names for each value of the index, which may use those before them.
        locals ("let"): Locals,
    }
}

/// What a repetition defines. It is worked out anew for each value of the index, by [`define`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Locals;

impl Field for Locals {
    fn read(value: &Value, _: Dimension, reader: &mut Reader) -> Option<Self> {
        if value.get_ref().is_table() { Some(Self) } else { reader.expected(value, "a table of numbers") }
    }

    fn absent() -> Option<Self> {
        Some(Self)
    }

    fn write(&self) -> Option<Item> {
        None
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        json!({ "type": "object", "additionalProperties": f64::schema(dimension, defs) })
    }
}

/// Works out what a repetition defines, in the order of the file.
fn define(entries: &mut Entries, reader: &mut Reader) -> Option<()> {
    let Some((_, value)) = entries.get("let") else { return Some(()) };
    let mut all: Vec<_> = value.get_ref().as_table()?.iter().collect();
    all.sort_by_key(|(name, _)| name.span().start);
    for (name, value) in all {
        if !is_name(name.get_ref(), &name.span(), reader) {
            return None;
        }
        let amount = reader.within(&format!("let.{}", name.get_ref()), |reader| reader.amount(value))?;
        reader.indices.push((name.get_ref().to_string(), amount.as_parameter()));
    }
    Some(())
}

/// A repetition, read as the elements it stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeat {
    /// All elements.
    pub sections: Sections,
}

impl Range {
    /// The values of the index.
    fn values(&self) -> Result<impl Iterator<Item = f64> + use<>, String> {
        let from = self.from.unwrap_or(0.0);
        let count = match (self.to, self.count) {
            (Some(to), None) => (to - from).floor() + 1.0,
            (None, Some(count)) => count,
            _ => return Err("a repetition needs either 'to' or 'count'".into()),
        };
        if count > MOST {
            return Err(format!("{count} repetitions are too many"));
        }
        let whole = from.fract() == 0.0 && count.fract() == 0.0;
        if !whole {
            Err("the values of an index are whole numbers".into())
        } else {
            Ok((0..count.max(0.0) as usize).map(move |k| from + k as f64))
        }
    }
}

impl Table for Repeat {
    const NAME: &'static str = "Repeat";

    fn take(entries: &mut Entries, reader: &mut Reader) -> Option<Self> {
        let Some(range) = Range::take(entries, reader) else {
            reader.broken.nameless = true;
            return entries.give_up();
        };
        let values = match range.values() {
            Ok(values) => values,
            Err(message) => {
                reader.report(Problem::new(entries.place.clone(), message, "this repetition"));
                reader.broken.nameless = true;
                return entries.give_up();
            }
        };
        let mut sections = Sections::default();
        let mut any = false;
        for value in values {
            any = true;
            let (around, before) = (reader.indices.len(), reader.problems.len());
            reader.indices.push((range.index.text.clone(), Amount::bare(value)));
            let more = define(entries, reader).and_then(|()| Sections::take(entries, reader));
            reader.indices.truncate(around);
            // What is wrong once is wrong every time.
            if reader.problems.len() > before {
                reader.broken.nameless = true;
                entries.give_up::<()>();
                break;
            }
            sections.absorb(more?.expanded());
        }
        if any { Some(Self { sections }) } else { entries.give_up().or(Some(Self { sections })) }
    }

    fn put(&self, out: &mut Vec<(String, Item)>) {
        self.sections.put(out);
    }

    fn alternatives(defs: &mut Defs) -> Vec<Alternative> {
        product(Range::alternatives(defs), &Sections::alternatives(defs))
    }
}
