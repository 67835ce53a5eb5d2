//! Rods, Φ = (|d|² − L²)/(2L), between bodies of any kinds: what acts on them is found from the frames of the bodies. Their tangent and
//! their bias are needed less often, and go through `Constraint`.
//!
//! ```text
//! on i:   λ d/L,   s_i × λ d/L          on j:  −λ d/L,  −s_j × λ d/L                                     (1)
//! ```

use crate::bodies::BodyFrame;
use crate::math::Vec3;
use crate::system::Work;

/// A rod.
#[derive(Debug, Clone)]
pub(in crate::system) struct Rod {
    /// One of them may be the ground.
    pub bodies: [usize; 2],
    /// s_i and s_j in body axes.
    pub arms: [Vec3; 2],
    pub row: usize,
    /// 1/L and L/2.
    pub scale: f64,
    pub target: f64,
}

impl Rod {
    /// Φ, Φ̇ and the wrenches on both bodies.
    #[inline]
    pub fn evaluate(&self, lambda: &[f64], work: &mut Work) {
        let [i, j] = self.bodies;
        let arms = [work.frames[i].r * self.arms[0], work.frames[j].r * self.arms[1]];
        let (at_i, at_j) = (end(&work.frames[i], &arms[0]), end(&work.frames[j], &arms[1]));
        let d = at_i.0 - at_j.0;
        let g = d * self.scale;
        work.phi[self.row] = 0.5 * d.norm_squared() * self.scale - self.target;
        work.phi_dot[self.row] = g.dot(&at_i.1) - g.dot(&at_j.1);
        let force = g * lambda[self.row];
        for (body, arm, force) in [(i, &arms[0], force), (j, &arms[1], -force)] {
            work.wrenches[body].force += force;
            work.wrenches[body].torque += arm.cross(&force);
        }
    }
}

/// Where an end is, and how it moves.
#[inline]
fn end(body: &BodyFrame, arm: &Vec3) -> (Vec3, Vec3) {
    (body.p + arm, body.v + body.w.cross(arm))
}
