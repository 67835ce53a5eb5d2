//! Models in TOML, as `docs/model-file.md` describes them: read, checked, expanded and written.
//!
//! ```text
//! text → TOML with places → tables (numbers worked out, repetitions expanded) → the engine's model
//! ```
//!
//! Each table is described once (`table.rs`); reading, unknown keys, writing and the JSON Schema follow from that. All problems
//! of a file are found, not only the first, and each is shown at its place.

mod document;
mod field;
mod item;
mod lift;
mod lint;
mod lower;
mod number;
mod parameters;
mod problem;
mod reader;
mod repeat;
mod schema;
mod settings;
mod table;
pub mod tables;
mod template;
mod write;

pub use document::{Document, LoadError, load, load_str};
pub use field::{Entry, Function, Name, Named};
pub use lint::lint;
pub use number::Amount;
pub use parameters::Parameters;
pub use problem::{Color, Problem, Problems, Severity, Span};
pub use repeat::{Range, Repeat};
pub use tables::Settings;
pub use write::{WriteError, write};

/// The JSON Schema of model files.
pub fn schema() -> serde_json::Value {
    schema::document::<tables::File>()
}
