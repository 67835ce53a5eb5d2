//! The corrector: Newton's method on (u, λ), shared by all methods.
//!
//! ```text
//! [ w c_a M + γh C + βh² K T    Gᵀ ] (Δu)      ( w M a + f_{n+1} − m f_n )
//! [ G T                         0  ] (Δλ)  = − ( Φ / (βh²)               )                          (1)
//! ```
//!
//! Nothing in the matrix is divided by h. Rows of velocity level are scaled by 1/(γh). In the stabilised index-2
//! formulation the rows are (G v + Φ_t)/(γh), and a position correction w, q = q_n ⊕ (… + βh² (u + w)), keeps Φ = 0:
//!
//! ```text
//! [ S  Gᵀ ; G T  0 ] (Δw, ·) = −(0, Φ/(βh²) − (G v + Φ_t)/(γh))                                       (2)
//! ```
//!
//! with the same factorisation; w is S-orthogonal to the free motions, so stiff forces do not feed back on it
//! (with a Jacobian kept from earlier steps the direction is an older one; w being of higher order, so is the difference).
//!
//! Stopping (eq. 35, 45): with ξ the ratio of successive corrections, ξ/(1−ξ) C h² ‖Δu‖ ≤ c ε, c = 0.001; or the correction
//! is at round-off; and in either case the constraints must be at round-off at the point that is returned.

use super::{Formulation, Iterations, Options, Point, Scheme};
use crate::constraints::Level;
use crate::linear::{BlockMatrix, Factor, LinearError};
use crate::math::{max_abs, weighted_rms};
use crate::system::{System, Weights, Work};
use thiserror::Error;

/// Most Newton iterations of a step.
const MAX_ITERATIONS: usize = 40;
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
/// Corrections of the coordinates beyond this part of their size that grew three times mean divergence.
const DIVERGED: f64 = 1e-3;
/// After this many iterations, residuals alone may say that a step is solved.
const PATIENCE: usize = 12;
/// The equations of motion then count as satisfied at this residual, relative to the forces in them.
const BALANCED: f64 = 1e-10;
/// A residual that no longer falls is accepted as round-off below this level.
const STALLED: f64 = 1e-12;

/// Why a step could not be completed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StepError {
    /// Newton's method did not converge.
    #[error("Newton's method did not converge; the largest residual is in {equation} of '{element}' ({residual:.3e})")]
    NotConverged {
        /// Body or constraint.
        element: String,
        /// The equation.
        equation: String,
        /// Its residual.
        residual: f64,
    },
    /// The Newton matrix is singular.
    #[error("the Newton matrix is singular near '{element}': constraints that block the same motion, or a singular configuration")]
    Singular {
        /// Body or constraint.
        element: String,
    },
    /// An element gave NaN or infinity.
    #[error("{element} gave a value that is not finite")]
    NotFinite {
        /// The element.
        element: String,
    },
}

/// Counters of the corrector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub iterations: usize,
    pub evaluations: usize,
    pub jacobians: usize,
}

/// What the corrector needs to know about a step.
pub struct Step<'a> {
    pub scheme: Scheme,
    pub h: f64,
    pub from: &'a Point,
    pub weights: &'a [f64],
    pub regularization: &'a [f64],
    /// C h²/(c ε) for error-controlled steps; `None` for fixed ones.
    pub accuracy: Option<f64>,
}

impl Step<'_> {
    fn c_q(&self) -> f64 {
        self.scheme.beta * self.h * self.h
    }
    fn c_v(&self) -> f64 {
        self.scheme.gamma * self.h
    }
}

/// Newton's method with its matrix, kept from step to step.
#[derive(Debug)]
pub struct Corrector {
    matrix: BlockMatrix,
    factor: Factor,
    /// γh the factorisation was made for.
    made_for: Option<f64>,
    increment: Vec<f64>,
    base: Vec<f64>,
    rhs: Vec<f64>,
    shift: Vec<f64>,
    position_shift: Vec<f64>,
    pub counts: Counts,
}

impl Corrector {
    pub fn new(system: &System) -> Self {
        let matrix = system.matrix();
        let factor = Factor::new(matrix.pattern());
        let (nv, n) = (system.nv(), system.nv() + system.rows());
        Self {
            matrix,
            factor,
            made_for: None,
            increment: vec![0.0; nv],
            base: vec![0.0; nv],
            rhs: vec![0.0; n],
            shift: vec![0.0; n],
            position_shift: vec![0.0; nv],
            counts: Counts::default(),
        }
    }

    /// Number of factorisations so far.
    pub fn factorizations(&self) -> usize {
        self.factor.count()
    }

    /// Forgets the Jacobian.
    pub fn reset(&mut self) {
        self.made_for = None;
    }

    /// Solves for the point `to`, which holds the prediction of u and λ on entry.
    pub fn solve(&mut self, system: &System, options: &Options, step: &Step, to: &mut Point, work: &mut Work) -> Result<(), StepError> {
        self.set_base(step);
        self.position_shift.fill(0.0);
        match options.iterations {
            Iterations::Fixed(count) => self.iterate_fixed(system, options, step, to, work, count),
            Iterations::Converged => match self.iterate(system, options, step, to, work) {
                Err(StepError::NotConverged { .. }) => self.iterate_anew(system, options, step, to, work),
                outcome => outcome,
            },
        }
    }

    /// A second try from u = 0, uniform motion: where a stiff transient makes every extrapolation of u a bad guess.
    fn iterate_anew(&mut self, system: &System, options: &Options, step: &Step, to: &mut Point, work: &mut Work) -> Result<(), StepError> {
        to.u.fill(0.0);
        to.x.lambda.fill(0.0);
        self.position_shift.fill(0.0);
        self.iterate(system, options, step, to, work)
    }

    fn iterate_fixed(
        &mut self,
        system: &System,
        options: &Options,
        step: &Step,
        to: &mut Point,
        work: &mut Work,
        count: usize,
    ) -> Result<(), StepError> {
        for _ in 0..count {
            self.place(system, step, to, work)?;
            self.renew(system, step, to, work)?;
            self.correct(system, options.formulation, step, to, work)?;
        }
        self.place(system, step, to, work)
    }

    fn iterate(&mut self, system: &System, options: &Options, step: &Step, to: &mut Point, work: &mut Work) -> Result<(), StepError> {
        let stale = self.made_for.is_none_or(|c| !(1.0 / KEEP..KEEP).contains(&(step.c_v() / c)));
        let (mut renew, mut fresh) = (stale, false);
        let (mut last, mut last_violation) = (f64::INFINITY, f64::INFINITY);
        let (mut converged, mut growths) = (system.nv() == 0, 0);
        for k in 0..MAX_ITERATIONS {
            self.place(system, step, to, work)?;
            let violation = self.violation(system, options.formulation, to, work);
            if k >= PATIENCE && violation <= SATISFIED && self.balanced(system, step, to, work) {
                return Ok(());
            }
            if converged {
                let stalled = violation <= STALLED && violation >= 0.7 * last_violation && fresh;
                if violation <= SATISFIED || stalled {
                    return Ok(());
                }
                renew |= violation >= 0.1 * last_violation;
            }
            last_violation = violation;
            fresh = renew;
            if renew {
                self.renew(system, step, to, work)?;
            }
            let size = self.correct(system, options.formulation, step, to, work)?;
            let rate = if k == 0 { f64::INFINITY } else { size / last };
            converged = self.small_enough(options, step, to, size, rate);
            growths += usize::from(k > 0 && rate > 1.5);
            if !converged && growths >= 3 && size * step.c_q() > DIVERGED {
                break;
            }
            renew = !converged && rate.is_finite() && rate > SLOW;
            last = size;
        }
        self.made_for = None;
        self.place(system, step, to, work)?;
        let violation = self.violation(system, options.formulation, to, work);
        if violation <= STALLED && self.balanced(system, step, to, work) { Ok(()) } else { Err(self.worst(system, step)) }
    }

    /// Whether the equations of motion hold, whatever the corrections do: near singular configurations u and λ are hardly
    /// determined in one direction, and their corrections there never settle.
    fn balanced(&self, system: &System, step: &Step, to: &Point, work: &Work) -> bool {
        let nv = system.nv();
        let size = max_abs(&work.f) + step.scheme.memory.abs() * max_abs(&step.from.f) + max_abs(&to.x.lambda);
        max_abs(&self.rhs[..nv]) <= BALANCED * size
    }

    /// The stopping test.
    fn small_enough(&self, options: &Options, step: &Step, to: &Point, size: f64, rate: f64) -> bool {
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
            None => ahead <= options.newton_tolerance * weighted_rms(&to.u, step.weights) || ahead <= round_off,
        }
    }

    fn set_base(&mut self, step: &Step) {
        let (h, s, from) = (step.h, &step.scheme, step.from);
        for i in 0..self.base.len() {
            self.base[i] = h * from.x.v[i] + h * h * (0.5 - s.beta) * from.u[i];
        }
    }

    /// q, v, a from u, and everything evaluated there.
    fn place(&mut self, system: &System, step: &Step, to: &mut Point, work: &mut Work) -> Result<(), StepError> {
        let (h, s, from) = (step.h, &step.scheme, step.from);
        let c_q = step.c_q();
        for i in 0..to.u.len() {
            self.increment[i] = self.base[i] + c_q * (to.u[i] + self.position_shift[i]);
            to.x.v[i] = from.x.v[i] + h * ((1.0 - s.gamma) * from.u[i] + s.gamma * to.u[i]);
            to.x.a[i] = s.of_auxiliary * from.u[i] + s.of_acceleration * from.x.a[i] + s.acceleration * to.u[i];
        }
        system.retract(&from.x.q, &self.increment, &mut to.x.q);
        self.counts.evaluations += 1;
        system.evaluate(&to.x, work);
        self.residual(system, step, to, work);
        let finite = self.rhs.iter().all(|x| x.is_finite()) && work.phi_dot.iter().all(|x| x.is_finite());
        if finite {
            return Ok(());
        }
        match system.find_non_finite(&to.x, work) {
            Some(element) if to.x.is_finite() => Err(StepError::NotFinite { element }),
            _ => Err(StepError::NotConverged { element: "all".into(), equation: "the equations".into(), residual: f64::INFINITY }),
        }
    }

    /// rhs = −(w M a + f − m f_n, Φ/(βh²)).
    fn residual(&mut self, system: &System, step: &Step, to: &Point, work: &Work) {
        let (s, nv) = (&step.scheme, system.nv());
        let (dynamics, constraints) = self.rhs.split_at_mut(nv);
        for i in 0..nv {
            dynamics[i] = s.memory * step.from.f[i] - work.f[i];
        }
        system.add_mass_times(&to.x.a, -s.mass, dynamics);
        for (row, level) in system.levels().iter().enumerate() {
            let scale = if *level == Level::Position { step.c_q() } else { step.c_v() };
            constraints[row] = -work.phi[row] / scale;
        }
    }

    fn renew(&mut self, system: &System, step: &Step, to: &Point, work: &mut Work) -> Result<(), StepError> {
        let weights = Weights {
            mass: step.scheme.mass * step.scheme.acceleration,
            velocity: step.c_v(),
            position: step.c_q(),
            increment: Some(&self.increment),
            regularization: step.regularization,
        };
        system.tangent(&to.x, &weights, work, &mut self.matrix);
        self.counts.jacobians += 1;
        self.made_for = Some(step.c_v());
        self.factor.refactor(&self.matrix).map_err(|e| self.name(system, to, work, e))
    }

    /// One Newton correction; returns ‖Δu‖.
    fn correct(
        &mut self,
        system: &System,
        formulation: Formulation,
        step: &Step,
        to: &mut Point,
        work: &mut Work,
    ) -> Result<f64, StepError> {
        let nv = system.nv();
        self.counts.iterations += 1;
        self.shift.copy_from_slice(&self.rhs);
        if formulation == Formulation::Index2 {
            for (row, value) in work.phi_dot.iter().enumerate() {
                self.shift[nv + row] = -value / step.c_v();
            }
        }
        self.factor.solve(&mut self.shift).map_err(|e| self.name(system, to, work, e))?;
        to.u.iter_mut().zip(&self.shift[..nv]).for_each(|(u, d)| *u += d);
        to.x.lambda.iter_mut().zip(&self.shift[nv..]).for_each(|(l, d)| *l += d);
        let size = weighted_rms(&self.shift[..nv], step.weights);
        if formulation == Formulation::Index2 {
            self.correct_positions(system, step, to, work)?;
        }
        Ok(size)
    }

    /// Equation (2).
    fn correct_positions(&mut self, system: &System, step: &Step, to: &Point, work: &mut Work) -> Result<(), StepError> {
        let nv = system.nv();
        self.shift[..nv].fill(0.0);
        for (row, level) in system.levels().iter().enumerate() {
            let velocity = work.phi_dot[row] / step.c_v();
            self.shift[nv + row] = if *level == Level::Position { velocity - work.phi[row] / step.c_q() } else { 0.0 };
        }
        self.factor.solve(&mut self.shift).map_err(|e| self.name(system, to, work, e))?;
        self.position_shift.iter_mut().zip(&self.shift[..nv]).for_each(|(w, d)| *w += d);
        Ok(())
    }

    /// Largest violation of the constraints that must hold, relative to the size of coordinates or velocities.
    fn violation(&self, system: &System, formulation: Formulation, to: &Point, work: &Work) -> f64 {
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

    fn name(&self, system: &System, to: &Point, work: &mut Work, error: LinearError) -> StepError {
        match error {
            LinearError::Singular { block } => StepError::Singular { element: system.block_name(block).into() },
            LinearError::NotFinite => match system.find_non_finite(&to.x, work) {
                Some(element) => StepError::NotFinite { element },
                None => StepError::Singular { element: "all".into() },
            },
        }
    }

    fn worst(&self, system: &System, step: &Step) -> StepError {
        let nv = system.nv();
        // Constraint rows are compared as accelerations, dynamics as they are.
        let worst = (0..self.rhs.len()).max_by(|a, b| self.rhs[*a].abs().total_cmp(&self.rhs[*b].abs())).unwrap_or(0);
        let residual = self.rhs[worst].abs();
        if worst >= nv {
            let (element, direction) = system.row_name(worst - nv);
            return StepError::NotConverged { element, equation: format!("the constraint '{direction}'"), residual: residual * step.c_q() };
        }
        let body = system.bodies().iter().find(|b| b.v().contains(&worst));
        let element = body.map_or_else(String::new, |b| b.name.clone());
        StepError::NotConverged { element, equation: "the equation of motion".into(), residual }
    }
}
