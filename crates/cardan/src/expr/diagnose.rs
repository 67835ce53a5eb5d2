//! Finds the operation at which an evaluation goes wrong.
//!
//! Only operations that the result depends on count: of a choice, the condition and the side that was chosen.

use super::ast::Span;
use super::builder::{Input, Op, Origin};
use super::primitives::{Binary, Unary};
use super::program::{Program, Scratch};

/// An operation whose value is infinite or undefined.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{what} (operands: {values:?})")]
pub struct Fault {
    /// The text the operation comes from.
    pub span: Span,
    /// The variable whose text that is, by its number in the scope; `None` for the expression's own.
    pub variable: Option<usize>,
    /// What happened.
    pub what: String,
    /// The numbers the operation got.
    pub values: Vec<f64>,
}

impl Program {
    /// The first operation that gives a value that is not finite, if there is one.
    pub fn diagnose(&self, inputs: &[f64]) -> Option<Fault> {
        let mut scratch = Scratch::default();
        self.sweep(inputs, &mut scratch);
        let w = &scratch.values;
        let needed = self.needed(w);
        let k = (0..self.ops.len()).find(|&k| needed[k] && !w[k].is_finite())?;
        let (operands, count) = self.ops[k].operands();
        let values: Vec<f64> = match self.ops[k] {
            Op::Input(_) => vec![w[k]],
            _ => operands[..count].iter().map(|&a| w[a as usize]).collect(),
        };
        let place = self.origins[k].function.map(|name| format!(" in {name}")).unwrap_or_default();
        let what = format!("{}{place}", self.reason(self.ops[k], &values));
        let Origin { span, variable, .. } = self.origins[k];
        Some(Fault { span, variable, what, values })
    }

    /// As [`Program::diagnose`], and if all values are finite, the first operation whose derivative with respect to an
    /// operand that varies is not, such as SQRT at zero.
    pub fn diagnose_gradient(&self, inputs: &[f64]) -> Option<Fault> {
        if let Some(fault) = self.diagnose(inputs) {
            return Some(fault);
        }
        let mut scratch = Scratch::default();
        self.sweep(inputs, &mut scratch);
        let (w, varies) = (&scratch.values, self.varying());
        let needed = self.needed(w);
        let infinite = |slot: u32, d: f64| varies[slot as usize] && !d.is_finite();
        let k = (0..self.ops.len()).find(|&k| match self.ops[k] {
            Op::Unary(f, a) => needed[k] && infinite(a, f.jet(w[a as usize]).d),
            Op::Binary(f, a, b) => {
                let jet = f.jet(w[a as usize], w[b as usize]);
                needed[k] && (infinite(a, jet.a) || infinite(b, jet.b))
            }
            _ => false,
        })?;
        let Origin { span, function, variable } = self.origins[k];
        let (operands, count) = self.ops[k].operands();
        let values = operands[..count].iter().map(|&a| w[a as usize]).collect();
        let place = function.map(|name| format!(" in {name}")).unwrap_or_default();
        Some(Fault { span, variable, what: format!("the derivative is not finite{place}"), values })
    }

    /// Which operations depend on inputs.
    fn varying(&self) -> Vec<bool> {
        let mut varies = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let (operands, count) = op.operands();
            let any = operands[..count].iter().any(|&a| varies[a as usize]);
            varies.push(any || matches!(op, Op::Input(_)));
        }
        varies
    }

    /// Which operations the result depends on at these values.
    fn needed(&self, w: &[f64]) -> Vec<bool> {
        let mut needed = vec![false; self.ops.len()];
        needed[self.ops.len() - 1] = true;
        for (k, op) in self.ops.iter().enumerate().rev() {
            if !needed[k] {
                continue;
            }
            let (operands, count) = op.operands();
            let first = operands[0] as usize;
            let used = match *op {
                Op::Select(c, a, b) => [c, if w[first] != 0.0 { a } else { b }, c],
                Op::Binary(Binary::And, a, _) if w[first] == 0.0 => [a; 3],
                Op::Binary(Binary::Or, a, _) if w[first] != 0.0 && !w[first].is_nan() => [a; 3],
                _ => operands,
            };
            used[..count].iter().for_each(|&a| needed[a as usize] = true);
        }
        needed
    }

    fn reason(&self, op: Op, values: &[f64]) -> String {
        let text = match op {
            Op::Input(i) => return format!("{} is not finite", self.inputs[i as usize]),
            Op::Unary(Unary::Sqrt, _) if values[0] < 0.0 => "square root of a negative number",
            Op::Unary(Unary::Ln | Unary::Log10, _) if values[0] == 0.0 => "logarithm of zero",
            Op::Unary(Unary::Ln | Unary::Log10, _) if values[0] < 0.0 => "logarithm of a negative number",
            Op::Unary(Unary::Asin | Unary::Acos, _) => "arcus of a number outside [−1, 1]",
            Op::Binary(Binary::Div | Binary::Rem, ..) if values[1] == 0.0 => "division by zero",
            Op::Binary(Binary::Pow, ..) if values[0] == 0.0 => "negative power of zero",
            Op::Binary(Binary::Pow, ..) if values[0] < 0.0 && values[1].fract() != 0.0 => "fractional power of a negative number",
            _ => "the result is too large for a number",
        };
        text.to_owned()
    }
}

impl std::fmt::Display for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Input::Time => f.write_str("TIME"),
            Input::Argument(k) => write!(f, "argument {}", k + 1),
            Input::Quantity { function, arguments } => write!(f, "{function}({})", arguments.join(", ")),
        }
    }
}
