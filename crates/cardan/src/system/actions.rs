//! Forces as the equations see them. Whatever its kind, a force acts between two markers with a wrench on each, action and reaction: a built-in
//! force and one given by expressions between the same markers always, a force between changing pairs between every pair that acts.
//! Residual, tangent, energy, powers, changes with time and the search for faults go through the lists below, and nowhere else do
//! they ask for the kind. The wrenches of forces given by expressions, and the pairs that act, are those of the last evaluation.

use super::expressions::ExpressionElement;
use super::{System, Terms, Work};
use crate::bodies::MarkerId;
use crate::forces::{Exchange, Force, ForceLaw, Pair, PairForce};
use crate::math::Vec6;
use crate::measures::Context;

/// A force: its kind, and its place among those of the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ForceId {
    Law(usize),
    Pairs(usize),
    Written(usize),
}

/// What a force does between two markers.
#[derive(Clone, Copy)]
pub(super) enum Action<'a> {
    Law(&'a Force),
    Pair(&'a PairForce, Pair),
    Written(&'a ExpressionElement, &'a [Vec6; 2]),
}

impl Action<'_> {
    /// Marker i and marker j.
    #[inline]
    pub fn markers(&self) -> [MarkerId; 2] {
        match self {
            Action::Law(force) => force.markers(),
            Action::Pair(force, pair) => pair.map(|k| force.markers()[k]),
            Action::Written(force, _) => force.markers,
        }
    }

    /// The wrenches on both markers.
    #[inline]
    pub fn wrench(&self, ctx: &Context) -> [Vec6; 2] {
        match self {
            Action::Law(force) => force.wrench(ctx),
            Action::Pair(force, pair) => force.wrench(*pair, ctx),
            Action::Written(_, wrench) => **wrench,
        }
    }

    /// How the wrenches change with time alone, as far as a law in Rust tells; expressions are differentiated in `expressions/explicit`.
    pub fn rate(&self, ctx: &Context) -> [Vec6; 2] {
        match self {
            Action::Law(force) => force.rate(ctx),
            Action::Pair(force, pair) => force.rate(*pair, ctx),
            Action::Written(..) => [Vec6::zeros(); 2],
        }
    }

    /// Potential energy, J.
    pub fn potential(&self, ctx: &Context) -> f64 {
        match self {
            Action::Law(force) => force.potential(ctx),
            Action::Pair(force, pair) => force.potential(*pair, ctx),
            Action::Written(..) => 0.0,
        }
    }

    /// The power that is dissipated, W.
    pub fn dissipation(&self, ctx: &Context) -> f64 {
        match self {
            Action::Law(force) => force.dissipation(ctx),
            Action::Pair(force, pair) => force.dissipation(*pair, ctx),
            Action::Written(..) => 0.0,
        }
    }

    /// The power that comes in besides that of a potential, W.
    pub fn power(&self, exchange: Exchange, ctx: &Context) -> f64 {
        match exchange {
            Exchange::Stored => 0.0,
            Exchange::Dissipated => -self.dissipation(ctx),
            Exchange::Applied => self.markers().iter().zip(&self.wrench(ctx)).map(|(m, w)| w.dot(&ctx.marker(*m).twist())).sum(),
        }
    }
}

impl System {
    /// The forces that are evaluated from their markers.
    pub(super) fn marker_force_ids(&self) -> impl Iterator<Item = ForceId> {
        let laws = self.by_markers.iter().map(|k| ForceId::Law(*k));
        laws.chain((0..self.pair_forces.len()).map(ForceId::Pairs)).chain((0..self.expressions.len()).map(ForceId::Written))
    }

    /// All forces.
    pub(super) fn force_ids(&self) -> impl Iterator<Item = ForceId> + use<> {
        let laws = (0..self.forces.len()).map(ForceId::Law);
        laws.chain((0..self.pair_forces.len()).map(ForceId::Pairs)).chain((0..self.expressions.len()).map(ForceId::Written))
    }

    /// The name of a force.
    pub(super) fn force_name(&self, id: ForceId) -> &str {
        match id {
            ForceId::Law(k) => self.forces[k].name(),
            ForceId::Pairs(k) => self.pair_forces[k].name(),
            ForceId::Written(k) => &self.expressions[k].name,
        }
    }

    /// How a force exchanges energy.
    pub(super) fn force_exchange(&self, id: ForceId) -> Exchange {
        match id {
            ForceId::Law(k) => self.forces[k].exchange(),
            ForceId::Pairs(k) => self.pair_forces[k].exchange(),
            ForceId::Written(_) => Exchange::Applied,
        }
    }

    /// Whether a force is among those that a tangent takes into account.
    pub(super) fn counts(&self, id: ForceId, terms: Terms) -> bool {
        match (terms, id) {
            (Terms::All, _) => true,
            (Terms::Steady | Terms::SteadyApplied, ForceId::Written(k)) => !self.switching[k],
            (Terms::Steady | Terms::SteadyApplied, _) => true,
            (Terms::Marked, ForceId::Law(k)) => self.implicit_forces[k],
            (Terms::Marked, ForceId::Pairs(k)) => self.implicit_pair_forces[k],
            (Terms::Marked, ForceId::Written(k)) => self.implicit_expressions[k],
        }
    }

    /// What one force does.
    pub(super) fn actions_of<'a>(
        &'a self,
        id: ForceId,
        acting: &'a [Vec<Pair>],
        wrenches: &'a [[Vec6; 2]],
    ) -> impl Iterator<Item = Action<'a>> {
        let one = match id {
            ForceId::Law(k) => Some(Action::Law(&self.forces[k])),
            ForceId::Written(k) => Some(Action::Written(&self.expressions[k], &wrenches[k])),
            ForceId::Pairs(_) => None,
        };
        let pairs = if let ForceId::Pairs(k) = id { Some((&self.pair_forces[k], &acting[k])) } else { None };
        one.into_iter().chain(pairs.into_iter().flat_map(|(force, pairs)| pairs.iter().map(move |pair| Action::Pair(force, *pair))))
    }

    /// What these forces do, those between changing pairs and those given by expressions.
    #[inline]
    pub(super) fn for_actions<'a>(
        &'a self,
        laws: impl Iterator<Item = &'a Force>,
        acting: &'a [Vec<Pair>],
        wrenches: &'a [[Vec6; 2]],
        mut each: impl FnMut(Action<'a>),
    ) {
        laws.for_each(|force| each(Action::Law(force)));
        for (force, pairs) in self.pair_forces.iter().zip(acting) {
            pairs.iter().for_each(|pair| each(Action::Pair(force, *pair)));
        }
        self.expressions.iter().zip(wrenches).for_each(|(force, wrench)| each(Action::Written(force, wrench)));
    }

    /// The first force of Rust code with a value that is not finite.
    pub(super) fn faulty_force(&self, ctx: &Context, work: &Work) -> Option<&str> {
        let finite = |action: Action| action.wrench(ctx).iter().all(|w| w.iter().all(|x| x.is_finite()));
        let in_rust = |id: &ForceId| !matches!(id, ForceId::Written(_));
        let mut ids = self.force_ids().filter(in_rust);
        let faulty = ids.find(|id| !self.actions_of(*id, &work.acting, &work.expressions.wrenches).all(finite))?;
        Some(self.force_name(faulty))
    }
}
