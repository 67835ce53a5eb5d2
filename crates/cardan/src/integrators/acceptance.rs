//! Whether a step may be taken at all, whatever its error estimate says: all numbers are finite, and no constraint is grossly violated,
//!
//! ```text
//! |Φ_r| ≤ g Σ_k |G_rk| ℓ_k,     |Φ̇_r| ≤ g Σ_k |G_rk| Y_k                                                            (1)
//! ```
//!
//! with ℓ the lengths of the bodies (1 for rotations) and Y their largest velocities so far, but at least a tenth of the mechanism's speed.
//! Index-3 methods violate the velocity constraints by the square of the step or so, a hundredth of (1); beside a singular configuration
//! positions may satisfy their constraints while velocities tear the mechanism apart. Right after a start from rest no velocities are known
//! yet: what accelerations make of them over the first step, by which starts shift them, is none of that.

use super::advance::Site;
use super::{Iterations, StepError};
use crate::constraints::Level;
use crate::math::largest;

/// g.
const GROSS: f64 = 0.1;
/// Violations below this part of speeds and lengths, or near round-off, are not looked at row by row.
const SUSPICIOUS: f64 = 2e-2;
const ROUND_OFF: f64 = 1e-8;
/// So many steps after a start its shift of velocities is remembered.
const FRESH: usize = 10;
/// The smallest Y, as a part of the mechanism's speed.
const SLOW: f64 = 0.1;

/// Fails where the attempted step must not be taken.
pub fn check(site: &mut Site) -> Result<(), StepError> {
    let Site { system, options, next, work, speeds, violation, .. } = site;
    let x = &next.x;
    if !(x.is_finite() && violation.0.is_finite() && violation.1.is_finite()) {
        let fault = system.find_non_finite(x, work).unwrap_or_else(|| "the motion is not finite".into());
        return Err(StepError::NotFinite { fault });
    }
    let scale = speeds.smallest_scale(&x.v);
    let within = |violation: f64, scale: f64| violation <= (SUSPICIOUS * scale).max(ROUND_OFF);
    if (within(violation.0, scale[0]) && within(violation.1, scale[1])) || options.iterations != Iterations::Converged {
        return Ok(());
    }
    let shift = if site.since_start.0 < FRESH { site.since_start.1 * largest(&site.next.x.a) } else { 0.0 };
    if within(site.violation.0, scale[0]) && site.violation.1 <= shift {
        return Ok(());
    }
    row_by_row(site)
}

/// Equation (1) of every row.
fn row_by_row(site: &mut Site) -> Result<(), StepError> {
    let Site { system, next, work, speeds, .. } = site;
    let x = &next.x;
    let at = system.evaluate(x, work);
    let (phi, phi_dot) = (at.phi().to_vec(), at.phi_dot().to_vec());
    let (lengths, mut rates) = (speeds.lengths_of_columns(), vec![0.0; system.nv()]);
    speeds.weigh(SLOW, &x.v, &mut rates);
    let rows = system.gradient(x, work);
    let mut worst: Option<(usize, f64)> = None;
    for (row, entries) in rows.rows.iter().enumerate() {
        let (mut length, mut speed) = (0.0, 0.0);
        for (block, g) in entries {
            for (k, g) in system.block_velocities(*block).zip(g) {
                length += g.abs() * lengths[k];
                speed += g.abs() / rates[k];
            }
        }
        let position = if system.levels()[row] == Level::Position { phi[row].abs() / length } else { 0.0 };
        let share = position.max(phi_dot[row].abs() / speed);
        if share > GROSS && worst.is_none_or(|(_, most)| share > most) {
            worst = Some((row, share));
        }
    }
    let Some((row, _)) = worst else { return Ok(()) };
    let (element, direction) = system.row_name(row);
    Err(StepError::Violated { element, direction, position: phi[row], velocity: phi_dot[row] })
}
