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
//! since the iterations go on until the constraints themselves are met. Where no reactions are asked for, redundant rows may be left out
//! instead (`independent`), which takes one solution and no iterations.

mod accelerations;
mod independent;
mod projections;

use super::{Evaluated, Jacobian, System, Weights};
use crate::linear::LinearError;
use independent::Rows;
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
    /// With all rows.
    complete: Jacobian,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    bias: Vec<f64>,
    right: Vec<f64>,
    rows: Vec<f64>,
    q: Vec<f64>,
    /// ε of every row; empty where constraints are independent.
    pub regularization: Vec<f64>,
    rows_in_use: Rows,
    /// Whether the matrix is the same at all states, and whether it is factored.
    constant: bool,
    factored: bool,
}

const MAX_ITERATIONS: usize = 30;

/// Whether the matrix of the state at hand is factored already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matrix {
    Missing,
    Factored,
}

impl Kkt {
    /// For this system, without regularisation.
    pub fn new(system: &System) -> Self {
        let n = system.unknowns();
        let [rhs, solution, right] = std::array::from_fn(|_| vec![0.0; n]);
        let [bias, rows] = std::array::from_fn(|_| vec![0.0; system.rows]);
        let (complete, rows_in_use) = (Jacobian::of_masses(system), Rows::default());
        let (q, regularization, constant) = (vec![0.0; system.nq], Vec::new(), system.has_constant_masses_only());
        Self { complete, rhs, solution, bias, right, rows, q, regularization, rows_in_use, constant, factored: false }
    }

    /// Uses so many threads where the system is large enough; results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Self {
        Self { complete: self.complete.with_threads(threads), ..self }
    }

    /// Takes the order of elimination that another one for this system has found.
    pub fn order_like(&mut self, other: &Kkt) {
        self.complete.order_like(&other.complete);
    }

    /// Finds an order of elimination anew: after large movements.
    pub(crate) fn forget_order(&mut self) {
        self.complete.forget_order();
        self.factored = false;
    }

    /// Gives the order of elimination to another Jacobian of this system, if both have the same blocks.
    pub(crate) fn lend_order(&self, to: &mut Jacobian) {
        to.order_like(&self.complete);
    }

    /// Number of factorisations so far.
    pub fn factorizations(&self) -> usize {
        self.complete.factorizations() + self.rows_in_use.factorizations()
    }

    /// Factors the matrix of projections.
    fn factor(&mut self, at: &mut Evaluated) -> Result<(), KktError> {
        let epsilon: &[f64] = if self.is_regular() { &[] } else { &self.regularization };
        at.tangent(&Weights::mass_only(epsilon), self.rows_in_use.jacobian(&mut self.complete));
        self.refactor(at)
    }

    /// Factors the matrix of accelerations.
    pub(super) fn factor_accelerations(&mut self, at: &mut Evaluated) -> Result<(), KktError> {
        let epsilon: &[f64] = if self.is_regular() { &[] } else { &self.regularization };
        at.tangent(&Weights::accelerations(epsilon), self.rows_in_use.jacobian(&mut self.complete));
        self.refactor(at)
    }

    /// The one for the rows in use.
    fn jacobian(&mut self) -> &mut Jacobian {
        self.rows_in_use.jacobian(&mut self.complete)
    }

    fn refactor(&mut self, at: &mut Evaluated) -> Result<(), KktError> {
        self.rows_in_use.take_out();
        self.factored = false;
        self.jacobian().factor().map_err(|e| name(at, e))?;
        self.factored = true;
        Ok(())
    }

    fn solve(&mut self, at: &mut Evaluated) -> Result<(), KktError> {
        let jacobian = self.rows_in_use.jacobian(&mut self.complete);
        jacobian.solve_refined(&self.rhs, &mut self.solution).map_err(|e| name(at, e))
    }

    /// The smallest z (in the mass metric) with G z = `rows`.
    pub(crate) fn correction(&mut self, at: &mut Evaluated, rows: &[f64]) -> Result<&[f64], KktError> {
        self.factor(at)?;
        self.rows.copy_from_slice(rows);
        self.correct_again(at)?;
        Ok(&self.solution[..at.system.nv])
    }

    /// [`Self::correction`] for the rows in `self.rows` with the last factorisation; it is in `self.solution`.
    fn correct_again(&mut self, at: &mut Evaluated) -> Result<(), KktError> {
        let (nv, rows) = (at.system.nv, at.system.rows);
        self.rhs[..nv].fill(0.0);
        self.rhs[nv..nv + rows].copy_from_slice(&self.rows);
        self.rhs[nv + rows..].fill(0.0);
        self.ask_for_rows_kept();
        self.solve(at)
    }

    /// The solution for another right-hand side with the matrix factored last. Where constraints are redundant, what ε leaves of them is
    /// solved for again.
    pub(super) fn solve_for(&mut self, rhs: &[f64], out: &mut [f64], at: &mut Evaluated) -> Result<(), KktError> {
        self.rhs.copy_from_slice(rhs);
        self.solve(at)?;
        out.copy_from_slice(&self.solution);
        let rounds = if self.regularization.is_empty() { 0 } else { 2 };
        for _ in 0..rounds {
            self.rhs.fill(0.0);
            for (r, epsilon) in self.regularization.iter().enumerate() {
                self.rhs[at.system.nv + r] = -epsilon * self.solution[at.system.nv + r];
            }
            self.solve(at)?;
            out.iter_mut().zip(&self.solution).for_each(|(x, d)| *x += d);
        }
        Ok(())
    }
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

fn not_finite(at: &mut Evaluated) -> KktError {
    let fault = at.find_non_finite().unwrap_or_else(|| "the state is not finite".into());
    KktError::NotFinite { fault }
}

fn name(at: &mut Evaluated, error: LinearError) -> KktError {
    match error {
        LinearError::Singular { block } => match at.find_non_finite() {
            Some(fault) => KktError::NotFinite { fault },
            None => match at.undetermined() {
                Some(reason) => KktError::Undetermined { reason },
                None => KktError::Singular { element: at.system.block_name(block).into() },
            },
        },
        LinearError::NotFinite | LinearError::NotFactored => not_finite(at),
    }
}
