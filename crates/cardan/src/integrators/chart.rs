//! Attitudes in the exponential chart at the start of a step, for methods that integrate increments δ:
//!
//! ```text
//! q = q_n ⊕ δ,     δ̇ = T⁻¹(δ) v       T the identity but for the rotations of bodies in space                       (1)
//! ```

use crate::bodies::Kind;
use crate::math::{Vec3, tangent_inverse};
use crate::system::System;

/// Where the rotation velocities of attitudes start.
pub fn attitudes(system: &System) -> Vec<usize> {
    system.bodies().iter().filter(|b| b.shape.columns().len() == 6).map(|b| b.v0 + 3).collect()
}

/// Turns velocities into rates of increments, in place (1).
pub fn rates(attitudes: &[usize], delta: &[f64], v: &mut [f64]) {
    for k in attitudes {
        let rate = tangent_inverse(&vector(&delta[*k..])) * vector(&v[*k..]);
        v[*k..*k + 3].copy_from_slice(rate.as_slice());
    }
}

fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}
