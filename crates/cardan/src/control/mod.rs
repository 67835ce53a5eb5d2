//! Blocks: controllers, actuators and filters, each a few lines of text. A block is written out as differential states, variables and
//! held values with names of its own, so that it is solved together with the mechanics and the engine need not know it:
//!
//! ```text
//! continuous    ẋ = f(x, u),      y = h(x, u)                        states BLOCK.x, the variable BLOCK
//! sampled       x⁺ = f(x, u),     y = h(x, u)   at t = offset + k T   values held between the samples, the variable BLOCK
//! ```
//!
//! u are signals: expressions in which a bare name stands for a block, sensor, variable, differential state or input. y is read
//! anywhere as VARVAL(BLOCK). A new block is a [`BlockKind`] in a file here and a line in the list below; model files, their schema and
//! reference tables follow from its keys.

mod algebra;
mod delay;
mod filter;
mod hydraulic;
mod integrator;
mod lookup;
mod motor;
mod nonlinear;
mod pid;
mod sampled;
mod state_space;
mod stiction;
mod transfer_function;
mod writer;

pub use writer::{Clock, Held, Parts, Phase, Switch, Target};
pub(crate) use writer::{Writer, number};

use crate::expr::closest;
use crate::units::Dimension;
use std::fmt;

/// The blocks there are.
pub static KINDS: &[BlockKind] = &[
    algebra::GAIN,
    algebra::SUM,
    algebra::PRODUCT,
    algebra::EXPRESSION,
    transfer_function::TRANSFER_FUNCTION,
    state_space::STATE_SPACE,
    integrator::INTEGRATOR,
    pid::PID,
    filter::LOW_PASS,
    filter::HIGH_PASS,
    filter::NOTCH,
    nonlinear::SATURATION,
    nonlinear::DEAD_ZONE,
    nonlinear::RATE_LIMIT,
    nonlinear::RELAY,
    stiction::STICTION,
    delay::DELAY,
    lookup::LOOKUP,
    lookup::LOOKUP_2D,
    motor::ACTUATOR,
    motor::DC_MOTOR,
    hydraulic::CYLINDER,
    hydraulic::DAMPER,
    sampled::HOLD,
    sampled::TRANSFER_FUNCTION,
    sampled::STATE_SPACE,
    sampled::PID,
];

/// What a key of a block holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sort {
    /// A signal.
    Signal,
    /// A list of signals.
    Signals,
    /// A number.
    Number,
    /// A list of numbers.
    Numbers,
    /// A list of rows.
    Matrix,
    /// One of these words; the first is the default.
    Word(&'static [&'static str]),
    /// Yes or no; no is the default.
    Flag,
}

/// A key of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub sort: Sort,
    /// Whether it may be left out.
    pub optional: bool,
    /// The dimension of its numbers, where it is the same in every model; plain numbers in SI units otherwise.
    pub dimension: Dimension,
    /// One line for reference tables.
    pub summary: &'static str,
}

const fn key(name: &'static str, sort: Sort, summary: &'static str) -> Key {
    Key { name, sort, optional: false, dimension: Dimension::NONE, summary }
}

impl Key {
    const fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    const fn of(mut self, dimension: Dimension) -> Self {
        self.dimension = dimension;
        self
    }
}

/// A kind of block.
#[derive(Clone, Copy)]
pub struct BlockKind {
    /// Name in files and tables.
    pub name: &'static str,
    /// One line for reference tables.
    pub summary: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
    /// Writes it out; a mistake in its numbers is a sentence.
    write: fn(&mut Writer) -> Result<(), String>,
}

impl fmt::Debug for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The kind of that name.
pub fn find(name: &str) -> Option<&'static BlockKind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// The value of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A signal or a word.
    Text(String),
    /// Signals.
    Texts(Vec<String>),
    /// A number, or a constant signal.
    Number(f64),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Rows.
    Matrix(Vec<Vec<f64>>),
    /// Yes or no.
    Flag(bool),
}

macro_rules! values {
    ($($From:ty => |$x:ident| $value:expr;)*) => { $(impl From<$From> for Value { fn from($x: $From) -> Self { $value } })* };
}
values! {
    &str => |x| Value::Text(x.into());
    String => |x| Value::Text(x);
    f64 => |x| Value::Number(x);
    bool => |x| Value::Flag(x);
    Vec<f64> => |x| Value::Numbers(x);
    &[f64] => |x| Value::Numbers(x.to_vec());
    Vec<Vec<f64>> => |x| Value::Matrix(x);
    Vec<String> => |x| Value::Texts(x);
    &[&str] => |x| Value::Texts(x.iter().map(|s| s.to_string()).collect());
}

impl<const N: usize> From<[f64; N]> for Value {
    fn from(x: [f64; N]) -> Self {
        Value::Numbers(x.to_vec())
    }
}

impl<const N: usize> From<[&str; N]> for Value {
    fn from(x: [&str; N]) -> Self {
        x[..].into()
    }
}

/// A block of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Unique name; its output is VARVAL(name).
    pub name: String,
    /// The name of its kind.
    pub kind: String,
    /// Its keys that were given.
    pub values: Vec<(String, Value)>,
}

impl Block {
    /// A block of this kind, whose keys are still to be set.
    pub fn new(kind: &str, name: &str) -> Self {
        Self { name: name.into(), kind: kind.into(), values: Vec::new() }
    }

    /// Sets a key.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.values.push((key.into(), value.into()));
        self
    }

    /// The value of a key, if it was given.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.values.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    /// The texts of its signals by key.
    pub fn signals(&self) -> Vec<(&'static str, String)> {
        let keys = find(&self.kind).map_or(&[][..], |kind| kind.keys).iter();
        let signals = keys.filter(|key| matches!(key.sort, Sort::Signal | Sort::Signals));
        let texts = |value: &Value| match value {
            Value::Text(text) => vec![text.clone()],
            Value::Texts(texts) => texts.clone(),
            Value::Number(value) => vec![number(*value)],
            Value::Numbers(values) => values.iter().copied().map(number).collect(),
            Value::Matrix(_) | Value::Flag(_) => Vec::new(),
        };
        let of = |key: &Key| self.value(key.name).map(texts).unwrap_or_default();
        signals.flat_map(|key| of(key).into_iter().map(|text| (key.name, text))).collect()
    }

    /// Writes the block out; `signals` are its own, names resolved, in the order of [`Block::signals`].
    pub(crate) fn write(&self, signals: Vec<(&'static str, String)>) -> Result<Parts, String> {
        let kind = self.checked()?;
        let mut writer = Writer::new(self, signals);
        (kind.write)(&mut writer)?;
        Ok(writer.parts)
    }

    /// Its kind, if name and keys are in order.
    fn checked(&self) -> Result<&'static BlockKind, String> {
        let readable = matches!(crate::expr::parse(&self.name).map(|e| e.node), Ok(crate::expr::Node::Name(name)) if name == self.name);
        if !readable {
            return Err("its name must be one word of letters, digits and _, so that VARVAL can read it".into());
        }
        let Some(kind) = find(&self.kind) else {
            return Err(unknown("kind of block", &self.kind, KINDS.iter().map(|k| k.name)));
        };
        for (name, value) in &self.values {
            let Some(key) = kind.keys.iter().find(|key| key.name == name) else {
                return Err(unknown("key", name, kind.keys.iter().map(|k| k.name)));
            };
            if let Some(mistake) = key.mistake(value) {
                return Err(mistake);
            }
        }
        match kind.keys.iter().find(|key| !key.optional && self.value(key.name).is_none()) {
            Some(Key { name, sort: Sort::Signal | Sort::Signals, .. }) => Err(format!("'{name}' is not connected; give it a signal")),
            Some(Key { name, summary, .. }) => Err(format!("'{name}' is missing: {summary}")),
            None => Ok(kind),
        }
    }
}

impl Key {
    fn mistake(&self, value: &Value) -> Option<String> {
        let name = self.name;
        let fits = match (self.sort, value) {
            (Sort::Signal, Value::Text(_) | Value::Number(_)) | (Sort::Signals, Value::Texts(_) | Value::Numbers(_)) => true,
            (Sort::Number, Value::Number(_)) | (Sort::Numbers, Value::Numbers(_)) | (Sort::Matrix, Value::Matrix(_)) => true,
            (Sort::Flag, Value::Flag(_)) => true,
            (Sort::Word(words), Value::Text(word)) if !words.contains(&word.as_str()) => {
                return Some(format!("'{name}' is one of {}, not '{word}'", words.join(", ")));
            }
            (Sort::Word(_), Value::Text(_)) => true,
            _ => return Some(format!("'{name}' is of the wrong sort: {}", self.summary)),
        };
        let finite = match value {
            Value::Number(x) => x.is_finite(),
            Value::Numbers(x) => x.iter().all(|x| x.is_finite()),
            Value::Matrix(x) => x.iter().flatten().all(|x| x.is_finite()),
            _ => true,
        };
        (!fits || !finite).then(|| format!("'{name}' must be finite"))
    }
}

/// A word that is not known, with the one that may be meant.
fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let all: Vec<&str> = known.clone().collect();
    let meant = closest(name, known).map_or_else(|| format!("there are {}", all.join(", ")), |meant| format!("did you mean '{meant}'?"));
    format!("there is no {what} '{name}'; {meant}")
}
