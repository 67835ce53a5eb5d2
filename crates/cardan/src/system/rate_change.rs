//! How the rates of constraints change when bodies are displaced while their velocities stay,
//!
//! ```text
//! δ(G v + Φ_t) = Σ_a  ξ_a·Σ_b H_ab x_b + g_a·δξ_a + (∂g_a/∂t)·x_a                                        (1)
//! x = J δq,    δξ = D δq                                                                                     (2)
//! ```
//!
//! with the pose variation x and the twist ξ of each marker a of a row, and the maps J and D of `bodies`.

use super::{State, System, Work};
use crate::bodies::MarkerMaps;
use crate::constraints::Constraint;
use crate::math::{Mat3, Mat6, Vec6};
use crate::measures::Context;

impl System {
    /// The change (1) of all rows for a displacement δq.
    pub fn rate_change(&self, x: &State, delta: &[f64], work: &mut Work, out: &mut [f64]) {
        self.kinematics(&x.q, &x.v, work);
        let mut maps = MarkerMaps::zero();
        for constraint in &self.constraints {
            let element = &constraint.element;
            let (own, n) = (element.markers(), element.markers().len());
            let varied: Vec<[Vec6; 2]> = own.iter().map(|m| self.marker_variation(m.index(), delta, &mut maps, work)).collect();
            let Work { markers, gradient, gradient_t, hessian, scratch, .. } = &mut *work;
            let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
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

    /// The variations of pose and twist of a marker (2).
    fn marker_variation(&self, marker: usize, delta: &[f64], maps: &mut MarkerMaps, work: &Work) -> [Vec6; 2] {
        let Some((b, marker)) = self.attached(marker, &work.frames, &work.deformed) else { return [Vec6::zeros(); 2] };
        maps.set(&marker, &Mat3::identity(), [1.0, 0.0]);
        let delta = &delta[self.bodies[b].v()];
        [maps.j.times(delta), maps.rate.times(delta)]
    }
}
