//! Powers of a state: what changes the energy of a mechanism. With T = ½ vᵀ M v, the potential V of gravity and springs, and (E1),
//!
//! ```text
//! d(T + V)/dt = vᵀ M a + V̇ = −vᵀ Gᵀ λ + (vᵀ Q + V̇)                                                        (1)
//! −vᵀ Gᵀ λ = −(G v)·λ = λ·Φ_t,            as G v + Φ_t = 0 (A v + b = 0: λ·b)                              (2)
//! vᵀ Q + V̇ = Σ w·ξ over the markers of applied forces − what dampers and friction dissipate                 (3)
//! ```
//!
//! With M(q), the quadratic velocity force makes up for ½ vᵀ Ṁ v; it does no other work. So constraints do work only where they depend on
//! time by themselves: motions, and functions of time written by the user. Forces with a potential are in V; those without, given by the
//! user's functions, are applied.
//! Reference: Goldstein, Poole, Safko, Classical Mechanics, sections 2.7 (rheonomic constraints) and 1.5 (dissipation).

use super::actions::ForceId;
use super::energy::Accounts;
use super::expressions::Source;
use super::{CompiledBody, State, System, Work};
use crate::constraints::Constraint;
use crate::forces::Exchange;
use crate::math::Vec6;
use crate::measures::{Context, Depth};

/// The way in which energy comes in or goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Through {
    /// A constraint that depends on time by itself (2).
    Motion,
    /// An applied force (3).
    Load,
    /// A damper, friction, or the damping of a flexible body (3).
    Damping,
}

/// An element that brings energy in or takes it out.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchanger {
    /// The element's name.
    pub name: String,
    /// How.
    pub through: Through,
    at: Place,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Constraint(usize),
    Force(ForceId),
    Body(usize),
}

impl Exchanger {
    /// Its place among the forces between changing pairs, if it is one.
    pub fn pair_force(&self) -> Option<usize> {
        if let Place::Force(ForceId::Pairs(k)) = self.at { Some(k) } else { None }
    }
}

impl System {
    /// All elements that may bring energy in or take it out: none of them in a conservative system.
    pub fn exchangers(&self) -> Vec<Exchanger> {
        let driven = self.constraints.iter().enumerate().filter(|(_, c)| c.element.is_driven());
        let motions = driven.map(|(k, c)| Exchanger { name: c.name.clone(), through: Through::Motion, at: Place::Constraint(k) });
        let forces = self.force_ids().filter_map(|id| {
            let through = match self.force_exchange(id) {
                Exchange::Stored => return None,
                Exchange::Dissipated => Through::Damping,
                Exchange::Applied => Through::Load,
            };
            Some(Exchanger { name: self.force_name(id).into(), through, at: Place::Force(id) })
        });
        let dissipates = |b: &CompiledBody| !b.shape.elastic_range().is_empty();
        let bodies = self.bodies.iter().enumerate().filter(|(_, b)| dissipates(b));
        let damped = bodies.map(|(k, b)| Exchanger { name: b.name.clone(), through: Through::Damping, at: Place::Body(k) });
        motions.chain(forces).chain(damped).collect()
    }

    /// The same without dampers and friction, and, if they are counted elsewhere, without forces that change sides with the state.
    pub fn feeders(&self, switching: bool) -> Vec<Exchanger> {
        let elsewhere = |e: &Exchanger| matches!(e.at, Place::Force(ForceId::Written(k)) if !switching && self.switching[k]);
        let feeds = |e: &Exchanger| e.through != Through::Damping && !elsewhere(e);
        self.exchangers().into_iter().filter(feeds).collect()
    }

    /// Whether nothing is driven or damped, and all forces depend on positions alone.
    pub fn acts_by_positions(&self) -> bool {
        let place = |s: &Source| matches!(s, Source::Motion { quantity, .. } if quantity.kind.depth() == Depth::Position);
        let by_positions = |k: usize| self.expressions[k].components.iter().all(|(_, e)| e.sources.iter().all(place));
        self.exchangers().iter().all(|e| matches!(e.at, Place::Force(ForceId::Written(k)) if by_positions(k)))
    }

    /// Whether the powers of these elements at a state depend on its accelerations and multipliers.
    pub fn powers_feel_reactions(&self, exchangers: &[Exchanger], x: &State, work: &mut Work) -> bool {
        if exchangers.is_empty() || self.reads_unknowns() {
            return !exchangers.is_empty();
        }
        let moves = |e: &Exchanger| matches!(e.at, Place::Constraint(_));
        if !exchangers.iter().any(moves) {
            return false;
        }
        self.kinematics(&x.q, &x.v, work);
        exchangers.iter().any(|e| matches!(e.at, Place::Constraint(k) if self.drive(k, x, work, |_, rate| rate.abs()) > 0.0))
    }

    /// The powers, W, that come in through these elements at a state with consistent accelerations and multipliers.
    pub fn powers(&self, exchangers: &[Exchanger], x: &State, work: &mut Work, out: &mut [f64]) {
        self.accounts(x, work).powers(exchangers, out);
    }

    /// Σ over the rows of a constraint of some function of λ and Φ_t.
    fn drive(&self, constraint: usize, x: &State, work: &mut Work, part: impl Fn(f64, f64) -> f64) -> f64 {
        let Work { markers, gradient, gradient_t, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let c = &self.constraints[constraint];
        let n = c.element.markers().len();
        let row = |k: usize| {
            gradient[..n].fill(Vec6::zeros());
            gradient_t[..n].fill(Vec6::zeros());
            let value = c.element.evaluate(&ctx, k, &mut gradient[..n], &mut gradient_t[..n]);
            part(x.lambda[c.first_row + k], value.rate)
        };
        (0..c.element.rows()).map(row).sum()
    }
}

impl Accounts<'_> {
    /// The powers, W, that come in through these elements, where accelerations and multipliers are consistent.
    pub fn powers(&mut self, exchangers: &[Exchanger], out: &mut [f64]) {
        let Self { system, x, work } = self;
        if !system.expressions.is_empty() {
            system.prepare_readings(x, work);
        }
        for (out, exchanger) in out.iter_mut().zip(exchangers) {
            *out = match exchanger.at {
                Place::Constraint(k) => self.system.drive(k, self.x, self.work, |lambda, rate| lambda * rate),
                Place::Force(id) => self.of_force(id),
                Place::Body(k) => {
                    let body = &self.system.bodies[k];
                    -body.shape.dissipation(&self.x.q[body.q()], &self.x.v[body.v()])
                }
            };
        }
    }

    fn of_force(&self, id: ForceId) -> f64 {
        let Self { system, work, .. } = self;
        match id {
            // All flat forces are dampers.
            ForceId::Law(k) if system.by_markers.binary_search(&k).is_err() => -work.energies[k][1],
            _ => {
                let (exchange, ctx) = (system.force_exchange(id), self.context());
                system.actions_of(id, &work.acting, &work.expressions.wrenches).map(|action| action.power(exchange, &ctx)).sum()
            }
        }
    }
}
