//! Which pivots of a factorisation are to be renewed while the others are kept.
//!
//! In
//!
//! ```text
//! A_ij ← A_ij − L_i Ũ_j      for all later blocks i, j that k is coupled with                                (1)
//! ```
//!
//! a new pivot k changes the later blocks it is coupled with, so these are renewed as well; they are the ancestors of k in the tree of the elimination.
//! Panels of marked pivots are filled with the matrix again, and every pivot that is coupled with them is subtracted again:
//! those that are marked after their own elimination, the others with the factors they have. Sums come about in the same order, so that
//! the result is that of a whole factorisation, bit for bit, if no other blocks have changed and factors are stored as they were computed.

use super::symbolic::Symbolic;

/// A pivot that has something to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    pub pivot: u32,
    /// So many of its later blocks are not marked; the others follow them.
    pub skipped: u32,
    /// Whether it is eliminated anew.
    pub anew: bool,
    /// Where the panels that are filled for it end among those of `Marks`.
    pub panels: u32,
}

/// Marked pivots.
#[derive(Debug, Default)]
pub struct Marks {
    marked: Vec<bool>,
    /// All that are marked, in the order in which they are filled, and all that have something to do.
    pub panels: Vec<u32>,
    pub visits: Vec<Visit>,
}

impl Marks {
    /// None of so many pivots; makes room for all.
    pub fn new(pivots: usize) -> Self {
        Self { marked: vec![false; pivots], panels: Vec::with_capacity(pivots), visits: Vec::with_capacity(pivots) }
    }

    /// Marks the pivots of these blocks and what they change, which becomes a part of `blocks`; gives the operations.
    pub fn spread(&mut self, symbolic: &Symbolic, blocks: &mut [bool]) -> u64 {
        self.panels.clear();
        self.visits.clear();
        self.marked.fill(false);
        let mut operations = 0;
        for (k, pivot) in symbolic.pivots.iter().enumerate() {
            let eliminated = k < symbolic.eliminated;
            let marked = self.marked[k] || (eliminated && blocks[pivot.block as usize]);
            let later = if eliminated { symbolic.later_of(k) } else { &[] };
            if marked {
                self.marked[k] = true;
                blocks[pivot.block as usize] = true;
                later.iter().for_each(|l| self.marked[l.position as usize] = true);
            }
            if marked && eliminated {
                operations += pivot.operations().factor;
                self.visits.push(Visit { pivot: k as u32, skipped: 0, anew: true, panels: 0 });
            }
        }
        self.add_neighbours(symbolic);
        self.list_panels(symbolic);
        operations
    }

    /// Adds the visits of pivots that are not marked but coupled with some that are.
    fn add_neighbours(&mut self, symbolic: &Symbolic) {
        for k in (0..symbolic.eliminated).filter(|k| !self.marked[*k]) {
            let later = symbolic.later_of(k);
            let skipped = later.partition_point(|l| !self.marked[l.position as usize]);
            if skipped < later.len() {
                self.visits.push(Visit { pivot: k as u32, skipped: skipped as u32, anew: false, panels: 0 });
            }
        }
        self.visits.sort_unstable_by_key(|visit| visit.pivot);
    }

    /// Lists the marked panels by the visit that first changes them.
    fn list_panels(&mut self, symbolic: &Symbolic) {
        let Self { marked, panels, visits } = self;
        for visit in visits {
            let own = visit.anew.then_some(visit.pivot);
            let later = symbolic.later_of(visit.pivot as usize)[visit.skipped as usize..].iter().map(|l| l.position);
            panels.extend(own.into_iter().chain(later).filter(|k| std::mem::take(&mut marked[*k as usize])));
            visit.panels = panels.len() as u32;
        }
    }

    /// Whether nothing is marked.
    pub fn is_empty(&self) -> bool {
        self.panels.is_empty()
    }
}
