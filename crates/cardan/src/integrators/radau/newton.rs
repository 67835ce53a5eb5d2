//! Newton's method for all stages of a step at once, with matrices kept from step to step.
//!
//! Corrections are measured by how far they move positions over a step, h ‖Δv‖, velocities where they are controlled, and differential
//! states. With ξ the ratio of successive corrections the iteration ends where
//!
//! ```text
//! ξ/(1 − ξ) ‖Δ‖ ≤ κ ε,     κ = min(0.03, √ε)                                                                           (1)
//! ```
//!
//! or at round-off, and where the constraints are near round-off as well: as evaluated before the last correction, times ξ.

use super::super::advance::Sizes;
use super::super::{Formulation, Iterations, Options};
use super::coupled::Coupled;
use super::equations::Equations;
use super::stages::Stages;
use super::tableau::{STAGES, Tableau};
use crate::math::{largest, weighted_rms};
use crate::newton::{Point, StepError, name, not_finite, worst};
use crate::system::{Evaluated, System, Work};

/// Most iterations of a step.
const MOST: usize = 20;
/// Corrections below this are round-off, if next to nothing is left to correct or they no longer fall: what is left adds up over many steps.
const ROUND_OFF: f64 = 1e-15;
const SETTLED: f64 = 1e-5;
/// Corrections that no longer fall are accepted as round-off below this.
pub(super) const STALLED: f64 = 1e-12;
/// Constraints count as satisfied at a hundredth of what positions may be off, within these limits relative to their size.
const SATISFIED: (f64, f64) = (1e-14, 1e-11);
/// A matrix that contracted by less in the last step is made anew for the next.
const KEPT: f64 = 0.03;
/// A matrix from an earlier step that contracts by less than this is made anew at once.
const SLOW: f64 = 0.2;

/// No contraction of an earlier step is trusted beyond this.
const DOUBT: f64 = 0.01;
/// Slow iterations do not shorten a step by more, nor more steps than this in a row: beside a singular configuration shorter steps are
/// as slow.
const NARROW: f64 = 0.5;
const PATIENCE: usize = 3;
/// The contraction that larger steps are not to exceed.
const ENOUGH: f64 = 0.3;

/// The stage that is evaluated last, and that matrices are made at.
pub(super) const MIDDLE: usize = 1;

/// A step to be solved.
pub struct Task<'a> {
    pub system: &'a System,
    pub tableau: &'a Tableau,
    pub now: &'a Point,
    pub options: &'a Options,
    pub regularization: &'a [f64],
    pub sizes: Sizes<'a>,
    /// By how much positions may be off; zero for round-off.
    pub allowed: f64,
}

/// κ ε of (1).
pub fn allowed(tolerance: f64) -> f64 {
    tolerance * tolerance.sqrt().min(0.03)
}

/// Newton's method with its matrices.
#[derive(Debug)]
pub struct Newton {
    pub equations: Equations,
    /// ξ of the last step.
    contraction: f64,
    /// Matrices of all stages, once a step has needed them.
    pub(super) coupled: Option<Box<Coupled>>,
    /// Whether the last step was solved with them, up to round-off near a singular configuration.
    pub was_coupled: bool,
    /// The size of the last correction of velocities.
    pub(super) jump: f64,
    /// Steps in a row with slow iterations.
    slow: usize,
    pub iterations: usize,
    /// Largest violations where the last step was solved: position and velocity level.
    pub violation: (f64, f64),
    moved: Vec<f64>,
    states: Vec<f64>,
}

/// How the iterations of a step have gone so far.
struct Progress {
    size: f64,
    violation: f64,
    /// Whether the matrices were made in this step.
    fresh: bool,
    growths: usize,
}

/// What a correction says.
enum Verdict {
    Solved,
    GoOn,
    Renew,
    Diverges,
}

impl Newton {
    /// For a system.
    pub fn new(system: &System, threads: usize) -> Self {
        let (moved, states) = (vec![0.0; system.nv()], vec![0.0; system.nx()]);
        let equations = Equations::new(system, threads);
        Self {
            equations,
            contraction: 1.0,
            coupled: None,
            was_coupled: false,
            jump: 0.0,
            slow: 0,
            iterations: 0,
            violation: (0.0, 0.0),
            moved,
            states,
        }
    }

    /// Forgets the matrices.
    pub fn reset(&mut self) {
        self.equations.jacobian.retire();
    }

    /// By which factor the step may change without slowing the iteration down too much: it contracts by about as much as h turns bodies.
    pub fn room(&mut self) -> f64 {
        let room = ENOUGH / self.contraction.max(1e-3);
        self.slow = if room < 1.0 { self.slow + 1 } else { 0 };
        if self.slow > PATIENCE { 1.0 } else { room.max(NARROW) }
    }

    /// Forgets the matrices and how they served, which says nothing about the next step.
    pub fn forget(&mut self) {
        self.reset();
        self.contraction = KEPT;
    }

    /// Solves for the stages, which hold a first guess on entry.
    pub fn solve(&mut self, task: &Task, stages: &mut Stages, failed: &mut Point, work: &mut Work) -> Result<(), StepError> {
        self.was_coupled = false;
        let fixed = match task.options.iterations {
            Iterations::Fixed(count) => Some(count),
            Iterations::Converged => None,
        };
        let mut renew = self.equations.jacobian.made_for() != Some(stages.h) || self.contraction > KEPT;
        let mut progress = Progress { size: f64::INFINITY, violation: f64::INFINITY, fresh: renew, growths: 0 };
        for k in 0..fixed.unwrap_or(MOST) {
            let h = stages.h;
            let mut at = self.place(task, stages, failed, work)?;
            let changed = self.equations.jacobian.sees_change(&at);
            if renew || changed || fixed.is_some() {
                self.renew(task, h, &mut at, failed)?;
                progress.fresh = true;
            }
            let size = self.correct(task, stages, failed, work)?;
            let verdict = if fixed.is_some() { Verdict::GoOn } else { self.judge(task, &mut progress, size, k) };
            renew = matches!(verdict, Verdict::Renew);
            match verdict {
                Verdict::Solved => {
                    stages.place(task.system, task.tableau, &task.now.x, task.options.formulation);
                    return Ok(());
                }
                Verdict::Diverges => break,
                Verdict::GoOn | Verdict::Renew => {}
            }
        }
        self.place(task, stages, failed, work)?;
        if fixed.is_some() { Ok(()) } else { Err(self.failure(task, stages.h)) }
    }

    /// What the correction of this size says, the `k`-th of the step.
    fn judge(&mut self, task: &Task, progress: &mut Progress, size: f64, k: usize) -> Verdict {
        let kept = !progress.fresh;
        let rate = match k {
            0 if kept => self.contraction.max(DOUBT),
            0 => f64::INFINITY,
            _ => size / progress.size.max(f64::MIN_POSITIVE),
        };
        let violation = self.relative_violation(task);
        let settled = rate * size <= SETTLED * ROUND_OFF || rate > 0.5;
        let stuck = progress.fresh && k > 2 && size <= STALLED.max(task.allowed) && rate > 0.5;
        let round_off = (size <= ROUND_OFF && settled) || stuck;
        let converged = round_off || (rate < 1.0 && rate / (1.0 - rate) * size <= task.allowed);
        let stalled = violation <= STALLED && violation > 0.3 * progress.violation && k > 2;
        let satisfied = violation * rate.min(1.0) <= (0.01 * task.allowed).clamp(SATISFIED.0, SATISFIED.1) || stalled;
        // Corrections that no longer matter say nothing about the contraction.
        let matters = size > (0.01 * task.allowed).max(100.0 * ROUND_OFF);
        if k == 1 {
            self.contraction = if matters { rate } else { rate.min(KEPT) };
        } else if k > 1 && matters {
            self.contraction = self.contraction.max(rate);
        }
        progress.growths += usize::from(k > 0 && rate >= 1.0);
        (progress.size, progress.violation) = (size, violation);
        if converged && satisfied {
            if k == 0 && !kept {
                self.contraction = DOUBT;
            }
            self.violation.0 *= rate.min(1.0);
            if task.options.formulation == Formulation::Index2 {
                self.violation.1 *= rate.min(1.0);
            }
            Verdict::Solved
        } else if kept && rate > SLOW {
            Verdict::Renew
        } else if !size.is_finite() || progress.growths > 2 {
            Verdict::Diverges
        } else {
            Verdict::GoOn
        }
    }

    /// The largest violation against the size of coordinates and, with index 2, of velocities.
    pub(super) fn relative_violation(&self, task: &Task) -> f64 {
        let (position, velocity) = self.violation;
        let position = position / (1.0 + largest(&task.now.x.q));
        let index3 = task.options.formulation == Formulation::Index3;
        if index3 { position } else { position.max(0.2 * velocity / (1.0 + largest(&task.now.x.v))) }
    }

    /// Everything from the unknowns, evaluated: gives the middle stage.
    pub(super) fn place<'a>(
        &mut self,
        task: &'a Task,
        stages: &'a mut Stages,
        failed: &mut Point,
        work: &'a mut Work,
    ) -> Result<Evaluated<'a>, StepError> {
        stages.place(task.system, task.tableau, &task.now.x, task.options.formulation);
        match self.equations.evaluate(task.system, stages, work) {
            Ok((at, violation)) => {
                self.violation = violation;
                Ok(at)
            }
            Err(work) => {
                let bad = stages.x.iter().find(|x| !x.is_finite()).unwrap_or(&stages.x[STAGES - 1]);
                failed.x.copy_from(bad);
                Err(not_finite(&mut task.system.evaluate(bad, work)))
            }
        }
    }

    /// New matrices at a stage.
    pub(super) fn renew(&mut self, task: &Task, h: f64, at: &mut Evaluated, failed: &mut Point) -> Result<(), StepError> {
        self.equations.renew(task.tableau, h, task.regularization, at).map_err(|error| {
            failed.x.copy_from(at.state());
            name(at, error)
        })
    }

    /// One correction; gives its size.
    fn correct(&mut self, task: &Task, stages: &mut Stages, failed: &mut Point, work: &mut Work) -> Result<f64, StepError> {
        self.iterations += 1;
        let corrected = self.equations.correct(task.system, task.tableau, stages, task.options.formulation);
        corrected.map_err(|error| {
            failed.x.copy_from(&stages.x[MIDDLE]);
            name(&mut task.system.evaluate(&failed.x, work), error)
        })?;
        Ok(self.size(task, stages.h))
    }

    /// The size of the last correction.
    pub(super) fn size(&mut self, task: &Task, h: f64) -> f64 {
        let states = task.system.nv() + task.system.rows();
        let d = &self.equations.correction;
        let mut size = 0.0_f64;
        self.jump = 0.0;
        for a in &task.tableau.a {
            for (k, m) in self.moved.iter_mut().enumerate() {
                *m = (0..STAGES).map(|j| a[j] * d[j][k]).sum();
            }
            for (k, m) in self.states.iter_mut().enumerate() {
                *m = (0..STAGES).map(|j| a[j] * d[j][states + k]).sum();
            }
            let (moved, states) = (weighted_rms(&self.moved, task.sizes.moving), weighted_rms(&self.states, task.sizes.states));
            // With error control, velocities are to be as accurate as positions; where these are at round-off, those are, too.
            let rates = task.sizes.of_rates(&self.moved);
            self.jump = self.jump.max(h * rates);
            let counted = task.allowed > 0.0 && h * h * moved > 10.0 * ROUND_OFF;
            let rates = if counted { rates } else { 0.0 };
            let both = (h * h * moved).max(h * rates).max(h * states);
            size = if both.is_finite() { size.max(both) } else { f64::INFINITY };
        }
        size
    }

    /// The equation with the largest residual at the end of the step.
    pub(super) fn failure(&mut self, task: &Task, h: f64) -> StepError {
        self.reset();
        self.contraction = 1.0;
        let mut rhs = self.equations.last_residual().to_vec();
        let (nv, rows) = (task.system.nv(), task.system.rows());
        rhs[nv..nv + rows].iter_mut().for_each(|r| *r /= h * h);
        worst(task.system, h * h, &rhs)
    }
}
