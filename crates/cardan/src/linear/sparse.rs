//! faer's sparse LU with column ordering and partial pivoting: slower than the block factorisation and it allocates, but it finds a
//! pivot wherever there is one.

use super::{BlockMatrix, BlockPattern, LinearError};
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

/// A sparse matrix, factored with pivoting.
#[derive(Debug)]
pub struct SparseLu {
    symbolic: Option<SymbolicLu<usize>>,
    numeric: Option<Lu<usize, f64>>,
    values: Vec<f64>,
}

impl SparseLu {
    /// Room for matrices of this pattern.
    pub fn new(pattern: &BlockPattern) -> Self {
        Self { symbolic: None, numeric: None, values: vec![0.0; pattern.places.len()] }
    }

    /// Factors, reusing the symbolic phase.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        let p = matrix.pattern();
        let n = p.dimension();
        for (value, place) in self.values.iter_mut().zip(&p.places) {
            *value = matrix.values[*place];
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &p.column_pointers, None, &p.row_indices);
        let order = match &self.symbolic {
            Some(order) => order.clone(),
            None => self.symbolic.insert(SymbolicLu::try_new(pattern).map_err(|_| LinearError::NotFinite)?).clone(),
        };
        let lu = Lu::try_new_with_symbolic(order, SparseColMatRef::new(pattern, &self.values));
        self.numeric = Some(lu.map_err(|_| LinearError::Singular { block: None })?);
        Ok(())
    }

    /// Solves in place.
    pub fn solve(&self, rhs: &mut [f64]) -> Result<(), LinearError> {
        let (n, lu) = (rhs.len(), self.numeric.as_ref().ok_or(LinearError::NotFinite)?);
        lu.solve_in_place(faer::MatMut::from_column_major_slice_mut(rhs, n, 1));
        Ok(())
    }
}
