//! Contact: bodies that touch, strike, slide and roll. A contact is a force between pairs of shapes that come and go
//! ([`PairLaw`](crate::forces::PairLaw)): each touch of a pair has a gap g, negative where the surfaces overlap, and exerts
//!
//! ```text
//! F = N(δ, δ̇) n − N φ(|v_t|) v_t,     δ = −g                                                                  (1)
//! ```
//!
//! at the contact point, on the body towards which n points, and the opposite on the other. Rooms:
//!
//! ```text
//! shapes as signed distances                                            surface, shapes, profile, triangles
//! which pairs of shapes touch where, and with which derivatives         pairs, touch
//! which of many are close                                               many, candidates
//! laws of the normal force, of friction, of resistance to rolling       law
//! wrenches and tangents of a touch                                      load
//! a contact: how it is put together, its touches, its force, channels   definition, touching, force, state
//! ```
//!
//! All of it is a function of the state, with exact derivatives: the curvature of the shapes and the dependence of friction on the normal force are
//! in the tangents.

mod candidates;
mod definition;
mod force;
mod law;
mod load;
mod many;
mod pairs;
mod profile;
mod shapes;
mod state;
mod surface;
mod touch;
mod touching;
mod triangles;

pub use candidates::Grid;
pub use definition::{Contact, Location, Part};
pub use law::{
    Arrival, Damping, Elastic, Friction, Function, Given, Law, Loads, Material, Normal, NormalLaw, Origin, Push, Regularization,
    Resistance, SLOWEST, Stroke, Table, damping_for,
};
pub use profile::{Gear, Geneva, Piece, Profile, Sprocket, Teeth, Turn, cam, geneva_lock};
pub use shapes::{
    Capsule, ContactPoint, Cuboid, Cylinder, Disk, Ellipsoid, HalfSpace, HeightField, HollowCylinder, HollowSphere, Hull, Mesh, SHAPES,
    Shape, Solid, Sphere, Torus,
};
pub use state::ContactState;
pub use surface::Nearest;
