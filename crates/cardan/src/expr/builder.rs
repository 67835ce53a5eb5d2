//! Collects the operations of a program: constants are folded, equal operations are shared, unused ones dropped.

use super::ast::Span;
use super::primitives::{Binary, Unary};
use super::spline::Curve;
use std::collections::HashMap;

/// A number that an expression needs from outside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Input {
    /// The time.
    Time,
    /// An argument of the function that the expression is, by its place in [`super::Scope::arguments`].
    Argument(usize),
    /// A quantity of the model, such as DX of two markers.
    Quantity {
        /// The name of the function, in capitals as in the table of functions.
        function: &'static str,
        /// The names of markers or elements it is about; empty where one is left out.
        arguments: Vec<String>,
    },
}

/// The place of an operation and of its value.
pub(super) type Slot = u32;

/// One operation of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Op {
    /// A constant, by its bits (so that operations can be compared).
    Constant(u64),
    Input(u32),
    Unary(Unary, Slot),
    Binary(Binary, Slot, Slot),
    /// The second where the first is not zero, else the third.
    Select(Slot, Slot, Slot),
    /// A derivative of a spline.
    Spline {
        spline: u32,
        order: u8,
        at: Slot,
    },
}

impl Op {
    /// The operands; the count says how many are meant.
    pub fn operands(self) -> ([Slot; 3], usize) {
        match self {
            Self::Constant(_) | Self::Input(_) => ([0; 3], 0),
            Self::Unary(_, a) | Self::Spline { at: a, .. } => ([a, 0, 0], 1),
            Self::Binary(_, a, b) => ([a, b, 0], 2),
            Self::Select(c, a, b) => ([c, a, b], 3),
        }
    }

    fn renumbered(self, slot: impl Fn(Slot) -> Slot, input: impl Fn(u32) -> u32) -> Self {
        match self {
            Self::Constant(_) => self,
            Self::Input(k) => Self::Input(input(k)),
            Self::Unary(f, a) => Self::Unary(f, slot(a)),
            Self::Binary(f, a, b) => Self::Binary(f, slot(a), slot(b)),
            Self::Select(c, a, b) => Self::Select(slot(c), slot(a), slot(b)),
            Self::Spline { spline, order, at } => Self::Spline { spline, order, at: slot(at) },
        }
    }
}

/// Where an operation comes from: the text, and the function whose formula it belongs to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Origin {
    pub span: Span,
    pub function: Option<&'static str>,
    /// The variable whose text it is, by its number in the scope; `None` for the expression's own.
    pub variable: Option<usize>,
}

/// A program being written.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub ops: Vec<Op>,
    pub origins: Vec<Origin>,
    pub inputs: Vec<Input>,
    pub splines: Vec<Curve>,
    /// Where the operations that follow come from.
    pub origin: Origin,
    known: HashMap<Op, Slot>,
}

impl Builder {
    fn push(&mut self, op: Op) -> Slot {
        if let Some(&slot) = self.known.get(&op) {
            return slot;
        }
        let slot = self.ops.len() as Slot;
        self.ops.push(op);
        self.origins.push(self.origin);
        self.known.insert(op, slot);
        slot
    }

    /// The value of a slot, if it is constant.
    pub fn known_value(&self, slot: Slot) -> Option<f64> {
        match self.ops[slot as usize] {
            Op::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The folded value if it is known and finite; otherwise the operation, so that a fault is found where it happens.
    fn folded(&mut self, value: Option<f64>, op: Op) -> Slot {
        match value {
            Some(v) if v.is_finite() => self.constant(v),
            _ => self.push(op),
        }
    }

    pub fn constant(&mut self, value: f64) -> Slot {
        self.push(Op::Constant(value.to_bits()))
    }

    pub fn input(&mut self, input: Input) -> Slot {
        let k = self.inputs.iter().position(|known| *known == input).unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        self.push(Op::Input(k as u32))
    }

    pub fn unary(&mut self, f: Unary, a: Slot) -> Slot {
        let value = self.known_value(a).map(|x| f.jet(x).v);
        self.folded(value, Op::Unary(f, a))
    }

    pub fn binary(&mut self, f: Binary, a: Slot, b: Slot) -> Slot {
        let value = self.known_value(a).zip(self.known_value(b)).map(|(x, y)| f.jet(x, y).v);
        self.folded(value, Op::Binary(f, a, b))
    }

    pub fn select(&mut self, condition: Slot, a: Slot, b: Slot) -> Slot {
        match self.known_value(condition) {
            Some(c) if c.is_nan() => self.push(Op::Select(condition, a, b)),
            Some(c) => [a, b][usize::from(c == 0.0)],
            None => self.push(Op::Select(condition, a, b)),
        }
    }

    /// A derivative of a spline, whose number is that in `splines`.
    pub fn spline(&mut self, spline: usize, order: u8, at: Slot) -> Slot {
        let value = self.known_value(at).map(|x| self.splines[spline].jet(order, x).v);
        self.folded(value, Op::Spline { spline: spline as u32, order, at })
    }

    pub fn add(&mut self, a: Slot, b: Slot) -> Slot {
        self.binary(Binary::Add, a, b)
    }

    pub fn sub(&mut self, a: Slot, b: Slot) -> Slot {
        self.binary(Binary::Sub, a, b)
    }

    pub fn mul(&mut self, a: Slot, b: Slot) -> Slot {
        self.binary(Binary::Mul, a, b)
    }

    pub fn div(&mut self, a: Slot, b: Slot) -> Slot {
        self.binary(Binary::Div, a, b)
    }

    /// Drops what the result does not need, and puts constants first, inputs in their order next, so that evaluations copy both.
    /// The result is the last operation then.
    pub fn finish(mut self, result: Slot) -> Self {
        let mut used = vec![false; self.ops.len()];
        used[result as usize] = true;
        for k in (0..=result as usize).rev() {
            if used[k] {
                let (operands, count) = self.ops[k].operands();
                operands[..count].iter().for_each(|&a| used[a as usize] = true);
            }
        }
        let input_used: Vec<bool> = (0..self.inputs.len()).map(|i| self.is_used(&used, i)).collect();
        let inputs = numbering(&input_used);
        let mut kept: Vec<usize> = (0..self.ops.len()).filter(|&k| used[k]).collect();
        kept.sort_by_key(|&k| match self.ops[k] {
            Op::Constant(_) => (0, 0),
            Op::Input(i) => (1, i),
            _ => (2, 0),
        });
        let mut slots = vec![0; self.ops.len()];
        kept.iter().zip(0..).for_each(|(&k, slot)| slots[k] = slot);
        let ops = kept.iter().map(|&k| self.ops[k].renumbered(|a| slots[a as usize], |i| inputs[i as usize])).collect();
        let origins = kept.iter().map(|&k| self.origins[k]).collect();
        let mut keep = input_used.into_iter();
        self.inputs.retain(|_| keep.next().unwrap_or(false));
        Self { ops, origins, known: HashMap::new(), ..self }
    }

    fn is_used(&self, used: &[bool], input: usize) -> bool {
        self.ops.iter().zip(used).any(|(op, &used)| used && *op == Op::Input(input as u32))
    }
}

/// New numbers of what is kept.
fn numbering(kept: &[bool]) -> Vec<u32> {
    let count = |next: &mut u32, &kept: &bool| {
        let this = *next;
        *next += u32::from(kept);
        Some(this)
    };
    kept.iter().scan(0, count).collect()
}
