//! A compiled expression and its evaluation (equations 1 and 2 of the room).
//!
//! Values live in scratch that the caller owns; nothing is allocated once the scratch has grown to the program's size. Both
//! sides of a choice are evaluated, but only the chosen one is used.

use super::affine::Affine;
use super::ast::Expr;
use super::builder::{Builder, Input, Op, Origin};
use super::error::ExprError;
use super::lower::Lowering;
use super::parser::parse;
use super::primitives::times;
use super::scope::Scope;
use super::spline::Curve;
use crate::math::Dual;

/// A compiled expression.
#[derive(Debug, Clone)]
pub struct Program {
    /// Constants, inputs, then operations.
    pub(super) ops: Vec<Op>,
    constants: Vec<f64>,
    pub(super) origins: Vec<Origin>,
    pub(super) inputs: Vec<Input>,
    splines: Vec<Curve>,
    affine: Option<Affine>,
}

/// Room for the values of a program; may be shared by programs of any size.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub(super) values: Vec<f64>,
    adjoints: Vec<f64>,
    duals: Vec<Dual>,
    /// Room for inputs, for callers that need it.
    pub(crate) inputs: Vec<Dual>,
}

impl Program {
    /// Reads and compiles an expression. Parameters, splines and variables of the scope are looked up by name now; markers,
    /// elements and other variables are left to the caller, as [`Program::inputs`].
    pub fn new(source: &str, scope: &Scope) -> Result<Self, ExprError> {
        Self::compile(&parse(source)?, scope)
    }

    /// Compiles an expression that has been read.
    pub fn compile(expr: &Expr, scope: &Scope) -> Result<Self, ExprError> {
        let mut lowering = Lowering::new(scope);
        let result = lowering.expression(expr)?;
        let Builder { ops, origins, inputs, splines, .. } = lowering.builder.finish(result);
        let constant = |op: &Op| if let Op::Constant(bits) = op { Some(f64::from_bits(*bits)) } else { None };
        let constants = ops.iter().map_while(constant).collect();
        let affine = Affine::of(&ops, inputs.len());
        Ok(Self { ops, constants, origins, inputs, splines, affine })
    }

    /// What the expression needs to know, in the order in which evaluations take it. Nothing is in the list twice.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// The place of the time among the inputs, if the expression depends on it.
    pub fn time(&self) -> Option<usize> {
        self.inputs.iter().position(|input| *input == Input::Time)
    }

    /// The value, if it does not depend on inputs.
    pub fn constant(&self) -> Option<f64> {
        match self.ops[..] {
            [Op::Constant(bits)] => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// How many operations an evaluation takes.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// A program has at least one operation.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// Scratch that is large enough for this program.
    pub fn scratch(&self) -> Scratch {
        let n = self.ops.len();
        Scratch { values: vec![0.0; n], adjoints: vec![0.0; n], duals: vec![Dual::default(); n], inputs: Vec::new() }
    }

    /// The value at given inputs, which must be at least as many as [`Program::inputs`].
    #[inline]
    pub fn value(&self, inputs: &[f64], scratch: &mut Scratch) -> f64 {
        match &self.affine {
            Some(affine) => affine.value(inputs),
            None => self.sweep(inputs, scratch),
        }
    }

    /// The value, and those of all operations in the scratch.
    pub(super) fn sweep(&self, inputs: &[f64], scratch: &mut Scratch) -> f64 {
        let n = self.ops.len();
        grow(&mut scratch.values, n);
        let w = &mut scratch.values[..n];
        let (known, first) = (self.constants.len(), self.first());
        w[..known].copy_from_slice(&self.constants);
        w[known..first].copy_from_slice(&inputs[..first - known]);
        for (k, op) in (first..n).zip(&self.ops[first..]) {
            w[k] = match *op {
                Op::Constant(_) | Op::Input(_) => continue,
                Op::Unary(f, a) => f.jet(w[a as usize]).v,
                Op::Binary(f, a, b) => f.jet(w[a as usize], w[b as usize]).v,
                Op::Select(c, ..) if w[c as usize].is_nan() => f64::NAN,
                Op::Select(c, a, b) => w[if w[c as usize] != 0.0 { a } else { b } as usize],
                Op::Spline { spline, order, at } => self.splines[spline as usize].jet(order, w[at as usize]).v,
            };
        }
        w[n - 1]
    }

    /// The value, and in `out` its derivatives with respect to all inputs, by a reverse sweep.
    pub fn gradient(&self, inputs: &[f64], scratch: &mut Scratch, out: &mut [f64]) -> f64 {
        out.fill(0.0);
        if let Some(affine) = &self.affine {
            out[..affine.slopes.len()].copy_from_slice(&affine.slopes);
            return affine.value(inputs);
        }
        let value = self.sweep(inputs, scratch);
        let n = self.ops.len();
        grow(&mut scratch.adjoints, n);
        let (w, bar) = (&scratch.values[..n], &mut scratch.adjoints[..n]);
        bar.fill(0.0);
        bar[n - 1] = 1.0;
        let first = self.first();
        for (k, op) in (first..n).zip(&self.ops[first..]).rev() {
            let s = bar[k];
            if s == 0.0 {
                continue;
            }
            match *op {
                Op::Constant(_) | Op::Input(_) => {}
                Op::Unary(f, a) => bar[a as usize] += times(f.jet(w[a as usize]).d, s),
                Op::Binary(f, a, b) => {
                    let jet = f.jet(w[a as usize], w[b as usize]);
                    bar[a as usize] += times(jet.a, s);
                    bar[b as usize] += times(jet.b, s);
                }
                Op::Select(c, a, b) => bar[if w[c as usize] != 0.0 { a } else { b } as usize] += s,
                Op::Spline { spline, order, at } => {
                    bar[at as usize] += times(self.splines[spline as usize].jet(order, w[at as usize]).d, s);
                }
            }
        }
        out[..self.inputs.len()].copy_from_slice(&bar[self.constants.len()..first]);
        value
    }

    /// Whether the value is affine in the inputs.
    pub(super) fn is_affine(&self) -> bool {
        self.affine.is_some()
    }

    /// A curve that it reads.
    pub(super) fn curve(&self, spline: u32) -> &Curve {
        &self.splines[spline as usize]
    }

    /// Which piece of a curve x is on: the number of knots up to it.
    pub(super) fn piece(&self, spline: u32, x: f64) -> usize {
        self.curve(spline).knots().partition_point(|knot| *knot <= x)
    }

    /// The place of the first operation, after constants and inputs.
    fn first(&self) -> usize {
        self.constants.len() + self.inputs.len()
    }

    /// The value with first and second derivatives in the directions that the inputs are seeded with.
    pub fn dual(&self, inputs: &[Dual], scratch: &mut Scratch) -> Dual {
        let n = self.ops.len();
        grow(&mut scratch.duals, n);
        let w = &mut scratch.duals;
        for (k, op) in self.ops.iter().enumerate() {
            w[k] = match *op {
                Op::Constant(bits) => Dual::constant(f64::from_bits(bits)),
                Op::Input(i) => inputs[i as usize],
                Op::Unary(f, a) => f.jet(w[a as usize].v).dual(w[a as usize]),
                Op::Binary(f, a, b) => f.jet(w[a as usize].v, w[b as usize].v).dual(w[a as usize], w[b as usize]),
                Op::Select(c, ..) if w[c as usize].v.is_nan() => Dual::constant(f64::NAN),
                Op::Select(c, a, b) => w[if w[c as usize].v != 0.0 { a } else { b } as usize],
                Op::Spline { spline, order, at } => {
                    let at = w[at as usize];
                    self.splines[spline as usize].jet(order, at.v).dual(at)
                }
            };
        }
        w[n - 1]
    }
}

/// Makes sure that there are n places.
fn grow<T: Clone + Default>(places: &mut Vec<T>, n: usize) {
    if places.len() < n {
        places.resize(n, T::default());
    }
}
