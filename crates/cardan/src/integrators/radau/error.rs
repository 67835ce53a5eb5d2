//! The error estimate of a step: the embedded formula of order 3, filtered by the real matrix,
//!
//! ```text
//! J(c) E = −(M a′ + f, A v′ + b, x′̇ − f_x)  at  (q_n, v′, a′, x_n),       E_q = c² u,  E_x = c w                       (1)
//! v′ = −Σ e_i δ_i/h,    a′ = −Σ e_i (v_i − v_n)/h − (v_n − v′)/c,    x′̇ = −Σ e_i (x_i − x_n)/h                          (2)
//! ```
//!
//! which is Hairer and Wanner's (IV.8.19) for q̇ = v, M v̇ + f = 0 with the velocities eliminated. The estimate satisfies the linearised
//! constraints, and multipliers do not enter it. Where it is too large at a start or after a rejection, it is filtered once more (IV.8.20).
//! The errors of the velocities follow from those of the positions, and are brought by the same matrix to what the velocities at the end of
//! the step violate the constraints by, Φ̇ (nothing in the index-2 formulation),
//!
//! ```text
//! J(c) (E_v, ·) = (r, Φ̇, ·),  (r, ·, ·) = J(c) (e, 0, 0),    e = E_q/c − (v_n − v′)                                       (3)
//! ```
//!
//! so that E_v = e where e has this violation, however stiff the forces are; filtered twice, e = (E_q − E_q of the first time)/c.

use super::equations::{self, Equations};
use super::newton::Task;
use super::stages::Stages;
use super::tableau::{Each, STAGES};
use crate::constraints::Level;
use crate::linear::LinearError;
use crate::math::weighted_rms;
use crate::system::{State, System, Work};

/// At finer tolerances the violations of velocities, which are of order 3 with index 3, are not counted: they would bring steps down to
/// round-off.
const FINE: f64 = 1e-8;

/// The estimated error of a step, and room to find it.
#[derive(Debug)]
pub struct ErrorEstimate {
    x: State,
    rhs: Vec<f64>,
    /// (e, 0, 0).
    raw: Vec<f64>,
    /// Σ e_i (v_i − v_n)/h.
    slope: Vec<f64>,
    /// E: of positions, then of differential states.
    pub error: Vec<f64>,
    /// E_v.
    pub error_v: Vec<f64>,
}

/// How often the estimate is filtered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// Once.
    Once,
    /// Twice where it is too large.
    Twice,
}

impl ErrorEstimate {
    /// For a system.
    pub fn new(system: &System) -> Self {
        let (rhs, raw, moving) = (vec![0.0; system.unknowns()], vec![0.0; system.unknowns()], vec![0.0; system.nv()]);
        let error = vec![0.0; system.nv() + system.nx()];
        Self { x: system.initial().clone(), rhs, raw, slope: moving.clone(), error, error_v: moving }
    }

    /// The error of the step against this tolerance.
    pub fn estimate(
        &mut self,
        task: &Task,
        stages: &Stages,
        equations: &mut Equations,
        filter: Filter,
        tolerance: f64,
        work: &mut Work,
    ) -> Result<f64, LinearError> {
        let c = equations.real_step();
        self.prepare(task, stages, c);
        self.solve(task, equations, work)?;
        for (k, e) in self.error_v.iter_mut().enumerate() {
            *e = self.error[k] / c - (task.now.x.v[k] - self.x.v[k]);
        }
        let ratio = self.size(task, equations, tolerance)? / tolerance;
        if ratio <= 1.0 || filter == Filter::Once {
            return Ok(ratio);
        }
        self.shift(task, c);
        self.error_v.copy_from_slice(&self.error[..task.system.nv()]);
        self.solve(task, equations, work)?;
        self.error_v.iter_mut().zip(&self.error).for_each(|(e, twice)| *e = (twice - *e) / c);
        Ok(self.size(task, equations, tolerance)? / tolerance)
    }

    /// The size of the errors, after (3).
    fn size(&mut self, task: &Task, equations: &mut Equations, tolerance: f64) -> Result<f64, LinearError> {
        let nv = task.system.nv();
        let (moved, changed) = self.error.split_at(nv);
        let size = weighted_rms(moved, task.sizes.moving).max(weighted_rms(changed, task.sizes.states));
        if task.sizes.rates.is_empty() {
            return Ok(size);
        }
        self.raw[..nv].copy_from_slice(&self.error_v);
        equations.real_times(&self.raw, &mut self.rhs);
        let counted = if tolerance >= FINE { 1.0 } else { 0.0 };
        for (r, drift) in self.rhs[nv..].iter_mut().zip(&equations.drifts()[STAGES - 1]) {
            *r = -counted * drift;
        }
        equations.solve_real(&mut self.rhs)?;
        self.error_v.copy_from_slice(&self.rhs[..nv]);
        Ok(size.max(task.sizes.of_rates(&self.error_v)))
    }

    /// The state (2).
    fn prepare(&mut self, task: &Task, stages: &Stages, c: f64) {
        let (now, x, h) = (&task.now.x, &mut self.x, stages.h);
        let e = task.tableau.error.map(|e| e / h);
        x.copy_from(now);
        for k in 0..now.v.len() {
            x.v[k] = -sum(e, |i| stages.increment[i][k]);
            self.slope[k] = sum(e, |i| stages.x[i].v[k] - now.v[k]);
            x.a[k] = -self.slope[k] - (now.v[k] - x.v[k]) / c;
        }
        for k in 0..now.x.len() {
            x.x_dot[k] = -sum(e, |i| stages.x[i].x[k] - now.x[k]);
        }
    }

    /// The state at which the estimate is filtered again: displaced by itself.
    fn shift(&mut self, task: &Task, c: f64) {
        let (now, x, nv) = (&task.now.x, &mut self.x, task.now.x.v.len());
        task.system.retract(&now.q, &self.error[..nv], &mut x.q);
        (0..nv).for_each(|k| x.a[k] = -self.slope[k] - self.error[k] / (c * c));
        x.x.iter_mut().zip(&now.x).zip(&self.error[nv..]).for_each(|((x, n), e)| *x = n + e);
    }

    /// Equation (1).
    fn solve(&mut self, task: &Task, equations: &mut Equations, work: &mut Work) -> Result<(), LinearError> {
        let (system, c, nv) = (task.system, equations.real_step(), task.system.nv());
        equations.evaluations += 1;
        equations::residual(&system.evaluate(&self.x, work), &mut self.rhs);
        for (r, level) in self.rhs[nv..].iter_mut().zip(system.levels()) {
            *r = if *level == Level::Position { 0.0 } else { *r / c };
        }
        equations.solve_real(&mut self.rhs)?;
        let states = nv + system.rows();
        for k in 0..nv {
            self.error[k] = c * c * self.rhs[k];
        }
        for k in 0..system.nx() {
            self.error[nv + k] = c * self.rhs[states + k];
        }
        Ok(())
    }
}

fn sum(e: Each<f64>, value: impl Fn(usize) -> f64) -> f64 {
    (0..STAGES).map(|i| e[i] * value(i)).sum()
}
