//! One step after another: predict, correct, estimate the error. Knows nothing of output, events or the end of the run.

use super::corrector::Corrector;
use super::formula::{Estimate, Formula, Sizes};
use super::predictor::Predictor;
use super::step::{Known, Point, Step};
use super::{Method, Options, StepError, start};
use crate::bodies::Kind;
use crate::math::largest;
use crate::system::{Kkt, KktError, State, System, Work};
use std::sync::Arc;

/// Newton iterations take a larger ε than one-shot solves: they refine anyway, and while redundant constraints are still being closed
/// they contradict each other a little, which a small ε turns into large multipliers.
const NEWTON_REGULARIZATION: f64 = 100.0;
/// The stopping test's c.
const STOPPING: f64 = 1e-3;
/// With redundant constraints, which pull against each other until they are closed, a part of it.
const REDUNDANT: f64 = 0.03;
/// Undamped methods solve so much more accurately: with index 3 they keep, and amplify, whatever disturbs a multiplier.
const UNDAMPED: f64 = 1e-6;

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
    formula: Box<dyn Formula>,
    options: Options,
    /// Where the last accepted step ended.
    pub now: Point,
    /// Where the attempted step ended.
    pub next: Point,
    known: Known,
    predictor: Predictor,
    corrector: Corrector,
    kkt: Kkt,
    regularization: Vec<f64>,
    work: Work,
    /// 1/Y: Y the sizes of the coordinates behind u, then of the differential states.
    weights: Vec<f64>,
    velocities: Vec<f64>,
    /// Size of the attempted step.
    tried: f64,
    statistics: Statistics,
}

impl<'s> Stepper<'s> {
    /// A stepper at a consistent state. `regularization` is that of the assembly.
    pub fn new(system: &'s System, method: Arc<dyn Method>, mut options: Options, x: &State, regularization: &[f64]) -> Self {
        if method.undamped() {
            options.newton_tolerance *= UNDAMPED;
        }
        let point = Point { x: x.clone(), u: x.a.clone(), w: x.x_dot.clone() };
        let mut kkt = Kkt::new(system).with_threads(options.threads);
        kkt.regularization = regularization.to_vec();
        Self {
            system,
            formula: method.formula(system),
            options,
            now: point.clone(),
            next: point,
            known: Known::new(system),
            predictor: Predictor::new(system.unknowns(), options.predictor_degree),
            corrector: Corrector::new(system, options.threads),
            kkt,
            regularization: regularization.iter().map(|e| NEWTON_REGULARIZATION * e).collect(),
            work: Work::new(system),
            weights: vec![1.0; system.nv() + system.nx()],
            velocities: vec![0.0; system.nv()],
            tried: 0.0,
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
        let (now, kkt, work) = (&mut self.now, &mut self.kkt, &mut self.work);
        now.u.copy_from_slice(&now.x.a);
        now.w.copy_from_slice(&now.x.x_dot);
        self.formula.start(self.system, &self.options, h, now, kkt, work)?;
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
        let size = self.formula.first_step(&self.now, &change, probe, self.sizes(), tolerance);
        (0.5 * size).min(0.01 * span).max(1e-10 * span)
    }

    /// Attempts a step; `next` holds the result. With a tolerance, gives the estimate of its error.
    pub fn attempt(&mut self, h: f64, tolerance: Option<f64>) -> Result<Option<Estimate>, StepError> {
        let coefficients = self.formula.prepare(self.system, &self.now, h, &mut self.known);
        self.tried = h;
        self.predict(h);
        let (weights, state_weights) = self.weights.split_at(self.system.nv());
        let stopping = if self.regularization.is_empty() { STOPPING } else { STOPPING * REDUNDANT };
        let step = Step {
            coefficients,
            known: &self.known,
            from: &self.now,
            weights,
            state_weights,
            regularization: &self.regularization,
            accuracy: tolerance.map(|e| stopping * e / coefficients.error),
            formulation: self.options.formulation,
            sizes: [1.0 + largest(&self.now.x.q), 1.0 + largest(&self.now.x.v)],
        };
        let solved = self.corrector.solve(self.system, &self.options, &step, &mut self.next, &mut self.work);
        self.count();
        solved?;
        let (moving, states) = self.weights.split_at(self.system.nv());
        Ok(tolerance.map(|e| self.formula.estimate(self.system, &self.now, &self.next, Sizes { moving, states }, e)))
    }

    /// Attempts a step whose equations are solved to round-off.
    pub fn attempt_exactly(&mut self, h: f64) -> Result<(), StepError> {
        let tolerance = std::mem::replace(&mut self.options.newton_tolerance, 0.0);
        let outcome = self.attempt(h, None);
        self.options.newton_tolerance = tolerance;
        outcome.map(|_| ())
    }

    fn sizes(&self) -> Sizes<'_> {
        let (moving, states) = self.weights.split_at(self.system.nv());
        Sizes { moving, states }
    }

    /// Takes the attempted step.
    pub fn accept(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.formula.accept(self.system, &self.now);
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
        let solved = self.kkt.project_and_accelerate(self.system, x, &mut self.work);
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

    /// Largest violations of the constraints where the attempted step ended: position and velocity level.
    pub fn violation(&self) -> (f64, f64) {
        self.corrector.violation()
    }

    /// The work arrays, for measures between steps.
    pub fn work(&mut self) -> &mut Work {
        &mut self.work
    }

    fn predict(&mut self, h: f64) {
        let next = &mut self.next;
        next.x.t = self.now.x.t + h;
        self.predictor.predict(h, [&mut next.u, &mut next.w, &mut next.x.lambda]);
        next.x.memory.copy_from_slice(&self.now.x.memory);
    }

    /// The element and the equation in which the attempted step has the largest part of its error.
    pub fn most_changed(&self) -> Option<(String, String)> {
        let nv = self.system.nv();
        let error = |i: usize| self.formula.error_of(self.system, &self.now, &self.next, self.sizes(), i).abs();
        let worst = (0..self.weights.len()).max_by(|a, b| error(*a).total_cmp(&error(*b)))?;
        let state = worst.checked_sub(nv).map(|i| self.system.row_name(self.system.rows() + i));
        Some(state.unwrap_or_else(|| self.system.balance_name(worst)))
    }

    /// 1/Y_i with Y_i = max(1, largest |q_i| so far) (eq. 24), and the same for differential states.
    fn update_weights(&mut self) {
        let mut size = [0.0; 6];
        for body in self.system.bodies() {
            body.shape.magnitudes(&self.now.x.q[body.q()], &mut size);
            for (w, s) in self.weights[body.v()].iter_mut().zip(&size) {
                if *w * s > 1.0 {
                    *w = 1.0 / s;
                }
            }
        }
        for (w, x) in self.weights[self.system.nv()..].iter_mut().zip(&self.now.x.x) {
            if *w * x.abs() > 1.0 {
                *w = 1.0 / x.abs();
            }
        }
    }

    fn remember_history(&mut self) {
        let now = &self.now;
        self.predictor.push(self.tried, [&now.u, &now.w, &now.x.lambda], &self.weights);
    }

    fn count(&mut self) {
        let counts = std::mem::take(&mut self.corrector.counts);
        self.statistics.newton_iterations += counts.iterations;
        self.statistics.evaluations += counts.evaluations;
        self.statistics.jacobians += counts.jacobians;
    }
}
