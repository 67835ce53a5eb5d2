//! Constraints that exclude each other. For a null vector n of Gᵀ the rows G v = −Φ_t and G a = −bias can only be met if
//!
//! ```text
//! Σ n_r Φ_t,r = 0      and      Σ n_r bias_r = 0.                                                     (1)
//! ```

use super::AssemblyError;
use super::redundancy::{Redundancy, RedundantRow, names};
use crate::math::max_abs;
use crate::system::{State, System, Work};

/// Sums this small, relative to their terms, are round-off.
const RELATIVE: f64 = 1e-7;
/// At most this many joints are named.
const NAMED: usize = 20;
/// Gaps smaller than this part of the largest are not named.
const SHARE: f64 = 0.1;

/// The first redundant row whose condition (1) fails, with the sum. `floor` is what motion itself contributes to round-off.
fn violated<'a>(redundancy: &'a Redundancy, values: &[f64], floor: f64) -> Option<(&'a RedundantRow, f64)> {
    let written = redundancy.redundant.iter().find_map(|redundant| {
        let (mut sum, mut size) = (0.0, 0.0);
        for (row, n) in &redundant.combination {
            sum += n * values[*row];
            size += (n * values[*row]).abs() + n.abs() * floor;
        }
        (sum.abs() > RELATIVE * size).then_some((redundant, sum.abs()))
    });
    written.or_else(|| {
        // Combinations that are not written out, all at once.
        let sums = redundancy.null_space().times(values);
        let size = max_abs(values) + floor;
        let unwritten = redundancy.redundant.iter().zip(&sums).filter(|(r, _)| r.combination.is_empty());
        unwritten.map(|(r, s)| (r, s.abs())).find(|(_, s)| *s > RELATIVE * size)
    })
}

/// Velocities that exclude each other.
pub(super) fn velocities(system: &System, x: &State, redundancy: &Redundancy, work: &mut Work) -> Result<(), AssemblyError> {
    if redundancy.redundant.is_empty() {
        return Ok(());
    }
    let mut still = x.clone();
    still.v.fill(0.0);
    let at = system.evaluate(&still, work);
    match violated(redundancy, at.phi_dot(), 0.0) {
        None => Ok(()),
        Some((row, mismatch)) => {
            let joints = involved(system, row, at.phi_dot());
            Err(AssemblyError::Velocities { joints, joint: row.constraint.clone(), direction: row.direction.clone(), mismatch })
        }
    }
}

/// Accelerations that exclude each other, at consistent velocities.
pub(super) fn accelerations(system: &System, x: &State, redundancy: &Redundancy, work: &mut Work) -> Result<(), AssemblyError> {
    if redundancy.redundant.is_empty() {
        return Ok(());
    }
    let mut bias = vec![0.0; system.rows()];
    let given = squared_speed(system, system.initial(), work);
    let floor = given.max(squared_speed(system, x, work));
    system.evaluate(x, work).acceleration_bias(&mut bias);
    match violated(redundancy, &bias, floor) {
        None => Ok(()),
        Some((row, mismatch)) => {
            let joints = involved(system, row, &bias);
            Err(AssemblyError::Accelerations { joints, joint: row.constraint.clone(), direction: row.direction.clone(), mismatch })
        }
    }
}

/// The size of centripetal accelerations. In a mechanism that cannot move, the velocities as given leave their round-off.
fn squared_speed(system: &System, x: &State, work: &mut Work) -> f64 {
    system.kinematics(&x.q, &x.v, work);
    work.markers.iter().fold(0.0, |m: f64, s| m.max(s.v.norm() * s.w.norm()).max(s.w.norm_squared()))
}

/// Constraints of a combination: those that ask for something first, then by their share.
fn involved(system: &System, row: &RedundantRow, values: &[f64]) -> Vec<String> {
    let asking = row.combination.iter().filter(|(r, _)| values[*r] != 0.0).map(|c| c.0);
    names(system, asking.chain(row.combination.iter().map(|c| c.0)).chain([row.row]), NAMED)
}

/// Positions that exclude each other: where |Φ| is least, the gaps themselves are a null vector of Gᵀ.
pub(super) fn positions(system: &System, gaps: &[f64]) -> AssemblyError {
    let mut rows: Vec<usize> = (0..gaps.len()).collect();
    rows.sort_by(|a, b| gaps[*b].total_cmp(&gaps[*a]));
    let widest = rows.first().map_or(0.0, |r| gaps[*r]);
    let (joint, direction) = rows.first().map_or_else(Default::default, |r| system.row_name(*r));
    let joints = names(system, rows.into_iter().filter(|r| gaps[*r] >= SHARE * widest), NAMED);
    AssemblyError::Positions { joints, joint, direction, gap: widest }
}
