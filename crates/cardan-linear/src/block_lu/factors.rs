//! The finished panels of a factorisation. First come all panels of D⁻¹ and L in the order of elimination, then those of Ũ in the opposite
//! order, so that either sweep reads what it needs and nothing else, in the order in which it lies.

use super::symbolic::{Pivot, Symbolic};

/// The panels.
#[derive(Debug)]
pub struct Factors(pub Vec<f64>);

impl Factors {
    /// Stores D⁻¹, L and Ũ of a pivot.
    #[inline(always)]
    pub fn put(&mut self, symbolic: &Symbolic, pivot: &Pivot, inverse: &[f64], lower: &[f64], upper: &[f64]) {
        let (s, w) = (pivot.size as usize, pivot.width as usize);
        let (first, second) = (pivot.start as usize, symbolic.lower_len + pivot.upper as usize);
        self.0[first..first + s * s].copy_from_slice(inverse);
        self.0[first + s * s..first + s * (s + w)].copy_from_slice(lower);
        self.0[second..second + s * w].copy_from_slice(upper);
    }
}
