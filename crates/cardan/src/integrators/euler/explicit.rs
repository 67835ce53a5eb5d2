//! Euler's explicit method, with constraints of accelerations (equations 1 and 2 of the folder).

use super::settings::{Constraints, EulerSettings};

euler!(
    /// Euler's explicit method.
    ExplicitEuler,
    "euler-explicit",
    "explicit, fixed steps for real time; unstable where forces are stiff",
    EulerSettings::watched(None, Constraints::Projection),
    &[Constraints::Index1, Constraints::Baumgarte1, Constraints::Projection]
);
