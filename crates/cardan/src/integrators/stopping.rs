//! When Newton's method stops. With ξ the ratio of successive corrections, the corrections still to come sum up to about
//!
//! ```text
//! ξ/(1 − ξ) ‖Δu‖,     converged where   C h² ξ/(1 − ξ) ‖Δu‖ ≤ c ε,   c = 0.001                     (1; eq. 35, 45)
//! ```
//!
//! or where the correction is at round-off. In either case the constraints must also be at round-off, at the point that is
//! returned. Slow contraction asks for a new Jacobian; corrections that keep growing end the iteration.

use super::step::{Point, Step};
use super::{Formulation, Options};
use crate::constraints::Level;
use crate::math::max_abs;
use crate::system::{System, Work};

/// Most Newton iterations of a step.
pub const MAX_ITERATIONS: usize = 40;
/// After this many iterations, residuals alone may say that a step is solved.
const PATIENCE: usize = 12;
/// A contraction slower than this asks for a new Jacobian.
const SLOW: f64 = 0.1;
/// The Jacobian is kept while γh is within this factor of the one it was made for.
const KEEP: f64 = 1.3;
/// Round-off of the coordinates, relative to their size.
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
/// Constraints count as satisfied at this residual, relative to the size of the coordinates (velocities).
const SATISFIED: f64 = 2e-14;
/// Violations at velocity level weigh less: they are not divided by h² when the next step starts from them.
const LENIENT: f64 = 0.2;
/// A violation that no longer falls is accepted as round-off below this level.
const STALLED: f64 = 1e-12;
/// The equations of motion count as satisfied at this residual, relative to the forces in them.
const BALANCED: f64 = 1e-10;
/// Corrections of the coordinates beyond this part of their size that grew three times mean divergence.
const DIVERGED: f64 = 1e-3;

/// Whether a Jacobian made for γh = `made_for` is too old for this step.
pub fn stale(made_for: Option<f64>, step: &Step) -> bool {
    made_for.is_none_or(|c| !(1.0 / KEEP..KEEP).contains(&(step.c_v() / c)))
}

/// How the iterations of a step have gone so far.
#[derive(Debug)]
pub struct Progress {
    iterations: usize,
    /// ‖Δu‖ of the last correction, and whether it was small enough.
    size: f64,
    converged: bool,
    growths: usize,
    violation: f64,
    /// Whether the next correction needs a new Jacobian, and whether the last one had one.
    renew: bool,
    fresh: bool,
}

impl Progress {
    /// At the beginning; without velocities and states there is nothing to converge.
    pub fn new(system: &System, stale: bool) -> Self {
        Self {
            iterations: 0,
            size: f64::INFINITY,
            converged: system.nv() + system.nx() == 0,
            growths: 0,
            violation: f64::INFINITY,
            renew: stale,
            fresh: false,
        }
    }

    /// Whether the point with this violation solves the step; `balanced` is asked only after many iterations.
    pub fn solved(&mut self, violation: f64, balanced: impl FnOnce() -> bool) -> bool {
        if self.iterations >= PATIENCE && violation <= SATISFIED && balanced() {
            return true;
        }
        if self.converged {
            let stalled = violation <= STALLED && violation >= 0.7 * self.violation && self.fresh;
            if violation <= SATISFIED || stalled {
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

    /// Takes note of a correction of this size; says whether the iteration diverges.
    pub fn diverges(&mut self, options: &Options, step: &Step, to: &Point, size: f64) -> bool {
        let first = self.iterations == 0;
        let rate = if first { f64::INFINITY } else { size / self.size };
        self.converged = small_enough(options, step, to, size, rate);
        self.growths += usize::from(!first && rate > 1.5);
        self.renew = !self.converged && rate.is_finite() && rate > SLOW;
        self.size = size;
        self.iterations += 1;
        !self.converged && self.growths >= 3 && size * step.c_q() > DIVERGED
    }
}

/// The stopping test (1).
fn small_enough(options: &Options, step: &Step, to: &Point, size: f64, rate: f64) -> bool {
    let round_off = ROUND_OFF / step.c_q();
    if size <= round_off || (rate > 0.5 && rate.is_finite() && size <= 1e3 * round_off) {
        return true;
    }
    if rate >= 0.9 {
        return false;
    }
    let ahead = size * rate / (1.0 - rate);
    match step.accuracy {
        Some(accuracy) => ahead * accuracy <= 1.0,
        None => ahead <= options.newton_tolerance * step.size(&to.u, &to.w) || ahead <= round_off,
    }
}

/// Whether a point is good enough after all, though the iteration did not settle.
pub fn acceptable(violation: f64, balanced: impl FnOnce() -> bool) -> bool {
    violation <= STALLED && balanced()
}

/// Whether the equations of motion and of differential states hold, whatever the corrections do: near singular configurations u and λ are hardly
/// determined in one direction, and their corrections there never settle.
pub fn balanced(system: &System, rhs: &[f64], step: &Step, to: &Point, work: &Work) -> bool {
    let (dynamics, states) = (&rhs[..system.nv()], &rhs[system.nv() + system.rows()..]);
    let size = max_abs(&work.f) + step.scheme.memory.abs() * max_abs(&step.from.f) + max_abs(&to.x.lambda);
    max_abs(dynamics) <= BALANCED * size && max_abs(states) <= BALANCED * (1.0 + max_abs(&work.rates))
}

/// Largest violation of the constraints that must hold, relative to the size of coordinates or velocities.
pub fn violation(system: &System, formulation: Formulation, to: &Point, work: &Work) -> f64 {
    let (q, v) = (1.0 + max_abs(&to.x.q), 1.0 + max_abs(&to.x.v));
    let mut largest = 0.0_f64;
    for (row, level) in system.levels().iter().enumerate() {
        if *level == Level::Position {
            largest = largest.max(work.phi[row].abs() / q);
        }
        if *level == Level::Velocity || formulation == Formulation::Index2 {
            largest = largest.max(LENIENT * work.phi_dot[row].abs() / v);
        }
    }
    largest
}
