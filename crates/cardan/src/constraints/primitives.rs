//! The constraint primitives between marker i and marker j, as rows of measures. Joints are lists of these.
//!
//! ```text
//! coincident          p_i − p_j = 0                                  3 rows, world axes
//! in-line             p_i on the z axis of j                         2 rows
//! in-plane            p_i in the xy plane of j                       1 row
//! parallel axes       z_i ∥ z_j                                      2 rows
//! perpendicular axes  x_i ⟂ y_j                                      1 row
//! same orientation    axes of i parallel to those of j               3 rows
//! distance            |p_i − p_j| = L, as (|d|² − L²)/(2L) = 0       1 row; λ is the force in the rod
//! angle               rotation about z_j at a value                  1 row
//! ```

use super::Row;
use crate::math::Vec3;
use crate::measures::Measure;

/// Directions in marker axes along which a joint writes its rows.
///
/// Between bodies that do not tilt they are chosen so that every row either acts in the plane or is identically zero (and is
/// then dropped), whichever way the markers are turned.
#[derive(Debug, Clone)]
pub struct Axes {
    /// Two directions perpendicular to the marker's z axis.
    pub normals: [Vec3; 2],
    /// An orthonormal triad for the orientation rows.
    pub triad: [Vec3; 3],
}

impl Axes {
    /// The marker's own axes.
    pub fn spatial() -> Self {
        Self { normals: [Vec3::x(), Vec3::y()], triad: [Vec3::x(), Vec3::y(), Vec3::z()] }
    }

    /// Directions fitted to motion in a plane with this normal (in marker axes).
    pub fn planar(normal: &Vec3) -> Self {
        let across = normal.cross(&Vec3::z());
        let first = if across.norm() > 1e-9 { across.normalize() } else { Vec3::x() };
        let in_plane = normal.cross(&if normal.x.abs() < 0.9 { Vec3::x() } else { Vec3::y() }).normalize();
        Self { normals: [first, Vec3::z().cross(&first)], triad: [in_plane, normal.cross(&in_plane), *normal] }
    }
}

/// Both origins at the same point.
pub fn coincident() -> Vec<Row> {
    ["x", "y", "z"].into_iter().enumerate().map(|(k, name)| Row::new(name, Measure::World(k))).collect()
}

/// Origin of i on the z axis of j.
pub fn in_line(axes: &Axes) -> Vec<Row> {
    vec![Row::new("x", Measure::Along(axes.normals[0])), Row::new("y", Measure::Along(axes.normals[1]))]
}

/// Origin of i in the xy plane of j.
pub fn in_plane() -> Vec<Row> {
    vec![Row::new("z", Measure::Along(Vec3::z()))]
}

/// z axes parallel.
pub fn parallel_axes(axes: &Axes) -> Vec<Row> {
    vec![
        Row::new("rotation about y", Measure::Dot(Vec3::z(), axes.normals[0])),
        Row::new("rotation about x", Measure::Dot(Vec3::z(), axes.normals[1])),
    ]
}

/// x axis of i perpendicular to the y axis of j.
pub fn perpendicular_axes() -> Vec<Row> {
    vec![Row::new("rotation about z", Measure::Dot(Vec3::x(), Vec3::y()))]
}

/// All axes parallel.
pub fn same_orientation(axes: &Axes) -> Vec<Row> {
    let [u, v, w] = axes.triad;
    vec![
        Row::new("rotation about z", Measure::Dot(u, v)),
        Row::new("rotation about x", Measure::Dot(v, w)),
        Row::new("rotation about y", Measure::Dot(w, u)),
    ]
}

/// Origins at this distance.
pub fn distance(length: f64) -> Vec<Row> {
    vec![Row::new("distance", Measure::HalfSquare).scaled(1.0 / length).at(0.5 * length)]
}

/// Rotation of i about z_j held at this angle.
pub fn angle(value: f64) -> Vec<Row> {
    vec![Row::new("rotation about z", Measure::angle()).at(value)]
}
