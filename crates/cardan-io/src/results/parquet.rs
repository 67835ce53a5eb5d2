//! Results as Parquet: one required DOUBLE column a channel, snappy compressed, units in the metadata. Row groups are published
//! with a footer each time (see `publish`), so that the file can be read at any time.

use super::publish::Published;
use super::{Pace, ResultsError, Rows, Table, Writer};
use cardan::results::Channel;
use parquet::basic::{Compression, Encoding, Repetition, Type as Physical};
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::metadata::{FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{SchemaDescriptor, Type};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Numbers gathered before a row group is written, whatever the time: 64 MB.
const MOST: usize = 8 << 20;
/// The key of the units in the file's metadata.
const UNITS: &str = "units";

/// Writes a Parquet file.
pub struct ParquetWriter {
    path: PathBuf,
    writer: SerializedFileWriter<Vec<u8>>,
    units: String,
    file: Published,
    rows: Rows,
    pace: Pace,
}

impl ParquetWriter {
    /// Creates the file, without rows yet.
    pub fn create(path: &Path, channels: &[Channel]) -> Result<Self, ResultsError> {
        let writer = file_writer(channels).map_err(|source| ResultsError::Parquet { path: path.into(), source })?;
        let units: serde_json::Map<String, serde_json::Value> = channels.iter().map(|c| (c.name.clone(), c.unit.as_str().into())).collect();
        let mut out = Self {
            path: path.into(),
            writer,
            units: serde_json::Value::Object(units).to_string(),
            file: Published::new(path),
            rows: Rows::new(channels.len()),
            pace: Pace::new(),
        };
        out.publish()?;
        Ok(out)
    }

    /// Makes the gathered rows a row group.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        self.rows.columns(|column| {
            if let Some(mut writer) = group.next_column()? {
                writer.typed::<DoubleType>().write_batch(column, None, None)?;
                writer.close()?;
            }
            Ok::<(), ParquetError>(())
        })?;
        group.close()?;
        self.rows.clear();
        Ok(())
    }

    /// The metadata of everything written so far.
    fn footer(&self) -> Result<Vec<u8>, ParquetError> {
        let groups = self.writer.flushed_row_groups().to_vec();
        let rows = groups.iter().map(|g| g.num_rows()).sum();
        let schema = Arc::new(SchemaDescriptor::new(self.writer.schema_descr().root_schema_ptr()));
        let properties = self.writer.properties();
        let units = vec![KeyValue::new(UNITS.into(), self.units.clone())];
        let version = properties.writer_version().as_num();
        let file = FileMetaData::new(version, rows, Some(properties.created_by().into()), Some(units), schema, None);
        let mut footer = Vec::new();
        ParquetMetaDataWriter::new(&mut footer, &ParquetMetaData::new(file, groups)).finish()?;
        Ok(footer)
    }

    /// Everything written so far becomes readable.
    fn publish(&mut self) -> Result<(), ResultsError> {
        let footer = self.footer().map_err(|source| ResultsError::Parquet { path: self.path.clone(), source })?;
        let written = self.writer.flush().and_then(|()| {
            let data = std::mem::take(self.writer.inner_mut());
            self.file.grow(data, &footer)
        });
        written.map_err(|source| ResultsError::File { path: self.path.clone(), source })
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        let begun = Instant::now();
        self.write_group().map_err(|source| ResultsError::Parquet { path: self.path.clone(), source })?;
        self.publish()?;
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

/// A writer into memory; its bytes are taken out after every row group.
fn file_writer(channels: &[Channel]) -> Result<SerializedFileWriter<Vec<u8>>, ParquetError> {
    let column = |c: &Channel| Type::primitive_type_builder(&c.name, Physical::DOUBLE).with_repetition(Repetition::REQUIRED).build();
    let columns = channels.iter().map(|c| column(c).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
    let schema = Type::group_type_builder("results").with_fields(columns).build()?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true)
        .set_created_by(concat!("cardan ", env!("CARGO_PKG_VERSION")).into())
        .build();
    SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))
}

/// Reads all DOUBLE columns of a Parquet file.
pub(super) fn read(path: &Path) -> Result<Table, ResultsError> {
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
