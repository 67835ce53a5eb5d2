//! What functions of poses are written with, so that one text serves all kinds of derivatives: [`Dual`] numbers and numbers along a path
//! ([`Jet`]).

use super::{Dual, Jet};
use nalgebra::{ClosedAddAssign, ClosedDivAssign, ClosedMulAssign, ClosedSubAssign, Scalar, Vector3};
use num_traits::{One, Zero};
use std::ops::Neg;

/// A number with derivatives.
pub trait Number:
    Scalar + Copy + Zero + One + Neg<Output = Self> + ClosedAddAssign + ClosedSubAssign + ClosedMulAssign + ClosedDivAssign
{
    /// A number that does not vary.
    fn constant(value: f64) -> Self;
    /// The value.
    fn value(self) -> f64;
    /// The same derivatives at another value.
    fn at(self, value: f64) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// The angle of the point (`x`, `self`).
    fn atan2(self, x: Self) -> Self;
}

/// Euclidean length.
pub fn length<T: Number>(v: &Vector3<T>) -> T {
    v.dot(v).sqrt()
}

impl Number for Dual {
    fn constant(value: f64) -> Self {
        Dual::constant(value)
    }
    fn value(self) -> f64 {
        self.v
    }
    fn at(self, v: f64) -> Self {
        Self { v, ..self }
    }
    fn sqrt(self) -> Self {
        Dual::sqrt(self)
    }
    fn atan2(self, x: Self) -> Self {
        Dual::atan2(self, x)
    }
}

impl Number for Jet {
    fn constant(value: f64) -> Self {
        Jet::constant(value)
    }
    fn value(self) -> f64 {
        self.path[0]
    }
    fn at(self, value: f64) -> Self {
        Self { path: [value, self.path[1], self.path[2]], ..self }
    }
    fn sqrt(self) -> Self {
        Jet::sqrt(self)
    }
    fn atan2(self, x: Self) -> Self {
        Jet::atan2(self, x)
    }
}
