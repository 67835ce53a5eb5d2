//! The bytes of a Parquet file of required DOUBLE columns, uncompressed:
//!
//! ```text
//! file       "PAR1", row groups, footer
//! row group  for every column: its pages
//! page       header in Thrift, then the numbers as they are in memory
//! footer     metadata in Thrift (columns, row groups, units), their length in four bytes, "PAR1"
//! ```
//!
//! A column whose numbers are all the same, as those of a motion in a plane often are, has a dictionary of one number and says how often
//! it comes. Nothing else is compressed: numbers of a motion have as good as no two bytes in common, and models of thousands of bodies have so
//! many short columns that whatever is done for each of them takes longer than writing it. The metadata of row groups are kept as they were
//! written, so a new footer is a copy.

use super::thrift::Thrift;
use cardan::results::Channel;
use std::io::{self, Write};

const MAGIC: &[u8] = b"PAR1";
/// Numbers in a page: a megabyte, as readers expect it.
const PAGE: usize = 1 << 17;

/// Parquet's own numbers for things.
const DOUBLE: i32 = 5;
const REQUIRED: i32 = 0;
const UNCOMPRESSED: i32 = 0;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const RLE_DICTIONARY: i32 = 8;
const DATA_PAGE: i32 = 0;
const DICTIONARY_PAGE: i32 = 2;

/// What has been written to a file, and what has to be said about it in the footer.
#[derive(Debug)]
pub struct Format {
    names: Vec<String>,
    schema: Thrift,
    units: String,
    /// The metadata of the row groups one after another, how many there are, and their rows.
    groups: Thrift,
    count: usize,
    rows: u64,
    /// Bytes so far.
    length: u64,
    /// Scratch for the columns of a row group, and for a page.
    columns: Thrift,
    page: Thrift,
    /// The header of a page of so many numbers.
    header: (usize, Vec<u8>),
}

impl Format {
    /// A file with these columns; the units are a text that goes into the metadata.
    pub fn new(channels: &[Channel], units: String) -> Self {
        let mut schema = Thrift::default();
        schema.structure(|root| {
            root.text(4, "results");
            root.int(5, channels.len() as i32);
        });
        for channel in channels {
            schema.structure(|column| {
                column.int(1, DOUBLE);
                column.int(3, REQUIRED);
                column.text(4, &channel.name);
            });
        }
        let names = channels.iter().map(|c| c.name.clone()).collect();
        let [groups, columns, page] = std::array::from_fn(|_| Thrift::default());
        Self { names, schema, units, groups, count: 0, rows: 0, length: 0, columns, page, header: (0, Vec::new()) }
    }

    /// Begins the file.
    pub fn begin(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.length = MAGIC.len() as u64;
        out.write_all(MAGIC)
    }

    /// Begins a row group; its columns follow, then [`Format::end_group`].
    pub fn begin_group(&mut self) -> Group {
        self.columns.bytes.clear();
        Group { first: self.length, column: 0 }
    }

    /// The next column of a row group.
    pub fn column(&mut self, group: &mut Group, values: &[f64], out: &mut impl Write) -> io::Result<()> {
        let begin = self.length;
        let constant = values.iter().all(|v| v.to_bits() == values[0].to_bits());
        let (data, encodings): (u64, &[i32]) = if constant && !values.is_empty() {
            self.dictionary_page(values[0], out)?;
            let data = self.length;
            self.repeated_page(values.len(), out)?;
            (data, &[PLAIN, RLE, RLE_DICTIONARY])
        } else {
            values.chunks(PAGE).try_for_each(|part| self.plain_page(part, out))?;
            (begin, &[PLAIN, RLE])
        };
        let (name, size) = (&self.names[group.column], self.length - begin);
        self.columns.structure(|chunk| {
            chunk.long(2, begin);
            chunk.structure(3, |metadata| {
                metadata.int(1, DOUBLE);
                metadata.ints(2, encodings);
                metadata.one_text(3, name);
                metadata.int(4, UNCOMPRESSED);
                metadata.long(5, values.len() as u64);
                metadata.long(6, size);
                metadata.long(7, size);
                metadata.long(9, data);
                if data != begin {
                    metadata.long(11, begin);
                }
            });
        });
        group.column += 1;
        Ok(())
    }

    /// Ends a row group of so many rows.
    pub fn end_group(&mut self, group: &Group, rows: usize) {
        let (columns, size) = (&self.columns.bytes, self.length - group.first);
        self.groups.structure(|metadata| {
            metadata.structures(1, group.column, columns);
            metadata.long(2, size);
            metadata.long(3, rows as u64);
        });
        self.count += 1;
        self.rows += rows as u64;
    }

    /// The end of the file as it is.
    pub fn footer(&self, out: &mut impl Write) -> io::Result<()> {
        let mut pair = Thrift::default();
        pair.structure(|pair| {
            pair.text(1, super::UNITS);
            pair.text(2, &self.units);
        });
        let mut footer = Thrift { bytes: Vec::with_capacity(self.schema.bytes.len() + self.groups.bytes.len() + pair.bytes.len() + 64) };
        footer.structure(|file| {
            file.int(1, 1);
            file.structures(2, 1 + self.names.len(), &self.schema.bytes);
            file.long(3, self.rows);
            file.structures(4, self.count, &self.groups.bytes);
            file.structures(5, 1, &pair.bytes);
            file.text(6, concat!("cardan ", env!("CARGO_PKG_VERSION")));
        });
        out.write_all(&footer.bytes)?;
        out.write_all(&(footer.bytes.len() as u32).to_le_bytes())?;
        out.write_all(MAGIC)
    }

    /// Bytes so far, without a footer.
    pub fn length(&self) -> u64 {
        self.length
    }

    fn plain_page(&mut self, values: &[f64], out: &mut impl Write) -> io::Result<()> {
        // Most pages have as many numbers as the one before, and so the same header.
        if self.header.0 == values.len() {
            self.page.bytes.clear();
            self.page.bytes.extend_from_slice(&self.header.1);
        } else {
            self.data_header(8 * values.len(), values.len(), PLAIN);
            self.header = (values.len(), self.page.bytes.clone());
        }
        values.iter().for_each(|v| self.page.bytes.extend_from_slice(&v.to_le_bytes()));
        self.put(out)
    }

    /// A dictionary of one number.
    fn dictionary_page(&mut self, value: f64, out: &mut impl Write) -> io::Result<()> {
        self.header(DICTIONARY_PAGE, 8, |page| {
            page.structure(7, |dictionary| {
                dictionary.int(1, 1);
                dictionary.int(2, PLAIN);
            });
        });
        self.page.bytes.extend_from_slice(&value.to_le_bytes());
        self.put(out)
    }

    /// The first number of the dictionary, so many times: places of no bits, in one run.
    fn repeated_page(&mut self, count: usize, out: &mut impl Write) -> io::Result<()> {
        let mut run = Thrift { bytes: vec![0] };
        run.varint((count as u64) << 1);
        self.data_header(run.bytes.len(), count, RLE_DICTIONARY);
        self.page.bytes.extend_from_slice(&run.bytes);
        self.put(out)
    }

    fn data_header(&mut self, size: usize, count: usize, encoding: i32) {
        self.header(DATA_PAGE, size, |page| {
            page.structure(5, |data| {
                data.int(1, count as i32);
                data.int(2, encoding);
                data.int(3, RLE);
                data.int(4, RLE);
            });
        });
    }

    fn header(&mut self, kind: i32, size: usize, more: impl FnOnce(&mut super::thrift::Fields)) {
        self.page.bytes.clear();
        self.page.structure(|page| {
            page.int(1, kind);
            page.int(2, size as i32);
            page.int(3, size as i32);
            more(page);
        });
    }

    fn put(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.length += self.page.bytes.len() as u64;
        out.write_all(&self.page.bytes)
    }
}

/// A row group that is being written: where it began, and the column that comes next.
#[derive(Debug)]
pub struct Group {
    first: u64,
    column: usize,
}
