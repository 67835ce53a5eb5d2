//! One-shot solves with the matrix of masses and constraints,
//!
//! ```text
//! [ M  Gᵀ ; G  −ε ] (z, μ) = (r, s)                                                             (1)
//! ```
//!
//! accelerations (r = Q, s = −bias), and mass-weighted projections of positions and velocities onto the constraints (r = 0).
//! ε > 0 is used only where constraints are redundant: it picks the smallest multipliers and leaves the motion unchanged,
//! since the iterations go on until the constraints themselves are met.

use super::{State, System, Weights, Work};
use crate::constraints::Level;
use crate::linear::{BlockMatrix, Factor, LinearError};
use crate::math::max_abs;
use thiserror::Error;

/// Why a solve failed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum KktError {
    /// The matrix is singular.
    #[error("the constraints are singular at '{element}': two of them block the same motion, or a body has no mass left to move")]
    Singular {
        /// A body or constraint at the singularity, as far as it is known.
        element: String,
    },
    /// An element gave NaN or infinity.
    #[error("{element} gave a value that is not finite")]
    NotFinite {
        /// The element.
        element: String,
    },
    /// The iterations did not settle.
    #[error("the iteration did not converge; '{element}' ({direction}) is still off by {residual:.3e}")]
    NotConverged {
        /// The constraint with the largest residual.
        element: String,
        /// Its direction.
        direction: String,
        /// The residual.
        residual: f64,
    },
}

/// Matrix, factorisation and scratch for one-shot solves.
#[derive(Debug)]
pub struct Kkt {
    matrix: BlockMatrix,
    factor: Factor,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    bias: Vec<f64>,
    /// ε of every row; empty where constraints are independent.
    pub regularization: Vec<f64>,
}

const MAX_ITERATIONS: usize = 30;

impl Kkt {
    /// For this system, without regularisation.
    pub fn new(system: &System) -> Self {
        let matrix = system.matrix();
        let n = system.nv + system.rows;
        let factor = Factor::new(matrix.pattern());
        Self { matrix, factor, rhs: vec![0.0; n], solution: vec![0.0; n], bias: vec![0.0; system.rows], regularization: Vec::new() }
    }

    fn factor(&mut self, system: &System, x: &State, work: &mut Work) -> Result<(), KktError> {
        system.tangent(x, &Weights::mass_only(&self.regularization), work, &mut self.matrix);
        self.factor.refactor(&self.matrix).map_err(|e| name(system, x, work, e))
    }

    fn solve(&mut self, system: &System, x: &State, work: &mut Work) -> Result<(), KktError> {
        self.factor.solve_refined(&self.matrix, &self.rhs, &mut self.solution).map_err(|e| name(system, x, work, e))
    }

    /// a and λ that satisfy the equations of motion and the acceleration-level constraints at (q, v, t).
    pub fn accelerate(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        let (nv, rows) = (system.nv, system.rows);
        x.a.fill(0.0);
        x.lambda.fill(0.0);
        system.evaluate(x, work);
        system.acceleration_bias(x, work, &mut self.bias);
        let linear = system.forces.iter().all(|f| crate::forces::ForceLaw::reaction_rows(f).is_empty());
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            self.factor(system, x, work)?;
            // r = −(M a + Gᵀλ − Q),  s = −(G a + bias); G a is what the matrix gives for (a, 0).
            self.solution[..nv].copy_from_slice(&x.a);
            self.solution[nv..].fill(0.0);
            let mut right = std::mem::take(&mut self.rhs);
            right[..nv].iter_mut().zip(&work.f).for_each(|(r, f)| *r = -f);
            right[nv..].iter_mut().zip(&self.bias).for_each(|(r, b)| *r = -b);
            let mut residual = right.clone();
            self.matrix.residual(&self.solution, &right, &mut residual);
            self.rhs = residual;
            self.solve(system, x, work)?;
            x.a.iter_mut().zip(&self.solution[..nv]).for_each(|(a, d)| *a += d);
            x.lambda.iter_mut().zip(&self.solution[nv..]).for_each(|(l, d)| *l += d);
            let size = max_abs(&self.solution);
            if linear
                || rows == 0
                || size <= 1e-13 * (1.0 + max_abs(&x.lambda))
                || (size >= 0.5 * last && size < 1e-9 * (1.0 + max_abs(&x.lambda)))
            {
                return Ok(());
            }
            last = size;
            system.evaluate(x, work);
        }
        let (element, direction) = system.row_name(0);
        Err(KktError::NotConverged { element, direction, residual: last })
    }

    /// Moves q to the nearest configuration (in the mass metric) that satisfies the position constraints.
    pub fn project_positions(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<usize, KktError> {
        let nv = system.nv;
        let mut q = x.q.clone();
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            x.lambda.fill(0.0);
            system.evaluate(x, work);
            let violation = position_violation(system, work);
            let scale = 1.0 + max_abs(&x.q);
            if violation.is_nan() {
                return Err(not_finite(system, x, work));
            }
            if violation <= 1e-15 * scale || (violation < 1e-11 * scale && violation >= 0.3 * last) {
                return Ok(iteration);
            }
            last = violation;
            self.factor(system, x, work)?;
            self.rhs[..nv].fill(0.0);
            for (row, level) in system.levels.iter().enumerate() {
                self.rhs[nv + row] = if *level == Level::Position { -work.phi[row] } else { 0.0 };
            }
            self.solve(system, x, work)?;
            q.copy_from_slice(&x.q);
            system.retract(&q, &self.solution[..nv], &mut x.q);
        }
        system.evaluate(x, work);
        Err(worst_row(system, &work.phi))
    }

    /// Moves v to the nearest velocities (in the mass metric) that satisfy all constraints at velocity level.
    pub fn project_velocities(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        let nv = system.nv;
        x.lambda.fill(0.0);
        for _ in 0..3 {
            system.evaluate(x, work);
            self.factor(system, x, work)?;
            self.rhs[..nv].fill(0.0);
            self.rhs[nv..].iter_mut().zip(&work.phi_dot).for_each(|(r, p)| *r = -p);
            self.solve(system, x, work)?;
            x.v.iter_mut().zip(&self.solution[..nv]).for_each(|(v, d)| *v += d);
        }
        system.evaluate(x, work);
        let allowed = 1e-9 * (1.0 + max_abs(&x.v));
        if max_abs(&work.phi_dot) <= allowed { Ok(()) } else { Err(worst_row(system, &work.phi_dot)) }
    }

    /// The start-up correction: [M Gᵀ; G 0](Δv, Δλ) = (0, G l), in place on (v, λ).
    pub fn shift(&mut self, system: &System, x: &mut State, l: &[f64], work: &mut Work) -> Result<(), KktError> {
        let nv = system.nv;
        system.evaluate(x, work);
        self.factor(system, x, work)?;
        self.solution[..nv].copy_from_slice(l);
        self.solution[nv..].fill(0.0);
        let zero = vec![0.0; self.rhs.len()];
        self.matrix.residual(&self.solution, &zero, &mut self.rhs);
        self.rhs[..nv].fill(0.0);
        self.rhs[nv..].iter_mut().for_each(|r| *r = -*r);
        self.solve(system, x, work)?;
        x.v.iter_mut().zip(&self.solution[..nv]).for_each(|(v, d)| *v += d);
        x.lambda.iter_mut().zip(&self.solution[nv..]).for_each(|(l, d)| *l += d);
        Ok(())
    }
}

fn position_violation(system: &System, work: &Work) -> f64 {
    let rows = work.phi.iter().zip(&system.levels).filter(|(_, l)| **l == Level::Position);
    rows.fold(0.0, |m: f64, (p, _)| if p.is_nan() || m.is_nan() { f64::NAN } else { m.max(p.abs()) })
}

fn worst_row(system: &System, values: &[f64]) -> KktError {
    let worst = (0..values.len()).max_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs())).unwrap_or(0);
    let (element, direction) = system.row_name(worst);
    KktError::NotConverged { element, direction, residual: values[worst].abs() }
}

fn not_finite(system: &System, x: &State, work: &mut Work) -> KktError {
    let element = system.find_non_finite(x, work).unwrap_or_else(|| "the state".into());
    KktError::NotFinite { element }
}

fn name(system: &System, x: &State, work: &mut Work, error: LinearError) -> KktError {
    match error {
        LinearError::Singular { block } => match system.find_non_finite(x, work) {
            Some(element) => KktError::NotFinite { element },
            None => KktError::Singular { element: system.block_name(block).into() },
        },
        LinearError::NotFinite => not_finite(system, x, work),
    }
}
