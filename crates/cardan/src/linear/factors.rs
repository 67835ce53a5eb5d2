//! The finished panels of a factorisation, in double or in single precision.
//!
//! Solutions with the factors of large matrices take as long as these take to come from the memory. Newton's method does well with rough
//! solutions, since the next iteration mends them: there single precision, seven digits, halves what is read. What is computed is
//! computed in double precision in either case.
//!
//! First come all panels of D⁻¹ and L in the order of elimination, then those of Ũ in the opposite order, so that either sweep reads
//! what it needs and nothing else, in the order in which it lies.

use super::Pages;
use super::symbolic::{Pivot, Symbolic};
use std::ops::Range;

/// How factors are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    Double,
    Single,
}

/// The panels.
#[derive(Debug)]
pub enum Factors {
    Double(Pages<f64>),
    Single(Pages<f32>),
}

impl Factors {
    /// Makes room for so many numbers.
    pub fn new(len: usize, precision: Precision) -> Self {
        match precision {
            Precision::Double => Self::Double(Pages::zeros(len)),
            Precision::Single => Self::Single(Pages::zeros(len)),
        }
    }

    /// How they are stored.
    pub fn precision(&self) -> Precision {
        match self {
            Self::Double(_) => Precision::Double,
            Self::Single(_) => Precision::Single,
        }
    }

    /// Stores D⁻¹, L and Ũ of a pivot.
    #[inline(always)]
    pub fn put(&mut self, symbolic: &Symbolic, pivot: &Pivot, inverse: &[f64], lower: &[f64], upper: &[f64]) {
        let places = places(symbolic, pivot);
        for (place, from) in places.into_iter().zip([inverse, lower, upper]) {
            match self {
                Self::Double(values) => values[place].copy_from_slice(from),
                Self::Single(values) => values[place].iter_mut().zip(from).for_each(|(to, from)| *to = *from as f32),
            }
        }
    }

    /// A panel as it was stored: D⁻¹, L, Ũ.
    pub fn get(&self, symbolic: &Symbolic, pivot: &Pivot, mut panel: &mut [f64]) {
        for place in places(symbolic, pivot) {
            let (to, rest) = panel.split_at_mut(place.len());
            match self {
                Self::Double(values) => to.copy_from_slice(&values[place]),
                Self::Single(values) => to.iter_mut().zip(&values[place]).for_each(|(to, from)| *to = f64::from(*from)),
            }
            panel = rest;
        }
    }
}

/// Where D⁻¹, L and Ũ of a pivot are.
#[inline(always)]
fn places(symbolic: &Symbolic, pivot: &Pivot) -> [Range<usize>; 3] {
    let (s, w) = (pivot.size as usize, pivot.width as usize);
    let (inverse, upper) = (pivot.start as usize, symbolic.lower_len + pivot.upper as usize);
    let lower = inverse + s * s;
    [inverse..lower, lower..lower + s * w, upper..upper + s * w]
}
