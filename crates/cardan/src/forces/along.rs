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
use crate::math::Vec6;
use crate::measures::{Context, Measure, Memory};

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
        let (s, g) = self.measure.evaluate(i, j, ctx.past());
        (s, g[0].dot(&i.twist()) + g[1].dot(&j.twist()), g)
    }

    /// Equation (2), from F, F_s and F_ṡ.
    pub fn tangent(&self, ctx: &Context, force: f64, by_s: f64, by_rate: f64) -> Tangent {
        let [i, j] = self.markers.map(|m| ctx.marker(m));
        let (_, g) = self.measure.evaluate(i, j, ctx.past());
        let h = self.measure.hessian(i, j);
        let xi = [i.twist(), j.twist()];
        let mut out = Tangent::zero();
        for b in 0..2 {
            let rate_gradient = h[0][b].tr_mul(&xi[0]) + h[1][b].tr_mul(&xi[1]);
            let row = (g[b] * by_s + rate_gradient * by_rate).transpose();
            for a in 0..2 {
                out.position[a][b] = g[a] * row + h[a][b] * force;
                out.velocity[a][b] = g[a] * g[b].transpose() * by_rate;
            }
        }
        out
    }

    /// Stores s where the measure counts turns.
    pub fn remember(&self, ctx: &Context, memory: &mut Memory) {
        if let Some(slot) = self.measure.slot() {
            let (s, rate, _) = self.state(ctx);
            memory.keep(slot, s, rate);
        }
    }
}
