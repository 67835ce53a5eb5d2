//! The tables of a model file. Each is described once; see `table.rs`.

mod block;
mod body;
mod constraint;
mod contact;
mod force;
mod joint;
mod orientation;
mod profile;
mod shape;
mod signal;
mod simulation;

pub use block::{Block, Given};
pub use body::{Body, Inertia, Marker, PlanarBody, PointBody, RigidBody};
pub use constraint::{Constraint, Coupler, CouplerTerm, Freedom, FunctionConstraint, Gear, KnifeEdge, LinearCoupler, Motion, PointOnCurve};
pub use constraint::{RackAndPinion, RollingDisk};
pub use contact::{
    Capsule, Contact, ContactFriction, ContactLaw, ContactPoint, ContactResistance, ContactShape, Contacts, Disk, Ellipsoid, ForceFunction,
    ForceTable, HalfSpace, HeightField, Hull, HuntCrossley, Impact, Losses, Material, Names, Restitution, Torus, Touching, TouchingMesh,
};
pub use force::{
    Acting, Beam, Bushing, Components, Force, ForceKind, GeneralForce, JointFriction, Rectangle, RotationalSpringDamper, Round, Section,
};
pub use force::{SectionProperties, SingleForce, SixBySix, SpringDamper, VectorForce};
pub use joint::{Joint, JointKind};
pub(super) use orientation::z_along;
pub use orientation::{Orientation, Turn};
pub use profile::{
    ArcPiece, Cam, GenevaLock, GenevaWheel, InvolutePiece, LinePiece, Profile, ProfilePiece, Side, SplinePiece, Sprocket, SpurGear,
};
pub use shape::{BoxShape, Cylinder, Graphic, Line, Mesh, Rod, Shape, Solid, Sphere, Tube};
pub use signal::{
    Array, Component, Crossing, Differential, Event, Extrapolation, Input, Load, Measured, Reading, Sensor, SensorKind, Spline, Then,
    Variable,
};
pub(super) use simulation::missing;
pub use simulation::{Beginning, Index, MethodName, Settings};

use super::field::Named;
use super::parameters::Parameters;
use super::repeat::Repeat;
use super::table::table;

table! {
    /// A whole file.
    #[derive(Default)]
    pub struct File {
        .. /// What the model is about.
        head: Head,
        .. /// The elements.
        sections: Sections,
    }
}

table! {
    /// What a file says about the model as a whole.
    #[derive(Default)]
    pub struct Head {
        /// The model's name; default: the file's name.
        name: Option<String>,
        /// What the model is about.
        description: Option<String>,
        /// Acceleration of gravity; default: none.
        gravity: Option<[f64; 3]> [ACCELERATION],
        /// Numbers with names, to be used in all other numbers and functions.
        parameters: Parameters,
        /// How the model is to be simulated.
        simulation: Option<Settings>,
    }
}

table! {
    /// The elements of a model, or those of a repetition.
    #[derive(Default)]
    pub struct Sections {
        /// Materials by name.
        materials: Named<Material>,
        /// Bodies by name; `ground` is always there.
        bodies: Named<Body>,
        /// Joints by name.
        joints: Named<Joint>,
        /// Prescribed motions by name.
        motions: Named<Motion>,
        /// Couplers, gears, racks by name.
        couplers: Named<Coupler>,
        /// Other constraints by name.
        constraints: Named<Constraint>,
        /// Forces by name.
        forces: Named<Force>,
        /// Contacts between shapes by name.
        contacts: Contacts,
        /// Variables by name, read as VARVAL(name).
        variables: Named<Variable>,
        /// Lists of numbers or functions by name, read as ARYVAL(name, k).
        arrays: Named<Array>,
        /// Differential states by name, read as DIF(name) and their rates as DIF1(name).
        states: Named<Differential>,
        /// Controllers, actuators and filters by name, their outputs read as VARVAL(name).
        blocks: Named<Block>,
        /// Inputs of real-time runs by name, read as INPUT(name).
        inputs: Named<Input>,
        /// Tables of points by name, for AKISPL, CUBSPL and LINSPL.
        splines: Named<Spline>,
        /// Quantities to be recorded, by name.
        sensors: Named<Sensor>,
        /// Instants where a function crosses zero, by name.
        events: Named<Event>,
        /// Elements that are written once for each value of an index.
        repeat: Vec<Repeat>,
    }
}

impl Sections {
    /// Takes up the elements of another, which keeps nothing.
    pub(super) fn absorb(&mut self, mut other: Self) {
        macro_rules! append {
            ($($section:ident)*) => { $(self.$section.0.append(&mut other.$section.0);)* };
        }
        append!(materials bodies joints motions couplers constraints forces contacts variables arrays states blocks inputs splines sensors events);
        self.repeat.append(&mut other.repeat);
    }

    /// With the elements of all repetitions among its own.
    pub(super) fn expanded(mut self) -> Self {
        for repeat in std::mem::take(&mut self.repeat) {
            self.absorb(repeat.sections);
        }
        self
    }
}
