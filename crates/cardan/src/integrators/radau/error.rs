//! The error estimate of a step: the embedded formula of order 3, filtered by the real matrix,
//!
//! ```text
//! J(c) E = −(M a′ + f, A v′ + b, x′̇ − f_x)  at  (q_n, v′, a′, x_n),       E_q = c² u,  E_x = c w                       (1)
//! v′ = −Σ e_i δ_i/h,    a′ = −Σ e_i (v_i − v_n)/h − (v_n − v′)/c,    x′̇ = −Σ e_i (x_i − x_n)/h                          (2)
//! ```
//!
//! which is Hairer and Wanner's (IV.8.19) for q̇ = v, M v̇ + f = 0 with the velocities eliminated. The estimate satisfies the linearised
//! constraints, and multipliers do not enter it. Where it is too large at a start or after a rejection, it is filtered once more (IV.8.20).

use super::equations::{self, Equations};
use super::newton::Task;
use super::stages::Stages;
use super::tableau::{Each, STAGES};
use crate::constraints::Level;
use crate::linear::LinearError;
use crate::math::weighted_rms;
use crate::system::{State, System, Work};

/// The estimated error of a step, and room to find it.
#[derive(Debug)]
pub struct ErrorEstimate {
    x: State,
    rhs: Vec<f64>,
    /// Σ e_i (v_i − v_n)/h.
    slope: Vec<f64>,
    /// E: of positions, then of differential states.
    pub error: Vec<f64>,
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
        let (rhs, slope) = (vec![0.0; system.unknowns()], vec![0.0; system.nv()]);
        Self { x: system.initial().clone(), rhs, slope, error: vec![0.0; system.nv() + system.nx()] }
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
        self.prepare(task, stages, equations.real_step());
        let ratio = self.solve(task, equations, work)? / tolerance;
        if ratio <= 1.0 || filter == Filter::Once {
            return Ok(ratio);
        }
        self.shift(task, equations.real_step());
        Ok(self.solve(task, equations, work)? / tolerance)
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
    fn solve(&mut self, task: &Task, equations: &mut Equations, work: &mut Work) -> Result<f64, LinearError> {
        let (system, c, nv) = (task.system, equations.real_step(), task.system.nv());
        system.evaluate(&self.x, work);
        equations.evaluations += 1;
        equations::residual(system, &self.x, work, &mut self.rhs);
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
        let (moved, changed) = self.error.split_at(nv);
        Ok(weighted_rms(moved, task.sizes.moving).max(weighted_rms(changed, task.sizes.states)))
    }
}

fn sum(e: Each<f64>, value: impl Fn(usize) -> f64) -> f64 {
    (0..STAGES).map(|i| e[i] * value(i)).sum()
}
