//! An Euler step: what is known at its start, its solution (`solution`), where it ended.

use super::guard::Guard;
use super::mean::{ITERATIONS, Mean};
use super::operations;
use super::settings::{EulerSettings, Jacobian};
use super::solver::Solver;
use crate::constraints::Level;
use crate::integrators::advance::{Advance, Estimate, Site};
use crate::integrators::start::Change;
use crate::integrators::{Operations, Options, StepError};
use crate::math::is_finite;
use crate::newton;
use crate::system::{Evaluated, Kkt, KktError, State, System, Terms, Weights, Work};
use std::ops::Range;

/// Corrections for free bodies that turn.
const FREE: usize = 2;

/// An Euler method at work.
#[derive(Debug)]
pub(super) struct AtWork {
    /// Where forces are evaluated.
    here: State,
    step: EulerStep,
}

/// A step and what it takes.
#[derive(Debug)]
pub(super) struct EulerStep {
    pub(super) settings: EulerSettings,
    /// M, Gᵀ, G: for accelerations, multipliers and projections.
    pub(super) constrained: Solver,
    /// M − h J_v, with the constraints of velocities or without any.
    pub(super) implicit: Solver,
    /// Right-hand sides: Q, and all of (1).
    pub(super) forces: Vec<f64>,
    pub(super) load: Vec<f64>,
    /// That of the constraints.
    pub(super) rows: Vec<f64>,
    /// Scratch.
    pub(super) shift: Vec<f64>,
    pub(super) slopes: Vec<f64>,
    pub(super) q: Vec<f64>,
    /// Unknowns of a symplectic step so far.
    pub(super) total: Vec<f64>,
    /// Reactions of both halves of the last symplectic step, and of the attempted one.
    pub(super) halves: [Vec<f64>; 2],
    pub(super) tried: [Vec<f64>; 2],
    /// λ for K of a symplectic step.
    pub(super) foreseen: Vec<f64>,
    /// Forces that change sides with the state, of a symplectic step.
    pub(super) mean: Option<Box<Mean>>,
    pub(super) negative: Vec<f64>,
    /// Loads found by the iteration before, and the work by which they were missed.
    pub(super) found: Vec<f64>,
    pub(super) missed: f64,
    pub(super) room: Vec<f64>,
    /// Places of the constraints in vectors, and of their block rows.
    pub(super) lambda: Range<usize>,
    pub(super) blocks: Range<usize>,
    pub(super) traits: Traits,
    pub(super) operations: Operations,
    guard: Guard,
}

/// What of a system decides on the operations of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Traits {
    /// Forces read accelerations, reactions or rates of states, and are linearised about those of the step before.
    pub reads_unknowns: bool,
    /// Forces depend on the time by themselves.
    pub reads_time: bool,
    /// There are constraints.
    pub constrained: bool,
    /// Some of them are of velocity level.
    pub nonholonomic: bool,
    /// There are gyroscopic forces.
    pub turns: bool,
    /// Forces change sides with the state.
    pub switches: bool,
}

impl Traits {
    pub fn of(system: &System) -> Self {
        let (reads_unknowns, reads_time) = (system.reads_unknowns(), system.reads_time());
        Self {
            reads_unknowns,
            reads_time,
            constrained: system.rows() > 0,
            nonholonomic: !system.is_holonomic(),
            turns: system.attitudes().next().is_some(),
            switches: system.switches().in_forces(),
        }
    }

    /// Corrections of a symplectic step.
    pub fn corrections(&self, settings: &EulerSettings) -> usize {
        // Those of constraints do for bodies that turn, too.
        let of_constraints = if self.constrained { settings.projections } else { 0 };
        let of_forces = if self.switches { ITERATIONS } else { FREE * usize::from(self.turns && !self.constrained) };
        of_constraints.max(of_forces)
    }
}

impl AtWork {
    pub fn new(system: &System, options: &Options, settings: EulerSettings) -> Self {
        Self { here: system.initial().clone(), step: EulerStep::new(system, options, settings) }
    }
}

impl EulerStep {
    fn new(system: &System, options: &Options, settings: EulerSettings) -> Self {
        let (n, bodies) = (system.unknowns(), system.bodies().len());
        Self {
            settings,
            constrained: Solver::new(system, options.threads),
            implicit: Solver::new(system, options.threads),
            forces: vec![0.0; n],
            load: vec![0.0; n],
            rows: vec![0.0; system.rows()],
            shift: vec![0.0; n],
            slopes: vec![0.0; n],
            q: vec![0.0; system.nq()],
            total: vec![0.0; n],
            halves: [vec![0.0; system.rows()], vec![0.0; system.rows()]],
            tried: [vec![0.0; system.rows()], vec![0.0; system.rows()]],
            foreseen: vec![0.0; system.rows()],
            mean: if settings.jacobian == Some(Jacobian::Symplectic) { Mean::of(system) } else { None },
            negative: vec![0.0; n],
            found: vec![0.0; system.nv()],
            missed: f64::NAN,
            room: vec![0.0; n],
            lambda: system.nv()..system.nv() + system.rows(),
            blocks: bodies..bodies + system.constraints().len(),
            traits: Traits::of(system),
            operations: Operations::default(),
            guard: Guard::default(),
        }
    }

    /// The forces at a state, without reactions; `here` is made that state.
    pub(super) fn evaluate_at<'a>(
        &mut self,
        x: &State,
        here: &'a mut State,
        system: &'a System,
        kkt: &Kkt,
        work: &'a mut Work,
    ) -> Evaluated<'a> {
        here.copy_from(x);
        if !self.traits.reads_unknowns {
            here.a.fill(0.0);
            here.lambda.fill(0.0);
            here.x_dot.fill(0.0);
        }
        let mut at = system.evaluate(here, work);
        if self.traits.reads_unknowns || self.settings.jacobian != Some(Jacobian::Symplectic) {
            let acceleration = f64::from(u8::from(self.traits.reads_unknowns));
            let weights = Weights { acceleration, ..Weights::mass_only(&kkt.regularization) };
            let terms = if self.mean.is_some() { Terms::Steady } else { Terms::All };
            at.tangent_of(terms, &weights, &mut self.constrained.jacobian);
        }
        self.forces[..self.lambda.start].iter_mut().zip(at.f()).for_each(|(load, f)| *load = -f);
        self.forces[self.lambda.clone()].fill(0.0);
        self.forces[self.lambda.end..].copy_from_slice(at.rates());
        if self.traits.reads_unknowns {
            self.add_last_unknowns(&at);
        }
        at
    }

    /// Everything at the start of the step: forces, the matrices there, and the right-hand sides.
    fn begin(&mut self, here: &mut State, site: &mut Site, h: f64) {
        let Site { system, now, work, kkt, .. } = site;
        let mut at = self.evaluate_at(&now.x, here, system, kkt, work);
        self.load.copy_from_slice(&self.forces);
        if !self.settings.constraints.of_velocities() && self.traits.constrained {
            self.acceleration_rows(&mut at, h);
        }
        if let Some(jacobian) = self.settings.jacobian {
            self.add_slopes(&mut at, kkt, h, jacobian);
        }
    }

    /// Forces that read a, λ and ẋ are linear in them, about those known last: the load is what they are at zero.
    fn add_last_unknowns(&mut self, at: &Evaluated) {
        let State { q, a, lambda, x_dot, .. } = at.state();
        self.shift.iter_mut().zip(a.iter().chain(lambda).chain(x_dot)).for_each(|(z, unknown)| *z = -unknown);
        self.load.copy_from_slice(&self.forces);
        self.constrained.jacobian.residual(&self.shift, &self.load, &mut self.forces);
        at.system().add_mass_times(q, a, -1.0, &mut self.forces[..self.lambda.start]);
        self.forces[self.lambda.end..].iter_mut().zip(x_dot).for_each(|(load, rate)| *load -= rate);
    }

    /// The right-hand side of (2) for the constraints.
    fn acceleration_rows(&mut self, at: &mut Evaluated, h: f64) {
        at.acceleration_bias(&mut self.rows);
        let (alpha, beta) = self.baumgarte(h);
        let stabilized = self.settings.constraints.stabilized();
        for (row, level) in at.system().levels().iter().enumerate() {
            let stabilization = match level {
                _ if !stabilized => 0.0,
                Level::Position => 2.0 * alpha * at.phi_dot()[row] + beta * at.phi()[row],
                Level::Velocity => alpha * at.phi_dot()[row],
            };
            self.rows[row] = -self.rows[row] - stabilization;
        }
    }

    /// J_q v and ∂Q/∂t in the load, and M − h J_v.
    fn add_slopes(&mut self, at: &mut Evaluated, kkt: &Kkt, h: f64, jacobian: Jacobian) {
        let nv = self.lambda.start;
        self.slopes.fill(0.0);
        if self.traits.reads_time {
            let (f, rest) = self.slopes.split_at_mut(nv);
            at.time_slopes(f, &mut rest[self.lambda.len()..]);
            self.slopes[..nv].iter_mut().for_each(|f| *f = -*f);
        }
        self.slopes.iter_mut().zip(&self.forces).for_each(|(slope, force)| *slope = force + h * *slope);
        let terms = if jacobian == Jacobian::Marked { Terms::Marked } else { Terms::All };
        let still = Weights { mass: 0.0, state_rate: 0.0, ..Weights::mass_only(&[]) };
        at.tangent_of(terms, &Weights { position: 1.0, ..still }, &mut self.implicit.jacobian);
        self.shift.fill(0.0);
        self.shift.iter_mut().zip(&at.state().v).for_each(|(z, v)| *z = h * v);
        self.implicit.jacobian.residual(&self.shift, &self.slopes, &mut self.load);
        let [velocity, position] = match jacobian {
            Jacobian::J1 => [h, 0.0],
            Jacobian::J3 => [0.0, 0.0],
            Jacobian::Exact | Jacobian::Symplectic | Jacobian::J2 | Jacobian::Marked => [h, h * h],
        };
        let weights = Weights { acceleration: 1.0, velocity, position, state: h, ..Weights::mass_only(&kkt.regularization) };
        at.tangent_of(terms, &weights, &mut self.implicit.jacobian);
    }

    /// Baumgarte's α and β.
    pub(super) fn baumgarte(&self, h: f64) -> (f64, f64) {
        let usual = if self.settings.jacobian == Some(Jacobian::Exact) { 0.5 / h } else { 1.0 / h };
        (self.settings.alpha.unwrap_or(usual), self.settings.beta.unwrap_or(1.0 / (h * h)))
    }

    /// Where the step ended: the violations, and whether all is finite.
    fn end(&mut self, site: &mut Site, h: f64) -> Result<(), StepError> {
        let Site { system, next, work, violation, statistics, .. } = site;
        let mut at = system.evaluate(&next.x, work);
        *violation = at.violation();
        let [[some, lost], [others, lost_too]] = [self.constrained.counts(), self.implicit.counts()];
        (statistics.factorizations, statistics.unplanned) = (some + others, lost + lost_too);
        let rebuilds = self.implicit.jacobian.rebuilds();
        (statistics.patterns, statistics.orders) = (rebuilds.patterns, rebuilds.searches);
        statistics.evaluations += self.operations.evaluations;
        statistics.jacobians += self.operations.tangents;
        if !(at.state().is_finite() && is_finite(at.f())) {
            return Err(newton::not_finite(&mut at));
        }
        self.settings.limit().map_or(Ok(()), |limit| self.guard.check(site, h, limit, self.mean.as_deref()))
    }
}

impl Advance for AtWork {
    fn keeps_constraints(&self) -> bool {
        false
    }

    fn start(&mut self, site: &mut Site, _h: f64) -> Result<(), KktError> {
        let step = &mut self.step;
        step.operations = operations::of(&step.settings, site.system, &site.kkt.regularization);
        let Site { system, now, work, .. } = site;
        step.halves.iter_mut().for_each(|half| half.copy_from_slice(&now.x.lambda));
        step.guard.start(system, &now.x, work, step.mean.is_none());
        Ok(())
    }

    fn accept(&mut self, _site: &mut Site) {
        std::mem::swap(&mut self.step.halves, &mut self.step.tried);
        self.step.guard.accept();
    }

    fn attempt(&mut self, site: &mut Site, h: f64, _tolerance: Option<f64>) -> Result<Option<Estimate>, StepError> {
        site.next.x.t = site.now.x.t + h;
        site.next.x.memory.copy_from(&site.now.x.memory);
        let Self { here, step } = self;
        let solved = if step.settings.jacobian == Some(Jacobian::Symplectic) {
            step.symplectic(here, site, h)
        } else {
            step.begin(here, site, h);
            let velocities = step.settings.constraints.of_velocities() && step.traits.constrained;
            if velocities { step.with_velocities(site, h) } else { step.with_accelerations(site, h) }
        };
        solved.map_err(|error| newton::name(&mut site.system.evaluate(&site.next.x, &mut site.work), error))?;
        step.end(site, h)?;
        Ok(None)
    }

    fn error_of(&self, _site: &Site, _entry: usize) -> f64 {
        0.0
    }

    fn first_step(&self, _site: &Site, _change: &Change, probe: f64, _tolerance: f64) -> f64 {
        probe
    }
}
