//! Bodies: what carries mass. One file a kind; markers are the frames through which everything else sees them.
//!
//! Every kind here moves as a frame (R, r) with r its centre of mass, so that the six velocities of a marker at the body-fixed
//! offset s from r are (ω in the body frame)
//!
//! ```text
//! [v_m; ω_m] = J [ṙ; ω],    J = [ I  −R ŝ ; 0  R ]                                                  (1)
//! ```
//!
//! A planar body or a point mass uses a selection of the columns of J ([`Kind::columns`]); a wrench w = (force, torque) at
//! the marker is pulled back as Jᵀ w. A correction δ acts as r + δ_r and R exp(δ_φ), hence pose variations and twists share J.

mod frame;
mod inertia;
mod marker;
mod planar;
mod point;
mod rigid;

pub use frame::{acceleration_gradients, geometric_stiffness, jacobian, pull_back};
pub use inertia::Inertia;
pub use marker::{BodyId, Marker, MarkerId, MarkerState};
pub use planar::Planar;
pub use point::Point;
pub use rigid::{Rigid, TRACE};

use crate::math::{Mat3, Quat, Vec3};

/// How an increment turns a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Chart {
    /// By the exponential map: about δ, by |δ|.
    #[default]
    Exponential,
    /// By Cayley's map: about δ, by 2 atan(|δ|/2). A quaternion then changes linearly with δ, up to its length.
    Cayley,
}

/// What a kind of body can do. All slices are the body's own parts of the system's vectors.
pub trait Kind {
    /// The name of the kind, as in reference tables.
    fn kind_name(&self) -> &'static str;
    /// Number of stored coordinates.
    fn nq(&self) -> usize;
    /// Which columns of the frame's six (equation 1) are the body's velocities.
    fn columns(&self) -> &'static [usize];
    /// Mass in kg.
    fn mass(&self) -> f64;
    /// Rotation (body to world) and position of the centre of mass.
    fn frame(&self, q: &[f64]) -> (Mat3, Vec3);
    /// Velocity of the centre of mass in the world frame and angular velocity in the body frame.
    fn twist(&self, v: &[f64]) -> (Vec3, Vec3);
    /// out = the share that the velocities have in a force and a torque at the centre of mass (world frame).
    fn project(&self, r: &Mat3, force: &Vec3, torque: &Vec3, out: &mut [f64]);
    /// q1 = q0 ⊕ δ.
    fn retract(&self, chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]);
    /// δ with q1 = q0 ⊕ δ.
    fn difference(&self, q0: &[f64], q1: &[f64], delta: &mut [f64]);
    /// The tangent of the retraction: a change dδ acts as `q ⊕ T dδ` on the rotation columns; `None` for vector spaces.
    fn retract_tangent(&self, chart: Chart, delta: &[f64]) -> Option<Mat3>;
    /// out += scale · M a.
    fn add_mass_times(&self, a: &[f64], scale: f64, out: &mut [f64]);
    /// out (column-major nv×nv) += scale · M.
    fn add_mass(&self, scale: f64, out: &mut [f64]);
    /// out += scale · (the velocity-dependent inertia force of M a + f = Q, that is ω × Jω).
    fn add_gyroscopic(&self, v: &[f64], scale: f64, out: &mut [f64]);
    /// out (column-major nv×nv) += scale · ∂(gyroscopic force)/∂v.
    fn add_gyroscopic_tangent(&self, v: &[f64], scale: f64, out: &mut [f64]);
    /// out (column-major nv×nv) += scale · a block between rotations in the body frame.
    fn add_turning(&self, block: &Mat3, scale: f64, out: &mut [f64]);
    /// Angular momentum about the centre of mass, in the world frame.
    fn spin(&self, q: &[f64], v: &[f64]) -> Vec3;
    /// Magnitudes by which errors of the velocities' coordinates are weighed: |q_i| for lengths and planar angles, 0 for attitudes.
    fn magnitudes(&self, q: &[f64], out: &mut [f64]);
    /// Full rotation angle for planar bodies (turns counted), zero otherwise.
    fn turns(&self, q: &[f64]) -> f64;
    /// Whether the body never tilts: it turns about the world's z axis or not at all.
    fn upright(&self) -> bool;
}

macro_rules! kinds {
    ($($kind:ident),*) => {
        /// A kind of body with its mass properties.
        #[derive(Debug, Clone)]
        pub enum Shape {
            $(#[doc = concat!("See [`", stringify!($kind), "`].")] $kind($kind)),*
        }
        kinds!(@impl $($kind),* ;
            fn kind_name() -> &'static str; fn nq() -> usize; fn columns() -> &'static [usize]; fn mass() -> f64;
            fn frame(q: &[f64]) -> (Mat3, Vec3);
            fn twist(v: &[f64]) -> (Vec3, Vec3);
            fn project(r: &Mat3, force: &Vec3, torque: &Vec3, out: &mut [f64]) -> ();
            fn retract(chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) -> ();
            fn difference(q0: &[f64], q1: &[f64], delta: &mut [f64]) -> ();
            fn retract_tangent(chart: Chart, delta: &[f64]) -> Option<Mat3>;
            fn add_mass_times(a: &[f64], scale: f64, out: &mut [f64]) -> ();
            fn add_mass(scale: f64, out: &mut [f64]) -> ();
            fn add_gyroscopic(v: &[f64], scale: f64, out: &mut [f64]) -> ();
            fn add_gyroscopic_tangent(v: &[f64], scale: f64, out: &mut [f64]) -> ();
            fn add_turning(block: &Mat3, scale: f64, out: &mut [f64]) -> ();
            fn spin(q: &[f64], v: &[f64]) -> Vec3;
            fn magnitudes(q: &[f64], out: &mut [f64]) -> ();
            fn turns(q: &[f64]) -> f64; fn upright() -> bool;
        );
    };
    (@impl $($kind:ident),* ; $(fn $method:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        kinds!(@methods [$($kind),*] $(fn $method($($arg: $ty),*) -> $ret;)*);
    };
    (@methods $kinds:tt $(fn $method:ident($($arg:ident: $ty:ty),*) -> $ret:ty;)*) => {
        impl Kind for Shape {
            $(#[inline] fn $method(&self, $($arg: $ty),*) -> $ret { kinds!(@match $kinds self $method($($arg),*)) })*
        }
    };
    (@match [$($kind:ident),*] $self:ident $method:ident $args:tt) => {
        match $self { $(Shape::$kind(k) => kinds!(@call k $method $args)),* }
    };
    (@call $k:ident $method:ident ($($arg:ident),*)) => { $k.$method($($arg),*) };
}
kinds!(Point, Planar, Rigid);

impl Shape {
    /// Offset of the centre of mass from the body frame's origin, in the body frame.
    pub fn center_of_mass(&self) -> Vec3 {
        match self {
            Shape::Rigid(rigid) => rigid.center_of_mass(),
            Shape::Planar(planar) => planar.center_of_mass,
            Shape::Point(_) => Vec3::zeros(),
        }
    }

    /// Attitude, body to world. Along a motion it goes on smoothly; no turn makes it jump to the opposite quaternion.
    pub fn attitude(&self, q: &[f64]) -> Quat {
        match self {
            Shape::Rigid(rigid) => rigid.attitude(q),
            Shape::Point(_) | Shape::Planar(_) => Quat::from_axis_angle(&Vec3::z_axis(), self.turns(q)),
        }
    }

    /// Whether the body can turn at all.
    pub fn rotates(&self) -> bool {
        self.columns().iter().any(|c| *c >= 3)
    }
}

/// A body as the user describes it: a kind, and where it starts.
///
/// ```
/// use cardan::prelude::*;
/// let rod = Body::planar("rod", 2.0, 0.1).at([0.5, 0.0, 0.0]).turned(0.3).spinning([0.0, 0.0, 1.5]);
/// let tilt = Quat::from_axis_angle(&Vec3::x_axis(), 0.3);
/// let top = Body::rigid("top", 1.0, Inertia::cylinder(1.0, 0.1, 0.02)).oriented(tilt).spinning([0.0, 0.0, 200.0]);
/// assert!(rod.mistake().is_none() && top.mistake().is_none());
/// assert!(rod.oriented(tilt).mistake().is_some(), "a planar body is turned");
/// ```
#[derive(Debug, Clone)]
#[must_use = "a body has to be added to a model"]
pub struct Body {
    /// Unique name.
    pub name: String,
    /// Kind and mass properties.
    pub shape: Shape,
    /// Position of the body frame in the world, m (point masses: of the mass).
    pub position: Vec3,
    /// Attitude of the body frame (rigid bodies; the identity for others).
    pub orientation: Quat,
    /// Rotation angle about z, rad, full turns counted (planar bodies; zero for others).
    pub angle: f64,
    /// Velocity of the body frame's origin, m/s, world frame.
    pub velocity: Vec3,
    /// Angular velocity, rad/s, in the body frame.
    pub angular_velocity: Vec3,
}

impl Body {
    fn new(name: &str, shape: Shape) -> Self {
        Self {
            name: name.into(),
            shape,
            position: Vec3::zeros(),
            orientation: Quat::identity(),
            angle: 0.0,
            velocity: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
        }
    }

    /// A point mass in the xy plane (two degrees of freedom).
    pub fn point_2d(name: &str, mass: f64) -> Self {
        Self::new(name, Shape::Point(Point { mass, dimensions: 2 }))
    }

    /// A point mass in space (three degrees of freedom).
    pub fn point(name: &str, mass: f64) -> Self {
        Self::new(name, Shape::Point(Point { mass, dimensions: 3 }))
    }

    /// A body moving in the xy plane, its frame at the centre of mass unless [`Body::with_center_of_mass`] moves that; `inertia` about z
    /// through the centre of mass, kg m².
    pub fn planar(name: &str, mass: f64, inertia: f64) -> Self {
        Self::new(name, Shape::Planar(Planar { mass, inertia, center_of_mass: Vec3::zeros() }))
    }

    /// A rigid body in space.
    pub fn rigid(name: &str, mass: f64, inertia: Inertia) -> Self {
        Self::new(name, Shape::Rigid(Rigid::new(mass, inertia)))
    }

    /// The centre of mass sits at this point of the body frame; the inertia stays the one about the centre of mass. Planar bodies use x
    /// and y. A point mass is its own centre.
    pub fn with_center_of_mass(mut self, center: [f64; 3]) -> Self {
        match &mut self.shape {
            Shape::Planar(planar) => planar.center_of_mass = Vec3::new(center[0], center[1], 0.0),
            Shape::Rigid(rigid) => rigid.set_center_of_mass(center.into()),
            Shape::Point(_) => {}
        }
        self
    }

    /// Starts with the body frame's origin here.
    pub fn at(mut self, position: [f64; 3]) -> Self {
        self.position = position.into();
        self
    }

    /// Starts with this attitude. Of rigid bodies; a planar body is [turned](Body::turned).
    pub fn oriented(mut self, orientation: Quat) -> Self {
        self.orientation = orientation;
        self
    }

    /// Starts at this angle about z, turns counted. Of planar bodies; a rigid body is [oriented](Body::oriented).
    pub fn turned(mut self, angle: f64) -> Self {
        self.angle = angle;
        self
    }

    /// Starts with this velocity of the body frame's origin (world frame).
    pub fn moving(mut self, velocity: [f64; 3]) -> Self {
        self.velocity = velocity.into();
        self
    }

    /// Starts with this angular velocity (body frame; planar bodies use the z component).
    pub fn spinning(mut self, angular_velocity: [f64; 3]) -> Self {
        self.angular_velocity = angular_velocity.into();
        self
    }

    /// Offset of the centre of mass from the body frame's origin, in the body frame.
    pub fn center_of_mass(&self) -> Vec3 {
        self.shape.center_of_mass()
    }

    /// Number of velocities.
    pub fn nv(&self) -> usize {
        self.shape.columns().len()
    }

    /// The body's initial coordinates and velocities in the layout of its kind.
    pub fn initial_state(&self) -> (Vec<f64>, Vec<f64>) {
        match &self.shape {
            Shape::Point(point) => {
                let d = point.dimensions;
                (self.position.as_slice()[..d].to_vec(), self.velocity.as_slice()[..d].to_vec())
            }
            Shape::Planar(planar) => {
                let arm = Quat::from_axis_angle(&Vec3::z_axis(), self.angle) * planar.center_of_mass;
                let omega = self.angular_velocity.z;
                let (com, v) = (self.position + arm, self.velocity + Vec3::new(-omega * arm.y, omega * arm.x, 0.0));
                (vec![com.x, com.y, self.angle], vec![v.x, v.y, omega])
            }
            Shape::Rigid(rigid) => {
                let r = self.orientation;
                let com = self.position + r * rigid.center_of_mass();
                let v = self.velocity + r * self.angular_velocity.cross(&rigid.center_of_mass());
                let w = self.angular_velocity;
                (vec![com.x, com.y, com.z, r.w, r.i, r.j, r.k], vec![v.x, v.y, v.z, w.x, w.y, w.z])
            }
        }
    }

    /// The first physical mistake in the body's data, if any.
    pub fn mistake(&self) -> Option<String> {
        let mass = self.shape.mass();
        if !(mass > 0.0 && mass.is_finite()) {
            return Some(format!("the mass must be positive, it is {mass} kg"));
        }
        let finite = self.position.iter().chain(self.velocity.iter()).chain(self.angular_velocity.iter()).all(|x| x.is_finite());
        if !finite || !self.angle.is_finite() || !self.orientation.coords.iter().all(|x| x.is_finite()) {
            return Some("the initial position or velocity is not finite".into());
        }
        let own = match &self.shape {
            Shape::Point(_) => None,
            Shape::Planar(p) => p.mistake(),
            Shape::Rigid(r) => r.mistake(),
        };
        own.or_else(|| self.turned_in_vain().map(String::from))
    }

    /// What is wrong with how the body is turned at the start: a kind that cannot be turned so would ignore it.
    fn turned_in_vain(&self) -> Option<&'static str> {
        let (oriented, turned) = (self.orientation != Quat::identity(), self.angle != 0.0);
        match &self.shape {
            Shape::Point(_) if oriented || turned || self.angular_velocity != Vec3::zeros() => {
                Some("a point mass has no orientation and does not turn; use Body::planar or Body::rigid instead")
            }
            Shape::Planar(_) if oriented => Some("a planar body turns about z only; use turned(angle) instead of oriented(quaternion)"),
            Shape::Rigid(_) if turned => {
                Some("a rigid body has an orientation in space; use oriented(quaternion) instead of turned(angle)")
            }
            _ => None,
        }
    }
}
