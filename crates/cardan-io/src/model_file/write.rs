//! Writing: a document's tables as TOML, numbers in SI.

use super::document::Document;
use super::field::Table;
use super::item;
use super::tables::File;
use thiserror::Error;

/// Why a model cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WriteError {
    /// Elements with functions written in Rust.
    #[error("functions written in Rust cannot be written to a file, only expressions can: {}", .0.join(", "))]
    Functions(Vec<String>),
    /// Bodies of kinds written in Rust.
    #[error("kinds of bodies written in Rust cannot be written to a file: {}", .0.join(", "))]
    Bodies(Vec<String>),
}

/// The text of a model file: SI units, parameters worked out, repetitions expanded.
pub fn write(document: &Document) -> Result<String, WriteError> {
    match &document.file {
        Some(file) => Ok(text(file)),
        None => Ok(text(&super::lift::lift(document)?)),
    }
}

fn text(file: &File) -> String {
    let mut entries = Vec::new();
    file.put(&mut entries);
    item::document(&entries)
}
