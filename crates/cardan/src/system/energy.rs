//! Energy, momentum and constraint violation of a state.

use super::actions::Action;
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

/// A state whose energies and powers are asked for: markers placed, and flat forces evaluated.
pub(crate) struct Accounts<'a> {
    pub(super) system: &'a System,
    pub(super) x: &'a State,
    pub(super) work: &'a mut Work,
}

impl System {
    /// The largest weight of a body, N.
    pub(crate) fn largest_weight(&self) -> f64 {
        let heaviest = self.bodies.iter().map(|body| body.shape.mass()).fold(0.0, f64::max);
        heaviest * self.gravity.0.norm()
    }

    /// Energies of a state.
    pub fn energy(&self, x: &State, work: &mut Work) -> Energy {
        let mut accounts = self.accounts(x, work);
        Energy { dissipation: accounts.dissipation(), ..accounts.stored() }
    }

    /// What energies and powers of a state are taken from.
    pub(crate) fn accounts<'a>(&'a self, x: &'a State, work: &'a mut Work) -> Accounts<'a> {
        if !(self.forces.is_empty() && self.is_flat()) {
            self.flat.bodies.stand(&x.q, &x.v, work);
            self.place_markers(x, work);
            self.place_rods(x, work);
        }
        self.note_acting(x, work);
        self.flat.forces.energies(&work.frames, &mut work.energies);
        Accounts { system: self, x, work }
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

impl Accounts<'_> {
    /// Kinetic and potential energy.
    pub fn stored(&mut self) -> Energy {
        let Self { system, x, work } = self;
        let kinetic = system.kinetic_energy(x, work);
        let of_body = |body: &CompiledBody| {
            let q = &x.q[body.q()];
            system.gravity.potential(&body.shape, q) + body.shape.elastic_energy(q)
        };
        let potential = system.bodies.iter().map(of_body).sum::<f64>() + self.of_forces(0, |action, ctx| action.potential(ctx));
        Energy { kinetic, potential, dissipation: 0.0 }
    }

    /// The power that dampers, friction and flexible bodies take.
    fn dissipation(&self) -> f64 {
        let of_body = |body: &CompiledBody| body.shape.dissipation(&self.x.q[body.q()], &self.x.v[body.v()]);
        self.system.bodies.iter().map(of_body).sum::<f64>() + self.of_forces(1, |action, ctx| action.dissipation(ctx))
    }

    /// The sum over all forces: of one of the energies of flat ones, and of what the others give.
    fn of_forces(&self, which: usize, each: impl Fn(Action, &Context) -> f64) -> f64 {
        let Self { system, work, .. } = self;
        let (ctx, mut sum) = (self.context(), work.energies.iter().map(|energies| energies[which]).sum::<f64>());
        let laws = system.by_markers.iter().map(|k| &system.forces[*k]);
        system.for_actions(laws, &work.acting, &work.expressions.wrenches, |action| sum += each(action, &ctx));
        sum
    }

    pub(super) fn context(&self) -> Context<'_> {
        let Self { x, work, .. } = self;
        Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch }
    }
}
