//! Dense LU with row equilibration and partial pivoting, in place, for small systems.

use crate::block_lu::kernels::by_size;

/// A factored dense matrix: P D A = L U with D the row scaling; the diagonal of U is stored inverted.
#[derive(Debug, Clone, Default)]
pub struct DenseLu {
    n: usize,
    lu: Vec<f64>,
    pivots: Vec<usize>,
    scale: Vec<f64>,
}

/// A pivot of this size relative to the equilibrated rows counts as zero.
const SINGULAR: f64 = 1e-15;

impl DenseLu {
    /// Room for an n×n matrix.
    pub fn new(n: usize) -> Self {
        Self { n, lu: vec![0.0; n * n], pivots: vec![0; n], scale: vec![0.0; n] }
    }

    /// The matrix to be factored, column-major.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.lu
    }

    /// Factors in place; the error is the column without a pivot.
    pub fn factor(&mut self) -> Result<(), usize> {
        let (n, lu) = (self.n, &mut self.lu);
        for r in 0..n {
            let largest = (0..n).fold(0.0_f64, |m, c| m.max(lu[c * n + r].abs()));
            self.scale[r] = if largest > 0.0 && largest.is_finite() { 1.0 / largest } else { 1.0 };
            (0..n).for_each(|c| lu[c * n + r] *= self.scale[r]);
        }
        for k in 0..n {
            let column = &lu[k * n..(k + 1) * n];
            let (mut pivot, mut largest) = (k, 0.0);
            for r in k..n {
                if column[r].abs() > largest {
                    (pivot, largest) = (r, column[r].abs());
                }
            }
            if largest < SINGULAR || !largest.is_finite() {
                return Err(k);
            }
            self.pivots[k] = pivot;
            if pivot != k {
                (0..n).for_each(|c| lu.swap(c * n + k, c * n + pivot));
            }
            let inverse = 1.0 / lu[k * n + k];
            lu[k * n + k] = inverse;
            (k + 1..n).for_each(|r| lu[k * n + r] *= inverse);
            let (left, right) = lu.split_at_mut((k + 1) * n);
            let multipliers = &left[k * n + k + 1..(k + 1) * n];
            for column in right.chunks_exact_mut(n) {
                let factor = column[k];
                if factor != 0.0 {
                    for (x, m) in column[k + 1..].iter_mut().zip(multipliers) {
                        *x -= factor * m;
                    }
                }
            }
        }
        Ok(())
    }

    /// Solves A x = b in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        by_size!(self.n, solve_sized(self, b), self.solve_any(b));
    }

    fn solve_any(&self, b: &mut [f64]) {
        let b = &mut b[..self.n];
        self.permute(b);
        for (k, column) in self.lu.chunks_exact(self.n).enumerate() {
            let x = b[k];
            for (b, l) in b[k + 1..].iter_mut().zip(&column[k + 1..]) {
                *b -= x * l;
            }
        }
        for (k, column) in self.lu.chunks_exact(self.n).enumerate().rev() {
            let x = b[k] * column[k];
            b[k] = x;
            for (b, u) in b[..k].iter_mut().zip(column) {
                *b -= x * u;
            }
        }
    }

    /// Scales and exchanges rows. Whole rows were exchanged, multipliers included: L refers to the final order, so all exchanges come first.
    #[inline(always)]
    fn permute(&self, b: &mut [f64]) {
        let (scale, pivots) = (&self.scale[..b.len()], &self.pivots[..b.len()]);
        (0..b.len()).for_each(|k| b[k] *= scale[k]);
        (0..b.len()).for_each(|k| b.swap(k, pivots[k]));
    }
}

/// The same with a size that the compiler knows.
fn solve_sized<const N: usize>(factored: &DenseLu, b: &mut [f64]) {
    let b = &mut b[..N];
    let mut x = [0.0; N];
    x.copy_from_slice(b);
    factored.permute(&mut x);
    let columns = factored.lu[..N * N].as_chunks::<N>().0;
    for k in 0..N {
        for r in k + 1..N {
            x[r] -= x[k] * columns[k][r];
        }
    }
    for k in (0..N).rev() {
        x[k] *= columns[k][k];
        for r in 0..k {
            x[r] -= x[k] * columns[k][r];
        }
    }
    b.copy_from_slice(&x);
}

#[cfg(test)]
mod tests {
    use super::*;
    use cardan::math::random::Random;

    #[test]
    fn solves_badly_scaled_random_systems() {
        let mut random = Random::new(7);
        for n in 1..30 {
            let a: Vec<f64> = (0..n * n).map(|k| random.range(-1.0, 1.0) * 10f64.powi(((k % n) % 7) as i32 * 3 - 9)).collect();
            let x: Vec<f64> = (0..n).map(|_| random.range(-1.0, 1.0)).collect();
            let mut b: Vec<f64> = (0..n).map(|r| (0..n).map(|c| a[c * n + r] * x[c]).sum()).collect();
            let mut lu = DenseLu::new(n);
            lu.matrix_mut().copy_from_slice(&a);
            lu.factor().unwrap();
            lu.solve(&mut b);
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-9), "n = {n}");
        }
    }

    #[test]
    fn reports_a_singular_matrix() {
        let mut lu = DenseLu::new(2);
        lu.matrix_mut().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(lu.factor(), Err(1));
    }
}
