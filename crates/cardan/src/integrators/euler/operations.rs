//! How many operations a step is, from its settings and the system alone.

use super::at_work::Traits;
use super::settings::{Constraints, EulerSettings, Jacobian, ProjectionMatrix};
use super::solver::rounds;
use crate::integrators::Operations;
use crate::system::System;

/// The operations of a step; `regularization` is that of the assembly.
pub(super) fn of(settings: &EulerSettings, system: &System, regularization: &[f64]) -> Operations {
    if settings.jacobian == Some(Jacobian::Symplectic) {
        return of_symplectic(settings, system, regularization);
    }
    let constrained = system.rows() > 0;
    let implicit = settings.jacobian.is_some();
    let velocities = settings.constraints.of_velocities() && constrained;
    let both = settings.constraints == Constraints::Projection && constrained;
    let projections = if settings.constraints.projects() && constrained { settings.projections } else { 0 };
    let predicted = projections > 0 && settings.projection_matrix == ProjectionMatrix::Predicted;
    // Whether the multipliers are found with the accelerations or velocities.
    let together = velocities || (settings.jacobian == Some(Jacobian::Exact) && constrained);
    let at_start = if together { projections > 0 && !predicted } else { constrained || !implicit };
    let count = |parts: &[bool]| parts.iter().filter(|part| **part).count();
    // Systems with the constraints, and the implicit one without.
    let (with, without) = (count(&[at_start && !together, together, both]) + projections, count(&[implicit && !together]));
    Operations {
        evaluations: 2 + projections + count(&[velocities, both]),
        tangents: 1 + 2 * count(&[implicit]) + count(&[velocities, both, predicted]),
        factorizations: count(&[at_start, together || implicit, both, predicted]),
        solutions: with * (1 + rounds(regularization)) + without * (1 + rounds(&[])),
    }
}

/// Those of a symplectic step: evaluations at both ends, where bodies would go by themselves, at corrections and before velocities settle.
fn of_symplectic(settings: &EulerSettings, system: &System, regularization: &[f64]) -> Operations {
    let Traits { reads_unknowns, constrained, settles, .. } = Traits::of(system);
    let [reads, predicts, settles] = [reads_unknowns, constrained, settles].map(usize::from);
    let corrections = predicts * settings.projections;
    Operations {
        evaluations: 2 + predicts + corrections + settles,
        tangents: 1 + reads + predicts + settles,
        factorizations: 1 + settles,
        solutions: (1 + corrections + settles) * (1 + rounds(regularization)),
    }
}
