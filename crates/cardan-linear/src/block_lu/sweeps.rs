//! The two sweeps of a solution with the factors of `numeric.rs`,
//!
//! ```text
//! forward   x_k ← D⁻¹ x_k,  x_i ← x_i − L_i x_k          backward   x_k ← x_k − Σ Ũ_j x_j          (1)
//! ```
//!
//! compiled for the processor at hand. Either goes through the stored panels from the first number to the last; what else it has to know is
//! written as short as can be, since all of it comes from memory in large systems.

use super::inverse::{self, Scratch};
use super::kernels::{Any, Kernel, Known, with_kernel};
use super::numeric::Poor;
use super::symbolic::{Later, Pivot, Symbolic};
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// The pivots in the order of elimination, and the blocks they are coupled with.
#[derive(Debug, Default)]
pub struct SolveOrder {
    stops: Vec<PivotRows>,
    links: Vec<CoupledRows>,
}

/// A pivot: its rows, and how many later blocks follow in the list of links.
#[derive(Debug, Clone, Copy)]
struct PivotRows {
    row: u32,
    size: u16,
    coupled: u16,
}

/// The rows of a later block.
#[derive(Debug, Clone, Copy)]
struct CoupledRows {
    row: u32,
    size: u16,
    /// Whether these are rows of the top, which a part has its own numbers for.
    above: bool,
}

impl SolveOrder {
    /// Through the eliminated pivots, with the rows of the matrix.
    pub fn new(symbolic: &Symbolic) -> Self {
        Self::numbered(symbolic, |pivot| pivot.row)
    }

    /// The same with rows in the order of elimination.
    pub fn ordered(symbolic: &Symbolic) -> Self {
        Self::numbered(symbolic, |pivot| pivot.ordered_row)
    }

    /// Rows of pivots that are not eliminated are counted from the first of these.
    fn numbered(symbolic: &Symbolic, row: impl Fn(&Pivot) -> u32) -> Self {
        let (pivots, others) = symbolic.pivots.split_at(symbolic.eliminated);
        let first = others.first().map_or(0, |pivot| pivot.ordered_row);
        let link = |l: &Later| {
            let (pivot, above) = (&symbolic.pivots[l.position as usize], l.position as usize >= symbolic.eliminated);
            CoupledRows { row: if above { pivot.ordered_row - first } else { row(pivot) }, size: l.size as u16, above }
        };
        Self {
            stops: pivots.iter().map(|p| PivotRows { row: row(p), size: p.size as u16, coupled: p.coupled as u16 }).collect(),
            links: symbolic.later[..symbolic.ends().later as usize].iter().map(link).collect(),
        }
    }
}

impl CoupledRows {
    fn rows(&self) -> Range<usize> {
        self.row as usize..self.row as usize + usize::from(self.size)
    }
}

/// The first half of equation (1).
pub struct Forward<'a> {
    pub symbolic: &'a Symbolic,
    pub solve_order: &'a SolveOrder,
    /// D⁻¹ and L of all pivots.
    pub lower: &'a [f64],
    pub poor: &'a Poor,
    pub x: &'a mut [f64],
    /// Rows of the top.
    pub above: &'a mut [f64],
    pub scratch: &'a mut Scratch,
}

impl WithSimd for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(mut self, simd: V) {
        let SolveOrder { stops, links } = self.solve_order;
        let mut left = &links[..];
        for (k, stop) in stops.iter().enumerate() {
            let (own, rest) = left.split_at(stop.coupled.into());
            with_kernel!(simd, stop.size.into(), kernel => self.pivot(kernel, k, stop, own));
            left = rest;
        }
    }
}

impl<'a> Forward<'a> {
    /// The next numbers.
    #[inline(always)]
    fn next(&mut self, len: usize) -> &'a [f64] {
        let (block, rest) = self.lower.split_at(len);
        self.lower = rest;
        block
    }

    /// What pivot k does.
    #[inline(always)]
    fn pivot(&mut self, kernel: impl Kernel, k: usize, stop: &PivotRows, links: &[CoupledRows]) {
        let s = kernel.size();
        let inverse = self.next(s * s);
        let (own, scratch) = (&mut self.x[stop.row as usize..][..s], &mut *self.scratch);
        if self.poor.is_poor(k) {
            let kept = self.poor.block(&self.symbolic.pivots[k]);
            inverse::multiply_corrected(kernel, kept, inverse, own, &mut scratch.rows, &mut scratch.columns);
        } else {
            kernel.multiply(inverse, own, &mut scratch.rows);
        }
        kernel.copy(own, &mut scratch.rows);
        for link in links {
            let (size, block) = (link.size.into(), self.next(usize::from(link.size) * s));
            let rows = if link.above { &mut self.above[link.rows()] } else { &mut self.x[link.rows()] };
            kernel.subtract(size, block, &self.scratch.rows[..s], rows);
        }
    }
}

/// The second half.
pub struct Backward<'a> {
    pub solve_order: &'a SolveOrder,
    /// Ũ of all pivots, from the last to the first.
    pub upper: &'a [f64],
    pub x: &'a mut [f64],
    /// Rows of the top.
    pub above: &'a [f64],
    pub scratch: &'a mut Scratch,
}

impl WithSimd for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(mut self, simd: V) {
        let SolveOrder { stops, links } = self.solve_order;
        let mut left = &links[..];
        for stop in stops.iter().rev() {
            let (before, own) = left.split_at(left.len() - usize::from(stop.coupled));
            with_kernel!(simd, stop.size.into(), kernel => self.pivot(kernel, stop, own));
            left = before;
        }
    }
}

impl Backward<'_> {
    #[inline(always)]
    fn pivot(&mut self, kernel: impl Kernel, stop: &PivotRows, links: &[CoupledRows]) {
        let s = kernel.size();
        let (x, own) = (&mut *self.x, &mut self.scratch.rows[..s]);
        kernel.copy(&x[stop.row as usize..][..s], own);
        for link in links {
            let (block, rest) = self.upper.split_at(usize::from(link.size) * s);
            let rows = if link.above { &self.above[link.rows()] } else { &x[link.rows()] };
            kernel.subtract_from(link.size.into(), block, rows, own);
            self.upper = rest;
        }
        kernel.copy(own, &mut x[stop.row as usize..][..s]);
    }
}
