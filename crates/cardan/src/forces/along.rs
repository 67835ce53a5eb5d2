//! A scalar law F(s, ṡ, t) along a measure s. With g, H of the measure and the twist ξ of both markers
//! (see [`crate::measures`]):
//!
//! ```text
//! w = F g                                                                              (1)
//! ∂w_a/∂x_b = g_a (F_s g_b + F_ṡ (Hᵀξ)_b) + F H_ab,      ∂w_a/∂ξ_b = F_ṡ g_a g_b         (2)
//! ```
//!
//! F is positive where it drives s up; its power is F ṡ exactly.

use super::Tangent;
use crate::bodies::MarkerId;
use crate::math::{Mat6, Vec6};
use crate::measures::{Context, Measure};

/// The measure a law acts along, between marker i and marker j.
#[derive(Debug, Clone)]
pub struct Along {
    pub measure: Measure,
    pub markers: [MarkerId; 2],
}

impl Along {
    /// s, ṡ and g.
    #[inline]
    pub fn state(&self, ctx: &Context) -> (f64, f64, [Vec6; 2]) {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let (s, g) = self.measure.evaluate(i, j, ctx.memory);
        (s, g[0].dot(&i.twist()) + g[1].dot(&j.twist()), g)
    }

    /// Equation (2), from F, F_s and F_ṡ.
    pub fn tangent(&self, ctx: &Context, force: f64, by_s: f64, by_rate: f64) -> Tangent {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let (_, g) = self.measure.evaluate(i, j, ctx.memory);
        let h = self.measure.hessian(i, j);
        let xi = [i.twist(), j.twist()];
        let rate_gradient = |b: usize| h[0][b].tr_mul(&xi[0]) + h[1][b].tr_mul(&xi[1]);
        let rows = [0, 1].map(|b| (g[b] * by_s + rate_gradient(b) * by_rate).transpose());
        Tangent { position: blocks(|a, b| g[a] * rows[b] + h[a][b] * force), velocity: blocks(|a, b| g[a] * (g[b] * by_rate).transpose()) }
    }

    /// Stores s where the measure counts turns.
    pub fn remember(&self, ctx: &Context, memory: &mut [f64]) {
        if let Some(slot) = self.measure.slot() {
            memory[slot] = self.state(ctx).0;
        }
    }
}

fn blocks(of: impl Fn(usize, usize) -> Mat6) -> [[Mat6; 2]; 2] {
    [0, 1].map(|a| [0, 1].map(|b| of(a, b)))
}
