//! Linear algebra on block-sparse matrices: pattern once, numeric refactorisation many times.
//!
//! | room | what it holds |
//! |---|---|
//! | `pattern`, `block_matrix` | a matrix made of dense blocks, one block row per body, constraint or differential state |
//! | `factor` | its factorisation and solution: by blocks; with pivoting between all rows where these lose their pivots (`pivoting`) |
//! | `block_lu` | LU by blocks in an order found once, in large systems by parts on several threads |
//! | `complex` | factors of A + iB |
//! | `gmres` | solutions with matrices that are known by their products only |
//! | `rank` | rank of a sparse constraint Jacobian, redundant rows, null space |
//! | `decompositions` | eigenvalues and singular values of dense matrices |
//! | `norms` | norms of long vectors |
//!
//! It is a crate apart because half of the machine code of the whole engine is made here, of generic code for many sizes and types: changes
//! elsewhere do not compile it again.

mod block_lu;
mod block_matrix;
mod complex;
pub mod decompositions;
mod dense;
mod factor;
mod gmres;
pub mod norms;
mod pattern;
mod pivoting;
pub mod rank;
mod sparse;

pub use block_lu::Flops;
pub use block_matrix::BlockMatrix;
pub use complex::ComplexFactor;
pub use factor::{Factor, LinearError};
pub use gmres::Gmres;
pub use pattern::{BlockPattern, PatternBuilder, Slot, Structure};
