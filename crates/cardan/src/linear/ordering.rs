//! The order of elimination: minimum degree on the block graph among the blocks whose diagonal is regular.
//!
//! A body's diagonal block holds its mass and is a good pivot from the start; a constraint's is zero until enough bodies that it acts on
//! are eliminated. How many that takes is a question of directions, not of counting (a body on a ball joint has three motions left, but
//! none moves a second ball joint towards the first), so the order is found by eliminating a matrix with its numbers: a block may go
//! once its pivots are not small against what its diagonal once was,
//!
//! ```text
//! min |p| ≥ READY · max |diagonal|                                                                  (1)
//! ```
//!
//! In a chain each joint thus follows its outer body; a joint that closes a loop waits until the loop can move enough.

use super::{BlockMatrix, kernels};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// How good pivots must be (equation 1). Later matrices of the same pattern may have poorer ones.
const READY: f64 = 1e-2;

/// A block coupled with more scalar rows than this makes dense work that other factorisations do better.
const WIDEST: usize = 400;

/// One elimination: the block, and those blocks after it that it is coupled with.
#[derive(Debug, Clone)]
pub struct Elimination {
    pub node: usize,
    pub later: Vec<usize>,
}

/// Finds an order by eliminating this matrix; `None` if that fills it too much.
pub fn order(matrix: &BlockMatrix) -> Option<Vec<Elimination>> {
    let mut graph = Graph::new(matrix);
    let n = graph.rows.len();
    let mut heap: BinaryHeap<_> = (0..n).map(|k| Reverse((graph.degree(k), k))).collect();
    let mut steps = Vec::with_capacity(n);
    while steps.len() < n {
        let next = std::iter::from_fn(|| heap.pop()).find(|Reverse((degree, k))| graph.is_current(*k, *degree) && graph.ready(*k));
        // Where no block is ready the matrix is nearly singular: the best there is goes, and its pivots are looked at later.
        let node = next.map(|Reverse((_, k))| k).or_else(|| graph.best())?;
        if graph.degree(node) > WIDEST {
            return None;
        }
        let later = graph.eliminate(node);
        later.iter().for_each(|k| heap.push(Reverse((graph.degree(*k), *k))));
        steps.push(Elimination { node, later });
    }
    Some(steps)
}

/// A matrix on its way through the elimination.
struct Graph {
    /// Blocks that are left, by row and column; a block has its mirror image.
    rows: Vec<BTreeMap<usize, Vec<f64>>>,
    sizes: Vec<usize>,
    eliminated: Vec<bool>,
    /// Largest size of the diagonal entries so far.
    peak: Vec<Vec<f64>>,
    /// The smallest pivot when it was last looked at, and the inverse.
    quality: Vec<f64>,
    inverse: Vec<f64>,
    small: Vec<f64>,
}

impl Graph {
    fn new(matrix: &BlockMatrix) -> Self {
        let pattern = matrix.pattern();
        let sizes: Vec<usize> = (0..pattern.block_rows()).map(|k| pattern.size(k)).collect();
        let mut rows = vec![BTreeMap::new(); sizes.len()];
        for b in pattern.blocks() {
            let len = sizes[b.row] * sizes[b.column];
            rows[b.row].insert(b.column, matrix.values[b.start..b.start + len].to_vec());
            rows[b.column].entry(b.row).or_insert_with(|| vec![0.0; len]);
        }
        let mut graph = Self {
            eliminated: vec![false; sizes.len()],
            peak: sizes.iter().map(|s| vec![0.0; *s]).collect(),
            quality: vec![0.0; sizes.len()],
            inverse: Vec::new(),
            small: vec![0.0; 3 * sizes.iter().copied().max().unwrap_or(0)],
            rows,
            sizes,
        };
        (0..graph.sizes.len()).for_each(|k| graph.raise_peak(k));
        graph
    }

    fn raise_peak(&mut self, k: usize) {
        let (size, diagonal) = (self.sizes[k], self.rows[k].get(&k));
        for (r, peak) in self.peak[k].iter_mut().enumerate() {
            *peak = peak.max(diagonal.map_or(0.0, |d| d[r * (size + 1)].abs()));
        }
    }

    /// Scalar rows that the elimination of a block would couple.
    fn degree(&self, k: usize) -> usize {
        self.rows[k].keys().filter(|j| **j != k).map(|j| self.sizes[*j]).sum()
    }

    fn is_current(&self, k: usize, degree: usize) -> bool {
        !self.eliminated[k] && self.degree(k) == degree
    }

    /// Equation (1); leaves the inverse behind.
    fn ready(&mut self, k: usize) -> bool {
        let Some(diagonal) = self.rows[k].get(&k) else { return false };
        self.inverse.clone_from(diagonal);
        self.quality[k] = kernels::invert(self.sizes[k], &mut self.inverse, &self.peak[k], &mut self.small);
        self.quality[k] >= READY
    }

    /// The block with the best pivots of those left.
    fn best(&mut self) -> Option<usize> {
        let left = (0..self.sizes.len()).filter(|k| !self.eliminated[*k]);
        let best = left.max_by(|a, b| self.quality[*a].total_cmp(&self.quality[*b]).then(b.cmp(a)))?;
        if !self.ready(best) && self.quality[best] == 0.0 {
            self.inverse.fill(0.0);
        }
        Some(best)
    }

    /// Takes out a block whose inverse is at hand: A_ij ← A_ij − A_ik A_kk⁻¹ A_kj.
    fn eliminate(&mut self, k: usize) -> Vec<usize> {
        let mut row = std::mem::take(&mut self.rows[k]);
        row.remove(&k);
        self.eliminated[k] = true;
        let s = self.sizes[k];
        for (j, block) in &mut row {
            let mut small = vec![0.0; s];
            kernels::multiply_in_place(s, self.sizes[*j], &self.inverse, block, &mut small);
        }
        for i in row.keys() {
            let Some(lower) = self.rows[*i].remove(&k) else { continue };
            for (j, upper) in &row {
                let (m, n) = (self.sizes[*i], self.sizes[*j]);
                let block = self.rows[*i].entry(*j).or_insert_with(|| vec![0.0; m * n]);
                for c in 0..n {
                    for p in 0..s {
                        let factor = upper[c * s + p];
                        block[c * m..(c + 1) * m].iter_mut().zip(&lower[p * m..]).for_each(|(x, l)| *x -= l * factor);
                    }
                }
            }
            self.raise_peak(*i);
        }
        row.into_keys().collect()
    }
}
