//! Couplers: a linear relation between joint coordinates, Σ c_k s_k = offset. Gears and rack-and-pinion are couplers.
//!
//! ```text
//! gear             r₁ θ₁ + r₂ θ₂ = const     (external teeth; a negative radius for internal ones)            (1)
//! rack and pinion  s − r θ = const                                                                           (2)
//! ```
//!
//! s and θ are the translation along and the rotation about the z axis of the joint's marker j. Unless given, the constant
//! is the value in the initial configuration, so that gears mesh as they are drawn.

use super::JointId;
use crate::math::Vec3;
use crate::measures::Measure;
use crate::units::Dimension;

/// Which coordinate of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinate {
    /// Displacement of i along z_j, m.
    Translation,
    /// Rotation of i about z_j, rad, turns counted.
    Rotation,
}

impl Coordinate {
    /// The measure that gives this coordinate.
    pub fn measure(self) -> Measure {
        match self {
            Coordinate::Translation => Measure::Along(Vec3::z()),
            Coordinate::Rotation => Measure::angle(),
        }
    }

    /// Its dimension.
    pub fn dimension(self) -> Dimension {
        match self {
            Coordinate::Translation => Dimension::LENGTH,
            Coordinate::Rotation => Dimension::ANGLE,
        }
    }

    /// The name used in messages.
    pub fn label(self) -> &'static str {
        match self {
            Coordinate::Translation => "z",
            Coordinate::Rotation => "rotation about z",
        }
    }
}

/// One coordinate of a coupler.
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// Factor c_k.
    pub factor: f64,
    /// The joint.
    pub joint: JointId,
    /// Which of its coordinates.
    pub coordinate: Coordinate,
}

/// A linear relation between joint coordinates.
#[derive(Debug, Clone)]
pub struct Coupler {
    /// Unique name.
    pub name: String,
    /// The coupled coordinates.
    pub terms: Vec<Term>,
    /// Right-hand side; `None` keeps the initial value.
    pub offset: Option<f64>,
}

impl Coupler {
    /// A coupler between any joint coordinates.
    pub fn new(name: &str, terms: Vec<Term>) -> Self {
        Self { name: name.into(), terms, offset: None }
    }

    /// A gear pair between two rotating joints on a common carrier (equation 1).
    pub fn gear(name: &str, first: JointId, radius1: f64, second: JointId, radius2: f64) -> Self {
        let term = |joint, factor| Term { factor, joint, coordinate: Coordinate::Rotation };
        Self::new(name, vec![term(first, radius1), term(second, radius2)])
    }

    /// A rack on a sliding joint driven by a pinion on a rotating joint (equation 2).
    pub fn rack_and_pinion(name: &str, rack: JointId, pinion: JointId, radius: f64) -> Self {
        Self::new(
            name,
            vec![
                Term { factor: 1.0, joint: rack, coordinate: Coordinate::Translation },
                Term { factor: -radius, joint: pinion, coordinate: Coordinate::Rotation },
            ],
        )
    }

    /// With this right-hand side instead of the initial value.
    pub fn with_offset(mut self, offset: f64) -> Self {
        self.offset = Some(offset);
        self
    }
}
