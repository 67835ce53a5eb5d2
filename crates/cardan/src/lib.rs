//! Cardan simulates mechanical and mechatronic systems: bodies, joints, forces, implicit time integration.
//!
//! The way is [`Model`](model::Model) → [`System`](system::System) → [`Simulation`](analysis::Simulation) →
//! [`Results`](results::Results): describe a mechanism, compile it to equations, integrate them, read the numbers by name.
//!
//! ```
//! use cardan::prelude::*;
//!
//! // A pendulum of 1 m, let go from the horizontal.
//! let mut model = Model::new("pendulum");
//! model.set_gravity([0.0, -9.81, 0.0]);
//! let arm = model.add_body(Body::planar("arm", 1.0, 1.0 / 12.0).at([0.5, 0.0, 0.0]));
//! let pin = model.add_marker(Marker::on(BodyId::GROUND));
//! let end = model.add_marker(Marker::on(arm).at([-0.5, 0.0, 0.0]));
//! model.add_joint(Joint::new("hinge", Revolute, end, pin));
//!
//! let system = System::new(&model)?;
//! let results = Simulation::new(&system).record(Record::Interval(1e-3)).run(2.0)?;
//!
//! // A uniform rod swings down with ω² = 3 g/l; the hinge then carries its weight and ½ m l ω².
//! let angles = results.channel(&system, "arm.angle")?;
//! let force = results.channel(&system, "hinge.force.y")?.into_iter().fold(0.0, f64::max);
//! assert!(angles.iter().all(|angle| (-3.142..=1e-3).contains(angle)));
//! assert!((force - 2.5 * 9.81).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod analysis;
pub mod bodies;
pub mod constraints;
pub mod contact;
pub mod control;
pub mod expr;
pub mod forces;
pub mod integrators;
pub mod math;
pub mod measures;
pub mod model;
pub mod newton;
pub mod results;
pub mod system;
pub mod units;

pub use cardan_linear as linear;

/// What most programs need, name by name: nothing so general that it could be mistaken for something of the program itself.
pub mod prelude {
    pub use crate::analysis::{Assembly, Direction, Event, Observer, Progress, RealTime, Record, Simulation, SimulationError, assemble};
    pub use crate::bodies::{Body, BodyId, Chart, Inertia, Marker, MarkerId};
    pub use crate::constraints::joints::{
        ConstantVelocity, Cylindrical, Fixed, FixedAngle, Joint, JointId, JointType, ParallelAxes, PerpendicularAxes, PlanarJoint,
        PointInLine, PointInPlane, Revolute, Rod, SameOrientation, Screw, Spherical, Translational, Universal,
    };
    pub use crate::constraints::{
        Coordinate, Coupler, ExpressionConstraint, KnifeEdge, Motion, PointOnCurve, RollingDisk, Term, UserConstraint,
    };
    pub use crate::control::Block;
    pub use crate::expr::Spline;
    pub use crate::forces::{
        Beam, Bushing, ExpressionForce, Force, GeneralForce, JointFriction, Line, RotationalSpringDamper, Section, SingleForce,
        SpringDamper, SpringLaw, VectorForce,
    };
    pub use crate::integrators::{
        Bdf, DormandPrince, Formulation, GeneralizedAlpha, Hht, Iterations, Newmark, Norm, Options, Radau, Startup,
    };
    pub use crate::integrators::{ExplicitEuler, HalfExplicitEuler, LinearImplicitEuler};
    pub use crate::math::{Dual, Quat, Vec3};
    pub use crate::measures::TimeFunction;
    pub use crate::model::{Array, Differential, Model, ModelError, ModelEvent, Sensor, Variable};
    pub use crate::results::{Channel, Channels, Ending, Keep, Results, Sample};
    pub use crate::system::{State, System, UnknownName};
}

/// The README's code is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    /// Were there a function of that name in the prelude, the call would be ambiguous.
    #[test]
    fn the_prelude_leaves_general_names_to_others() {
        use crate::forces::*;
        use crate::integrators::*;
        #[allow(unused_imports, reason = "what matters is what it does not bring")]
        use crate::prelude::*;
        assert!(!all().is_empty() && !KINDS.is_empty());
    }
}
