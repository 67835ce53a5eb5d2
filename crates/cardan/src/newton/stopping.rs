//! When Newton's method stops. With ξ the ratio of successive corrections, the corrections still to come sum up to about
//!
//! ```text
//! ξ/(1 − ξ) ‖Δu‖,     converged where   C h² ξ/(1 − ξ) ‖Δu‖ ≤ c ε,   c = 0.001                     (1; eq. 35, 45)
//! ```
//!
//! with error control; with fixed steps ‖u − u_n‖, which the local error is proportional to, takes the place of ε/(C h²). Converged, too,
//! is where the correction is at round-off. In either case the constraints must also be at round-off at the point that is returned:
//! as evaluated there, or as the contraction of the violations says. A contraction that would take more
//! iterations than a new Jacobian is worth asks for one; corrections that keep
//! growing end the iteration.

use super::Options;
use super::reuse::{self, Contraction, Reuse};
use super::step::Step;
use crate::math::max_abs;
use crate::system::{Evaluated, System};

/// Most Newton iterations of a step.
pub const MAX_ITERATIONS: usize = 40;
/// After this many iterations, residuals alone may say that a step is solved.
const PATIENCE: usize = 12;
/// Constraints count as satisfied at a residual that moves the coordinates by this part of what corrections still to come may,
const SHARE: f64 = 0.3;
/// but within these limits relative to the size of the coordinates (velocities): round-off in either case.
const SATISFIED: (f64, f64) = (1e-15, 2e-14);
/// A violation that no longer falls is accepted as round-off below this level.
const STALLED: f64 = 1e-12;
/// The equations of motion count as satisfied at this residual, relative to the forces in them.
const BALANCED: f64 = 1e-10;
/// Corrections of the coordinates beyond this part of their size that grew three times mean divergence.
const DIVERGED: f64 = 1e-3;
/// Who asks, with fixed steps, for less than this part of the change of u wants round-off.
const EXACT: f64 = 1e-9;

/// What a correction says about the iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It was the last one: the point it leads to solves the step.
    Solved,
    /// The point it leads to is to be looked at.
    GoOn,
    /// The iteration runs away.
    Diverges,
}

/// How the iterations of a step have gone so far.
#[derive(Debug)]
pub struct Progress {
    pub iterations: usize,
    /// ‖Δu‖ of the first and of the last correction, and whether the last was small enough.
    first: f64,
    size: f64,
    converged: bool,
    growths: usize,
    /// The violation at the last point, and how it fell from the one before.
    violation: f64,
    violation_rate: Option<f64>,
    fall: f64,
    /// Whether the first correction would have been the last one, had the contraction been known.
    spare: bool,
    /// By how much u may be off, from the first correction on, and at which violation the constraints count as satisfied.
    allowed: Option<f64>,
    satisfied: f64,
    /// Whether the next correction needs a new Jacobian, and whether the last one had one.
    renew: bool,
    fresh: bool,
}

impl Progress {
    /// At the beginning; without velocities and states there is nothing to converge.
    pub fn new(system: &System, renew: bool) -> Self {
        Self {
            iterations: 0,
            first: 0.0,
            size: f64::INFINITY,
            converged: system.nv() + system.nx() == 0,
            growths: 0,
            violation: f64::INFINITY,
            violation_rate: None,
            fall: 1.0,
            spare: false,
            allowed: None,
            satisfied: SATISFIED.0,
            renew,
            fresh: false,
        }
    }

    /// Whether the point with this violation solves the step; `balanced` is asked only after many iterations.
    pub fn solved(&mut self, violation: f64, reuse: &mut Reuse, balanced: impl FnOnce() -> bool) -> bool {
        if self.iterations > 0 {
            let fell = violation.max(f64::EPSILON) / self.violation;
            self.violation_rate = Some(if self.violation > SATISFIED.0 { fell } else { 1.0 });
        }
        if self.iterations >= PATIENCE && violation <= self.satisfied && balanced() {
            return true;
        }
        if self.converged {
            let stalled = violation <= STALLED && violation >= 0.7 * self.violation && self.fresh;
            if violation <= self.satisfied || stalled {
                if let (1, Some(fell)) = (self.iterations, self.violation_rate) {
                    reuse.measured_violations(fell, self.first);
                }
                return true;
            }
            self.renew |= violation >= 0.1 * self.violation;
        }
        self.violation = violation;
        false
    }

    /// Whether the next correction is to be made with a new Jacobian.
    pub fn wants_jacobian(&mut self) -> bool {
        self.fresh = self.renew;
        self.renew
    }

    /// Iterations that the step needed: one made only to measure the contraction does not count.
    pub fn needed(&self) -> usize {
        self.iterations - usize::from(self.spare && self.iterations == 2)
    }

    /// Judges a correction of which a part of this size was made, which has led to these u and w.
    pub fn judge(&mut self, options: &Options, step: &Step, unknowns: [&[f64]; 2], [made, part]: [f64; 2], reuse: &mut Reuse) -> Verdict {
        let size = made / part;
        let measured = self.measure(size, step, reuse);
        let known = measured.or_else(|| reuse.expected(size).filter(|_| self.iterations == 0));
        // What follows on a part of a correction is not known.
        let rate = known.filter(|_| part == 1.0).map_or(f64::INFINITY, |c| c.corrections);
        let allowed = *self.allowed.get_or_insert_with(|| step.allowed(options, unknowns));
        self.satisfied = (SHARE * allowed * step.c_q() / step.sizes[0]).clamp(SATISFIED.0, SATISFIED.1);
        self.spare = self.iterations == 1 && self.violation <= self.satisfied && small_enough(self.size, rate, allowed);
        // Corrections that no longer fall, close to round-off, do not get smaller.
        let stalled = measured.is_some() && rate > 0.5 && size <= 1e3 * step.round_off();
        self.converged = stalled || small_enough(size, rate, allowed);
        self.growths += usize::from(measured.is_some() && rate > 1.5);
        self.renew = !self.converged && measured.is_some() && iterations_left(size, rate, allowed) > reuse::RENEWAL as f64 + 1.0;
        self.size = size;
        self.iterations += 1;
        // Constraints at round-off stay there; others fall as they did before.
        self.fall = known.map_or(1.0, |c| c.violations.min(1.0));
        // Where u is asked for to round-off, and where redundant constraints contract at rates of their own, every point is looked at.
        let exact = allowed <= step.round_off() && (step.accuracy.is_some() || options.newton_tolerance < EXACT);
        let looked = exact || !step.regularization.is_empty();
        if self.converged && !looked && self.fall * self.violation <= self.satisfied {
            if measured.is_none() {
                reuse.relied_on();
            }
            return Verdict::Solved;
        }
        let diverges = !self.converged && self.growths >= 3 && size * step.c_q() > DIVERGED;
        if diverges { Verdict::Diverges } else { Verdict::GoOn }
    }

    /// The contraction seen in this step, from the second correction on.
    fn measure(&mut self, size: f64, step: &Step, reuse: &mut Reuse) -> Option<Contraction> {
        if self.iterations == 0 {
            self.first = size;
            return None;
        }
        let violations = self.violation_rate.unwrap_or(1.0);
        let contraction = Contraction { corrections: size / self.size, violations, first: self.first };
        // Sizes below round-off say nothing of the contraction but that it is better than this.
        let least = step.round_off() / self.size;
        if self.iterations == 1 && least < 0.5 {
            reuse.measured(Contraction { corrections: contraction.corrections.max(least), ..contraction });
        }
        Some(contraction)
    }

    /// How the last correction is expected to change violations.
    pub fn fall(&self) -> f64 {
        self.fall
    }
}

/// How many corrections more it takes at this rate.
fn iterations_left(size: f64, rate: f64, allowed: f64) -> f64 {
    if rate < 1.0 { (allowed / size).ln() / rate.ln() } else { f64::INFINITY }
}

/// The stopping test (1).
fn small_enough(size: f64, rate: f64, allowed: f64) -> bool {
    size <= allowed || (rate < 0.9 && size * rate / (1.0 - rate) <= allowed)
}

/// Whether a point is good enough after all, though the iteration did not settle.
pub fn acceptable(violation: f64, balanced: impl FnOnce() -> bool) -> bool {
    violation <= STALLED && balanced()
}

/// Whether the equations of motion and of differential states hold, whatever the corrections do: near singular configurations u and λ are hardly
/// determined in one direction, and their corrections there never settle.
pub fn balanced(at: &Evaluated, rhs: &[f64]) -> bool {
    let system = at.system();
    let (dynamics, states) = (&rhs[..system.nv()], &rhs[system.nv() + system.rows()..]);
    let size = max_abs(at.f()) + max_abs(&at.state().lambda);
    max_abs(dynamics) <= BALANCED * size && max_abs(states) <= BALANCED * (1.0 + max_abs(at.rates()))
}
