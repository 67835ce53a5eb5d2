//! A state with what an evaluation found there. Tangents, slopes, wrenches and violations are those of a state that was evaluated: they are asked
//! of an [`Evaluated`], which only an evaluation makes. It borrows the state and the work arrays, so that neither changes while it is asked.

use super::{State, System, Work};
use crate::constraints::Level;
use crate::math::largest;
use crate::measures::Context;

/// A state at which the equations were evaluated ([`System::evaluate`]), and what was found.
///
/// ```
/// use cardan::prelude::*;
/// use cardan::system::{Jacobian, Weights, Work};
/// let mut model = Model::new("projectile");
/// model.set_gravity([0.0, 0.0, -9.81]);
/// model.add_body(Body::point("ball", 2.0));
/// let system = System::new(&model)?;
/// let (mut work, mut jacobian) = (Work::new(&system), Jacobian::new(&system));
/// let mut at = system.evaluate(system.initial(), &mut work);
/// assert_eq!(at.f(), [0.0, 0.0, 2.0 * 9.81]);
/// at.tangent(&Weights::mass_only(&[]), &mut jacobian);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The next evaluation with the same work arrays ends it:
///
/// ```compile_fail,E0499
/// # use cardan::prelude::*;
/// # use cardan::system::{State, System, Work};
/// fn compare(system: &System, x: &State, y: &State, work: &mut Work) -> f64 {
///     let there = system.evaluate(x, work);
///     let here = system.evaluate(y, work);
///     there.f()[0] - here.f()[0]
/// }
/// ```
#[derive(Debug)]
pub struct Evaluated<'a> {
    pub(super) system: &'a System,
    pub(super) x: &'a State,
    pub(super) work: &'a mut Work,
}

impl<'a> Evaluated<'a> {
    /// The state.
    pub fn state(&self) -> &'a State {
        self.x
    }

    /// The equations.
    pub fn system(&self) -> &'a System {
        self.system
    }

    /// Gives the work arrays back.
    pub fn release(self) -> &'a mut Work {
        self.work
    }

    /// f = Gᵀλ − Q.
    pub fn f(&self) -> &[f64] {
        &self.work.f
    }

    /// Φ for rows of position level; A v + b for rows of velocity level.
    pub fn phi(&self) -> &[f64] {
        &self.work.phi
    }

    /// G v + Φ_t for every row.
    pub fn phi_dot(&self) -> &[f64] {
        &self.work.phi_dot
    }

    /// f of every differential state, ẋ = f.
    pub fn rates(&self) -> &[f64] {
        &self.work.rates
    }

    /// Largest violation of the constraints at position level (holonomic rows) and at velocity level (all rows).
    pub fn violation(&self) -> (f64, f64) {
        let (phi, phi_dot) = (self.phi(), self.phi_dot());
        if self.system.holonomic {
            return (largest(phi), largest(phi_dot));
        }
        let rows = phi.iter().zip(&self.system.levels).filter(|(_, l)| **l == Level::Position);
        (rows.fold(0.0, |m: f64, (p, _)| m.max(p.abs())), largest(phi_dot))
    }

    /// How many pairs of a force act.
    pub fn acting_pairs(&self, force: usize) -> usize {
        self.work.acting[force].len()
    }

    /// For every force between pairs that come and go: how many act, and what it tells of itself.
    pub fn tell(&self, out: &mut [f64]) {
        let Self { system, x, work } = self;
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        let mut left = out;
        for (force, acting) in system.pair_forces.iter().zip(&work.acting) {
            let (own, rest) = left.split_at_mut(1 + force.quantities().len());
            own[0] = acting.len() as f64;
            force.tell(acting, &ctx, &mut own[1..]);
            left = rest;
        }
    }

    /// Says which element's output is not finite, in a sentence.
    pub fn find_non_finite(&mut self) -> Option<String> {
        self.system.find_non_finite(self.x, self.work)
    }

    /// Why an equation does not determine a rate or a variable, in a sentence, if one does not.
    pub(crate) fn undetermined(&mut self) -> Option<String> {
        self.system.undetermined(self.x, self.work)
    }
}
