//! Block-sparse square matrices. Blocks are dense and column-major. A pattern never changes; one with more blocks is another pattern, and
//! factors know which one they are of.

use crate::block_lu::kernels::{self, by_size};
use crate::norms::max_abs;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Where a block's values start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot(pub usize);

/// One block of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    pub row: usize,
    pub column: usize,
    pub start: usize,
}

/// What is known of the mechanism behind a matrix.
#[derive(Debug, Clone, Default)]
pub struct Structure {
    /// Block rows, and those that are eliminated right after them: a joint after the body that it carries.
    pub followers: Vec<(usize, usize)>,
    /// Where what is coupled has no loops but those of two bodies and what joins them: what holds it, as its joints with the ground. What has
    /// none is taken to have it in its first block row.
    pub roots: Option<Arc<[usize]>>,
}

/// The blocks of a matrix and where their values lie.
#[derive(Debug)]
pub struct BlockPattern {
    offsets: Arc<[usize]>,
    blocks: Vec<Block>,
    /// The blocks column after column.
    by_column: Vec<u32>,
    len: usize,
    followers: Vec<Option<u32>>,
    roots: Option<Arc<[usize]>>,
}

impl BlockPattern {
    /// Number of scalar rows.
    pub fn dimension(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// Number of values.
    #[expect(clippy::len_without_is_empty, reason = "a matrix without values is none")]
    pub fn len(&self) -> usize {
        self.len
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

    /// All blocks, in the order of their values.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter()
    }

    /// Block row and block column of all blocks, and where their values are.
    pub fn placed(&self) -> impl Iterator<Item = (usize, usize, Range<usize>)> {
        self.blocks.iter().map(|b| (b.row, b.column, b.start..b.start + self.size(b.row) * self.size(b.column)))
    }

    /// Where a block is, if there is one.
    pub fn slot(&self, row: usize, column: usize) -> Option<Slot> {
        let key = |k: &u32| (self.blocks[*k as usize].column, self.blocks[*k as usize].row);
        let at = self.by_column.binary_search_by_key(&(column, row), key).ok()?;
        Some(Slot(self.blocks[self.by_column[at] as usize].start))
    }

    /// The same blocks in the same places, and behind them those of these pairs of block rows, one way and the other.
    pub fn extended(&self, pairs: &[[usize; 2]], structure: Structure) -> Self {
        let (mut blocks, mut by_column, mut len) = (self.blocks.clone(), self.by_column.clone(), self.len);
        for (row, column) in pairs.iter().flat_map(|[a, b]| [(*a, *b), (*b, *a)]) {
            let key = |k: &u32| (blocks[*k as usize].column, blocks[*k as usize].row);
            if let Err(at) = by_column.binary_search_by_key(&(column, row), key) {
                by_column.insert(at, blocks.len() as u32);
                blocks.push(Block { row, column, start: len });
                len += self.size(row) * self.size(column);
            }
        }
        let followers = followers(self.block_rows(), &structure);
        Self { offsets: self.offsets.clone(), blocks, by_column, len, followers, roots: structure.roots }
    }

    /// Whether another pattern has the same blocks in the same places.
    pub fn is_like(&self, other: &Self) -> bool {
        self.offsets == other.offsets && self.blocks == other.blocks
    }

    /// Whether there are no loops but those of two bodies and what joins them.
    pub(crate) fn is_tree(&self) -> bool {
        self.roots.is_some()
    }

    /// Over how many others each block row is coupled with a root; empty where there are loops.
    pub(crate) fn distances(&self) -> Vec<u32> {
        self.roots.as_ref().map_or(Vec::new(), |roots| distances(self.block_rows(), &self.blocks, roots))
    }

    /// The block row that is eliminated right after this one, if there is one.
    pub(crate) fn follower(&self, block: usize) -> Option<usize> {
        self.followers[block].map(|k| k as usize)
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
    structure: Structure,
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

    /// Number of values so far.
    #[expect(clippy::len_without_is_empty, reason = "a matrix without values is none")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// For a mechanism of this structure.
    pub fn with_structure(self, structure: Structure) -> Self {
        Self { structure, ..self }
    }

    /// Freezes the pattern.
    pub fn finish(self) -> BlockPattern {
        let mut offsets = vec![0];
        for size in &self.sizes {
            offsets.push(offsets[offsets.len() - 1] + size);
        }
        let mut blocks: Vec<Block> = self.blocks.iter().map(|((c, r), s)| Block { row: *r, column: *c, start: *s }).collect();
        blocks.sort_unstable_by_key(|block| block.start);
        let mut by_column: Vec<u32> = (0..blocks.len() as u32).collect();
        by_column.sort_unstable_by_key(|k| (blocks[*k as usize].column, blocks[*k as usize].row));
        let followers = followers(self.sizes.len(), &self.structure);
        BlockPattern { offsets: offsets.into(), blocks, by_column, len: self.len, followers, roots: self.structure.roots }
    }
}

/// By block row.
fn followers(n: usize, structure: &Structure) -> Vec<Option<u32>> {
    let mut followers = vec![None; n];
    structure.followers.iter().for_each(|(body, joint)| followers[*body] = Some(*joint as u32));
    followers
}

/// How far each of n block rows is from the nearest root, counted in blocks.
fn distances(n: usize, blocks: &[Block], roots: &[usize]) -> Vec<u32> {
    let mut neighbours = vec![Vec::new(); n];
    for Block { row, column, .. } in blocks {
        neighbours[*row].push(*column);
        neighbours[*column].push(*row);
    }
    let mut distances = vec![u32::MAX; n];
    let mut reached: Vec<usize> = roots.to_vec();
    roots.iter().for_each(|root| distances[*root] = 0);
    let (mut next, mut others) = (0, 0..n);
    loop {
        while next < reached.len() {
            let from = reached[next];
            for to in &neighbours[from] {
                if distances[*to] == u32::MAX {
                    distances[*to] = distances[from] + 1;
                    reached.push(*to);
                }
            }
            next += 1;
        }
        let Some(root) = others.find(|k| distances[*k] == u32::MAX) else { return distances };
        distances[root] = 0;
        reached.push(root);
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
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// Becomes a matrix of another pattern, in the same memory. Values stay where they are; those behind are zero.
    pub fn take_pattern(&mut self, pattern: Arc<BlockPattern>) {
        self.values.truncate(self.pattern.len.min(pattern.len));
        self.values.resize(pattern.len, 0.0);
        self.pattern = pattern;
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
        for block in &self.pattern.blocks {
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
        for block in &self.pattern.blocks {
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
        let offsets = &self.pattern.offsets;
        let rows = offsets[block.row]..offsets[block.row + 1];
        let columns = offsets[block.column]..offsets[block.column + 1];
        (&self.values[block.start..block.start + rows.len() * columns.len()], rows, columns)
    }

    /// Leaves nothing in these block rows and columns but ones on the diagonal, so that the others stand alone.
    pub fn take_out(&mut self, rows: Range<usize>) {
        let Self { pattern: p, values } = self;
        for block in p.blocks.iter().filter(|b| rows.contains(&b.row) || rows.contains(&b.column)) {
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
        for block in &self.pattern.blocks {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_from_roots_or_else_from_the_first_of_what_hangs_together() {
        let mut builder = PatternBuilder::new(vec![1; 8]);
        // A chain 0-1-2-3 with a bridge from 0 to 3, a pair 4-5 and two that stand alone.
        for (row, column) in [(0, 1), (2, 1), (2, 3), (3, 0), (4, 5)] {
            builder.slot(row, column);
        }
        let structure = Structure { roots: Some([2, 5].into()), ..Structure::default() };
        assert_eq!(builder.with_structure(structure).finish().distances(), [2, 1, 0, 1, 1, 0, 0, 0]);
    }

    #[test]
    fn a_longer_pattern_keeps_the_places_of_its_blocks() {
        let mut builder = PatternBuilder::new(vec![2, 3, 1]);
        let slots: Vec<Slot> = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 0)].iter().map(|(r, c)| builder.slot(*r, *c)).collect();
        let short = builder.finish();
        let long = short.extended(&[[0, 1], [1, 2]], Structure::default());
        assert_eq!((long.slot(0, 0), long.slot(0, 1), long.slot(1, 0)), (Some(slots[0]), Some(slots[3]), Some(slots[4])));
        assert_eq!((long.slot(1, 2), long.slot(2, 1), long.slot(0, 2)), (Some(Slot(short.len())), Some(Slot(short.len() + 3)), None));
        assert_eq!((short.slot(1, 2), long.len()), (None, short.len() + 6));
        assert!(short.is_like(&short.extended(&[], Structure::default())) && !short.is_like(&long));
    }
}
