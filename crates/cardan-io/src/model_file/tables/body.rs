//! Bodies and their markers.

use super::super::field::{Field, Named};
use super::super::item::Item;
use super::super::reader::{Reader, Value};
use super::super::schema::{Defs, Json};
use super::super::table::{kinds, table};
use super::{ContactShape, Graphic, Shape, Turn};
use cardan::units::Dimension;
use serde_json::json;
use toml::de::DeValue;

table! {
    /// A frame on a body.
    #[derive(Default)]
    pub struct Marker {
        /// Position in the body frame.
        position: Option<[f64; 3]> [LENGTH],
        /// Orientation in the body frame.
        orientation: Option<Turn>,
    }
}

table! {
    /// A rigid body in space.
    #[derive(Default)]
    pub struct RigidBody {
        /// Mass; default: from `shape`.
        mass: Option<f64> [MASS],
        /// `[xx, yy, zz]` or `[xx, yy, zz, xy, yz, zx]` (xy = −∫ x y dm) about the centre of mass; default: from `shape`.
        inertia: Option<Inertia> [INERTIA],
        /// Centre of mass in the body frame; default: from `shape`, or the origin.
        center_of_mass: Option<[f64; 3]> [LENGTH],
        /// Point of the body frame that `inertia` is given about; default: the centre of mass.
        inertia_about: Option<[f64; 3]> [LENGTH],
        /// Orientation of the axes that `inertia` is given in; default: the body's.
        inertia_axes: Option<Turn>,
        /// Mass properties from a shape, which is also drawn.
        shape: Option<Shape>,
        /// Origin of the body frame in the world.
        position: Option<[f64; 3]> [LENGTH],
        /// Orientation of the body frame in the world.
        orientation: Option<Turn>,
        /// Velocity of the body frame's origin, world axes.
        velocity: Option<[f64; 3]> [VELOCITY],
        /// Angular velocity in body axes.
        angular_velocity: Option<[f64; 3]> [ANGULAR_VELOCITY],
        /// Frames on the body by name.
        markers: Named<Marker>,
        /// Shapes on the body that can touch others, by name.
        shapes: Named<ContactShape>,
        /// Shapes to draw; default: `shape`.
        graphics: Vec<Graphic>,
    }
}

table! {
    /// A body moving in the xy plane.
    #[derive(Default)]
    pub struct PlanarBody {
        /// Mass; default: from `shape`.
        mass: Option<f64> [MASS],
        /// About z through the centre of mass; default: from `shape`.
        inertia: Option<f64> [INERTIA],
        /// Centre of mass in the body frame, in the xy plane; default: from `shape`, or the origin.
        center_of_mass: Option<[f64; 3]> [LENGTH],
        /// Mass properties from a shape, which is also drawn.
        shape: Option<Shape>,
        /// Origin of the body frame in the world.
        position: Option<[f64; 3]> [LENGTH],
        /// Rotation about z.
        angle: Option<f64> [ANGLE],
        /// Velocity of the body frame's origin, world axes.
        velocity: Option<[f64; 3]> [VELOCITY],
        /// Angular velocity about z.
        angular_velocity: Option<f64> [ANGULAR_VELOCITY],
        /// Frames on the body by name.
        markers: Named<Marker>,
        /// Shapes on the body that can touch others, by name.
        shapes: Named<ContactShape>,
        /// Shapes to draw; default: `shape`.
        graphics: Vec<Graphic>,
    }
}

table! {
    /// A point mass.
    #[derive(Default)]
    pub struct PointBody {
        /// Mass; default: from `shape`.
        mass: Option<f64> [MASS],
        /// Mass from a shape, which is also drawn.
        shape: Option<Shape>,
        /// Position in the world.
        position: Option<[f64; 3]> [LENGTH],
        /// Velocity, world axes.
        velocity: Option<[f64; 3]> [VELOCITY],
        /// Frames on the body by name.
        markers: Named<Marker>,
        /// Shapes on the body that can touch others, by name.
        shapes: Named<ContactShape>,
        /// Shapes to draw; default: `shape`.
        graphics: Vec<Graphic>,
    }
}

kinds! {
    /// A body.
    pub enum Body default "rigid" {
        /// A rigid body in space.
        "rigid" => Rigid(RigidBody),
        /// A body in the xy plane that turns about z.
        "planar" => Planar(PlanarBody),
        /// A point mass in space.
        "point" => Point(PointBody),
        /// A point mass in the xy plane.
        "point-2d" => Point2d(PointBody),
    }
}

/// Moments of inertia, or a whole tensor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Inertia {
    /// xx, yy, zz.
    Principal([f64; 3]),
    /// xx, yy, zz, xy, yz, zx.
    Tensor([f64; 6]),
}

impl Field for Inertia {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        match value.get_ref() {
            DeValue::Array(list) if list.len() == 3 => Field::read(value, dimension, reader).map(Self::Principal),
            DeValue::Array(list) if list.len() == 6 => Field::read(value, dimension, reader).map(Self::Tensor),
            DeValue::Array(list) => reader.miscounted(value, "3 or 6 numbers", list.len()),
            _ => reader.expected(value, "a list of 3 or 6 numbers"),
        }
    }

    fn write(&self) -> Option<Item> {
        match self {
            Self::Principal(all) => all.write(),
            Self::Tensor(all) => all.write(),
        }
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        json!({ "type": "array", "items": f64::schema(dimension, defs), "minItems": 3, "maxItems": 6 })
    }
}
