//! Forces between pairs of markers that come and go ([`crate::forces::PairLaw`]). Which pairs act follows from the state; it is noted in the
//! work arrays with every evaluation, and the tangent is that of the pairs which acted there.

use super::jacobian::Target;
use super::{Evaluated, State, System, Weights, Work};
use crate::bodies::{BodyFrame, Deformed, Kind, MarkerId, Wrench};
use crate::forces::{Clearance, Closing, PairForce, Press, Tangent};
use crate::math::{Vec6, angular, linear, stack};
use crate::measures::Context;

impl System {
    /// How large differential states become as far as their forces know it; zero for others.
    pub(crate) fn sizes_of_states(&self) -> Vec<f64> {
        let mut sizes = vec![0.0; self.nx()];
        for of in self.pair_forces.iter().flat_map(|force| force.pair_states()) {
            sizes[of.first..of.first + of.count].fill(of.size);
        }
        sizes
    }

    /// The forces between pairs that come and go.
    pub fn pair_forces(&self) -> &[PairForce] {
        &self.pair_forces
    }

    /// Notes the pairs that act where the markers stand.
    pub(super) fn note_acting(&self, x: &State, work: &mut Work) {
        let Work { markers, acting, grid, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
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
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        for (force, law) in self.pair_forces.iter().enumerate() {
            law.clearances(&ctx, &mut |distance, speed| out.push(Clearance { force, distance, speed }));
        }
    }

    /// Adds what the states of pairs and their motion have to do with each other: the rows of the states, but for their δ, and the columns of the forces.
    pub(super) fn add_pair_state_blocks(&self, x: &State, w: &Weights, work: &Work, into: &mut Target) {
        let ctx =
            Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: w.reactions_of(x), scratch: &work.scratch };
        let all = self.pair_forces.iter().flat_map(|force| force.pair_states().iter().map(move |of| (force, of)));
        for ((force, of), slots) in all.zip(&into.slots.pair_states) {
            let markers = of.pair.map(|k| force.markers()[k].index());
            let d = work.markers[markers[0]].p - work.markers[markers[1]].p;
            let (matrix, mut k) = (&mut *into.matrix, 0);
            force.for_states(of, &ctx, &mut |s| {
                matrix.block(slots[k].diagonal)[0] -= s.own * w.state;
                let (f, m) = (linear(&s.wrench), angular(&s.wrench));
                let wrenches = [s.wrench, stack(-f, -m - d.cross(&f))];
                for side in 0..2 {
                    let Some((row, column)) = slots[k].bodies[side] else { continue };
                    let map = &work.maps[markers[side]];
                    map.jt.pull_back(&s.by_pose[side], -w.position, matrix.block(row));
                    map.rate.pull_back(&s.by_twist[side], -1.0, matrix.block(row));
                    map.j.pull_back(&wrenches[side], -w.state, matrix.block(column));
                }
                k += 1;
            });
        }
    }

    /// The touches of pairs that are near, with their force, the mass that strikes there and how long it would be in contact alone. Masses are 1/(wᵀ M⁻¹ w)
    /// by the wrench w of a normal force on the two bodies alone, without the couplings of M.
    pub fn closings(&self, x: &State, work: &mut Work, mut each: impl FnMut(usize, [f64; 2], Closing)) {
        if self.pair_forces.is_empty() {
            return;
        }
        self.kinematics(&x.q, &x.v, work);
        self.note_acting(x, work);
        let Work { markers, frames, deformed, acting, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        for (force, (law, acting)) in self.pair_forces.iter().zip(acting.iter()).enumerate() {
            law.closings(acting, &ctx, &mut |touch| {
                let ends = touch.pair.map(|k| law.markers()[k]).into_iter().zip(&touch.along);
                let inverse: f64 = ends.map(|(marker, w)| self.inverse_mass_along(marker, w, frames, deformed)).sum();
                let mass = 1.0 / inverse;
                each(force, [mass, law.duration(mass, &touch, &ctx)], touch);
            });
        }
    }

    /// The touches that are closed at a state, with the place of their force among those between changing pairs.
    pub fn presses(&self, x: &State, work: &mut Work, mut each: impl FnMut(usize, Press)) {
        if self.pair_forces.is_empty() {
            return;
        }
        self.kinematics(&x.q, &x.v, work);
        self.note_acting(x, work);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        for (force, (law, acting)) in self.pair_forces.iter().zip(&work.acting).enumerate() {
            law.presses(acting, &ctx, &mut |press| each(force, press));
        }
    }

    /// Shapes that are deep in each other at a state, in a sentence for each force.
    pub(crate) fn overlaps(&self, x: &State, work: &mut Work) -> Vec<String> {
        self.kinematics(&x.q, &x.v, work);
        self.note_acting(x, work);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        let sentence = |(force, acting): (&PairForce, &Vec<_>)| {
            let overlap = force.overlap(acting, &ctx)?;
            let [a, b] = overlap.markers.map(|marker| self.marker_name(marker));
            let (name, depth) = (force.name(), overlap.depth);
            Some(format!(
                "contact '{name}': {a} and {b} are {depth:.3e} m deep in each other at the start, more than a tenth of their size, and will be thrown \
                 apart. Move one of their bodies, or exclude the pair"
            ))
        };
        self.pair_forces.iter().zip(&work.acting).filter_map(sentence).collect()
    }

    /// The name of a marker: `body.marker`.
    pub fn marker_name(&self, marker: MarkerId) -> String {
        let body = self.carrier(marker).map_or("ground", |b| self.bodies[b].name.as_str());
        format!("{body}.{}", self.markers[marker.index()].name)
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
        let ctx =
            Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: w.reactions_of(x), scratch: &work.scratch };
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
