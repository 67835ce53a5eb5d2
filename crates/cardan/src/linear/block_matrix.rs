//! Block-sparse square matrices with a pattern fixed at compile time. Blocks are dense and column-major.

use std::collections::BTreeMap;
use std::sync::Arc;

/// Where a block's values start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot(pub(crate) usize);

/// One block of a pattern.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub row: usize,
    pub column: usize,
    pub start: usize,
}

/// The blocks of a matrix and where their values lie.
#[derive(Debug)]
pub struct BlockPattern {
    offsets: Vec<usize>,
    blocks: Vec<Block>,
    len: usize,
    /// Compressed columns of the scalar matrix: pointers, row indices, and the place of each entry among the values.
    pub(crate) column_pointers: Vec<usize>,
    pub(crate) row_indices: Vec<usize>,
    pub(crate) places: Vec<usize>,
}

impl BlockPattern {
    /// Number of scalar rows.
    pub fn dimension(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// Number of block rows.
    pub fn block_rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Scalar rows of a block row.
    pub fn size(&self, block: usize) -> usize {
        self.offsets[block + 1] - self.offsets[block]
    }

    /// First scalar row of a block row.
    pub fn first_row(&self, block: usize) -> usize {
        self.offsets[block]
    }

    /// All blocks.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter()
    }

    /// The block row that holds a scalar row.
    pub fn block_of(&self, row: usize) -> usize {
        self.offsets.partition_point(|o| *o <= row).saturating_sub(1)
    }
}

/// Collects blocks, then freezes them into a [`BlockPattern`].
#[derive(Debug, Default)]
pub struct PatternBuilder {
    sizes: Vec<usize>,
    blocks: BTreeMap<(usize, usize), usize>,
    len: usize,
}

impl PatternBuilder {
    /// A square pattern with these block sizes.
    pub fn new(sizes: Vec<usize>) -> Self {
        Self { sizes, ..Self::default() }
    }

    /// Makes sure the block exists and says where its values are.
    pub fn slot(&mut self, row: usize, column: usize) -> Slot {
        let size = self.sizes[row] * self.sizes[column];
        let len = &mut self.len;
        Slot(*self.blocks.entry((column, row)).or_insert_with(|| {
            let start = *len;
            *len += size;
            start
        }))
    }

    /// Freezes the pattern.
    pub fn finish(self) -> BlockPattern {
        let mut offsets = vec![0];
        for size in &self.sizes {
            offsets.push(offsets[offsets.len() - 1] + size);
        }
        let blocks: Vec<Block> = self.blocks.iter().map(|((c, r), s)| Block { row: *r, column: *c, start: *s }).collect();
        let (mut column_pointers, mut row_indices, mut places) = (vec![0], Vec::with_capacity(self.len), Vec::with_capacity(self.len));
        let mut first = 0;
        for column in 0..self.sizes.len() {
            let last = first + blocks[first..].partition_point(|b| b.column == column);
            for c in 0..self.sizes[column] {
                for block in &blocks[first..last] {
                    let rows = self.sizes[block.row];
                    row_indices.extend(offsets[block.row]..offsets[block.row] + rows);
                    places.extend(block.start + c * rows..block.start + (c + 1) * rows);
                }
                column_pointers.push(row_indices.len());
            }
            first = last;
        }
        BlockPattern { offsets, blocks, len: self.len, column_pointers, row_indices, places }
    }
}

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
        let values = vec![0.0; pattern.len];
        Self { pattern, values }
    }

    /// The pattern.
    pub fn pattern(&self) -> &BlockPattern {
        &self.pattern
    }

    /// Sets all values to zero.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// The values of a block from its slot on.
    #[inline]
    pub fn block(&mut self, slot: Slot) -> &mut [f64] {
        &mut self.values[slot.0..]
    }

    /// out = b − A x.
    pub fn residual(&self, x: &[f64], b: &[f64], out: &mut [f64]) {
        let p = &self.pattern;
        out.copy_from_slice(b);
        for block in &p.blocks {
            let (r0, r1) = (p.offsets[block.row], p.offsets[block.row + 1]);
            for (c, column) in (p.offsets[block.column]..p.offsets[block.column + 1]).enumerate() {
                let values = &self.values[block.start + c * (r1 - r0)..];
                for (r, row) in (r0..r1).enumerate() {
                    out[row] -= values[r] * x[column];
                }
            }
        }
    }

    /// The matrix as a dense column-major array.
    pub fn to_dense(&self, out: &mut [f64]) {
        let p = &self.pattern;
        let n = p.dimension();
        out.fill(0.0);
        for column in 0..n {
            for k in p.column_pointers[column]..p.column_pointers[column + 1] {
                out[column * n + p.row_indices[k]] = self.values[p.places[k]];
            }
        }
    }
}
