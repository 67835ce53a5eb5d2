//! Where everything lies in the factors of a block matrix, worked out once from a matrix of its pattern.
//!
//! A pivot of size s that is coupled with later blocks of w rows together owns two panels: s (s + w) numbers with D⁻¹ and the blocks L_i of
//! `front.rs`, which the forward sweep reads, and s w numbers with the blocks Ũ_j, which the backward sweep reads; every block column
//! after column without gaps. First come all panels of the one kind in the order of elimination, then those of the other in the
//! opposite order, so that either sweep reads what it needs and nothing else, in the order in which it lies.
//!
//! Of a part of a matrix (`part.rs`) only the first blocks are eliminated; the others have panels as well, which collect what is to be
//! added to the rest of the matrix.

use super::BlockMatrix;
use super::ordering::{POOREST, Step};
use std::ops::Range;

/// No place in the order.
const NONE: u32 = u32::MAX;

/// When blocks of the matrix are copied to the factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// When they are first needed.
    WhenNeeded,
    /// All before the first pivot, so that something can be added to them.
    AtOnce,
}

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
    /// Where its panel of D and L starts.
    pub start: u32,
    /// Where its panel of Ũ starts, counted from the first of these on.
    pub upper: u32,
    /// Where its diagonal block starts if these are stored alone.
    pub square: u32,
    pub ends: Ends,
}

impl Pivot {
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
    /// Its first scalar row in the matrix.
    pub row: u32,
    /// Its scalar rows.
    pub size: u32,
}

impl Later {
    /// Its scalar rows in the matrix.
    pub fn rows(&self) -> Range<usize> {
        self.row as usize..(self.row + self.size) as usize
    }
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

/// What the panels of a pivot are filled with: where it starts in the lists of `Symbolic`, and where it ends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fill {
    pub given: (u32, u32),
    pub zeros: (u32, u32),
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
    pub given: Vec<Given>,
    /// Places without a block of the matrix: start and length.
    pub zeros: Vec<(u32, u32)>,
    /// The parts of both lists that belong to each pivot's panels.
    pub fills: Vec<Fill>,
    /// Numbers in the factors, in their panels of D and L, and in their diagonal blocks.
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
        symbolic.sort_given(matrix, &positions, placement);
        Some(symbolic)
    }

    /// Where the lists of the last eliminated pivot end.
    pub fn ends(&self) -> Ends {
        self.pivots[..self.eliminated].last().map_or(Ends::default(), |p| p.ends)
    }

    /// Counts rows in the order of elimination from now on; gives the first rows of the blocks in the matrix.
    pub fn renumber_rows(&mut self) -> Vec<u32> {
        let rows = self.pivots.iter().map(|p| p.row).collect();
        self.pivots.iter_mut().for_each(|p| p.row = p.ordered_row);
        self.later.iter_mut().for_each(|l| l.row = self.pivots[l.position as usize].row);
        rows
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
                Later { position: *p, row: pattern.first_row(block) as u32, size: pattern.size(block) as u32 }
            };
            let first = self.later.len();
            self.later.extend(later.iter().map(describe));
            let (size, width) = (pattern.size(step.node), self.later[first..].iter().map(|l| l.size as usize).sum::<usize>());
            self.pivots.push(Pivot {
                floor: floor(step.quality),
                block: step.node as u32,
                row: pattern.first_row(step.node) as u32,
                ordered_row,
                size: size as u32,
                width: width as u32,
                coupled: later.len() as u32,
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

    /// Finds the place of every block of the matrix and sorts them by when they are first needed.
    fn sort_given(&mut self, matrix: &BlockMatrix, positions: &[u32], placement: Placement) {
        let pattern = matrix.pattern();
        let locate = |row: usize, column: usize| self.locate(positions[row] as usize, positions[column] as usize);
        let eliminated = self.eliminated as u32;
        let belongs = |a: u32, b: u32| a.max(b) != NONE && a.min(b) < eliminated;
        let mut sorted: Vec<Given> = pattern
            .blocks()
            .filter(|b| belongs(positions[b.row], positions[b.column]))
            .map(|b| {
                let (rows, columns) = (pattern.size(b.row) as u16, pattern.size(b.column) as u16);
                Given { from: b.start as u32, to: locate(b.row, b.column), rows, columns }
            })
            .collect();
        sorted.sort_unstable_by_key(|g| g.to);
        let mut placed = vec![false; self.pivots.len()];
        self.fills = vec![Fill::default(); self.pivots.len()];
        for k in 0..self.eliminated {
            let touched: Vec<usize> = std::iter::once(k).chain(self.later_of(k).iter().map(|l| l.position as usize)).collect();
            for panel in touched {
                if !std::mem::replace(&mut placed[panel], true) {
                    self.place_panels(panel, &sorted);
                }
            }
            if placement == Placement::WhenNeeded {
                (self.pivots[k].ends.given, self.pivots[k].ends.zeros) = (self.given.len() as u32, self.zeros.len() as u32);
            }
        }
    }

    /// Appends what the panels of a pivot are filled with.
    fn place_panels(&mut self, pivot: usize, sorted: &[Given]) {
        let Pivot { start, upper, size, width, .. } = self.pivots[pivot];
        let (given, zeros) = (self.given.len() as u32, self.zeros.len() as u32);
        self.place_panel(start, size * (size + width), sorted);
        self.place_panel(self.lower_len as u32 + upper, size * width, sorted);
        self.fills[pivot] = Fill { given: (given, self.given.len() as u32), zeros: (zeros, self.zeros.len() as u32) };
    }

    fn place_panel(&mut self, start: u32, len: u32, sorted: &[Given]) {
        let (mut at, end) = (start, start + len);
        for given in &sorted[sorted.partition_point(|g| g.to < at)..sorted.partition_point(|g| g.to < end)] {
            if given.to > at {
                self.zeros.push((at, given.to - at));
            }
            self.given.push(*given);
            at = given.to + given.len() as u32;
        }
        if end > at {
            self.zeros.push((at, end - at));
        }
    }

    /// Where the block in row i, column j of the order starts.
    pub fn locate(&self, i: usize, j: usize) -> u32 {
        let pivot = &self.pivots[i.min(j)];
        if i == j {
            return pivot.start;
        }
        let before = self.later_of(i.min(j)).iter().take_while(|l| (l.position as usize) < i.max(j));
        let first = if i < j { self.lower_len as u32 + pivot.upper } else { pivot.start + pivot.size * pivot.size };
        first + pivot.size * before.map(|l| l.size).sum::<u32>()
    }
}

/// Pivots poorer than this have lost their digits, except where they were poor already when the order was made.
const LOST: f64 = 1e-7;

fn floor(quality: f64) -> f64 {
    (0.01 * quality).clamp(POOREST, LOST)
}

/// The place of every block in the order.
pub fn positions(matrix: &BlockMatrix, steps: &[Step]) -> Vec<u32> {
    let mut positions = vec![NONE; matrix.pattern().block_rows()];
    steps.iter().enumerate().for_each(|(p, step)| positions[step.node] = p as u32);
    positions
}
