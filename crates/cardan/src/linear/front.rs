//! Block LU without pivoting between blocks: the pattern of the factors is known before the numbers are.
//!
//! In the order of `ordering.rs`, with D the diagonal block of k, U its blocks to the right and L those below:
//!
//! ```text
//! Ũ = D⁻¹ U,      A_ij ← A_ij − L_i Ũ_j      for all later blocks i, j that k is coupled with      (1)
//! forward   x_k ← D⁻¹ x_k,  x_i ← x_i − L_i x_k          backward   x_k ← x_k − Σ Ũ_j x_j          (2)
//! ```
//!
//! Inside D rows may be exchanged. Blocks of the matrix are copied when they are first needed, so that every number comes through the
//! cache once.

use super::inverse::{self, Scratch};
use super::symbolic::{Ends, Given, Later, Pivot, Symbolic};
use super::{BlockMatrix, kernels};
use pulp::{Arch, Simd, WithSimd};

/// The factors of a matrix, or of a part of it.
#[derive(Debug)]
pub struct Front {
    pub symbolic: Symbolic,
    pub values: Vec<f64>,
    /// Largest size of every diagonal entry so far, in the order of elimination; zero between factorisations.
    pub peak: Vec<f64>,
    scratch: Scratch,
    poor: Poor,
    arch: Arch,
}

/// Diagonal blocks whose inverses are of poor quality, to correct products with these.
#[derive(Debug)]
struct Poor {
    is_poor: Vec<bool>,
    /// Empty until the first is needed.
    blocks: Vec<f64>,
}

/// A block without usable pivots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostPivot {
    pub block: usize,
}

impl Front {
    /// Makes room.
    pub fn new(symbolic: Symbolic) -> Self {
        Self {
            values: vec![0.0; symbolic.len],
            peak: vec![0.0; symbolic.pivots.iter().map(|p| p.size as usize).sum()],
            scratch: Scratch::new(symbolic.largest),
            poor: Poor { is_poor: vec![false; symbolic.pivots.len()], blocks: Vec::new() },
            symbolic,
            arch: Arch::new(),
        }
    }

    /// Copies those blocks of the matrix that no pivot will ask for.
    pub fn fill(&mut self, matrix: &BlockMatrix) {
        let Self { symbolic, values, .. } = self;
        let ends = symbolic.ends();
        place(&symbolic.given[ends.given..], &symbolic.zeros[ends.zeros..], &matrix.values, values);
    }

    /// Equation (1).
    pub fn eliminate(&mut self, matrix: &BlockMatrix) -> Result<(), LostPivot> {
        let Self { symbolic, values, peak, scratch, poor, arch } = self;
        arch.dispatch(Factorisation { symbolic, given: &matrix.values, values, peak, scratch, poor })
    }

    /// The first half of equation (2).
    pub fn forward(&mut self, x: &mut [f64]) {
        let Self { symbolic, values, scratch, poor, arch, .. } = self;
        arch.dispatch(Forward { symbolic, values, poor, x, scratch });
    }

    /// The second half of equation (2).
    pub fn backward(&mut self, x: &mut [f64]) {
        let Self { symbolic, values, scratch, arch, .. } = self;
        arch.dispatch(Backward { symbolic, values, x, scratch });
    }
}

/// Equation (1), compiled for the processor at hand.
struct Factorisation<'a> {
    symbolic: &'a Symbolic,
    given: &'a [f64],
    values: &'a mut [f64],
    peak: &'a mut [f64],
    scratch: &'a mut Scratch,
    poor: &'a mut Poor,
}

impl WithSimd for Factorisation<'_> {
    type Output = Result<(), LostPivot>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let symbolic = self.symbolic;
        let mut before = Ends::default();
        for (k, pivot) in symbolic.pivots[..symbolic.eliminated].iter().enumerate() {
            let (given, zeros) = (before.given..pivot.ends.given, before.zeros..pivot.ends.zeros);
            place(&symbolic.given[given], &symbolic.zeros[zeros], self.given, self.values);
            let (s, w, row) = (pivot.size as usize, pivot.width as usize, pivot.ordered_row as usize);
            let (front, behind) = self.values.split_at_mut(pivot.start as usize + s * (s + 2 * w));
            let (diagonal, panels) = front[pivot.start as usize..].split_at_mut(s * s);
            let peak = &mut self.peak[row..row + s];
            let quality = inverse::invert(s, diagonal, peak, self.scratch);
            if quality < pivot.floor {
                return Err(LostPivot { block: pivot.block as usize });
            }
            peak.fill(0.0);
            let (upper, lower) = panels.split_at_mut(s * w);
            self.poor.is_poor[k] = quality < inverse::POOR;
            if self.poor.is_poor[k] {
                let block = self.poor.keep(symbolic, pivot, &self.scratch.block);
                inverse::multiply_corrected(s, block, diagonal, upper, self.scratch);
            } else {
                kernels::multiply_in_place(s, diagonal, upper, &mut self.scratch.rows);
            }
            let shift = pivot.start as usize + s * (s + 2 * w);
            let update = Update { pivots: &symbolic.pivots, s, lower, upper, shift };
            let (later, offsets) = (before.later..pivot.ends.later, before.offsets..pivot.ends.offsets);
            update.all(&symbolic.later[later], &symbolic.offsets[offsets], behind, self.peak);
            before = pivot.ends;
        }
        Ok(())
    }
}

impl Poor {
    #[inline(never)]
    fn keep(&mut self, symbolic: &Symbolic, pivot: &Pivot, block: &[f64]) -> &[f64] {
        self.blocks.resize(symbolic.squares, 0.0);
        let kept = &mut self.blocks[pivot.square as usize..][..(pivot.size * pivot.size) as usize];
        kept.copy_from_slice(&block[..kept.len()]);
        kept
    }
}

/// Copies blocks of the matrix to their places and clears the others.
#[inline(always)]
fn place(given: &[Given], zeros: &[(u32, u32)], matrix: &[f64], values: &mut [f64]) {
    for block in given {
        let (from, to, len) = (block.from as usize, block.to as usize, block.len());
        kernels::copy(block.rows.into(), &matrix[from..from + len], &mut values[to..to + len]);
    }
    for (to, len) in zeros {
        values[*to as usize..(*to + *len) as usize].fill(0.0);
    }
}

/// What one pivot does to the panels behind it.
struct Update<'a> {
    pivots: &'a [Pivot],
    s: usize,
    lower: &'a [f64],
    upper: &'a [f64],
    /// Numbers before those panels.
    shift: usize,
}

impl Update<'_> {
    #[inline(always)]
    fn all(&self, later: &[Later], mut offsets: &[u32], behind: &mut [f64], peak: &mut [f64]) {
        let mut row = 0;
        for (k, block) in later.iter().enumerate() {
            let target = &self.pivots[block.position as usize];
            let panel = &mut behind[target.start as usize - self.shift..];
            let (rest, next) = offsets.split_at(later.len() - k - 1);
            let size = target.size as usize;
            inverse::raise(&mut peak[target.ordered_row as usize..][..size], panel);
            self.rows(row, size, &later[k + 1..], rest, panel);
            self.columns(row, size, &later[k + 1..], rest, &mut panel[size * target.width as usize..]);
            offsets = next;
            row += size;
        }
    }

    /// D and Ũ of a panel: as many neighbouring columns at once as there are.
    #[inline(always)]
    fn rows(&self, row: usize, size: usize, others: &[Later], offsets: &[u32], panel: &mut [f64]) {
        let lower = &self.lower[row * self.s..(row + size) * self.s];
        let (mut from, mut to, mut columns, mut k) = (row, 0, size, 0);
        loop {
            while k < others.len() && offsets[k] as usize == to + columns {
                columns += others[k].size as usize;
                k += 1;
            }
            let upper = &self.upper[from * self.s..(from + columns) * self.s];
            kernels::subtract_product(size, self.s, lower, upper, &mut panel[to * size..(to + columns) * size]);
            if k == others.len() {
                return;
            }
            (from, to, columns) = (from + columns, offsets[k] as usize, others[k].size as usize);
            k += 1;
        }
    }

    /// L of a panel, which is given from so far on that its blocks have the same offsets as those of Ũ.
    #[inline(always)]
    fn columns(&self, row: usize, size: usize, others: &[Later], offsets: &[u32], panel: &mut [f64]) {
        let upper = &self.upper[row * self.s..(row + size) * self.s];
        let mut from = row + size;
        for (other, offset) in others.iter().zip(offsets) {
            let (m, to) = (other.size as usize, *offset as usize * size);
            let lower = &self.lower[from * self.s..(from + m) * self.s];
            kernels::subtract_product(m, self.s, lower, upper, &mut panel[to..to + m * size]);
            from += m;
        }
    }
}

/// The first half of equation (2), compiled for the processor at hand.
struct Forward<'a> {
    symbolic: &'a Symbolic,
    values: &'a [f64],
    poor: &'a Poor,
    x: &'a mut [f64],
    scratch: &'a mut Scratch,
}

impl WithSimd for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut first = 0;
        for (k, pivot) in self.symbolic.pivots[..self.symbolic.eliminated].iter().enumerate() {
            let (s, w, row) = (pivot.size as usize, pivot.width as usize, pivot.row as usize);
            let panel = &self.values[pivot.start as usize..][..s * (s + 2 * w)];
            if self.poor.is_poor[k] {
                let block = &self.poor.blocks[pivot.square as usize..];
                inverse::multiply_corrected(s, block, &panel[..s * s], &mut self.x[row..row + s], self.scratch);
            } else {
                kernels::multiply_in_place(s, &panel[..s * s], &mut self.x[row..row + s], &mut self.scratch.rows);
            }
            let own = &mut self.scratch.rows[..s];
            own.copy_from_slice(&self.x[row..row + s]);
            let mut from = s * (s + w);
            for later in &self.symbolic.later[first..pivot.ends.later] {
                let (m, to) = (later.size as usize, later.row as usize);
                kernels::subtract_product(m, s, &panel[from..from + m * s], own, &mut self.x[to..to + m]);
                from += m * s;
            }
            first = pivot.ends.later;
        }
    }
}

/// The second half.
struct Backward<'a> {
    symbolic: &'a Symbolic,
    values: &'a [f64],
    x: &'a mut [f64],
    scratch: &'a mut Scratch,
}

impl WithSimd for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mut last = self.symbolic.ends().later;
        for (k, pivot) in self.symbolic.pivots[..self.symbolic.eliminated].iter().enumerate().rev() {
            let (s, row) = (pivot.size as usize, pivot.row as usize);
            let first = k.checked_sub(1).map_or(0, |before| self.symbolic.pivots[before].ends.later);
            let own = &mut self.scratch.rows[..s];
            own.copy_from_slice(&self.x[row..row + s]);
            let mut from = pivot.start as usize + s * s;
            for later in &self.symbolic.later[first..last] {
                let (m, at) = (later.size as usize, later.row as usize);
                kernels::subtract_product(s, m, &self.values[from..from + m * s], &self.x[at..at + m], own);
                from += m * s;
            }
            self.x[row..row + s].copy_from_slice(own);
            last = first;
        }
    }
}
