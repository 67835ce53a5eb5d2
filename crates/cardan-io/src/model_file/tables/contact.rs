//! Shapes that touch, and contacts between them.

use super::super::field::{Entry, Field, Function, Name, Named};
use super::super::item::Item;
use super::super::reader::{Reader, Value};
use super::super::schema::{Defs, Json};
use super::super::table::{kinds, table};
use super::Turn;
use super::profile::{Cam, GenevaLock, GenevaWheel, Profile, Sprocket, SpurGear};
use super::shape::{BoxShape, Cylinder, Sphere};
use cardan::units::Dimension;
use serde_json::json;

table! {
    /// A point.
    #[derive(Default)]
    pub struct ContactPoint {}
}

table! {
    /// All that is below the plane z = 0.
    #[derive(Default)]
    pub struct HalfSpace {}
}

table! {
    /// A disk about z with a rounded edge.
    pub struct Disk {
        /// Radius.
        radius: f64 [LENGTH],
        /// Radius of the edge, half of the thickness; default: a sharp edge.
        edge: Option<f64> [LENGTH],
    }
}

table! {
    /// A cylinder about z with round ends.
    pub struct Capsule {
        /// Radius.
        radius: f64 [LENGTH],
        /// Length between the centres of the round ends.
        length: f64 [LENGTH],
    }
}

table! {
    /// An ellipsoid.
    pub struct Ellipsoid {
        /// Semi-axes along x, y and z.
        semi_axes: [f64; 3] [LENGTH],
    }
}

table! {
    /// A tube bent to a ring about z.
    pub struct Torus {
        /// Radius of the ring.
        radius: f64 [LENGTH],
        /// Radius of the tube.
        tube: f64 [LENGTH],
    }
}

table! {
    /// The convex hull of points, given here or in a file.
    pub struct Hull {
        /// Points.
        points: Vec<[f64; 3]> [LENGTH],
        /// An STL or OBJ file with the points, relative to the model file.
        file: Option<Name>,
        /// Factor from the file's lengths to metres; default 1.
        scale: Option<f64>,
    }
}

table! {
    /// A surface of triangles, given here or in a file.
    pub struct TouchingMesh {
        /// Corners.
        corners: Vec<[f64; 3]> [LENGTH],
        /// Triples of corners, counted from 0, counter-clockwise seen from outside.
        triangles: Vec<[usize; 3]>,
        /// An STL or OBJ file, relative to the model file.
        file: Option<Name>,
        /// Factor from the file's lengths to metres; default 1.
        scale: Option<f64>,
    }
}

table! {
    /// All that is below a smooth surface z = f(x, y) through heights on an even grid.
    pub struct HeightField {
        /// First and last x.
        x: [f64; 2] [LENGTH],
        /// First and last y.
        y: [f64; 2] [LENGTH],
        /// Heights: a list over y for every x.
        heights: Vec<Vec<f64>> [LENGTH],
        /// A text file with the heights, relative to the model file: a line for every x, numbers separated by commas or blanks.
        file: Option<Name>,
        /// Factor from the file's heights to metres; default 1.
        scale: Option<f64>,
    }
}

kinds! {
    /// A shape that can touch others, in the frame of its own.
    pub enum Touching {
        /// A point.
        "point" => Point(ContactPoint),
        /// A ball.
        "sphere" => Sphere(Sphere),
        /// All that is outside of a ball.
        "hollow-sphere" => HollowSphere(Sphere),
        /// All that is below the plane z = 0.
        "half-space" => HalfSpace(HalfSpace),
        /// A box.
        "box" => Box(BoxShape),
        /// A cylinder along z.
        "cylinder" => Cylinder(Cylinder),
        /// A plate with a round hole along z: bushes, bearings, guides.
        "hollow-cylinder" => HollowCylinder(Cylinder),
        /// A disk about z with a rounded edge.
        "disk" => Disk(Disk),
        /// A cylinder along z with round ends.
        "capsule" => Capsule(Capsule),
        /// An ellipsoid.
        "ellipsoid" => Ellipsoid(Ellipsoid),
        /// A tube bent to a ring about z.
        "torus" => Torus(Torus),
        /// A plane curve of lines, arcs and splines, extruded along z.
        "profile" => Profile(Profile),
        /// An involute spur gear.
        "gear" => Gear(SpurGear),
        /// A sprocket for a roller chain or a track.
        "sprocket" => Sprocket(Sprocket),
        /// The wheel of a Geneva drive.
        "geneva-wheel" => GenevaWheel(GenevaWheel),
        /// The disk on the crank of a Geneva drive.
        "geneva-lock" => GenevaLock(GenevaLock),
        /// A cam through points given by angle and radius.
        "cam" => Cam(Cam),
        /// The convex hull of points.
        "hull" => Hull(Hull),
        /// A surface of triangles.
        "mesh" => Mesh(TouchingMesh),
        /// All that is below a smooth surface through heights on a grid.
        "height-field" => HeightField(HeightField),
    }
}

table! {
    /// A shape on a body that contacts name `body.shape`.
    pub struct ContactShape {
        .. /// The shape.
        shape: Touching,
        /// What its surface is made of, by name; default: nothing is known of it.
        material: Option<Name>,
        /// Origin of the shape's frame in the body frame.
        position: Option<[f64; 3]> [LENGTH],
        /// Orientation of the shape's frame in the body frame.
        orientation: Option<Turn>,
    }
}

table! {
    /// Adams' IMPACT: k δᵉ + c STEP(δ, 0, 0, d, 1) δ̇.
    pub struct Impact {
        /// k, N/mᵉ.
        stiffness: f64,
        /// e; default 1.5.
        exponent: Option<f64>,
        /// c; default: none.
        damping: Option<f64> [DAMPING],
        /// d, the depth at which all of the damping acts.
        depth: Option<f64> [LENGTH],
    }
}

table! {
    /// What is left of the speed.
    #[derive(Default)]
    pub struct Restitution {
        /// The part of the speed that is left; default 1, or from the materials.
        restitution: Option<f64>,
        /// The speed at which it holds; default: that of each touch.
        speed: Option<f64> [VELOCITY],
    }
}

table! {
    /// k δᵉ (1 + χ δ̇), with χ such that what comes in leaves with a given part of its speed.
    #[derive(Default)]
    pub struct HuntCrossley {
        .. /// What is left of the speed.
        left: Restitution,
        /// k, N/mᵉ; default: from the materials, or from the loads.
        stiffness: Option<f64>,
        /// e; default 1.5.
        exponent: Option<f64>,
    }
}

table! {
    /// Hertz's law.
    pub struct Hertz {
        .. /// What is left of the speed.
        left: Restitution,
        /// Young's modulus of both surfaces; default: those of their materials.
        youngs_modulus: Option<f64> [PRESSURE],
        /// Poisson's ratio of both surfaces; default 0.3.
        poisson: Option<f64>,
        /// Effective radius, 1/(1/R₁ + 1/R₂), where a flat side counts nothing; default: from the shapes.
        radius: Option<f64> [LENGTH],
    }
}

table! {
    /// What is lost in a contact.
    pub struct Losses {
        .. /// What is left of the speed.
        left: Restitution,
        /// c, instead of a restitution.
        damping: Option<f64> [DAMPING],
        /// The depth at which all of the damping acts.
        damping_depth: Option<f64> [LENGTH],
    }
}

table! {
    /// A force by depth, through points and the origin.
    pub struct ForceTable {
        .. /// What is lost.
        losses: Losses,
        /// Depths, increasing.
        depth: Vec<f64> [LENGTH],
        /// Forces at these depths.
        force: Vec<f64> [FORCE],
    }
}

table! {
    /// A force as a function of `depth` and `rate`.
    pub struct ForceFunction {
        .. /// What is lost besides.
        losses: Losses,
        /// The function, in N, of the depth (m) and its rate (m/s).
        function: Function,
    }
}

kinds! {
    /// The law of the normal force.
    pub enum ContactLaw default "hunt-crossley" {
        /// Adams' IMPACT.
        "impact" => Impact(Impact),
        /// Elastic, with a given restitution.
        "hunt-crossley" => HuntCrossley(HuntCrossley),
        /// Elastic by material and radius, with a given restitution.
        "hertz" => Hertz(Hertz),
        /// A table of points.
        "table" => Table(ForceTable),
        /// Any function of depth and rate.
        "function" => Function(ForceFunction),
    }
}

table! {
    /// Friction against sliding.
    pub struct ContactFriction {
        /// Coefficient in motion.
        dynamic: f64,
        /// Coefficient at rest; default: as in motion.
        static_coefficient ("static"): Option<f64>,
        /// Speed below which the contact creeps; default 1 mm/s.
        transition_speed: Option<f64> [VELOCITY],
        /// Speed from which on the dynamic coefficient holds: friction rises and falls by cubic steps, as in Adams. Default: a smooth law.
        sliding_speed: Option<f64> [VELOCITY],
        /// Part of the coefficient that grows with speed, s/m.
        viscous: Option<f64>,
        /// The deflection at which bristles give way: friction sticks instead of creeping. Default: no bristles.
        bristles: Option<f64> [LENGTH],
        /// The time over which bristles are damped; default 1 ms.
        bristle_damping: Option<f64> [TIME],
    }
}

table! {
    /// Resistance to rolling and to turning about the normal.
    pub struct ContactResistance {
        /// Lever of the normal force that resists rolling: coefficient of rolling resistance times radius.
        rolling: Option<f64> [LENGTH],
        /// Lever of the normal force that resists turning about the normal.
        spinning: Option<f64> [LENGTH],
        /// Angular velocity below which it creeps; default 0.01 rad/s.
        transition_speed: Option<f64> [ANGULAR_VELOCITY],
    }
}

table! {
    /// What surfaces are made of.
    #[derive(Default)]
    pub struct Material {
        /// Young's modulus.
        youngs_modulus: Option<f64> [PRESSURE],
        /// Poisson's ratio; default 0.3.
        poisson: Option<f64>,
        /// Density, for bodies with a shape of this material.
        density: Option<f64> [DENSITY],
        /// The part of the speed that is left after an impact.
        restitution: Option<f64>,
        /// Friction of the material on itself.
        friction: Option<ContactFriction>,
    }
}

table! {
    /// A contact between shapes.
    #[derive(Default)]
    pub struct Contact {
        /// The shapes of one side: `body.shape`, with `*` for any letters; or a list of them. Without it all shapes of all bodies touch each other, but
        /// not those of bodies that a joint connects.
        i: Option<Names>,
        /// The shapes of the other side; without it, those of `i` touch each other.
        j: Option<Names>,
        /// Bodies or shapes that do not touch each other: lists of two names, with `*`.
        exclude: Vec<[Name; 2]>,
        /// The law of the normal force; default: from the materials, or from the loads.
        law: Option<ContactLaw>,
        /// Friction against sliding; default: from the materials, or none.
        friction: Option<ContactFriction>,
        /// Resistance to rolling and spinning; default: none.
        resistance: Option<ContactResistance>,
        /// Whether steps end exactly where touches begin and end; default: where there can be 24 at most.
        events: Option<bool>,
    }
}

/// Contacts by name, or `"all"` for one of all shapes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contacts(pub Vec<Entry<Contact>>);

impl Field for Contacts {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        match value.get_ref().as_str() {
            Some("all") => Some(Self(vec![Entry { name: "all".into(), span: value.span(), value: Contact::default() }])),
            Some(_) => reader.expected(value, "a table of contacts, or \"all\""),
            None => Named::read(value, dimension, reader).map(|named| Self(named.0)),
        }
    }

    fn absent() -> Option<Self> {
        Some(Self::default())
    }

    fn write(&self) -> Option<Item> {
        Named(self.0.clone()).write()
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        json!({ "anyOf": [Named::<Contact>::schema(dimension, defs), { "const": "all" }] })
    }
}

/// A name, or a list of names.
#[derive(Debug, Clone, PartialEq)]
pub struct Names(pub Vec<Name>);

impl Field for Names {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        if value.get_ref().is_array() {
            return Vec::read(value, dimension, reader).map(Self);
        }
        Name::read(value, dimension, reader).map(|name| Self(vec![name]))
    }

    fn write(&self) -> Option<Item> {
        if let [one] = &self.0[..] { one.write() } else { self.0.write() }
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        json!({ "anyOf": [Name::schema(dimension, defs), Vec::<Name>::schema(dimension, defs)] })
    }
}
