//! Where an unknown u puts the bodies. With what is known marked by a hat, and an increment δ,
//!
//! ```text
//! q = q̂ ⊕ δ,   δ = δ̂ + c_q (u + s),   v = v̂ + c_v (u + û),   a = â + c_a u                              (1)
//! ```

use crate::bodies::Chart;
use std::ops::Range;

/// The right-hand sides of (1).
#[derive(Debug, Clone, Copy)]
pub struct Placement<'a> {
    /// How increments turn bodies.
    pub chart: Chart,
    /// c_q, c_v and c_a.
    pub coefficients: [f64; 3],
    /// q̂.
    pub q: &'a [f64],
    /// δ̂.
    pub increment: &'a [f64],
    /// v̂.
    pub v: &'a [f64],
    /// û.
    pub before: &'a [f64],
    /// â.
    pub a: &'a [f64],
    /// u.
    pub u: &'a [f64],
    /// s, where there is one.
    pub shift: Option<&'a [f64]>,
}

impl Placement<'_> {
    /// δ, v and a of the body whose velocities these are.
    #[inline(always)]
    pub(super) fn of(&self, own: Range<usize>, increment: &mut [f64], v: &mut [f64], a: &mut [f64]) {
        let [c_q, c_v, c_a] = self.coefficients;
        let (u, shift) = (&self.u[own.clone()], self.shift.map(|s| &s[own.clone()]));
        let (increment_hat, increment) = (&self.increment[own.clone()], &mut increment[own.clone()]);
        let (v_hat, u_hat, v) = (&self.v[own.clone()], &self.before[own.clone()], &mut v[own.clone()]);
        let (a_hat, a) = (&self.a[own.clone()], &mut a[own]);
        for i in 0..u.len() {
            increment[i] = increment_hat[i] + c_q * shift.map_or(u[i], |s| u[i] + s[i]);
            v[i] = v_hat[i] + c_v * (u[i] + u_hat[i]);
            a[i] = a_hat[i] + c_a * u[i];
        }
    }
}
