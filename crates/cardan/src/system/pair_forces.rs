//! Forces between pairs of markers that come and go ([`crate::forces::PairLaw`]). Which pairs act follows from the state; it is noted in the
//! work arrays with every evaluation, and the tangent is that of the pairs which acted there.

use super::jacobian::Target;
use super::{Evaluated, State, System, Weights, Work};
use crate::bodies::{BodyFrame, Deformed, Kind, MarkerId, Wrench};
use crate::forces::{Approach, Clearance, PairForce, Tangent};
use crate::math::{Vec6, linear};
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

    /// The touches of pairs that are near, with their force and the mass that strikes there: where masses are 1/(wᵀ M⁻¹ w) by the wrench w of a
    /// normal force on the two bodies alone, and the couplings of M are left out.
    pub fn approaches(&self, x: &State, work: &mut Work, mut each: impl FnMut(usize, f64, Approach)) {
        if self.pair_forces.is_empty() {
            return;
        }
        self.kinematics(&x.q, &x.v, work);
        self.note_acting(x, work);
        let Work { markers, frames, deformed, acting, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        for (force, (law, acting)) in self.pair_forces.iter().zip(acting.iter()).enumerate() {
            law.approaches(acting, &ctx, &mut |touch| {
                let ends = touch.pair.map(|k| law.markers()[k]).into_iter().zip(&touch.along);
                let inverse: f64 = ends.map(|(marker, w)| self.inverse_mass_along(marker, w, frames, deformed)).sum();
                each(force, 1.0 / inverse, touch);
            });
        }
    }

    /// wᵀ M⁻¹ w of a wrench at a marker, without the couplings of M; of bodies that deform by their mass only.
    fn inverse_mass_along(&self, marker: MarkerId, w: &Vec6, frames: &[BodyFrame], deformed: &[Deformed]) -> f64 {
        let Some((b, attached)) = self.attached(marker.index(), frames, deformed) else { return 0.0 };
        let body = &self.bodies[b];
        if !attached.at.is_fixed() {
            return linear(w).norm_squared() / body.shape.mass();
        }
        let (mut sum, mut forces) = (Wrench::zero(), [0.0; 6]);
        attached.add_load(w, 1.0, &mut sum, &mut []);
        let forces = &mut forces[..body.v().len()];
        body.shape.project(&frames[b].r, &sum, &[], forces);
        forces.iter().zip(&self.inertias[body.v()]).map(|(f, inertia)| f * f / inertia).sum()
    }

    /// ½ vᵀ M v, without the couplings of M.
    pub fn kinetic_energy_about(&self, x: &State) -> f64 {
        0.5 * x.v.iter().zip(&self.inertias).map(|(v, inertia)| inertia * v * v).sum::<f64>()
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
