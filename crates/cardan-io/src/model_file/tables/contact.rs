//! Shapes that touch, and contacts between them.

use super::super::field::{Field, Name};
use super::super::item::Item;
use super::super::reader::{Reader, Value};
use super::super::schema::{Defs, Json};
use super::super::table::{kinds, table};
use super::Turn;
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
    }
}

table! {
    /// A shape on a body that contacts name `body.shape`.
    pub struct ContactShape {
        .. /// The shape.
        shape: Touching,
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
    /// k δᵉ (1 + χ δ̇), with χ such that what comes in at a speed leaves with a given part of it.
    pub struct HuntCrossley {
        /// k, N/mᵉ.
        stiffness: f64,
        /// e; default 1.5.
        exponent: Option<f64>,
        /// The part of the speed that is left; default 1.
        restitution: Option<f64>,
        /// The speed at which it holds; default 1 m/s.
        speed: Option<f64> [VELOCITY],
    }
}

table! {
    /// Hertz's law of two spheres, or of a sphere and a flat side, of one material.
    pub struct Hertz {
        /// Young's modulus.
        youngs_modulus: f64 [PRESSURE],
        /// Poisson's ratio; default 0.3.
        poisson: Option<f64>,
        /// Effective radius, 1/(1/R₁ + 1/R₂); a flat side counts nothing.
        radius: f64 [LENGTH],
        /// The part of the speed that is left; default 1.
        restitution: Option<f64>,
        /// The speed at which it holds; default 1 m/s.
        speed: Option<f64> [VELOCITY],
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
    }
}

table! {
    /// A contact between shapes.
    pub struct Contact {
        /// The shapes of one side: `body.shape`, with `*` for any letters; or a list of them.
        i: Names,
        /// The shapes of the other side; without it, those of `i` touch each other.
        j: Option<Names>,
        /// Bodies or shapes that do not touch each other: lists of two names, with `*`.
        exclude: Vec<[Name; 2]>,
        /// The law of the normal force.
        law: ContactLaw,
        /// Friction against sliding; default: none.
        friction: Option<ContactFriction>,
        /// Whether steps end exactly where touches begin and end; default: where there can be 24 at most.
        events: Option<bool>,
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
