//! How the rates of constraints change when bodies are displaced while their velocities stay,
//!
//! ```text
//! δ(G v + Φ_t) = Σ_a  ξ_a·Σ_b H_ab x_b + g_a·δξ_a + (∂g_a/∂t)·x_a                                        (1)
//! x = (δp + R (δφ × s), R δφ),    δξ = (R (δφ × (ω × s)), R (δφ × ω))                                      (2)
//! ```
//!
//! with the pose variation x, the twist ξ and the offset s of each marker a of a row.

use super::flat::BodyFrame;
use super::{State, System, Work};
use crate::bodies::Kind;
use crate::constraints::Constraint;
use crate::math::{Mat6, Vec6, stack};
use crate::measures::Context;

impl System {
    /// The change (1) of all rows for a displacement δq.
    pub fn rate_change(&self, x: &State, delta: &[f64], work: &mut Work, out: &mut [f64]) {
        self.kinematics(&x.q, &x.v, work);
        let Work { frames, markers, gradient, gradient_t, hessian, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        for constraint in &self.constraints {
            let element = &constraint.element;
            let (own, n) = (element.markers(), element.markers().len());
            let varied: Vec<[Vec6; 2]> = own.iter().map(|m| self.marker_variation(m.index(), delta, frames)).collect();
            if varied.iter().all(|[pose, _]| *pose == Vec6::zeros()) {
                out[constraint.first_row..constraint.first_row + element.rows()].fill(0.0);
                continue;
            }
            for row in 0..element.rows() {
                gradient[..n].fill(Vec6::zeros());
                gradient_t[..n].fill(Vec6::zeros());
                hessian[..n * n].fill(Mat6::zeros());
                element.evaluate(&ctx, row, &mut gradient[..n], &mut gradient_t[..n]);
                element.hessian(&ctx, row, &mut hessian[..n * n]);
                let marker = |a: usize| {
                    let bent: Vec6 = (0..n).map(|b| hessian[a * n + b] * varied[b][0]).sum();
                    ctx.marker(own[a]).twist().dot(&bent) + gradient[a].dot(&varied[a][1]) + gradient_t[a].dot(&varied[a][0])
                };
                out[constraint.first_row + row] = (0..n).map(marker).sum();
            }
        }
    }

    /// The variations (2) of pose and twist of a marker.
    fn marker_variation(&self, marker: usize, delta: &[f64], frames: &[BodyFrame]) -> [Vec6; 2] {
        let marker = &self.markers[marker];
        let Some(b) = marker.body else { return [Vec6::zeros(); 2] };
        let (body, BodyFrame { r, omega, .. }) = (&self.bodies[b], &frames[b]);
        let (dp, dphi) = body.shape.twist(&delta[body.v()]);
        let s = &marker.offset;
        [stack(dp + r * dphi.cross(s), r * dphi), stack(r * dphi.cross(&omega.cross(s)), r * dphi.cross(omega))]
    }
}
