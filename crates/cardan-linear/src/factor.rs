//! Factorisation of a block matrix: block by block, and where the blocks lose their pivots with pivoting between all rows. A matrix of a
//! few rows has no blocks worth the name and is pivoted at once.
//!
//! Inside Newton's method the next iteration cleans up what a solution lacks. One-shot solutions are refined until the residual is round-off,
//! and where that cannot be reached the matrix is factored again with pivoting.

use super::block_lu::{BlockLu, Flops, LostPivot};
use super::pivoting::PivotingLu;
use super::{BlockMatrix, BlockPattern};
use crate::norms::is_finite;
use std::sync::Arc;
use thiserror::Error;

/// Refinement stops at this backward error.
const ROUND_OFF: f64 = 1e-15;
/// A larger one after refinement calls for pivoting.
const ACCEPTED: f64 = 1e-13;
/// Where errors that fall as before are this part of it, it is reached without another look.
const CERTAIN: f64 = 1e-4;
/// Most rounds of refinement.
const MOST_ROUNDS: usize = 6;

/// Matrices up to this size are pivoted at once.
const SMALL: usize = 8;

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
    /// The matrix was not factored, or has changed since.
    #[error("the matrix has changed since it was factored")]
    NotFactored,
}

/// The block factorisation, if the pattern is fit for it.
#[derive(Debug)]
enum Blocks {
    NotTried,
    Fit(Box<BlockLu>),
    /// With so many values or more in the matrix.
    TooFull(usize),
}

/// What holds the last matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    None,
    Blocks,
    /// After this block had no pivot.
    Pivoting {
        lost: Option<usize>,
    },
}

/// A factorisation that can be renewed in place.
#[derive(Debug)]
pub struct Factor {
    /// That of the last matrix.
    pattern: Arc<BlockPattern>,
    blocks: Blocks,
    pivoting: Option<PivotingLu>,
    last: Last,
    threads: usize,
    residual: Vec<f64>,
    sizes: Vec<f64>,
    count: usize,
    fallbacks: usize,
    rounds: usize,
    searches: usize,
    kept_orders: usize,
}

impl Factor {
    /// Prepares for matrices of this pattern, or of others with the same block rows.
    pub fn new(pattern: &Arc<BlockPattern>) -> Self {
        let n = pattern.dimension();
        let (residual, sizes) = (vec![0.0; n], vec![0.0; n]);
        let (blocks, last) = (Blocks::NotTried, Last::None);
        Self {
            pattern: pattern.clone(),
            blocks,
            pivoting: None,
            last,
            threads: 1,
            residual,
            sizes,
            count: 0,
            fallbacks: 0,
            rounds: 0,
            searches: 0,
            kept_orders: 0,
        }
    }

    /// Uses so many threads where a matrix is large enough; results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Takes the order of elimination of another one for the same blocks, if it has one and this has none.
    pub fn order_like(&mut self, other: &Factor) {
        if let (Blocks::NotTried, Blocks::Fit(lu)) = (&self.blocks, &other.blocks)
            && self.pattern.is_like(&other.pattern)
        {
            self.blocks = Blocks::Fit(Box::new(lu.alike()));
        }
    }

    /// Finds an order of elimination anew for the next matrix.
    pub fn forget_order(&mut self) {
        self.blocks = Blocks::NotTried;
    }

    /// How often it has been renewed.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How often that took pivoting between all rows.
    pub fn fallbacks(&self) -> usize {
        self.fallbacks
    }

    /// Operations of a factorisation and of a solution, and how many numbers the factors have; known once a matrix was factored, if it
    /// is small or the pattern is fit for blocks.
    pub fn operations(&self) -> Option<(Flops, usize)> {
        let n = self.residual.len();
        if n <= SMALL {
            let rows = n as u64;
            return Some((Flops { factor: 2 * rows.pow(3) / 3, solve: 2 * rows.pow(2) }, n * n));
        }
        if let Blocks::Fit(lu) = &self.blocks { Some(lu.operations()) } else { None }
    }

    /// How often a factorisation took more than the operations known before: pivoting between all rows, or a new order.
    pub fn unplanned(&self) -> usize {
        self.fallbacks + if let Blocks::Fit(lu) = &self.blocks { lu.reorders() } else { 0 }
    }

    /// How often an order of elimination was sought.
    pub fn searches(&self) -> usize {
        self.searches + if let Blocks::Fit(lu) = &self.blocks { lu.reorders() } else { 0 }
    }

    /// How often the order of elimination was kept where the pattern changed.
    pub fn kept_orders(&self) -> usize {
        self.kept_orders
    }

    /// Whether there are factors to solve with.
    pub fn is_factored(&self) -> bool {
        self.last != Last::None
    }

    /// Forgets the factors, but not how they were found: the matrix has changed.
    pub fn outdate(&mut self) {
        self.last = Last::None;
    }

    /// Rounds of refinement in the last refined solution.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Factors the matrix, reusing the symbolic phase.
    pub fn refactor(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        self.count += 1;
        if !Arc::ptr_eq(&self.pattern, matrix.pattern()) {
            self.take_pattern(matrix);
        }
        if self.residual.len() <= SMALL {
            return self.pivot(matrix, None);
        }
        self.last = Last::Blocks;
        match self.factor_blocks(matrix) {
            Ok(()) => Ok(()),
            Err(_) if !is_finite(&matrix.values) => {
                self.last = Last::None;
                Err(LinearError::NotFinite)
            }
            Err(lost) => self.factor_pivoting(matrix, lost),
        }
    }

    /// Prepares for the pattern of a matrix, in the order at hand.
    fn take_pattern(&mut self, matrix: &BlockMatrix) {
        (self.pattern, self.pivoting, self.last) = (matrix.pattern().clone(), None, Last::None);
        self.blocks = match std::mem::replace(&mut self.blocks, Blocks::NotTried) {
            Blocks::Fit(lu) => {
                let reorders = lu.reorders();
                match lu.adapted(matrix) {
                    Some(lu) => {
                        self.kept_orders += 1;
                        Blocks::Fit(Box::new(lu))
                    }
                    None => {
                        self.searches += reorders;
                        Blocks::NotTried
                    }
                }
            }
            Blocks::TooFull(len) if matrix.values.len() >= len => Blocks::TooFull(len),
            Blocks::TooFull(_) | Blocks::NotTried => Blocks::NotTried,
        };
    }

    fn factor_blocks(&mut self, matrix: &BlockMatrix) -> Result<(), Option<usize>> {
        let block = |lost: LostPivot| Some(lost.block);
        let threads = self.threads;
        match &mut self.blocks {
            Blocks::Fit(lu) => lu.factor(matrix, threads).or_else(|lost| lu.factor_anew(matrix, threads, lost)).map_err(block),
            Blocks::TooFull(_) => Err(None),
            Blocks::NotTried => {
                self.searches += 1;
                let len = matrix.values.len();
                self.blocks = BlockLu::new(matrix).map_or(Blocks::TooFull(len), |lu| Blocks::Fit(Box::new(lu)));
                if let Blocks::Fit(lu) = &mut self.blocks { lu.factor(matrix, threads).map_err(block) } else { Err(None) }
            }
        }
    }

    fn factor_pivoting(&mut self, matrix: &BlockMatrix, lost: Option<usize>) -> Result<(), LinearError> {
        self.fallbacks += 1;
        self.pivot(matrix, lost)
    }

    fn pivot(&mut self, matrix: &BlockMatrix, lost: Option<usize>) -> Result<(), LinearError> {
        self.last = Last::Pivoting { lost };
        let lu = self.pivoting.get_or_insert_with(|| PivotingLu::new(matrix));
        lu.factor(matrix).map_err(|error| match error {
            LinearError::Singular { block } => LinearError::Singular { block: block.or(lost) },
            other => other,
        })
    }

    /// Solves in place with the last factorisation.
    pub fn solve(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        let block = match (self.last, &mut self.blocks, &mut self.pivoting) {
            (Last::Blocks, Blocks::Fit(lu), _) => {
                lu.solve(rhs, self.threads);
                None
            }
            (Last::Pivoting { lost }, _, Some(lu)) => {
                lu.solve(rhs)?;
                lost
            }
            _ => return Err(LinearError::NotFactored),
        };
        if is_finite(rhs) { Ok(()) } else { Err(LinearError::Singular { block }) }
    }

    /// Adds the solution for the residual, which it takes the place of.
    fn solve_residual(&mut self, x: &mut [f64]) -> Result<(), LinearError> {
        let mut correction = std::mem::take(&mut self.residual);
        let solved = self.solve(&mut correction);
        x.iter_mut().zip(&correction).for_each(|(x, c)| *x += c);
        self.residual = correction;
        solved
    }

    /// Solves A x = b with iterative refinement: for one-shot solves, where no Newton iteration follows to clean up.
    pub fn solve_refined(&mut self, matrix: &BlockMatrix, b: &[f64], x: &mut [f64]) -> Result<(), LinearError> {
        if !Arc::ptr_eq(&self.pattern, matrix.pattern()) {
            return Err(LinearError::NotFactored);
        }
        let error = self.refine(matrix, b, x)?;
        if error <= ACCEPTED || self.last != Last::Blocks {
            return Ok(());
        }
        self.factor_pivoting(matrix, None)?;
        self.refine(matrix, b, x).map(|_| ())
    }

    /// Solves and refines as long as that helps; gives the backward error.
    fn refine(&mut self, matrix: &BlockMatrix, b: &[f64], x: &mut [f64]) -> Result<f64, LinearError> {
        x.copy_from_slice(b);
        self.solve(x)?;
        // Without a solution, all of the right-hand side is left.
        let mut last = 1.0;
        self.rounds = 0;
        loop {
            let error = matrix.residual_and_error(x, b, &mut self.residual, &mut self.sizes);
            if error <= ROUND_OFF || error > 0.5 * last || self.rounds == MOST_ROUNDS {
                return Ok(error);
            }
            self.rounds += 1;
            self.solve_residual(x)?;
            let expected = error * (error / last);
            if expected <= CERTAIN * ROUND_OFF {
                return Ok(expected);
            }
            last = error;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::PatternBuilder;
    use super::*;

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
