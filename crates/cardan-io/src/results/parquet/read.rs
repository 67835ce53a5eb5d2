//! Reading Parquet: all DOUBLE columns of a file, whoever has written it.

use super::UNITS;
use crate::results::{ResultsError, Table};
use cardan::results::Channel;
use parquet::basic::Type as Physical;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

/// Reads all DOUBLE columns of a Parquet file.
pub fn read(path: &Path) -> Result<Table, ResultsError> {
    let file = File::open(path).map_err(|source| ResultsError::File { path: path.into(), source })?;
    read_columns(file).map_err(|source| ResultsError::Parquet { path: path.into(), source })
}

fn read_columns(file: File) -> Result<Table, ParquetError> {
    let reader = SerializedFileReader::new(file)?;
    let metadata = reader.metadata().file_metadata();
    let units = metadata.key_value_metadata().and_then(|pairs| pairs.iter().find(|p| p.key == UNITS)?.value.clone());
    let units: HashMap<String, String> = units.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let doubles: Vec<usize> = (0..metadata.schema_descr().num_columns())
        .filter(|k| metadata.schema_descr().column(*k).physical_type() == Physical::DOUBLE)
        .collect();
    let name = |k: &usize| metadata.schema_descr().column(*k).name().to_string();
    let channel = |k| Channel { unit: units.get(&name(k)).cloned().unwrap_or_else(|| "1".into()), name: name(k) };
    let channels = doubles.iter().map(channel).collect();
    let mut columns = vec![Vec::new(); doubles.len()];
    for g in 0..reader.num_row_groups() {
        let group = reader.get_row_group(g)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        for (column, k) in columns.iter_mut().zip(&doubles) {
            get_typed_column_reader::<DoubleType>(group.get_column_reader(*k)?).read_records(rows, None, None, column)?;
        }
    }
    Ok(Table { channels, columns })
}
