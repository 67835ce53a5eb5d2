//! faer's sparse LU with column ordering and partial pivoting: slower than the block factorisation and it allocates, but it finds a
//! pivot wherever there is one. Rows are scaled to a largest entry of one first, so that stiffnesses, masses and gradients of constraints
//! compare.

use super::{BlockMatrix, BlockPattern, LinearError};
use faer::linalg::solvers::Solve;
use faer::sparse::linalg::solvers::{Lu, SymbolicLu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};

/// A sparse matrix, factored with pivoting.
#[derive(Debug)]
pub struct SparseLu {
    symbolic: Option<SymbolicLu<usize>>,
    numeric: Option<Lu<usize, f64>>,
    /// Compressed columns: pointers, row indices, the place of each entry among the values of the block matrix, and its value.
    column_pointers: Vec<usize>,
    row_indices: Vec<usize>,
    places: Vec<usize>,
    values: Vec<f64>,
    /// By what each row is multiplied.
    scale: Vec<f64>,
}

impl SparseLu {
    /// Room for matrices of this pattern.
    pub fn new(pattern: &BlockPattern) -> Self {
        let mut blocks: Vec<_> = pattern.blocks().copied().collect();
        blocks.sort_unstable_by_key(|b| (b.column, b.row));
        let mut blocks = blocks.into_iter().peekable();
        let (mut column_pointers, mut row_indices, mut places) = (vec![0], Vec::new(), Vec::new());
        for column in 0..pattern.block_rows() {
            let below: Vec<_> = std::iter::from_fn(|| blocks.next_if(|b| b.column == column)).collect();
            for c in 0..pattern.size(column) {
                for block in &below {
                    let (first, rows) = (pattern.first_row(block.row), pattern.size(block.row));
                    row_indices.extend(first..first + rows);
                    places.extend(block.start + c * rows..block.start + (c + 1) * rows);
                }
                column_pointers.push(row_indices.len());
            }
        }
        let (values, scale) = (vec![0.0; places.len()], vec![1.0; pattern.dimension()]);
        Self { symbolic: None, numeric: None, column_pointers, row_indices, values, places, scale }
    }

    /// Factors, reusing the symbolic phase.
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), LinearError> {
        let n = matrix.pattern().dimension();
        for (value, place) in self.values.iter_mut().zip(&self.places) {
            *value = matrix.values[*place];
        }
        self.equilibrate();
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.column_pointers, None, &self.row_indices);
        let order = match &self.symbolic {
            Some(order) => order.clone(),
            None => self.symbolic.insert(SymbolicLu::try_new(pattern).map_err(|_| LinearError::NotFinite)?).clone(),
        };
        let lu = Lu::try_new_with_symbolic(order, SparseColMatRef::new(pattern, &self.values));
        self.numeric = Some(lu.map_err(|_| LinearError::Singular { block: None })?);
        Ok(())
    }

    /// Divides every row by its largest entry.
    fn equilibrate(&mut self) {
        self.scale.fill(0.0);
        for (value, row) in self.values.iter().zip(&self.row_indices) {
            self.scale[*row] = self.scale[*row].max(value.abs());
        }
        self.scale.iter_mut().for_each(|s| *s = if *s > 0.0 && s.is_finite() { 1.0 / *s } else { 1.0 });
        for (value, row) in self.values.iter_mut().zip(&self.row_indices) {
            *value *= self.scale[*row];
        }
    }

    /// Solves in place.
    pub fn solve(&self, rhs: &mut [f64]) -> Result<(), LinearError> {
        rhs.iter_mut().zip(&self.scale).for_each(|(x, scale)| *x *= scale);
        let (n, lu) = (rhs.len(), self.numeric.as_ref().ok_or(LinearError::NotFinite)?);
        lu.solve_in_place(faer::MatMut::from_column_major_slice_mut(rhs, n, 1));
        Ok(())
    }
}
