//! Assembly: from the state as given to a consistent one,
//!
//! ```text
//! positions      Φ(q, 0) = 0               least correction in the mass metric                        (1)
//! rank           of G there                redundant rows, degrees of freedom, conflicts
//! velocities     G v + Φ_t = 0             least correction in the mass metric                        (2)
//! accelerations  M a + Gᵀλ = Q,  G a + bias = 0,   λ the smallest where it is not unique              (3)
//! ```

use super::changes::{self, Moved, VelocityChange};
use super::positions::{PATIENT, Positions, Stuck};
use super::redundancy::Redundancy;
use super::{AssemblyError, conflict, shares, singular, slender};
use crate::math::random::Random;
use crate::system::{Kkt, Reader, State, System, Work};

/// A consistent initial state and what was found on the way.
#[derive(Debug, Clone)]
pub struct Assembly {
    /// q, v, a, λ at t = 0 that satisfy equations (1) to (3).
    pub state: State,
    /// Degrees of freedom, redundant rows, regularisation.
    pub redundancy: Redundancy,
    /// The bodies that had to move.
    pub moved: Vec<Moved>,
    /// A sentence about them, where that was more than a repair of rounded coordinates.
    pub displaced: Option<String>,
    /// What became of the initial velocities, where the constraints changed any that were given.
    pub velocities: Option<VelocityChange>,
    /// Elements that read reactions which are not unique.
    pub readers: Vec<Reader>,
    /// What the user should know about the configuration, one sentence each: that it is singular, rotations without inertia, reactions
    /// that are read though they are not unique, shapes that are deep in each other.
    pub warnings: Vec<String>,
}

/// ε for projections where rows are redundant.
const FLOOR: f64 = 1e-10;
/// Larger models are tried from one start only.
const RETRY_LIMIT: usize = 3000;

/// Makes the initial state of a system consistent.
pub fn assemble(system: &System) -> Result<Assembly, AssemblyError> {
    assemble_with(system, &mut Kkt::new(system))
}

/// The same with these work arrays; the order of elimination that they are left with is one for the assembled system.
pub(crate) fn assemble_with(system: &System, kkt: &mut Kkt) -> Result<Assembly, AssemblyError> {
    let mut assembly = assemble_from(system, system.initial(), kkt)?;
    assembly.warnings.extend(system.overlaps(&assembly.state, &mut Work::new(system)));
    Ok(assembly)
}

/// The same from another state than the initial one, where shapes may rest in each other.
pub(crate) fn assemble_from(system: &System, from: &State, kkt: &mut Kkt) -> Result<Assembly, AssemblyError> {
    let mut work = Work::new(system);
    let mut x = from.clone();
    let given = Redundancy::new(system, &x, &mut work);
    let floor = if given.redundant.is_empty() { 0.0 } else { FLOOR };
    assemble_positions(system, &mut x, floor, kkt, &mut work)?;
    let redundancy = if x.q == from.q {
        given
    } else {
        kkt.forget_order();
        Redundancy::new(system, &x, &mut work)
    };
    kkt.regularization.clone_from(&redundancy.regularization);
    conflict::velocities(system, &x, &redundancy, &mut work)?;
    let failed = |quantity| move |source| AssemblyError::Solve { quantity, source };
    kkt.project_velocities(system, &mut x, &mut work).map_err(failed("velocities"))?;
    system.remember(&mut x, &mut work);
    conflict::accelerations(system, &x, &redundancy, &mut work)?;
    kkt.accelerate(system, &mut x, &mut work).map_err(failed("accelerations"))?;
    if !system.forces_feel_reactions() {
        redundancy.minimize(&mut x.lambda);
    }
    let moved = changes::movements(system, &from.q, &x.q);
    let displaced = changes::moved_far(system, &moved);
    let mut warnings: Vec<String> = singular::warning(system, &x, &redundancy, kkt, &mut work).into_iter().collect();
    warnings.extend(slender::warnings(system, &x, &mut work));
    let readers = shares::readers(system, &x, &redundancy, &mut work);
    warnings.extend(shares::warnings(&readers));
    let velocities = changes::velocities(system, &x, &mut work);
    Ok(Assembly { state: x, redundancy, moved, displaced, velocities, readers, warnings })
}

impl Assembly {
    /// Everything a run should say about its start: what was changed of what was given, and the warnings.
    pub fn remarks(&self) -> Vec<String> {
        let changes = self.displaced.iter().cloned().chain(self.velocities.iter().map(ToString::to_string));
        changes.chain(self.warnings.iter().cloned()).collect()
    }
}

/// Position assembly (1), from the configuration as given and, if that leads nowhere, from beside it.
fn assemble_positions(system: &System, x: &mut State, floor: f64, kkt: &mut Kkt, work: &mut Work) -> Result<(), AssemblyError> {
    let start = x.clone();
    let mut nearest: Option<Vec<f64>> = None;
    let attempts: &[f64] = if system.nv() > RETRY_LIMIT { &[0.0] } else { &[0.0, 1e-3, 0.1, 0.5] };
    for (seed, disturbance) in attempts.iter().enumerate() {
        x.clone_from(&start);
        disturb(system, x, *disturbance, seed as u64, work);
        match Positions::new(system, kkt, work, floor, PATIENT).project(x) {
            Ok(()) => {
                system.remember(x, work);
                return Ok(());
            }
            Err(Stuck::Failed(source)) => return Err(AssemblyError::Solve { quantity: "positions", source }),
            Err(Stuck::Apart { gaps }) => {
                let widest = crate::math::max_abs(&gaps);
                if nearest.as_ref().is_none_or(|n| widest < crate::math::max_abs(n)) {
                    nearest = Some(gaps);
                }
            }
        }
    }
    Err(conflict::positions(system, &nearest.unwrap_or_default()))
}

/// Turns and moves all bodies by random amounts, relative to a radian and the extent of the model.
fn disturb(system: &System, x: &mut State, size: f64, seed: u64, work: &mut Work) {
    if size == 0.0 {
        return;
    }
    let extent = system.extent(x, work);
    let mut random = Random::new(seed);
    let random: Vec<f64> = (0..system.nv()).map(|_| random.range(-size, size)).collect();
    let delta = system.with_lengths(&random, extent);
    let q = x.q.clone();
    system.retract(&q, &delta, &mut x.q);
    system.remember(x, work);
}
