//! LU with pivoting between all rows, for matrices that cannot be factored block by block: dense for small ones, else sparse.

use super::dense::DenseLu;
use super::sparse::SparseLu;
use super::{BlockMatrix, LinearError};

/// Systems up to this size are factored densely.
const DENSE_LIMIT: usize = 60;

/// A factorisation with pivoting.
#[derive(Debug)]
pub enum PivotingLu {
    Dense(DenseLu),
    Sparse(Box<SparseLu>),
}

impl PivotingLu {
    /// Room for matrices like this one.
    pub fn new(matrix: &BlockMatrix) -> Self {
        let n = matrix.pattern().dimension();
        if n <= DENSE_LIMIT { Self::Dense(DenseLu::new(n)) } else { Self::Sparse(Box::new(SparseLu::new(matrix.pattern()))) }
    }

    /// Factors the matrix.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        match self {
            Self::Dense(lu) => {
                matrix.to_dense(lu.matrix_mut());
                lu.factor().map_err(|column| LinearError::Singular { block: Some(matrix.pattern().block_of(column)) })
            }
            Self::Sparse(lu) => lu.factor(matrix),
        }
    }

    /// Solves in place with the last factorisation.
    pub fn solve(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        match self {
            Self::Dense(lu) => {
                lu.solve(rhs);
                Ok(())
            }
            Self::Sparse(lu) => lu.solve(rhs),
        }
    }
}
