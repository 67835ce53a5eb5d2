//! What can stand in a table: how it is read, written and described. Tables themselves come from the macros in `table.rs`.

use super::item::Item;
use super::number::Amount;
use super::problem::Span;
use super::reader::{Entries, Reader, Value};
use super::schema::{Alternative, Defs, Json};
use cardan::units::Dimension;
use serde_json::json;
use toml::de::DeValue;

/// A value of a table.
pub(super) trait Field: Sized {
    /// Reads it; numbers in it have this dimension. Where that fails, problems are noted.
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self>;
    /// What it is where the key is missing, if it may be.
    fn absent() -> Option<Self> {
        None
    }
    /// What is written; nothing where the key is left out.
    fn write(&self) -> Option<Item>;
    /// Its JSON Schema.
    fn schema(dimension: Dimension, defs: &mut Defs) -> Json;
}

/// A table, or some of the keys of one.
pub(super) trait Table: Sized {
    /// Its name in the schema.
    const NAME: &'static str;
    /// Takes its keys.
    fn take(entries: &mut Entries, reader: &mut Reader) -> Option<Self>;
    /// Writes its keys.
    fn put(&self, out: &mut Vec<(String, Item)>);
    /// The sets of keys it may have.
    fn alternatives(defs: &mut Defs) -> Vec<Alternative>;
}

impl<T: Table> Field for T {
    fn read(value: &Value, _: Dimension, reader: &mut Reader) -> Option<Self> {
        let place = reader.place.take().unwrap_or(value.span());
        let DeValue::Table(table) = value.get_ref() else { return reader.expected(value, "a table") };
        let mut entries = Entries::new(table, place);
        let out = T::take(&mut entries, reader);
        entries.finish(reader);
        out
    }

    fn write(&self) -> Option<Item> {
        let mut out = Vec::new();
        self.put(&mut out);
        Some(Item::Table(out))
    }

    fn schema(_: Dimension, defs: &mut Defs) -> Json {
        defs.table::<T>()
    }
}

impl Field for f64 {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        reader.number(value, dimension)
    }

    fn write(&self) -> Option<Item> {
        Some(Item::Number(*self))
    }

    fn schema(dimension: Dimension, _: &mut Defs) -> Json {
        let unit = if dimension == Dimension::NONE { String::new() } else { format!(" in {dimension}") };
        json!({ "type": ["number", "string"], "title": format!("a number{unit}, or an expression with units and parameters") })
    }
}

impl Field for usize {
    fn read(value: &Value, _: Dimension, reader: &mut Reader) -> Option<Self> {
        let number = reader.number(value, Dimension::NONE)?;
        if number.fract() == 0.0 && (0.0..1e9).contains(&number) { Some(number as usize) } else { reader.expected(value, "a whole number") }
    }

    fn write(&self) -> Option<Item> {
        Some(Item::Number(*self as f64))
    }

    fn schema(_: Dimension, _: &mut Defs) -> Json {
        json!({ "type": ["integer", "string"] })
    }
}

impl Field for bool {
    fn read(value: &Value, _: Dimension, reader: &mut Reader) -> Option<Self> {
        let flag = value.get_ref().as_bool();
        flag.or_else(|| reader.expected(value, "true or false"))
    }

    fn write(&self) -> Option<Item> {
        Some(Item::Flag(*self))
    }

    fn schema(_: Dimension, _: &mut Defs) -> Json {
        json!({ "type": "boolean" })
    }
}

impl Field for String {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        Name::read(value, dimension, reader).map(|name| name.text)
    }

    fn write(&self) -> Option<Item> {
        Some(Item::Text(self.clone()))
    }

    fn schema(_: Dimension, _: &mut Defs) -> Json {
        json!({ "type": "string" })
    }
}

/// The name of another element, with its place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands in the file.
    pub span: Span,
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self { text: text.into(), span: 0..0 }
    }
}

impl Field for Name {
    fn read(value: &Value, _: Dimension, reader: &mut Reader) -> Option<Self> {
        let DeValue::String(text) = value.get_ref() else { return reader.expected(value, "a text") };
        Some(Self { text: reader.filled(text, value.span())?, span: value.span() })
    }

    fn write(&self) -> Option<Item> {
        Some(Item::Text(self.text.clone()))
    }

    fn schema(_: Dimension, _: &mut Defs) -> Json {
        json!({ "type": "string" })
    }
}

/// A function that is evaluated during the run, with its place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Function {
    /// The expression.
    pub text: String,
    /// Where it stands in the file.
    pub span: Span,
}

impl Field for Function {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        if let Some(number) = super::reader::literal(value.get_ref()) {
            return Some(Self { text: super::item::number(number), span: value.span() });
        }
        let Name { text, span } = Name::read(value, dimension, reader)?;
        Some(Self { text, span })
    }

    fn write(&self) -> Option<Item> {
        Some(Item::Text(self.text.clone()))
    }

    fn schema(_: Dimension, _: &mut Defs) -> Json {
        json!({ "type": ["string", "number"], "title": "a function of the time and the state of the model" })
    }
}

/// A number whose dimension depends on other keys, with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// The number.
    pub amount: Amount,
    /// Where it stands in the file.
    pub span: Span,
}

impl Quantity {
    /// A value of this dimension, if it has one.
    pub fn of(value: f64, dimension: Option<Dimension>) -> Self {
        Self { amount: Amount::of(value, dimension), span: 0..0 }
    }
}

impl Field for Quantity {
    fn read(value: &Value, _: Dimension, reader: &mut Reader) -> Option<Self> {
        Some(Self { amount: reader.amount(value)?, span: value.span() })
    }

    fn write(&self) -> Option<Item> {
        Some(self.amount.item())
    }

    fn schema(_: Dimension, defs: &mut Defs) -> Json {
        f64::schema(Dimension::NONE, defs)
    }
}

impl<F: Field> Field for Option<F> {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        F::read(value, dimension, reader).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }

    fn write(&self) -> Option<Item> {
        self.as_ref().and_then(F::write)
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        F::schema(dimension, defs)
    }
}

/// The values of a list.
fn items<F: Field>(value: &Value, dimension: Dimension, reader: &mut Reader, what: &str) -> Option<Vec<F>> {
    let DeValue::Array(list) = value.get_ref() else { return reader.expected(value, what) };
    // All are read before any is asked for, so that every problem is found.
    let all: Vec<Option<F>> = list
        .iter()
        .map(|item| {
            reader.place = None;
            F::read(item, dimension, reader)
        })
        .collect();
    all.into_iter().collect()
}

impl<F: Field, const N: usize> Field for [F; N] {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        let all = items(value, dimension, reader, &format!("a list of {N}"))?;
        all.try_into().or_else(|all: Vec<F>| reader.miscounted(value, &N.to_string(), all.len()).ok_or(())).ok()
    }

    fn write(&self) -> Option<Item> {
        Some(Item::List(self.iter().filter_map(F::write).collect()))
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        json!({ "type": "array", "items": F::schema(dimension, defs), "minItems": N, "maxItems": N })
    }
}

impl<F: Field> Field for Vec<F> {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        items(value, dimension, reader, "a list")
    }

    fn absent() -> Option<Self> {
        Some(Vec::new())
    }

    fn write(&self) -> Option<Item> {
        (!self.is_empty()).then(|| Item::List(self.iter().filter_map(F::write).collect()))
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        json!({ "type": "array", "items": F::schema(dimension, defs) })
    }
}

/// Tables by name, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<T>(pub Vec<Entry<T>>);

/// A table with its name and place.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<T> {
    /// Its name.
    pub name: String,
    /// Where the name stands in the file.
    pub span: Span,
    /// What it holds.
    pub value: T,
}

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<F: Field> Field for Named<F> {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        let DeValue::Table(table) = value.get_ref() else { return reader.expected(value, "a table of tables") };
        let mut out = Vec::with_capacity(table.len());
        for (key, value) in table {
            let Some(name) = reader.filled(key.get_ref(), key.span()) else { continue };
            let read = reader.within(&name, |reader| {
                reader.place = Some(key.span());
                F::read(value, dimension, reader)
            });
            match read {
                Some(value) => out.push(Entry { name, span: key.span(), value }),
                None => reader.broken.insert(&name),
            }
        }
        Some(Self(out))
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }

    fn write(&self) -> Option<Item> {
        let tables = self.0.iter().filter_map(|e| Some((e.name.clone(), e.value.write()?)));
        (!self.0.is_empty()).then(|| Item::Sections(tables.collect()))
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        json!({ "type": "object", "additionalProperties": F::schema(dimension, defs) })
    }
}
