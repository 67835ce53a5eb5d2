//! Numbers that come row by row and are wanted column by column: rows are kept as they come, and columns are put together a few at a time,
//! so that neither way jumps through memory.

/// Columns that are put together at once: as many as doubles in a cache line.
const TOGETHER: usize = 8;

/// A table that grows by rows.
#[derive(Debug, Clone)]
pub struct Rows {
    width: usize,
    values: Vec<f64>,
}

impl Rows {
    /// Nothing yet, of so many columns.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { width, values: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: &[f64]) {
        debug_assert_eq!(row.len(), self.width);
        self.values.extend_from_slice(row);
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.width).unwrap_or(0)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many numbers there are.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.values.len()
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// Keeps the first, third, fifth, … row.
    pub fn keep_every_second(&mut self) {
        self.keep(|k| k.is_multiple_of(2));
    }

    /// A row.
    #[must_use]
    pub fn row(&self, k: usize) -> &[f64] {
        &self.values[k * self.width..(k + 1) * self.width]
    }

    /// Keeps the rows for whose places this holds.
    pub fn keep(&mut self, wanted: impl Fn(usize) -> bool) {
        let mut kept = 0;
        for k in (0..self.len()).filter(|k| wanted(*k)) {
            self.values.copy_within(k * self.width..(k + 1) * self.width, kept * self.width);
            kept += 1;
        }
        self.values.truncate(kept * self.width);
    }

    /// Hands out the columns one after the other, up to the first failure.
    pub fn columns<E>(&self, mut each: impl FnMut(&[f64]) -> Result<(), E>) -> Result<(), E> {
        let mut together: [Vec<f64>; TOGETHER] = std::array::from_fn(|_| Vec::with_capacity(self.len()));
        for first in (0..self.width).step_by(TOGETHER) {
            let few = &mut together[..TOGETHER.min(self.width - first)];
            few.iter_mut().for_each(Vec::clear);
            for row in self.values.chunks_exact(self.width) {
                few.iter_mut().zip(&row[first..]).for_each(|(column, value)| column.push(*value));
            }
            few.iter().try_for_each(|column| each(column))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn columns(rows: &Rows) -> Vec<Vec<f64>> {
        let mut out = Vec::new();
        let all: Result<(), Infallible> = rows.columns(|column| {
            out.push(column.to_vec());
            Ok(())
        });
        assert_eq!(all, Ok(()));
        out
    }

    #[test]
    fn columns_hold_what_rows_brought() {
        for (width, height) in [(1, 3), (8, 2), (19, 5), (3, 0)] {
            let mut rows = Rows::new(width);
            (0..height).for_each(|r| rows.push(&(0..width).map(|c| (100 * r + c) as f64).collect::<Vec<_>>()));
            let expected: Vec<Vec<f64>> = (0..width).map(|c| (0..height).map(|r| (100 * r + c) as f64).collect()).collect();
            assert_eq!(columns(&rows), expected);
            rows.keep_every_second();
            assert_eq!(rows.len(), height.div_ceil(2));
            assert_eq!(columns(&rows)[0], expected[0].iter().step_by(2).copied().collect::<Vec<_>>());
        }
    }
}
