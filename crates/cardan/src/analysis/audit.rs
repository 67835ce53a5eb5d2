//! The balance of energy of a run as it goes (see `results/balance.rs` for its terms and `system/power.rs` for the powers). Powers are
//! taken at the ends of steps, every so many of them, and within steps where these are long, and integrated (`quadrature`).
//!
//! Motions and friction need multipliers that are consistent with q and v: those of index-3 methods jump with the step size (see
//! `docs/decisions/0007-reported-accelerations.md`). They cost a factorisation, so powers are taken only as often as the accuracy of the
//! quadrature asks for: more often where its two rules differ, less often where they agree.

use super::quadrature::{Integral, Intervals};
use crate::results::{EnergyBalance, Exchanged, Missing};
use crate::system::{Energy, Exchanger, Kkt, State, System, Through, Work};

/// Powers are taken more (less) often where the two rules differ by more (less) than these parts of the throughput in an interval.
const DENSER: f64 = 1e-3;
const SPARSER: f64 = 1e-4;
/// Powers are taken every 2^n steps at the least, with n at most this.
const SPARSEST: i32 = 4;

/// The books of a run.
#[derive(Debug)]
pub(super) struct Audit<'s> {
    system: &'s System,
    exchangers: Vec<Exchanger>,
    integrals: Vec<Integral>,
    powers: Vec<f64>,
    intervals: Intervals,
    solver: Option<Kkt>,
    state: State,
    work: Work,
    /// Powers are taken every 2^frequency steps, or 2^−frequency times a step.
    frequency: i32,
    /// The least of it.
    densest: i32,
    /// Steps since they were taken.
    steps: i32,
    /// The correction of the quadrature when they were.
    correction: f64,
    /// Stored at the start, of which nothing is known before; and where the books were closed last.
    start: Option<f64>,
    stored: f64,
    jumps: f64,
    kinetic: f64,
    potential: [f64; 2],
    /// The largest work of each way.
    works: [f64; 3],
    worst: Missing,
}

impl<'s> Audit<'s> {
    /// Empty books. `solver` is that of the assembly, `order` that of the method.
    pub fn new(system: &'s System, solver: &Kkt, regularization: &[f64], order: usize) -> Self {
        let exchangers = system.exchangers();
        let own = || {
            let mut own = Kkt::new(system);
            own.order_like(solver);
            own.regularization = regularization.to_vec();
            own
        };
        let felt = system.reads_unknowns() || exchangers.iter().any(|e| e.through == Through::Motion);
        let n = exchangers.len();
        Self {
            system,
            integrals: vec![Integral::default(); n],
            powers: vec![0.0; n],
            intervals: Intervals::default(),
            solver: (felt && n > 0).then(own),
            state: system.initial().clone(),
            work: Work::new(system),
            frequency: 0,
            densest: if order > 3 { -1 } else { 0 },
            steps: 0,
            correction: 0.0,
            start: None,
            stored: 0.0,
            jumps: 0.0,
            kinetic: 0.0,
            potential: [f64::INFINITY, f64::NEG_INFINITY],
            works: [0.0; 3],
            worst: Missing::default(),
            exchangers,
        }
    }

    /// Whether a new page has to be opened.
    pub fn is_closed(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Opens a page at a state whose accelerations and multipliers are consistent: at the start, after an event or a sample.
    pub fn open(&mut self, x: &State) {
        self.intervals.start(x.t);
        self.steps = 0;
        self.system.powers(&self.exchangers, x, &mut self.work, &mut self.powers);
        self.integrals.iter_mut().zip(&self.powers).for_each(|(i, p)| i.start(*p));
    }

    /// Where a step from `t` to `next` should be looked into before its end is.
    pub fn within(&self, t: f64, next: f64) -> Option<f64> {
        (self.frequency < 0 && !self.exchangers.is_empty()).then_some(0.5 * (t + next))
    }

    /// Counts a step; says whether powers should be taken at its end.
    pub fn is_due(&mut self) -> bool {
        self.steps += 1;
        self.steps >= 1 << self.frequency.max(0)
    }

    /// Takes the powers at a state with any accelerations and multipliers. Where there are no consistent ones, in a singular configuration,
    /// the powers are taken to be those before.
    pub fn note(&mut self, x: &State) {
        if x.t <= self.intervals.end() {
            return;
        }
        let Self { system, exchangers, solver, state, work, powers, .. } = self;
        state.copy_from(x);
        let felt = system.powers_feel_reactions(exchangers, x, work);
        let mut solver = solver.as_mut().filter(|_| felt);
        let known = solver.as_mut().is_none_or(|solver| solver.project_and_accelerate(system, state, work).is_ok());
        state.v.copy_from_slice(&x.v);
        if known {
            system.powers(exchangers, state, work, powers);
        }
        let interval = self.intervals.add(x.t);
        self.integrals.iter_mut().zip(&self.powers).for_each(|(i, p)| i.add(interval, *p));
    }

    /// Makes the balance at the end of a step; says what is missing there for sure.
    pub fn balance(&mut self, x: &State) -> f64 {
        self.note(x);
        self.steps = 0;
        self.look(x);
        self.choose_frequency();
        let missing = self.missing();
        if missing.abs() > self.worst.energy.abs() {
            self.worst = Missing { t: x.t, energy: missing };
        }
        certain(missing, self.correction)
    }

    /// Ends a page: from `x` on the motion goes on as `after` says.
    pub fn close(&mut self, x: &State, after: &State) {
        if self.start.is_none() {
            self.start = Some(self.look(after));
            return;
        }
        if !self.is_closed() {
            self.balance(x);
            self.intervals.stop();
        }
        let before = self.look(x);
        self.jumps += self.look(after) - before;
    }

    /// What the run was about so far, J: the largest of kinetic energy, range of potential energy, works and jumps.
    pub fn throughput(&self) -> f64 {
        let range = (self.potential[1] - self.potential[0]).max(0.0);
        self.works.iter().copied().fold(self.kinetic.max(range).max(self.jumps.abs()), f64::max)
    }

    /// The finished books of a run that ended at a state.
    pub fn finish(mut self, x: &State) -> EnergyBalance {
        if !self.is_closed() {
            self.balance(x);
        }
        let [motions, loads, damping] = self.totals();
        let exchanged = |(e, i): (&Exchanger, &Integral)| Exchanged { name: e.name.clone(), through: e.through, work: i.value() };
        EnergyBalance {
            start: self.start.unwrap_or(self.stored),
            end: self.stored,
            motions,
            loads,
            dissipated: -damping,
            jumps: self.jumps,
            missing: self.missing(),
            uncertainty: self.correction.abs(),
            worst: self.worst,
            throughput: self.throughput(),
            exchanged: self.exchangers.iter().zip(&self.integrals).map(exchanged).collect(),
        }
    }

    /// Stored energy of a state, which is part of the throughput.
    fn look(&mut self, x: &State) -> f64 {
        let Energy { kinetic, potential, .. } = self.system.energy(x, &mut self.work);
        self.kinetic = self.kinetic.max(kinetic);
        self.potential = [self.potential[0].min(potential), self.potential[1].max(potential)];
        self.stored = kinetic + potential;
        self.stored
    }

    /// Work of motions, of loads, of dampers and friction.
    fn totals(&self) -> [f64; 3] {
        let mut totals = [0.0; 3];
        for (exchanger, integral) in self.exchangers.iter().zip(&self.integrals) {
            totals[exchanger.through as usize] += integral.value();
        }
        totals
    }

    fn missing(&self) -> f64 {
        let work: f64 = self.totals().iter().sum();
        self.stored - self.start.unwrap_or(self.stored) - work - self.jumps
    }

    /// How often powers are taken from here on.
    fn choose_frequency(&mut self) {
        let totals = self.totals();
        self.works.iter_mut().zip(totals).for_each(|(most, work)| *most = most.max(work.abs()));
        let correction: f64 = self.integrals.iter().map(Integral::correction).sum();
        let change = (correction - self.correction).abs();
        self.correction = correction;
        let throughput = self.throughput();
        let step = i32::from(change < SPARSER * throughput) - i32::from(change > DENSER * throughput);
        self.frequency = (self.frequency + step).clamp(self.densest, SPARSEST);
    }
}

/// What is missing whichever rule of quadrature is right.
fn certain(missing: f64, uncertainty: f64) -> f64 {
    missing.signum() * (missing.abs() - uncertainty.abs()).max(0.0)
}
