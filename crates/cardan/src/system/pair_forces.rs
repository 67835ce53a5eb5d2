//! Forces between pairs of markers that come and go ([`crate::forces::PairLaw`]). Which pairs act follows from the state; it is noted in the
//! work arrays with every evaluation, and the tangent is that of the pairs which acted there.

use super::jacobian::Target;
use super::{Evaluated, State, System, Weights, Work};
use crate::bodies::MarkerId;
use crate::forces::{Clearance, PairForce, Tangent};
use crate::measures::Context;

impl System {
    /// The forces between pairs that come and go.
    pub fn pair_forces(&self) -> &[PairForce] {
        &self.pair_forces
    }

    /// Notes the pairs that act where the markers stand.
    pub(super) fn note_acting(&self, x: &State, work: &mut Work) {
        let Work { markers, acting, grid, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        for (force, acting) in self.pair_forces.iter().zip(acting) {
            acting.clear();
            force.acting(&ctx, grid, acting);
        }
    }

    /// The room between shapes that could pass through each other, always the same shapes.
    pub fn clearances(&self, x: &State, work: &mut Work, out: &mut Vec<Clearance>) {
        out.clear();
        if self.pair_forces.is_empty() {
            return;
        }
        self.kinematics(&x.q, &x.v, work);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, lambda: &x.lambda, scratch: &work.scratch };
        for (force, law) in self.pair_forces.iter().enumerate() {
            law.clearances(&ctx, &mut |distance, speed| out.push(Clearance { force, distance, speed }));
        }
    }

    /// Adds stiffness and damping of the pairs of a force that act.
    pub(super) fn add_pair_blocks(&self, k: usize, x: &State, w: &Weights, work: &Work, tangent: &mut Tangent, into: &mut Target) {
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, lambda: w.reactions_of(x), scratch: &work.scratch };
        let force = &self.pair_forces[k];
        for pair in &work.acting[k] {
            let markers = pair.map(|k| force.markers()[k]);
            let bodies = markers.map(|m| self.carrier(m));
            let slots = bodies.map(|a| bodies.map(|b| a.zip(b).and_then(|(a, b)| into.between(a, b))));
            let wrench = force.wrench_and_tangent(*pair, &ctx, tangent);
            self.add_stiffness(markers.map(MarkerId::index), &slots, &wrench, tangent, w, work, into.matrix);
        }
    }
}

impl Evaluated<'_> {
    /// The pairs of moving bodies that are coupled, in order, the smaller one first.
    pub(super) fn coupled(&self, out: &mut Vec<[usize; 2]>) {
        for (force, acting) in self.system.pair_forces.iter().zip(&self.work.acting) {
            let body = |k: usize| self.system.carrier(force.markers()[k]);
            let bodies = acting.iter().filter_map(|[i, j]| body(*i).zip(body(*j))).filter(|(a, b)| a != b);
            out.extend(bodies.map(|(a, b)| [a.min(b), a.max(b)]));
        }
        out.sort_unstable();
        out.dedup();
    }
}
