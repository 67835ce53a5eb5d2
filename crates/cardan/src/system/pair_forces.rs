//! Forces between pairs of markers that come and go ([`crate::forces::PairLaw`]). Which pairs act follows from the state; it is noted in the
//! work arrays with every evaluation, and the tangent is that of the pairs which acted there.

use super::evaluate::Loads;
use super::jacobian::Target;
use super::{State, System, Terms, Weights, Work};
use crate::forces::{Exchange, PairForce, Tangent};
use crate::measures::Context;

impl System {
    /// The forces between pairs that come and go.
    pub fn pair_forces(&self) -> &[PairForce] {
        &self.pair_forces
    }

    /// How many pairs of a force acted at the state that was evaluated last.
    pub fn acting_pairs(&self, force: usize, work: &Work) -> usize {
        work.acting[force].len()
    }

    /// Notes the pairs that act where the markers stand.
    pub(super) fn note_acting(&self, x: &State, work: &mut Work) {
        let Work { markers, acting, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        for (force, acting) in self.pair_forces.iter().zip(acting) {
            acting.clear();
            force.acting(&ctx, acting);
        }
    }

    /// The pairs of moving bodies that were coupled at the state evaluated last, in order, the smaller one first.
    pub(super) fn coupled_now(&self, work: &Work, out: &mut Vec<[usize; 2]>) {
        for (force, acting) in self.pair_forces.iter().zip(&work.acting) {
            let body = |k: usize| self.markers[force.markers()[k].index()].body;
            let bodies = acting.iter().filter_map(|[i, j]| body(*i).zip(body(*j))).filter(|(a, b)| a != b);
            out.extend(bodies.map(|(a, b)| [a.min(b), a.max(b)]));
        }
        out.sort_unstable();
        out.dedup();
    }

    /// Adds the wrenches of the pairs that act, which are noted.
    pub(super) fn add_pair_wrenches(&self, x: &State, work: &mut Work) {
        if self.pair_forces.is_empty() {
            return;
        }
        self.note_acting(x, work);
        let Work { frames, deformed, modal, markers, wrenches, acting, scratch, .. } = work;
        let mut loads = Loads { system: self, frames, deformed, wrenches, modal };
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        for (force, acting) in self.pair_forces.iter().zip(acting) {
            for pair in acting {
                for (end, w) in pair.iter().zip(&force.wrench(*pair, &ctx)) {
                    loads.add(force.markers()[*end].index(), w, -1.0);
                }
            }
        }
    }

    /// Adds their stiffness and damping.
    pub(super) fn add_pair_blocks(&self, terms: Terms, x: &State, w: &Weights, work: &Work, tangent: &mut Tangent, into: &mut Target) {
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, lambda: &x.lambda, scratch: &work.scratch };
        for ((force, acting), implicit) in self.pair_forces.iter().zip(&work.acting).zip(&self.implicit_pair_forces) {
            if terms == Terms::Marked && !implicit {
                continue;
            }
            for pair in acting {
                let markers = pair.map(|k| force.markers()[k].index());
                let bodies = markers.map(|m| self.markers[m].body);
                let slots = bodies.map(|a| bodies.map(|b| a.zip(b).and_then(|(a, b)| into.between(a, b))));
                let wrench = force.wrench_and_tangent(*pair, &ctx, tangent);
                self.add_stiffness(markers, &slots, &wrench, tangent, w, work, into.matrix);
            }
        }
    }

    /// Potential energy and dissipated power of the pairs that act.
    pub(super) fn pair_energy(&self, x: &State, work: &mut Work) -> (f64, f64) {
        self.note_acting(x, work);
        let (mut potential, mut dissipation) = (0.0, 0.0);
        for k in 0..self.pair_forces.len() {
            self.for_acting(k, x, work, |force, pair, ctx| {
                potential += force.potential(pair, ctx);
                dissipation += force.dissipation(pair, ctx);
            });
        }
        (potential, dissipation)
    }

    /// The power that comes in through a force.
    pub(super) fn pair_power(&self, force: usize, x: &State, work: &Work) -> f64 {
        let mut power = 0.0;
        self.for_acting(force, x, work, |law, pair, ctx| {
            power += match law.exchange() {
                Exchange::Stored => 0.0,
                Exchange::Dissipated => -law.dissipation(pair, ctx),
                Exchange::Applied => {
                    let ends = pair.map(|k| ctx.marker(law.markers()[k]).twist());
                    law.wrench(pair, ctx).iter().zip(&ends).map(|(w, twist)| w.dot(twist)).sum()
                }
            };
        });
        power
    }

    /// The force with a value that is not finite, if there is one. The pairs that act must be noted.
    pub(super) fn faulty_pair_force(&self, x: &State, work: &Work) -> Option<&str> {
        let is_faulty = |k: &usize| {
            let mut finite = true;
            self.for_acting(*k, x, work, |law, pair, ctx| finite &= law.wrench(pair, ctx).iter().all(|w| w.iter().all(|x| x.is_finite())));
            !finite
        };
        (0..self.pair_forces.len()).find(is_faulty).map(|k| self.pair_forces[k].name())
    }

    /// Does something with every pair of a force that acts.
    pub(super) fn for_acting(&self, force: usize, x: &State, work: &Work, mut each: impl FnMut(&PairForce, [usize; 2], &Context)) {
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, lambda: &x.lambda, scratch: &work.scratch };
        work.acting[force].iter().for_each(|pair| each(&self.pair_forces[force], *pair, &ctx));
    }
}
