//! The data of a run as text that is safe inside an HTML page.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;

use super::{Case, Report, Scene};

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
}

impl<'a> CaseEntry<'a> {
    fn new(case: &'a Case) -> Self {
        let offsets = case.columns.iter().map(|column| offset(column)).collect();
        Self { description: case.description, statistics: &case.statistics, offsets }
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
    text: String,
}

impl Block {
    /// Samples as 64-bit little-endian floats in base64.
    pub fn doubles(&mut self, column: &[f64]) -> &str {
        self.encode(column.iter().flat_map(|value| value.to_le_bytes()))
    }

    /// Samples less their offset as 32-bit little-endian floats in base64.
    pub fn singles(&mut self, column: &[f64]) -> &str {
        let offset = offset(column);
        self.encode(column.iter().flat_map(|value| ((value - offset) as f32).to_le_bytes()))
    }

    fn encode(&mut self, bytes: impl Iterator<Item = u8>) -> &str {
        self.bytes.clear();
        self.text.clear();
        self.bytes.extend(bytes);
        STANDARD.encode_string(&self.bytes, &mut self.text);
        &self.text
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
