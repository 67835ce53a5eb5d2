//! What a block is written out to, and the pen for it.

use super::{Block, Sort, Value, find};
use crate::expr::Spline;

/// When a held value is computed anew: at offset + k · period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    /// T, s.
    pub period: f64,
    /// The first time, s.
    pub offset: f64,
}

/// When, within a sample, a held value is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// One after another, so that a block sees the new outputs of those before it.
    Output,
    /// All at once, after the outputs.
    Memory,
}

/// A number that is held between samples, read as INPUT(name).
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// Unique name.
    pub name: String,
    /// Its new value at a sample; nothing where only switches set it.
    pub function: Option<String>,
    /// Its value before the first sample.
    pub initial: f64,
    /// When it is sampled.
    pub clock: Clock,
    /// When within a sample.
    pub phase: Phase,
    /// Standard deviation of noise that is added, and its seed.
    pub noise: Option<(f64, u64)>,
}

/// What a switch sets.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A held value. Switches that set one also act at the start, after samples and between steps in real time, where their
    /// function is positive already.
    Held(String),
    /// A differential state.
    State(String),
}

/// Something that is set where a function becomes positive.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch {
    /// Name of the event.
    pub name: String,
    /// The function.
    pub function: String,
    /// What is set, and to which values.
    pub sets: Vec<(Target, f64)>,
}

/// What a block is written out to.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// Differential states: name, rate, initial value.
    pub states: Vec<(String, String, f64)>,
    /// Variables: name and text.
    pub variables: Vec<(String, String)>,
    /// Tables.
    pub splines: Vec<(String, Spline)>,
    /// Held values.
    pub held: Vec<Held>,
    /// Switches.
    pub switches: Vec<Switch>,
    /// Kinks to be located: name and function.
    pub kinks: Vec<(String, String)>,
}

/// Writes a block out. Keys have been checked: what is asked for is there.
pub(crate) struct Writer<'a> {
    block: &'a Block,
    signals: Vec<(&'static str, String)>,
    pub parts: Parts,
}

/// A number as text, exactly.
pub(crate) fn number(x: f64) -> String {
    if x < 0.0 { format!("({x:?})") } else { format!("{x:?}") }
}

impl<'a> Writer<'a> {
    pub fn new(block: &'a Block, signals: Vec<(&'static str, String)>) -> Self {
        Self { block, signals, parts: Parts::default() }
    }

    /// The signal of a key; zero where it was left out.
    pub fn signal(&self, key: &str) -> String {
        self.signals(key).into_iter().next().unwrap_or_else(|| "0".into())
    }

    pub fn signals(&self, key: &str) -> Vec<String> {
        self.signals.iter().filter(|(known, _)| *known == key).map(|(_, text)| format!("({text})")).collect()
    }

    pub fn given(&self, key: &str) -> Option<f64> {
        match self.block.value(key) {
            Some(Value::Number(x)) => Some(*x),
            _ => None,
        }
    }

    /// A number; zero where it was left out.
    pub fn number(&self, key: &str) -> f64 {
        self.given(key).unwrap_or(0.0)
    }

    /// A number that must be positive.
    pub fn positive(&self, key: &str) -> Result<f64, String> {
        let x = self.number(key);
        if x > 0.0 { Ok(x) } else { Err(format!("'{key}' must be positive, it is {x}")) }
    }

    pub fn numbers(&self, key: &str) -> Vec<f64> {
        match self.block.value(key) {
            Some(Value::Numbers(x)) => x.clone(),
            _ => Vec::new(),
        }
    }

    pub fn matrix(&self, key: &str) -> Vec<Vec<f64>> {
        match self.block.value(key) {
            Some(Value::Matrix(x)) => x.clone(),
            _ => Vec::new(),
        }
    }

    pub fn word(&self, key: &str) -> String {
        let default = || {
            let key = find(&self.block.kind).and_then(|kind| kind.keys.iter().find(|k| k.name == key));
            if let Some(Sort::Word(words)) = key.map(|key| key.sort) { words[0].to_string() } else { String::new() }
        };
        if let Some(Value::Text(word)) = self.block.value(key) { word.clone() } else { default() }
    }

    pub fn flag(&self, key: &str) -> bool {
        self.block.value(key) == Some(&Value::Flag(true))
    }

    /// Lower and upper limit, either of which may be left out.
    pub fn limits(&self) -> Result<[Option<f64>; 2], String> {
        let limits = [self.given("lower"), self.given("upper")];
        match limits {
            [Some(low), Some(high)] if low >= high => Err(format!("'lower' must be below 'upper', they are {low} and {high}")),
            _ => Ok(limits),
        }
    }

    /// When a sampled block is sampled.
    pub fn clock(&self) -> Result<Clock, String> {
        let (period, offset) = (self.positive("sample_time")?, self.number("offset"));
        if offset >= 0.0 { Ok(Clock { period, offset }) } else { Err(format!("'offset' must not be negative, it is {offset}")) }
    }

    /// The full name of a part.
    pub fn part(&self, part: &str) -> String {
        format!("{}.{part}", self.block.name)
    }

    /// How a state of the block is read.
    pub fn dif(&self, part: &str) -> String {
        format!("DIF({})", self.part(part))
    }

    /// How a held value of the block is read.
    pub fn hold(&self, part: &str) -> String {
        format!("INPUT({})", self.part(part))
    }

    pub fn state(&mut self, part: &str, rate: String, initial: f64) {
        self.parts.states.push((self.part(part), rate, initial));
    }

    /// A further output; how it is read.
    pub fn variable(&mut self, part: &str, text: String) -> String {
        let name = self.part(part);
        let read = format!("VARVAL({name})");
        self.parts.variables.push((name, text));
        read
    }

    /// The output.
    pub fn output(&mut self, text: String) {
        self.parts.variables.push((self.block.name.clone(), text));
    }

    /// The outputs of a block with several: all of them as BLOCK.1, …, and the first as BLOCK.
    pub fn outputs(&mut self, texts: Vec<String>) {
        if texts.len() > 1 {
            for (k, text) in texts.iter().enumerate() {
                self.variable(&(k + 1).to_string(), text.clone());
            }
        }
        self.output(texts.into_iter().next().unwrap_or_else(|| "0".into()));
    }

    pub fn sampled(&mut self, part: &str, phase: Phase, clock: Clock, function: String, initial: f64) {
        self.parts.held.push(Held { name: self.part(part), function: Some(function), initial, clock, phase, noise: None });
    }

    /// A value that switches set.
    pub fn switched(&mut self, part: &str, initial: f64) {
        let clock = Clock { period: f64::INFINITY, offset: f64::INFINITY };
        self.parts.held.push(Held { name: self.part(part), function: None, initial, clock, phase: Phase::Output, noise: None });
    }

    pub fn switch(&mut self, name: &str, function: String, sets: Vec<(Target, f64)>) {
        self.parts.switches.push(Switch { name: self.part(name), function, sets });
    }

    pub fn spline(&mut self, part: &str, spline: Spline) -> String {
        self.parts.splines.push((self.part(part), spline));
        self.part(part)
    }
}

/// x between two limits, either of which may be missing.
pub(super) fn clamped(x: &str, [low, high]: [Option<f64>; 2]) -> String {
    let x = low.map_or_else(|| x.into(), |low| format!("MAX({x}, {})", number(low)));
    high.map_or_else(|| x.clone(), |high| format!("MIN({x}, {})", number(high)))
}

/// Σ factor · text, without terms that are zero.
pub(super) fn combination(factors: &[f64], texts: &[String]) -> String {
    let terms = factors.iter().zip(texts).filter(|(factor, _)| **factor != 0.0);
    let terms: Vec<String> = terms.map(|(factor, text)| format!("{}*{text}", number(*factor))).collect();
    if terms.is_empty() { "0".into() } else { format!("({})", terms.join(" + ")) }
}
