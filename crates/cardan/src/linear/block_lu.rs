//! Block LU without pivoting between blocks: the pattern of the factors is known before the numbers are.
//!
//! In the order of `ordering.rs`, with D the diagonal block of k, U its blocks to the right and L those below:
//!
//! ```text
//! Ũ = D⁻¹ U,      A_ij ← A_ij − L_i Ũ_j      for all later blocks i, j that k is coupled with      (1)
//! forward   x_k ← D⁻¹ x_k,  x_i ← x_i − L_i x_k          backward   x_k ← x_k − Σ Ũ_j x_j          (2)
//! ```
//!
//! Inside D rows are exchanged as in any LU. The order is found with the numbers of the first matrix; a pivot that is then much
//! smaller than what its diagonal once was has lost its digits, and a new order is made from the matrix at hand. Where that does not
//! help, the matrix is left to a factorisation with pivoting.

use super::BlockMatrix;
use super::kernels;
use super::symbolic::{Pivot, Symbolic};

/// A pivot this much smaller than its diagonal has been is not trusted.
const LOST: f64 = 1e-7;
/// So many orders are made in the life of a factorisation.
const MOST_ORDERS: usize = 20;

/// The factors of a block matrix.
#[derive(Debug)]
pub struct BlockLu {
    symbolic: Symbolic,
    values: Vec<f64>,
    /// Largest size of every diagonal entry so far.
    peak: Vec<f64>,
    product: Vec<f64>,
    small: Vec<f64>,
    orders: usize,
}

/// A block without usable pivots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostPivot {
    pub block: usize,
}

impl BlockLu {
    /// Finds an order for matrices like this one and makes room; `None` if the factors would fill too much.
    pub fn new(matrix: &BlockMatrix) -> Option<Self> {
        let symbolic = Symbolic::new(matrix)?;
        let (len, widest, largest) = (symbolic.len, symbolic.widest, symbolic.largest);
        Some(Self {
            symbolic,
            values: vec![0.0; len],
            peak: vec![0.0; matrix.pattern().dimension()],
            product: vec![0.0; widest * widest],
            small: vec![0.0; 3 * largest + widest],
            orders: 1,
        })
    }

    /// Factors the matrix (equation 1).
    pub fn factor(&mut self, matrix: &BlockMatrix) -> Result<(), LostPivot> {
        self.try_factor(matrix).or_else(|lost| {
            if self.orders == MOST_ORDERS {
                return Err(lost);
            }
            *self = Self { orders: self.orders + 1, ..Self::new(matrix).ok_or(lost)? };
            self.try_factor(matrix)
        })
    }

    fn try_factor(&mut self, matrix: &BlockMatrix) -> Result<(), LostPivot> {
        self.scatter(matrix);
        let Self { symbolic, values, peak, product, small, .. } = self;
        for pivot in &symbolic.pivots {
            let (s, w) = (pivot.size, pivot.width);
            let (diagonal, panels) = values[pivot.start..].split_at_mut(s * s);
            if kernels::invert(s, diagonal, &peak[pivot.row..pivot.row + s], small) < LOST {
                return Err(LostPivot { block: pivot.block });
            }
            if w == 0 {
                continue;
            }
            let (upper, rest) = panels.split_at_mut(s * w);
            let lower = &rest[..w * s];
            kernels::multiply_in_place(s, w, diagonal, upper, small);
            kernels::multiply(w, s, lower, upper, product);
            subtract(symbolic, pivot, product, values, peak);
        }
        Ok(())
    }

    /// Copies the matrix into the places of the factors.
    fn scatter(&mut self, matrix: &BlockMatrix) {
        self.values.fill(0.0);
        for target in &self.symbolic.given {
            for c in 0..target.columns {
                let from = &matrix.values[target.from + c * target.rows..][..target.rows];
                self.values[target.to + c * target.stride..][..target.rows].copy_from_slice(from);
            }
        }
        for pivot in &self.symbolic.pivots {
            for k in 0..pivot.size {
                self.peak[pivot.row + k] = self.values[pivot.start + k * (pivot.size + 1)].abs();
            }
        }
    }

    /// Solves in place (equation 2).
    pub fn solve(&mut self, x: &mut [f64]) {
        let Self { symbolic, values, small, .. } = self;
        for pivot in &symbolic.pivots {
            let (s, w) = (pivot.size, pivot.width);
            let panels = &values[pivot.start..];
            let (own, rest) = small.split_at_mut(s);
            kernels::times(s, s, &panels[..s * s], &x[pivot.row..pivot.row + s], own);
            x[pivot.row..pivot.row + s].copy_from_slice(own);
            kernels::times(w, s, &panels[s * s + s * w..][..w * s], own, &mut rest[..w]);
            for (row, value) in symbolic.rows[pivot.first..pivot.first + w].iter().zip(rest.iter()) {
                x[*row as usize] -= value;
            }
        }
        for pivot in symbolic.pivots.iter().rev() {
            let (s, w) = (pivot.size, pivot.width);
            let (gathered, own) = small.split_at_mut(w);
            for (value, row) in gathered.iter_mut().zip(&symbolic.rows[pivot.first..pivot.first + w]) {
                *value = x[*row as usize];
            }
            kernels::times(s, w, &values[pivot.start + s * s..][..s * w], gathered, &mut own[..s]);
            x[pivot.row..pivot.row + s].iter_mut().zip(own.iter()).for_each(|(x, y)| *x -= y);
        }
    }
}

/// A_ij ← A_ij − (L Ũ)_ij for all later blocks.
fn subtract(symbolic: &Symbolic, pivot: &Pivot, product: &[f64], values: &mut [f64], peak: &mut [f64]) {
    let w = pivot.width;
    let mut place = pivot.targets;
    let mut column = 0;
    for j in &pivot.later {
        let mut row = 0;
        for i in &pivot.later {
            let (start, stride) = symbolic.targets[place];
            place += 1;
            for c in 0..j.size {
                let to = &mut values[start as usize + c * stride as usize..][..i.size];
                let from = &product[(column + c) * w + row..][..i.size];
                to.iter_mut().zip(from).for_each(|(a, b)| *a -= b);
            }
            if i.position == j.position {
                for c in 0..j.size {
                    let entry = values[start as usize + c * (stride as usize + 1)].abs();
                    peak[j.row + c] = peak[j.row + c].max(entry);
                }
            }
            row += i.size;
        }
        column += j.size;
    }
}
