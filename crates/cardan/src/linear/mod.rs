//! Linear algebra on block-sparse matrices: pattern once, numeric refactorisation many times.
//!
//! A matrix is made of dense blocks, one block row per body, constraint or differential state. Small systems are factored densely with partial
//! pivoting, larger ones block by block in an order found once (`ordering`, `symbolic`, `block_lu`), and where that loses its pivots by
//! faer's sparse LU.

mod block_lu;
mod block_matrix;
mod dense;
mod factor;
mod kernels;
mod large;
mod null_space;
mod ordering;
pub mod rank;
mod row_operations;
mod sparse;
mod symbolic;

pub use block_matrix::{BlockMatrix, BlockPattern, PatternBuilder, Slot};
pub use factor::{Factor, LinearError};
