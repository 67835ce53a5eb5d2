//! Analyses of a system: assembly (consistent initial conditions, redundancy) and dynamics.

mod assemble;
mod dynamics;
mod error;
mod events;

pub use assemble::{Assembly, AssemblyError, assemble};
pub use dynamics::{Record, Simulation};
pub use error::SimulationError;
pub use events::{Direction, Event};
