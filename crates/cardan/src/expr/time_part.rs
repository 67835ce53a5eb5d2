//! The part of an expression that depends on time alone. What it does is known before it happens:
//!
//! ```text
//! breaks       times at which an operation changes sides: MIN, MAX, IF, ABS, STEP, MOD, knots of splines                (1)
//! signals      values of time alone that the rest of the expression, or the caller, reads                               (2)
//! excursion    a signal leaves, between a and b, what it shows at a and b by more than it has moved lately               (3)
//! ```
//!
//! Both are looked for by halving the time between a and b where intervals (`interval`) cannot exclude them: short pulses are found,
//! wherever they are.

use super::builder::{Op, Slot};
use super::interval::Interval;
use super::primitives::{Binary, Unary};
use super::program::{Program, Scratch};
use super::sides::{dependence, is_switch, side};

/// Most evaluations in a search for a break, and for an excursion.
const BREAK_BUDGET: usize = 4000;
const EXCURSION_BUDGET: usize = 80;
/// Breaks are known to this part of the time that is searched.
const RESOLUTION: f64 = 0.5 * f64::EPSILON;
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
        let (alone, varies) = dependence(program);
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
        self.search(from, to, RESOLUTION * to.abs(), &mut budget)
    }

    fn search(&mut self, a: f64, b: f64, finest: f64, budget: &mut usize) -> Option<Break> {
        *budget = budget.checked_sub(1)?;
        self.bound(a, b);
        if !self.switches.iter().any(|&k| self.may_switch(k)) {
            return None;
        }
        let middle = 0.5 * (a + b);
        if b - a <= finest || middle <= a || middle >= b {
            let [before, after] = [a, b].map(|t| {
                self.evaluate(t);
                self.switches.iter().map(|&k| side(&self.program, k, &self.scratch.values)).collect::<Vec<_>>()
            });
            return (before != after).then_some(Break { before: a, after: b });
        }
        self.search(a, middle, finest, budget).or_else(|| self.search(middle, b, finest, budget))
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

    /// What the signals show at the ends, and by how much they may leave it.
    fn show(&mut self, a: f64, b: f64) {
        for (k, t) in [a, b].into_iter().enumerate() {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;
    use crate::expr::{Scope, Spline};

    fn part(text: &str) -> Option<TimePart> {
        let mut scope = Scope::default();
        scope.splines.push(("table".into(), Spline::new(&[0.0, 1.5, 1.6, 4.0], &[0.0, 0.0, 2.0, 2.0]).unwrap()));
        TimePart::of(&Program::new(text, &scope).unwrap())
    }

    fn breaks(text: &str, end: f64) -> Vec<f64> {
        let mut part = part(text).unwrap();
        let (mut from, mut found) = (0.0, Vec::new());
        while let Some(next) = part.next_break(from, end) {
            assert!(next.before < next.after && next.after - next.before <= 4.0 * f64::EPSILON * next.after.max(1.0), "{text}: {next:?}");
            found.push(next.after);
            from = next.after;
        }
        found
    }

    #[test]
    fn breaks_are_found_where_they_are() {
        let pi = std::f64::consts::PI;
        let expected: [(&str, Vec<f64>); 10] = [
            ("STEP5(TIME, 5, 0, 5.4, 1)", vec![5.0, 5.4]),
            ("HAVSIN(TIME, 1, 0, 1.001, 1)", vec![1.0, 1.001]),
            ("IF(TIME - 2: 0, 1, 3)", vec![2.0, 2.0]),
            ("IF(TIME > 2 && TIME < 3, DX(a, b), 0)", vec![2.0, 3.0]),
            ("MOD(TIME, 2.5) * DX(a, b)", vec![2.5, 5.0, 7.5]),
            ("ABS(TIME - 3)", vec![3.0]),
            ("MAX(0, SIN(TIME + 1))", vec![pi - 1.0, 2.0 * pi - 1.0, 3.0 * pi - 1.0]),
            ("LINSPL(TIME, 0, table) + VX(a)", vec![1.5, 1.6, 4.0]),
            ("MAX(TIME * (9 - TIME), 14)", vec![2.0, 7.0]),
            ("MAX(0, 0 * TIME)", vec![]),
        ];
        for (text, expected) in expected {
            let found = breaks(text, 9.9);
            let close = found.len() == expected.len() && found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-14 * 10.0);
            assert!(close, "{text}: {found:?} instead of {expected:?}");
        }
    }

    #[test]
    fn what_is_in_proportion_to_time_or_depends_on_the_state_alone_has_no_part() {
        for text in ["3 * TIME + 1", "DX(a, b)", "TIME * DX(a, b)", "MAX(0, DX(a, b))", "SIN(TIME + DX(a, b))"] {
            assert!(part(text).is_none(), "{text}");
        }
    }

    #[test]
    fn excursions_are_found_however_short_they_are() {
        for text in [
            "EXP(-((TIME - 5)/0.001)**2)",
            "DX(a, b) * SIN(PI * TIME)",
            "1E-9 * SIN(1000 * TIME)",
            "SQRT(TIME) * (1 + 9 * EXP(-(30 * (TIME - 4))**2))",
        ] {
            assert!(part(text).unwrap().has_excursion(0.0, 10.0), "{text}");
        }
    }

    #[test]
    fn steady_functions_and_those_that_were_seen_have_none() {
        for text in ["TIME**2", "TIME * (10 - TIME) * 1E-3 + TIME", "EXP(TIME)", "EXP(-((TIME - 5)/0.001)**2)"] {
            let end = if text.starts_with("EXP(-") { 4.9 } else { 10.0 };
            assert!(!part(text).unwrap().has_excursion(0.0, end), "{text}");
        }
        let mut wave = part("SIN(1000 * TIME)").unwrap();
        assert!(wave.has_excursion(0.0, 0.02));
        (0..10).for_each(|k| wave.note(1.3e-3 * f64::from(k)));
        assert!(!wave.has_excursion(0.012, 0.02), "its swing has been seen");
    }
}
