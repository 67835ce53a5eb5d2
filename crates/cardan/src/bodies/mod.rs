//! Bodies: what carries mass, and how markers move with it. One file a kind; markers are the frames through which everything else sees them.
//!
//! Every kind moves as a frame (R, r) with r its centre of mass where it is not deformed, so that the six velocities of a marker at the
//! body-fixed offset s from r are (ω in the body frame)
//!
//! ```text
//! [v_m; ω_m] = J [ṙ; ω],    J = [ I  −R ŝ ; 0  R ]                                                  (1)
//! ```
//!
//! A planar body or a point mass has a selection of the columns of J, a flexible body further ones (`attachment`); a wrench w = (force,
//! torque) at the marker is pulled back as Jᵀ w. A correction δ acts as r + δ_r and R exp(δ_φ), hence pose variations and twists share J.
//! Which columns a body has is known here alone. Others ask an [`Attached`] marker for what they need, and a [`Shape`] which of its velocities are
//! [translations](Shape::translations), [rotations](Shape::rotations) or [elastic](Shape::elastic_range).

mod attachment;
mod body;
mod flexible;
mod frame;
mod inertia;
mod map;
mod marker;
mod path;
mod planar;
mod point;
mod rigid;
mod shape;

pub use attachment::{Attached, Attachment, Deformed, ModeShapes};
pub use body::Body;
pub use flexible::{Flexible, FlexibleBody};
pub use frame::{BodyFrame, Wrench};
pub use inertia::Inertia;
pub use map::{Map, MarkerMaps};
pub use marker::{BodyId, Marker, MarkerId, MarkerState};
pub use path::{BodyPath, MarkerPath};
pub use planar::Planar;
pub use point::Point;
pub use rigid::{Rigid, TRACE};
pub use shape::Shape;

use crate::math::{Mat3, Vec3};

/// How an increment turns a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Chart {
    /// By the exponential map: about δ, by |δ|.
    #[default]
    Exponential,
    /// By Cayley's map: about δ, by 2 atan(|δ|/2). A quaternion then changes linearly with δ, up to its length.
    Cayley,
}

/// Coordinates, velocities and accelerations of a body in a field of gravity.
#[derive(Debug, Clone, Copy)]
pub struct BodyMotion<'a> {
    /// q.
    pub q: &'a [f64],
    /// v.
    pub v: &'a [f64],
    /// a.
    pub a: &'a [f64],
    /// g.
    pub gravity: Vec3,
}

/// What a kind of body can do. All slices are the body's own parts of the system's vectors; matrices are column-major.
pub trait Kind {
    /// The name of the kind, as in reference tables.
    fn kind_name(&self) -> &'static str;
    /// Number of stored coordinates.
    fn nq(&self) -> usize;
    /// Number of velocities.
    fn nv(&self) -> usize;
    /// Mass in kg.
    fn mass(&self) -> f64;
    /// Offset of the reference point, the centre of mass where the body is not deformed, from the body frame's origin, in the body frame.
    fn center_of_mass(&self) -> Vec3;
    /// The largest radius of gyration, m; zero for what does not turn.
    fn radius_of_gyration(&self) -> f64;
    /// Rotation (body to world) and position of the reference point.
    fn frame(&self, q: &[f64]) -> (Mat3, Vec3);
    /// Velocity of the reference point in the world frame and angular velocity in the body frame.
    fn twist(&self, v: &[f64]) -> (Vec3, Vec3);
    /// out = the share that the velocities have in a force and a torque at the reference point (world frame), and in what acts on the body's
    /// elastic velocities, given at their places.
    fn project(&self, r: &Mat3, wrench: &Wrench, modal: &[f64], out: &mut [f64]);
    /// q1 = q0 ⊕ δ.
    fn retract(&self, chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]);
    /// δ with q1 = q0 ⊕ δ.
    fn difference(&self, q0: &[f64], q1: &[f64], delta: &mut [f64]);
    /// The tangent of the retraction: a change dδ acts as `q ⊕ T dδ` on the rotations; `None` for vector spaces.
    fn retract_tangent(&self, chart: Chart, delta: &[f64]) -> Option<Mat3>;
    /// out += scale · M a.
    fn add_mass_times(&self, q: &[f64], a: &[f64], scale: f64, out: &mut [f64]);
    /// out (nv×nv) += scale · M.
    fn add_mass(&self, q: &[f64], scale: f64, out: &mut [f64]);
    /// out += scale · h, the quadratic velocity force of M a + h = Q: ω × J ω of a rigid body.
    fn add_quadratic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]);
    /// out (nv×nv) += c_q ∂(M (a − (g, 0, 0)) + h)/∂q T + c_v ∂h/∂v, the weights being c_q and c_v; T acts on rotations alone.
    fn add_inertia_tangent(&self, at: &BodyMotion, weights: [f64; 2], turn: &Mat3, out: &mut [f64]);
    /// out (nv×nv) += scale · a block between rotations in the body frame.
    fn add_turning(&self, block: &Mat3, scale: f64, out: &mut [f64]);
    /// Momentum, and angular momentum about the reference point, in the world frame.
    fn momentum(&self, q: &[f64], v: &[f64]) -> [Vec3; 2];
    /// Magnitudes by which errors of the velocities' coordinates are weighed: |q_i| for lengths and planar angles, 0 for attitudes.
    fn magnitudes(&self, q: &[f64], out: &mut [f64]);
    /// Full rotation angle for planar bodies (turns counted), zero otherwise.
    fn turns(&self, q: &[f64]) -> f64;
    /// Whether the body never tilts: it turns about the world's z axis or not at all.
    fn upright(&self) -> bool;
}
