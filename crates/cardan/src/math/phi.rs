//! φ-functions of a matrix acting on vectors, for exponential integrators.
//!
//! ```text
//! φ₀(z) = e^z,     φ_{k+1}(z) = (φ_k(z) − 1/k!) / z,     φ_k(0) = 1/k!                                          (1)
//! y = Σ_{k=0}^{p} h^k φ_k(h A) b_k                                                                              (2)
//! ```
//!
//! y is what ẏ = A y + Σ_{k≥1} b_k t^{k−1}/(k−1)! from y(0) = b_0 has at t = h, and is read off the exponential of the augmented matrix
//!
//! ```text
//! h [ A  b_p … b_1 ]          e^(..) (b_0, e_p) = (y, …)       N the shift, e_p its last unit vector              (3)
//!   [ 0      N     ]
//! ```
//!
//! Reference: Al-Mohy, Higham, doi:10.1137/100788860.

use super::exponential::Exponential;

/// Scratch for (2) with n×n matrices and p vectors besides b_0.
#[derive(Debug, Clone)]
pub struct Phi {
    exponential: Exponential,
    augmented: Vec<f64>,
    rows: usize,
}

impl Phi {
    /// For n rows and φ-functions up to φ_p.
    pub fn new(rows: usize, p: usize) -> Self {
        let m = rows + p;
        Self { exponential: Exponential::new(m), augmented: vec![0.0; m * m], rows }
    }

    /// Equation 2 for a matrix `a` (column-major), into `y`. `b` holds b_0 (or nothing, for zero) and b_1 … b_p.
    pub fn combine(&mut self, h: f64, a: &[f64], b0: Option<&[f64]>, b: &[&[f64]], y: &mut [f64]) {
        let (n, m) = (self.rows, self.exponential.dimension());
        let p = m - n;
        self.augmented.fill(0.0);
        for (column, a) in self.augmented.chunks_exact_mut(m).zip(a.chunks_exact(n)) {
            column.iter_mut().zip(a).for_each(|(x, a)| *x = h * a);
        }
        for (k, b) in b.iter().enumerate() {
            let column = &mut self.augmented[(m - 1 - k) * m..][..m];
            // With h e_p of size one, N stays as it is and b_k takes h^k.
            let factor = h.powi(k as i32 + 1);
            column.iter_mut().zip(*b).for_each(|(x, b)| *x = factor * b);
        }
        for k in 1..p {
            self.augmented[(n + k) * m + n + k - 1] = 1.0;
        }
        self.exponential.apply(&mut self.augmented);
        y.copy_from_slice(&self.augmented[(m - 1) * m..][..n]);
        let Some(b0) = b0 else { return };
        for (column, b) in self.augmented.chunks_exact(m).zip(b0) {
            y.iter_mut().zip(column).for_each(|(y, x)| *y += x * b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// φ_k of a number, by its series or by its definition.
    fn scalar(k: usize, z: f64) -> f64 {
        if z.abs() < 2.0 {
            let mut term = (1..=k).fold(1.0, |t, j| t / j as f64);
            let mut sum = 0.0;
            for j in 1..40 {
                sum += term;
                term *= z / (k + j) as f64;
            }
            return sum;
        }
        (0..k).fold(z.exp(), |phi, j| (phi - (1..=j).fold(1.0, |t, i| t / i as f64)) / z)
    }

    #[test]
    fn numbers_have_their_series() {
        for z in [-1e5, -40.0, -3.0, -0.4, 0.0, 1e-9, 0.3, 2.5] {
            for k in 1..=4 {
                let zero = [0.0];
                let mut b: [&[f64]; 4] = [&zero; 4];
                b[k - 1] = &[1.0];
                let (mut y, h) = ([0.0], 0.25);
                Phi::new(1, 4).combine(h, &[z / h], None, &b, &mut y);
                let exact = h.powi(k as i32) * scalar(k, z);
                assert!((y[0] - exact).abs() < 1e-13 * exact.abs(), "φ{k}({z}): {} instead of {exact}", y[0]);
            }
        }
    }

    /// z φ_{k+1}(z) b = φ_k(z) b − b/k! for matrices, stiff ones too.
    #[test]
    fn the_recurrence_holds_for_matrices() {
        let (n, h, mut random) = (6, 0.3, Random::new(11));
        for size in [0.1, 3.0, 1e5] {
            let a: Vec<f64> = (0..n * n).map(|k| random.range(-1.0, 1.0) - if k % (n + 1) == 0 { size } else { 0.0 }).collect();
            let b: Vec<f64> = (0..n).map(|_| random.range(-1.0, 1.0)).collect();
            let zero = vec![0.0; n];
            let of = |k: usize| {
                let (mut list, mut y): ([&[f64]; 4], _) = ([&zero; 4], vec![0.0; n]);
                list[k - 1] = &b;
                Phi::new(n, 4).combine(h, &a, None, &list, &mut y);
                y
            };
            for (k, factorial) in [(1, 1.0), (2, 2.0), (3, 6.0)] {
                let (low, high) = (of(k), of(k + 1));
                for i in 0..n {
                    let product: f64 = (0..n).map(|j| a[j * n + i] * high[j]).sum();
                    let expected = low[i] - h.powi(k as i32) * b[i] / factorial;
                    assert!((product - expected).abs() < 1e-13 * (1.0 + size * high[i].abs()), "φ{k}, size {size}");
                }
            }
        }
    }

    /// ẏ = A y + b₁ + b₂ t from y(0) = b₀, against small steps of the same formula.
    #[test]
    fn steps_of_a_linear_equation_can_be_split() {
        let (n, mut random) = (4, Random::new(5));
        let mut vector = |size: f64| (0..n).map(|_| random.range(-size, size)).collect::<Vec<f64>>();
        let (b0, b1, b2) = (vector(1.0), vector(1e4), vector(1.0));
        let a: Vec<f64> = (0..n).flat_map(|_| vector(2.0)).collect();
        let mut phi = Phi::new(n, 2);
        let mut whole = vec![0.0; n];
        phi.combine(1.0, &a, Some(&b0), &[&b1, &b2], &mut whole);
        let mut y = b0;
        for k in 0..4 {
            let now: Vec<f64> = b1.iter().zip(&b2).map(|(b1, b2)| b1 + b2 * f64::from(k) * 0.25).collect();
            let mut next = vec![0.0; n];
            phi.combine(0.25, &a, Some(&y), &[&now, &b2], &mut next);
            y = next;
        }
        for (y, w) in y.iter().zip(&whole) {
            assert!((y - w).abs() < 1e-12 * w.abs().max(1e4), "{y} {w}");
        }
    }
}
