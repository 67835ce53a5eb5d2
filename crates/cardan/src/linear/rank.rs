//! Rank of a sparse constraint Jacobian G (m rows, columns in blocks of at most six), and the rows that are redundant.
//!
//! Multifrontal Gaussian elimination, block of columns after block of columns. With ĝ_i the rows of G scaled to unit norm,
//! a front gathers all active rows that touch a block; pivots p are taken in the block's columns only, and every other row
//!
//!     row_i ← row_i − c_ip row_p                                                                       (1)
//!
//! keeps its identity, so that a row whose entries all vanish is ĝ_i minus a combination of pivot rows: it is redundant.
//! Its null vector n (nᵀG = 0, n_i = 1) follows from the recorded c by substitution backwards through the pivots,
//!
//!     n = e_i,   then for pivots p from the last to the first:   n_q ← n_q − c_pq n_p .                  (2)
//!
//! Blocks with the fewest active rows go first. Among entries within a factor of ten of the largest, the earliest row is the
//! pivot: what is called redundant is then, as a rule, what came later in the model (see [`super::null_space`]).

use super::null_space::prefer_later;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
    pub combination: Vec<(usize, f64)>,
}

/// The result of [`analyze`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rank {
    /// Number of independent rows.
    pub rank: usize,
    /// The others, by row.
    pub redundant: Vec<Redundant>,
}

/// An entry this small, relative to a row of norm one, counts as zero.
const TOLERANCE: f64 = 1e-9;
/// The same, relative to the largest value the row had on the way: the level of round-off.
const NOISE: f64 = 1e-12;
/// Fill this small is dropped.
const DROP: f64 = 1e-14;
/// How much smaller than the largest a pivot may be.
const THRESHOLD: f64 = 0.1;

/// Finds the rank and the redundant rows.
pub fn analyze(matrix: &BlockRows) -> Rank {
    let mut elimination = Elimination::new(matrix);
    elimination.run();
    let mut redundant = std::mem::take(&mut elimination.redundant);
    redundant.sort_unstable();
    let mut substitution = Substitution::new(matrix.rows.len());
    let null_space = redundant.into_iter().map(|row| (row, substitution.null_vector(row, &elimination))).collect();
    let redundant: Vec<Redundant> = prefer_later(null_space).into_iter().map(|(row, n)| unscale(row, n, &elimination.norms)).collect();
    Rank { rank: matrix.rows.len() - redundant.len(), redundant }
}

/// From unit rows back to the given ones.
fn unscale(row: usize, mut n: Vec<(usize, f64)>, norms: &[f64]) -> Redundant {
    n.sort_unstable_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(&b.0)));
    let norm = |row: usize| if norms[row] > 0.0 { norms[row] } else { 1.0 };
    let own = n.iter().find(|x| x.0 == row).map_or(1.0, |x| x.1) / norm(row);
    Redundant { row, combination: n.into_iter().map(|(r, c)| (r, if r == row { 1.0 } else { c / norm(r) / own })).collect() }
}

struct Elimination {
    rows: Vec<Vec<Entry>>,
    norms: Vec<f64>,
    /// Largest value a row has had.
    peaks: Vec<f64>,
    /// When a row became a pivot; `usize::MAX` if it did not.
    order: Vec<usize>,
    /// c of equation (1) for every row, in order of time.
    multipliers: Vec<Vec<(usize, f64)>>,
    /// Rows that touch, or once touched, a block.
    touching: Vec<Vec<usize>>,
    degrees: Vec<usize>,
    queue: BinaryHeap<Reverse<(usize, usize)>>,
    pivots: usize,
    redundant: Vec<usize>,
    /// Place of a block among those of the current front.
    places: Vec<usize>,
    front: Vec<f64>,
}

impl Elimination {
    fn new(matrix: &BlockRows) -> Self {
        let m = matrix.rows.len();
        let mut this = Self {
            rows: matrix.rows.clone(),
            norms: vec![0.0; m],
            peaks: vec![1.0; m],
            order: vec![usize::MAX; m],
            multipliers: vec![Vec::new(); m],
            touching: vec![Vec::new(); matrix.blocks],
            degrees: vec![0; matrix.blocks],
            queue: BinaryHeap::new(),
            pivots: 0,
            redundant: Vec::new(),
            places: vec![usize::MAX; matrix.blocks],
            front: Vec::new(),
        };
        for row in 0..m {
            this.normalize(row);
        }
        this.queue.extend(this.degrees.iter().enumerate().map(|(block, degree)| Reverse((*degree, block))));
        this
    }

    fn normalize(&mut self, row: usize) {
        let entries = &mut self.rows[row];
        entries.retain(|(_, x)| x.iter().any(|x| *x != 0.0));
        let largest = entries.iter().flat_map(|e| e.1).fold(0.0, |m: f64, x| m.max(x.abs()));
        let norm = largest * entries.iter().flat_map(|e| e.1).map(|x| (x / largest).powi(2)).sum::<f64>().sqrt();
        self.norms[row] = norm;
        if entries.is_empty() {
            self.redundant.push(row);
            return;
        }
        for (block, values) in entries {
            values.iter_mut().for_each(|x| *x /= norm);
            self.touching[*block].push(row);
            self.degrees[*block] += 1;
        }
    }

    fn run(&mut self) {
        let mut done = vec![false; self.degrees.len()];
        while let Some(Reverse((degree, block))) = self.queue.pop() {
            if !done[block] && degree == self.degrees[block] {
                done[block] = true;
                self.eliminate(block);
            }
        }
    }

    fn eliminate(&mut self, block: usize) {
        let mut rows = std::mem::take(&mut self.touching[block]);
        rows.retain(|r| self.order[*r] == usize::MAX && self.rows[*r].iter().any(|e| e.0 == block));
        rows.sort_unstable();
        rows.dedup();
        let blocks = self.gather(block, &rows);
        let is_pivot = self.factor_front(&rows, BLOCK * blocks.len());
        self.scatter(&rows, &is_pivot, &blocks);
        for b in blocks {
            self.places[b] = usize::MAX;
            self.queue.push(Reverse((self.degrees[b], b)));
        }
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
                self.degrees[*b] -= 1;
            }
        }
        blocks
    }

    fn tolerance(&self, row: usize) -> f64 {
        TOLERANCE.max(NOISE * self.peaks[row])
    }

    /// Eliminates the first block's columns (equation 1) and says which rows were pivots.
    fn factor_front(&mut self, rows: &[usize], width: usize) -> Vec<bool> {
        let mut front = std::mem::take(&mut self.front);
        let mut is_pivot = vec![false; rows.len()];
        while let Some((p, column)) = self.choose_pivot(rows, &is_pivot, &front, width) {
            is_pivot[p] = true;
            self.order[rows[p]] = self.pivots;
            self.pivots += 1;
            let pivot_row = front[p * width..(p + 1) * width].to_vec();
            for (i, row) in front.chunks_exact_mut(width).enumerate() {
                if is_pivot[i] || row[column] == 0.0 {
                    continue;
                }
                let c = row[column] / pivot_row[column];
                let mut peak = self.peaks[rows[i]];
                for (x, y) in row.iter_mut().zip(&pivot_row) {
                    *x -= c * y;
                    peak = peak.max(x.abs());
                }
                row[column] = 0.0;
                self.peaks[rows[i]] = peak;
                self.multipliers[rows[i]].push((rows[p], c));
            }
        }
        self.front = front;
        is_pivot
    }

    fn choose_pivot(&self, rows: &[usize], is_pivot: &[bool], front: &[f64], width: usize) -> Option<(usize, usize)> {
        let largest_of = |i: usize| {
            let own = &front[i * width..i * width + BLOCK];
            (0..BLOCK).map(|c| (own[c].abs(), c)).fold((0.0, 0), |best, x| if x.0 > best.0 { x } else { best })
        };
        let candidates: Vec<(usize, (f64, usize))> = (0..rows.len())
            .filter(|i| !is_pivot[*i])
            .map(|i| (i, largest_of(i)))
            .filter(|(i, (size, _))| *size > self.tolerance(rows[*i]))
            .collect();
        let largest = candidates.iter().fold(0.0, |m: f64, (_, (size, _))| m.max(*size));
        candidates.into_iter().find(|(_, (size, _))| *size >= THRESHOLD * largest).map(|(i, (_, column))| (i, column))
    }

    /// Writes the rows that are left back; those without entries are redundant.
    fn scatter(&mut self, rows: &[usize], is_pivot: &[bool], blocks: &[usize]) {
        let width = BLOCK * blocks.len();
        for (i, row) in rows.iter().enumerate() {
            let before = std::mem::take(&mut self.rows[*row]);
            if is_pivot[i] {
                continue;
            }
            let values = &self.front[i * width + BLOCK..(i + 1) * width];
            if values.iter().all(|x| x.abs() <= self.tolerance(*row)) {
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
                self.degrees[*b] += 1;
                if !before.iter().any(|e| e.0 == *b) {
                    self.touching[*b].push(*row);
                }
            }
        }
    }
}

/// Work arrays of equation (2).
struct Substitution {
    n: Vec<f64>,
    queued: Vec<bool>,
    heap: BinaryHeap<(usize, usize)>,
}

impl Substitution {
    fn new(rows: usize) -> Self {
        Self { n: vec![0.0; rows], queued: vec![false; rows], heap: BinaryHeap::new() }
    }

    fn null_vector(&mut self, row: usize, elimination: &Elimination) -> Vec<(usize, f64)> {
        let mut result = vec![(row, 1.0)];
        self.spread(row, 1.0, elimination);
        while let Some((_, p)) = self.heap.pop() {
            let x = std::mem::take(&mut self.n[p]);
            self.queued[p] = false;
            if x.abs() > TOLERANCE {
                result.push((p, x));
            }
            self.spread(p, x, elimination);
        }
        result
    }

    fn spread(&mut self, row: usize, x: f64, elimination: &Elimination) {
        for (q, c) in &elimination.multipliers[row] {
            self.n[*q] -= c * x;
            if !self.queued[*q] {
                self.queued[*q] = true;
                self.heap.push((elimination.order[*q], *q));
            }
        }
    }
}
