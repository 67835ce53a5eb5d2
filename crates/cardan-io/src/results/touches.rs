//! Touches of contacts at the samples of a run: a table of its own, one row a touch, beside that of the channels. There are as many rows as
//! touches that carry force, so that contacts of hundreds of pairs cost no columns, and a model without contacts has no such file.
//!
//! ```text
//! time  contact  i  j  point.x|y|z  normal.x|y|z  friction.x|y|z
//! ```
//!
//! `contact` is the place of the contact in the list `contacts.each` of `run.json`, and `i` and `j` are the places of the two shapes in its list
//! `shapes`, all counted from 0. Forces are those on i, in world axes.

use super::{ResultsError, Table, csv, parquet};
use cardan::results::Channel;
use std::path::Path;

/// Numbers of a touch.
pub const WIDTH: usize = 13;

/// Where the file is, without its ending.
pub const NAME: &str = "contacts";

/// The columns.
#[must_use]
pub fn channels() -> Vec<Channel> {
    let vector = |name: &str, unit: &str| ["x", "y", "z"].map(|axis| (format!("{name}.{axis}"), unit.to_string()));
    let single = [("time", "s"), ("contact", "1"), ("i", "1"), ("j", "1")].map(|(name, unit)| (name.to_string(), unit.to_string()));
    let vectors = [vector("point", "m"), vector("normal", "N"), vector("friction", "N")];
    single.into_iter().chain(vectors.into_iter().flatten()).map(|(name, unit)| Channel { name, unit }).collect()
}

/// The touches in the folder of a run, if they were written.
pub fn read(folder: &Path) -> Result<Option<Table>, ResultsError> {
    let [columnar, text] = ["parquet", "csv"].map(|ending| folder.join(NAME).with_extension(ending));
    let table = if columnar.is_file() {
        parquet::read(&columnar)?
    } else if text.is_file() {
        csv::read(&text)?
    } else {
        return Ok(None);
    };
    let expected = channels();
    if table.channels != expected {
        let mistake = format!("these are not the columns of touches: {}", names(&expected));
        return Err(ResultsError::Content { path: folder.join(NAME), mistake });
    }
    Ok(Some(table))
}

fn names(channels: &[Channel]) -> String {
    channels.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ")
}
