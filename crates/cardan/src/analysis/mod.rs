//! Analyses of a compiled system. So far: assembly, which makes the initial state consistent,
//!
//!     Φ(q, t) = 0,    G v + Φ_t = 0,    M a + Gᵀλ = Q,  G a + bias = 0                                  (1)
//!
//! and finds the constraints that are redundant or in conflict with each other.

mod assemble;
mod conflict;
mod error;
mod positions;
mod redundancy;
mod singular;

pub use assemble::{Assembly, Moved, assemble};
pub use error::AssemblyError;
pub use redundancy::{Redundancy, RedundantRow};
