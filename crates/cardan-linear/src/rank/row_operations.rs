//! A record of row operations row_i ← row_i − c row_p, and the combinations of original rows that they amount to.
//!
//! A combination w of the rows as they are after an operation is, in terms of the rows before it, the same with
//!
//! ```text
//! w_p ← w_p − c w_i .                                                                              (1)
//! ```
//!
//! So the combination of original rows that a row has become follows from w = e_i by going backwards through the record,
//! visiting only operations on rows whose weight is not zero.

use std::collections::BinaryHeap;

/// A combination that takes more operations than this is not written out.
const LONGEST: usize = 20_000;
/// Nor are any after this many operations altogether.
const BUDGET: usize = 20_000_000;

/// No operation.
const NONE: usize = usize::MAX;

#[derive(Debug, Clone, PartialEq)]
struct Operation {
    target: usize,
    source: usize,
    factor: f64,
    /// The operation on the same target before this one.
    previous: usize,
    /// The last operation on the source before this one.
    before_source: usize,
}

/// Row operations in the order in which they were done.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RowOperations {
    operations: Vec<Operation>,
    /// The last operation on each row.
    last: Vec<usize>,
}

impl RowOperations {
    pub(super) fn new(rows: usize) -> Self {
        Self { operations: Vec::new(), last: vec![NONE; rows] }
    }

    /// Records row_target ← row_target − factor · row_source.
    pub(super) fn push(&mut self, target: usize, source: usize, factor: f64) {
        let (previous, before_source) = (self.last[target], self.last[source]);
        self.last[target] = self.operations.len();
        self.operations.push(Operation { target, source, factor, previous, before_source });
    }

    /// Does all operations on a column of numbers, one per row.
    pub(super) fn apply(&self, column: &mut [f64]) {
        for o in &self.operations {
            column[o.target] -= o.factor * column[o.source];
        }
    }

    /// From a combination of the rows as they are now to one of the original rows (equation 1).
    pub(super) fn apply_transposed(&self, weights: &mut [f64]) {
        for o in self.operations.iter().rev() {
            weights[o.source] -= o.factor * weights[o.target];
        }
    }
}

/// The null space of Gᵀ without its vectors: N (one row a null vector) and Nᵀ can be multiplied with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NullSpace {
    record: RowOperations,
    norms: Vec<f64>,
    rows: Vec<usize>,
}

impl NullSpace {
    pub(super) fn new(record: RowOperations, norms: Vec<f64>, rows: Vec<usize>) -> Self {
        Self { record, norms, rows }
    }

    /// Number of null vectors.
    pub fn dimension(&self) -> usize {
        self.rows.len()
    }

    /// The rows that elimination has left over, one for each null vector; the others are independent.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// N y.
    pub fn times(&self, y: &[f64]) -> Vec<f64> {
        let mut column: Vec<f64> = y.iter().zip(&self.norms).map(|(y, norm)| y / norm).collect();
        self.record.apply(&mut column);
        self.rows.iter().map(|row| column[*row]).collect()
    }

    /// Nᵀ μ.
    pub fn transposed_times(&self, mu: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.norms.len()];
        self.rows.iter().zip(mu).for_each(|(row, mu)| weights[*row] = *mu);
        self.record.apply_transposed(&mut weights);
        weights.iter_mut().zip(&self.norms).for_each(|(w, norm)| *w /= norm);
        weights
    }
}

/// Work arrays of the way back.
pub(super) struct Backtrack<'a> {
    record: &'a RowOperations,
    weights: Vec<f64>,
    /// Whether a row has weight, or an operation waiting.
    seen: Vec<bool>,
    touched: Vec<usize>,
    waiting: BinaryHeap<usize>,
    budget: usize,
}

impl<'a> Backtrack<'a> {
    pub(super) fn new(record: &'a RowOperations) -> Self {
        let rows = record.last.len();
        Self { record, weights: vec![0.0; rows], seen: vec![false; rows], touched: Vec::new(), waiting: BinaryHeap::new(), budget: BUDGET }
    }

    /// The combination of original rows that a row has become, without coefficients up to `negligible`; `None` if it is
    /// too long.
    pub(super) fn combination(&mut self, row: usize, negligible: f64) -> Option<Vec<(usize, f64)>> {
        self.add(row, 1.0, self.record.last[row]);
        let mut left = LONGEST.min(self.budget);
        while let Some(k) = self.waiting.pop() {
            if left == 0 {
                self.waiting.clear();
                self.finish(f64::INFINITY);
                return None;
            }
            left -= 1;
            self.budget -= 1;
            let Operation { target, source, factor, previous, before_source } = self.record.operations[k];
            if previous != NONE {
                self.waiting.push(previous);
            }
            self.add(source, -factor * self.weights[target], before_source);
        }
        Some(self.finish(negligible))
    }

    /// Takes the weights and clears them.
    fn finish(&mut self, negligible: f64) -> Vec<(usize, f64)> {
        let mut result = Vec::new();
        for row in self.touched.drain(..) {
            self.seen[row] = false;
            let weight = std::mem::take(&mut self.weights[row]);
            if weight.abs() > negligible {
                result.push((row, weight));
            }
        }
        result
    }

    /// Adds weight to a row, whose last operation before this moment is given.
    fn add(&mut self, row: usize, weight: f64, operation: usize) {
        self.weights[row] += weight;
        if !self.seen[row] {
            self.seen[row] = true;
            self.touched.push(row);
            if operation != NONE {
                self.waiting.push(operation);
            }
        }
    }
}
