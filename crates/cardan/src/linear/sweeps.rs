//! The two sweeps of a solution with the factors of `front.rs`,
//!
//! ```text
//! forward   x_k ← D⁻¹ x_k,  x_i ← x_i − L_i x_k          backward   x_k ← x_k − Σ Ũ_j x_j          (1)
//! ```
//!
//! compiled for the processor at hand.

use super::front::{Poor, range};
use super::inverse::{self, Scratch};
use super::kernels::{Any, Kernel, Known, with_kernel};
use super::symbolic::{Later, Pivot, Symbolic};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// The first half of equation (1).
pub struct Forward<'a> {
    pub symbolic: &'a Symbolic,
    pub values: &'a [f64],
    pub poor: &'a Poor,
    pub x: &'a mut [f64],
    pub scratch: &'a mut Scratch,
}

impl WithSimd for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(mut self, simd: V) {
        let mut first = 0;
        for k in 0..self.symbolic.eliminated {
            let pivot = &self.symbolic.pivots[k];
            with_kernel!(simd, pivot.size as usize, kernel => self.pivot(kernel, k, range(first, pivot.ends.later)));
            first = pivot.ends.later;
        }
    }
}

impl Forward<'_> {
    /// What pivot k does.
    #[inline(always)]
    fn pivot(&mut self, kernel: impl Kernel, k: usize, later: Range<usize>) {
        let s = kernel.size();
        let pivot = &self.symbolic.pivots[k];
        let (x, scratch) = (&mut *self.x, &mut *self.scratch);
        let (inverse, mut lower) = self.values[pivot.start as usize..][..s * (s + pivot.width as usize)].split_at(s * s);
        let own = &mut x[pivot.row as usize..][..s];
        if self.poor.is_poor(k) {
            inverse::multiply_corrected(kernel, self.poor.block(pivot), inverse, own, &mut scratch.rows, &mut scratch.columns);
        } else {
            kernel.multiply(inverse, own, &mut scratch.rows);
        }
        let known = &mut scratch.rows[..s];
        known.copy_from_slice(own);
        for later in &self.symbolic.later[later] {
            let (block, rest) = lower.split_at(later.size as usize * s);
            kernel.subtract(later.size as usize, block, known, &mut x[later.rows()]);
            lower = rest;
        }
    }
}

/// The second half.
pub struct Backward<'a> {
    pub symbolic: &'a Symbolic,
    /// The panels of Ũ.
    pub upper: &'a [f64],
    pub x: &'a mut [f64],
    pub scratch: &'a mut Scratch,
}

impl WithSimd for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(mut self, simd: V) {
        let mut left = &self.symbolic.later[..self.symbolic.ends().later as usize];
        for pivot in self.symbolic.pivots[..self.symbolic.eliminated].iter().rev() {
            let (before, later) = left.split_at(left.len() - pivot.coupled as usize);
            with_kernel!(simd, pivot.size as usize, kernel => self.pivot(kernel, pivot, later));
            left = before;
        }
    }
}

impl Backward<'_> {
    #[inline(always)]
    fn pivot(&mut self, kernel: impl Kernel, pivot: &Pivot, later: &[Later]) {
        let s = kernel.size();
        let (x, own) = (&mut *self.x, &mut self.scratch.rows[..s]);
        let mut upper = &self.upper[pivot.upper as usize..][..s * pivot.width as usize];
        own.copy_from_slice(&x[pivot.row as usize..][..s]);
        for later in later {
            let (block, rest) = upper.split_at(later.size as usize * s);
            kernel.subtract_from(later.size as usize, block, &x[later.rows()], own);
            upper = rest;
        }
        x[pivot.row as usize..][..s].copy_from_slice(own);
    }
}
