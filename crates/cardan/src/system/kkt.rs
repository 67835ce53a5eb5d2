//! One-shot solves with the matrix of masses and constraints,
//!
//! ```text
//! [ M  Gᵀ ; G  −ε ] (z, μ) = (r, s)                                                             (1)
//! ```
//!
//! extended by the rates of differential states, ẋ = f, where there are any:
//!
//! accelerations (r = Q, s = −bias), and mass-weighted projections of positions and velocities onto the constraints (r = 0).
//! ε > 0 is used only where constraints are redundant: it picks the smallest multipliers and leaves the motion unchanged,
//! since the iterations go on until the constraints themselves are met.

use super::{State, System, Weights, Work};
use crate::constraints::Level;
use crate::linear::{BlockMatrix, Factor, LinearError};
use crate::math::{is_finite, max_abs};
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
    /// An equation does not determine what it should.
    #[error("{reason}")]
    Undetermined {
        /// Which, and why.
        reason: String,
    },
    /// An element gave NaN or infinity.
    #[error("{fault}")]
    NotFinite {
        /// Which element, and why.
        fault: String,
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
    right: Vec<f64>,
    rows: Vec<f64>,
    q: Vec<f64>,
    /// ε of every row; empty where constraints are independent.
    pub regularization: Vec<f64>,
}

const MAX_ITERATIONS: usize = 30;

/// Whether the matrix of the state at hand is factored already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Matrix {
    Missing,
    Factored,
}

impl Kkt {
    /// For this system, without regularisation.
    pub fn new(system: &System) -> Self {
        let matrix = system.matrix();
        let n = system.unknowns();
        let factor = Factor::new(matrix.pattern());
        let [rhs, solution, right] = std::array::from_fn(|_| vec![0.0; n]);
        let [bias, rows] = std::array::from_fn(|_| vec![0.0; system.rows]);
        Self { matrix, factor, rhs, solution, bias, right, rows, q: vec![0.0; system.nq], regularization: Vec::new() }
    }

    /// Uses so many threads where the system is large enough; results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Self {
        Self { factor: self.factor.with_threads(threads), ..self }
    }

    /// Takes the order of elimination that another one for this system has found.
    pub fn order_like(&mut self, other: &Kkt) {
        self.factor.order_like(&other.factor);
    }

    /// Finds an order of elimination anew: after large movements.
    pub(crate) fn forget_order(&mut self) {
        self.factor.forget_order();
    }

    /// Gives the order of elimination to another factorisation for this system.
    pub(crate) fn lend_order(&self, to: &mut Factor) {
        to.order_like(&self.factor);
    }

    /// Number of factorisations so far.
    pub fn factorizations(&self) -> usize {
        self.factor.count()
    }

    fn factor(&mut self, system: &System, x: &State, work: &mut Work) -> Result<(), KktError> {
        system.tangent(x, &Weights::mass_only(&self.regularization), work, &mut self.matrix);
        self.refactor(system, x, work)
    }

    fn factor_accelerations(&mut self, system: &System, x: &State, work: &mut Work) -> Result<(), KktError> {
        system.tangent(x, &Weights::accelerations(&self.regularization), work, &mut self.matrix);
        self.refactor(system, x, work)
    }

    fn refactor(&mut self, system: &System, x: &State, work: &mut Work) -> Result<(), KktError> {
        self.factor.refactor(&self.matrix).map_err(|e| name(system, x, work, e))
    }

    fn solve(&mut self, system: &System, x: &State, work: &mut Work) -> Result<(), KktError> {
        self.factor.solve_refined(&self.matrix, &self.rhs, &mut self.solution).map_err(|e| name(system, x, work, e))
    }

    /// The smallest z (in the mass metric) with G z = `rows`, at a state whose kinematics are in `work`.
    pub(crate) fn correction(&mut self, system: &System, x: &State, rows: &[f64], work: &mut Work) -> Result<&[f64], KktError> {
        self.factor(system, x, work)?;
        self.rows.copy_from_slice(rows);
        self.correct_again(system, x, work)?;
        Ok(&self.solution[..system.nv])
    }

    /// [`Self::correction`] for the rows in `self.rows` with the last factorisation; it is in `self.solution`.
    fn correct_again(&mut self, system: &System, x: &State, work: &mut Work) -> Result<(), KktError> {
        let nv = system.nv;
        self.rhs[..nv].fill(0.0);
        self.rhs[nv..nv + system.rows].copy_from_slice(&self.rows);
        self.rhs[nv + system.rows..].fill(0.0);
        self.solve(system, x, work)
    }

    /// Factors the matrix of accelerations at a state that was evaluated last with `work`, for [`Self::solve_for`].
    pub(super) fn prepare(&mut self, system: &System, x: &State, work: &mut Work) -> Result<(), KktError> {
        self.factor_accelerations(system, x, work)
    }

    /// The solution for another right-hand side with the matrix factored last. Where constraints are redundant, what ε leaves of them is
    /// solved for again.
    pub(super) fn solve_for(&mut self, system: &System, x: &State, rhs: &[f64], out: &mut [f64], work: &mut Work) -> Result<(), KktError> {
        self.rhs.copy_from_slice(rhs);
        self.solve(system, x, work)?;
        out.copy_from_slice(&self.solution);
        let rounds = if self.regularization.is_empty() { 0 } else { 2 };
        for _ in 0..rounds {
            self.rhs.fill(0.0);
            for (r, epsilon) in self.regularization.iter().enumerate() {
                self.rhs[system.nv + r] = -epsilon * self.solution[system.nv + r];
            }
            self.solve(system, x, work)?;
            out.iter_mut().zip(&self.solution).for_each(|(x, d)| *x += d);
        }
        Ok(())
    }

    /// a, λ and ẋ that satisfy the equations of motion, the acceleration-level constraints and the differential equations at
    /// (q, v, x, t).
    ///
    /// The residuals, not the multipliers, say when to stop: with redundant constraints λ is only known to about 1e-6 of
    /// its size along the null space of Gᵀ, where it moves nothing.
    pub fn accelerate(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        self.accelerate_with(system, x, work, Matrix::Missing)
    }

    /// The same at velocities projected on the constraints, with one factorisation for both where forces do not depend on
    /// accelerations and reactions.
    pub fn project_and_accelerate(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        let matrix = self.projected_velocities(system, x, work)?;
        self.accelerate_with(system, x, work, if system.forces_feel_themselves() { Matrix::Missing } else { matrix })
    }

    fn accelerate_with(&mut self, system: &System, x: &mut State, work: &mut Work, matrix: Matrix) -> Result<(), KktError> {
        let (nv, states) = (system.nv, system.nv + system.rows);
        x.a.fill(0.0);
        x.lambda.fill(0.0);
        (0..x.x_dot.len()).filter(|k| !system.solves_for_rate(*k)).for_each(|k| x.x_dot[k] = 0.0);
        system.evaluate(x, work);
        system.acceleration_bias(x, work, &mut self.bias);
        let linear = !system.forces_feel_themselves();
        let scale = [max_abs(&work.f), max_abs(&self.bias).max(system.free_acceleration(&work.f))];
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            if (iteration == 0 && matrix == Matrix::Missing) || !linear {
                self.factor_accelerations(system, x, work)?;
            }
            self.acceleration_residual(system, x, work);
            let size = relative(&self.rhs[..nv], scale[0].max(max_abs(&work.f)))
                + relative(&self.rhs[nv..states], scale[1])
                + max_abs(&self.rhs[states..]) / rate_scale(x, work);
            if size <= 1e-15 || (size < 1e-10 && size >= 0.3 * last) {
                return Ok(());
            }
            last = size;
            self.solve(system, x, work)?;
            x.a.iter_mut().zip(&self.solution[..nv]).for_each(|(a, d)| *a += d);
            x.lambda.iter_mut().zip(&self.solution[nv..states]).for_each(|(l, d)| *l += d);
            x.x_dot.iter_mut().zip(&self.solution[states..]).for_each(|(x, d)| *x += d);
            if linear && self.regularization.is_empty() {
                return Ok(());
            }
            system.evaluate(x, work);
        }
        self.acceleration_residual(system, x, work);
        Err(worst_row(system, &self.rhs[nv..]))
    }

    /// rhs = (−(M a + Gᵀλ − Q), −(G a + bias), −(ẋ − f)); G a is what the matrix gives for (a, 0).
    fn acceleration_residual(&mut self, system: &System, x: &State, work: &Work) {
        let nv = x.a.len();
        self.solution[..nv].copy_from_slice(&x.a);
        self.solution[nv..].fill(0.0);
        let right = work.f.iter().chain(&self.bias).map(|y| -y).chain(work.rates.iter().copied());
        self.right.iter_mut().zip(right).for_each(|(r, y)| *r = y);
        self.matrix.residual(&self.solution, &self.right, &mut self.rhs);
        if system.forces_feel_themselves() {
            self.rhs[..nv].copy_from_slice(&self.right[..nv]);
            system.add_mass_times(&x.a, -1.0, &mut self.rhs[..nv]);
        }
        let states = nv + system.rows;
        for ((r, f), x_dot) in self.rhs[states..].iter_mut().zip(&work.rates).zip(&x.x_dot) {
            *r = f - x_dot;
        }
    }

    /// Moves q to the nearest configuration (in the mass metric) that satisfies the position constraints.
    ///
    /// For small corrections, as between time steps; [`crate::analysis::assemble`] finds its way from far away.
    pub fn project_positions(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<usize, KktError> {
        let mut last = f64::INFINITY;
        for iteration in 0..MAX_ITERATIONS {
            x.lambda.fill(0.0);
            system.evaluate(x, work);
            let (violation, _) = system.evaluated_violation(work);
            let scale = 1.0 + max_abs(&x.q);
            if !is_finite(&work.phi) {
                return Err(not_finite(system, x, work));
            }
            if violation <= 1e-15 * scale || (violation < 1e-11 * scale && violation >= 0.3 * last) {
                return Ok(iteration);
            }
            last = violation;
            for (row, level) in system.levels.iter().enumerate() {
                self.rows[row] = if *level == Level::Position { -work.phi[row] } else { 0.0 };
            }
            self.q.copy_from_slice(&x.q);
            self.factor(system, x, work)?;
            self.correct_again(system, x, work)?;
            system.retract(&self.q, &self.solution[..system.nv], &mut x.q);
        }
        system.evaluate(x, work);
        Err(worst_row(system, &work.phi))
    }

    /// Moves v to the nearest velocities (in the mass metric) that satisfy all constraints at velocity level.
    pub fn project_velocities(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<(), KktError> {
        self.projected_velocities(system, x, work).map(|_| ())
    }

    fn projected_velocities(&mut self, system: &System, x: &mut State, work: &mut Work) -> Result<Matrix, KktError> {
        x.lambda.fill(0.0);
        system.evaluate(x, work);
        if work.phi_dot.iter().all(|p| *p == 0.0) {
            return Ok(Matrix::Missing);
        }
        self.factor(system, x, work)?;
        let mut last = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            let size = max_abs(&work.phi_dot);
            if size <= 1e-15 * (1.0 + max_abs(&x.v)) || size >= 0.9 * last {
                break;
            }
            last = size;
            self.rows.iter_mut().zip(&work.phi_dot).for_each(|(r, p)| *r = -p);
            self.correct_again(system, x, work)?;
            x.v.iter_mut().zip(&self.solution).for_each(|(v, d)| *v += d);
            system.evaluate(x, work);
        }
        let allowed = 1e-9 * (1.0 + max_abs(&x.v));
        if max_abs(&work.phi_dot) <= allowed { Ok(Matrix::Factored) } else { Err(worst_row(system, &work.phi_dot)) }
    }

    /// The start-up correction: v += Δv with [M Gᵀ; G 0](Δv, ·) = (0, G l). Leaves λ at zero.
    pub fn shift(&mut self, system: &System, x: &mut State, l: &[f64], work: &mut Work) -> Result<(), KktError> {
        let nv = system.nv;
        x.lambda.fill(0.0);
        system.evaluate(x, work);
        self.factor(system, x, work)?;
        // G l is what the matrix gives for (l, 0).
        self.solution[..nv].copy_from_slice(l);
        self.solution[nv..].fill(0.0);
        let zero = vec![0.0; self.rhs.len()];
        self.matrix.residual(&self.solution, &zero, &mut self.rhs);
        self.rows.iter_mut().zip(&self.rhs[nv..]).for_each(|(r, p)| *r = -p);
        self.correct_again(system, x, work)?;
        x.v.iter_mut().zip(&self.solution).for_each(|(v, d)| *v += d);
        Ok(())
    }
}

/// Largest entry against a scale; zero where both vanish.
fn relative(x: &[f64], scale: f64) -> f64 {
    let largest = max_abs(x);
    if largest == 0.0 { 0.0 } else { largest / scale.max(largest) }
}

/// The size of the terms that rates of differential states are made of; their round-off is a part of it.
fn rate_scale(x: &State, work: &Work) -> f64 {
    1.0 + max_abs(&work.rates) + max_abs(&x.x) + max_abs(&x.a)
}

fn worst_row(system: &System, values: &[f64]) -> KktError {
    match (0..values.len()).max_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs())) {
        Some(worst) => {
            let (element, direction) = system.row_name(worst);
            KktError::NotConverged { element, direction, residual: values[worst].abs() }
        }
        None => KktError::NotConverged { element: "the equations of motion".into(), direction: String::new(), residual: f64::NAN },
    }
}

fn not_finite(system: &System, x: &State, work: &mut Work) -> KktError {
    let fault = system.find_non_finite(x, work).unwrap_or_else(|| "the state is not finite".into());
    KktError::NotFinite { fault }
}

fn name(system: &System, x: &State, work: &mut Work, error: LinearError) -> KktError {
    match error {
        LinearError::Singular { block } => match system.find_non_finite(x, work) {
            Some(fault) => KktError::NotFinite { fault },
            None => match system.undetermined(x, work) {
                Some(reason) => KktError::Undetermined { reason },
                None => KktError::Singular { element: system.block_name(block).into() },
            },
        },
        LinearError::NotFinite => not_finite(system, x, work),
    }
}
