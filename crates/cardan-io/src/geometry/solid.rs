//! Mass properties of shapes, for a density of one.
//!
//! With x measured from the centroid and V the volume,
//!
//! ```text
//! J = ∫ (x·x I − x xᵀ) dV = (tr C) I − C,      C = ∫ x xᵀ dV                                 (1)
//! ```
//!
//! A closed surface of triangles (a, b, c), seen from any point o, is a sum of tetrahedra (o, a, b, c) with signs:
//!
//! ```text
//! V = Σ d/6,   ∫ x dV = Σ (d/24) s,   C_o = Σ (d/120) (a aᵀ + b bᵀ + c cᵀ + s sᵀ),
//! d = a · (b × c),   s = a + b + c                                                           (2)
//! C = C_o − V c̄ c̄ᵀ        with c̄ the centroid seen from o                                    (3)
//! ```

use std::collections::BTreeMap;
use std::f64::consts::PI;

use cardan::math::{Mat3, Quat, Vec3};

use super::Shape;

/// Mass properties for a density of one: times the density they are mass and inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid {
    /// Volume, m³; of a thin rod the length, m.
    pub volume: f64,
    /// Centroid, m.
    pub centroid: [f64; 3],
    /// Inertia tensor about the centroid (entry xy = −∫ x y dV), m⁵; of a thin rod m³.
    pub inertia: [[f64; 3]; 3],
}

/// Why a shape has no mass properties.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotSolid {
    /// A line is only drawn.
    #[error("a line has no mass; give the body a mass and an inertia, or another shape")]
    Line,
    /// A dimension that no solid has.
    #[error("{what} is {value}, but must be positive")]
    Size {
        /// Which dimension.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A triangle that refers to a vertex that is not there.
    #[error("triangle {triangle} of the mesh refers to vertex {vertex}, but there are only {vertices}")]
    Vertex {
        /// The triangle, counted from 0.
        triangle: usize,
        /// The vertex it refers to, counted from 0.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A surface with a border, or with triangles that face different sides.
    #[error(
        "the mesh does not enclose a volume: of {edges} edges, {open} are on a border and {misdirected} lie between triangles that face \
         different sides; repair the mesh (fill holes, make normals consistent), or give mass and inertia"
    )]
    Open {
        /// Number of edges.
        edges: usize,
        /// Edges that an odd number of triangles share.
        open: usize,
        /// Edges whose triangles run along them in the same direction.
        misdirected: usize,
    },
    /// A closed surface around nothing.
    #[error("the mesh encloses no volume")]
    Flat,
}

impl Shape {
    /// Volume, centroid and inertia for a density of one. A mesh must be closed; it may be inside out.
    pub fn mass_properties(&self) -> Result<Solid, NotSolid> {
        match *self {
            Shape::Box { size: [x, y, z] } => {
                positive(&[("the box's size along x", x), ("the box's size along y", y), ("the box's size along z", z)])?;
                Ok(centred(x * y * z, [x * x / 12.0, y * y / 12.0, z * z / 12.0]))
            }
            Shape::Cylinder { radius, length } => {
                positive(&[("the cylinder's radius", radius), ("the cylinder's length", length)])?;
                Ok(round(radius, 0.0, length))
            }
            Shape::Sphere { radius } => {
                positive(&[("the sphere's radius", radius)])?;
                Ok(centred(4.0 / 3.0 * PI * radius.powi(3), [radius * radius / 5.0; 3]))
            }
            Shape::Rod { length } => {
                positive(&[("the rod's length", length)])?;
                Ok(centred(length, [length * length / 12.0, 0.0, 0.0]))
            }
            Shape::Tube { outer_radius, inner_radius, length } => {
                let wall = ("the tube's outer radius less its inner radius", outer_radius - inner_radius);
                positive(&[("the tube's inner radius", inner_radius), wall, ("the tube's length", length)])?;
                Ok(round(outer_radius, inner_radius, length))
            }
            Shape::Mesh { ref vertices, ref triangles } => polyhedron(vertices, triangles),
            Shape::Line { .. } => Err(NotSolid::Line),
        }
    }
}

impl Solid {
    /// The same solid seen from a frame in which its own frame has this position and this orientation (quaternion w, x, y, z).
    pub fn placed(&self, position: [f64; 3], orientation: [f64; 4]) -> Self {
        let [w, x, y, z] = orientation;
        let turn = Quat::from_quaternion([x, y, z, w].into()).to_rotation_matrix();
        let inertia = turn.matrix() * Mat3::from(self.inertia) * turn.matrix().transpose();
        Self { volume: self.volume, centroid: (Vec3::from(position) + turn * Vec3::from(self.centroid)).into(), inertia: inertia.into() }
    }

    /// From volume, centroid and C of equation (1).
    fn new(volume: f64, centroid: Vec3, second_moment: Mat3) -> Self {
        let inertia = Mat3::identity() * second_moment.trace() - second_moment;
        Self { volume, centroid: centroid.into(), inertia: inertia.into() }
    }
}

fn positive(sizes: &[(&'static str, f64)]) -> Result<(), NotSolid> {
    match sizes.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        Some(&(what, value)) => Err(NotSolid::Size { what, value }),
        None => Ok(()),
    }
}

/// A solid with its centroid at the origin, principal axes x, y, z and these mean squares of x, y, z.
fn centred(volume: f64, mean_squares: [f64; 3]) -> Solid {
    Solid::new(volume, Vec3::zeros(), Mat3::from_diagonal(&Vec3::from(mean_squares)) * volume)
}

/// A cylinder along z with a round hole.
fn round(outer: f64, inner: f64, length: f64) -> Solid {
    let side = (outer * outer + inner * inner) / 4.0;
    centred(PI * (outer * outer - inner * inner) * length, [side, side, length * length / 12.0])
}

/// Equations (2) and (3), seen from the first vertex.
fn polyhedron(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Solid, NotSolid> {
    check_indices(vertices, triangles)?;
    check_closed(triangles)?;
    let origin = vertices.first().map_or(Vec3::zeros(), |&v| v.into());
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for triangle in triangles {
        let [a, b, c] = triangle.map(|k| Vec3::from(vertices[k as usize]) - origin);
        let (d, s) = (a.dot(&b.cross(&c)), a + b + c);
        volume += d / 6.0;
        first += s * (d / 24.0);
        second += (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose()) * (d / 120.0);
    }
    let extent = vertices.iter().map(|&v| (Vec3::from(v) - origin).amax()).fold(0.0, f64::max);
    if volume.abs() <= 1e-12 * extent.powi(3) {
        return Err(NotSolid::Flat);
    }
    let centroid = first / volume;
    let second = second - centroid * centroid.transpose() * volume;
    Ok(Solid::new(volume.abs(), origin + centroid, second * volume.signum()))
}

fn check_indices(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<(), NotSolid> {
    for (number, triangle) in triangles.iter().enumerate() {
        if let Some(&vertex) = triangle.iter().find(|&&k| k as usize >= vertices.len()) {
            return Err(NotSolid::Vertex { triangle: number, vertex, vertices: vertices.len() });
        }
    }
    Ok(())
}

/// In a closed surface as many triangles run along an edge in one direction as in the other.
fn check_closed(triangles: &[[u32; 3]]) -> Result<(), NotSolid> {
    let mut edges: BTreeMap<(u32, u32), (usize, usize)> = BTreeMap::new();
    for [a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (forward, backward) = edges.entry((*from.min(to), *from.max(to))).or_default();
            *(if from < to { forward } else { backward }) += 1;
        }
    }
    let open = edges.values().filter(|(forward, backward)| (forward + backward) % 2 == 1).count();
    let unequal = edges.values().filter(|(forward, backward)| forward != backward).count();
    if unequal > 0 { Err(NotSolid::Open { edges: edges.len(), open, misdirected: unequal - open }) } else { Ok(()) }
}
