//! Thrift's compact protocol, as far as the metadata of Parquet need it.
//!
//! ```text
//! struct     fields, then 0
//! field      (number − number of the field before) << 4 | type, then the value
//! list       length << 4 | type of its elements, or 0xF0 | type and the length as a varint from 15 on; then the elements
//! integer    zigzag (0, −1, 1, −2, …), seven bits a byte, the least first, all but the last with their top bit set: a varint
//! text       its length as a varint, then its bytes
//! ```

/// Types of fields.
const I32: u8 = 5;
const I64: u8 = 6;
const TEXT: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Bytes that grow.
#[derive(Debug, Clone, Default)]
pub struct Thrift {
    /// What was written so far.
    pub bytes: Vec<u8>,
}

impl Thrift {
    /// A struct that stands alone or in a list; its fields are written with numbers in rising order.
    pub fn structure(&mut self, fields: impl FnOnce(&mut Fields)) {
        fields(&mut Fields { out: self, last: 0 });
        self.bytes.push(0);
    }

    /// A number without a sign.
    pub fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn zigzag(&mut self, value: i64) {
        self.varint(((value << 1) ^ (value >> 63)) as u64);
    }

    fn text(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn list(&mut self, of: u8, length: usize) {
        match length {
            0..15 => self.bytes.push((length as u8) << 4 | of),
            _ => {
                self.bytes.push(0xF0 | of);
                self.varint(length as u64);
            }
        }
    }
}

/// The fields of a struct.
pub struct Fields<'a> {
    out: &'a mut Thrift,
    last: u8,
}

impl Fields<'_> {
    fn begin(&mut self, number: u8, of: u8) {
        self.out.bytes.push((number - self.last) << 4 | of);
        self.last = number;
    }

    /// An integer of 32 bits, or a choice of several.
    pub fn int(&mut self, number: u8, value: i32) {
        self.begin(number, I32);
        self.out.zigzag(value.into());
    }

    /// An integer of 64 bits.
    pub fn long(&mut self, number: u8, value: u64) {
        self.begin(number, I64);
        self.out.zigzag(value as i64);
    }

    /// A text.
    pub fn text(&mut self, number: u8, text: &str) {
        self.begin(number, TEXT);
        self.out.text(text);
    }

    /// A struct within the struct.
    pub fn structure(&mut self, number: u8, fields: impl FnOnce(&mut Fields)) {
        self.begin(number, STRUCT);
        self.out.structure(fields);
    }

    /// A list of choices.
    pub fn ints(&mut self, number: u8, values: &[i32]) {
        self.begin(number, LIST);
        self.out.list(I32, values.len());
        values.iter().for_each(|value| self.out.zigzag((*value).into()));
    }

    /// A list of one text.
    pub fn one_text(&mut self, number: u8, text: &str) {
        self.begin(number, LIST);
        self.out.list(TEXT, 1);
        self.out.text(text);
    }

    /// A list of so many structs, as they were written one after another.
    pub fn structures(&mut self, number: u8, count: usize, written: &[u8]) {
        self.begin(number, LIST);
        self.out.list(STRUCT, count);
        self.out.bytes.extend_from_slice(written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_seven_bits_a_byte() {
        let mut out = Thrift::default();
        out.structure(|s| {
            s.int(1, -1);
            s.long(3, 150);
        });
        assert_eq!(out.bytes, [0x15, 0x01, 0x26, 0xAC, 0x02, 0x00]);
    }

    #[test]
    fn long_lists_have_their_length_behind() {
        let mut out = Thrift::default();
        out.list(STRUCT, 14);
        out.list(STRUCT, 200);
        assert_eq!(out.bytes, [0xEC, 0xFC, 0xC8, 0x01]);
    }
}
