//! One step after another. Knows nothing of output, events or the end of the run.

use super::advance::{Advance, Estimate, Site};
use super::chart::{self, LARGEST_TURN};
use super::extents::Extents;
use super::speeds::Speeds;
use super::turns::Turns;
use super::{Method, Norm, Options, StepError, acceptance, start};
use crate::newton::Point;
use crate::system::{Kkt, KktError, State, System, Work};
use std::sync::Arc;

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
    /// Jacobians evaluated; not those that were renewed in a part of the model only.
    pub jacobians: usize,
    /// Matrices factored: Newton matrices, and those of starts, projections and reported reactions.
    pub factorizations: usize,
    /// Touches of contacts found at the ends of steps.
    pub contacts: usize,
    /// Steps shortened by contacts before they were tried.
    pub capped: usize,
    /// Steps rejected because something was struck too deep, or shapes could have passed through each other.
    pub rejected_by_contacts: usize,
    /// New patterns of the Newton matrix, because other bodies were coupled.
    pub patterns: usize,
    /// Searches for an order of elimination of the Newton matrix.
    pub orders: usize,
    /// Of those of real-time methods: how many took more operations than were known before, since pivots were lost.
    pub unplanned: usize,
}

/// Advances a system with a method.
#[derive(Debug)]
pub struct Stepper<'s> {
    method: Box<dyn Advance>,
    site: Site<'s>,
    /// Whether the accelerations where the next step begins are those of the equations, found just before.
    accelerated: bool,
    /// Whose steps these are, for the part of a tolerance that a step may take; none in the norm of papers.
    sharing: Option<Arc<dyn Method>>,
    velocities: Vec<f64>,
    turns: Turns,
    /// Whether forces read reactions that redundant constraints share.
    shares_reactions: bool,
}

impl<'s> Stepper<'s> {
    /// A stepper at a consistent state. `regularization` is that of the assembly.
    pub fn new(system: &'s System, method: Arc<dyn Method>, mut options: Options, x: &State, regularization: &[f64]) -> Self {
        if method.undamped() {
            options.newton_tolerance *= UNDAMPED;
        }
        options.formulation = options.formulation.or_first_of(method.formulations());
        let point = Point { x: x.clone(), u: x.a.clone(), w: x.x_dot.clone() };
        let mut kkt = Kkt::new(system).with_threads(options.threads);
        kkt.regularization = regularization.to_vec();
        let mut weights = vec![1.0; system.nv() + system.nx()];
        // Variables that are solved for are not integrated: no error, and Newton's method stops when what they move has settled.
        system.solved_variables().for_each(|k| weights[system.nv() + k] = 0.0);
        let extents = Extents::new(system, x);
        let speeds = Speeds::new(system, extents.lengths());
        let site = Site {
            system,
            options,
            now: point.clone(),
            next: point,
            kkt,
            work: Work::new(system),
            weights,
            extents: (options.norm == Norm::Motion).then_some(extents),
            rates: vec![1.0; if options.norm == Norm::Motion { system.nv() } else { 0 }],
            speeds,
            violation: (0.0, 0.0),
            since_start: (0, 0.0),
            statistics: Statistics::default(),
        };
        let sharing = (options.norm == Norm::Motion).then(|| method.clone());
        let shares_reactions = !regularization.is_empty() && system.forces_feel_reactions();
        let velocities = vec![0.0; system.nv()];
        Self {
            method: method.at_work(system, &options),
            site,
            accelerated: false,
            sharing,
            velocities,
            turns: Turns::new(system),
            shares_reactions,
        }
    }

    /// The run takes about this time, s: what moves by next to nothing within it is at rest.
    pub fn set_duration(&mut self, duration: f64) {
        self.site.speeds.set_duration(duration);
        self.site.extents.iter_mut().for_each(|extents| extents.set_duration(duration));
    }

    /// Takes the order of elimination that the assembly has found.
    pub fn order_like(&mut self, kkt: &Kkt) {
        self.site.kkt.order_like(kkt);
    }

    /// The system.
    pub fn system(&self) -> &'s System {
        self.site.system
    }

    /// Where the last accepted step ended.
    pub fn now(&self) -> &State {
        &self.site.now.x
    }

    /// Where the attempted step ended.
    pub fn next(&self) -> &State {
        &self.site.next.x
    }

    /// Starts (again) at a state with consistent q and v, for a first step of about `h`.
    pub fn start(&mut self, x: &State, h: f64) -> Result<(), KktError> {
        self.accelerate_at(x)?;
        self.accelerated = false;
        let Site { system, now, work, .. } = &mut self.site;
        system.remember(&mut now.x, work);
        now.u.copy_from_slice(&now.x.a);
        now.w.copy_from_slice(&now.x.x_dot);
        self.site.since_start = (0, h);
        self.update_weights();
        self.method.start(&mut self.site, h)
    }

    /// Takes a state, with its accelerations, for the one where the next step begins.
    fn accelerate_at(&mut self, x: &State) -> Result<(), KktError> {
        let site = &mut self.site;
        if !(self.accelerated && site.now.x.is_at(x)) {
            self.accelerated = false;
            site.now.x.copy_from(x);
            site.kkt.accelerate(site.system, &mut site.now.x, &mut site.work)?;
            self.accelerated = true;
        }
        Ok(())
    }

    /// Sets the inputs, or the first of them, for the steps from here on.
    pub fn set_inputs(&mut self, inputs: &[f64]) {
        self.accelerated = false;
        self.site.now.x.inputs[..inputs.len()].copy_from_slice(inputs);
    }

    /// Says exactly when the attempted step ended, where its end is known to the last digit.
    pub fn end_at(&mut self, t: f64) {
        self.site.next.x.t = t;
    }

    /// A size for the first step from a state, with which its error is about the tolerance.
    pub fn first_step(&mut self, x: &State, tolerance: f64, span: f64) -> f64 {
        let probe = 1e-6 * span;
        let accelerated = self.accelerate_at(x);
        let Site { system, now, kkt, work, .. } = &mut self.site;
        let changed = accelerated.and_then(|()| start::acceleration_ahead(system, &now.x, probe, kkt, work));
        let Ok(change) = changed else { return 1e-5 * span };
        let size = self.method.first_step(&self.site, &change, probe, self.of_a_step(tolerance));
        (0.5 * size).min(0.01 * span).max(1e-10 * span)
    }

    /// What one step may take of a tolerance.
    fn of_a_step(&self, tolerance: f64) -> f64 {
        self.sharing.as_ref().map_or(1.0, |method| method.share(tolerance)) * tolerance
    }

    /// Attempts a step; `next` holds the result. With a tolerance, gives the estimate of its error.
    pub fn attempt(&mut self, h: f64, tolerance: Option<f64>) -> Result<Option<Estimate>, StepError> {
        let Site { now, next, .. } = &mut self.site;
        next.x.inputs.copy_from_slice(&now.x.inputs);
        let tolerance = tolerance.map(|t| self.of_a_step(t));
        let estimate = self.method.attempt(&mut self.site, h, tolerance)?;
        if self.method.keeps_constraints() {
            acceptance::check(&mut self.site)?;
        }
        self.turns.check(&self.site, estimate)
    }

    /// The largest step from here that error control may take: bodies in space must not turn too far.
    pub fn longest(&self) -> f64 {
        chart::fastest(self.site.system, &self.site.now.x.v).map_or(f64::INFINITY, |(_, speed)| LARGEST_TURN / speed)
    }

    /// The largest rotation of a body over the attempted step, rad.
    pub fn largest_turn(&self) -> f64 {
        let Site { system, now, next, .. } = &self.site;
        let speed = [&now.x.v, &next.x.v].map(|v| system.largest_spin(v));
        (next.x.t - now.x.t) * speed[0].max(speed[1])
    }

    /// Attempts a step whose equations are solved to round-off.
    pub fn attempt_exactly(&mut self, h: f64) -> Result<(), StepError> {
        let tolerance = std::mem::replace(&mut self.site.options.newton_tolerance, 0.0);
        let outcome = self.attempt(h, None);
        self.site.options.newton_tolerance = tolerance;
        outcome.map(|_| ())
    }

    /// The state at `t` within the attempted step, where the method has a dense output of its own.
    pub fn between(&self, t: f64) -> Option<State> {
        self.method.between(&self.site, t)
    }

    /// Takes the attempted step.
    pub fn accept(&mut self) {
        self.accelerated = false;
        let site = &mut self.site;
        std::mem::swap(&mut site.now, &mut site.next);
        if self.shares_reactions {
            keep_smallest(site);
        }
        site.system.remember(&mut site.now.x, &mut site.work);
        site.statistics.steps += 1;
        site.since_start.0 += 1;
        self.update_weights();
        self.method.accept(&mut self.site);
    }

    /// Notes a rejected or failed step.
    pub fn reject(&mut self, failed: bool) {
        if failed {
            self.site.statistics.failed += 1;
            self.method.failed();
        } else {
            self.site.statistics.rejected += 1;
        }
    }

    /// Statistics so far.
    pub fn statistics(&self) -> Statistics {
        let own = self.site.statistics;
        Statistics { factorizations: own.factorizations + self.site.kkt.factorizations(), ..own }
    }

    /// Accelerations, multipliers and rates of states recomputed from q, v and x (with the part of v that violates the constraints taken
    /// out): of the method's order whatever the steps were.
    pub fn consistent(&mut self, x: &mut State) -> Result<(), KktError> {
        self.velocities.copy_from_slice(&x.v);
        let solved = self.site.kkt.project_and_accelerate(self.site.system, x, &mut self.site.work);
        x.v.copy_from_slice(&self.velocities);
        solved.map(|_| ())
    }

    /// Projects a changed state onto the constraints.
    pub fn project(&mut self, x: &mut State) -> Result<(), KktError> {
        self.site.kkt.project_positions(self.site.system, x, &mut self.site.work)?;
        self.site.kkt.project_velocities(self.site.system, x, &mut self.site.work)
    }

    /// Largest violations of the constraints where the attempted step ended: position and velocity level.
    pub fn violation(&self) -> (f64, f64) {
        self.site.violation
    }

    /// The velocities so far.
    pub(crate) fn speeds(&self) -> &Speeds {
        &self.site.speeds
    }

    /// The values of the sensors where the last accepted step ended, with its accelerations and reactions.
    pub fn sense(&mut self, out: &mut [f64]) {
        self.site.system.sense(&self.site.now.x, &mut self.site.work, out);
    }

    /// Where the last accepted step ended, to be changed before the next one, and work arrays.
    pub fn now_and_work(&mut self) -> (&mut State, &mut Work) {
        self.accelerated = false;
        (&mut self.site.now.x, &mut self.site.work)
    }

    /// The work arrays, for measures between steps.
    pub fn work(&mut self) -> &mut Work {
        &mut self.site.work
    }

    /// The element and the equation in which the attempted step has the largest part of its error.
    pub fn most_changed(&self) -> Option<(String, String)> {
        let system = self.site.system;
        let error = |i: usize| self.method.error_of(&self.site, i).abs();
        let worst = (0..self.site.weights.len()).max_by(|a, b| error(*a).total_cmp(&error(*b)))?;
        let state = worst.checked_sub(system.nv()).map(|i| system.row_name(system.rows() + i));
        Some(state.unwrap_or_else(|| system.balance_name(worst)))
    }

    /// 1/Y: see `extents` and `speeds`; in the norm of papers Y_i = max(1, largest |q_i| so far) (eq. 24), and the same for differential
    /// states.
    fn update_weights(&mut self) {
        let Site { system, now, weights, speeds, extents, .. } = &mut self.site;
        speeds.note(&now.x.v);
        if let Some(extents) = extents {
            extents.note(&now.x);
            return extents.weigh(&now.x, weights);
        }
        system.weigh(&now.x.q, weights);
        for (w, x) in weights[system.nv()..].iter_mut().zip(&now.x.x) {
            if *w * x.abs() > 1.0 {
                *w = 1.0 / x.abs();
            }
        }
    }
}

/// Takes the smallest of the reactions that exert the same forces; as they are where that fails.
fn keep_smallest(site: &mut Site) {
    let Site { system, kkt, now, next, work, .. } = site;
    next.x.lambda.copy_from_slice(&now.x.lambda);
    if kkt.smallest_reactions(system, &mut now.x, work).is_err() {
        now.x.lambda.copy_from_slice(&next.x.lambda);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;
    use crate::prelude::*;

    /// The state where a stepper on a pendulum stands before its first step, and how many matrices it took.
    fn started(prepare: impl Fn(&mut Stepper, &mut State)) -> (State, usize) {
        let mut model = Model::new("pendulum");
        model.set_gravity([0.0, -9.81, 0.0]);
        let bar = model.add_body(Body::planar("bar", 1.0, 0.1).at([0.5, 0.0, 0.0]));
        let (i, j) = (model.add_marker(Marker::on(bar).at([-0.5, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
        model.add_joint(Joint::new("hinge", Revolute, i, j));
        let system = System::new(&model).unwrap();
        let mut x = system.initial().clone();
        let mut stepper = Stepper::new(&system, Arc::new(Hht::default()), Options::default(), &x, &[]);
        prepare(&mut stepper, &mut x);
        stepper.start(&x, 1e-3).unwrap();
        (stepper.now().clone(), stepper.statistics().factorizations)
    }

    #[test]
    fn accelerations_found_for_the_first_step_are_those_of_the_start_unless_the_state_is_another_one() {
        let choose = |stepper: &mut Stepper, x: &State| _ = stepper.first_step(x, 1e-6, 1.0);
        let turn = |x: &mut State| (x.v[1], x.v[2]) = (0.5, 1.0);
        let (plain, count) = started(|_, _| {});
        assert_eq!(started(|stepper, x| choose(stepper, x)), (plain, count + 1));
        let (turned, count) = started(|_, x| turn(x));
        let after = started(|stepper, x| {
            choose(stepper, x);
            turn(x);
        });
        assert_eq!(after, (turned, count + 2));
    }
}
