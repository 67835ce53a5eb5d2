//! Functions of a small displacement (δu, δψ) of one frame as seen from another, to second order. With ξ the six numbers of the displacement,
//!
//! ```text
//! δx = gᵀ ξ,     δg = h ξ                                                                                      (1)
//! ```
//!
//! Rotations do not commute, so h is not symmetric: it says how g, as the slope by turns that begin where one is, changes on the way. Sums, products
//! and functions follow the usual rules,
//!
//! ```text
//! f(x):   f′ g,   f′ h + f″ g gᵀ;        x y:   x g_y + y g_x,   x h_y + y h_x + g_x g_yᵀ + g_y g_xᵀ              (2)
//! ```

use super::{Mat3, Mat6, Number, Vec3, Vec6, skew, stack};
use nalgebra::Vector3;
use num_traits::{One, Zero};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A number with its derivatives (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Taylor {
    /// x.
    pub v: f64,
    /// g.
    pub g: Vec6,
    /// h.
    pub h: Mat6,
}

/// A vector of them.
pub type TaylorVec3 = nalgebra::Vector3<Taylor>;

impl Taylor {
    /// A function of x, by its value and first two derivatives (2).
    pub fn chain(self, f: f64, d: f64, dd: f64) -> Self {
        Self { v: f, g: self.g * d, h: self.h * d + self.g * self.g.transpose() * dd }
    }

    /// 1/x.
    pub fn recip(self) -> Self {
        let r = 1.0 / self.v;
        self.chain(r, -r * r, 2.0 * r * r * r)
    }
}

/// Numbers with which places in two frames are written, the first of which moves.
pub trait Moving: Number {
    /// A direction or an arm of the frame that moves: x = a·e for fixed e, δa = δψ × a.
    fn turning(a: &Vec3) -> Vector3<Self>;
    /// A point of the frame that moves, `arm` from its origin, which is at p.
    fn carried(p: &Vec3, arm: &Vec3) -> Vector3<Self>;
    /// A vector that does not move.
    fn fixed(x: &Vec3) -> Vector3<Self> {
        x.map(Self::constant)
    }
}

impl Moving for f64 {
    fn turning(a: &Vec3) -> Vec3 {
        *a
    }
    fn carried(p: &Vec3, arm: &Vec3) -> Vec3 {
        p + arm
    }
}

impl Moving for Taylor {
    fn turning(a: &Vec3) -> TaylorVec3 {
        TaylorVec3::from_fn(|k, _| {
            let e = Vec3::ith(k, 1.0);
            let mut h = Mat6::zeros();
            h.fixed_view_mut::<3, 3>(3, 3).copy_from(&(skew(&e) * skew(a)));
            Self { v: a[k], g: stack(Vec3::zeros(), a.cross(&e)), h }
        })
    }
    fn carried(p: &Vec3, arm: &Vec3) -> TaylorVec3 {
        let mut x = Self::turning(arm);
        for k in 0..3 {
            x[k].v += p[k];
            x[k].g[k] = 1.0;
        }
        x
    }
}

/// The values of a vector.
pub fn values(x: &TaylorVec3) -> Vec3 {
    x.map(|x| x.v)
}

/// The derivatives of a vector by δu and by δψ.
pub fn slopes(x: &TaylorVec3) -> [Mat3; 2] {
    [0, 3].map(|from| Mat3::from_fn(|k, j| x[k].g[from + j]))
}

impl Number for Taylor {
    fn constant(v: f64) -> Self {
        Self { v, g: Vec6::zeros(), h: Mat6::zeros() }
    }
    fn value(self) -> f64 {
        self.v
    }
    fn at(self, v: f64) -> Self {
        Self { v, ..self }
    }
    fn sqrt(self) -> Self {
        let s = self.v.sqrt();
        self.chain(s, 0.5 / s, -0.25 / (s * self.v))
    }
    fn atan2(self, x: Self) -> Self {
        let y = self;
        let size = x.v * x.v + y.v * y.v;
        let g = (y.g * x.v - x.g * y.v) / size;
        let way = x.g * (2.0 * x.v) + y.g * (2.0 * y.v);
        let h = (y.h * x.v - x.h * y.v + y.g * x.g.transpose() - x.g * y.g.transpose() - g * way.transpose()) / size;
        Self { v: y.v.atan2(x.v), g, h }
    }
}

impl Number for f64 {
    fn constant(v: f64) -> Self {
        v
    }
    fn value(self) -> f64 {
        self
    }
    fn at(self, v: f64) -> Self {
        v
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
}

impl Neg for Taylor {
    type Output = Self;
    fn neg(self) -> Self {
        Self { v: -self.v, g: -self.g, h: -self.h }
    }
}

impl Add for Taylor {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { v: self.v + o.v, g: self.g + o.g, h: self.h + o.h }
    }
}

impl Sub for Taylor {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self { v: self.v - o.v, g: self.g - o.g, h: self.h - o.h }
    }
}

impl Mul for Taylor {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        let cross = self.g * o.g.transpose();
        Self { v: self.v * o.v, g: self.g * o.v + o.g * self.v, h: self.h * o.v + o.h * self.v + cross + cross.transpose() }
    }
}

impl Div for Taylor {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let inverse = o.recip();
        self.mul(inverse)
    }
}

macro_rules! assign {
    ($($trait:ident $method:ident $op:ident),*) => {$(
        impl $trait for Taylor {
            fn $method(&mut self, o: Self) { *self = self.$op(o); }
        }
    )*};
}
assign!(AddAssign add_assign add, SubAssign sub_assign sub, MulAssign mul_assign mul, DivAssign div_assign div);

impl Zero for Taylor {
    fn zero() -> Self {
        Self::constant(0.0)
    }
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
}

impl One for Taylor {
    fn one() -> Self {
        Self::constant(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::exp;

    /// x, g and h of a function of points that move against what it is at places beside.
    #[test]
    fn derivatives_match_differences() {
        let (p, arm, other) = (Vec3::new(0.3, -0.2, 0.9), Vec3::new(0.5, 0.4, -0.7), Vec3::new(-0.1, 0.8, 0.2));
        let f = |x: &TaylorVec3, a: &TaylorVec3| {
            let d = x - Taylor::fixed(&other);
            let length = Number::sqrt(d.dot(&d));
            let turned = a.cross(&d);
            turned.dot(&turned) / length + Number::atan2(d.x, d.y) * length
        };
        let at = |u: &Vec3, psi: &Vec3| {
            let turn = exp(psi);
            let arm = turn * arm;
            f(&Taylor::carried(&(p + u), &arm), &Taylor::turning(&arm))
        };
        let here = at(&Vec3::zeros(), &Vec3::zeros());
        for k in 0..6 {
            let h = 1e-5;
            let step = |s: f64| {
                let e = Vec3::ith(k % 3, s * h);
                if k < 3 { at(&e, &Vec3::zeros()) } else { at(&Vec3::zeros(), &e) }
            };
            let (after, before) = (step(1.0), step(-1.0));
            assert!(((after.v - before.v) / (2.0 * h) - here.g[k]).abs() < 1e-8, "{k}");
            let slope = (after.g - before.g) / (2.0 * h);
            assert!((slope - here.h.column(k)).norm() < 1e-7, "{k}: {slope} {}", here.h.column(k));
        }
    }
}
