//! Where everything lies in the factors of a block matrix, worked out once from a matrix of its pattern.
//!
//! A pivot of size s that is coupled with later blocks of w rows together owns s × s, s × w and w × s numbers, one after the other: D⁻¹,
//! Ũ and L of `block_lu.rs`, each column after column.

use super::BlockMatrix;
use super::ordering::order;

/// A block that a pivot is coupled with.
#[derive(Debug, Clone, Copy)]
pub struct Later {
    /// Its place in the order.
    pub position: usize,
    /// Its scalar rows.
    pub size: usize,
    /// Its first scalar row in the matrix.
    pub row: usize,
    /// Its first row among those of the pivot's panels.
    offset: usize,
}

/// One step of the elimination.
#[derive(Debug, Clone)]
pub struct Pivot {
    /// The block row of the matrix.
    pub block: usize,
    /// Its first scalar row there.
    pub row: usize,
    /// s.
    pub size: usize,
    /// w.
    pub width: usize,
    /// Where its numbers start.
    pub start: usize,
    /// The blocks it is coupled with, in the order of elimination.
    pub later: Vec<Later>,
    /// Their scalar rows are `Symbolic::rows[first..first + width]`.
    pub first: usize,
    /// The targets of its updates start here in `Symbolic::targets`, column after column of blocks.
    pub targets: usize,
}

/// A block of the given matrix and where it goes.
#[derive(Debug, Clone, Copy)]
pub struct Given {
    pub from: usize,
    pub rows: usize,
    pub columns: usize,
    pub to: usize,
    pub stride: usize,
}

/// The elimination of a pattern.
#[derive(Debug)]
pub struct Symbolic {
    pub pivots: Vec<Pivot>,
    pub given: Vec<Given>,
    /// Scalar rows of the later blocks of all pivots.
    pub rows: Vec<u32>,
    /// Start and stride of the blocks that updates go to.
    pub targets: Vec<(u32, u32)>,
    /// Numbers in the factors.
    pub len: usize,
    /// Largest w.
    pub widest: usize,
    /// Largest s.
    pub largest: usize,
}

impl Symbolic {
    /// Orders the blocks of a matrix and lays out the factors; `None` if they fill too much.
    pub fn new(matrix: &BlockMatrix) -> Option<Self> {
        let pattern = matrix.pattern();
        let mut symbolic = Self { pivots: vec![], given: vec![], rows: vec![], targets: vec![], len: 0, widest: 0, largest: 0 };
        let position = symbolic.place(matrix)?;
        symbolic.find_targets();
        symbolic.given = pattern
            .blocks()
            .map(|b| {
                let (to, stride) = symbolic.locate(position[b.row], position[b.column]);
                Given { from: b.start, rows: pattern.size(b.row), columns: pattern.size(b.column), to, stride }
            })
            .collect();
        Some(symbolic)
    }

    /// Makes the pivots; gives the position of every block.
    fn place(&mut self, matrix: &BlockMatrix) -> Option<Vec<usize>> {
        let pattern = matrix.pattern();
        let steps = order(matrix)?;
        let mut position = vec![0; steps.len()];
        steps.iter().enumerate().for_each(|(p, step)| position[step.node] = p);
        for step in &steps {
            let mut positions: Vec<usize> = step.later.iter().map(|k| position[*k]).collect();
            positions.sort_unstable();
            let mut width = 0;
            let later: Vec<Later> = positions
                .into_iter()
                .map(|p| {
                    let block = steps[p].node;
                    let later = Later { position: p, size: pattern.size(block), row: pattern.first_row(block), offset: width };
                    width += later.size;
                    later
                })
                .collect();
            let (first, size) = (self.rows.len(), pattern.size(step.node));
            self.rows.extend(later.iter().flat_map(|l| (l.row..l.row + l.size).map(|r| r as u32)));
            let (block, row, start) = (step.node, pattern.first_row(step.node), self.len);
            self.len += size * (size + 2 * width);
            self.widest = self.widest.max(width);
            self.largest = self.largest.max(size);
            self.pivots.push(Pivot { block, row, size, width, start, later, first, targets: 0 });
        }
        Some(position)
    }

    fn find_targets(&mut self) {
        for k in 0..self.pivots.len() {
            self.pivots[k].targets = self.targets.len();
            let later: Vec<usize> = self.pivots[k].later.iter().map(|l| l.position).collect();
            for j in &later {
                for i in &later {
                    let (start, stride) = self.locate(*i, *j);
                    self.targets.push((start as u32, stride as u32));
                }
            }
        }
    }

    /// Start and stride of the block in row i, column j of the order.
    fn locate(&self, i: usize, j: usize) -> (usize, usize) {
        let offset = |p: &Pivot, of: usize| {
            let k = p.later.partition_point(|l| l.position < of);
            p.later[k].offset
        };
        match i.cmp(&j) {
            std::cmp::Ordering::Equal => (self.pivots[i].start, self.pivots[i].size),
            std::cmp::Ordering::Less => {
                let p = &self.pivots[i];
                (p.start + p.size * (p.size + offset(p, j)), p.size)
            }
            std::cmp::Ordering::Greater => {
                let p = &self.pivots[j];
                (p.start + p.size * (p.size + p.width) + offset(p, i), p.width)
            }
        }
    }
}
