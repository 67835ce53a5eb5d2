//! Numbers of a Jacobian, its factors and solutions with them. Whatever changes a number forgets the factors.

use super::Jacobian;
use crate::linear::{ComplexFactor, LinearError};
use std::ops::Range;

impl Jacobian {
    /// Changes numbers of the matrix, whose factors are forgotten.
    pub(crate) fn change(&mut self) -> &mut [f64] {
        self.outdate();
        &mut self.matrices[0].values
    }

    /// Sets all values to zero.
    pub(crate) fn clear(&mut self) {
        self.change().fill(0.0);
    }

    /// Takes all values from a Jacobian of the same system, in which no pairs that come and go are coupled.
    pub(crate) fn copy(&mut self, from: &Jacobian) {
        let permanent = self.base.slots.written;
        let values = self.change();
        values[..permanent].copy_from_slice(&from.matrix().values[..permanent]);
        values[permanent..].fill(0.0);
    }

    /// Takes the block rows of some constraints from a Jacobian of the same system.
    pub(crate) fn copy_rows(&mut self, from: &Jacobian, rows: Range<usize>) {
        self.outdate();
        let pattern = self.base.pattern.clone();
        for (_, _, values) in pattern.placed().filter(|(row, ..)| rows.contains(row)) {
            self.matrices[0].values[values.clone()].copy_from_slice(&from.matrix().values[values]);
        }
    }

    /// Adds a Jacobian of the same system, in which no pairs that come and go are coupled.
    pub(crate) fn add(&mut self, other: &Jacobian) {
        let permanent = self.base.slots.written;
        let values = self.change();
        values.iter_mut().zip(&other.matrix().values[..permanent]).for_each(|(a, b)| *a += b);
    }

    /// Leaves nothing in these block rows and columns but ones on the diagonal, so that the others stand alone.
    pub(crate) fn take_out(&mut self, rows: Range<usize>) {
        self.outdate();
        self.matrices[0].take_out(rows);
    }

    pub(super) fn outdate(&mut self) {
        self.made_for = None;
        self.factor.outdate();
    }

    /// Forgets what the factors were made for: they are not to be used for the next step.
    pub fn retire(&mut self) {
        self.made_for = None;
    }

    /// The length of steps that the factors were made for, in the units of who made them; `None` once they are outdated or retired.
    pub fn made_for(&self) -> Option<f64> {
        self.made_for
    }

    /// Whether the matrix is factored as it stands.
    pub fn is_factored(&self) -> bool {
        self.factor.is_factored()
    }

    /// Factors the matrix.
    pub fn factor(&mut self) -> Result<(), LinearError> {
        self.factor.refactor(&self.matrices[0])
    }

    /// Factors the matrix for steps of this length.
    pub fn factor_for(&mut self, step: f64) -> Result<(), LinearError> {
        self.factor()?;
        self.made_for = Some(step);
        Ok(())
    }

    /// Factors Σ f_k A_k over the first matrices, with complex factors f_k = (real, imaginary), beside the real matrix.
    pub fn factor_complex<const N: usize>(&mut self, factors: [[f64; 2]; N]) -> Result<(), LinearError> {
        let terms = std::array::from_fn(|k| (&self.matrices[k], factors[k]));
        let (pattern, threads) = (self.matrices[0].pattern(), self.threads);
        self.complex.get_or_insert_with(|| Box::new(ComplexFactor::new(pattern, threads))).refactor::<N>(terms)
    }

    /// Solves in place.
    pub fn solve(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        self.factor.solve(rhs)
    }

    /// Solves with iterative refinement.
    pub fn solve_refined(&mut self, b: &[f64], x: &mut [f64]) -> Result<(), LinearError> {
        self.factor.solve_refined(&self.matrices[0], b, x)
    }

    /// Solves with the complex factors in place, for real and imaginary parts.
    pub fn solve_complex(&mut self, re: &mut [f64], im: &mut [f64]) -> Result<(), LinearError> {
        let complex = self.complex.as_mut().filter(|_| self.factor.is_factored());
        complex.map_or(Err(LinearError::NotFactored), |complex| complex.solve(re, im))
    }

    /// out = b − A x.
    pub fn residual(&self, x: &[f64], b: &[f64], out: &mut [f64]) {
        self.matrices[0].residual(x, b, out);
    }
}
