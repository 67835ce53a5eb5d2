//! Shapes that can touch, each in its own frame, that of its marker. One file a shape; a new one is a file here and a line in the list below.
//!
//! Solids of revolution have the axis z. What can touch what is in `contact/pairs`.

mod capsule;
mod cuboid;
mod cylinder;
mod disk;
mod ellipsoid;
mod half_space;
mod height_field;
mod hollow_cylinder;
mod hollow_sphere;
mod hull;
mod mesh;
mod point;
mod profile;
mod sphere;
mod torus;

pub use capsule::Capsule;
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use disk::Disk;
pub use ellipsoid::Ellipsoid;
pub use half_space::HalfSpace;
pub use height_field::HeightField;
pub use hollow_cylinder::HollowCylinder;
pub use hollow_sphere::HollowSphere;
pub use hull::{Facets, Hull};
pub use mesh::Mesh;
pub use point::ContactPoint;
pub use sphere::Sphere;
pub use torus::Torus;

use super::profile::Profile;
use super::surface::Nearest;
use crate::math::Vec3;

/// What a shape knows of itself.
pub trait Solid {
    /// The distance of a point from the surface.
    fn nearest(&self, x: &Vec3) -> Nearest;
    /// The distance of a point from the surface, or less.
    fn away(&self, x: &Vec3) -> f64 {
        if self.reach().is_finite() { x.norm() - self.reach() } else { self.nearest(x).distance }
    }
    /// The radius of a ball about the origin that holds the whole surface; infinite if there is none.
    fn reach(&self) -> f64;
    /// How deep something may be inside while the nearest surface is still the one through which it came: half of the smallest thickness.
    fn depth(&self) -> f64;
    /// A length that says how large it is where it touches: its smallest radius or half-width; `None` if it has none.
    fn size(&self) -> Option<f64>;
    /// What is wrong with its dimensions, if anything.
    fn mistake(&self) -> Option<String>;
}

/// What is wrong with lengths that must be positive.
fn positive(lengths: &[(&str, f64)]) -> Option<String> {
    let wrong = lengths.iter().find(|(_, length)| !(*length > 0.0 && length.is_finite()))?;
    Some(format!("the {} must be positive, it is {}", wrong.0, wrong.1))
}

macro_rules! registry {
    ($($name:literal $Kind:ident: $summary:literal;)*) => {
        /// A shape of any kind.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Shape {
            $(#[doc = $summary] $Kind($Kind)),*
        }
        /// Name and one-line summary of every shape: the list behind reference tables.
        pub const SHAPES: &[(&str, &str)] = &[$(($name, $summary)),*];
        impl Shape {
            /// The name of the kind, as in [`SHAPES`].
            pub fn kind_name(&self) -> &'static str { match self { $(Shape::$Kind(_) => $name),* } }
        }
        impl Solid for Shape {
            #[inline]
            fn nearest(&self, x: &Vec3) -> Nearest { match self { $(Shape::$Kind(s) => s.nearest(x)),* } }
            fn away(&self, x: &Vec3) -> f64 { match self { $(Shape::$Kind(s) => s.away(x)),* } }
            fn reach(&self) -> f64 { match self { $(Shape::$Kind(s) => s.reach()),* } }
            fn depth(&self) -> f64 { match self { $(Shape::$Kind(s) => s.depth()),* } }
            fn size(&self) -> Option<f64> { match self { $(Shape::$Kind(s) => s.size()),* } }
            fn mistake(&self) -> Option<String> { match self { $(Shape::$Kind(s) => s.mistake()),* } }
        }
        $(impl From<$Kind> for Shape { fn from(s: $Kind) -> Self { Shape::$Kind(s) } })*
    };
}

registry! {
    "point" ContactPoint: "point, the origin of its marker";
    "sphere" Sphere: "ball about the origin";
    "hollow-sphere" HollowSphere: "all that is outside of a ball about the origin";
    "half-space" HalfSpace: "all that is below the plane z = 0";
    "box" Cuboid: "box about the origin";
    "cylinder" Cylinder: "solid cylinder about z, centred at the origin";
    "hollow-cylinder" HollowCylinder: "plate with a round hole about z, centred at the origin";
    "disk" Disk: "disk or ring about z, with a rounded edge";
    "capsule" Capsule: "cylinder about z with round ends, centred at the origin";
    "ellipsoid" Ellipsoid: "ellipsoid about the origin with axes x, y, z";
    "torus" Torus: "tube bent to a ring about z";
    "profile" Profile: "plane curve of lines, arcs and splines, extruded along z";
    "hull" Hull: "convex hull of points";
    "mesh" Mesh: "surface of triangles";
    "height-field" HeightField: "all that is below a smooth surface z = f(x, y) through heights on a grid";
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
