//! Whether rough factors will do.
//!
//! Factors of large Newton matrices are stored in single precision. A correction Δ found with them misses the exact one by e, and Newton's
//! method contracts at least by
//!
//! ```text
//! ρ = ‖e‖ / ‖Δ‖,      e ≈ the solution for what Δ leaves of the right-hand side                                 (1)
//! ```
//!
//! whatever the Jacobian. That is a hundred-thousandth where a model is scaled as usual, and goes unnoticed. Where masses or stiffnesses are many
//! orders of magnitude apart it is not: factors are stored in double precision from then on.

use crate::math::{max_abs, weighted_rms};

/// Largest ρ: below the contraction of Jacobians that are kept for some steps.
const ROUGHEST: f64 = 1e-2;
/// It is measured with the first factorisation, and again when there were twice as many, but so many later at least
const TRUST: usize = 16;
/// and so many at most.
const LONGEST: usize = 256;

/// What is known of rough factors.
#[derive(Debug, Default)]
pub struct Rough {
    /// How many factorisations there were when they were looked at last.
    looked: Option<usize>,
}

impl Rough {
    /// Whether it is time to look at them, after so many factorisations.
    pub fn is_due(&mut self, factorisations: usize) -> bool {
        let due = self.looked.is_none_or(|looked| factorisations >= looked + looked.clamp(TRUST, LONGEST));
        if due {
            self.looked = Some(factorisations);
        }
        due
    }
}

/// Whether corrections of u and λ that miss this much are good enough (equation 1).
pub fn will_do(missing: &[f64], correction: &[f64], weights: &[f64]) -> bool {
    let (u, others) = (weights.len(), weights.len()..);
    weighted_rms(&missing[..u], weights) <= ROUGHEST * weighted_rms(&correction[..u], weights)
        && max_abs(&missing[others.clone()]) <= ROUGHEST * max_abs(&correction[others])
}
