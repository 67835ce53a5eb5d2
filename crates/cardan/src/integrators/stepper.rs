//! One step after another: predict, correct, estimate the error. Knows nothing of output, events or the end of the run.

use super::corrector::Corrector;
use super::predictor::Predictor;
use super::step::{Point, Step};
use super::{Method, Options, Startup, StepError, StepRatio, start};
use crate::bodies::Kind;
use crate::math::weighted_rms;
use crate::system::{Kkt, KktError, Smoothness, State, System, Work};
use std::sync::Arc;

/// Newton iterations take a larger ε than one-shot solves: they refine anyway, and while redundant constraints are still being closed
/// they contradict each other a little, which a small ε turns into large multipliers.
const NEWTON_REGULARIZATION: f64 = 100.0;
/// The stopping test's c.
const STOPPING: f64 = 1e-3;

/// Solver statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Steps rejected by the error test.
    pub rejected: usize,
    /// Steps given up by the corrector.
    pub failed: usize,
    /// Newton iterations.
    pub newton_iterations: usize,
    /// Residual evaluations.
    pub evaluations: usize,
    /// Jacobians evaluated.
    pub jacobians: usize,
    /// Matrices factored: Newton matrices, and those of starts, projections and reported reactions.
    pub factorizations: usize,
}

/// Advances a system with a method.
#[derive(Debug)]
pub struct Stepper<'s> {
    system: &'s System,
    method: Arc<dyn Method>,
    options: Options,
    /// Where the last accepted step ended.
    pub now: Point,
    /// Where the attempted step ended.
    pub next: Point,
    predictor: Predictor,
    corrector: Corrector,
    kkt: Kkt,
    regularization: Vec<f64>,
    work: Work,
    history: Vec<f64>,
    /// Sizes of the coordinates behind u, then of the differential states.
    weights: Vec<f64>,
    velocities: Vec<f64>,
    statistics: Statistics,
}

impl<'s> Stepper<'s> {
    /// A stepper at a consistent state. `regularization` is that of the assembly.
    pub fn new(system: &'s System, method: Arc<dyn Method>, options: Options, x: &State, regularization: &[f64]) -> Self {
        let point = Point { x: x.clone(), u: x.a.clone(), w: x.x_dot.clone(), f: vec![0.0; system.nv()], step: None };
        let mut kkt = Kkt::new(system);
        kkt.regularization = regularization.to_vec();
        let length = system.unknowns();
        Self {
            system,
            method,
            options,
            now: point.clone(),
            next: point,
            predictor: Predictor::new(length, options.predictor_degree),
            corrector: Corrector::new(system),
            kkt,
            regularization: regularization.iter().map(|e| NEWTON_REGULARIZATION * e).collect(),
            work: Work::new(system),
            history: vec![0.0; length],
            weights: vec![1.0; system.nv() + system.nx()],
            velocities: vec![0.0; system.nv()],
            statistics: Statistics::default(),
        }
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// Starts (again) at a state with consistent q and v, for a first step of about `h`.
    pub fn start(&mut self, x: &State, h: f64) -> Result<(), KktError> {
        self.now.x.copy_from(x);
        self.kkt.accelerate(self.system, &mut self.now.x, &mut self.work)?;
        self.now.u.copy_from_slice(&self.now.x.a);
        self.now.w.copy_from_slice(&self.now.x.x_dot);
        self.now.step = None;
        // f₀ = −M v̇₀, before v₀ is shifted.
        self.now.f.fill(0.0);
        self.system.add_mass_times(&self.now.x.a, -1.0, &mut self.now.f);
        let startup = if self.options.startup == Startup::Default { self.method.startup() } else { self.options.startup };
        if startup == Startup::Corrected {
            let scheme = self.method.scheme(StepRatio::FIRST);
            let (kkt, work) = (&mut self.kkt, &mut self.work);
            start::correct(self.system, &*self.method, &scheme, self.options.formulation, h, &mut self.now, kkt, work)?;
        }
        self.predictor.reset();
        self.corrector.reset();
        self.update_weights();
        self.remember_history();
        Ok(())
    }

    /// A step size with which the first step's error is about the tolerance.
    pub fn first_step(&mut self, tolerance: f64, span: f64) -> f64 {
        let probe = 1e-6 * span;
        let (x, kkt, work) = (&mut self.now.x, &mut self.kkt, &mut self.work);
        let changed = kkt.accelerate(self.system, x, work).and_then(|()| start::acceleration_change(self.system, x, probe, kkt, work));
        let Ok(change) = changed else { return 1e-5 * span };
        let (weights, state_weights) = self.weights.split_at(self.system.nv());
        let jerk = weighted_rms(&change.a, weights) / probe;
        let constant = self.method.error_constant().abs().max(1e-3);
        let size = (tolerance / (constant * jerk).max(f64::MIN_POSITIVE)).cbrt();
        // The first step has no second difference of w to look at: the first one is held against the tolerance.
        let bend = weighted_rms(&change.x_dot, state_weights) / probe;
        let constant = self.state_constants()[1].abs();
        let size = size.min((tolerance / (constant * bend).max(f64::MIN_POSITIVE)).sqrt());
        (0.5 * size).min(0.01 * span).max(1e-10 * span)
    }

    /// Attempts a step; `next` holds the result. With a tolerance, returns the error ratio √Θ (otherwise 0).
    pub fn attempt(&mut self, h: f64, tolerance: Option<f64>) -> Result<f64, StepError> {
        let ratio = match self.now.step {
            None => StepRatio::FIRST,
            Some((s, previous)) => StepRatio { ratio: h / previous, previous: Some([s.gamma, s.states.theta]) },
        };
        let scheme = self.method.scheme(ratio);
        let constant = self.method.error_constant().abs() * h * h;
        self.predict(h);
        let step = Step {
            scheme,
            h,
            from: &self.now,
            weights: &self.weights[..self.system.nv()],
            state_weights: &self.weights[self.system.nv()..],
            regularization: &self.regularization,
            accuracy: tolerance.map(|e| constant / (STOPPING * e)),
        };
        let solved = self.corrector.solve(self.system, &self.options, &step, &mut self.next, &mut self.work);
        self.count();
        solved?;
        self.next.f.copy_from_slice(&self.work.f);
        self.next.step = Some((scheme, h));
        Ok(tolerance.map_or(0.0, |e| (constant * self.change()).max(self.state_error(h)) / e))
    }

    /// Takes the attempted step.
    pub fn accept(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.system.remember(&mut self.now.x, &mut self.work);
        self.update_weights();
        self.remember_history();
        self.statistics.steps += 1;
    }

    /// Notes a rejected or failed step.
    pub fn reject(&mut self, failed: bool) {
        if failed {
            self.statistics.failed += 1;
            self.corrector.reset();
        } else {
            self.statistics.rejected += 1;
        }
    }

    /// Statistics so far.
    pub fn statistics(&self) -> Statistics {
        Statistics { factorizations: self.corrector.factorizations() + self.kkt.factorizations(), ..self.statistics }
    }

    /// Accelerations, multipliers and rates of states recomputed from q, v and x (with the part of v that violates the constraints taken
    /// out): of the method's order whatever the steps were.
    pub fn consistent(&mut self, x: &mut State) -> Result<(), KktError> {
        self.velocities.copy_from_slice(&x.v);
        let projected = self.kkt.project_velocities(self.system, x, &mut self.work);
        let solved = projected.and_then(|()| self.kkt.accelerate(self.system, x, &mut self.work));
        x.v.copy_from_slice(&self.velocities);
        solved
    }

    /// Projects interpolated positions onto the constraints.
    pub fn project_positions(&mut self, x: &mut State) -> Result<(), KktError> {
        self.kkt.project_positions(self.system, x, &mut self.work).map(|_| ())
    }

    /// Projects a changed state onto the constraints.
    pub fn project(&mut self, x: &mut State) -> Result<(), KktError> {
        self.project_positions(x)?;
        self.kkt.project_velocities(self.system, x, &mut self.work)
    }

    /// Largest violations of the constraints at the last evaluated point: position and velocity level.
    pub fn violation(&self) -> (f64, f64) {
        self.system.evaluated_violation(&self.work)
    }

    /// The work arrays, for measures between steps.
    pub fn work(&mut self) -> &mut Work {
        &mut self.work
    }

    fn predict(&mut self, h: f64) {
        let (nv, moving) = (self.system.nv(), self.weights.len());
        let t = self.now.x.t + h;
        self.predictor.predict(t, &mut self.history);
        self.next.u.copy_from_slice(&self.history[..nv]);
        self.next.w.copy_from_slice(&self.history[nv..moving]);
        self.next.x.lambda.copy_from_slice(&self.history[moving..]);
        self.next.x.t = t;
        self.next.x.memory.copy_from_slice(&self.now.x.memory);
    }

    fn change(&self) -> f64 {
        let sum: f64 = self.next.u.iter().zip(&self.now.u).zip(&self.weights).map(|((a, b), y)| ((a - b) / y).powi(2)).sum();
        (sum / self.system.nv().max(1) as f64).sqrt()
    }

    fn state_constants(&self) -> [f64; 2] {
        self.method.scheme(StepRatio::FIRST).states.error_constants()
    }

    /// The local error of the attempted step in differential states, against their sizes.
    fn state_error(&self, h: f64) -> f64 {
        let sum: f64 = (0..self.system.nx()).map(|i| self.error_of_state(i, h).powi(2)).sum();
        (sum / self.system.nx().max(1) as f64).sqrt()
    }

    /// The error of one state (equation 3 of `states`). Without a step before, the whole change of w stands for its second
    /// difference. Of states with rough rates the integral is controlled, as positions are: a jump of w over a short step would not
    /// fall with the step.
    fn error_of_state(&self, i: usize, h: f64) -> f64 {
        let (at, [first, second]) = (self.system.nv() + i, self.state_constants());
        let change = self.next.w[i] - self.now.w[i];
        if self.system.smoothness(i) == Smoothness::Rough {
            return h * h * second * change / self.weights[at];
        }
        let bend = self.predictor.slope().map_or(change, |(slope, last)| (change - h * slope[at]) * 2.0 * h / (h + last));
        h * (first * change + second * bend) / self.weights[at]
    }

    /// The element and the equation in which the attempted step has the largest part of its error.
    pub fn most_changed(&self) -> Option<(String, String)> {
        let (nv, h) = (self.system.nv(), self.next.step?.1);
        let constant = self.method.error_constant().abs() * h * h;
        let moved = (0..nv).map(|i| constant * (self.next.u[i] - self.now.u[i]) / self.weights[i]);
        let errors = moved.chain((0..self.system.nx()).map(|i| self.error_of_state(i, h))).enumerate();
        let (worst, _) = errors.max_by(|(_, a), (_, b)| a.abs().total_cmp(&b.abs()))?;
        let state = worst.checked_sub(nv).map(|i| self.system.row_name(self.system.rows() + i));
        Some(state.unwrap_or_else(|| self.system.balance_name(worst)))
    }

    /// Y_i = max(1, largest |q_i| so far) (eq. 24), and the same for differential states.
    fn update_weights(&mut self) {
        let mut size = [0.0; 6];
        for body in self.system.bodies() {
            body.shape.magnitudes(&self.now.x.q[body.q()], &mut size);
            for (y, s) in self.weights[body.v()].iter_mut().zip(&size) {
                *y = y.max(*s);
            }
        }
        for (y, x) in self.weights[self.system.nv()..].iter_mut().zip(&self.now.x.x) {
            *y = y.max(x.abs());
        }
    }

    fn remember_history(&mut self) {
        let (nv, moving) = (self.system.nv(), self.weights.len());
        self.history[..nv].copy_from_slice(&self.now.u);
        self.history[nv..moving].copy_from_slice(&self.now.w);
        self.history[moving..].copy_from_slice(&self.now.x.lambda);
        self.predictor.push(self.now.x.t, &self.history, &self.weights);
    }

    fn count(&mut self) {
        let counts = std::mem::take(&mut self.corrector.counts);
        self.statistics.newton_iterations += counts.iterations;
        self.statistics.evaluations += counts.evaluations;
        self.statistics.jacobians += counts.jacobians;
    }
}
