//! Result files: a table of numbers, one column a channel, written as the run goes.
//!
//! ```text
//! results.csv        header `name [unit]`, one line a sample
//! results.parquet    DOUBLE columns; the units are in the file's metadata, key `units`: {"channel": "unit", …} as JSON
//! ```
//!
//! Touches of contacts are in a second table (`touches`). Both can be read while they are written and after the process was killed: CSV up to
//! its last complete line, Parquet up to the last row group (see `parquet/publish.rs`).

mod csv;
mod parquet;
mod rows;
pub mod touches;

pub use csv::CsvWriter;
pub use parquet::ParquetWriter;
pub use rows::Rows;

use cardan::results::Channel;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why a result file cannot be written or read.
#[derive(Debug, Error)]
pub enum ResultsError {
    /// The file system says no.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not what it should be.
    #[error("{}: {mistake}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        mistake: String,
    },
    /// Parquet fails.
    #[error("{}: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ::parquet::errors::ParquetError,
    },
    /// There are no results in a folder.
    #[error("{}: no results.parquet and no results.csv here; make them with `cardan run`", folder.display())]
    Nothing {
        /// The folder.
        folder: PathBuf,
    },
}

/// A file that takes rows.
pub trait Writer {
    /// Adds a row, one number a channel.
    fn row(&mut self, values: &[f64]) -> Result<(), ResultsError>;
    /// Writes what is left and closes the file.
    fn finish(&mut self) -> Result<(), ResultsError>;
}

/// A result file in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Names and units.
    pub channels: Vec<Channel>,
    /// One column a channel.
    pub columns: Vec<Vec<f64>>,
}

impl Table {
    /// The column of a channel.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let k = self.channels.iter().position(|c| c.name == name)?;
        Some(&self.columns[k])
    }
}

/// Reads a result file, or the results in a folder.
pub fn read(path: &Path) -> Result<Table, ResultsError> {
    let path = if path.is_dir() { &inside(path)? } else { path };
    match path.extension().and_then(|e| e.to_str()) {
        Some("parquet") => parquet::read(path),
        Some("csv") => csv::read(path),
        _ => Err(ResultsError::Content { path: path.into(), mistake: "result files end in .parquet or .csv".into() }),
    }
}

/// The result file in a folder.
fn inside(folder: &Path) -> Result<PathBuf, ResultsError> {
    let files = ["results.parquet", "results.csv"].map(|name| folder.join(name));
    files.into_iter().find(|f| f.is_file()).ok_or_else(|| ResultsError::Nothing { folder: folder.into() })
}

/// What has been gathered is written out when so many times the time has passed that it took to write the last part.
const PATIENCE: u32 = 10;

/// When to write out what has been gathered: every second, and less often as a run gets long, so that the number of parts grows
/// with the logarithm of its duration only; also less often where a part takes long to write, as one of very many columns does. A killed run
/// loses at most a tenth of its time, or so many times what a part takes.
#[derive(Debug)]
struct Pace {
    begun: Instant,
    last: Instant,
    cost: Duration,
}

impl Pace {
    fn new() -> Self {
        let now = Instant::now();
        Self { begun: now, last: now, cost: Duration::ZERO }
    }

    fn is_due(&self) -> bool {
        let wait = Duration::from_secs(1).max((self.last - self.begun) / 10).max(PATIENCE * self.cost);
        self.last.elapsed() >= wait
    }

    /// Takes note of a part that was begun to be written then.
    fn note(&mut self, begun: Instant) {
        self.last = Instant::now();
        self.cost = self.last - begun;
    }
}
