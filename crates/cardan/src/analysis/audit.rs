//! The balance of energy of a run as it goes (see `results/balance.rs` for its terms and `system/power.rs` for the powers). Powers are
//! taken at the ends of steps, every so many of them, and within steps where these are long, and integrated (`quadrature`).
//!
//! Motions and friction need multipliers that are consistent with q and v: those of index-3 methods jump with the step size (see
//! `docs/decisions/0007-reported-accelerations.md`). They cost a factorisation, so powers are taken only as often as the accuracy of the
//! quadrature asks for: at every step where its two rules differ or steps become short, less often where they agree. The differences of
//! the rules, taken as independent errors of the intervals, tell how well the work is known.

use super::hints::Steps;
use super::quadrature::{Integral, Intervals};
use crate::results::{EnergyBalance, Exchanged, Missing};
use crate::system::{Accounts, Energy, Exchanger, Kkt, State, System, Through, Work};

/// Powers are taken more (less) often where the two rules differ by more (less) than these parts of the throughput in an interval.
const DENSER: f64 = 1e-3;
const SPARSER: f64 = 1e-4;
/// Powers are taken every 2^n steps at the least: n where they cost an evaluation, and where they cost a factorisation or nothing.
const SPARSEST: [i32; 2] = [2, 4];
/// Of methods of at least this order at most 2^−n times a step; that is how a run begins.
const HIGH: usize = 4;
const DENSEST: i32 = -3;
/// As many less with steps of equal size, which do not become short where powers change.
const EQUAL: i32 = 1;
/// So many times after a kink or an event powers are taken nearly as often as can be: by 2^n less.
const CLOSELY: usize = 16;
const EASED: i32 = 1;
/// Only what is missing beyond so many times the uncertainty of the work is missing for sure.
pub(super) const SAFETY: f64 = 3.0;
/// Steps that are shorter by this factor are worth a look.
const SHORT: f64 = 0.5;

/// The books of a run.
#[derive(Debug)]
pub(super) struct Audit<'s> {
    system: &'s System,
    exchangers: Vec<Exchanger>,
    integrals: Vec<Integral>,
    powers: Vec<f64>,
    fresh: Vec<f64>,
    intervals: Intervals,
    solver: Option<Kkt>,
    state: State,
    work: Work,
    /// Powers are taken every 2^spacing steps, or 2^−spacing times a step; and the limits of the spacing.
    spacing: i32,
    limits: [i32; 2],
    /// Steps since they were taken, and the length of the last one before.
    steps: i32,
    length: f64,
    /// Balances made on this page.
    looks: usize,
    /// The correction of the quadrature when they were, and the sum of the squares of its changes.
    correction: f64,
    variance: f64,
    /// Stored at the start, of which nothing is known before; and where the books were closed last.
    start: Option<f64>,
    stored: f64,
    /// The most that was ever stored.
    most: f64,
    jumps: f64,
    kinetic: f64,
    potential: [f64; 2],
    /// The largest work of each way.
    works: [f64; 3],
    worst: Missing,
}

impl<'s> Audit<'s> {
    /// Empty books. `solver` is that of the assembly, `order` that of the method.
    pub fn new(system: &'s System, solver: &Kkt, regularization: &[f64], order: usize, steps: Steps) -> Self {
        let exchangers = system.exchangers();
        let own = || {
            let mut own = Kkt::new(system);
            own.order_like(solver);
            own.regularization = regularization.to_vec();
            own
        };
        let felt = system.reads_unknowns() || exchangers.iter().any(|e| e.through == Through::Motion);
        let n = exchangers.len();
        let densest = if order < HIGH { 0 } else { DENSEST };
        let sparsest = SPARSEST[usize::from(felt || n == 0)] - if steps == Steps::Fixed { EQUAL } else { 0 };
        Self {
            system,
            integrals: vec![Integral::default(); n],
            powers: vec![0.0; n],
            fresh: vec![0.0; n],
            intervals: Intervals::default(),
            solver: (felt && n > 0).then(own),
            state: system.initial().clone(),
            work: Work::new(system),
            spacing: densest,
            limits: [densest, sparsest],
            steps: 0,
            length: 0.0,
            looks: 0,
            correction: 0.0,
            variance: 0.0,
            start: None,
            stored: 0.0,
            most: f64::NEG_INFINITY,
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
        // What begins with a kink or an event, such as a bounce, may be over within a few steps.
        (self.steps, self.spacing, self.looks) = (0, self.limits[0], 0);
        self.system.powers(&self.exchangers, x, &mut self.work, &mut self.powers);
        self.integrals.iter_mut().zip(&self.powers).for_each(|(i, p)| i.start(*p));
    }

    /// How many parts of a step should be looked at.
    pub fn parts(&self) -> usize {
        if self.exchangers.is_empty() { 1 } else { 1 << (-self.spacing).max(0) }
    }

    /// Looks at every step from here on.
    pub fn look_closely(&mut self) {
        self.spacing = self.spacing.min(0);
    }

    /// Counts a step of length h; says whether powers should be taken at its end.
    pub fn is_due(&mut self, h: f64) -> bool {
        self.steps += 1;
        if h < SHORT * self.length {
            self.look_closely();
        }
        let due = self.steps >= 1 << self.spacing.max(0);
        if due {
            self.length = h;
        }
        due
    }

    /// Takes the powers at a state with any accelerations and multipliers. Where they are not known, in a singular configuration or where a
    /// function has no value between two steps, they are taken to be those before.
    pub fn note(&mut self, x: &State) {
        self.enter(x, |_| ());
    }

    /// The same, and what else is to be known there; nothing where powers are known already.
    fn enter<T>(&mut self, x: &State, more: impl FnOnce(&mut Accounts) -> T) -> Option<T> {
        if x.t <= self.intervals.end() {
            return None;
        }
        let Self { system, exchangers, solver, state, work, fresh, .. } = self;
        state.copy_from(x);
        let felt = system.powers_feel_reactions(exchangers, x, work);
        let solved = solver.as_mut().filter(|_| felt).map(|solver| solver.project_and_accelerate(system, state, work));
        state.v.copy_from_slice(&x.v);
        let mut accounts = system.accounts(state, work);
        accounts.powers(exchangers, fresh);
        let more = more(&mut accounts);
        if solved.is_none_or(|solved| solved.is_ok()) && fresh.iter().all(|p| p.is_finite()) {
            self.powers.copy_from_slice(&self.fresh);
        }
        let interval = self.intervals.add(x.t);
        let doubt: f64 = self.integrals.iter_mut().zip(&self.powers).map(|(i, p)| i.add(interval, *p)).sum();
        self.variance += doubt * doubt;
        Some(more)
    }

    /// Makes the balance at the end of a step.
    pub fn balance(&mut self, x: &State) {
        match self.enter(x, |accounts| accounts.stored()) {
            Some(energy) => self.keep(energy),
            None => self.look(x),
        };
        self.steps = 0;
        self.choose_spacing();
        let missing = self.missing();
        if missing.abs() > self.worst.energy.abs() {
            self.worst = Missing { t: x.t, energy: missing };
        }
    }

    /// What is missing for sure at the last balance, J: what came out of nothing and is still there, above the lowest potential energy so
    /// far; and what is gone and was there, below the largest energy stored so far.
    pub fn for_sure(&self) -> [f64; 2] {
        let (missing, doubt) = (self.missing(), SAFETY * self.uncertainty());
        [(missing - doubt).min(self.stored - self.potential[0]), (-missing - doubt).min(self.most - self.stored)]
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
            dissipated: 0.0 - damping,
            jumps: self.jumps,
            missing: self.missing(),
            uncertainty: self.uncertainty(),
            worst: self.worst,
            throughput: self.throughput(),
            exchanged: self.exchangers.iter().zip(&self.integrals).map(exchanged).collect(),
        }
    }

    /// Stored energy of a state, which is part of the throughput.
    fn look(&mut self, x: &State) -> f64 {
        let energy = self.system.accounts(x, &mut self.work).stored();
        self.keep(energy)
    }

    fn keep(&mut self, Energy { kinetic, potential, .. }: Energy) -> f64 {
        self.kinetic = self.kinetic.max(kinetic);
        self.potential = [self.potential[0].min(potential), self.potential[1].max(potential)];
        self.stored = kinetic + potential;
        self.most = self.most.max(self.stored);
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

    /// How well the work is known, J.
    fn uncertainty(&self) -> f64 {
        self.variance.sqrt()
    }

    /// How often powers are taken from here on.
    fn choose_spacing(&mut self) {
        let totals = self.totals();
        self.works.iter_mut().zip(totals).for_each(|(most, work)| *most = most.max(work.abs()));
        let correction: f64 = self.integrals.iter().map(Integral::correction).sum();
        let change = (correction - self.correction).abs();
        self.correction = correction;
        self.variance += change * change;
        let ([densest, sparsest], throughput) = (self.limits, self.throughput());
        self.looks += 1;
        if change > DENSER * throughput {
            self.spacing = (self.spacing - 1).clamp(densest, 0);
        } else if self.looks < CLOSELY {
            self.spacing = densest + EASED.min(-densest);
        } else if change < SPARSER * throughput || self.exchangers.is_empty() {
            self.spacing = (self.spacing + 1).min(sparsest);
        }
    }
}
