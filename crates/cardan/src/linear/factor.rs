//! Factorisation of a block matrix: dense for small systems, block by block for others; where the blocks lose their pivots, a
//! sparse LU with pivoting takes over for that matrix.

use super::dense::DenseLu;
use super::large::LargeLu;
use super::{BlockMatrix, BlockPattern};
use thiserror::Error;

/// Systems up to this size are factored densely.
const DENSE_LIMIT: usize = 40;

/// Why a matrix could not be factored or solved with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LinearError {
    /// No usable pivot.
    #[error("the matrix is singular")]
    Singular {
        /// The block row (body or constraint) without a pivot, where it is known.
        block: Option<usize>,
    },
    /// Numbers in the matrix are not finite, or the solution is not.
    #[error("the matrix or its solution is not finite")]
    NotFinite,
}

#[derive(Debug)]
enum Kind {
    Dense(DenseLu),
    Large(LargeLu),
}

/// A factorisation that can be renewed in place.
#[derive(Debug)]
pub struct Factor {
    kind: Kind,
    correction: Vec<f64>,
    count: usize,
}

impl Factor {
    /// Prepares for matrices of this pattern.
    pub fn new(pattern: &BlockPattern) -> Self {
        let n = pattern.dimension();
        let kind = if n <= DENSE_LIMIT { Kind::Dense(DenseLu::new(n)) } else { Kind::Large(LargeLu::default()) };
        Self { kind, correction: vec![0.0; n], count: 0 }
    }

    /// How often it has been renewed.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Factors the matrix, reusing the symbolic phase.
    pub fn refactor(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        let p = matrix.pattern();
        self.count += 1;
        if !matrix.values.iter().all(|x| x.is_finite()) {
            return Err(LinearError::NotFinite);
        }
        match &mut self.kind {
            Kind::Dense(lu) => {
                matrix.to_dense(lu.matrix_mut());
                lu.factor().map_err(|column| LinearError::Singular { block: Some(p.block_of(column)) })
            }
            Kind::Large(lu) => lu.factor(matrix),
        }
    }

    /// Solves in place with the last factorisation.
    pub fn solve(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        let block = match &mut self.kind {
            Kind::Dense(lu) => {
                lu.solve(rhs);
                None
            }
            Kind::Large(lu) => {
                lu.solve(rhs)?;
                lu.lost()
            }
        };
        if rhs.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(LinearError::Singular { block }) }
    }

    /// Solves A x = b with iterative refinement: for one-shot solves, where no Newton iteration follows to clean up.
    pub fn solve_refined(&mut self, matrix: &BlockMatrix, b: &[f64], x: &mut [f64]) -> Result<(), LinearError> {
        x.copy_from_slice(b);
        self.solve(x)?;
        for _ in 0..2 {
            let mut correction = std::mem::take(&mut self.correction);
            matrix.residual(x, b, &mut correction);
            let solved = self.solve(&mut correction);
            x.iter_mut().zip(&correction).for_each(|(x, c)| *x += c);
            self.correction = correction;
            solved?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::PatternBuilder;
    use super::*;
    use std::sync::Arc;

    /// A diagonal matrix of 1×1 blocks with one zero on the diagonal.
    fn outcome(n: usize, zero: usize) -> Result<(), LinearError> {
        let mut builder = PatternBuilder::new(vec![1; n]);
        let slots: Vec<_> = (0..n).map(|k| builder.slot(k, k)).collect();
        let mut matrix = BlockMatrix::new(Arc::new(builder.finish()));
        (0..n).filter(|k| *k != zero).for_each(|k| matrix.block(slots[k])[0] = 2.0);
        let mut factor = Factor::new(matrix.pattern());
        factor.refactor(&matrix).and_then(|()| factor.solve(&mut vec![1.0; n]))
    }

    #[test]
    fn a_singular_matrix_names_its_block() {
        assert_eq!(outcome(10, 7), Err(LinearError::Singular { block: Some(7) }));
        assert_eq!(outcome(90, 7), Err(LinearError::Singular { block: Some(7) }));
        assert_eq!(outcome(90, 90), Ok(()));
    }
}
