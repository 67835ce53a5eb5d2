//! Implicit methods that solve for one acceleration-like unknown (`step`): predict, correct, estimate the error. What tells them apart is
//! in their [`Formula`].

use super::advance::{Advance, Estimate, Site, Sizes, round_off};
use super::formula::{Attempted, Formula};
use super::start::Change;
use super::{Options, StepError};
use crate::math::largest;
use crate::newton::{Corrector, Known, Predictor, Step};
use crate::system::{KktError, Rebuilds, System};

/// Errors of velocities below so many times their round-off are not looked at.
const HIDDEN: f64 = 10.0;
/// Where round-off of a velocity exceeds the tolerance so many times, the step is too short to say anything of it.
const TOO_SHORT: f64 = 300.0;
/// Newton iterations take a larger ε than one-shot solves: they refine anyway, and while redundant constraints are still being closed
/// they contradict each other a little, which a small ε turns into large multipliers.
const NEWTON_REGULARIZATION: f64 = 100.0;
/// The stopping test's c.
const STOPPING: f64 = 1e-3;
/// With redundant constraints, which pull against each other until they are closed, a part of it.
const REDUNDANT: f64 = 0.03;

/// By which part of the tolerance velocities may be off.
const VELOCITIES: f64 = 0.03;

/// An implicit method at work.
#[derive(Debug)]
pub struct Implicit<F> {
    formula: F,
    known: Known,
    predictor: Predictor,
    corrector: Corrector,
    regularization: Vec<f64>,
    /// 1/Y of the velocities, less where round-off shows.
    rates: Vec<f64>,
    /// Size of the attempted step.
    tried: f64,
}

impl<F: Formula> Implicit<F> {
    /// With this formula.
    pub fn new(system: &System, options: &Options, formula: F) -> Self {
        Self {
            formula,
            known: Known::new(system),
            predictor: Predictor::new(system.unknowns(), options.predictor_degree),
            corrector: Corrector::new(system, options.threads),
            regularization: Vec::new(),
            rates: Vec::with_capacity(system.nv()),
            tried: 0.0,
        }
    }

    fn predict(&mut self, site: &mut Site, h: f64) {
        let next = &mut site.next;
        next.x.t = site.now.x.t + h;
        self.predictor.predict(h, [&mut next.u, &mut next.w, &mut next.x.lambda]);
        next.x.memory.copy_from(&site.now.x.memory);
    }

    fn remember(&mut self, site: &Site) {
        let now = &site.now;
        self.predictor.push(self.tried, [&now.u, &now.w, &now.x.lambda], &site.weights);
    }

    /// Short steps, over which velocities move positions by `c` times themselves, turn round-off of positions into velocities, which are then
    /// held to what it allows.
    fn hold_rates(&mut self, site: &Site, c: f64, tolerance: f64) {
        let held = |(rate, moving): (&f64, &f64)| {
            let round_off = round_off(*rate, *moving, c);
            let known = round_off <= TOO_SHORT * tolerance;
            if known { rate * (tolerance / (HIDDEN * round_off)).min(1.0) } else { 0.0 }
        };
        self.rates.clear();
        self.rates.extend(site.rates.iter().zip(&site.weights).map(held));
    }

    fn count(&mut self, site: &mut Site) {
        let counts = std::mem::take(&mut self.corrector.counts);
        let s = &mut site.statistics;
        s.newton_iterations += counts.iterations;
        s.evaluations += counts.evaluations;
        s.jacobians += counts.jacobians;
        s.factorizations = self.corrector.factorizations();
        let Rebuilds { patterns, searches, .. } = self.corrector.rebuilds();
        (s.patterns, s.orders) = (patterns, searches);
    }
}

impl<F: Formula> Advance for Implicit<F> {
    fn start(&mut self, site: &mut Site, h: f64) -> Result<(), KktError> {
        self.formula.start(site.system, &site.options, h, &mut site.now, &mut site.kkt, &mut site.work)?;
        self.regularization = site.kkt.regularization.iter().map(|e| NEWTON_REGULARIZATION * e).collect();
        self.predictor.reset();
        self.corrector.reset();
        self.corrector.order_like(&site.kkt);
        self.remember(site);
        Ok(())
    }

    fn attempt(&mut self, site: &mut Site, h: f64, tolerance: Option<f64>) -> Result<Option<Estimate>, StepError> {
        let coefficients = self.formula.prepare(site.system, &site.now, h, &mut self.known);
        self.tried = h;
        self.predict(site, h);
        let (weights, state_weights) = site.weights.split_at(site.system.nv());
        let stopping = if self.regularization.is_empty() { STOPPING } else { STOPPING * REDUNDANT };
        let quickest = site.sizes().quickest().max(f64::MIN_POSITIVE);
        let of_velocities = VELOCITIES * tolerance.unwrap_or(0.0) / (coefficients.velocity * quickest);
        let step = Step {
            coefficients,
            known: &self.known,
            base: self.formula.base(&site.now),
            from: &site.now,
            weights,
            state_weights,
            regularization: &self.regularization,
            accuracy: tolerance.map(|e| stopping * e / coefficients.error).map(|u| u.min(of_velocities)),
            formulation: site.options.formulation,
            sizes: [1.0 + largest(&site.now.x.q), 1.0 + largest(&site.now.x.v)],
        };
        let solved = self.corrector.solve(site.system, &site.options, &step, &mut site.next, &mut site.work);
        site.violation = self.corrector.violation();
        self.count(site);
        solved?;
        let Some(tolerance) = tolerance else { return Ok(None) };
        site.weigh();
        self.hold_rates(site, coefficients.velocity, tolerance);
        let attempted = Attempted { system: site.system, now: &site.now, next: &site.next };
        let filter = &mut |error: &mut [f64]| self.corrector.filter(site.system, &site.next.x.q, coefficients.acceleration, error);
        let sizes = Sizes { rates: &self.rates, ..site.sizes() };
        Ok(Some(self.formula.estimate(&attempted, sizes, tolerance, filter)))
    }

    fn accept(&mut self, site: &mut Site) {
        self.formula.accept(site.system, &site.now);
        self.remember(site);
    }

    fn failed(&mut self) {
        self.corrector.reset();
    }

    fn error_of(&self, site: &Site, entry: usize) -> f64 {
        self.formula.error_of(site.system, &site.now, &site.next, site.sizes(), entry)
    }

    fn first_step(&self, site: &Site, change: &Change, probe: f64, tolerance: f64) -> f64 {
        self.formula.first_step(change, probe, site.sizes(), tolerance)
    }
}
