//! Eigenvalues and singular values of dense matrices, by faer:
//!
//! ```text
//! A = V Λ V⁻¹,      A = U Σ Vᵀ with U and V square                                                 (1)
//! ```

use faer::Mat;
use nalgebra::{Complex, DMatrix};

/// Eigenvalues, and eigenvectors as columns.
pub type Eigen = (Vec<Complex<f64>>, DMatrix<Complex<f64>>);

/// Eigenvalues and eigenvectors, column by column; `None` if the iteration does not converge.
pub fn eigen(a: &DMatrix<f64>) -> Option<Eigen> {
    let n = a.nrows();
    let eigen = Mat::from_fn(n, n, |i, j| a[(i, j)]).eigen().ok()?;
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let values = values.iter().map(|z| Complex::new(z.re, z.im)).collect();
    Some((values, DMatrix::from_fn(n, n, |i, j| Complex::new(vectors[(i, j)].re, vectors[(i, j)].im))))
}

/// U, the singular values from the largest to the smallest, and V; `None` if the iteration does not converge.
pub fn singular_values(a: &DMatrix<f64>) -> Option<(DMatrix<f64>, Vec<f64>, DMatrix<f64>)> {
    let (m, n) = a.shape();
    let svd = Mat::from_fn(m, n, |i, j| a[(i, j)]).svd().ok()?;
    let (u, v) = (svd.U(), svd.V());
    let values = svd.S().column_vector().iter().copied().collect();
    Some((DMatrix::from_fn(m, m, |i, j| u[(i, j)]), values, DMatrix::from_fn(n, n, |i, j| v[(i, j)])))
}
