//! Repetitions: elements that are written once and read once for each value of an index.

use super::field::{Name, Table};
use super::item::Item;
use super::problem::Problem;
use super::reader::{Entries, Reader};
use super::schema::{Alternative, Defs, product};
use super::table::table;
use super::tables::Sections;

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
    }
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
        let Some(range) = Range::take(entries, reader) else { return entries.give_up() };
        let values = match range.values() {
            Ok(values) => values,
            Err(message) => {
                reader.report(Problem::new(entries.place.clone(), message, "this repetition"));
                return entries.give_up();
            }
        };
        let mut sections = Sections::default();
        let mut any = false;
        for value in values {
            any = true;
            reader.indices.push((range.index.text.clone(), value));
            let (before, more) = (reader.problems.len(), Sections::take(entries, reader));
            reader.indices.pop();
            // What is wrong once is wrong every time.
            if reader.problems.len() > before {
                return None;
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
