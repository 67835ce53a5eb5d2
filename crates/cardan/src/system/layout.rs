//! Compiled elements and where their equations lie.

use super::{State, System};
use crate::bodies::{Attached, Attachment, BodyFrame, Deformed, Kind, MarkerId, MarkerState, Shape};
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

    /// Pose and twist of the body frame, and its linear and angular acceleration: what the questions above ask for, at once.
    pub(crate) fn motion(&self, x: &State) -> (MarkerState, (Vec3, Vec3)) {
        self.origin(x, |origin| (origin.state(), origin.acceleration(&x.a[self.v()])))
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
    /// The number of the body; that of the ground is [`System::ground`].
    pub body: usize,
    /// How it is fixed on the body, or on the ground.
    pub attachment: Attachment,
}

impl System {
    /// The ground's number among the bodies. Moving bodies are numbered as in [`System::bodies`], and the ground stands behind them: arrays
    /// by body that have room for it have it there.
    #[inline]
    pub fn ground(&self) -> usize {
        self.bodies.len()
    }

    /// The body with this number if it moves; nothing for the ground.
    #[inline]
    pub(super) fn moving(&self, body: usize) -> Option<usize> {
        (body != self.ground()).then_some(body)
    }

    /// The moving body that carries a marker; nothing for the ground's.
    #[inline]
    pub(super) fn carrier(&self, marker: MarkerId) -> Option<usize> {
        self.moving(self.markers[marker.index()].body)
    }
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
