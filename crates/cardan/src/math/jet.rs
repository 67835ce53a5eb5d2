//! Numbers that vary along a path: value, rate and acceleration of a quantity on a path in time, and how the three change when the path is
//! varied. With t² the highest power of time and ε² = 0,
//!
//! ```text
//! x = x₀ + x₁ t + x₂ t²/2 + ε (δ₀ + δ₁ t + δ₂ t²/2)                                                           (1)
//! ```
//!
//! so that a function of x has its second time derivative in `path[2]`, and the derivative of that, along the variation, in `varied[2]`: a third
//! derivative, exact.

use super::rotation::stumpff;
use num_traits::{One, Zero};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A number along a varied path.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Jet {
    /// Value, rate, acceleration.
    pub path: [f64; 3],
    /// Their changes.
    pub varied: [f64; 3],
}

/// A vector along a varied path.
pub type JetVec3 = nalgebra::Vector3<Jet>;
/// A matrix along a varied path.
pub type JetMat3 = nalgebra::Matrix3<Jet>;

impl Jet {
    /// A number that does not change.
    pub const fn constant(v: f64) -> Self {
        Self { path: [v, 0.0, 0.0], varied: [0.0; 3] }
    }

    /// f(x), given f and its first three derivatives at the value.
    #[inline]
    pub fn chain(self, f: [f64; 4]) -> Self {
        let ([_, x1, x2], [d0, d1, d2]) = (self.path, self.varied);
        let curve = f[2] * x1 * x1 + f[1] * x2;
        let turn = f[3] * x1 * x1 + f[2] * x2;
        Self {
            path: [f[0], f[1] * x1, curve],
            varied: [f[1] * d0, f[2] * d0 * x1 + f[1] * d1, turn * d0 + 2.0 * f[2] * x1 * d1 + f[1] * d2],
        }
    }

    /// 1/x.
    pub fn recip(self) -> Self {
        let r = 1.0 / self.path[0];
        self.chain([r, -r * r, 2.0 * r.powi(3), -6.0 * r.powi(4)])
    }

    /// Square root.
    pub fn sqrt(self) -> Self {
        let s = self.path[0].sqrt();
        self.chain([s, 0.5 / s, -0.25 / s.powi(3), 0.375 / s.powi(5)])
    }

    /// The rate, as a number along the path; its own acceleration is not known.
    pub fn rate(self) -> Self {
        let ([_, x1, x2], [_, d1, d2]) = (self.path, self.varied);
        Self { path: [x1, x2, 0.0], varied: [d1, d2, 0.0] }
    }

    /// The angle of the point (x, y) = (`x`, `self`).
    pub fn atan2(self, x: Self) -> Self {
        let (y, size) = (self, self * self + x * x);
        let rate = (x * y.rate() - y * x.rate()) / size;
        let change = (x.path[0] * y.varied[0] - y.path[0] * x.varied[0]) / size.path[0];
        let value = y.path[0].atan2(x.path[0]);
        Self { path: [value, rate.path[0], rate.path[1]], varied: [change, rate.varied[0], rate.varied[1]] }
    }
}

/// exp(θ̂) along the path of a rotation vector.
pub fn rotation(theta: &JetVec3) -> JetMat3 {
    let x = theta.dot(theta);
    let c: [f64; 9] = stumpff(x.path[0]);
    // c_k and its three derivatives, by c_k′ = (k c_{k+2} − c_{k+1})/2 over and over.
    let derivatives = |k: usize| {
        let once = |c: &dyn Fn(usize) -> f64, k: usize| 0.5 * (k as f64 * c(k + 2) - c(k + 1));
        let first = |k: usize| once(&|k| c[k], k);
        let second = |k: usize| once(&first, k);
        [c[k], first(k), second(k), once(&second, k)]
    };
    let (a, b) = (x.chain(derivatives(1)), x.chain(derivatives(2)));
    let zero = Jet::default();
    let skew = JetMat3::new(zero, -theta.z, theta.y, theta.z, zero, -theta.x, -theta.y, theta.x, zero);
    JetMat3::identity() + skew * a + skew * skew * b
}

/// The angular velocity ω of a rotation, with Ṙ = ω̂ R; its own acceleration is not known.
pub fn spin(rotation: &JetMat3) -> JetVec3 {
    let rate = rotation.map(Jet::rate) * rotation.transpose();
    JetVec3::new(rate[(2, 1)], rate[(0, 2)], rate[(1, 0)])
}

impl Add for Jet {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self { path: std::array::from_fn(|k| self.path[k] + o.path[k]), varied: std::array::from_fn(|k| self.varied[k] + o.varied[k]) }
    }
}

impl Neg for Jet {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { path: self.path.map(|x| -x), varied: self.varied.map(|x| -x) }
    }
}

impl Sub for Jet {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        self + (-o)
    }
}

/// Value, rate and acceleration of a product.
#[inline]
fn product(x: &[f64; 3], y: &[f64; 3]) -> [f64; 3] {
    [x[0] * y[0], x[0] * y[1] + x[1] * y[0], x[0] * y[2] + 2.0 * x[1] * y[1] + x[2] * y[0]]
}

impl Mul for Jet {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        let (left, right) = (product(&self.varied, &o.path), product(&self.path, &o.varied));
        Self { path: product(&self.path, &o.path), varied: std::array::from_fn(|k| left[k] + right[k]) }
    }
}

impl Div for Jet {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let inverse = o.recip();
        self.mul(inverse)
    }
}

macro_rules! assign {
    ($($trait:ident $method:ident $op:ident),*) => {$(
        impl $trait for Jet {
            #[inline]
            fn $method(&mut self, o: Self) { *self = self.$op(o); }
        }
    )*};
}
assign!(AddAssign add_assign add, SubAssign sub_assign sub, MulAssign mul_assign mul, DivAssign div_assign div);

impl Zero for Jet {
    fn zero() -> Self {
        Self::constant(0.0)
    }
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl One for Jet {
    fn one() -> Self {
        Self::constant(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Dual;
    use crate::math::number::length;

    /// Differences of exact second derivatives along the varied path.
    #[test]
    fn third_derivatives_match_differences() {
        let jets: [fn(Jet) -> Jet; 4] = [
            |x| (x * x + Jet::constant(2.0)).sqrt(),
            |x| x.recip() - x * x * x,
            |x| x.atan2(x * x + Jet::constant(0.3)),
            |x| length(&JetVec3::new(x, x * x, Jet::constant(1.0))) / x,
        ];
        let duals: [fn(Dual) -> Dual; 4] =
            [|x| (x * x + 2.0).sqrt(), |x| x.recip() - x * x * x, |x| x.atan2(x * x + 0.3), |x| (x * x + x.powi(4) + 1.0).sqrt() / x];
        let (path, varied) = ([0.7, 1.3, -0.4], [0.2, -0.9, 0.6]);
        for (k, (jet, dual)) in jets.iter().zip(&duals).enumerate() {
            let exact = jet(Jet { path, varied });
            let at = |e: f64| {
                let x: [f64; 3] = std::array::from_fn(|k| path[k] + e * varied[k]);
                let y = dual(Dual { v: x[0], e1: x[1], e2: x[1], e12: x[2] });
                [y.v, y.e1, y.e12]
            };
            let h = 1e-4;
            for i in 0..3 {
                assert!((exact.path[i] - at(0.0)[i]).abs() < 1e-13, "{k}, {i}");
                assert!((exact.varied[i] - (at(h)[i] - at(-h)[i]) / (2.0 * h)).abs() < 1e-6, "{k}, variation {i}");
            }
        }
    }
}
