//! A block matrix on its way through the elimination, when the order is not known yet: blocks appear as the matrix fills.
//!
//! The largest size that an entry of the diagonal has had is the measure of its pivots. Rows of constraints start with zero or with the small
//! −ε of a regularisation, which says nothing. Those that do not follow a body of theirs at once get at least what the elimination of one
//! of the bodies j they act on will give,
//!
//! ```text
//! d_i = min_j max |A_ij A_ji / A_jj|      where A_ii ≤ 0 < A_jj                                      (1)
//! ```

use super::kernels;
use crate::BlockMatrix;

/// No place.
const NONE: u32 = u32::MAX;

/// A block of a row: its column and where its numbers are.
#[derive(Debug, Clone, Copy)]
struct Entry {
    column: u32,
    start: usize,
}

/// What is left of a matrix. The pattern is kept symmetric.
#[derive(Debug)]
pub struct Graph {
    /// Blocks that are left, without those on the diagonal, in no order.
    rows: Vec<Vec<Entry>>,
    diagonals: Vec<usize>,
    values: Vec<f64>,
    sizes: Vec<usize>,
    /// Scalar rows that the elimination of a block would couple.
    degrees: Vec<usize>,
    left: Vec<bool>,
    /// Largest size of the diagonal entries so far; those of a block start at its first row.
    peak: Vec<f64>,
    first_row: Vec<usize>,
    /// Work arrays: place of each column in a row, blocks of the pivot's row and one of its column.
    place: Vec<u32>,
    upper: Vec<f64>,
    lower: Vec<f64>,
    small: Vec<f64>,
}

impl Graph {
    pub fn new(matrix: &BlockMatrix) -> Self {
        let pattern = matrix.pattern();
        let n = pattern.block_rows();
        let sizes: Vec<usize> = (0..n).map(|k| pattern.size(k)).collect();
        let mut graph = Self {
            rows: vec![Vec::new(); n],
            diagonals: vec![0; n],
            values: Vec::with_capacity(2 * matrix.values.len()),
            degrees: vec![0; n],
            left: vec![true; n],
            peak: vec![0.0; pattern.dimension()],
            first_row: (0..n).map(|k| pattern.first_row(k)).collect(),
            place: vec![NONE; n],
            upper: Vec::new(),
            lower: Vec::new(),
            small: vec![0.0; sizes.iter().copied().max().unwrap_or(0)],
            sizes,
        };
        (0..n).for_each(|k| graph.diagonals[k] = graph.make_room(k, k));
        graph.fill_from(matrix);
        graph
    }

    fn fill_from(&mut self, matrix: &BlockMatrix) {
        let mut given: Vec<_> = matrix.pattern().blocks().map(|b| (b.row, b.column, Some(b.start))).collect();
        given.extend(matrix.pattern().blocks().filter(|b| b.row != b.column).map(|b| (b.column, b.row, None)));
        // Of a block and the mirror image of its partner, the given one comes first.
        given.sort_unstable_by_key(|(row, column, start)| (*row, *column, start.is_none()));
        given.dedup_by_key(|(row, column, _)| (*row, *column));
        for (row, column, from) in given {
            let len = self.sizes[row] * self.sizes[column];
            let start = if row == column { self.diagonals[row] } else { self.add_block(row, column) };
            if let Some(from) = from {
                self.values[start..start + len].copy_from_slice(&matrix.values[from..from + len]);
            }
        }
        (0..self.sizes.len()).for_each(|k| self.raise_peak(k));
        let pattern = matrix.pattern();
        let mut follows = vec![false; self.sizes.len()];
        (0..follows.len()).filter_map(|k| pattern.follower(k)).for_each(|k| follows[k] = true);
        (0..follows.len()).filter(|k| !follows[*k]).for_each(|k| self.foresee_peak(k));
    }

    /// Equation (1).
    fn foresee_peak(&mut self, i: usize) {
        let (m, own) = (self.sizes[i], self.diagonals[i]);
        for r in (0..m).filter(|r| self.values[own + r * (m + 1)] <= 0.0) {
            let sizes = self.rows[i].iter().map(|entry| self.foreseen(i, r, entry)).filter(|size| *size > 0.0);
            let least = sizes.fold(f64::INFINITY, f64::min);
            if least.is_finite() {
                let peak = &mut self.peak[self.first_row[i] + r];
                *peak = peak.max(least);
            }
        }
    }

    /// What the elimination of one body would make of the diagonal of row r of block i.
    fn foreseen(&self, i: usize, r: usize, entry: &Entry) -> f64 {
        let (j, m) = (entry.column as usize, self.sizes[i]);
        let (n, other) = (self.sizes[j], self.diagonals[j]);
        let Some(mirror) = self.rows[j].iter().find(|e| e.column as usize == i) else { return 0.0 };
        let size = |c: usize| {
            let pivot = self.values[other + c * (n + 1)];
            let product = self.values[entry.start + c * m + r] * self.values[mirror.start + r * n + c];
            if pivot > 0.0 { (product / pivot).abs() } else { 0.0 }
        };
        (0..n).map(size).fold(0.0, f64::max)
    }

    fn make_room(&mut self, row: usize, column: usize) -> usize {
        let start = self.values.len();
        self.values.resize(start + self.sizes[row] * self.sizes[column], 0.0);
        start
    }

    fn add_block(&mut self, row: usize, column: usize) -> usize {
        let start = self.make_room(row, column);
        self.rows[row].push(Entry { column: column as u32, start });
        self.degrees[row] += self.sizes[column];
        start
    }

    fn raise_peak(&mut self, k: usize) {
        let (size, start) = (self.sizes[k], self.diagonals[k]);
        for r in 0..size {
            let peak = &mut self.peak[self.first_row[k] + r];
            *peak = peak.max(self.values[start + r * (size + 1)].abs());
        }
    }

    /// Scalar rows that the elimination of a block would couple.
    pub fn degree(&self, k: usize) -> usize {
        self.degrees[k]
    }

    /// Whether a block has not been eliminated yet.
    pub fn is_left(&self, k: usize) -> bool {
        self.left[k]
    }

    /// The diagonal block and the largest sizes that its diagonal has had.
    pub fn diagonal(&mut self, k: usize) -> (&[f64], &mut [f64]) {
        let (size, start, row) = (self.sizes[k], self.diagonals[k], self.first_row[k]);
        (&self.values[start..start + size * size], &mut self.peak[row..row + size])
    }

    /// How much the elimination of a block would change the diagonals of others, relative to their largest size so far.
    pub fn growth(&mut self, k: usize, inverse: &[f64]) -> f64 {
        let (s, mut growth) = (self.sizes[k], 0.0_f64);
        for e in 0..self.rows[k].len() {
            let (i, start) = (self.rows[k][e].column as usize, self.rows[k][e].start);
            let (m, first) = (self.sizes[i], self.first_row[i]);
            let Some(lower) = self.rows[i].iter().find(|e| e.column as usize == k).map(|e| e.start) else { continue };
            self.upper.clear();
            self.upper.extend_from_slice(&self.values[start..start + s * m]);
            kernels::multiply_in_place(s, inverse, &mut self.upper, &mut self.small);
            for r in 0..m {
                let change: f64 = (0..s).map(|p| self.values[lower + p * m + r] * self.upper[r * s + p]).sum();
                if change != 0.0 {
                    growth = growth.max(change.abs() / self.peak[first + r]);
                }
            }
        }
        growth
    }

    /// Takes out a block: A_ij ← A_ij − A_ik A_kk⁻¹ A_kj. Gives the blocks that it was coupled with.
    pub fn eliminate(&mut self, k: usize, inverse: &[f64]) -> Vec<u32> {
        let row = std::mem::take(&mut self.rows[k]);
        let s = self.sizes[k];
        self.left[k] = false;
        self.upper.clear();
        for entry in &row {
            self.upper.extend_from_slice(&self.values[entry.start..entry.start + s * self.sizes[entry.column as usize]]);
        }
        kernels::multiply_in_place(s, inverse, &mut self.upper, &mut self.small);
        for entry in &row {
            self.update_row(entry.column as usize, k, &row);
        }
        row.iter().map(|e| e.column).collect()
    }

    /// The part of `eliminate` in row i.
    fn update_row(&mut self, i: usize, k: usize, pivot_row: &[Entry]) {
        let (m, s) = (self.sizes[i], self.sizes[k]);
        let Some(found) = self.rows[i].iter().position(|e| e.column as usize == k) else { return };
        let lower = self.rows[i].swap_remove(found).start;
        self.degrees[i] -= s;
        self.lower.clear();
        self.lower.extend_from_slice(&self.values[lower..lower + m * s]);
        for (place, entry) in self.rows[i].iter().enumerate() {
            self.place[entry.column as usize] = place as u32;
        }
        let mut offset = 0;
        for entry in pivot_row {
            let j = entry.column as usize;
            let start = match self.place[j] {
                _ if i == j => self.diagonals[i],
                NONE => self.add_block(i, j),
                place => self.rows[i][place as usize].start,
            };
            let n = self.sizes[j];
            kernels::subtract_product(m, s, &self.lower, &self.upper[offset..offset + s * n], &mut self.values[start..start + m * n]);
            offset += s * n;
        }
        for entry in &self.rows[i] {
            self.place[entry.column as usize] = NONE;
        }
        self.raise_peak(i);
    }
}
