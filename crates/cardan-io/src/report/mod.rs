//! The interactive report: one HTML file with a 3D animation and linked plots that opens without a network.
//!
//! The page is the project's own code in `page/`: markup, a style sheet and small scripts that share one scope. They are joined
//! here with the data of the run:
//!
//! - one JSON object with the scene, the names of the channels, statistics and messages;
//! - one base64 block a channel: `time` as 64-bit, all others as 32-bit little-endian floats, less an offset where a channel
//!   varies little around a large value. The page decodes a block when it is first shown;
//! - two base64 blocks for the touches of contacts: the samples they belong to as 32-bit integers, and 32-bit floats, twelve a touch.
//!
//! Poses come from the channels `<body>.position.x|y|z` (the origin of the body frame) and `<body>.orientation.w|x|y|z`.
//! A body without these channels stands still at the origin, as ground does.

mod encode;
mod page;
mod scene;
mod thinned;
mod touches;

use cardan::results::Channel;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

pub use scene::{Anchor, Link, Scene, SceneBody, SceneMarker};
pub use thinned::{Thinned, thinned};
pub use touches::{ContactEntry, Touches};

/// All that a report shows.
#[derive(Debug, Clone)]
pub struct Report<'a> {
    /// Name of the model.
    pub title: &'a str,
    /// What is drawn.
    pub scene: &'a Scene,
    /// Gravity in the world, m/s²; the floor is drawn across it.
    pub gravity: [f64; 3],
    /// The columns' names and units; the first is `time`.
    pub channels: &'a [Channel],
    /// The runs that the page can show, one at a time; most pages have one.
    pub cases: Vec<Case<'a>>,
    /// The place of the case that is shown first.
    pub shown: usize,
    /// Warnings, or why the run failed.
    pub messages: Vec<String>,
}

/// A run of a report.
#[derive(Debug, Clone)]
pub struct Case<'a> {
    /// What the model or the run is, a sentence or two; may be empty. Where there are several, they are chosen by it.
    pub description: &'a str,
    /// The samples, one vector a channel.
    pub columns: &'a [Vec<f64>],
    /// Summary of the run: an object, shown as a table.
    pub statistics: serde_json::Value,
    /// The contacts and what they did.
    pub contacts: Vec<ContactEntry>,
    /// Where things touched.
    pub touches: Option<&'a Touches>,
}

/// Why a report was not written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// Channels and columns are not the same number.
    #[error("{channels} channels are named but {columns} columns of samples are given")]
    Columns {
        /// Number of channels.
        channels: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A column is shorter or longer than the first.
    #[error("channel `{channel}` has {found} samples, the first channel has {expected}")]
    Samples {
        /// The channel.
        channel: String,
        /// Its number of samples.
        found: usize,
        /// The number of samples of the first channel.
        expected: usize,
    },
    /// The first channel is not the time.
    #[error("the first channel of a report must be `time`, not `{found}`")]
    Time {
        /// What is there instead.
        found: String,
    },
    /// The file could not be written.
    #[error("{path} could not be written: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
}

/// Bytes gathered before they are written.
const BUFFER: usize = 1 << 18;

/// Writes the report to a file.
pub fn write(report: &Report, path: impl AsRef<Path>) -> Result<(), ReportError> {
    check(report)?;
    let path = path.as_ref();
    let written = File::create(path).and_then(|file| {
        let mut out = BufWriter::with_capacity(BUFFER, file);
        page::fill(&mut out, report)?;
        out.flush()
    });
    written.map_err(|source: io::Error| ReportError::Write { path: path.into(), source })
}

/// The report as the text of an HTML page.
pub fn to_html(report: &Report) -> String {
    let mut page = Vec::with_capacity(encode::size(report) + page::size());
    // Memory takes whatever is written to it, and all of it is text.
    let _ = page::fill(&mut page, report);
    String::from_utf8(page).unwrap_or_default()
}

/// Are the samples complete, with time first?
fn check(report: &Report) -> Result<(), ReportError> {
    let first = report.channels.first().map_or("", |channel| &channel.name);
    if first != "time" {
        return Err(ReportError::Time { found: first.into() });
    }
    report.cases.iter().try_for_each(|case| check_case(report.channels, case.columns))
}

fn check_case(channels: &[Channel], columns: &[Vec<f64>]) -> Result<(), ReportError> {
    if channels.len() != columns.len() {
        return Err(ReportError::Columns { channels: channels.len(), columns: columns.len() });
    }
    let expected = columns[0].len();
    match columns.iter().position(|column| column.len() != expected) {
        Some(k) => Err(ReportError::Samples { channel: channels[k].name.clone(), found: columns[k].len(), expected }),
        None => Ok(()),
    }
}
