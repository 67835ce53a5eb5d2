//! Euler's half-explicit method: only the multipliers belong to the end of the step (equations 1 and 3 of the folder).

use super::settings::{Constraints, EulerSettings};

euler!(
    /// Euler's half-explicit method.
    HalfExplicitEuler,
    "euler-half-explicit",
    "explicit but for the multipliers, fixed steps for real time; unstable where forces are stiff",
    EulerSettings::watched(None, Constraints::Ggl),
    &[Constraints::Index2, Constraints::Baumgarte2, Constraints::Ggl]
);
