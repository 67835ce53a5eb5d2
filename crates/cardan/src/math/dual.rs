//! Hyper-dual numbers: exact first and second derivatives of any function written with them.
//!
//! A number  x = v + a ε₁ + b ε₂ + c ε₁ε₂  with ε₁² = ε₂² = 0. Seeding a = b = 1 in one variable gives the first derivative in
//! `e1` and the second in `e12`; seeding two variables gives two first derivatives and the mixed second one:
//!
//! ```text
//! f(x) = f(v) + f'(v) a ε₁ + f'(v) b ε₂ + (f'(v) c + f''(v) a b) ε₁ε₂                         (1)
//! ```
//!
//! Reference: Fike, Alonso, AIAA 2011-886, doi:10.2514/6.2011-886.

use num_traits::{One, Zero};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

/// A hyper-dual number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dual {
    /// The value.
    pub v: f64,
    /// Derivative in the first direction.
    pub e1: f64,
    /// Derivative in the second direction.
    pub e2: f64,
    /// Mixed second derivative.
    pub e12: f64,
}

impl Dual {
    /// A constant.
    #[inline]
    pub const fn constant(v: f64) -> Self {
        Self { v, e1: 0.0, e2: 0.0, e12: 0.0 }
    }

    /// A number with given first derivatives in the two directions.
    #[inline]
    pub const fn seeded(v: f64, e1: f64, e2: f64) -> Self {
        Self { v, e1, e2, e12: 0.0 }
    }

    /// Applies a function of one variable, given its value and first two derivatives at `self.v` (equation 1).
    #[inline]
    pub fn chain(self, f: f64, d: f64, dd: f64) -> Self {
        Self { v: f, e1: d * self.e1, e2: d * self.e2, e12: d * self.e12 + dd * self.e1 * self.e2 }
    }

    /// 1/x.
    #[inline]
    pub fn recip(self) -> Self {
        let r = 1.0 / self.v;
        self.chain(r, -r * r, 2.0 * r * r * r)
    }

    /// Square root.
    #[inline]
    pub fn sqrt(self) -> Self {
        let s = self.v.sqrt();
        self.chain(s, 0.5 / s, -0.25 / (s * self.v))
    }

    /// Sine.
    #[inline]
    pub fn sin(self) -> Self {
        let (s, c) = self.v.sin_cos();
        self.chain(s, c, -s)
    }

    /// Cosine.
    #[inline]
    pub fn cos(self) -> Self {
        let (s, c) = self.v.sin_cos();
        self.chain(c, -s, -c)
    }

    /// Tangent.
    #[inline]
    pub fn tan(self) -> Self {
        self.sin() / self.cos()
    }

    /// Exponential.
    #[inline]
    pub fn exp(self) -> Self {
        let e = self.v.exp();
        self.chain(e, e, e)
    }

    /// Natural logarithm.
    #[inline]
    pub fn ln(self) -> Self {
        let r = 1.0 / self.v;
        self.chain(self.v.ln(), r, -r * r)
    }

    /// Hyperbolic tangent.
    #[inline]
    pub fn tanh(self) -> Self {
        let t = self.v.tanh();
        let d = 1.0 - t * t;
        self.chain(t, d, -2.0 * t * d)
    }

    /// Integer power.
    #[inline]
    pub fn powi(self, n: i32) -> Self {
        let k = f64::from(n);
        let second = if n == 0 || n == 1 { 0.0 } else { k * (k - 1.0) * self.v.powi(n - 2) };
        let first = if n == 0 { 0.0 } else { k * self.v.powi(n - 1) };
        self.chain(self.v.powi(n), first, second)
    }

    /// Real power of a positive number.
    #[inline]
    pub fn powf(self, k: f64) -> Self {
        self.chain(self.v.powf(k), k * self.v.powf(k - 1.0), k * (k - 1.0) * self.v.powf(k - 2.0))
    }

    /// Absolute value (derivative ±1, +1 at zero).
    #[inline]
    pub fn abs(self) -> Self {
        if self.v < 0.0 { -self } else { self }
    }

    /// The angle of the point (x, y) = (`x`, `self`).
    #[inline]
    pub fn atan2(self, x: Self) -> Self {
        let r2 = self.v * self.v + x.v * x.v;
        let (fy, fx) = (x.v / r2, -self.v / r2);
        let (fyy, fxy) = (-2.0 * self.v * x.v / (r2 * r2), (self.v * self.v - x.v * x.v) / (r2 * r2));
        Self {
            v: self.v.atan2(x.v),
            e1: fy * self.e1 + fx * x.e1,
            e2: fy * self.e2 + fx * x.e2,
            e12: fy * self.e12 + fx * x.e12 + fyy * (self.e1 * self.e2 - x.e1 * x.e2) + fxy * (self.e1 * x.e2 + x.e1 * self.e2),
        }
    }

    /// The larger of two numbers.
    #[inline]
    pub fn max(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if self.v >= other.v { self } else { other }
    }

    /// The smaller of two numbers.
    #[inline]
    pub fn min(self, other: impl Into<Self>) -> Self {
        let other = other.into();
        if self.v <= other.v { self } else { other }
    }

    /// Whether the value and all derivatives are finite.
    pub fn is_finite(&self) -> bool {
        self.v.is_finite() && self.e1.is_finite() && self.e2.is_finite() && self.e12.is_finite()
    }
}

impl From<f64> for Dual {
    #[inline]
    fn from(v: f64) -> Self {
        Self::constant(v)
    }
}

impl Neg for Dual {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { v: -self.v, e1: -self.e1, e2: -self.e2, e12: -self.e12 }
    }
}

impl Add for Dual {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { v: self.v + o.v, e1: self.e1 + o.e1, e2: self.e2 + o.e2, e12: self.e12 + o.e12 }
    }
}

impl Sub for Dual {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        self + (-o)
    }
}

impl Mul for Dual {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        Self {
            v: self.v * o.v,
            e1: self.v * o.e1 + self.e1 * o.v,
            e2: self.v * o.e2 + self.e2 * o.v,
            e12: self.v * o.e12 + self.e1 * o.e2 + self.e2 * o.e1 + self.e12 * o.v,
        }
    }
}

impl Div for Dual {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let mut out = self * o.recip();
        out.v = self.v / o.v;
        out
    }
}

impl Rem for Dual {
    type Output = Self;
    #[inline]
    fn rem(self, o: Self) -> Self {
        self - o * Self::constant((self.v / o.v).trunc())
    }
}

macro_rules! with_f64 {
    ($($trait:ident $method:ident),*) => {$(
        impl $trait<f64> for Dual {
            type Output = Dual;
            #[inline]
            fn $method(self, o: f64) -> Dual { self.$method(Dual::constant(o)) }
        }
        impl $trait<Dual> for f64 {
            type Output = Dual;
            #[inline]
            fn $method(self, o: Dual) -> Dual { Dual::constant(self).$method(o) }
        }
    )*};
}
with_f64!(Add add, Sub sub, Mul mul, Div div);

macro_rules! assign {
    ($($trait:ident $method:ident $op:ident),*) => {$(
        impl $trait for Dual {
            #[inline]
            fn $method(&mut self, o: Self) { *self = self.$op(o); }
        }
    )*};
}
assign!(AddAssign add_assign add, SubAssign sub_assign sub, MulAssign mul_assign mul, DivAssign div_assign div);

impl Zero for Dual {
    fn zero() -> Self {
        Self::constant(0.0)
    }
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl One for Dual {
    fn one() -> Self {
        Self::constant(1.0)
    }
}

impl PartialOrd for Dual {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.v.partial_cmp(&other.v)
    }
}

impl PartialEq<f64> for Dual {
    fn eq(&self, other: &f64) -> bool {
        self.v == *other
    }
}

impl PartialOrd<f64> for Dual {
    fn partial_cmp(&self, other: &f64) -> Option<std::cmp::Ordering> {
        self.v.partial_cmp(other)
    }
}

/// A vector of dual numbers.
pub type DualVec3 = nalgebra::Vector3<Dual>;
/// A matrix of dual numbers.
pub type DualMat3 = nalgebra::Matrix3<Dual>;

/// Euclidean length of a dual vector.
pub fn norm(v: &DualVec3) -> Dual {
    v.dot(v).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_match_differences() {
        let functions: [fn(Dual) -> Dual; 8] = [
            |x| x.sin() * x.exp() / (x * x + 1.0),
            |x| (x * x + 2.0).sqrt().ln(),
            |x| x.tanh().powi(3) - x.recip(),
            |x| (x.sin() + 0.3).atan2(x.cos() * 2.0),
            |x| x.tan() * x.abs(),
            |x| (x + 3.0).powf(1.7),
            |x| x.max(0.1) * x.min(5.0),
            |x| 2.0 / x - 1.0 + x % Dual::constant(0.5),
        ];
        for (k, f) in functions.iter().enumerate() {
            for x in [-0.83, 0.41, 1.37] {
                let exact = f(Dual::seeded(x, 1.0, 1.0));
                // Differences of fourth order: the tangent's higher derivatives are large near its pole.
                let h = 1e-3;
                let [c, p, m, pp, mm] = [0.0, h, -h, 2.0 * h, -2.0 * h].map(|s| f((x + s).into()).v);
                let first = (8.0 * (p - m) - (pp - mm)) / (12.0 * h);
                let second = (16.0 * (p + m) - (pp + mm) - 30.0 * c) / (12.0 * h * h);
                assert!((exact.e1 - first).abs() < 1e-6, "f{k}'({x})");
                assert_eq!(exact.e1, exact.e2);
                assert!((exact.e12 - second).abs() < 1e-5, "f{k}''({x})");
            }
        }
    }
}
