//! Compiled elements and where their equations lie.

use super::State;
use crate::bodies::{Kind, Shape};
use crate::constraints::Element;
use crate::math::{Mat3, Quat, Vec3, Vec6};
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
        self.v0..self.v0 + self.shape.columns().len()
    }

    /// Position, m.
    #[must_use]
    pub fn position(&self, x: &State) -> Vec3 {
        let (r, center) = self.shape.frame(&x.q[self.q()]);
        center + r * self.arm()
    }

    /// Velocity, m/s.
    #[must_use]
    pub fn velocity(&self, x: &State) -> Vec3 {
        let (center, omega) = self.halves(&x.v);
        center + self.rotation(x) * omega.cross(&self.arm())
    }

    /// Acceleration, m/s².
    #[must_use]
    pub fn acceleration(&self, x: &State) -> Vec3 {
        let (arm, omega, (center, alpha)) = (self.arm(), self.halves(&x.v).1, self.halves(&x.a));
        center + self.rotation(x) * (alpha.cross(&arm) + omega.cross(&omega.cross(&arm)))
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
        self.rotation(x) * self.halves(&x.v).1
    }

    /// Angular acceleration, rad/s².
    #[must_use]
    pub fn angular_acceleration(&self, x: &State) -> Vec3 {
        self.rotation(x) * self.halves(&x.a).1
    }

    /// From the centre of mass to the origin of the body frame, in the body frame.
    fn arm(&self) -> Vec3 {
        -self.shape.center_of_mass()
    }

    fn rotation(&self, x: &State) -> Mat3 {
        self.shape.frame(&x.q[self.q()]).0
    }

    /// The body's part of the velocities or accelerations: of the centre of mass in the world, and angular in the body frame.
    fn halves(&self, values: &[f64]) -> (Vec3, Vec3) {
        let mut six = Vec6::zeros();
        for (value, column) in values[self.v()].iter().zip(self.shape.columns()) {
            six[*column] = *value;
        }
        (six.fixed_rows::<3>(0).into(), six.fixed_rows::<3>(3).into())
    }
}

/// A marker: where it is on its body, relative to the centre of mass.
#[derive(Debug, Clone)]
pub struct CompiledMarker {
    /// Name.
    pub name: String,
    /// The moving body, or `None` for the ground.
    pub body: Option<usize>,
    /// Offset from the centre of mass, body frame (ground: position).
    pub offset: Vec3,
    /// Rotation, marker axes to body axes.
    pub rotation: Mat3,
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
