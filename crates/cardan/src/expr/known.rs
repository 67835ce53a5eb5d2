//! What is known of the dimension of a value. From firm to loose:
//!
//! ```text
//! sure d      follows from units and from quantities of the model: 3 kg, DX(a, b), a parameter with a unit
//! number d    a pure number (SIN, PI, a comparison) or a power of TIME, with the factor 1 left out
//! likely d    the dimension if the plain numbers in it are pure ones: 200*DX(a, b)
//! nothing     not known: a parameter without a unit, a tabulated function without units                      (1)
//! ```
//!
//! A plain number may stand for anything: 200*DX(a, b) is a force where 200 is in N/m. So only what is sure can be a mistake. A number d
//! counts with its dimension in products (60 rpm * TIME is an angle), and fits everywhere alone: SIN(TIME) may be an angle of 1 rad.
//! In a sum with a sure value only a pure number does; seconds are not added to metres.
//!
//! SI counts angles as pure numbers (an arc is a radius times an angle), and so do comparisons of dimensions here.

use crate::units::Dimension;

/// What is known of the dimension of a value (1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Known {
    /// It has this dimension.
    Sure(Dimension),
    /// It has this dimension in products, and any where it stands alone.
    Number(Dimension),
    /// It has this dimension if plain numbers in it are pure.
    Likely(Dimension),
    /// It may have any.
    #[default]
    Nothing,
}

/// A pure number.
pub(super) const PURE: Known = Known::Number(Dimension::NONE);

/// A number as written.
pub(super) const PLAIN: Known = Known::Likely(Dimension::NONE);

/// Whether two dimensions are the same but for angles.
pub fn alike(a: Dimension, b: Dimension) -> bool {
    a.without_angle() == b.without_angle()
}

impl Known {
    /// The dimension, where it is beyond doubt.
    pub fn sure(self) -> Option<Dimension> {
        if let Self::Sure(d) = self { Some(d) } else { None }
    }

    /// The dimension to show, plain numbers taken as pure ones.
    pub fn told(self) -> Option<Dimension> {
        match self {
            Self::Sure(d) | Self::Number(d) | Self::Likely(d) => Some(d),
            Self::Nothing => None,
        }
    }

    /// Of self · otherᵖ.
    pub(super) fn product(self, other: Self, power: i8) -> Self {
        let (Some(a), Some(b)) = (self.told(), other.told()) else { return Self::Nothing };
        let d = a.times(b.to_the(power));
        match (self, other) {
            (Self::Likely(_), _) | (_, Self::Likely(_)) => Self::Likely(d),
            (Self::Number(_), Self::Number(_)) => Self::Number(d),
            _ => Self::Sure(d),
        }
    }

    /// Of a sum or a choice; the two dimensions where they cannot be added.
    pub(super) fn sum(self, other: Self) -> Result<Self, (Dimension, Dimension)> {
        match (self, other) {
            (Self::Sure(a), Self::Sure(b)) if alike(a, b) => Ok(Self::Sure(common(a, b))),
            (Self::Sure(a), Self::Number(b)) | (Self::Number(b), Self::Sure(a)) if alike(b, Dimension::NONE) || alike(a, b) => {
                Ok(Self::Sure(a))
            }
            (Self::Sure(a) | Self::Number(a), Self::Sure(b) | Self::Number(b)) if self.sure().or(other.sure()).is_some() => Err((a, b)),
            (Self::Sure(a), _) | (_, Self::Sure(a)) => Ok(Self::Sure(a)),
            (a, b) => Ok(a.loose_sum(b)),
        }
    }

    /// Of a sum of values of which none is sure.
    fn loose_sum(self, other: Self) -> Self {
        let (Some(a), Some(b)) = (self.told(), other.told()) else { return Self::Nothing };
        let d = match (a, b) {
            (a, Dimension::NONE) => a,
            (Dimension::NONE, b) => b,
            (a, b) if a == b => a,
            _ => return Self::Nothing,
        };
        match (self, other) {
            (Self::Number(_), Self::Number(_)) => Self::Number(d),
            _ if d == Dimension::NONE && (self == PURE || other == PURE) => PURE,
            _ => Self::Likely(d),
        }
    }

    /// With another dimension, as far as it can be told.
    pub(super) fn map(self, f: impl Fn(Dimension) -> Option<Dimension>) -> Self {
        let to = |kind: fn(Dimension) -> Self, d| f(d).map_or(Self::Nothing, kind);
        match self {
            Self::Sure(d) => to(Self::Sure, d),
            Self::Number(d) => to(Self::Number, d),
            Self::Likely(d) => to(Self::Likely, d),
            Self::Nothing => Self::Nothing,
        }
    }
}

/// Of two dimensions that differ by angles at most: an angle where the other is a pure number, otherwise what SI says.
fn common(a: Dimension, b: Dimension) -> Dimension {
    match (a, b) {
        (a, b) if a == b => a,
        (Dimension::NONE, b) => b,
        (a, Dimension::NONE) => a,
        _ => a.without_angle(),
    }
}

/// A dimension in words.
pub fn in_words(dimension: Dimension) -> String {
    match dimension {
        Dimension::NONE => "a pure number".into(),
        Dimension::ANGLE => "an angle (rad)".into(),
        Dimension::LENGTH => "a length (m)".into(),
        Dimension::TIME => "a time (s)".into(),
        _ => format!("a value in {dimension}"),
    }
}
