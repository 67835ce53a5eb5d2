//! The data of a run as text that is safe inside an HTML page.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;

use super::touches::Shown;
use super::{Case, ContactEntry, Report, Scene};

/// The JSON object the page starts from.
#[derive(Serialize)]
struct Document<'a> {
    title: &'a str,
    gravity: [f64; 3],
    scene: &'a Scene,
    channels: Vec<Entry<'a>>,
    cases: Vec<CaseEntry<'a>>,
    shown: usize,
    messages: &'a [String],
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    unit: &'a str,
}

/// A case, and what is to be added to the stored samples of its channels.
#[derive(Serialize)]
struct CaseEntry<'a> {
    description: &'a str,
    statistics: &'a serde_json::Value,
    offsets: Vec<f64>,
    contacts: &'a [ContactEntry],
    /// Every so many samples may have touches.
    stride: usize,
}

impl<'a> CaseEntry<'a> {
    fn new(case: &'a Case) -> Self {
        let offsets = case.columns.iter().map(|column| offset(column)).collect();
        let stride = case.touches.map_or(0, |touches| touches.stride(case.samples()));
        Self { description: case.description, statistics: &case.statistics, offsets, contacts: &case.contacts, stride }
    }
}

impl Case<'_> {
    /// The touches at the samples that are shown.
    pub(super) fn touches(&self) -> Shown {
        self.touches.map_or_else(Shown::default, |touches| touches.on(self.samples()))
    }

    fn samples(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }
}

/// A column that varies less than this part of its size is stored as differences from its first value.
const NARROW: f64 = 1e-2;

/// About the number of bytes of the encoded data.
pub(super) fn size(report: &Report) -> usize {
    let samples: usize = report.cases.iter().flat_map(|case| case.columns).map(Vec::len).sum();
    samples * 16 / 3 + report.channels.len() * report.cases.len() * 128 + 65_536
}

/// The JSON object, without any `<`: no text in it can end the script element it stands in.
pub(super) fn document(report: &Report) -> String {
    let document = Document {
        title: report.title,
        gravity: report.gravity,
        scene: report.scene,
        channels: report.channels.iter().map(|channel| Entry { name: &channel.name, unit: &channel.unit }).collect(),
        cases: report.cases.iter().map(CaseEntry::new).collect(),
        shown: report.shown,
        messages: &report.messages,
    };
    // Plain structs of numbers and strings always have a JSON form.
    serde_json::to_string(&document).unwrap_or_default().replace('<', "\\u003c")
}

/// Samples of a channel as text, in memory that the next channel takes over.
#[derive(Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    text: Vec<u8>,
}

impl Block {
    /// Samples as 64-bit little-endian floats in base64.
    pub fn doubles(&mut self, column: &[f64]) -> &[u8] {
        self.encode(column.iter().map(|value| value.to_le_bytes()))
    }

    /// Samples less their offset as 32-bit little-endian floats in base64.
    pub fn singles(&mut self, column: &[f64]) -> &[u8] {
        let offset = offset(column);
        self.encode(column.iter().map(|value| ((value - offset) as f32).to_le_bytes()))
    }

    /// Places as 32-bit little-endian integers in base64.
    pub fn places(&mut self, places: &[u32]) -> &[u8] {
        self.encode(places.iter().map(|place| place.to_le_bytes()))
    }

    /// Numbers as 32-bit little-endian floats in base64.
    pub fn floats(&mut self, numbers: &[f32]) -> &[u8] {
        self.encode(numbers.iter().map(|number| number.to_le_bytes()))
    }

    fn encode<const N: usize>(&mut self, values: impl Iterator<Item = [u8; N]>) -> &[u8] {
        self.bytes.clear();
        values.for_each(|value| self.bytes.extend_from_slice(&value));
        self.text.resize(self.bytes.len().div_ceil(3) * 4, 0);
        // There is room for all of it.
        let length = STANDARD.encode_slice(&self.bytes, &mut self.text).unwrap_or_default();
        &self.text[..length]
    }
}

/// Zero, or the first value of a column that varies little around it: differences then keep the digits that 32 bits would lose.
fn offset(column: &[f64]) -> f64 {
    let finite = column.iter().copied().filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    match column.first() {
        Some(&first) if first.is_finite() && high - low < NARROW * first.abs() => first,
        _ => 0.0,
    }
}

/// Text with the characters that mean something in HTML written as entities.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
