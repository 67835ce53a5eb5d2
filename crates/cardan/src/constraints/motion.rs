//! Prescribed motions: a displacement along z_j or a rotation about z_j follows a function of time, Φ = s − f(t) = 0.

use super::JointId;
use super::coupler::Coordinate;
use crate::bodies::MarkerId;
use crate::measures::TimeFunction;

/// What a motion drives.
#[derive(Debug, Clone, Copy)]
pub enum Drive {
    /// The markers of a joint.
    Joint(JointId),
    /// Two markers, i against j.
    Markers(MarkerId, MarkerId),
}

/// A motion prescribed as a function of time (m or rad; rotations count turns).
#[derive(Debug, Clone)]
pub struct Motion {
    /// Unique name.
    pub name: String,
    /// What it drives.
    pub drive: Drive,
    /// Translation along z or rotation about z.
    pub coordinate: Coordinate,
    /// The function of time.
    pub function: TimeFunction,
}

impl Motion {
    /// Rotation of a joint about its z axis, rad.
    pub fn rotation(name: &str, joint: JointId, function: impl Into<TimeFunction>) -> Self {
        Self { name: name.into(), drive: Drive::Joint(joint), coordinate: Coordinate::Rotation, function: function.into() }
    }

    /// Translation of a joint along its z axis, m.
    pub fn translation(name: &str, joint: JointId, function: impl Into<TimeFunction>) -> Self {
        Self { name: name.into(), drive: Drive::Joint(joint), coordinate: Coordinate::Translation, function: function.into() }
    }

    /// Between two markers instead of on a joint.
    pub fn between(name: &str, i: MarkerId, j: MarkerId, coordinate: Coordinate, function: impl Into<TimeFunction>) -> Self {
        Self { name: name.into(), drive: Drive::Markers(i, j), coordinate, function: function.into() }
    }
}
