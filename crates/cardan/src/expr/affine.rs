//! Programs that are affine in their inputs, as springs, dampers and bushings are:
//!
//! ```text
//! z = c + Σ s_k x_k,      ∂z/∂x_k = s_k                                                         (1)
//! ```
//!
//! They are found once, when an expression is compiled; then a value is a short sum and a gradient is known.

use super::builder::Op;
use super::primitives::{Binary, Unary};

/// Constant and slopes of equation 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Affine {
    constant: f64,
    pub slopes: Vec<f64>,
}

impl Affine {
    /// The form of a list of operations, if they have one with finite numbers.
    pub fn of(ops: &[Op], inputs: usize) -> Option<Self> {
        let mut forms: Vec<Self> = Vec::with_capacity(ops.len());
        for op in ops {
            let form = match *op {
                Op::Constant(bits) => Self { constant: f64::from_bits(bits), slopes: vec![0.0; inputs] },
                Op::Input(k) => Self { constant: 0.0, slopes: (0..inputs).map(|i| f64::from(u8::from(i == k as usize))).collect() },
                Op::Unary(Unary::Neg, a) => forms[a as usize].each(|x| -x),
                Op::Binary(f, a, b) => combined(f, &forms[a as usize], &forms[b as usize])?,
                _ => return None,
            };
            forms.push(form);
        }
        forms.pop().filter(|form| form.constant.is_finite() && form.slopes.iter().all(|s| s.is_finite()))
    }

    /// Equation 1.
    #[inline]
    pub fn value(&self, inputs: &[f64]) -> f64 {
        self.slopes.iter().zip(inputs).fold(self.constant, |sum, (s, x)| sum + s * x)
    }

    fn each(&self, f: impl Fn(f64) -> f64) -> Self {
        Self { constant: f(self.constant), slopes: self.slopes.iter().map(|s| f(*s)).collect() }
    }

    fn with(&self, other: &Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let slopes = self.slopes.iter().zip(&other.slopes).map(|(a, b)| f(*a, *b)).collect();
        Self { constant: f(self.constant, other.constant), slopes }
    }

    fn is_constant(&self) -> bool {
        self.slopes.iter().all(|s| *s == 0.0)
    }
}

fn combined(f: Binary, a: &Affine, b: &Affine) -> Option<Affine> {
    match f {
        Binary::Add => Some(a.with(b, |x, y| x + y)),
        Binary::Sub => Some(a.with(b, |x, y| x - y)),
        Binary::Mul if a.is_constant() => Some(b.each(|x| a.constant * x)),
        Binary::Mul if b.is_constant() => Some(a.each(|x| x * b.constant)),
        Binary::Div if b.is_constant() => Some(a.each(|x| x / b.constant)),
        _ => None,
    }
}
