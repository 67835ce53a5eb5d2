//! Compiled elements and where their equations lie.

use super::State;
use crate::bodies::{Attached, Attachment, BodyFrame, Deformed, Kind, Shape};
use crate::constraints::Element;
use crate::math::{Quat, Vec3};
use std::ops::Range;

/// A moving body and its place in the vectors. It tells where it is in a state, so that nobody has to count coordinates; what moves is the
/// origin of its frame, in the axes of the world.
#[derive(Debug, Clone)]
pub struct CompiledBody {
    /// Name.
    pub name: String,
    /// Kind and mass properties.
    pub shape: Shape,
    /// First coordinate.
    pub q0: usize,
    /// First velocity.
    pub v0: usize,
}

impl CompiledBody {
    /// The body's coordinates in q.
    #[inline]
    pub fn q(&self) -> Range<usize> {
        self.q0..self.q0 + self.shape.nq()
    }

    /// The body's velocities in v.
    #[inline]
    pub fn v(&self) -> Range<usize> {
        self.v0..self.v0 + self.shape.nv()
    }

    /// Position, m.
    #[must_use]
    pub fn position(&self, x: &State) -> Vec3 {
        self.origin(x, |origin| origin.state().p)
    }

    /// Velocity, m/s.
    #[must_use]
    pub fn velocity(&self, x: &State) -> Vec3 {
        self.origin(x, |origin| origin.state().v)
    }

    /// Acceleration, m/s².
    #[must_use]
    pub fn acceleration(&self, x: &State) -> Vec3 {
        self.origin(x, |origin| origin.acceleration(&x.a[self.v()]).0)
    }

    /// Orientation, body to world; the identity for point masses.
    #[must_use]
    pub fn orientation(&self, x: &State) -> Quat {
        self.shape.attitude(&x.q[self.q()])
    }

    /// Angle about z of a planar body, rad, full turns counted; `None` for other kinds.
    #[must_use]
    pub fn angle(&self, x: &State) -> Option<f64> {
        (self.shape.rotates() && self.shape.upright()).then(|| self.shape.turns(&x.q[self.q()]))
    }

    /// Angular velocity, rad/s.
    #[must_use]
    pub fn angular_velocity(&self, x: &State) -> Vec3 {
        self.origin(x, |origin| origin.state().w)
    }

    /// Angular acceleration, rad/s².
    #[must_use]
    pub fn angular_acceleration(&self, x: &State) -> Vec3 {
        self.origin(x, |origin| origin.acceleration(&x.a[self.v()]).1)
    }

    /// The origin of the body frame, in a state.
    fn origin<T>(&self, x: &State, ask: impl Fn(&Attached) -> T) -> T {
        let at = Attachment::on_frame(-self.shape.center_of_mass());
        let frame = BodyFrame::of(&self.shape, &x.q[self.q()], &x.v[self.v()]);
        ask(&Attached { shape: &self.shape, at: &at, frame: &frame, deformed: &Deformed::none() })
    }
}

/// A marker: the body that carries it, and how it is fixed there.
#[derive(Debug, Clone)]
pub struct CompiledMarker {
    /// Name.
    pub name: String,
    /// The moving body, or `None` for the ground.
    pub body: Option<usize>,
    /// How it is fixed on the body, or on the ground.
    pub attachment: Attachment,
}

/// A constraint and its first row.
#[derive(Debug, Clone)]
pub struct CompiledConstraint {
    /// Name.
    pub name: String,
    /// The element.
    pub element: Element,
    /// Its first multiplier.
    pub first_row: usize,
}
