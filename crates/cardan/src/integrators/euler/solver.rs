//! A matrix with its factors, and solutions with a fixed number of operations: so many rounds of refinement, whatever they find.
//!
//! Redundant constraints have −ε on their diagonals, with which the matrix is regular. The rounds refine against the matrix without ε, so
//! that the constraints are met and not only nearly so.

use crate::linear::LinearError;
use crate::system::{Jacobian, System};

/// Rounds of refinement: one cleans up after a factorisation without pivoting, a second one after ε.
const ROUNDS: [usize; 2] = [1, 2];

/// A matrix, its factors and room for solutions.
#[derive(Debug)]
pub(super) struct Solver {
    pub jacobian: Jacobian,
    /// The last solution.
    pub solution: Vec<f64>,
    residual: Vec<f64>,
    /// First row of the constraints.
    first_row: usize,
}

/// How many rounds of refinement a solution has.
pub(super) fn rounds(regularization: &[f64]) -> usize {
    ROUNDS[usize::from(!regularization.is_empty())]
}

impl Solver {
    pub fn new(system: &System, threads: usize) -> Self {
        let n = system.unknowns();
        Self {
            jacobian: Jacobian::new(system).with_threads(threads),
            solution: vec![0.0; n],
            residual: vec![0.0; n],
            first_row: system.nv(),
        }
    }

    pub fn factor(&mut self) -> Result<(), LinearError> {
        self.jacobian.factor()
    }

    /// Solves with the last factors; `regularization` is the ε in the matrix.
    pub fn solve(&mut self, rhs: &[f64], regularization: &[f64]) -> Result<(), LinearError> {
        self.solution.copy_from_slice(rhs);
        self.jacobian.solve(&mut self.solution)?;
        for _ in 0..rounds(regularization) {
            self.jacobian.residual(&self.solution, rhs, &mut self.residual);
            let rows = self.first_row..self.first_row + regularization.len();
            for ((r, epsilon), lambda) in self.residual[rows.clone()].iter_mut().zip(regularization).zip(&self.solution[rows]) {
                *r -= epsilon * lambda;
            }
            self.jacobian.solve(&mut self.residual)?;
            self.solution.iter_mut().zip(&self.residual).for_each(|(x, d)| *x += d);
        }
        Ok(())
    }

    /// How often it was factored, and how often that took more than was known before.
    pub fn counts(&self) -> [usize; 2] {
        [self.jacobian.factorizations(), self.jacobian.unplanned()]
    }
}
