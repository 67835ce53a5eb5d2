//! Shapes: what bodies look like, and where their mass properties may come from.

use super::super::field::Name;
use super::super::table::{kinds, table};
use super::Turn;

table! {
    /// A box.
    pub struct BoxShape {
        /// Edge lengths along x, y and z.
        size: [f64; 3] [LENGTH],
    }
}

table! {
    /// A cylinder along z.
    pub struct Cylinder {
        /// Radius.
        radius: f64 [LENGTH],
        /// Length along z.
        length: f64 [LENGTH],
    }
}

table! {
    /// A ball.
    pub struct Sphere {
        /// Radius.
        radius: f64 [LENGTH],
    }
}

table! {
    /// A thin rod along x.
    pub struct Rod {
        /// Length along x.
        length: f64 [LENGTH],
        /// Mass per length.
        mass_per_length: Option<f64> [MASS_PER_LENGTH],
    }
}

table! {
    /// A tube along z.
    pub struct Tube {
        /// Outer radius.
        outer_radius: f64 [LENGTH],
        /// Inner radius.
        inner_radius: f64 [LENGTH],
        /// Length along z.
        length: f64 [LENGTH],
    }
}

table! {
    /// A closed surface of triangles from a file.
    pub struct Mesh {
        /// An STL or OBJ file, relative to the model file.
        file: Name,
        /// Factor from the file's lengths to metres; default 1.
        scale: Option<f64>,
    }
}

table! {
    /// A line through points.
    pub struct Line {
        /// The points.
        points: Vec<[f64; 3]> [LENGTH],
    }
}

kinds! {
    /// A shape, centred on the origin of its own frame.
    pub enum Solid {
        /// A box.
        "box" => Box(BoxShape),
        /// A cylinder along z.
        "cylinder" => Cylinder(Cylinder),
        /// A ball.
        "sphere" => Sphere(Sphere),
        /// A thin rod along x.
        "rod" => Rod(Rod),
        /// A tube along z.
        "tube" => Tube(Tube),
        /// A closed surface of triangles from a file.
        "mesh" => Mesh(Mesh),
        /// A line through points; it has no mass.
        "line" => Line(Line),
    }
}

table! {
    /// A shape that gives mass properties; it is also drawn.
    pub struct Shape {
        .. /// The shape.
        solid: Solid,
        /// Origin of the shape's frame in the body frame.
        position: Option<[f64; 3]> [LENGTH],
        /// Orientation of the shape's frame in the body frame.
        orientation: Option<Turn>,
        /// A material, for its density.
        material: Option<Name>,
        /// Density.
        density: Option<f64> [DENSITY],
        /// Mass, instead of the density.
        mass: Option<f64> [MASS],
        /// Colour it is drawn in: `#rrggbb`.
        color: Option<String>,
    }
}

table! {
    /// A shape to draw.
    pub struct Graphic {
        .. /// The shape.
        solid: Solid,
        /// Origin of the shape's frame in the body frame.
        position: Option<[f64; 3]> [LENGTH],
        /// Orientation of the shape's frame in the body frame.
        orientation: Option<Turn>,
        /// Colour: `#rrggbb`.
        color: Option<String>,
    }
}
