//! Nonholonomic constraints: rolling without slip, and the knife edge (skate).
//!
//! Rolling disk of radius ρ: marker i at its centre, z_i = a its axis; marker j in the plane, z_j = n its normal.
//!
//! ```text
//! u = n − (n·a) a,   c = −ρ u/|u|            vector from the centre to the contact point            (1)
//! Φ = n·(p_i − p_j) − ρ |u| = 0              the disk touches the plane (position level)             (2)
//! τ·(v_i + ω_i × c − v_j − ω_j × (d + c)) = 0,   τ ⟂ z_j           no slip (velocity level)          (3)
//! ```
//!
//! for two perpendicular directions τ fixed in marker j; a planar disk has only the one that lies in its plane.
//!
//! Knife edge: the velocity of marker i against the body of j has no component along y_i:
//!
//! ```text
//! y_i·(v_i − v_j − ω_j × d) = 0                                                                       (4)
//! ```
//!
//! Rows of velocity level give their g(x) in dual numbers, so that ∂g/∂x is exact.

use super::user::{differentiate, second_derivatives, seeded};
use super::{Axes, Constraint, Level, Paths, RowValue};
use crate::bodies::MarkerId;
use crate::math::number::{Number, length};
use crate::math::{Jet, Mat6, Vec3, Vec6};
use crate::measures::{Context, Frame};
use nalgebra::Vector3;

/// A thin disk rolling without slip on a plane (3 rows, 2 in a planar model).
#[derive(Debug, Clone)]
pub struct RollingDisk {
    /// Unique name.
    pub name: String,
    /// Marker at the disk's centre, z along its axis.
    pub disk: MarkerId,
    /// Marker in the plane, z along its normal.
    pub plane: MarkerId,
    /// Radius, m.
    pub radius: f64,
}

impl RollingDisk {
    /// A disk of this radius rolling on the xy plane of marker `plane`.
    pub fn new(name: &str, disk: MarkerId, plane: MarkerId, radius: f64) -> Self {
        Self { name: name.into(), disk, plane, radius }
    }

    /// The touching row (2) and the two rows without slip (3).
    pub fn elements(&self, axes: &Axes) -> (RollingContact, NoSlip) {
        let contact = RollingContact { markers: [self.disk, self.plane], radius: self.radius };
        let tangents = vec![("slip along x", axes.normals[0]), ("slip along y", axes.normals[1])];
        (contact.clone(), NoSlip { contact, tangents })
    }
}

/// The disk touches the plane (equation 2).
#[derive(Debug, Clone)]
pub struct RollingContact {
    markers: [MarkerId; 2],
    radius: f64,
}

impl RollingContact {
    fn height<T: Number>(&self, frames: &[Frame<T>]) -> T {
        let (n, a) = (frames[1].axis(2), frames[0].axis(2));
        let u = n - a * n.dot(&a);
        n.dot(&(frames[0].position - frames[1].position)) - length(&u) * T::constant(self.radius)
    }

    fn lever<T: Number>(&self, frames: &[Frame<T>]) -> Vector3<T> {
        let (n, a) = (frames[1].axis(2), frames[0].axis(2));
        let u = n - a * n.dot(&a);
        u * (T::constant(-self.radius) / length(&u))
    }
}

impl Constraint for RollingContact {
    fn markers(&self) -> &[MarkerId] {
        &self.markers
    }
    fn rows(&self) -> usize {
        1
    }
    fn direction(&self, _: usize) -> String {
        "normal to the plane".into()
    }
    fn evaluate(&self, ctx: &Context, _: usize, gradient: &mut [Vec6], gradient_t: &mut [Vec6]) -> RowValue {
        differentiate(ctx, &self.markers, gradient, gradient_t, |frames, _| self.height(frames))
    }
    fn hessian(&self, ctx: &Context, _: usize, out: &mut [Mat6]) {
        second_derivatives(ctx, &self.markers, out, |frames, _| self.height(frames));
    }
    fn change(&self, _: &Context, _: usize, paths: &Paths) -> f64 {
        self.height(paths.frames).varied[2]
    }
}

/// The two directions of velocity-level rows, g on marker i and marker j.
type Directions<T> = [[Vector3<T>; 2]; 2];

/// The touching point does not slip (equation 3).
#[derive(Debug, Clone)]
pub struct NoSlip {
    contact: RollingContact,
    /// Directions in the axes of marker j, with their names.
    tangents: Vec<(&'static str, Vec3)>,
}

impl NoSlip {
    fn directions<T: Number>(&self, row: usize, frames: &[Frame<T>]) -> Directions<T> {
        let tau = frames[1].rotation * self.tangents[row].1.map(T::constant);
        let c = self.contact.lever(frames);
        let d = frames[0].position - frames[1].position;
        [[tau, c.cross(&tau)], [-tau, -(d + c).cross(&tau)]]
    }
}

/// No sideways motion of marker i against marker j (equation 4).
#[derive(Debug, Clone)]
pub struct KnifeEdge {
    /// Unique name.
    pub name: String,
    markers: [MarkerId; 2],
}

impl KnifeEdge {
    /// The blade is marker i with its edge along x_i; it cannot move along y_i over the body of marker j.
    pub fn new(name: &str, blade: MarkerId, ground: MarkerId) -> Self {
        Self { name: name.into(), markers: [blade, ground] }
    }

    fn directions<T: Number>(&self, _: usize, frames: &[Frame<T>]) -> Directions<T> {
        let y = frames[0].axis(1);
        let zero = Vector3::zeros();
        [[y, zero], [-y, -(frames[0].position - frames[1].position).cross(&y)]]
    }
}

fn gradient_entry<T: Number>(directions: &Directions<T>, a: usize) -> T {
    directions[a / 6][(a % 6) / 3][a % 3]
}

macro_rules! velocity_level {
    ($kind:ident, $self:ident, $row:ident => $markers:expr, $rows:expr, $name:expr, { $($more:tt)* }) => {
        impl Constraint for $kind {
            fn markers(&$self) -> &[MarkerId] {
                &$markers
            }
            fn rows(&$self) -> usize {
                $rows
            }
            fn direction(&$self, $row: usize) -> String {
                $name.into()
            }
            fn level(&self) -> Level {
                Level::Velocity
            }
            $($more)*
            fn evaluate(&self, ctx: &Context, row: usize, gradient: &mut [Vec6], _: &mut [Vec6]) -> RowValue {
                let g = seeded(ctx, self.markers(), usize::MAX, usize::MAX, |f, _| self.directions(row, f));
                for a in 0..12 {
                    gradient[a / 6][a % 6] += gradient_entry(&g, a).v;
                }
                RowValue::default()
            }
            fn hessian(&self, ctx: &Context, row: usize, out: &mut [Mat6]) {
                for b in 0..12 {
                    let g = seeded(ctx, self.markers(), b, usize::MAX, |f, _| self.directions(row, f));
                    for a in 0..12 {
                        out[(a / 6) * 2 + b / 6][(a % 6, b % 6)] += gradient_entry(&g, a).e1;
                    }
                }
            }
            fn change(&self, _: &Context, row: usize, paths: &Paths) -> f64 {
                let [i, j] = self.directions(row, paths.frames);
                let slip = |a: usize, [linear, angular]: &[Vector3<Jet>; 2]| linear.dot(&paths.velocity(a)) + angular.dot(&paths.spins[a]);
                (slip(0, &i) + slip(1, &j)).varied[1]
            }
        }
    };
}
velocity_level!(NoSlip, self, row => self.contact.markers, self.tangents.len(), self.tangents[row].0, {
    fn keep(&mut self, rows: &[usize]) {
        self.tangents = rows.iter().map(|r| self.tangents[*r]).collect();
    }
});
velocity_level!(KnifeEdge, self, _row => self.markers, 1, "sideways", {});
