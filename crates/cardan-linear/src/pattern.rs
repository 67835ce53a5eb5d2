//! The pattern of a block matrix: which blocks there are, and where their values lie. A pattern never changes; one with more blocks is
//! another pattern, and factors know which one they are of.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Where a block's values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slot {
    /// The first of them.
    pub start: usize,
    /// How many there are.
    pub len: usize,
}

impl Slot {
    /// All of them.
    #[inline]
    pub fn range(self) -> Range<usize> {
        self.start..self.start + self.len
    }
}

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

    /// All scalar rows of a block row.
    #[inline(always)]
    pub(crate) fn rows(&self, block: usize) -> Range<usize> {
        self.offsets[block]..self.offsets[block + 1]
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
        let start = self.blocks[self.by_column[at] as usize].start;
        Some(Slot { start, len: self.size(row) * self.size(column) })
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
        let start = *self.blocks.entry((column, row)).or_insert_with(|| {
            let start = *len;
            *len += size;
            start
        });
        Slot { start, len: size }
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
        let added = |behind: usize| Slot { start: short.len() + behind, len: 3 };
        assert_eq!((long.slot(0, 0), long.slot(0, 1), long.slot(1, 0)), (Some(slots[0]), Some(slots[3]), Some(slots[4])));
        assert_eq!((long.slot(1, 2), long.slot(2, 1), long.slot(0, 2)), (Some(added(0)), Some(added(3)), None));
        assert_eq!((short.slot(1, 2), long.len()), (None, short.len() + 6));
        assert!(short.is_like(&short.extended(&[], Structure::default())) && !short.is_like(&long));
    }
}
