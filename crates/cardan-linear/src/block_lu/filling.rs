//! Where panels are while they are worked on, and what they are filled with.
//!
//! A panel is filled with blocks of the matrix when the first pivot changes it, and is finished when its own turn has come. In chains and
//! trees few panels are open at a time: they share a working memory that stays in the cache, whatever the size of the matrix. Those that are
//! never finished, because they belong to the rest of the matrix (`subtrees.rs`), keep their places.

use super::symbolic::{Pivot, Symbolic};
use crate::BlockMatrix;
use std::collections::BTreeMap;

/// When panels are filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// When they are first needed.
    WhenNeeded,
    /// All before the first pivot, so that something can be added to them.
    AtOnce,
}

/// A block of the given matrix and where it goes.
#[derive(Debug, Clone, Copy)]
pub struct Given {
    pub from: u32,
    pub to: u32,
    pub rows: u16,
    pub columns: u16,
}

impl Given {
    /// How many numbers it has.
    pub fn len(&self) -> usize {
        usize::from(self.rows) * usize::from(self.columns)
    }
}

/// What panels are filled with: where it starts in the lists of `Filling`, and where it ends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fill {
    pub given: (u32, u32),
    pub zeros: (u32, u32),
}

/// What panels are filled with, in the order in which they are.
#[derive(Debug, Default)]
pub struct Filling {
    pub given: Vec<Given>,
    /// Places without a block of the matrix: start and length.
    pub zeros: Vec<(u32, u32)>,
    /// Numbers in the working memory.
    pub len: usize,
}

/// Places in the working memory.
#[derive(Debug, Default)]
struct Pool {
    /// By their length.
    free: BTreeMap<u32, Vec<u32>>,
    len: u32,
}

impl Pool {
    /// A place of this length, or somewhat longer; gives where it starts and its length.
    fn take(&mut self, len: u32) -> (u32, u32) {
        let fitting = self.free.range_mut(len..=len + len / 2).find_map(|(length, places)| Some((places.pop()?, *length)));
        fitting.unwrap_or_else(|| {
            self.len += len;
            (self.len - len, len)
        })
    }

    fn give_back(&mut self, (start, len): (u32, u32)) {
        self.free.entry(len).or_default().push(start);
    }
}

impl Symbolic {
    /// Finds places for the panels, and for every block of the matrix the place it goes to.
    pub(super) fn find_places(&mut self, matrix: &BlockMatrix, positions: &[u32], placement: Placement) {
        let opened = self.open_panels(placement);
        for k in 0..self.later.len() {
            let Pivot { width, panel, .. } = self.pivots[self.later[k].position as usize];
            (self.later[k].width, self.later[k].panel) = (width, panel);
        }
        let given = self.locate_blocks(matrix, positions);
        for (opened, k) in opened.into_iter().zip(0..) {
            for panel in opened {
                let own = given.partition_point(|(owner, _)| *owner < panel)..given.partition_point(|(owner, _)| *owner <= panel);
                self.filling.fill(&self.pivots[panel], &given[own]);
            }
            if placement == Placement::WhenNeeded {
                let ends = &mut self.pivots[k as usize].ends;
                (ends.given, ends.zeros) = (self.filling.given.len() as u32, self.filling.zeros.len() as u32);
            }
        }
    }

    /// Gives all panels their places; tells which panels each pivot is the first to change.
    fn open_panels(&mut self, placement: Placement) -> Vec<Vec<usize>> {
        let mut pool = Pool::default();
        let mut places = vec![None; self.pivots.len()];
        let mut opened = Vec::with_capacity(self.eliminated);
        for k in 0..self.eliminated {
            let touched = std::iter::once(k).chain(self.later_of(k).iter().map(|l| l.position as usize));
            let new: Vec<usize> = touched.filter(|panel| places[*panel].is_none()).collect();
            for panel in &new {
                let place = pool.take(self.pivots[*panel].len() as u32);
                self.pivots[*panel].panel = place.0;
                places[*panel] = Some(place);
            }
            if placement == Placement::WhenNeeded {
                places[k].into_iter().for_each(|place| pool.give_back(place));
            }
            opened.push(new);
        }
        self.filling.len = pool.len as usize;
        opened
    }

    /// The blocks of the matrix by the panel they belong to, in the order in which they lie there.
    fn locate_blocks(&self, matrix: &BlockMatrix, positions: &[u32]) -> Vec<(usize, Given)> {
        let pattern = matrix.pattern();
        let mut sorted = Vec::new();
        for b in pattern.blocks() {
            let (i, j) = (positions[b.row] as usize, positions[b.column] as usize);
            if i.max(j) < self.pivots.len() && i.min(j) < self.eliminated {
                let (rows, columns) = (pattern.size(b.row) as u16, pattern.size(b.column) as u16);
                sorted.push((i.min(j), Given { from: b.start as u32, to: self.locate(i, j), rows, columns }));
            }
        }
        sorted.sort_unstable_by_key(|(owner, given)| (*owner, given.to));
        sorted
    }
}

impl Filling {
    /// Appends what a panel is filled with: these blocks, and zeros between and behind them.
    fn fill(&mut self, pivot: &Pivot, own: &[(usize, Given)]) {
        let (mut at, end) = (pivot.panel, pivot.panel + pivot.len() as u32);
        for (_, block) in own {
            if block.to > at {
                self.zeros.push((at, block.to - at));
            }
            self.given.push(*block);
            at = block.to + block.len() as u32;
        }
        if end > at {
            self.zeros.push((at, end - at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_used_again_by_what_fits_them() {
        let mut pool = Pool::default();
        let (small, large) = (pool.take(10), pool.take(100));
        assert_eq!((small, large, pool.len), ((0, 10), (10, 100), 110));
        pool.give_back(large);
        assert_eq!(pool.take(40), (110, 40), "a place twice as long as needed stays free");
        assert_eq!(pool.take(90), large);
        assert_eq!(pool.take(90), (150, 90));
    }
}
