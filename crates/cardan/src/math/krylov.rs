//! φ-functions of a large matrix acting on vectors, from products with the matrix alone.
//!
//! The augmented matrix L of equation 3 of [`super::phi`] acts on a Krylov space: Arnoldi's process gives an orthonormal basis V of w, L w, …,
//! and the small matrix H of L in it,
//!
//! ```text
//! e^(τ L) w ≈ β V e^(τ H) e₁,      β = |w|,    error ≈ β h_{m+1,m} |e_mᵀ τ φ₁(τ H) e₁|                                  (1)
//! ```
//!
//! The space grows until the error of the whole step is small enough; a space at its largest serves a part of the step, and another one is
//! built from there.
//!
//! References: Saad, doi:10.1137/0729014; Niesen, Wright, doi:10.1145/2168773.2168781.

use super::exponential::Exponential;

/// The largest space.
const LARGEST: usize = 60;
/// Products between two looks at the error.
const STRIDE: usize = 6;
/// Parts of a step before it is given up.
const PARTS: usize = 500;

/// Scratch for the action of φ-functions of n×n matrices.
#[derive(Debug, Clone)]
pub struct Krylov {
    rows: usize,
    functions: usize,
    basis: Vec<Vec<f64>>,
    /// H by columns, of LARGEST + 1 rows.
    small: Vec<f64>,
    exponentials: Vec<Exponential>,
    image: Vec<f64>,
    w: Vec<f64>,
    /// Products with the matrix so far.
    pub products: usize,
}

/// What Arnoldi's process has found.
struct Space {
    size: usize,
    /// h_{m+1,m}; zero where the space is closed.
    leaves: f64,
}

const ROWS: usize = LARGEST + 1;

impl Krylov {
    /// For n rows and φ-functions up to φ_p.
    pub fn new(rows: usize, functions: usize) -> Self {
        let n = rows + functions;
        let sizes = (1..=LARGEST.min(n)).map(|m| Exponential::new(m + 1));
        Self {
            rows,
            functions,
            basis: vec![vec![0.0; n]; LARGEST.min(n) + 1],
            small: vec![0.0; ROWS * LARGEST],
            exponentials: sizes.collect(),
            image: vec![0.0; n * 2],
            w: vec![0.0; n],
            products: 0,
        }
    }

    /// Σ h^k φ_k(h A) b_k for b_1 … b_p, with an error of about `tolerance` of its size; `product` gives A x. `None` if the step needs more
    /// parts than are sensible.
    pub fn combine<E>(
        &mut self,
        h: f64,
        b: &[&[f64]],
        tolerance: f64,
        mut product: impl FnMut(&[f64], &mut [f64]) -> Result<(), E>,
        y: &mut [f64],
    ) -> Result<Option<()>, E> {
        let scale = b.iter().zip(1..).map(|(b, k)| norm(b) * h.powi(k - 1)).fold(0.0, f64::max);
        self.w.fill(0.0);
        if scale == 0.0 {
            y.fill(0.0);
            return Ok(Some(()));
        }
        // Vectors b of size one and a last entry of their size, so that neither of them drowns the other.
        let last = self.w.len() - 1;
        self.w[last] = scale;
        let mut done = 0.0;
        for _ in 0..PARTS {
            let left = h - done;
            let space = self.grow(left, h, b, 1.0 / scale, tolerance, &mut product)?;
            let part = self.advance(&space, left, h, tolerance);
            done = if part == left { h } else { done + part };
            if done >= h {
                y.copy_from_slice(&self.w[..self.rows]);
                return Ok(Some(()));
            }
        }
        Ok(None)
    }

    /// Builds a space from w until it serves all that is left, or is at its largest.
    fn grow<E>(
        &mut self,
        left: f64,
        h: f64,
        b: &[&[f64]],
        scale: f64,
        tolerance: f64,
        product: &mut impl FnMut(&[f64], &mut [f64]) -> Result<(), E>,
    ) -> Result<Space, E> {
        let beta = norm(&self.w);
        self.basis[0].iter_mut().zip(&self.w).for_each(|(v, w)| *v = w / beta);
        self.small.fill(0.0);
        let most = self.basis.len() - 1;
        for m in 1..=most {
            self.multiply(m - 1, b, scale, product)?;
            let leaves = self.orthogonalise(m);
            let closed = leaves <= 1e-14 * norm(&self.small[(m - 1) * ROWS..m * ROWS]);
            let space = Space { size: m, leaves: if closed { 0.0 } else { leaves } };
            let enough = m.is_multiple_of(STRIDE) && self.error(&space, left, beta) <= tolerance * beta * left / h;
            if closed || enough || m == most {
                return Ok(space);
            }
        }
        Ok(Space { size: most, leaves: 0.0 })
    }

    /// image = L v of the basis vector.
    fn multiply<E>(
        &mut self,
        vector: usize,
        b: &[&[f64]],
        scale: f64,
        product: &mut impl FnMut(&[f64], &mut [f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let (n, p) = (self.rows, self.functions);
        let (x, z) = self.basis[vector].split_at(n);
        self.products += 1;
        product(x, &mut self.image[..n])?;
        for (k, b) in b.iter().enumerate() {
            let z = z[p - 1 - k] * scale;
            self.image[..n].iter_mut().zip(*b).for_each(|(y, b)| *y += z * b);
        }
        for k in 0..p {
            self.image[n + k] = z.get(k + 1).copied().unwrap_or(0.0);
        }
        Ok(())
    }

    /// The next basis vector from the image, twice orthogonalised; gives h_{m+1,m}.
    fn orthogonalise(&mut self, m: usize) -> f64 {
        let n = self.w.len();
        let column = &mut self.small[(m - 1) * ROWS..m * ROWS];
        for _ in 0..2 {
            for (v, h) in self.basis[..m].iter().zip(column.iter_mut()) {
                let share: f64 = v.iter().zip(&self.image).map(|(v, y)| v * y).sum();
                self.image[..n].iter_mut().zip(v).for_each(|(y, v)| *y -= share * v);
                *h += share;
            }
        }
        let size = norm(&self.image[..n]);
        column[m] = size;
        if size > 0.0 {
            self.basis[m].iter_mut().zip(&self.image).for_each(|(v, y)| *v = y / size);
        }
        size
    }

    /// The exponential of τ H, with a column that gives τ φ₁(τ H) e₁ beside it, into `image` as two vectors: e^(τH) e₁ and τ φ₁(τH) e₁.
    fn small_exponential(&mut self, size: usize, tau: f64) {
        let m = size + 1;
        let mut matrix = vec![0.0; m * m];
        for (column, h) in matrix.chunks_exact_mut(m).zip(self.small.chunks_exact(ROWS)).take(size) {
            column[..size].iter_mut().zip(h).for_each(|(x, h)| *x = tau * h);
        }
        matrix[size * m] = tau;
        self.exponentials[size - 1].apply(&mut matrix);
        let half = self.w.len();
        self.image[..size].copy_from_slice(&matrix[..size]);
        self.image[half..half + size].copy_from_slice(&matrix[size * m..][..size]);
    }

    /// The estimate of the error (1).
    fn error(&mut self, space: &Space, tau: f64, beta: f64) -> f64 {
        self.small_exponential(space.size, tau);
        beta * space.leaves * self.image[self.w.len() + space.size - 1].abs()
    }

    /// Moves w by as much of what is left as the space is good for; says how much.
    fn advance(&mut self, space: &Space, left: f64, h: f64, tolerance: f64) -> f64 {
        let beta = norm(&self.w);
        let mut tau = left;
        loop {
            let (error, allowed) = (self.error(space, tau, beta), tolerance * beta * tau / h);
            if error <= allowed || tau < 1e-12 * h {
                break;
            }
            tau *= (0.9 * (allowed / error).powf(1.0 / space.size as f64)).clamp(0.1, 0.9);
        }
        self.w.fill(0.0);
        for (v, x) in self.basis.iter().zip(&self.image[..space.size]) {
            self.w.iter_mut().zip(v).for_each(|(w, v)| *w += beta * x * v);
        }
        tau
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::phi::Phi;
    use crate::math::random::Random;

    fn check(n: usize, h: f64, a: &[f64], accuracy: f64) -> usize {
        let mut random = Random::new(2);
        let vectors: [Vec<f64>; 4] = std::array::from_fn(|_| (0..n).map(|_| random.range(-3.0, 3.0)).collect());
        let b = [&vectors[0][..], &vectors[1], &vectors[2], &vectors[3]];
        let (mut dense, mut y, mut krylov) = (vec![0.0; n], vec![0.0; n], Krylov::new(n, 4));
        Phi::new(n, 4).combine(h, a, None, &b, &mut dense);
        let product = |x: &[f64], y: &mut [f64]| {
            y.fill(0.0);
            for (column, x) in a.chunks_exact(n).zip(x) {
                y.iter_mut().zip(column).for_each(|(y, a)| *y += a * x);
            }
            Ok::<(), ()>(())
        };
        krylov.combine(h, &b, 1e-12, product, &mut y).unwrap().unwrap();
        let difference: Vec<f64> = y.iter().zip(&dense).map(|(a, b)| a - b).collect();
        let error = norm(&difference) / norm(&dense);
        assert!(error < accuracy, "{n} rows, step {h}: {error:.1e}");
        krylov.products
    }

    #[test]
    fn agrees_with_the_dense_functions() {
        let mut random = Random::new(7);
        let n = 90;
        let full: Vec<f64> = (0..n * n).map(|_| random.range(-1.0, 1.0) / 9.0).collect();
        for h in [1e-3, 0.5, 5.0, 20.0] {
            check(n, h, &full, 1e-10);
        }
        assert!(check(n, 1e-3, &full, 1e-12) <= 12, "small steps need few products");
    }

    /// Diffusion, stiff and symmetric; and a matrix far from normal, with a chain above its diagonal.
    #[test]
    fn stiff_and_skewed_matrices() {
        let n = 80;
        let banded = |below: f64, on: f64, above: f64| {
            let mut a = vec![0.0; n * n];
            for k in 0..n {
                a[k * (n + 1)] = on;
                if k + 1 < n {
                    a[k * (n + 1) + 1] = below;
                    a[(k + 1) * (n + 1) - 1] = above;
                }
            }
            a
        };
        check(n, 0.1, &banded(2.5e4, -5e4, 2.5e4), 1e-9);
        check(n, 1.0, &banded(0.1, -3.0, 40.0), 1e-8);
    }

    #[test]
    fn small_spaces_close() {
        let products = check(2, 0.7, &[0.0, -4.0, 1.0, -0.1], 1e-13);
        assert!(products <= 6, "{products}");
    }
}
