//! Attitudes in the exponential chart at the start of a step, for methods that integrate increments δ:
//!
//! ```text
//! q = q_n ⊕ δ,     δ̇ = T⁻¹(δ) v       T the identity but for the rotations of bodies in space                       (1)
//! ```
//!
//! T is singular where |δ| is a full turn, and δ can be told from two attitudes up to half a turn only. Error control therefore keeps
//! the rotations of bodies in space below [`LARGEST_TURN`] a step, whatever the method; steps of a given size are taken up to [`TOO_FAR`].

use super::StepError;
use crate::math::{Vec3, tangent_inverse};
use crate::newton::TOO_FAR;
use crate::system::System;

/// The largest rotation of a body in space over a step with error control, rad.
pub const LARGEST_TURN: f64 = 2.5;

/// Turns velocities into rates of increments, in place (1).
pub fn rates(attitudes: &[usize], delta: &[f64], v: &mut [f64]) {
    for k in attitudes {
        let rate = tangent_inverse(&vector(&delta[*k..])) * vector(&v[*k..]);
        v[*k..*k + 3].copy_from_slice(rate.as_slice());
    }
}

/// The largest angular velocity of a body in space, and where it stands among the velocities.
pub fn fastest(system: &System, v: &[f64]) -> Option<(usize, f64)> {
    let speeds = system.attitudes().map(|k| (k, vector(&v[k..]).norm()));
    speeds.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Fails where a step of size h is too long for (1).
pub fn check(system: &System, v: &[f64], h: f64) -> Result<(), StepError> {
    match fastest(system, v) {
        Some((k, speed)) if speed * h > TOO_FAR => Err(StepError::TurnsTooFar { body: system.balance_name(k).0, turn: speed * h }),
        _ => Ok(()),
    }
}

fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}
