//! How many operations a step is, from its settings and the system alone.

use super::at_work::Traits;
use super::mean::POINTS;
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
        evaluations: 2 + projections + count(&[velocities, both]) + watched(settings, system, true),
        tangents: 1 + 2 * count(&[implicit]) + count(&[velocities, both, predicted]),
        factorizations: count(&[at_start, together || implicit, both, predicted]),
        solutions: with * (1 + rounds(regularization)) + without * (1 + rounds(&[])),
    }
}

/// Those of a symplectic step: evaluations at both ends, where bodies would go by themselves, at corrections and before the second half;
/// those of expressions for means of forces count as much.
fn of_symplectic(settings: &EulerSettings, system: &System, regularization: &[f64]) -> Operations {
    let traits = Traits::of(system);
    let [reads, predicts, levels, switches] =
        [traits.reads_unknowns, traits.constrained, traits.nonholonomic, traits.switches].map(usize::from);
    let corrections = traits.corrections(settings);
    let means = switches * (2 + POINTS * (1 + corrections));
    Operations {
        evaluations: 3 + predicts * (1 + corrections) + means + watched(settings, system, false),
        tangents: 2 + 2 * reads + predicts + levels + 3 * switches,
        factorizations: 2,
        solutions: (2 + corrections) * (1 + rounds(regularization)),
    }
}

/// Powers of motions and applied forces at the end of a step, where they are watched, are as much as an evaluation.
fn watched(settings: &EulerSettings, system: &System, switching: bool) -> usize {
    usize::from(settings.limit().is_some() && !system.feeders(switching).is_empty())
}
