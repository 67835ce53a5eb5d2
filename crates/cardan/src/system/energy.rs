//! Energy, momentum and constraint violation of a state.

use super::{CompiledBody, State, System, Work};
use crate::bodies::Kind;
use crate::math::Vec3;
use crate::measures::Context;

/// Energies of a state, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy of gravity, springs and flexible bodies.
    pub potential: f64,
    /// Power dissipated by dampers, friction and flexible bodies, W.
    pub dissipation: f64,
}

impl Energy {
    /// Kinetic plus potential energy.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Momentum of a state, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Momentum {
    /// Linear momentum, kg m/s.
    pub linear: Vec3,
    /// Angular momentum about the world's origin, kg m²/s.
    pub angular: Vec3,
}

impl System {
    /// Energies of a state.
    pub fn energy(&self, x: &State, work: &mut Work) -> Energy {
        let stored = self.stored_energy(x, work);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        let of_body = |body: &CompiledBody| body.shape.dissipation(&x.q[body.q()], &x.v[body.v()]);
        let mut dissipation = self.bodies.iter().map(of_body).sum();
        self.for_actions(self.forces.iter(), &work.acting, &work.expressions.wrenches, |action| dissipation += action.dissipation(&ctx));
        Energy { dissipation, ..stored }
    }

    /// The same without what is dissipated.
    pub(crate) fn stored_energy(&self, x: &State, work: &mut Work) -> Energy {
        if !(self.forces.is_empty() && self.pair_forces.is_empty()) {
            self.kinematics(&x.q, &x.v, work);
        }
        self.note_acting(x, work);
        let mut energy = Energy { kinetic: self.kinetic_energy(x, work), ..Energy::default() };
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        for body in &self.bodies {
            let q = &x.q[body.q()];
            energy.potential += self.gravity.potential(&body.shape, q) + body.shape.elastic_energy(q);
        }
        self.for_actions(self.forces.iter(), &work.acting, &work.expressions.wrenches, |action| energy.potential += action.potential(&ctx));
        energy
    }

    /// ½ vᵀ M v.
    fn kinetic_energy(&self, x: &State, work: &mut Work) -> f64 {
        work.momentum.fill(0.0);
        self.add_mass_times(&x.q, &x.v, 1.0, &mut work.momentum);
        0.5 * work.momentum.iter().zip(&x.v).map(|(p, v)| p * v).sum::<f64>()
    }

    /// Momentum of a state.
    pub fn momentum(&self, x: &State) -> Momentum {
        let mut out = Momentum { linear: Vec3::zeros(), angular: Vec3::zeros() };
        for body in &self.bodies {
            let (q, v) = (&x.q[body.q()], &x.v[body.v()]);
            let [p, spin] = body.shape.momentum(q, v);
            out.linear += p;
            out.angular += body.shape.frame(q).1.cross(&p) + spin;
        }
        out
    }

    /// Largest violation of the constraints at position level (holonomic rows) and at velocity level (all rows).
    pub fn violation(&self, x: &State, work: &mut Work) -> (f64, f64) {
        self.evaluate(x, work).violation()
    }
}
