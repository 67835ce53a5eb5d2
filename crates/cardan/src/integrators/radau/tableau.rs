//! The numbers of Radau IIA with three stages, and the transformation that takes its stages apart:
//!
//! ```text
//! A = T D T⁻¹,    D = [ d  0 ; 0  Re z  Im z ; 0  −Im z  Re z ]       60 d³ − 36 d² + 9 d − 1 = 0                      (1)
//! ```
//!
//! With ỹ = T⁻¹ y the first component stands alone, and A multiplies ỹ₂ + i ỹ₃ by the conjugate of z.
//! Reference: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8, doi:10.1007/978-3-642-05221-7.

use nalgebra::{Complex, Matrix2, Matrix3, Vector2, Vector3};

/// Number of stages.
pub const STAGES: usize = 3;

/// One value for each stage.
pub type Each<T> = [T; STAGES];

/// The numbers of the method.
#[derive(Debug, Clone)]
pub struct Tableau {
    /// Where the stages are in the step.
    pub c: Each<f64>,
    /// A.
    pub a: Each<Each<f64>>,
    /// d.
    pub real: f64,
    /// The number that A multiplies ỹ₂ + i ỹ₃ by.
    pub complex: Complex<f64>,
    /// T⁻¹.
    pub apart: Matrix3<f64>,
    /// T.
    pub together: Matrix3<f64>,
    /// e of the embedded formula: the error is the filtered y′_n + Σ e_i (y_i − y_n)/h.
    pub error: Each<f64>,
}

impl Tableau {
    /// The numbers (1).
    pub fn new() -> Self {
        let s = 6f64.sqrt();
        let a = [
            [(88.0 - 7.0 * s) / 360.0, (296.0 - 169.0 * s) / 1800.0, (-2.0 + 3.0 * s) / 225.0],
            [(296.0 + 169.0 * s) / 1800.0, (88.0 + 7.0 * s) / 360.0, (-2.0 - 3.0 * s) / 225.0],
            [(16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0],
        ];
        let real = (6.0 + 81f64.cbrt() - 9f64.cbrt()) / 30.0;
        let half = 0.5 * (0.6 - real);
        let z = Complex::new(half, (1.0 / (60.0 * real) - half * half).sqrt());
        let (x, y) = (eigenvector(&a, Complex::new(real, 0.0)), eigenvector(&a, z));
        let together = Matrix3::from_columns(&[x.map(|x| x.re), y.map(|y| y.re), y.map(|y| y.im)]);
        Self {
            c: [(4.0 - s) / 10.0, (4.0 + s) / 10.0, 1.0],
            a,
            real,
            complex: z.conj(),
            apart: together.try_inverse().unwrap_or_else(Matrix3::identity),
            together,
            error: [(-13.0 - 7.0 * s) / 3.0, (-13.0 + 7.0 * s) / 3.0, -1.0 / 3.0],
        }
    }
}

/// The eigenvector of A with last entry 1.
fn eigenvector(a: &Each<Each<f64>>, value: Complex<f64>) -> Vector3<Complex<f64>> {
    let entry = |r: usize, c: usize| Complex::new(a[r][c], 0.0);
    let matrix = Matrix2::new(entry(0, 0) - value, entry(0, 1), entry(1, 0), entry(1, 1) - value);
    let determinant = matrix[(0, 0)] * matrix[(1, 1)] - matrix[(0, 1)] * matrix[(1, 0)];
    let right = Vector2::new(-entry(0, 2), -entry(1, 2));
    let first = (right[0] * matrix[(1, 1)] - matrix[(0, 1)] * right[1]) / determinant;
    let second = (matrix[(0, 0)] * right[1] - right[0] * matrix[(1, 0)]) / determinant;
    Vector3::new(first, second, Complex::new(1.0, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transformation_takes_the_stages_apart() {
        let t = Tableau::new();
        let a = Matrix3::from_fn(|r, c| t.a[r][c]);
        let z = t.complex;
        let d = Matrix3::new(t.real, 0.0, 0.0, 0.0, z.re, -z.im, 0.0, z.im, z.re);
        assert!((t.apart * a * t.together - d).norm() < 1e-14);
    }

    #[test]
    fn the_stages_integrate_polynomials_exactly() {
        let t = Tableau::new();
        for k in 1..=3 {
            for i in 0..STAGES {
                let sum: f64 = (0..STAGES).map(|j| t.a[i][j] * t.c[j].powi(k - 1)).sum();
                assert!((sum - t.c[i].powi(k) / f64::from(k)).abs() < 1e-15, "stage {i}, degree {k}");
            }
        }
        for k in 4..=5 {
            let sum: f64 = (0..STAGES).map(|j| t.a[2][j] * t.c[j].powi(k - 1)).sum();
            assert!((sum - 1.0 / f64::from(k)).abs() < 1e-15, "the end, degree {k}");
        }
    }
}
