//! Euler's linear-implicit method: one linear system a step instead of iterations, with any of the Jacobians and treatments of
//! constraints of the folder.

use super::settings::{Constraints, EulerSettings, Jacobian};

euler!(
    /// Euler's linear-implicit method.
    LinearImplicitEuler,
    "euler-linear-implicit",
    "one linear system a step, fixed steps for real time; stiff forces are no problem",
    EulerSettings::watched(Some(Jacobian::Symplectic), Constraints::Projection),
    &[
        Constraints::Index1,
        Constraints::Index2,
        Constraints::Baumgarte1,
        Constraints::Baumgarte2,
        Constraints::Projection,
        Constraints::Ggl
    ]
);
