//! Results as CSV: numbers in their shortest form that reads back to the same double.

use super::{Pace, ResultsError, Table, Writer};
use cardan::results::Channel;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Writes a CSV file.
#[derive(Debug)]
pub struct CsvWriter {
    path: PathBuf,
    file: BufWriter<File>,
    pace: Pace,
}

impl CsvWriter {
    /// Creates the file and writes its header.
    pub fn create(path: &Path, channels: &[Channel]) -> Result<Self, ResultsError> {
        let failed = |source| ResultsError::File { path: path.into(), source };
        let mut file = BufWriter::new(File::create(path).map_err(failed)?);
        let header: Vec<String> = channels.iter().map(|c| quoted(&format!("{} [{}]", c.name, c.unit))).collect();
        writeln!(file, "{}", header.join(",")).and_then(|()| file.flush()).map_err(failed)?;
        Ok(Self { path: path.into(), file, pace: Pace::new() })
    }

    fn write(&mut self, values: &[f64]) -> io::Result<()> {
        for (k, value) in values.iter().enumerate() {
            let comma = if k == 0 { "" } else { "," };
            write!(self.file, "{comma}{value:?}")?;
        }
        self.file.write_all(b"\n")?;
        if self.pace.is_due() {
            let begun = Instant::now();
            self.file.flush()?;
            self.pace.note(begun);
        }
        Ok(())
    }
}

impl Writer for CsvWriter {
    fn row(&mut self, values: &[f64]) -> Result<(), ResultsError> {
        self.write(values).map_err(|source| ResultsError::File { path: self.path.clone(), source })
    }

    fn finish(&mut self) -> Result<(), ResultsError> {
        self.file.flush().map_err(|source| ResultsError::File { path: self.path.clone(), source })
    }
}

/// A header field; names with commas or quotes are quoted.
fn quoted(text: &str) -> String {
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.into() }
}

/// Reads a CSV file with a header of `name [unit]`. A last line that was cut short is left out.
pub(super) fn read(path: &Path) -> Result<Table, ResultsError> {
    let text = std::fs::read_to_string(path).map_err(|source| ResultsError::File { path: path.into(), source })?;
    let wrong = |mistake: String| ResultsError::Content { path: path.into(), mistake };
    let complete = text.rfind('\n').map_or(text.as_str(), |end| &text[..end]);
    let mut lines = complete.lines();
    let header = lines.next().ok_or_else(|| wrong("the file is empty".into()))?;
    let channels: Vec<Channel> = fields(header).iter().map(|f| channel(f)).collect();
    let mut columns = vec![Vec::new(); channels.len()];
    for (k, line) in lines.enumerate() {
        let values: Result<Vec<f64>, _> = line.split(',').map(|v| v.trim().parse::<f64>()).collect();
        let values = values.map_err(|error| wrong(format!("line {}: {error}", k + 2)))?;
        if values.len() != columns.len() {
            return Err(wrong(format!("line {} has {} numbers, the header has {} columns", k + 2, values.len(), columns.len())));
        }
        columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
    }
    Ok(Table { channels, columns })
}

fn channel(field: &str) -> Channel {
    let (name, unit) = field.rsplit_once(" [").map_or((field, "1"), |(name, unit)| (name, unit.trim_end_matches(']')));
    Channel { name: name.trim().into(), unit: unit.into() }
}

/// The fields of a header, quotes undone.
fn fields(line: &str) -> Vec<String> {
    let (mut out, mut inside) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let last = out.len() - 1;
        match c {
            '"' if inside && characters.peek() == Some(&'"') => out[last].extend(characters.next()),
            '"' => inside = !inside,
            ',' if !inside => out.push(String::new()),
            c => out[last].push(c),
        }
    }
    out
}
