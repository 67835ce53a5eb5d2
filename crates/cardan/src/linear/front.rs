//! Block LU without pivoting between blocks: the pattern of the factors is known before the numbers are.
//!
//! In the order of `ordering.rs`, with D the diagonal block of k, U its blocks to the right and L those below:
//!
//! ```text
//! Ũ = D⁻¹ U,      A_ij ← A_ij − L_i Ũ_j      for all later blocks i, j that k is coupled with      (1)
//! ```
//!
//! Inside D rows may be exchanged. Blocks of the matrix are copied when they are first needed, so that every number comes through the
//! cache once.

use super::inverse::{self, Scratch};
use super::kernels::{self, Any, Kernel, Known, with_kernel};
use super::marks::{Marks, Visit};
use super::sweeps::{Backward, Forward};
use super::symbolic::{Ends, Given, Later, Pivot, Symbolic};
use super::{BlockMatrix, Pages};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;
use std::sync::Arc;

/// The factors of a matrix, or of a part of it.
#[derive(Debug)]
pub struct Front {
    pub symbolic: Arc<Symbolic>,
    pub values: Pages,
    /// Largest size of every diagonal entry so far, in the order of elimination; zero between factorisations.
    pub peak: Vec<f64>,
    scratch: Scratch,
    poor: Poor,
    arch: Arch,
    pub marks: Marks,
}

/// Diagonal blocks whose inverses are of poor quality, to correct products with these.
#[derive(Debug)]
pub struct Poor {
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
    pub fn new(symbolic: Arc<Symbolic>) -> Self {
        Self {
            values: Pages::zeros(symbolic.len),
            peak: vec![0.0; symbolic.pivots.iter().map(|p| p.size as usize).sum()],
            scratch: Scratch::new(symbolic.largest),
            poor: Poor { is_poor: vec![false; symbolic.pivots.len()], blocks: Vec::new() },
            marks: Marks::new(symbolic.pivots.len()),
            symbolic,
            arch: Arch::new(),
        }
    }

    /// Copies those blocks of the matrix that no pivot will ask for.
    pub fn fill(&mut self, matrix: &BlockMatrix) {
        let Self { symbolic, values, .. } = self;
        let ends = symbolic.ends();
        place(&symbolic.given[ends.given as usize..], &symbolic.zeros[ends.zeros as usize..], &matrix.values, values);
    }

    /// Equation (1).
    pub fn eliminate(&mut self, matrix: &BlockMatrix) -> Result<(), LostPivot> {
        self.eliminate_those(matrix, Extent::All)
    }

    /// The same for marked pivots; the others keep their factors.
    pub fn eliminate_marked(&mut self, matrix: &BlockMatrix) -> Result<(), LostPivot> {
        self.eliminate_those(matrix, Extent::Marked)
    }

    fn eliminate_those(&mut self, matrix: &BlockMatrix, extent: Extent) -> Result<(), LostPivot> {
        let Self { symbolic, values, peak, scratch, poor, arch, marks } = self;
        let visits = (extent == Extent::Marked).then_some(&marks.visits[..]);
        let mut factorisation = Factorisation { symbolic, given: &matrix.values, values, peak, scratch, poor, visits };
        if extent == Extent::Marked {
            factorisation.clear(&marks.panels);
        }
        arch.dispatch(factorisation)
    }

    /// The first half of a solution.
    pub fn forward(&mut self, x: &mut [f64]) {
        let Self { symbolic, values, scratch, poor, arch, .. } = self;
        arch.dispatch(Forward { symbolic, values, poor, x, scratch });
    }

    /// The second half.
    pub fn backward(&mut self, x: &mut [f64]) {
        let Self { symbolic, values, scratch, arch, .. } = self;
        let upper = &values[symbolic.lower_len..];
        arch.dispatch(Backward { symbolic, upper, x, scratch });
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
    /// The pivots that have something to do, where these are not all.
    visits: Option<&'a [Visit]>,
}

/// Which pivots are eliminated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    All,
    Marked,
}

impl WithSimd for Factorisation<'_> {
    type Output = Result<(), LostPivot>;

    #[inline(always)]
    fn with_simd<V: Simd>(mut self, simd: V) -> Self::Output {
        for i in 0..self.visits.map_or(self.symbolic.eliminated, <[Visit]>::len) {
            let visit = self.visits.map_or(Visit { pivot: i as u32, skipped: 0, anew: true }, |visits| visits[i]);
            let k = visit.pivot as usize;
            let before = k.checked_sub(1).map_or(Ends::default(), |k| self.symbolic.pivots[k].ends);
            let Pivot { size, ends, .. } = self.symbolic.pivots[k];
            if self.visits.is_none() {
                self.place(range(before.given, ends.given), range(before.zeros, ends.zeros));
            }
            with_kernel!(simd, size as usize, kernel => self.visit(simd, kernel, visit, before))?;
        }
        Ok(())
    }
}

impl Factorisation<'_> {
    /// Fills these panels with the matrix, so that pivots may be subtracted again.
    fn clear(&mut self, panels: &[u32]) {
        for panel in panels.iter().map(|panel| *panel as usize) {
            let (Pivot { ordered_row, size, .. }, fill) = (self.symbolic.pivots[panel], self.symbolic.fills[panel]);
            self.place(range(fill.given.0, fill.given.1), range(fill.zeros.0, fill.zeros.1));
            self.peak[range(ordered_row, ordered_row + size)].fill(0.0);
        }
    }

    /// Copies these blocks of the matrix to their places and clears the others.
    #[inline(always)]
    fn place(&mut self, given: Range<usize>, zeros: Range<usize>) {
        place(&self.symbolic.given[given], &self.symbolic.zeros[zeros], self.given, self.values);
    }

    /// A pivot; what belongs to it in the lists starts at `before`.
    #[inline(always)]
    fn visit<V: Simd>(&mut self, simd: V, kernel: impl Kernel, visit: Visit, before: Ends) -> Result<(), LostPivot> {
        let (s, k) = (kernel.size(), visit.pivot as usize);
        let symbolic = self.symbolic;
        let pivot = &symbolic.pivots[k];
        let (w, row, start) = (pivot.width as usize, pivot.ordered_row as usize, pivot.start as usize);
        let (lower_panels, upper_panels) = self.values.split_at_mut(symbolic.lower_len);
        let (front, lower_panels) = lower_panels.split_at_mut(start + s * (s + w));
        let (diagonal, lower) = front[start..].split_at_mut(s * s);
        let (upper_panels, upper) = upper_panels.split_at_mut(pivot.upper as usize);
        let upper = &mut upper[..s * w];
        if visit.anew {
            let peak = &mut self.peak[row..row + s];
            let quality = inverse::invert(simd, s, diagonal, peak, self.scratch);
            if quality < pivot.floor {
                return Err(LostPivot { block: pivot.block as usize });
            }
            peak.fill(0.0);
            self.poor.is_poor[k] = quality < inverse::POOR;
            if self.poor.is_poor[k] {
                let block = self.poor.keep(symbolic, pivot, &self.scratch.block);
                inverse::multiply_corrected(kernel, block, diagonal, upper, &mut self.scratch.rows, &mut self.scratch.columns);
            } else {
                kernel.multiply(diagonal, upper, &mut self.scratch.rows);
            }
        }
        let update = Update { pivots: &symbolic.pivots, kernel, lower, upper, shift: start + s * (s + w) };
        let (later, offsets) = (range(before.later, pivot.ends.later), range(before.offsets, pivot.ends.offsets));
        let (later, offsets) = (&symbolic.later[later], &symbolic.offsets[offsets]);
        update.all(later, visit.skipped as usize, offsets, lower_panels, upper_panels, self.peak);
        Ok(())
    }
}

/// A part of a list.
pub fn range(from: u32, to: u32) -> Range<usize> {
    from as usize..to as usize
}

impl Poor {
    /// Whether the inverse of a pivot's block is.
    pub fn is_poor(&self, k: usize) -> bool {
        self.is_poor[k]
    }

    /// The block of such a pivot.
    pub fn block(&self, pivot: &Pivot) -> &[f64] {
        &self.blocks[pivot.square as usize..][..(pivot.size * pivot.size) as usize]
    }

    #[inline(never)]
    fn keep(&mut self, symbolic: &Symbolic, pivot: &Pivot, block: &[f64]) -> &[f64] {
        if self.blocks.is_empty() {
            // Zeros from the operating system take no memory until they are written.
            self.blocks = vec![0.0; symbolic.squares];
        }
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

/// What one pivot does to the panels of later ones.
struct Update<'a, K> {
    pivots: &'a [Pivot],
    kernel: K,
    lower: &'a [f64],
    upper: &'a [f64],
    /// Numbers before those panels of D and L.
    shift: usize,
}

impl<K: Kernel> Update<'_, K> {
    /// What pivot k does to all of its later blocks but the first few.
    #[inline(always)]
    fn all(&self, later: &[Later], skipped: usize, offsets: &[u32], lower_panels: &mut [f64], upper_panels: &mut [f64], peak: &mut [f64]) {
        let s = self.kernel.size();
        let mut row = later[..skipped].iter().map(|block| block.size as usize).sum::<usize>();
        let mut offsets = &offsets[(0..skipped).map(|k| later.len() - 1 - k).sum()..];
        for (k, block) in later.iter().enumerate().skip(skipped) {
            let target = &self.pivots[block.position as usize];
            let (others, size) = (&later[k + 1..], target.size as usize);
            let (rest, next) = offsets.split_at(others.len());
            let (diagonal, below) = lower_panels[target.start as usize - self.shift..].split_at_mut(size * size);
            inverse::raise(&mut peak[target.ordered_row as usize..][..size], diagonal);
            let [lower, upper] = [self.lower, self.upper].map(|panel| &panel[row * s..(row + size) * s]);
            self.kernel.subtract(size, lower, upper, diagonal);
            if !others.is_empty() {
                self.rows(row, size, others, rest, &mut upper_panels[target.upper as usize..]);
                self.columns(row, size, others, rest, below);
            }
            offsets = next;
            row += size;
        }
    }

    /// Ũ of a panel: as many neighbouring columns at once as there are.
    #[inline(always)]
    fn rows(&self, row: usize, size: usize, others: &[Later], offsets: &[u32], panel: &mut [f64]) {
        let s = self.kernel.size();
        let lower = &self.lower[row * s..(row + size) * s];
        let (mut from, mut k) = (row + size, 0);
        while k < others.len() {
            let (to, mut columns) = (offsets[k] as usize, 0);
            while k < others.len() && offsets[k] as usize == to + columns {
                columns += others[k].size as usize;
                k += 1;
            }
            let upper = &self.upper[from * s..(from + columns) * s];
            self.kernel.subtract(size, lower, upper, &mut panel[to * size..(to + columns) * size]);
            from += columns;
        }
    }

    /// L of a panel, whose blocks have the same offsets as those of Ũ.
    #[inline(always)]
    fn columns(&self, row: usize, size: usize, others: &[Later], offsets: &[u32], panel: &mut [f64]) {
        let s = self.kernel.size();
        let upper = &self.upper[row * s..(row + size) * s];
        let mut from = row + size;
        for (other, offset) in others.iter().zip(offsets) {
            let (m, to) = (other.size as usize, *offset as usize * size);
            let lower = &self.lower[from * s..(from + m) * s];
            self.kernel.subtract(m, lower, upper, &mut panel[to..to + m * size]);
            from += m;
        }
    }
}
