//! Names that are not there, and those that may be meant.

use crate::expr::closest;
use thiserror::Error;

/// A name that a system or its results do not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no {what} '{name}'{}", or_meant(.suggestion))]
pub struct UnknownName {
    /// Body, constraint, differential state or channel.
    pub what: &'static str,
    /// The name.
    pub name: String,
    /// The name closest to it, if any is close.
    pub suggestion: Option<String>,
}

impl UnknownName {
    pub(crate) fn new<'a>(what: &'static str, name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        Self { what, name: name.into(), suggestion: closest(name, known) }
    }
}

fn or_meant(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|s| format!("; did you mean '{s}'?")).unwrap_or_default()
}
