//! Where everything lies in the factors of a block matrix, worked out once from a matrix of its pattern.
//!
//! A pivot of size s that is coupled with later blocks of w rows together owns a panel: s² numbers of D, s w of the blocks L_i of
//! `numeric.rs` and s w of U_j, every block column after column without gaps, and the largest sizes that the s diagonal entries ever had.
//! It is worked on in one place (`filling.rs`) and stored in another (`factors.rs`), D⁻¹ and L apart from Ũ.
//!
//! Lists are read from end to end while a matrix is factored. What belongs to later blocks is written down with each of their
//! couplings again, since looking it up would be a trip to memory.
//!
//! Of a part of a matrix (`subtrees.rs`) only the first blocks are eliminated; the others have panels as well, which collect what is to be
//! added to the rest of the matrix.

use super::filling::{Filling, Placement};
use super::ordering::{POOREST, Step};
use super::sweeps::SolveOrder;
use crate::BlockMatrix;
use std::ops::Range;

/// No place in the order.
const NONE: u32 = u32::MAX;

/// One step of the elimination.
#[derive(Debug, Clone, Copy)]
pub struct Pivot {
    /// Pivots poorer than this are not trusted.
    pub floor: f64,
    /// The block row of the matrix.
    pub block: u32,
    /// Its first scalar row there, and in the order of elimination.
    pub row: u32,
    pub ordered_row: u32,
    /// s.
    pub size: u32,
    /// w, and how many blocks these rows have.
    pub width: u32,
    pub coupled: u32,
    /// Where its panel starts while it is worked on.
    pub panel: u32,
    /// Where its D⁻¹ and L are stored.
    pub start: u32,
    /// Where its Ũ is stored, counted from the first of these on.
    pub upper: u32,
    /// Where its diagonal block starts if these are stored alone.
    pub square: u32,
    pub ends: Ends,
}

impl Pivot {
    /// Numbers in its panel.
    pub fn len(&self) -> usize {
        self.size as usize * (self.size + 2 * self.width + 1) as usize
    }

    /// Its panel while it is worked on.
    pub fn range(&self) -> Range<usize> {
        self.panel as usize..self.panel as usize + self.len()
    }

    /// Its scalar rows in the matrix.
    pub fn rows(&self) -> Range<usize> {
        self.row as usize..(self.row + self.size) as usize
    }

    /// The same in the order of elimination.
    pub fn ordered_rows(&self) -> Range<usize> {
        self.ordered_row as usize..(self.ordered_row + self.size) as usize
    }

    /// Floating-point operations of its elimination, and of its share in a solution.
    pub fn operations(&self) -> Flops {
        let (s, w) = (u64::from(self.size), u64::from(self.width));
        Flops { factor: 2 * s * (s * s + s * w + w * w), solve: 2 * s * (s + 2 * w) }
    }
}

/// Where what belongs to a pivot ends in the lists of `Symbolic`; it starts where that of the pivot before ends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ends {
    pub later: u32,
    pub offsets: u32,
    pub given: u32,
    pub zeros: u32,
}

/// A block that a pivot is coupled with.
#[derive(Debug, Clone, Copy)]
pub struct Later {
    /// Its place in the order.
    pub position: u32,
    /// Its scalar rows, and those that it is coupled with in turn.
    pub size: u32,
    pub width: u32,
    /// Where its panel starts while it is worked on.
    pub panel: u32,
}

impl Later {
    /// Its panel.
    pub fn range(&self) -> Range<usize> {
        let len = self.size * (self.size + 2 * self.width + 1);
        self.panel as usize..(self.panel + len) as usize
    }
}

/// Floating-point operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flops {
    /// Of a factorisation.
    pub factor: u64,
    /// Of a solution.
    pub solve: u64,
}

/// The elimination of a pattern.
#[derive(Debug, Default)]
pub struct Symbolic {
    pub pivots: Vec<Pivot>,
    /// So many of them are eliminated.
    pub eliminated: usize,
    pub later: Vec<Later>,
    /// For each pivot and each pair a < b of its later blocks: the scalar column of Ũ_b in the panel of a.
    pub offsets: Vec<u32>,
    pub filling: Filling,
    pub solve_order: SolveOrder,
    /// Numbers in the factors, in D and L of these, and in their diagonal blocks.
    pub len: usize,
    pub lower_len: usize,
    pub squares: usize,
    /// Largest s.
    pub largest: usize,
}

impl Symbolic {
    /// Lays out the factors of the blocks in these steps, of which so many are eliminated; `None` if they fill too much.
    pub fn new(matrix: &BlockMatrix, steps: &[Step], eliminated: usize, placement: Placement) -> Option<Self> {
        let mut symbolic = Self { eliminated, ..Self::default() };
        let positions = positions(matrix, steps);
        symbolic.place(matrix, steps, &positions)?;
        symbolic.find_offsets();
        symbolic.find_places(matrix, &positions, placement);
        symbolic.solve_order = SolveOrder::new(&symbolic);
        Some(symbolic)
    }

    /// Where the lists of the last eliminated pivot end.
    pub fn ends(&self) -> Ends {
        self.pivots[..self.eliminated].last().map_or(Ends::default(), |p| p.ends)
    }

    /// The eliminated pivots.
    pub fn eliminated_pivots(&self) -> &[Pivot] {
        &self.pivots[..self.eliminated]
    }

    /// Scalar rows of these.
    pub fn eliminated_rows(&self) -> usize {
        self.eliminated_pivots().last().map_or(0, |p| p.ordered_rows().end)
    }

    /// Scalar rows of all pivots.
    pub fn rows(&self) -> usize {
        self.pivots.last().map_or(0, |p| p.ordered_rows().end)
    }

    /// Where Ũ of the last eliminated pivot is stored, from which the backward sweep starts.
    pub fn first_upper(&self) -> usize {
        self.lower_len + self.pivots[..self.eliminated].last().map_or(0, |p| p.upper as usize)
    }

    /// Floating-point operations of the elimination, and of a solution.
    pub fn operations(&self) -> Flops {
        let pivots = self.pivots[..self.eliminated].iter().map(Pivot::operations);
        pivots.fold(Flops::default(), |a, b| Flops { factor: a.factor + b.factor, solve: a.solve + b.solve })
    }

    /// The later blocks of a pivot.
    pub fn later_of(&self, k: usize) -> &[Later] {
        let start = k.checked_sub(1).map_or(0, |before| self.pivots[before].ends.later);
        &self.later[start as usize..self.pivots[k].ends.later as usize]
    }

    /// Makes the pivots.
    fn place(&mut self, matrix: &BlockMatrix, steps: &[Step], positions: &[u32]) -> Option<()> {
        let pattern = matrix.pattern();
        let mut ordered_row = 0;
        for step in steps {
            let mut later: Vec<u32> = step.later.iter().map(|k| positions[*k as usize]).filter(|p| *p != NONE).collect();
            later.sort_unstable();
            let describe = |p: &u32| {
                let block = steps[*p as usize].node;
                Later { position: *p, size: pattern.size(block) as u32, width: 0, panel: 0 }
            };
            let first = self.later.len();
            self.later.extend(later.iter().map(describe));
            let (size, width) = (pattern.size(step.node), self.later[first..].iter().map(|l| l.size as usize).sum::<usize>());
            self.pivots.push(Pivot {
                floor: if step.paired { PAIRED } else { floor(step.quality) },
                block: step.node as u32,
                row: pattern.first_row(step.node) as u32,
                ordered_row,
                size: size as u32,
                width: width as u32,
                coupled: later.len() as u32,
                panel: 0,
                start: self.lower_len as u32,
                upper: 0,
                square: self.squares as u32,
                ends: Ends { later: self.later.len() as u32, ..Ends::default() },
            });
            ordered_row += size as u32;
            self.lower_len += size * (size + width);
            self.squares += size * size;
            self.largest = self.largest.max(size);
        }
        let mut upper = 0;
        for pivot in self.pivots.iter_mut().rev() {
            pivot.upper = upper as u32;
            upper += pivot.size as usize * pivot.width as usize;
        }
        self.len = self.lower_len + upper;
        u32::try_from(self.len).ok().map(|_| ())
    }

    fn find_offsets(&mut self) {
        let mut offsets = Vec::new();
        for k in 0..self.pivots.len() {
            let later = self.later_of(k);
            for (a, first) in later.iter().enumerate() {
                let mut offset = 0;
                let mut candidates = self.later_of(first.position as usize).iter();
                for second in &later[a + 1..] {
                    offset += candidates.by_ref().take_while(|c| c.position != second.position).map(|c| c.size).sum::<u32>();
                    offsets.push(offset);
                    offset += second.size;
                }
            }
            self.pivots[k].ends.offsets = offsets.len() as u32;
        }
        self.offsets = offsets;
    }

    /// Where the block in row i, column j of the order starts while it is worked on.
    pub fn locate(&self, i: usize, j: usize) -> u32 {
        let Pivot { panel, size, width, .. } = self.pivots[i.min(j)];
        if i == j {
            return panel;
        }
        let before = self.later_of(i.min(j)).iter().take_while(|l| (l.position as usize) < i.max(j));
        let first = panel + size * if i < j { size + width } else { size };
        first + size * before.map(|l| l.size).sum::<u32>()
    }
}

/// Pivots poorer than this have lost their digits, except where they were poor already when the order was made.
const LOST: f64 = 1e-7;

/// Pivots of a body and its joint have lost nothing, however small they get; below this they are round-off.
const PAIRED: f64 = 1e-14;

fn floor(quality: f64) -> f64 {
    (0.01 * quality).clamp(POOREST, LOST)
}

/// The place of every block in the order.
pub fn positions(matrix: &BlockMatrix, steps: &[Step]) -> Vec<u32> {
    let mut positions = vec![NONE; matrix.pattern().block_rows()];
    steps.iter().enumerate().for_each(|(p, step)| positions[step.node] = p as u32);
    positions
}
