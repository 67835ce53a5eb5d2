//! What contacts do in a run, one by one: touches that begin, the largest normal force, the integral of normal forces, steps that were shortened
//! or made again. Touches are looked at where steps end; without forces between changing pairs there is nothing to do.

use super::Run;
use crate::analysis::quadrature::{Integral, Intervals};
use crate::forces::{Pair, Press};
use crate::integrators::Statistics;
use crate::results::{ContactRecord, EnergyBalance};
use crate::system::{Exchanger, State, System, Work};

/// Force, pair and place of a touch.
type Key = (usize, Pair, u32);

/// The books of all forces between changing pairs.
#[derive(Debug)]
pub(super) struct Touches {
    records: Vec<ContactRecord>,
    /// The sums of normal forces, and their integrals.
    sums: Vec<f64>,
    integrals: Vec<Integral>,
    intervals: Intervals,
    /// What is closed where the last step ended, in order, and one step before.
    closed: Vec<Key>,
    before: Vec<Key>,
}

impl Touches {
    /// Empty books.
    pub fn new(system: &System) -> Self {
        let named = |name: &str| ContactRecord { name: name.into(), ..ContactRecord::default() };
        let records: Vec<_> = system.pair_forces().iter().map(|force| named(force.name())).collect();
        let n = records.len();
        Self {
            records,
            sums: vec![0.0; n],
            integrals: vec![Integral::default(); n],
            intervals: Intervals::default(),
            closed: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Counts a step that a force shortened before it was tried.
    pub fn shortened(&mut self, force: usize) {
        self.records[force].capped += 1;
    }

    /// Counts a step that is made again because of a force.
    pub fn repeated(&mut self, force: usize) {
        self.records[force].rejected += 1;
    }

    /// The sums of all counts.
    pub fn counted(&self, statistics: Statistics) -> Statistics {
        let sum = |count: fn(&ContactRecord) -> usize| self.records.iter().map(count).sum();
        Statistics { contacts: sum(|r| r.touches), capped: sum(|r| r.capped), rejected_by_contacts: sum(|r| r.rejected), ..statistics }
    }

    /// Looks at the state where a step ended, or at which the run goes on from elsewhere.
    fn look(&mut self, system: &System, x: &State, work: &mut Work) {
        std::mem::swap(&mut self.closed, &mut self.before);
        self.closed.clear();
        self.sums.fill(0.0);
        // Touches of the same two shapes come one after the other.
        let (mut pair, mut force_of_pair) = (None, 0.0);
        system.presses(x, work, |force, Press { pair: shapes, place, normal, .. }| {
            let normal = normal.norm();
            self.closed.push((force, shapes, place));
            self.sums[force] += normal;
            if pair.replace((force, shapes)) != Some((force, shapes)) {
                force_of_pair = 0.0;
            }
            force_of_pair += normal;
            let record = &mut self.records[force];
            if force_of_pair > record.peak {
                (record.peak, record.peak_time) = (force_of_pair, x.t);
            }
        });
        self.closed.sort_unstable();
        self.closed.dedup();
        for key in self.closed.iter().filter(|key| self.before.binary_search(key).is_err()) {
            let record = &mut self.records[key.0];
            record.touches += 1;
            record.first.get_or_insert(x.t);
        }
    }

    /// The run goes on from a state.
    fn start(&mut self, t: f64) {
        self.intervals.start(t);
        self.integrals.iter_mut().zip(&self.sums).for_each(|(integral, sum)| integral.start(*sum));
    }

    /// A step has ended.
    fn go_on(&mut self, t: f64) {
        if t > self.intervals.end() {
            let interval = self.intervals.add(t);
            self.integrals.iter_mut().zip(&self.sums).for_each(|(integral, sum)| _ = integral.add(interval, *sum));
        }
    }

    /// The finished books, with the energies that were taken.
    pub fn finish(self, exchangers: &[Exchanger], energy: &EnergyBalance) -> Vec<ContactRecord> {
        let Self { mut records, integrals, .. } = self;
        records.iter_mut().zip(&integrals).for_each(|(record, integral)| record.impulse = integral.value());
        for (exchanger, exchanged) in exchangers.iter().zip(&energy.exchanged) {
            if let Some(force) = exchanger.pair_force() {
                records[force].lost = -exchanged.work;
            }
        }
        records
    }
}

impl Run<'_, '_, '_> {
    /// Looks at the touches where the run goes on from.
    pub(super) fn start_touches(&mut self, x: &State) {
        if !self.touches.records.is_empty() {
            self.touches.look(self.simulation.system, x, self.watch.get_mut());
            self.touches.start(x.t);
        }
    }

    /// Looks at the touches where the accepted step ended.
    pub(super) fn note_touches(&mut self) {
        if !self.touches.records.is_empty() {
            let x = self.stepper.now();
            self.touches.look(self.simulation.system, x, self.watch.get_mut());
            self.touches.go_on(x.t);
        }
    }
}
