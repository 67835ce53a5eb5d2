//! Operations that change sides: where MIN, MAX, ABS, comparisons, remainders, integer parts and the pieces of splines go over from one
//! formula to another. On a side a program is smooth. TANH and ATAN have sides as well: where they saturate, what they stand for (friction,
//! a limit) is another thing than in between, however smooth.

use super::builder::{Op, Slot};
use super::primitives::{Binary, Unary};
use super::program::{Program, Scratch};

/// Arguments of this size saturate TANH and ATAN.
pub(crate) const SATURATED: f64 = 3.0;

/// On which side a choice is, and how far from where it changes: zero there, not a number where that is not known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    pub(crate) side: i64,
    pub(crate) margin: f64,
}

impl Side {
    /// Of something that is one thing below zero and another above.
    pub(crate) fn of_sign(x: f64) -> Self {
        Self { side: i64::from(x < 0.0), margin: x }
    }

    /// Of something that has no sides now.
    pub(crate) fn unknown() -> Self {
        Self { side: 0, margin: f64::NAN }
    }

    /// Of something that saturates: below, between or above its limits.
    pub(crate) fn of_saturation(x: f64) -> Self {
        Self { side: i64::from(x > SATURATED) - i64::from(x < -SATURATED), margin: x.abs() - SATURATED }
    }
}

/// Whether an operation has sides.
pub(super) fn is_switch(op: Op) -> bool {
    match op {
        Op::Unary(f, _) => matches!(f, Unary::Abs | Unary::Aint | Unary::Anint),
        Op::Binary(f, ..) => matches!(f, Binary::Min | Binary::Max | Binary::Less | Binary::LessEqual | Binary::Rem) || is_equality(f),
        Op::Spline { .. } => true,
        Op::Constant(_) | Op::Input(_) | Op::Select(..) => false,
    }
}

/// Whether an operation has a side of its own at one point only.
fn is_equality(f: Binary) -> bool {
    matches!(f, Binary::Equal | Binary::NotEqual)
}

/// On which side an operation is at the values found last.
pub(super) fn side(program: &Program, k: usize, values: &[f64]) -> i64 {
    let at = |slot: Slot| values[slot as usize];
    let side = |holds: bool| i64::from(holds);
    match program.ops[k] {
        Op::Unary(Unary::Abs, x) => side(at(x) < 0.0),
        Op::Unary(..) => values[k] as i64,
        Op::Binary(Binary::Rem, x, y) => (at(x) / at(y)).trunc() as i64,
        Op::Binary(Binary::Min | Binary::LessEqual, x, y) => side(at(x) <= at(y)),
        Op::Binary(Binary::Max, x, y) => side(at(x) >= at(y)),
        Op::Binary(f, x, y) if is_equality(f) => side(at(x) == at(y)),
        Op::Binary(_, x, y) => side(at(x) < at(y)),
        Op::Spline { spline, at: x, .. } => program.piece(spline, at(x)) as i64,
        _ => 0,
    }
}

/// The side of an operation with its margin.
fn side_with_margin(program: &Program, k: usize, values: &[f64]) -> Side {
    let at = |slot: Slot| values[slot as usize];
    let margin = match program.ops[k] {
        Op::Unary(Unary::Tanh | Unary::Atan, x) => return Side::of_saturation(at(x)),
        Op::Unary(Unary::Abs, x) => at(x),
        Op::Binary(Binary::Min | Binary::Max | Binary::Less | Binary::LessEqual, x, y) => at(x) - at(y),
        _ => f64::NAN,
    };
    Side { side: side(program, k, values), margin }
}

/// Which operations depend on time alone or on nothing, and which vary at all.
pub(super) fn dependence(program: &Program) -> (Vec<bool>, Vec<bool>) {
    let (mut alone, mut varies): (Vec<bool>, Vec<bool>) = (Vec::new(), Vec::new());
    for op in &program.ops {
        let (operands, count) = op.operands();
        let (own, moving) = match op {
            Op::Input(k) => (program.is_time(*k), true),
            _ => (operands[..count].iter().all(|&a| alone[a as usize]), operands[..count].iter().any(|&a| varies[a as usize])),
        };
        alone.push(own);
        varies.push(moving);
    }
    (alone, varies)
}

impl Program {
    /// The operations that have kinks in more than time. Splines of the state are not among them, which are smooth enough at their knots,
    /// nor equalities, which hold for no time.
    pub(crate) fn kinks(&self) -> Vec<usize> {
        self.of_the_state(|op| is_switch(op) && !matches!(op, Op::Spline { .. } | Op::Binary(Binary::Equal | Binary::NotEqual, ..)))
    }

    /// The operations that saturate with more than time.
    pub(crate) fn saturations(&self) -> Vec<usize> {
        self.of_the_state(|op| matches!(op, Op::Unary(Unary::Tanh | Unary::Atan, _)))
    }

    fn of_the_state(&self, wanted: impl Fn(Op) -> bool) -> Vec<usize> {
        let (alone, _) = dependence(self);
        (0..self.ops.len()).filter(|&k| !alone[k] && wanted(self.ops[k])).collect()
    }

    /// The sides of some operations at given inputs.
    pub(crate) fn sides(&self, switches: &[usize], inputs: &[f64], scratch: &mut Scratch, out: &mut Vec<Side>) {
        self.sweep(inputs, scratch);
        out.extend(switches.iter().map(|&k| side_with_margin(self, k, &scratch.values)));
    }
}
