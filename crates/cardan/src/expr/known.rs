//! What is known of the dimension of a value. From firm to loose:
//!
//! ```text
//! sure d       a unit says so: 3 kg, a parameter with a unit, 5 kg*DX(a, b)
//! quantity d   a quantity of the model as it is: DX(a, b)
//! number d     a pure number (SIN, PI, a comparison) or a power of TIME
//! likely d     the dimension if the plain numbers in it are pure ones: 200*DX(a, b), or a factor 1 left out of DX(a, b)*VX(a, b)
//! nothing      not known: a parameter without a unit, a tabulated function without units                     (1)
//! ```
//!
//! A plain number may stand for anything: 200*DX(a, b) is a force where 200 is in N/m, and so is DX(a, b) where the stiffness is 1. So a
//! value is wrong where it stands only if it is sure. In sums, comparisons and choices two values are wrong together if both are firm:
//! metres are not added to seconds, nor a displacement to a velocity. A number fits everywhere alone (SIN(TIME) may be an angle of 1 rad);
//! in a product with what is sure its dimension counts: 60 rpm * TIME is an angle.
//!
//! SI counts angles as pure numbers (an arc is a radius times an angle), and so do comparisons of dimensions here.

use crate::units::Dimension;

/// What is known of the dimension of a value (1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Known {
    /// It has this dimension.
    Sure(Dimension),
    /// It is a quantity of the model as it is.
    Quantity(Dimension),
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
    /// The dimension, where a unit says so.
    pub fn sure(self) -> Option<Dimension> {
        if let Self::Sure(d) = self { Some(d) } else { None }
    }

    /// The dimension, where units or quantities of the model say so.
    pub fn firm(self) -> Option<Dimension> {
        if let Self::Sure(d) | Self::Quantity(d) = self { Some(d) } else { None }
    }

    /// The dimension to show, plain numbers taken as pure ones.
    pub fn told(self) -> Option<Dimension> {
        match self {
            Self::Sure(d) | Self::Quantity(d) | Self::Number(d) | Self::Likely(d) => Some(d),
            Self::Nothing => None,
        }
    }

    /// Of self · otherᵖ.
    pub(super) fn product(self, other: Self, power: i8) -> Self {
        let (Some(a), Some(b)) = (self.told(), other.told()) else { return Self::Nothing };
        let d = a.times(b.to_the(power));
        match (self, other) {
            (Self::Likely(_), _) | (_, Self::Likely(_)) => Self::Likely(d),
            (Self::Sure(_), _) | (_, Self::Sure(_)) => Self::Sure(d),
            (Self::Number(_), Self::Number(_)) => Self::Number(d),
            // A factor 1 may be left out of a product.
            _ => Self::Likely(d),
        }
    }

    /// Of a sum or a choice; the two dimensions where they cannot be added.
    pub(super) fn sum(self, other: Self) -> Result<Self, (Dimension, Dimension)> {
        match (self, other) {
            (Self::Sure(a) | Self::Quantity(a), Self::Sure(b) | Self::Quantity(b)) if !alike(a, b) => Err((a, b)),
            (Self::Quantity(a), Self::Quantity(b)) => Ok(Self::Quantity(common(a, b))),
            (Self::Sure(a) | Self::Quantity(a), Self::Sure(b) | Self::Quantity(b)) => Ok(Self::Sure(common(a, b))),
            (Self::Sure(a), Self::Number(b)) | (Self::Number(a), Self::Sure(b)) if !fits(self, other) => Err((a, b)),
            (Self::Quantity(_), Self::Number(_)) | (Self::Number(_), Self::Quantity(_)) if !fits(self, other) => Ok(Self::Nothing),
            (firm @ (Self::Sure(_) | Self::Quantity(_)), _) | (_, firm @ (Self::Sure(_) | Self::Quantity(_))) => Ok(firm),
            (a, b) => Ok(a.loose_sum(b)),
        }
    }

    /// Of a sum of values of which none is firm.
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

    /// A root, power or rate: with another dimension, as far as it can be told.
    pub(super) fn map(self, f: impl Fn(Dimension) -> Option<Dimension>) -> Self {
        let to = |kind: fn(Dimension) -> Self, d| f(d).map_or(Self::Nothing, kind);
        match self {
            Self::Sure(d) => to(Self::Sure, d),
            Self::Quantity(d) => to(Self::Likely, d),
            Self::Number(d) => to(Self::Number, d),
            Self::Likely(d) => to(Self::Likely, d),
            Self::Nothing => Self::Nothing,
        }
    }
}

/// Whether a number goes with a firm value: it is pure, or of the same dimension.
fn fits(a: Known, b: Known) -> bool {
    let pure = |k: Known| matches!(k, Known::Number(d) if alike(d, Dimension::NONE));
    pure(a) || pure(b) || a.told().zip(b.told()).is_some_and(|(a, b)| alike(a, b))
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
