//! Linear algebra on block-sparse matrices: pattern once, numeric refactorisation many times.
//!
//! A matrix is made of dense blocks, one block row per body, constraint or differential state. It is factored block by block in an order
//! found once (`ordering`, `symbolic`), panel by panel in a memory that stays in the cache (`filling`, `front`), stored
//! (`factors`) and solved with in two sweeps (`sweeps`); in large systems by parts on several threads (`partition`, `block_lu`), and where that
//! loses its pivots by an LU with pivoting between all rows (`pivoting`).
//! Matrices that are known by their products only are solved with by `gmres`.

mod block_lu;
mod block_matrix;
mod complex;
mod dense;
mod elimination;
mod factor;
mod factors;
mod filling;
mod front;
mod gmres;
mod inverse;
mod kernels;
mod null_space;
mod ordering;
mod part;
mod partition;
mod pivoting;
pub mod rank;
mod row_operations;
mod sparse;
mod sweeps;
mod symbolic;

pub use block_matrix::{BlockMatrix, BlockPattern, PatternBuilder, Slot};
pub use complex::ComplexFactor;
pub use factor::{Factor, LinearError};
pub use gmres::Gmres;
pub use symbolic::Flops;
