//! Where an unknown u puts the bodies. With what is known marked by a hat, an increment δ, and the u and a before,
//!
//! ```text
//! q = q̂ ⊕ δ,   δ = δ̂ + c_q (u + s),   v = v̂ + c_v (u + û),   a = â + c_a u                              (1)
//! δ̂ = d_v v̂ + d_u u_n,                û = e u_n,             â = b_u u_n + b_a a_n                       (2)
//! ```
//!
//! Accelerations are added before they are multiplied by h, which is one rounding less. The parts of (2) and δ are not worth being kept: reading
//! them takes as long as working them out.

use crate::bodies::Chart;
use std::ops::Range;

/// The coefficients of (2).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Hats {
    /// d_v and d_u.
    pub increment: [f64; 2],
    /// e.
    pub u: f64,
    /// b_u and b_a.
    pub a: [f64; 2],
}

/// The right-hand sides of (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement<'a> {
    /// How increments turn bodies.
    pub chart: Chart,
    /// c_q, c_v and c_a.
    pub coefficients: [f64; 3],
    /// q̂.
    pub q: &'a [f64],
    /// δ̂, û and â.
    pub hats: Hats,
    /// v̂.
    pub v: &'a [f64],
    /// u_n and a_n.
    pub before: [&'a [f64]; 2],
    /// u.
    pub u: &'a [f64],
    /// s, where there is one.
    pub shift: Option<&'a [f64]>,
}

impl<'a> Placement<'a> {
    /// One that moves any q̂ by this δ.
    pub fn by(chart: Chart, delta: &'a [f64]) -> Self {
        let (hats, v, before) = (Hats::default(), delta, [delta; 2]);
        Self { chart, coefficients: [1.0, 0.0, 0.0], q: &[], hats, v, before, u: delta, shift: None }
    }

    /// δ of the body whose N velocities these are.
    #[inline(always)]
    pub(super) fn increment<const N: usize>(&self, own: Range<usize>) -> [f64; N] {
        let (c_q, [d_v, d_u]) = (self.coefficients[0], self.hats.increment);
        let (u, shift) = (&self.u[own.clone()], self.shift.map(|s| &s[own.clone()]));
        let (u_n, v_hat) = (&self.before[0][own.clone()], &self.v[own]);
        let mut delta = [0.0; N];
        for (i, delta) in delta.iter_mut().enumerate() {
            *delta = (d_v * v_hat[i] + d_u * u_n[i]) + c_q * shift.map_or(u[i], |s| u[i] + s[i]);
        }
        delta
    }

    /// Its v and a.
    #[inline(always)]
    pub(super) fn rates(&self, own: Range<usize>, v: &mut [f64], a: &mut [f64]) {
        let ([_, c_v, c_a], Hats { u: e, a: [b_u, b_a], .. }) = (self.coefficients, self.hats);
        let (u, [u_n, a_n], v_hat) = (&self.u[own.clone()], self.before.map(|before| &before[own.clone()]), &self.v[own.clone()]);
        let (v, a) = (&mut v[own.clone()], &mut a[own]);
        for i in 0..u.len() {
            v[i] = v_hat[i] + c_v * (u[i] + e * u_n[i]);
            a[i] = (b_u * u_n[i] + b_a * a_n[i]) + c_a * u[i];
        }
    }
}
