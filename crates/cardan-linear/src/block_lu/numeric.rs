//! Block LU without pivoting between blocks: the pattern of the factors is known before the numbers are.
//!
//! In the order of `ordering.rs`, with D the diagonal block of k, U its blocks to the right and L those below:
//!
//! ```text
//! Ũ = D⁻¹ U,      A_ij ← A_ij − L_i Ũ_j      for all later blocks i, j that k is coupled with      (1)
//! ```
//!
//! Inside D rows may be exchanged. Blocks of the matrix are copied to a working memory when they are first needed (`filling.rs`), and
//! finished panels are stored (`factors.rs`), so that every number comes through the cache once.

use super::factors::Factors;
use super::filling::Fill;
use super::inverse::{self, Scratch};
use super::kernels::{self, Any, Kernel, Known, with_kernel};
use super::sweeps::{Backward, Forward, SolveOrder};
use super::symbolic::{Ends, Later, Pivot, Symbolic};
use crate::BlockMatrix;
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;
use std::sync::Arc;

/// The numeric factorisation of a matrix, or of a part of it.
#[derive(Debug)]
pub struct Numeric {
    pub symbolic: Arc<Symbolic>,
    /// The working memory.
    pub panels: Vec<f64>,
    factors: Factors,
    scratch: Scratch,
    poor: Poor,
    arch: Arch,
}

/// Diagonal blocks whose inverses are of poor quality: the blocks themselves, to correct products with these.
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

impl Numeric {
    /// Makes room.
    pub fn new(symbolic: Arc<Symbolic>) -> Self {
        Self {
            panels: vec![0.0; symbolic.filling.len],
            factors: Factors(vec![0.0; symbolic.len]),
            scratch: Scratch::new(symbolic.largest),
            poor: Poor { is_poor: vec![false; symbolic.pivots.len()], blocks: Vec::new() },
            symbolic,
            arch: Arch::new(),
        }
    }

    /// Takes over the memory of another one.
    pub fn with_memory_of(mut self, other: Self) -> Self {
        for (own, given) in [(&mut self.panels, other.panels), (&mut self.factors.0, other.factors.0)] {
            let len = own.len();
            *own = given;
            own.resize(len, 0.0);
        }
        self
    }

    /// Fills those panels that no pivot will ask for.
    pub fn fill(&mut self, matrix: &BlockMatrix) {
        let (ends, filling) = (self.symbolic.ends(), &self.symbolic.filling);
        let (given, zeros) = ((ends.given, filling.given.len() as u32), (ends.zeros, filling.zeros.len() as u32));
        self.factorisation(matrix).fill(Fill { given, zeros });
    }

    /// Equation (1).
    pub fn eliminate(&mut self, matrix: &BlockMatrix) -> Result<(), LostPivot> {
        let arch = self.arch;
        arch.dispatch(self.factorisation(matrix))
    }

    fn factorisation<'a>(&'a mut self, matrix: &'a BlockMatrix) -> Factorisation<'a> {
        let Self { symbolic, panels, factors, scratch, poor, .. } = self;
        Factorisation { symbolic, given: &matrix.values, panels, factors, scratch, poor }
    }

    /// The first half of a solution; x has the rows of the matrix, or those of another solve_order.
    pub fn forward(&mut self, other: Option<&SolveOrder>, x: &mut [f64], above: &mut [f64]) {
        let Self { symbolic, factors, scratch, poor, arch, .. } = self;
        let solve_order = other.unwrap_or(&symbolic.solve_order);
        arch.dispatch(Forward { symbolic, solve_order, lower: &factors.0, poor, x, above, scratch });
    }

    /// The second half.
    pub fn backward(&mut self, other: Option<&SolveOrder>, x: &mut [f64], above: &[f64]) {
        let Self { symbolic, factors, scratch, arch, .. } = self;
        let (first, solve_order) = (symbolic.first_upper(), other.unwrap_or(&symbolic.solve_order));
        arch.dispatch(Backward { solve_order, upper: &factors.0[first..], x, above, scratch });
    }
}

/// Equation (1), compiled for the processor at hand.
struct Factorisation<'a> {
    symbolic: &'a Symbolic,
    given: &'a [f64],
    panels: &'a mut [f64],
    factors: &'a mut Factors,
    scratch: &'a mut Scratch,
    poor: &'a mut Poor,
}

impl WithSimd for Factorisation<'_> {
    type Output = Result<(), LostPivot>;

    #[inline(always)]
    fn with_simd<V: Simd>(mut self, simd: V) -> Self::Output {
        let mut before = Ends::default();
        for (k, pivot) in self.symbolic.eliminated_pivots().iter().enumerate() {
            self.fill(Fill { given: (before.given, pivot.ends.given), zeros: (before.zeros, pivot.ends.zeros) });
            with_kernel!(simd, pivot.size as usize, kernel => self.eliminate(simd, kernel, k, before))?;
            before = pivot.ends;
        }
        Ok(())
    }
}

impl Factorisation<'_> {
    /// Fills panels with blocks of the matrix and, where there are none, zeros.
    #[inline(always)]
    fn fill(&mut self, fill: Fill) {
        let filling = &self.symbolic.filling;
        for block in &filling.given[range(fill.given.0, fill.given.1)] {
            let (from, to, len) = (block.from as usize, block.to as usize, block.len());
            kernels::copy(block.rows.into(), &self.given[from..from + len], &mut self.panels[to..to + len]);
        }
        for (to, len) in &filling.zeros[range(fill.zeros.0, fill.zeros.1)] {
            self.panels[range(*to, *to + *len)].fill(0.0);
        }
    }

    /// Pivot k; what belongs to it in the lists starts at `before`.
    #[inline(always)]
    fn eliminate<V: Simd>(&mut self, simd: V, kernel: impl Kernel, k: usize, before: Ends) -> Result<(), LostPivot> {
        let symbolic = self.symbolic;
        let pivot = &symbolic.pivots[k];
        let (later, offsets) = (range(before.later, pivot.ends.later), range(before.offsets, pivot.ends.offsets));
        let couplings = Couplings { later: &symbolic.later[later], offsets: &symbolic.offsets[offsets] };
        let (s, w) = (kernel.size(), pivot.width as usize);
        let (numeric, behind) = self.panels.split_at_mut(pivot.panel as usize);
        let (panel, behind) = behind.split_at_mut(pivot.len());
        let (diagonal, beside) = panel.split_at_mut(s * s);
        let (lower, upper) = beside.split_at_mut(s * w);
        let (upper, peak) = upper.split_at_mut(s * w);
        let quality = inverse::invert(simd, s, diagonal, peak, self.scratch);
        if quality < pivot.floor {
            return Err(LostPivot { block: pivot.block as usize });
        }
        let is_poor = quality < inverse::POOR;
        self.poor.is_poor[k] = is_poor;
        if is_poor {
            let block = self.poor.keep(symbolic, pivot, &self.scratch.block);
            inverse::multiply_corrected(kernel, block, diagonal, upper, &mut self.scratch.rows, &mut self.scratch.columns);
        } else {
            kernel.multiply(diagonal, upper, &mut self.scratch.rows);
        }
        let shift = numeric.len() + s * (s + 2 * w + 1);
        Update { kernel, lower, upper, panels: [numeric, behind], shift }.all(couplings);
        self.factors.put(symbolic, pivot, diagonal, lower, upper);
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

/// What a pivot is coupled with.
#[derive(Clone, Copy)]
struct Couplings<'a> {
    later: &'a [Later],
    offsets: &'a [u32],
}

/// What one pivot does to the panels of later ones.
struct Update<'a, K> {
    kernel: K,
    lower: &'a [f64],
    upper: &'a [f64],
    /// The working memory in numeric of the pivot's own panel and behind it, and where the latter starts.
    panels: [&'a mut [f64]; 2],
    shift: usize,
}

impl<K: Kernel> Update<'_, K> {
    #[inline(always)]
    fn all(&mut self, Couplings { later, mut offsets }: Couplings) {
        let (s, mut row) = (self.kernel.size(), 0);
        let [numeric, behind] = &mut self.panels;
        let products = Products { kernel: self.kernel, lower: self.lower, upper: self.upper };
        for (k, block) in later.iter().enumerate() {
            let (others, size, range) = (&later[k + 1..], block.size as usize, block.range());
            let (rest, next) = offsets.split_at(others.len());
            let panel = if range.end <= numeric.len() {
                &mut numeric[range]
            } else {
                &mut behind[range.start - self.shift..range.end - self.shift]
            };
            let (diagonal, beside) = panel.split_at_mut(size * size);
            let (below, right) = beside.split_at_mut(size * block.width as usize);
            let (right, peak) = right.split_at_mut(size * block.width as usize);
            inverse::raise(peak, diagonal);
            let [lower, upper] = [self.lower, self.upper].map(|panel| &panel[row * s..(row + size) * s]);
            self.kernel.subtract(size, lower, upper, diagonal);
            if !others.is_empty() {
                products.rows(row, size, others, rest, right);
                products.columns(row, size, others, rest, below);
            }
            offsets = next;
            row += size;
        }
    }
}

/// L_i and Ũ_j of a pivot.
struct Products<'a, K> {
    kernel: K,
    lower: &'a [f64],
    upper: &'a [f64],
}

impl<K: Kernel> Products<'_, K> {
    /// U of a panel: as many neighbouring columns at once as there are.
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

    /// L of a panel, whose blocks have the same offsets as those of U.
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
