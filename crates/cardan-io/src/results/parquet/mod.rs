//! Results as Parquet: one required DOUBLE column a channel, units in the metadata. Row groups are published with a footer each time (see
//! `publish`), so that the file can be read at any time. The bytes are those of `format`; files are read with the crate `parquet`.

mod format;
mod publish;
mod read;
mod thrift;

pub(super) use read::read;

use super::{Pace, ResultsError, Rows, Writer};
use cardan::results::Channel;
use format::Format;
use publish::Published;
use serde::Serializer;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Numbers gathered before a row group is written, whatever the time: 64 MB.
const MOST: usize = 8 << 20;
/// The key of the units in the file's metadata.
const UNITS: &str = "units";

/// Writes a Parquet file.
#[derive(Debug)]
pub struct ParquetWriter {
    path: PathBuf,
    format: Format,
    file: Published,
    rows: Rows,
    pace: Pace,
}

impl ParquetWriter {
    /// Creates the file, without rows yet.
    pub fn create(path: &Path, channels: &[Channel]) -> Result<Self, ResultsError> {
        let mut units = Vec::new();
        let written = serde_json::Serializer::new(&mut units).collect_map(channels.iter().map(|c| (&c.name, &c.unit)));
        written.map_err(|error| ResultsError::File { path: path.into(), source: error.into() })?;
        let units = String::from_utf8(units).unwrap_or_default();
        let (mut format, mut file) = (Format::new(channels, units), Published::new(path));
        let begun = file.grow(|out| {
            format.begin(out)?;
            format.footer(out)?;
            Ok(format.length())
        });
        begun.map_err(|source| ResultsError::File { path: path.into(), source })?;
        Ok(Self { path: path.into(), format, file, rows: Rows::new(channels.len()), pace: Pace::new() })
    }

    /// Makes the gathered rows a row group; everything written so far becomes readable.
    fn publish(&mut self) -> io::Result<()> {
        let Self { format, file, rows, .. } = self;
        file.grow(|out| {
            let mut group = format.begin_group();
            rows.columns(|column| format.column(&mut group, column, out))?;
            format.end_group(&group, rows.len());
            format.footer(out)?;
            Ok(format.length())
        })?;
        rows.clear();
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        let begun = Instant::now();
        self.publish().map_err(|source| ResultsError::File { path: self.path.clone(), source })?;
        self.pace.note(begun);
        Ok(())
    }
}

impl Writer for ParquetWriter {
    fn row(&mut self, values: &[f64]) -> Result<(), ResultsError> {
        self.rows.push(values);
        if self.rows.numbers() >= MOST || self.pace.is_due() { self.flush() } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<(), ResultsError> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.file.finish().map_err(|source| ResultsError::File { path: self.path.clone(), source })
    }
}
