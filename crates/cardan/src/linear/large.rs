//! Factorisation of large matrices: block by block where that works, else by a sparse LU with pivoting.

use super::block_lu::BlockLu;
use super::sparse::SparseLu;
use super::{BlockMatrix, LinearError};

/// The factorisation of a large matrix; what it needs is made when it is first needed.
#[derive(Debug, Default)]
pub struct LargeLu {
    blocks: Blocks,
    pivoting: Option<Box<SparseLu>>,
    /// What holds the last matrix.
    last: Last,
}

/// The block factorisation, if the pattern is fit for it.
#[derive(Debug, Default)]
enum Blocks {
    #[default]
    NotTried,
    Fit(Box<BlockLu>),
    TooFull,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Last {
    #[default]
    None,
    Blocks,
    /// After this block had no pivot.
    Pivoting {
        lost: Option<usize>,
    },
}

impl LargeLu {
    /// Factors the matrix.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        if matches!(self.blocks, Blocks::NotTried) {
            self.blocks = BlockLu::new(matrix).map_or(Blocks::TooFull, |lu| Blocks::Fit(Box::new(lu)));
        }
        let lost = match &mut self.blocks {
            Blocks::Fit(lu) => match lu.factor(matrix) {
                Ok(()) => {
                    self.last = Last::Blocks;
                    return Ok(());
                }
                Err(lost) => Some(lost.block),
            },
            _ => None,
        };
        self.last = Last::Pivoting { lost };
        let sparse = self.pivoting.get_or_insert_with(|| Box::new(SparseLu::new(matrix.pattern())));
        sparse.factor(matrix).map_err(|_| LinearError::Singular { block: lost })
    }

    /// Solves in place with the last factorisation.
    pub fn solve(&mut self, rhs: &mut [f64]) -> Result<(), LinearError> {
        match (self.last, &mut self.blocks, &self.pivoting) {
            (Last::Blocks, Blocks::Fit(lu), _) => lu.solve(rhs),
            (Last::Pivoting { .. }, _, Some(sparse)) => sparse.solve(rhs)?,
            _ => return Err(LinearError::NotFinite),
        }
        Ok(())
    }

    /// The block that lost its pivots in the last factorisation.
    pub fn lost(&self) -> Option<usize> {
        if let Last::Pivoting { lost } = self.last { lost } else { None }
    }
}
