//! Cardan simulates mechanical and mechatronic systems: bodies, joints, forces, implicit time integration.

pub mod analysis;
pub mod bodies;
pub mod constraints;
pub mod control;
pub mod expr;
pub mod forces;
pub mod integrators;
pub mod linear;
pub mod math;
pub mod measures;
pub mod model;
pub mod results;
pub mod system;
pub mod units;

/// What most programs need.
pub mod prelude {
    pub use crate::analysis::{Assembly, Direction, Event, Observer, Progress, RealTime, Record, Simulation, SimulationError, assemble};
    pub use crate::bodies::{Body, BodyId, Chart, Inertia, Marker, MarkerId};
    pub use crate::constraints::joints::*;
    pub use crate::constraints::{
        Coordinate, Coupler, ExpressionConstraint, KnifeEdge, Motion, PointOnCurve, RollingDisk, Term, UserConstraint,
    };
    pub use crate::control::Block;
    pub use crate::expr::Spline;
    pub use crate::forces::*;
    pub use crate::integrators::{Bdf, DormandPrince, Formulation, GeneralizedAlpha, Hht, Iterations, Newmark, Norm, Options, Radau, Startup};
    pub use crate::integrators::{ExplicitEuler, HalfExplicitEuler, LinearImplicitEuler};
    pub use crate::math::{Dual, Quat, Vec3};
    pub use crate::measures::TimeFunction;
    pub use crate::model::{Array, Differential, Model, ModelEvent, Sensor, Variable};
    pub use crate::results::{Channel, Channels, Ending, Keep, Results, Sample};
    pub use crate::system::{State, System};
}

/// The README's code is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
