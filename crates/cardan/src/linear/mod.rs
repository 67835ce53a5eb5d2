//! Linear algebra on block-sparse matrices: pattern once, numeric refactorisation many times.
//!
//! A matrix is made of dense blocks, one block row per body or constraint. Small systems are factored densely with partial
//! pivoting, larger ones by faer's sparse LU with the symbolic phase done once.

mod block_matrix;
mod dense;
mod factor;
mod null_space;
pub mod rank;
mod row_operations;

pub use block_matrix::{BlockMatrix, BlockPattern, PatternBuilder, Slot};
pub use factor::{Factor, LinearError};
