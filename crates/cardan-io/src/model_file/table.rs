//! One description of each table: from it follow the struct, reading, unknown and missing keys, writing and the schema.
//!
//! ```text
//! table! {
//!     /// What it is.
//!     pub struct Spring {
//!         .. /// What it means.
//!         base: Common,                        keys of another table, read and written here
//!         /// What it means.
//!         stiffness: f64 [STIFFNESS],          a number of this dimension
//!         fixed ("static"): Option<f64>,       the key has another name; it may be left out
//!     }
//! }
//! ```

/// A table with named keys.
macro_rules! table {
    (
        $(#[doc = $doc:literal])*
        $(#[derive($derive:ident)])?
        pub struct $Name:ident {
            $(.. $(#[doc = $part_doc:literal])* $part:ident: $Part:ty,)*
            $($(#[doc = $field_doc:literal])* $field:ident $(($key:literal))?: $type:ty $([$dimension:ident])?,)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq $(, $derive)?)]
        pub struct $Name {
            $($(#[doc = $part_doc])* pub $part: $Part,)*
            $($(#[doc = $field_doc])* pub $field: $type,)*
        }

        #[allow(unused_variables, reason = "a table may have no keys")]
        impl $crate::model_file::field::Table for $Name {
            const NAME: &'static str = stringify!($Name);

            fn take(
                entries: &mut $crate::model_file::reader::Entries,
                reader: &mut $crate::model_file::reader::Reader,
            ) -> Option<Self> {
                $(let $part = <$Part as $crate::model_file::field::Table>::take(entries, reader);)*
                $(let $field = entries.take::<$type>(
                    $crate::model_file::table::key!($field $($key)?),
                    $crate::model_file::table::dimension!($($dimension)?),
                    reader,
                );)*
                Some(Self { $($part: $part?,)* $($field: $field?,)* })
            }

            fn put(&self, out: &mut Vec<(String, $crate::model_file::item::Item)>) {
                $(<$Part as $crate::model_file::field::Table>::put(&self.$part, out);)*
                $(if let Some(item) = $crate::model_file::field::Field::write(&self.$field) {
                    out.push(($crate::model_file::table::key!($field $($key)?).into(), item));
                })*
            }

            fn alternatives(defs: &mut $crate::model_file::schema::Defs) -> Vec<$crate::model_file::schema::Alternative> {
                #[allow(unused_mut, reason = "a table may consist of parts only")]
                let mut own = $crate::model_file::schema::Alternative::default();
                $({
                    let schema = <$type as $crate::model_file::field::Field>::schema($crate::model_file::table::dimension!($($dimension)?), defs);
                    let required = <$type as $crate::model_file::field::Field>::absent().is_none();
                    own.key($crate::model_file::table::key!($field $($key)?), concat!($($field_doc),*).trim(), required, schema);
                })*
                #[allow(unused_mut, reason = "only tables with parts change it")]
                let mut out = vec![$crate::model_file::schema::Alternative::default()];
                $(out = $crate::model_file::schema::product(out, &<$Part as $crate::model_file::field::Table>::alternatives(defs));)*
                $crate::model_file::schema::product(out, &[own])
            }
        }
    };
}

/// Tables that differ by their `kind`; a kind may be the default.
macro_rules! kinds {
    (
        $(#[doc = $doc:literal])*
        pub enum $Name:ident $(default $default:literal)? {
            $($(#[doc = $kind_doc:literal])* $kind:literal => $Variant:ident($Type:ty),)*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "tables are plain data, read once")]
        pub enum $Name {
            $($(#[doc = $kind_doc])* $Variant($Type),)*
        }

        impl $Name {
            /// The names of all kinds, each with what it is.
            pub const KINDS: &'static [(&'static str, &'static str)] = &[$(($kind, concat!($($kind_doc),*))),*];
        }

        impl $crate::model_file::field::Table for $Name {
            const NAME: &'static str = stringify!($Name);

            fn take(
                entries: &mut $crate::model_file::reader::Entries,
                reader: &mut $crate::model_file::reader::Reader,
            ) -> Option<Self> {
                let default: Option<&str> = None $(.or(Some($default)))?;
                let (kind, span) = $crate::model_file::table::kind(entries, reader, default)?;
                match kind.as_str() {
                    $($kind => Some(Self::$Variant(<$Type as $crate::model_file::field::Table>::take(entries, reader)?)),)*
                    other => $crate::model_file::table::unknown_kind(entries, reader, other, span, Self::KINDS.iter().map(|(name, _)| *name)),
                }
            }

            fn put(&self, out: &mut Vec<(String, $crate::model_file::item::Item)>) {
                let default: Option<&str> = None $(.or(Some($default)))?;
                match self {
                    $(Self::$Variant(table) => {
                        if default != Some($kind) {
                            out.push(("kind".into(), $crate::model_file::item::Item::Text($kind.into())));
                        }
                        <$Type as $crate::model_file::field::Table>::put(table, out);
                    })*
                }
            }

            fn alternatives(defs: &mut $crate::model_file::schema::Defs) -> Vec<$crate::model_file::schema::Alternative> {
                let default: Option<&str> = None $(.or(Some($default)))?;
                let mut out = Vec::new();
                $({
                    let mut kind = $crate::model_file::schema::Alternative::default();
                    let schema = serde_json::json!({ "const": $kind });
                    kind.key("kind", concat!($($kind_doc),*).trim(), default != Some($kind), schema);
                    let table = <$Type as $crate::model_file::field::Table>::alternatives(defs);
                    out.extend($crate::model_file::schema::product(vec![kind], &table));
                })*
                out
            }
        }
    };
}

/// Texts that stand for something.
macro_rules! words {
    (
        $(#[doc = $doc:literal])*
        pub enum $Name:ident { $($(#[doc = $word_doc:literal])* $word:literal => $Variant:ident,)* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $Name {
            $($(#[doc = $word_doc])* $Variant,)*
        }

        impl $Name {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$Variant)),*];

            /// As it is written.
            pub fn word(self) -> &'static str {
                match self { $(Self::$Variant => $word),* }
            }
        }

        impl $crate::model_file::field::Field for $Name {
            fn read(
                value: &$crate::model_file::reader::Value,
                dimension: cardan::units::Dimension,
                reader: &mut $crate::model_file::reader::Reader,
            ) -> Option<Self> {
                let name = $crate::model_file::field::Name::read(value, dimension, reader)?;
                let found = Self::WORDS.iter().find(|(word, _)| *word == name.text).map(|(_, variant)| *variant);
                found.or_else(|| $crate::model_file::table::unknown_word(reader, &name, Self::WORDS.iter().map(|(word, _)| *word)))
            }

            fn write(&self) -> Option<$crate::model_file::item::Item> {
                Some($crate::model_file::item::Item::Text(self.word().into()))
            }

            fn schema(_: cardan::units::Dimension, _: &mut $crate::model_file::schema::Defs) -> $crate::model_file::schema::Json {
                serde_json::json!({ "enum": [$($word),*] })
            }
        }
    };
}

/// The key of a field: its name, or the one given.
macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

/// The dimension of a field: none, or the one given.
macro_rules! dimension {
    () => {
        cardan::units::Dimension::NONE
    };
    ($dimension:ident) => {
        cardan::units::Dimension::$dimension
    };
}

pub(super) use {dimension, key, kinds, table, words};

use super::field::{Field, Name};
use super::problem::{Problem, Span};
use super::reader::{Entries, Reader};
use cardan::units::Dimension;

/// The `kind` of a table and its place.
pub(super) fn kind(entries: &mut Entries, reader: &mut Reader, default: Option<&str>) -> Option<(String, Span)> {
    let Some((_, value)) = entries.get("kind") else {
        return match default {
            Some(kind) => Some((kind.into(), entries.place.clone())),
            None => {
                let message = format!("'kind' is missing in {}", reader.path());
                reader.report(Problem::new(entries.place.clone(), message, "needs 'kind'"));
                entries.give_up()
            }
        };
    };
    match Name::read(value, Dimension::NONE, reader) {
        Some(name) => Some((name.text, name.span)),
        None => entries.give_up(),
    }
}

/// A kind that is not known.
pub(super) fn unknown_kind<'a, T>(
    entries: &mut Entries,
    reader: &mut Reader,
    kind: &str,
    span: Span,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Option<T> {
    unknown_word::<T>(reader, &Name { text: kind.into(), span }, known);
    entries.give_up()
}

/// A word that is not one of those known.
pub(super) fn unknown_word<'a, T>(reader: &mut Reader, name: &Name, known: impl Iterator<Item = &'a str> + Clone) -> Option<T> {
    let message = format!("'{}' is not known in {}", name.text, reader.path());
    let all: Vec<&str> = known.clone().collect();
    let problem = Problem::new(name.span.clone(), message, "not known").suggest(&name.text, known);
    reader.report(problem.note(format!("known: {}", all.join(", "))));
    None
}
