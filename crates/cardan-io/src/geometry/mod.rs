//! Shapes: what bodies look like, and the mass properties that follow from a shape and a density.

pub mod mesh;
mod solid;

pub use solid::{NotSolid, Solid};

use serde::{Deserialize, Serialize};

/// A shape, centred on the origin of its own frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    /// A box with these edge lengths along x, y and z, m.
    Box {
        /// Edge lengths.
        size: [f64; 3],
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius, m.
        radius: f64,
        /// Length, m.
        length: f64,
    },
    /// A ball.
    Sphere {
        /// Radius, m.
        radius: f64,
    },
    /// A thin rod along x.
    Rod {
        /// Length, m.
        length: f64,
    },
    /// A tube along z.
    Tube {
        /// Outer radius, m.
        outer_radius: f64,
        /// Inner radius, m.
        inner_radius: f64,
        /// Length, m.
        length: f64,
    },
    /// A surface of triangles.
    Mesh {
        /// Corners, m.
        vertices: Vec<[f64; 3]>,
        /// Corners of each triangle, counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// A line through points; it has no mass.
    Line {
        /// The points, m.
        points: Vec<[f64; 3]>,
    },
}

/// A shape placed on a body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Graphic {
    /// The shape.
    #[serde(flatten)]
    pub shape: Shape,
    /// Its frame's origin in the body frame, m.
    pub position: [f64; 3],
    /// Its frame's orientation in the body frame: quaternion w, x, y, z.
    pub orientation: [f64; 4],
    /// `#rrggbb`; `None` lets the viewer choose.
    pub color: Option<String>,
}
