//! Markers: frames on bodies. Joints, forces and measures see nothing else.

use crate::math::{Mat3, Quat, Vec3, Vec6, stack};

/// A body of a model; the ground is body 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BodyId(pub(crate) usize);

impl BodyId {
    /// The ground.
    pub const GROUND: BodyId = BodyId(0);

    /// Position in the model's list of bodies (ground is 0).
    pub fn index(self) -> usize {
        self.0
    }
}

/// A marker of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MarkerId(pub(crate) usize);

impl MarkerId {
    /// Position in the model's list of markers.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A frame fixed on a body: where it sits and how it is turned, in the body frame.
#[derive(Debug, Clone)]
#[must_use = "a marker has to be added to a model"]
pub struct Marker {
    /// The body that carries it.
    pub body: BodyId,
    /// Name; the model makes one up if it is empty.
    pub name: String,
    /// Position in the body frame, m.
    pub position: Vec3,
    /// Orientation in the body frame.
    pub orientation: Quat,
}

impl Marker {
    /// A marker at the body frame's origin, parallel to it.
    pub fn on(body: BodyId) -> Self {
        Self { body, name: String::new(), position: Vec3::zeros(), orientation: Quat::identity() }
    }

    /// Moved to this position of the body frame.
    pub fn at(mut self, position: [f64; 3]) -> Self {
        self.position = position.into();
        self
    }

    /// Turned by this rotation (marker axes to body axes).
    pub fn oriented(mut self, orientation: Quat) -> Self {
        self.orientation = orientation;
        self
    }

    /// With its z axis along this direction of the body frame (any x axis); a zero vector leaves it unturned.
    pub fn z_along(mut self, direction: [f64; 3]) -> Self {
        let z = Vec3::from(direction);
        let axis = Vec3::z().cross(&z);
        let angle = axis.norm().atan2(z.z);
        self.orientation = if axis.norm() > 1e-14 * z.norm() {
            Quat::from_axis_angle(&nalgebra::Unit::new_normalize(axis), angle)
        } else if z.z < 0.0 {
            Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI)
        } else {
            Quat::identity()
        };
        self
    }

    /// Whether its data are usable numbers.
    pub fn is_finite(&self) -> bool {
        self.position.iter().chain(self.orientation.coords.iter()).all(|x| x.is_finite())
    }

    /// With this name.
    pub fn named(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }
}

/// Pose and twist of a marker, in the world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MarkerState {
    /// Position of the origin.
    pub p: Vec3,
    /// Rotation, marker to world.
    pub r: Mat3,
    /// Velocity of the origin.
    pub v: Vec3,
    /// Angular velocity.
    pub w: Vec3,
}

impl MarkerState {
    /// A marker at rest at the world's origin.
    pub fn identity() -> Self {
        Self { p: Vec3::zeros(), r: Mat3::identity(), v: Vec3::zeros(), w: Vec3::zeros() }
    }

    /// The twist (velocity, angular velocity).
    #[inline]
    pub fn twist(&self) -> Vec6 {
        stack(self.v, self.w)
    }
}
