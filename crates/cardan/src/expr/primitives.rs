//! The elementary operations of a program: values with first and second partial derivatives.
//!
//! Values, the reverse sweep and hyper-dual numbers all read this one table, so they cannot disagree. A derivative that is
//! not finite does no harm where it is multiplied by an exact zero ([`times`]): the side that does not vary, or was not
//! chosen, does not count. The table is inlined where it is read, so that what is not used of a jet is not computed.

use crate::math::Dual;
use std::f64::consts::LOG10_E;

/// An operation with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Unary {
    Neg,
    Not,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Ln,
    Log10,
    Sqrt,
    Abs,
    Aint,
    Anint,
}

/// An operation with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Rem,
    Atan2,
    Min,
    Max,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// d·s, where an exact zero on either side wins over an infinite or undefined other side.
#[inline]
pub(super) fn times(d: f64, s: f64) -> f64 {
    if d == 0.0 || s == 0.0 { 0.0 } else { d * s }
}

/// A truth value; undefined where a number it depends on is.
#[inline]
fn truth(holds: bool, operands: f64) -> f64 {
    if operands.is_nan() { f64::NAN } else { f64::from(u8::from(holds)) }
}

/// Value and first two derivatives of a function of one number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Jet1 {
    pub v: f64,
    pub d: f64,
    pub dd: f64,
}

impl Jet1 {
    #[inline]
    pub fn dual(self, x: Dual) -> Dual {
        let e12 = times(self.d, x.e12) + times(self.dd, times(x.e1, x.e2));
        Dual { v: self.v, e1: times(self.d, x.e1), e2: times(self.d, x.e2), e12 }
    }
}

/// Value, first derivatives (a, b) and second derivatives of a function of two numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Jet2 {
    pub v: f64,
    pub a: f64,
    pub b: f64,
    aa: f64,
    ab: f64,
    bb: f64,
}

impl Jet2 {
    #[inline(always)]
    fn linear(v: f64, a: f64, b: f64) -> Self {
        Self { v, a, b, ..Self::default() }
    }

    #[inline]
    pub fn dual(self, x: Dual, y: Dual) -> Dual {
        let mixed = times(x.e1, y.e2) + times(x.e2, y.e1);
        let curved = times(self.aa, times(x.e1, x.e2)) + times(self.ab, mixed) + times(self.bb, times(y.e1, y.e2));
        Dual {
            v: self.v,
            e1: times(self.a, x.e1) + times(self.b, y.e1),
            e2: times(self.a, x.e2) + times(self.b, y.e2),
            e12: times(self.a, x.e12) + times(self.b, y.e12) + curved,
        }
    }
}

impl Unary {
    /// Value and derivatives at x.
    #[inline(always)]
    pub fn jet(self, x: f64) -> Jet1 {
        let (v, d, dd) = match self {
            Self::Neg => (-x, -1.0, 0.0),
            Self::Not => (truth(x == 0.0, x), 0.0, 0.0),
            Self::Sin => (x.sin(), x.cos(), -x.sin()),
            Self::Cos => (x.cos(), -x.sin(), -x.cos()),
            Self::Tan => {
                let t = x.tan();
                (t, 1.0 + t * t, 2.0 * t * (1.0 + t * t))
            }
            Self::Asin => (x.asin(), arc(x), x * arc(x).powi(3)),
            Self::Acos => (x.acos(), -arc(x), -x * arc(x).powi(3)),
            Self::Atan => {
                let r = 1.0 / (1.0 + x * x);
                (x.atan(), r, -2.0 * x * r * r)
            }
            Self::Sinh => (x.sinh(), x.cosh(), x.sinh()),
            Self::Cosh => (x.cosh(), x.sinh(), x.cosh()),
            Self::Tanh => {
                let t = x.tanh();
                (t, 1.0 - t * t, -2.0 * t * (1.0 - t * t))
            }
            Self::Exp => (x.exp(), x.exp(), x.exp()),
            Self::Ln => (x.ln(), 1.0 / x, -1.0 / (x * x)),
            Self::Log10 => (x.log10(), LOG10_E / x, -LOG10_E / (x * x)),
            Self::Sqrt => (x.sqrt(), 0.5 / x.sqrt(), -0.25 / (x * x.sqrt())),
            Self::Abs => (x.abs(), if x < 0.0 { -1.0 } else { 1.0 }, 0.0),
            Self::Aint => (x.trunc(), 0.0, 0.0),
            Self::Anint => (x.round(), 0.0, 0.0),
        };
        Jet1 { v, d, dd }
    }
}

/// The slope of the arc sine.
#[inline]
fn arc(x: f64) -> f64 {
    1.0 / (1.0 - x * x).sqrt()
}

impl Binary {
    /// Value and derivatives at (x, y).
    #[inline(always)]
    pub fn jet(self, x: f64, y: f64) -> Jet2 {
        match self {
            Self::Add => Jet2::linear(x + y, 1.0, 1.0),
            Self::Sub => Jet2::linear(x - y, 1.0, -1.0),
            Self::Mul => Jet2 { ab: 1.0, ..Jet2::linear(x * y, y, x) },
            Self::Div => {
                let (v, r) = (x / y, 1.0 / y);
                Jet2 { v, a: r, b: -v * r, aa: 0.0, ab: -r * r, bb: 2.0 * v * r * r }
            }
            Self::Pow => power(x, y),
            Self::Rem => Jet2::linear(x % y, 1.0, -(x / y).trunc()),
            Self::Atan2 => angle(x, y),
            Self::Min if x <= y || x.is_nan() => Jet2::linear(x, 1.0, 0.0),
            Self::Max if x >= y || x.is_nan() => Jet2::linear(x, 1.0, 0.0),
            Self::Min | Self::Max => Jet2::linear(y, 0.0, 1.0),
            Self::Less => comparison(x, y, x < y),
            Self::LessEqual => comparison(x, y, x <= y),
            Self::Equal => comparison(x, y, x == y),
            Self::NotEqual => comparison(x, y, x != y),
            Self::And if x == 0.0 => Jet2::default(),
            Self::And => comparison(x, y, y != 0.0),
            Self::Or if x != 0.0 && !x.is_nan() => Jet2::linear(1.0, 0.0, 0.0),
            Self::Or => comparison(x, y, y != 0.0),
        }
    }
}

#[inline(always)]
fn comparison(x: f64, y: f64, holds: bool) -> Jet2 {
    Jet2::linear(if x.is_nan() { x } else { truth(holds, y) }, 0.0, 0.0)
}

/// x^y. Derivatives with respect to y exist for x > 0, and are zero in the limit x → 0 for y > 0.
#[inline(always)]
fn power(x: f64, y: f64) -> Jet2 {
    let v = x.powf(y);
    let l = x.ln();
    let slope = x.powf(y - 1.0);
    Jet2 {
        v,
        a: times(y, slope),
        b: times(v, l),
        aa: times(y * (y - 1.0), x.powf(y - 2.0)),
        ab: slope + times(times(y, slope), l),
        bb: times(v, l * l),
    }
}

/// The angle of the point (x, y); the first operand is y, as in ATAN2(y, x).
#[inline(always)]
fn angle(y: f64, x: f64) -> Jet2 {
    let r = 1.0 / (x * x + y * y);
    let bend = 2.0 * x * y * r * r;
    Jet2 { v: y.atan2(x), a: x * r, b: -y * r, aa: -bend, ab: (y * y - x * x) * r * r, bb: bend }
}
