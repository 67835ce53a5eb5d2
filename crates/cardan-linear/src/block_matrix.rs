//! Block-sparse square matrices. Blocks are dense and column-major.

use crate::block_lu::kernels::{self, by_size};
use crate::norms::max_abs;
use crate::pattern::{Block, BlockPattern, Slot};
use std::ops::Range;
use std::sync::Arc;

/// A matrix with a fixed block pattern.
#[derive(Debug, Clone)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    /// Values, block after block.
    pub values: Vec<f64>,
}

impl BlockMatrix {
    /// The zero matrix.
    pub fn new(pattern: Arc<BlockPattern>) -> Self {
        let values = vec![0.0; pattern.len()];
        Self { pattern, values }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// Becomes a matrix of another pattern, in the same memory. Values stay where they are; those behind are zero.
    pub fn take_pattern(&mut self, pattern: Arc<BlockPattern>) {
        self.values.truncate(self.pattern.len().min(pattern.len()));
        self.values.resize(pattern.len(), 0.0);
        self.pattern = pattern;
    }

    /// Sets all values to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// The values of a block.
    #[inline]
    pub fn block(&mut self, slot: Slot) -> &mut [f64] {
        &mut self.values[slot.range()]
    }

    /// out = b − A x.
    pub fn residual(&self, x: &[f64], b: &[f64], out: &mut [f64]) {
        out.copy_from_slice(b);
        self.subtract_product(x, out);
    }

    /// out = A x.
    pub fn times(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.subtract_product(x, out);
        out.iter_mut().for_each(|y| *y = -*y);
    }

    /// out −= A x.
    fn subtract_product(&self, x: &[f64], out: &mut [f64]) {
        for block in self.pattern.blocks() {
            let (values, rows, columns) = self.placed(block);
            let (x, out) = (&x[columns], &mut out[rows]);
            by_size!(out.len(), subtract_sized(values, x, out), kernels::subtract_product(out.len(), x.len(), values, x, out));
        }
    }

    /// r = b − A x, and the largest |r_i| / (|b_i| + Σ |A_ij| |x_j|): the relative change of the matrix and of the right-hand side that makes x
    /// exact. All x_j of a block count as much as its largest, or as a little of the largest of all; smaller ones may be nothing but
    /// round-off. `sizes` is overwritten.
    pub fn residual_and_error(&self, x: &[f64], b: &[f64], r: &mut [f64], sizes: &mut [f64]) -> f64 {
        let least = 1e-6 * max_abs(x);
        r.copy_from_slice(b);
        sizes.iter_mut().zip(b).for_each(|(s, b)| *s = b.abs());
        for block in self.pattern.blocks() {
            let (values, rows, columns) = self.placed(block);
            let x = &x[columns];
            let size = x.iter().fold(least, |m, x| if x.abs() > m { x.abs() } else { m });
            let (r, sizes) = (&mut r[rows.clone()], &mut sizes[rows]);
            by_size!(r.len(), subtract_measured_sized(values, x, size, r, sizes), {
                kernels::subtract_product(r.len(), x.len(), values, x, r);
                add_sizes(values, size, sizes);
            });
        }
        let relative = r.iter().zip(sizes.iter()).map(|(r, s)| if *r == 0.0 { 0.0 } else { r.abs() / s });
        relative.fold(0.0, |m, e| if e <= m { m } else { e })
    }

    /// Values, rows and columns of a block.
    #[inline(always)]
    fn placed(&self, block: &Block) -> (&[f64], Range<usize>, Range<usize>) {
        let (rows, columns) = (self.pattern.rows(block.row), self.pattern.rows(block.column));
        (&self.values[block.start..block.start + rows.len() * columns.len()], rows, columns)
    }

    /// Leaves nothing in these block rows and columns but ones on the diagonal, so that the others stand alone.
    pub fn take_out(&mut self, rows: Range<usize>) {
        let Self { pattern: p, values } = self;
        for block in p.blocks().filter(|b| rows.contains(&b.row) || rows.contains(&b.column)) {
            let n = p.size(block.row);
            let values = &mut values[block.start..][..n * p.size(block.column)];
            values.fill(0.0);
            if block.row == block.column {
                (0..n).for_each(|k| values[k * (n + 1)] = 1.0);
            }
        }
    }

    /// The matrix as a dense column-major array.
    pub fn to_dense(&self, out: &mut [f64]) {
        let n = self.pattern.dimension();
        out.fill(0.0);
        for block in self.pattern.blocks() {
            let (values, rows, columns) = self.placed(block);
            for (column, values) in columns.zip(values.chunks_exact(rows.len())) {
                out[column * n..][rows.clone()].copy_from_slice(values);
            }
        }
    }
}

/// y ← y − A x with a block of R rows.
#[inline(always)]
fn subtract_sized<const R: usize>(block: &[f64], x: &[f64], y: &mut [f64]) {
    let Some(y) = y.first_chunk_mut::<R>() else { return };
    let mut sum = *y;
    for (column, x) in block.as_chunks::<R>().0.iter().zip(x) {
        (0..R).for_each(|i| sum[i] -= column[i] * x);
    }
    *y = sum;
}

/// The same, and s_i ← s_i + Σ_j |A_ij| size.
#[inline(always)]
fn subtract_measured_sized<const R: usize>(block: &[f64], x: &[f64], size: f64, y: &mut [f64], s: &mut [f64]) {
    let (Some(y), Some(s)) = (y.first_chunk_mut::<R>(), s.first_chunk_mut::<R>()) else { return };
    let (mut sum, mut sizes) = (*y, [0.0; R]);
    for (column, x) in block.as_chunks::<R>().0.iter().zip(x) {
        for i in 0..R {
            sum[i] -= column[i] * x;
            sizes[i] += column[i].abs();
        }
    }
    *y = sum;
    (0..R).for_each(|i| s[i] += sizes[i] * size);
}

/// s_i ← s_i + Σ_j |A_ij| size.
fn add_sizes(block: &[f64], size: f64, y: &mut [f64]) {
    for column in block.chunks_exact(y.len()) {
        y.iter_mut().zip(column).for_each(|(y, a)| *y += a.abs() * size);
    }
}
