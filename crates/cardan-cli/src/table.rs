//! Samples as tables of channels.

use crate::exit::Failure;
use cardan::results::{Channels, Results, Sample};
use cardan::system::{State, System, Work};
use cardan_io::results::{CsvWriter, Table, Writer};
use serde_json::{Map, Value};
use std::path::Path;

/// All channels over the samples.
pub fn of_results(system: &System, results: &Results) -> Table {
    let mut channels = Channels::new(system);
    let mut row = vec![f64::NAN; channels.list().len()];
    let mut columns = vec![Vec::with_capacity(results.samples.len()); row.len()];
    for sample in &results.samples {
        channels.fill(system, sample, &mut row);
        columns.iter_mut().zip(&row).for_each(|(column, value)| column.push(*value));
    }
    Table { channels: channels.list().to_vec(), columns }
}

/// All channels of one state.
pub fn of_state(system: &System, state: &State) -> Table {
    let sample = Sample { energy: system.energy(state, &mut Work::new(system)), momentum: system.momentum(state), state: state.clone() };
    of_results(system, &Results { samples: vec![sample], ..Results::default() })
}

/// The first value of a channel.
pub fn value(table: &Table, channel: &str) -> Option<f64> {
    table.column(channel).and_then(|column| column.first()).copied()
}

/// The first values of all channels, by name.
pub fn first_values(table: &Table) -> Value {
    let entry = |(k, channel): (usize, &cardan::results::Channel)| (channel.name.clone(), Value::from(table.columns[k][0]));
    Value::Object(table.channels.iter().enumerate().map(entry).collect::<Map<_, _>>())
}

/// Writes a table as CSV.
pub fn write_csv(table: &Table, path: &Path) -> Result<(), Failure> {
    let mut writer = CsvWriter::create(path, &table.channels).map_err(Failure::file)?;
    for row in 0..table.columns.first().map_or(0, Vec::len) {
        let values: Vec<f64> = table.columns.iter().map(|column| column[row]).collect();
        writer.row(&values).map_err(Failure::file)?;
    }
    writer.finish().map_err(Failure::file)
}
