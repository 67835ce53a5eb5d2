//! Steps through impacts. An impact lasts T (`duration` of its law), whatever the tolerance says of positions, and what comes out of it depends on how
//! many steps there are within: a method of order 2 with n of them returns about 1 + 2/n² of the speed. So steps are held to
//!
//! ```text
//! h ≤ t + T/n,    t = g/|ġ| where surfaces come closer, 0 where they touch                                      (1)
//! ```
//!
//! and a step that begins apart and ends deeper than that is made again, so that it ends at the depth that (1) allows. What swings in a contact is
//!
//! ```text
//! E = ½ m (ġ² + (g̈ T/π)²)                                                                                     (2)
//! ```
//!
//! with the mass m that strikes: nothing for what rests, and all of it during a whole impact. An error e of the speed is one of 2 e E in energy, so that
//! impacts which matter little need few steps: with the largest sum K so far of kinetic energy and what is stored in touches
//!
//! ```text
//! n = N √(E/K),                                                                                                  (3)
//! ```
//!
//! and those with n < 2 are left to error control, as hundreds of rattling contacts are.

use super::Run;
use crate::analysis::simulation::Size;
use crate::forces::{Closing, Pair};
use crate::system::{State, System, Work};
use std::f64::consts::PI;

/// Impacts that need fewer steps are left to error control.
const FEWEST: f64 = 2.0;
/// A new touch may be so many times as deep as a step of (1) makes it.
const DEEP: f64 = 2.0;
/// A step that struck too deep is shortened at least and at most to these parts.
const SHORTER: (f64, f64) = (0.05, 0.9);

/// A touch where a step begins or ends.
#[derive(Debug, Clone, Copy)]
struct Impact {
    force: usize,
    pair: Pair,
    place: u32,
    gap: f64,
    rate: f64,
    /// g̈ over the step that ended here, m/s²; zero where that is not known.
    acceleration: f64,
    mass: f64,
    /// ∫E of its depth, J.
    stored: f64,
    /// T.
    duration: f64,
    /// Whether steps end where it begins anyway.
    located: bool,
}

impl Impact {
    fn key(&self) -> (usize, Pair, u32) {
        (self.force, self.pair, self.place)
    }

    /// E (2).
    fn energy(&self) -> f64 {
        let swing = self.acceleration * self.duration / PI;
        0.5 * self.mass * (self.rate * self.rate + swing * swing)
    }
}

/// What is known of impacts.
#[derive(Debug)]
pub(super) struct Impacts {
    /// N; zero where impacts are left to error control.
    steps: f64,
    now: Vec<Impact>,
    next: Vec<Impact>,
    /// The times for which they hold.
    since: f64,
    looked_at: Option<f64>,
    /// K.
    largest: f64,
}

impl Impacts {
    /// With so many steps in an impact.
    pub fn new(steps: f64) -> Self {
        Self { steps, now: Vec::new(), next: Vec::new(), since: 0.0, looked_at: None, largest: 0.0 }
    }

    /// T/n of (1), where n is not too small.
    fn resolution(&self, impact: &Impact) -> Option<f64> {
        let n = self.steps * (impact.energy() / self.largest).min(1.0).sqrt();
        (n >= FEWEST).then(|| impact.duration / n)
    }

    /// Where the step began, the same touch.
    fn before(&self, impact: &Impact) -> Option<&Impact> {
        let at = self.now.binary_search_by(|other| other.key().cmp(&impact.key())).ok()?;
        Some(&self.now[at])
    }

    /// The state where the next step begins has been changed.
    pub fn forget(&mut self) {
        self.looked_at = None;
    }

    /// The longest step that (1) allows, and the force which has it so.
    pub fn longest(&self) -> Option<(f64, usize)> {
        let allowed = |impact: &Impact| {
            let apart = impact.gap > 0.0;
            if apart && impact.rate >= 0.0 {
                return None;
            }
            let until = if apart { impact.gap / -impact.rate } else { 0.0 };
            Some((until + self.resolution(impact)?, impact.force))
        };
        self.now.iter().filter_map(allowed).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// A shorter step in place of one of size h, if something was struck too deep within it, and the force that struck.
    fn shorter(&self, h: f64) -> Option<(f64, usize)> {
        let of = |impact: &Impact| {
            let before = self.before(impact);
            if impact.located || impact.gap >= 0.0 || before.is_some_and(|before| before.gap < 0.0) {
                return None;
            }
            let resolution = self.resolution(impact)?;
            let speed = before.map_or(impact.rate.abs(), |before| before.rate.abs().max(impact.rate.abs()));
            let depth = -impact.gap;
            (depth > DEEP * speed * resolution).then(|| ((h - depth / speed).max(0.0) + resolution, impact.force))
        };
        let shortest = self.next.iter().filter_map(of).min_by(|a, b| a.0.total_cmp(&b.0));
        shortest.map(|(step, force)| (step.clamp(SHORTER.0 * h, SHORTER.1 * h), force))
    }

    /// Lists the touches at a state.
    fn look(&mut self, system: &System, x: &State, work: &mut Work) {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        system.closings(x, work, |force, [mass, duration], touch| {
            let Closing { pair, place, gap, rate, stored, .. } = touch;
            let located = system.pair_forces()[force].has_sides();
            next.push(Impact { force, pair, place, gap, rate, acceleration: 0.0, mass, stored, duration, located });
        });
        next.sort_unstable_by_key(Impact::key);
        let h = x.t - self.since;
        for impact in next.iter_mut().filter(|_| h > 0.0) {
            impact.acceleration = self.before(impact).map_or(0.0, |before| (impact.rate - before.rate) / h);
        }
        (self.next, self.looked_at) = (next, Some(x.t));
    }

    /// The next step begins where the touches were looked at.
    fn go_on(&mut self, t: f64, kinetic: f64) {
        self.largest = self.largest.max(kinetic + self.next.iter().map(|impact| impact.stored).sum::<f64>());
        std::mem::swap(&mut self.now, &mut self.next);
        (self.since, self.looked_at) = (t, None);
    }
}

impl Run<'_, '_, '_> {
    /// Whether impacts are looked at.
    fn resolves_impacts(&self) -> bool {
        self.impacts.steps > 0.0 && matches!(self.simulation.size, Size::Controlled(_)) && !self.simulation.system.pair_forces().is_empty()
    }

    /// Notes the touches where a step begins: those where the last one ended, unless that has been changed.
    pub(super) fn note_impacts(&mut self) {
        if !self.resolves_impacts() {
            return;
        }
        let (system, x) = (self.simulation.system, self.stepper.now());
        if self.impacts.looked_at != Some(x.t) {
            self.impacts.look(system, x, self.watch.get_mut());
        }
        self.impacts.go_on(x.t, system.kinetic_energy_about(x));
    }

    /// A shorter step in place of one of size h that has struck something too deep, and the force that struck.
    pub(super) fn struck_too_deep(&mut self, h: f64) -> Option<(f64, usize)> {
        if !self.resolves_impacts() {
            return None;
        }
        self.impacts.look(self.simulation.system, self.stepper.next(), self.watch.get_mut());
        self.impacts.shorter(h)
    }
}
