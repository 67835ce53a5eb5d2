//! How a body stands and moves: every kind carries a frame (R, r) with its twist, and gathers what acts on it there.

use super::Kind;
use crate::math::{Mat3, Vec3};

/// The frame of a body: where its reference point is, how it is turned, how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyFrame {
    /// Rotation, body to world.
    pub r: Mat3,
    /// The reference point: the centre of mass, where the body is not deformed.
    pub p: Vec3,
    /// Its velocity.
    pub v: Vec3,
    /// Angular velocity in the body frame.
    pub omega: Vec3,
    /// Angular velocity in the world frame.
    pub w: Vec3,
}

impl BodyFrame {
    /// That of the ground.
    pub fn ground() -> Self {
        Self { r: Mat3::identity(), p: Vec3::zeros(), v: Vec3::zeros(), omega: Vec3::zeros(), w: Vec3::zeros() }
    }

    /// That of a body at its coordinates and velocities.
    #[inline(always)]
    pub fn of(kind: &impl Kind, q: &[f64], v: &[f64]) -> Self {
        let ((r, p), (v, omega)) = (kind.frame(q), kind.twist(v));
        Self { r, p, v, omega, w: r * omega }
    }
}

/// Force and torque at the reference point of a body, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench {
    /// Force, N.
    pub force: Vec3,
    /// Torque, N m.
    pub torque: Vec3,
}

impl Wrench {
    /// Nothing acts.
    pub fn zero() -> Self {
        Self { force: Vec3::zeros(), torque: Vec3::zeros() }
    }
}
