//! The part of an expression that depends on time alone. What it does is known before it happens:
//!
//! ```text
//! breaks       times at which an operation changes sides: MIN, MAX, IF, ABS, STEP, MOD, knots of splines                (1)
//! signals      values of time alone that the rest of the expression, or the caller, reads                               (2)
//! excursion    a signal leaves, between a and b, what it shows at a, (a + b)/2 and b by more than it has moved lately    (3)
//! ```
//!
//! Both are looked for by halving the time between a and b where intervals (`interval`) cannot exclude them: short pulses are found,
//! wherever they are.

use super::builder::{Input, Op, Slot};
use super::interval::Interval;
use super::primitives::{Binary, Unary};
use super::program::{Program, Scratch};

/// Most evaluations in a search for a break, and for an excursion.
const BREAK_BUDGET: usize = 4000;
const EXCURSION_BUDGET: usize = 80;
/// The part of what a signal shows that it may leave it by.
const ALLOWED: f64 = 0.25;

/// What an expression does with time alone.
#[derive(Debug, Clone)]
pub struct TimePart {
    program: Program,
    /// Which operations depend on time alone, or on nothing.
    alone: Vec<bool>,
    /// The operations among them that change sides.
    switches: Vec<usize>,
    /// What is read of them.
    signals: Vec<Signal>,
    /// Values, inputs and bounds.
    scratch: Scratch,
    inputs: Vec<f64>,
    bounds: Vec<Interval>,
    /// Times between which an excursion is looked for.
    open: Vec<(f64, f64)>,
}

/// Where a function breaks: the last time before it and the first one after, next to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Break {
    /// The last time before.
    pub before: f64,
    /// The first time after.
    pub after: f64,
}

/// A value of time alone that is read.
#[derive(Debug, Clone)]
struct Signal {
    slot: usize,
    /// Its value where the last step ended, and the last few changes of it.
    last: Option<f64>,
    changes: [f64; 8],
    /// What it shows between two times, and by how much it may leave it.
    shown: Interval,
    allowed: f64,
}

impl Signal {
    fn new(slot: usize) -> Self {
        Self { slot, last: None, changes: [0.0; 8], shown: Interval::ALL, allowed: 0.0 }
    }

    fn note(&mut self, value: f64) {
        self.changes.rotate_right(1);
        self.changes[0] = self.last.map_or(0.0, |last| (value - last).abs());
        self.last = Some(value);
    }

    fn largest_change(&self) -> f64 {
        self.changes.iter().fold(0.0, |m: f64, c| m.max(*c))
    }
}

impl TimePart {
    /// Of a program; `None` if nothing in it depends on time alone, or only in proportion.
    pub fn of(program: &Program) -> Option<Self> {
        program.time()?;
        let mut alone = Vec::with_capacity(program.ops.len());
        let mut varies = Vec::with_capacity(program.ops.len());
        for op in &program.ops {
            let (operands, count) = op.operands();
            let all = |flags: &[bool]| operands[..count].iter().all(|&a| flags[a as usize]);
            let any = |flags: &[bool]| operands[..count].iter().any(|&a| flags[a as usize]);
            let (own, moving) = match op {
                Op::Input(k) => (program.inputs[*k as usize] == Input::Time, true),
                _ => (all(&alone), any(&varies)),
            };
            alone.push(own);
            varies.push(moving);
        }
        let signals = signals(&program.ops, &alone, &varies);
        let switches: Vec<usize> = (0..program.ops.len()).filter(|&k| alone[k] && varies[k] && is_switch(program.ops[k])).collect();
        let plain = |k: &usize| matches!(program.ops[*k], Op::Input(_));
        if switches.is_empty() && (signals.iter().all(plain) || program.is_affine()) {
            return None;
        }
        let (signals, bounds) = (signals.into_iter().map(Signal::new).collect(), vec![Interval::default(); alone.len()]);
        let (scratch, inputs) = (program.scratch(), vec![0.0; program.inputs.len()]);
        Some(Self { program: program.clone(), alone, switches, signals, scratch, inputs, bounds, open: Vec::new() })
    }

    /// The first break (1) after `from` and up to `to`.
    pub fn next_break(&mut self, from: f64, to: f64) -> Option<Break> {
        if self.switches.is_empty() {
            return None;
        }
        let mut budget = BREAK_BUDGET;
        self.search(from, to, &mut budget)
    }

    fn search(&mut self, a: f64, b: f64, budget: &mut usize) -> Option<Break> {
        *budget = budget.checked_sub(1)?;
        self.bound(a, b);
        if !self.switches.iter().any(|&k| self.may_switch(k)) {
            return None;
        }
        let middle = 0.5 * (a + b);
        if middle <= a || middle >= b {
            let [before, after] = [a, b].map(|t| {
                self.evaluate(t);
                self.switches.iter().map(|&k| self.side(k)).collect::<Vec<_>>()
            });
            return (before != after).then_some(Break { before: a, after: b });
        }
        self.search(a, middle, budget).or_else(|| self.search(middle, b, budget))
    }

    /// Whether a signal makes an excursion (3) between `a` and `b`.
    pub fn has_excursion(&mut self, a: f64, b: f64) -> bool {
        self.show(a, b);
        self.open.clear();
        self.open.push((a, b));
        let mut next = 0;
        while next < self.open.len().min(EXCURSION_BUDGET) {
            let (a, b) = self.open[next];
            next += 1;
            self.bound(a, b);
            let middle = 0.5 * (a + b);
            if middle <= a || middle >= b || !self.any_leaves(|part, k| part.bounds[k]) {
                continue;
            }
            self.evaluate(middle);
            if self.any_leaves(|part, k| Interval::point(part.scratch.values[k])) {
                return true;
            }
            self.open.extend([(a, middle), (middle, b)]);
        }
        false
    }

    /// Whether a signal leaves what it has shown by more than is allowed.
    fn any_leaves(&self, of: impl Fn(&Self, usize) -> Interval) -> bool {
        self.signals.iter().any(|s| {
            let bounds = of(self, s.slot);
            bounds.low < s.shown.low - s.allowed || bounds.high > s.shown.high + s.allowed
        })
    }

    /// What the signals show at the ends and in the middle, and by how much they may leave it.
    fn show(&mut self, a: f64, b: f64) {
        for (k, t) in [a, 0.5 * (a + b), b].into_iter().enumerate() {
            self.evaluate(t);
            for s in &mut self.signals {
                let value = Interval::point(self.scratch.values[s.slot]);
                s.shown = if k == 0 { value } else { s.shown.hull(value) };
            }
        }
        for s in &mut self.signals {
            let round_off = 1e-12 * s.shown.high.abs().max(s.shown.low.abs());
            s.allowed = (ALLOWED * (s.shown.high - s.shown.low)).max(2.0 * s.largest_change()) + round_off;
        }
    }

    /// Notes the signals where a step has ended.
    pub fn note(&mut self, t: f64) {
        self.evaluate(t);
        for s in &mut self.signals {
            s.note(self.scratch.values[s.slot]);
        }
    }

    /// Values of all operations at a time; those that depend on more are not to be looked at.
    fn evaluate(&mut self, t: f64) {
        let Self { program, inputs, scratch, .. } = self;
        inputs.fill(t);
        program.sweep(inputs, scratch);
    }

    /// Bounds of the operations of time alone between two times.
    fn bound(&mut self, a: f64, b: f64) {
        let Self { program, alone, bounds, .. } = self;
        for (k, op) in program.ops.iter().enumerate().filter(|(k, _)| alone[*k]) {
            let at = |slot: Slot| bounds[slot as usize];
            bounds[k] = match *op {
                Op::Constant(bits) => Interval::point(f64::from_bits(bits)),
                Op::Input(_) => Interval::new(a, b),
                Op::Unary(f, x) => f.interval(at(x)),
                Op::Binary(f, x, y) => f.interval(at(x), at(y)),
                Op::Select(c, x, y) => match at(c) {
                    c if !c.contains(0.0) => at(x),
                    c if c.is_point() => at(y),
                    _ => at(x).hull(at(y)),
                },
                Op::Spline { spline, order, at: x } => at(x).spline(program.curve(spline), order),
            };
        }
    }

    /// Whether an operation may change sides within the bounds found last.
    fn may_switch(&self, k: usize) -> bool {
        let at = |slot: Slot| self.bounds[slot as usize];
        let differs = |f: &dyn Fn(f64) -> f64, x: Interval| f(x.low) != f(x.high);
        match self.program.ops[k] {
            Op::Unary(Unary::Abs, x) => at(x).contains(0.0) && !at(x).is_point(),
            Op::Unary(Unary::Aint, x) => differs(&f64::trunc, at(x)),
            Op::Unary(_, x) => differs(&f64::round, at(x)),
            Op::Binary(Binary::Rem, x, y) => !at(y).is_point() || differs(&|x| (x / at(y).low).trunc(), at(x)),
            Op::Binary(_, x, y) => {
                let (x, y) = (at(x), at(y));
                !(x.high < y.low || y.high < x.low || x.is_point() && y.is_point())
            }
            Op::Spline { spline, at: x, .. } => differs(&|x| self.program.piece(spline, x) as f64, at(x)),
            _ => false,
        }
    }

    /// On which side an operation is at the values found last.
    fn side(&self, k: usize) -> i64 {
        let at = |slot: Slot| self.scratch.values[slot as usize];
        let side = |holds: bool| i64::from(holds);
        match self.program.ops[k] {
            Op::Unary(Unary::Abs, x) => side(at(x) < 0.0),
            Op::Unary(..) => self.scratch.values[k] as i64,
            Op::Binary(Binary::Rem, x, y) => (at(x) / at(y)).trunc() as i64,
            Op::Binary(Binary::Min | Binary::LessEqual, x, y) => side(at(x) <= at(y)),
            Op::Binary(Binary::Max, x, y) => side(at(x) >= at(y)),
            Op::Binary(_, x, y) => side(at(x) < at(y)),
            Op::Spline { spline, at: x, .. } => self.program.piece(spline, at(x)) as i64,
            _ => 0,
        }
    }
}

/// Operations of time alone that others read, or that are the result.
fn signals(ops: &[Op], alone: &[bool], varies: &[bool]) -> Vec<usize> {
    let last = ops.len() - 1;
    let mut read = vec![false; ops.len()];
    read[last] = true;
    for (op, _) in ops.iter().zip(alone).filter(|(_, alone)| !**alone) {
        let (operands, count) = op.operands();
        operands[..count].iter().for_each(|&a| read[a as usize] = true);
    }
    (0..ops.len()).filter(|&k| read[k] && alone[k] && varies[k]).collect()
}

fn is_switch(op: Op) -> bool {
    match op {
        Op::Unary(f, _) => matches!(f, Unary::Abs | Unary::Aint | Unary::Anint),
        Op::Binary(f, ..) => matches!(f, Binary::Min | Binary::Max | Binary::Less | Binary::LessEqual | Binary::Rem),
        Op::Spline { .. } => true,
        Op::Constant(_) | Op::Input(_) | Op::Select(..) => false,
    }
}
