//! Rank of a sparse constraint Jacobian G (m rows, columns in blocks of at most six), and the rows that are redundant.
//!
//! Multifrontal Gaussian elimination, block of columns after block of columns. With ĝ_i the rows of G scaled to unit norm,
//! a front gathers all active rows that touch a block; pivots p are taken in the block's columns only, and every other row
//!
//! ```text
//! row_i ← row_i − c_ip row_p,    |c_ip| ≤ 1 or hardly more                                          (1)
//! ```
//!
//! keeps its identity, so that a row whose entries all vanish is ĝ_i minus a combination of others: it is redundant, and its
//! null vector n (nᵀG = 0, n_i = 1) follows from the record of operations (1). Where a front leaves more rows than it has
//! columns, they are reduced among themselves (1) at once: redundancy is found where it is, and fronts stay small.
//!
//! Blocks whose front has the fewest blocks go first (minimum degree, on the rows that are really left). The largest entry is
//! the pivot, whatever its row: with pivots ten times smaller, as sparse codes accept them, rows were seen to grow by 1e12 on
//! a grid of hinges. Which of the rows are then called redundant is decided afterwards, see the echelon form of `null_space`.

mod null_space;
mod row_operations;

pub use row_operations::NullSpace;

use null_space::prefer_later;
use row_operations::{Backtrack, RowOperations};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Largest number of columns in a block.
pub const BLOCK: usize = 6;

/// One block of a row: the block's number and its values (unused columns are zero).
pub type Entry = (usize, [f64; BLOCK]);

/// A sparse matrix by rows, its columns grouped in blocks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BlockRows {
    /// Number of column blocks.
    pub blocks: usize,
    /// The rows; each block at most once in a row.
    pub rows: Vec<Vec<Entry>>,
}

/// A row that depends on others.
#[derive(Debug, Clone, PartialEq)]
pub struct Redundant {
    /// The row.
    pub row: usize,
    /// nᵀG = 0: rows and coefficients, the redundant row with coefficient 1, the largest share (|n_i| · norm of row i) first.
    /// Empty where it is too long to be written out (large meshes of loops); [`NullSpace`] is complete.
    pub combination: Vec<(usize, f64)>,
}

/// The result of [`analyze`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rank {
    /// Number of independent rows.
    pub rank: usize,
    /// The others, by row.
    pub redundant: Vec<Redundant>,
    /// All null vectors of Gᵀ, as the operations that lead to them.
    pub null_space: NullSpace,
}

/// An entry this small, relative to a row of norm one, counts as zero.
const TOLERANCE: f64 = 1e-9;
/// The same, relative to the largest value the row had on the way: the level of round-off.
const NOISE: f64 = 1e-12;
/// Fill this small is dropped.
const DROP: f64 = 1e-14;
/// Pivots this near to the largest count as equal; the earliest row is taken.
const EQUAL: f64 = 0.99;

/// Finds the rank and the redundant rows.
pub fn analyze(matrix: &BlockRows) -> Rank {
    let mut elimination = Elimination::new(matrix);
    elimination.run();
    let mut redundant = std::mem::take(&mut elimination.redundant);
    redundant.sort_unstable();
    let mut backtrack = Backtrack::new(&elimination.record);
    let found: Vec<_> = redundant.iter().map(|row| (*row, backtrack.combination(*row, TOLERANCE))).collect();
    let written = found.iter().map(|(row, n)| n.clone().map(|n| (*row, n))).collect::<Option<Vec<_>>>().map(prefer_later);
    let chosen = written.unwrap_or_else(|| found.into_iter().map(|(row, n)| (row, n.unwrap_or_default())).collect());
    Rank {
        rank: matrix.rows.len() - chosen.len(),
        redundant: chosen.into_iter().map(|(row, n)| unscale(row, n, &elimination.norms)).collect(),
        null_space: NullSpace::new(elimination.record, elimination.norms, redundant),
    }
}

/// From unit rows back to the given ones.
fn unscale(row: usize, mut n: Vec<(usize, f64)>, norms: &[f64]) -> Redundant {
    n.sort_unstable_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    let own = n.iter().find(|x| x.0 == row).map_or(1.0, |x| x.1) / norms[row];
    Redundant { row, combination: n.into_iter().map(|(r, c)| (r, if r == row { 1.0 } else { c / norms[r] / own })).collect() }
}

struct Elimination {
    rows: Vec<Vec<Entry>>,
    norms: Vec<f64>,
    /// Largest value a row has had.
    peaks: Vec<f64>,
    /// Rows that are neither pivots nor redundant.
    active: Vec<bool>,
    /// The operations (1).
    record: RowOperations,
    /// Rows that touch, or once touched, a block.
    touching: Vec<Vec<usize>>,
    /// Blocks and rows in a block's front; the largest possible once it is eliminated.
    costs: Vec<(usize, usize)>,
    queue: BinaryHeap<Reverse<((usize, usize), usize)>>,
    redundant: Vec<usize>,
    /// Place of a block among those of the current front.
    places: Vec<usize>,
    /// Blocks with the current mark have been counted.
    marks: Vec<usize>,
    mark: usize,
    front: Vec<f64>,
}

impl Elimination {
    fn new(matrix: &BlockRows) -> Self {
        let m = matrix.rows.len();
        let mut this = Self {
            rows: matrix.rows.clone(),
            norms: vec![0.0; m],
            peaks: vec![1.0; m],
            active: vec![true; m],
            record: RowOperations::new(m),
            touching: vec![Vec::new(); matrix.blocks],
            costs: vec![(0, 0); matrix.blocks],
            queue: BinaryHeap::new(),
            redundant: Vec::new(),
            places: vec![usize::MAX; matrix.blocks],
            marks: vec![0; matrix.blocks],
            mark: 0,
            front: Vec::new(),
        };
        for row in 0..m {
            this.normalize(row);
        }
        (0..matrix.blocks).for_each(|block| this.enqueue(block));
        this
    }

    fn normalize(&mut self, row: usize) {
        let entries = &mut self.rows[row];
        entries.retain(|(_, x)| x.iter().any(|x| *x != 0.0));
        let largest = entries.iter().flat_map(|e| e.1).fold(0.0, |m: f64, x| m.max(x.abs()));
        let norm = largest * entries.iter().flat_map(|e| e.1).map(|x| (x / largest).powi(2)).sum::<f64>().sqrt();
        self.norms[row] = if norm > 0.0 { norm } else { 1.0 };
        if entries.is_empty() {
            self.active[row] = false;
            self.redundant.push(row);
            return;
        }
        for (block, values) in entries.iter_mut() {
            values.iter_mut().for_each(|x| *x /= norm);
            self.touching[*block].push(row);
        }
    }

    /// Puts a block in the queue with its current cost.
    fn enqueue(&mut self, block: usize) {
        let mut rows = std::mem::take(&mut self.touching[block]);
        rows.retain(|r| self.active[*r] && self.rows[*r].iter().any(|e| e.0 == block));
        rows.sort_unstable();
        rows.dedup();
        self.mark += 1;
        let mut blocks = 0;
        for (b, _) in rows.iter().flat_map(|r| &self.rows[*r]) {
            blocks += usize::from(self.marks[*b] != self.mark);
            self.marks[*b] = self.mark;
        }
        self.costs[block] = (blocks, rows.len());
        self.queue.push(Reverse((self.costs[block], block)));
        self.touching[block] = rows;
    }

    fn run(&mut self) {
        while let Some(Reverse((cost, block))) = self.queue.pop() {
            if cost == self.costs[block] {
                self.costs[block] = (usize::MAX, usize::MAX);
                self.eliminate(block);
            }
        }
    }

    fn eliminate(&mut self, block: usize) {
        let rows = std::mem::take(&mut self.touching[block]);
        let blocks = self.gather(block, &rows);
        let width = BLOCK * blocks.len();
        let mut used = vec![false; rows.len()];
        self.reduce(&rows, &mut used, 0..BLOCK, width);
        rows.iter().zip(&used).for_each(|(row, used)| self.active[*row] = !used);
        if used.iter().filter(|u| !**u).count() > width - BLOCK {
            self.reduce(&rows, &mut used, BLOCK..width, width);
        }
        self.scatter(&rows, &blocks);
        blocks.iter().for_each(|b| self.places[*b] = usize::MAX);
        blocks[1..].iter().for_each(|b| self.enqueue(*b));
    }

    /// Copies the rows into the dense front; the block to be eliminated comes first.
    fn gather(&mut self, block: usize, rows: &[usize]) -> Vec<usize> {
        let mut blocks = vec![block];
        self.places[block] = 0;
        for (b, _) in rows.iter().flat_map(|r| &self.rows[*r]) {
            if self.places[*b] == usize::MAX {
                self.places[*b] = blocks.len();
                blocks.push(*b);
            }
        }
        let width = BLOCK * blocks.len();
        self.front.clear();
        self.front.resize(rows.len() * width, 0.0);
        for (row, values) in rows.iter().zip(self.front.chunks_exact_mut(width)) {
            for (b, x) in &self.rows[*row] {
                values[BLOCK * self.places[*b]..][..BLOCK].copy_from_slice(x);
            }
        }
        blocks
    }

    fn tolerance(&self, row: usize) -> f64 {
        TOLERANCE.max(NOISE * self.peaks[row])
    }

    /// Reduces the rows not yet used with pivots in these columns (equation 1), which are then used.
    fn reduce(&mut self, rows: &[usize], used: &mut [bool], columns: Range<usize>, width: usize) {
        let mut front = std::mem::take(&mut self.front);
        while let Some((p, column)) = self.choose_pivot(rows, used, &front, &columns, width) {
            used[p] = true;
            let pivot_row = front[p * width..(p + 1) * width].to_vec();
            for (i, row) in front.chunks_exact_mut(width).enumerate() {
                if used[i] || row[column] == 0.0 {
                    continue;
                }
                let c = row[column] / pivot_row[column];
                let mut peak = self.peaks[rows[i]];
                for (x, y) in row[columns.start..].iter_mut().zip(&pivot_row[columns.start..]) {
                    *x -= c * y;
                    peak = peak.max(x.abs());
                }
                row[column] = 0.0;
                self.peaks[rows[i]] = peak;
                self.record.push(rows[i], rows[p], c);
            }
        }
        self.front = front;
    }

    fn choose_pivot(&self, rows: &[usize], used: &[bool], front: &[f64], columns: &Range<usize>, width: usize) -> Option<(usize, usize)> {
        let mut best: Option<(f64, usize, usize)> = None;
        for i in (0..rows.len()).filter(|i| !used[*i]) {
            let tolerance = self.tolerance(rows[i]);
            for (column, x) in front[i * width..(i + 1) * width][columns.clone()].iter().enumerate() {
                if x.abs() > tolerance && best.is_none_or(|b| EQUAL * x.abs() > b.0) {
                    best = Some((x.abs(), i, columns.start + column));
                }
            }
        }
        best.map(|(_, i, column)| (i, column))
    }

    /// Writes the rows that are left back; those without entries are redundant.
    fn scatter(&mut self, rows: &[usize], blocks: &[usize]) {
        let width = BLOCK * blocks.len();
        for (i, row) in rows.iter().enumerate() {
            let before = std::mem::take(&mut self.rows[*row]);
            if !self.active[*row] {
                continue;
            }
            let values = &self.front[i * width + BLOCK..(i + 1) * width];
            if values.iter().all(|x| x.abs() <= self.tolerance(*row)) {
                self.active[*row] = false;
                self.redundant.push(*row);
                continue;
            }
            let drop = DROP * self.peaks[*row];
            for (b, x) in blocks[1..].iter().zip(values.chunks_exact(BLOCK)) {
                if x.iter().all(|x| x.abs() <= drop) {
                    continue;
                }
                let mut entry = [0.0; BLOCK];
                entry.copy_from_slice(x);
                self.rows[*row].push((*b, entry));
                if !before.iter().any(|e| e.0 == *b) {
                    self.touching[*b].push(*row);
                }
            }
        }
    }
}
