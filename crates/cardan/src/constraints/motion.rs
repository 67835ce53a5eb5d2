//! Prescribed motions: a displacement s along z_j or a rotation about z_j follows a function of time,
//!
//! ```text
//! displacement   Φ = s − f(t) = 0                                                                            (1)
//! velocity       Φ = s − s₀ − ∫₀ᵗ f dτ = 0                          ṡ = f                                    (2)
//! acceleration   Φ = s − s₀ − v₀ t − ∫₀ᵗ (t − τ) f dτ = 0           s̈ = f                                    (3)
//! ```
//!
//! s₀ is the displacement in the initial configuration, unless it is given. Since f depends on time alone, so do the integrals
//! (`measures/integral.rs`), and all three are constraints of position level with exact rates and accelerations: nothing drifts, and
//! every method, kinematics and statics treat them alike.

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

/// What the function of a motion gives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Prescribed {
    /// The displacement (1), m or rad; rotations count turns.
    #[default]
    Displacement,
    /// The velocity (2), m/s or rad/s.
    Velocity,
    /// The acceleration (3), m/s² or rad/s².
    Acceleration {
        /// v₀, m/s or rad/s.
        initial_velocity: f64,
    },
}

impl Prescribed {
    /// Its key in model files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Displacement => "function",
            Self::Velocity => "velocity",
            Self::Acceleration { .. } => "acceleration",
        }
    }
}

/// A motion prescribed as a function of time.
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
    /// What the function gives.
    pub prescribed: Prescribed,
    /// s₀ of a motion of velocity or acceleration, m or rad; `None`: as placed.
    pub initial_displacement: Option<f64>,
}

impl Motion {
    fn new(name: &str, drive: Drive, coordinate: Coordinate, function: TimeFunction) -> Self {
        Self { name: name.into(), drive, coordinate, function, prescribed: Prescribed::Displacement, initial_displacement: None }
    }

    /// Rotation of a joint about its z axis, rad.
    pub fn rotation(name: &str, joint: JointId, function: impl Into<TimeFunction>) -> Self {
        Self::new(name, Drive::Joint(joint), Coordinate::Rotation, function.into())
    }

    /// Translation of a joint along its z axis, m.
    pub fn translation(name: &str, joint: JointId, function: impl Into<TimeFunction>) -> Self {
        Self::new(name, Drive::Joint(joint), Coordinate::Translation, function.into())
    }

    /// Between two markers instead of on a joint.
    pub fn between(name: &str, i: MarkerId, j: MarkerId, coordinate: Coordinate, function: impl Into<TimeFunction>) -> Self {
        Self::new(name, Drive::Markers(i, j), coordinate, function.into())
    }

    /// The function is a velocity (2).
    pub fn of_velocity(mut self) -> Self {
        self.prescribed = Prescribed::Velocity;
        self
    }

    /// The function is an acceleration (3), from this velocity on.
    pub fn of_acceleration(mut self, initial_velocity: f64) -> Self {
        self.prescribed = Prescribed::Acceleration { initial_velocity };
        self
    }

    /// A motion of velocity or acceleration that starts at this displacement, wherever the bodies are placed.
    pub fn starting_at(mut self, displacement: f64) -> Self {
        self.initial_displacement = Some(displacement);
        self
    }
}
