//! The order of elimination: minimum degree on the block graph among the blocks whose diagonal is regular.
//!
//! A body's diagonal block holds its mass and is a good pivot from the start; a constraint's is zero until enough bodies that it acts on
//! are eliminated. How many that takes is a question of directions, not of counting (a body on a ball joint has three motions left, but
//! none moves a second ball joint towards the first), so the order is found by eliminating a matrix with its numbers: a block k may go
//! once its pivots p are not small against what its diagonal d once was, or once it does not matter,
//!
//! ```text
//! min |p / d| ≥ READY     or     |diagonal of A_ik A_kk⁻¹ A_ki| ≤ HARMLESS d_i  for all i that k is coupled with        (1)
//! ```
//!
//! A joint through which no loop passes follows the body that it carries (`BlockPattern::follower`), both as one step: whatever the directions,
//! its rows act on all of that body's motions that they name, and what is subtracted from its zero diagonal is definite, so that pivots are
//! small where a heavy branch is held fast, but have lost nothing. What is eliminated is the motion of a branch against the body that carries
//! it, as a recursion from the tips would do, and among blocks that are coupled with as much, the one farthest from what holds the mechanism
//! goes first. A joint in a loop waits until the loop can move enough.
//!
//! The second test is for redundant constraints: their pivots are the small −ε of their regularisation, but when their turn has come their
//! coupling with what is left is as small. Where waiting for that would fill the matrix, they go earlier; the digits which that costs come back
//! with refinement.

use super::elimination::Graph;
use super::inverse::{self, Scratch};
use crate::{BlockMatrix, BlockPattern};
use pulp::Scalar;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How good pivots must be (equation 1). Later matrices of the same pattern may have poorer ones.
const READY: f64 = 1e-3;
/// The same in mechanisms without loops: what is subtracted from a pivot there is not nearly the pivot itself, however small that gets beside the
/// branches it carries.
const READY_IN_TREES: f64 = 1e-6;
/// How much a block with poorer ones may change others.
const HARMLESS: f64 = 1e3;

/// How good pivots must be of a joint that follows its body, and of the body in mechanisms without loops.
const FOLLOWED: f64 = 1e-13;

/// Blocks with pivots down to this may go ...
const POOR: f64 = 1e-9;
/// ... where all others are coupled with so many times as much.
const HANDICAP: usize = 3;

/// Pivots poorer than this are round-off.
pub const POOREST: f64 = 1e-11;

/// A block coupled with more scalar rows than this makes dense work that other factorisations do better.
pub const WIDEST: usize = 800;

/// One elimination: the block, those blocks after it that it is coupled with, and how good its pivots were.
#[derive(Debug, Clone)]
pub struct Step {
    pub node: usize,
    pub later: Vec<u32>,
    pub quality: f64,
    /// Whether its pivots may get as small as they like.
    pub paired: bool,
}

/// Finds an order by eliminating this matrix; `None` if that fills it too much.
pub fn order(matrix: &BlockMatrix) -> Option<Vec<Step>> {
    let mut search = Search::new(matrix);
    let n = search.quality.len();
    let mut steps = Vec::with_capacity(n);
    while steps.len() < n {
        let node = search.next()?;
        let joint = search.pattern.follower(node);
        steps.push(search.eliminate(node, search.carried_in_tree(node))?);
        if let Some(joint) = joint {
            search.invert(joint);
            if search.quality[joint] >= FOLLOWED {
                steps.push(search.eliminate(joint, true)?);
            } else {
                search.waits[joint] = false;
                search.push(search.key(joint), joint);
            }
        }
    }
    Some(steps)
}

struct Search<'a> {
    pattern: &'a BlockPattern,
    distances: Vec<u32>,
    graph: Graph,
    /// What blocks have against going next; among equals the farthest goes first, then the one with the smallest number.
    heap: BinaryHeap<Reverse<(usize, Reverse<u32>, u32)>>,
    /// The smallest pivot when it was last looked at, and the last inverse.
    quality: Vec<f64>,
    inverse: Vec<f64>,
    scratch: Scratch,
    /// Joints that wait for the body that they carry.
    waits: Vec<bool>,
}

impl<'a> Search<'a> {
    fn new(matrix: &'a BlockMatrix) -> Self {
        let pattern = matrix.pattern();
        let graph = Graph::new(matrix);
        let n = pattern.block_rows();
        let largest = (0..n).map(|k| pattern.size(k)).max().unwrap_or(0);
        let (heap, quality) = (BinaryHeap::with_capacity(n), vec![0.0; n]);
        let mut waits = vec![false; n];
        (0..n).filter_map(|k| pattern.follower(k)).for_each(|k| waits[k] = true);
        let (inverse, scratch) = (Vec::new(), Scratch::new(largest));
        let mut search = Self { pattern, distances: pattern.distances(), graph, heap, quality, inverse, scratch, waits };
        (0..n).for_each(|k| search.push(search.key(k), k));
        search
    }

    /// Eliminates a block whose inverse is at hand; `None` if that fills the matrix too much.
    fn eliminate(&mut self, node: usize, paired: bool) -> Option<Step> {
        if self.graph.degree(node) > WIDEST {
            return None;
        }
        let later = self.graph.eliminate(node, &self.inverse);
        later.iter().for_each(|k| self.push(self.key(*k as usize), *k as usize));
        Some(Step { node, later, quality: self.quality[node], paired })
    }

    fn push(&mut self, key: usize, k: usize) {
        if self.waits[k] {
            return;
        }
        let distance = self.distances.get(k).copied().unwrap_or(0);
        self.heap.push(Reverse((key, Reverse(distance), k as u32)));
    }

    /// What a block has against going next.
    fn key(&self, k: usize) -> usize {
        self.graph.degree(k)
    }

    /// The same where its pivots are poor.
    fn poor_key(&self, k: usize) -> usize {
        HANDICAP * self.graph.degree(k)
    }

    /// The block to be eliminated next; its inverse is left behind.
    fn next(&mut self) -> Option<usize> {
        while let Some(Reverse((key, _, node))) = self.heap.pop() {
            let k = node as usize;
            let (own, poor) = (self.key(k), self.poor_key(k));
            if !self.graph.is_left(k) || (key != own && key != poor) {
                continue;
            }
            if self.ready(k) || (key > own && self.quality[k] >= POOR) {
                return Some(k);
            }
            if key == own && self.quality[k] >= POOR {
                self.push(poor, k);
            }
        }
        // Where no block is ready the matrix is nearly singular: the best there is goes, and its pivots are looked at later.
        self.best()
    }

    /// Equation (1).
    fn ready(&mut self, k: usize) -> bool {
        self.invert(k);
        let ready = match self.distances[..] {
            [] => READY,
            _ if self.carried_in_tree(k) => FOLLOWED,
            _ => READY_IN_TREES,
        };
        self.quality[k] >= ready || (self.quality[k] >= POOREST && self.graph.growth(k, &self.inverse) <= HARMLESS)
    }

    /// Whether this is a body with a joint that follows it, in a mechanism without loops.
    fn carried_in_tree(&self, k: usize) -> bool {
        self.pattern.is_tree() && self.pattern.follower(k).is_some()
    }

    fn invert(&mut self, k: usize) {
        let (diagonal, peak) = self.graph.diagonal(k);
        self.inverse.clear();
        self.inverse.extend_from_slice(diagonal);
        self.quality[k] = inverse::invert(Scalar::new(), peak.len(), &mut self.inverse, peak, &mut self.scratch);
    }

    /// The block with the best pivots of those left.
    fn best(&mut self) -> Option<usize> {
        let left = (0..self.quality.len()).filter(|k| self.graph.is_left(*k) && !self.waits[*k]);
        let best = left.max_by(|a, b| self.quality[*a].total_cmp(&self.quality[*b]).then(b.cmp(a)))?;
        self.invert(best);
        if self.quality[best] == 0.0 {
            self.inverse.fill(0.0);
        }
        Some(best)
    }
}
