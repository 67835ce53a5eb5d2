//! Analyses of a compiled system: assembly, which makes the initial state consistent,
//!
//! ```text
//! Φ(q, t) = 0,    G v + Φ_t = 0,    M a + Gᵀλ = Q,  G a + bias = 0                                  (1)
//! ```
//!
//! and finds the constraints that are redundant or in conflict with each other; and dynamics, the only integration over time. Beside
//! them: where a mechanism rests (`statics`), the motion of one that is driven in all its degrees of freedom (`kinematics`), linear
//! equations of small motions (`linearize`) and their `modes`, and the stability of methods (`stability`).

mod assemble;
mod assembly_error;
mod audit;
mod changes;
mod conflict;
mod cost;
mod dynamics;
mod events;
mod hints;
mod kinematics;
mod linear_dynamics;
mod linearize;
mod modes;
mod observer;
mod positions;
mod quadrature;
mod real_time;
mod redundancy;
mod root_search;
mod sampler;
mod settings;
mod shares;
mod simulation;
mod simulation_error;
mod singular;
mod slender;
mod stability;
mod statics;
mod tangent_space;

pub use assemble::{Assembly, assemble};
pub use assembly_error::AssemblyError;
pub use changes::{Moved, Redirected, VelocityChange};
pub use cost::Cost;
pub use events::{Direction, Event};
pub use hints::Steps;
pub use kinematics::{KinematicsError, kinematics};
pub use linear_dynamics::{LinearDynamics, Steadiness};
pub use linearize::{LinearModel, LinearizeError, linearize};
pub use modes::{Mode, Modes, modes};
pub use observer::{Observer, Progress};
pub use real_time::{RealTime, RealTimeError};
pub use redundancy::{Redundancy, RedundantRow};
pub use settings::Mistake;
pub use simulation::{Record, Simulation, Start};
pub use simulation_error::SimulationError;
pub use stability::amplification;
pub use statics::{Equilibrium, StaticsError, equilibrium};
