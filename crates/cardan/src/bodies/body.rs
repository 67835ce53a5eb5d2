//! Bodies as users describe them.

use super::{Flexible, FlexibleBody, Inertia, Kind, Planar, Point, Rigid, Shape};
use crate::math::{Quat, Vec3};

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

    /// A flexible body in space, not deformed at the start.
    pub fn flexible(name: &str, kind: impl FlexibleBody + 'static) -> Self {
        Self::new(name, Shape::Flexible(Flexible::new(kind)))
    }

    /// The centre of mass sits at this point of the body frame; the inertia stays the one about the centre of mass. Planar bodies use x
    /// and y. A point mass is its own centre, a flexible body knows its own.
    pub fn with_center_of_mass(mut self, center: [f64; 3]) -> Self {
        match &mut self.shape {
            Shape::Planar(planar) => planar.center_of_mass = Vec3::new(center[0], center[1], 0.0),
            Shape::Rigid(rigid) => rigid.set_center_of_mass(center.into()),
            Shape::Point(_) | Shape::Flexible(_) => {}
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
        self.shape.nv()
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
            Shape::Rigid(_) | Shape::Flexible(_) => {
                let (r, w, arm) = (self.orientation, self.angular_velocity, self.center_of_mass());
                let (com, velocity) = (self.position + r * arm, self.velocity + r * w.cross(&arm));
                let (mut q, mut v) = (vec![0.0; self.shape.nq()], vec![0.0; self.shape.nv()]);
                q[..7].copy_from_slice(&[com.x, com.y, com.z, r.w, r.i, r.j, r.k]);
                v[..6].copy_from_slice(&[velocity.x, velocity.y, velocity.z, w.x, w.y, w.z]);
                (q, v)
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
            Shape::Flexible(f) => f.mistake(),
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
            Shape::Rigid(_) | Shape::Flexible(_) if turned => {
                Some("a body in space has an orientation in space; use oriented(quaternion) instead of turned(angle)")
            }
            _ => None,
        }
    }
}
