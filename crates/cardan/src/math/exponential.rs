//! The exponential of a small dense matrix, by scaling and squaring with diagonal Padé approximants.
//!
//! ```text
//! e^A = (r_m(A / 2^s))^(2^s),     r_m = (V − U)⁻¹ (V + U),     U odd, V even in A                            (1)
//! ```
//!
//! The degree m is the smallest of 3, 5, 7, 9, 13 whose backward error is below round-off for the norm at hand; beyond that A is halved s times.
//! Matrices of mechanics couple displacements and velocities by numbers of very different size, which would ask for many more halvings
//! than the eigenvalues do: the matrix is first balanced, D⁻¹ A D with powers of two.
//!
//! References: Higham, doi:10.1137/04061101X; Parlett, Reinsch, doi:10.1007/BF02165404. Matrices are column-major.

/// Degrees and the largest norms they are good for.
const DEGREES: [(usize, f64); 5] = [
    (3, 1.495_585_217_958_292e-2),
    (5, 2.539_398_330_063_23e-1),
    (7, 9.504_178_996_162_932e-1),
    (9, 2.097_847_961_257_068),
    (13, 5.371_920_351_148_152),
];
/// Sweeps of balancing; it settles in three or four.
const SWEEPS: usize = 10;

/// Scratch for exponentials of n×n matrices; evaluations do not allocate.
#[derive(Debug, Clone)]
pub struct Exponential {
    n: usize,
    /// A, A², A⁴, A⁶, A⁸.
    powers: [Vec<f64>; 5],
    u: Vec<f64>,
    v: Vec<f64>,
    product: Vec<f64>,
    scale: Vec<f64>,
}

impl Exponential {
    /// For n×n matrices.
    pub fn new(n: usize) -> Self {
        let square = || vec![0.0; n * n];
        Self { n, powers: std::array::from_fn(|_| square()), u: square(), v: square(), product: square(), scale: vec![1.0; n] }
    }

    /// The number of rows.
    pub fn dimension(&self) -> usize {
        self.n
    }

    /// Replaces a matrix by its exponential (1). A matrix that is not finite gives one that is not finite.
    pub fn apply(&mut self, a: &mut [f64]) {
        if a.iter().any(|x| !x.is_finite()) {
            a.fill(f64::NAN);
            return;
        }
        self.balance(a);
        let norm = one_norm(a, self.n);
        let (degree, most) = DEGREES.into_iter().find(|d| norm <= d.1).unwrap_or(DEGREES[4]);
        let halvings = if norm > most { (norm / most).log2().ceil() as i32 } else { 0 };
        let factor = 0.5_f64.powi(halvings);
        self.powers[0].iter_mut().zip(a.iter()).for_each(|(p, a)| *p = a * factor);
        self.approximate(degree);
        a.copy_from_slice(&self.v);
        for _ in 0..halvings {
            multiply(self.n, a, a, &mut self.product);
            a.copy_from_slice(&self.product);
        }
        self.undo_balance(a);
    }

    /// D⁻¹ A D with powers of two, such that rows and columns off the diagonal have about the same size.
    fn balance(&mut self, a: &mut [f64]) {
        let n = self.n;
        self.scale.fill(1.0);
        for _ in 0..SWEEPS {
            let mut settled = true;
            for i in 0..n {
                let others = || (0..n).filter(|j| *j != i);
                let column: f64 = others().map(|j| a[i * n + j].abs()).sum();
                let row: f64 = others().map(|j| a[j * n + i].abs()).sum();
                let exponent = exponent(row, column, a[i * (n + 1)].abs());
                let factor = exponent.exp2();
                if exponent == 0.0 || column * factor + row / factor >= 0.95 * (column + row) {
                    continue;
                }
                settled = false;
                self.scale[i] *= factor;
                for j in 0..n {
                    a[i * n + j] *= factor;
                    a[j * n + i] /= factor;
                }
            }
            if settled {
                break;
            }
        }
    }

    fn undo_balance(&self, a: &mut [f64]) {
        for (column, by) in a.chunks_exact_mut(self.n).zip(&self.scale) {
            column.iter_mut().zip(&self.scale).for_each(|(x, d)| *x *= d / by);
        }
    }

    /// r_m of the matrix in `powers[0]`, into `v`.
    fn approximate(&mut self, degree: usize) {
        let n = self.n;
        let (a, higher) = self.powers.split_at_mut(1);
        multiply(n, &a[0], &a[0], &mut higher[0]);
        let last = if degree == 13 { 3 } else { (degree - 1) / 2 };
        for k in 1..last {
            let (before, after) = higher.split_at_mut(k);
            multiply(n, &before[k - 1], &before[0], &mut after[0]);
        }
        match degree {
            13 => self.parts_of_13(),
            _ => self.parts(degree),
        }
        let Self { u, v, product, .. } = self;
        for ((u, v), q) in u.iter().zip(v.iter_mut()).zip(product) {
            *q = *v - u;
            *v += u;
        }
        self.divide();
    }

    /// U and V of the degrees 3 to 9, term by term.
    fn parts(&mut self, degree: usize) {
        let (n, b) = (self.n, coefficients(degree));
        set_identity(n, b[1], &mut self.product);
        set_identity(n, b[0], &mut self.v);
        for (k, power) in self.powers[1..].iter().enumerate().take((degree - 1) / 2) {
            add(b[2 * k + 3], power, &mut self.product);
            add(b[2 * k + 2], power, &mut self.v);
        }
        multiply(n, &self.powers[0], &self.product, &mut self.u);
    }

    /// U and V of degree 13, with three more products.
    fn parts_of_13(&mut self) {
        let (n, b) = (self.n, &THIRTEEN);
        let Self { powers: [a, a2, a4, a6, inner], u, v, product, .. } = self;
        let sum = |first: f64, odd: usize, out: &mut [f64]| {
            set_identity(n, first, out);
            for (power, k) in [(&*a2, 2), (&*a4, 4), (&*a6, 6)] {
                add(b[odd + k], power, out);
            }
        };
        // The highest terms, b_{m} A⁶ + …, are those of the lower ones six places on.
        sum(0.0, 7, inner);
        multiply(n, a6, inner, product);
        sum(b[1], 1, inner);
        add(1.0, inner, product);
        multiply(n, a, product, u);
        sum(0.0, 6, inner);
        multiply(n, a6, inner, product);
        sum(b[0], 0, v);
        add(1.0, product, v);
    }

    /// v = (matrix in `product`)⁻¹ v, by elimination with row exchanges.
    fn divide(&mut self) {
        let (n, q, x) = (self.n, &mut self.product, &mut self.v);
        for k in 0..n {
            let pivot = (k..n).max_by(|i, j| q[k * n + i].abs().total_cmp(&q[k * n + j].abs())).unwrap_or(k);
            if pivot != k {
                q.chunks_exact_mut(n).chain(x.chunks_exact_mut(n)).for_each(|column| column.swap(k, pivot));
            }
            let inverse = 1.0 / q[k * n + k];
            q[k * n + k + 1..(k + 1) * n].iter_mut().for_each(|l| *l *= inverse);
            let (left, right) = q.split_at_mut((k + 1) * n);
            let factors = &left[k * n + k + 1..];
            for column in right.chunks_exact_mut(n).chain(x.chunks_exact_mut(n)) {
                let (top, below) = column.split_at_mut(k + 1);
                below.iter_mut().zip(factors).for_each(|(y, l)| *y -= l * top[k]);
            }
        }
        for column in x.chunks_exact_mut(n) {
            for k in (0..n).rev() {
                let (above, rest) = column.split_at_mut(k);
                rest[0] /= q[k * n + k];
                above.iter_mut().zip(&q[k * n..]).for_each(|(y, u)| *y -= u * rest[0]);
            }
        }
    }
}

const THIRTEEN: [f64; 14] = [
    64_764_752_532_480_000.0,
    32_382_376_266_240_000.0,
    7_771_770_303_897_600.0,
    1_187_353_796_428_800.0,
    129_060_195_264_000.0,
    10_559_470_521_600.0,
    670_442_572_800.0,
    33_522_128_640.0,
    1_323_241_920.0,
    40_840_800.0,
    960_960.0,
    16_380.0,
    182.0,
    1.0,
];

/// The numerator of r_m for m = 3 to 9.
fn coefficients(degree: usize) -> &'static [f64] {
    match degree {
        3 => &[120.0, 60.0, 12.0, 1.0],
        5 => &[30_240.0, 15_120.0, 3_360.0, 420.0, 30.0, 1.0],
        7 => &[17_297_280.0, 8_648_640.0, 1_995_840.0, 277_200.0, 25_200.0, 1_512.0, 56.0, 1.0],
        _ => &[17_643_225_600.0, 8_821_612_800.0, 2_075_673_600.0, 302_702_400.0, 30_270_240.0, 2_162_160.0, 110_880.0, 3_960.0, 90.0, 1.0],
    }
}

/// The power of two by which a column is multiplied and its row divided. Where one of them is zero, the other need not be larger than one
/// or the diagonal.
fn exponent(row: f64, column: f64, diagonal: f64) -> f64 {
    let enough = diagonal.max(1.0);
    match (row > 0.0, column > 0.0) {
        (true, true) => (0.5 * (row / column).log2()).round(),
        (true, false) => (row / enough).log2().ceil().max(0.0),
        (false, true) => (enough / column).log2().floor().min(0.0),
        (false, false) => 0.0,
    }
}

/// out = a b.
fn multiply(n: usize, a: &[f64], b: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (column, out) in b.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
        for (a, x) in a.chunks_exact(n).zip(column) {
            if *x != 0.0 {
                out.iter_mut().zip(a).for_each(|(y, a)| *y += a * x);
            }
        }
    }
}

fn add(factor: f64, a: &[f64], out: &mut [f64]) {
    out.iter_mut().zip(a).for_each(|(y, a)| *y += factor * a);
}

fn set_identity(n: usize, value: f64, out: &mut [f64]) {
    out.fill(0.0);
    (0..n).for_each(|k| out[k * (n + 1)] = value);
}

/// The largest sum of a column.
pub(super) fn one_norm(a: &[f64], n: usize) -> f64 {
    a.chunks_exact(n).map(|column| column.iter().map(|x| x.abs()).sum()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    fn exp(n: usize, a: &[f64]) -> Vec<f64> {
        let mut out = a.to_vec();
        Exponential::new(n).apply(&mut out);
        out
    }

    fn product(n: usize, a: &[f64], b: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; n * n];
        multiply(n, a, b, &mut out);
        out
    }

    fn distance(a: &[f64], b: &[f64]) -> f64 {
        let difference = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        difference / b.iter().map(|b| b * b).sum::<f64>().sqrt()
    }

    /// The series of A / 2^k summed and squared in pairs of numbers (a high and a low part), good to twice the digits.
    fn reference(n: usize, a: &[f64]) -> Vec<f64> {
        let norm = one_norm(a, n);
        let halvings = if norm > 0.1 { (norm / 0.1).log2().ceil() as i32 } else { 0 };
        let a: Vec<Pair> = a.iter().map(|x| Pair(x * 0.5_f64.powi(halvings), 0.0)).collect();
        let identity: Vec<Pair> = (0..n * n).map(|k| Pair(f64::from(u8::from(k % (n + 1) == 0)), 0.0)).collect();
        let (mut term, mut sum) = (identity.clone(), identity);
        for k in 1..25 {
            term = pair_product(n, &term, &a).into_iter().map(|x| x.over(f64::from(k))).collect();
            sum.iter_mut().zip(&term).for_each(|(s, t)| *s = s.plus(*t));
        }
        for _ in 0..halvings {
            sum = pair_product(n, &sum, &sum);
        }
        sum.iter().map(|x| x.0).collect()
    }

    #[derive(Clone, Copy)]
    struct Pair(f64, f64);

    impl Pair {
        fn of_sum(a: f64, b: f64) -> Self {
            let s = a + b;
            let t = s - a;
            Self(s, (a - (s - t)) + (b - t))
        }
        fn plus(self, o: Self) -> Self {
            let Self(s, e) = Self::of_sum(self.0, o.0);
            Self::of_sum(s, e + self.1 + o.1)
        }
        fn times(self, o: Self) -> Self {
            let p = self.0 * o.0;
            Self::of_sum(p, self.0.mul_add(o.0, -p) + self.0 * o.1 + self.1 * o.0)
        }
        fn over(self, d: f64) -> Self {
            let q = self.0 / d;
            Self::of_sum(q, ((-q).mul_add(d, self.0) + self.1) / d)
        }
    }

    fn pair_product(n: usize, a: &[Pair], b: &[Pair]) -> Vec<Pair> {
        let entry = |i: usize, j: usize| (0..n).fold(Pair(0.0, 0.0), |s, k| s.plus(a[k * n + i].times(b[j * n + k])));
        (0..n * n).map(|e| entry(e % n, e / n)).collect()
    }

    #[test]
    fn agrees_with_the_series_in_twice_the_digits() {
        let mut random = Random::new(3);
        for n in [1, 2, 5, 8] {
            for size in [1e-3, 0.02, 0.2, 0.7, 1.8, 5.0, 30.0] {
                let a: Vec<f64> = (0..n * n).map(|_| random.range(-1.0, 1.0) * size / n as f64).collect();
                let error = distance(&exp(n, &a), &reference(n, &a));
                assert!(error < 3e-15 * (1.0 + size), "{n} rows, size {size}: {error:.1e}");
            }
        }
    }

    #[test]
    fn known_cases() {
        let turn = exp(2, &[0.0, 1.2, -1.2, 0.0]);
        assert!(distance(&turn, &[1.2_f64.cos(), 1.2_f64.sin(), -(1.2_f64.sin()), 1.2_f64.cos()]) < 1e-15);
        let nilpotent = exp(3, &[0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 5.0, 0.0]);
        assert!(distance(&nilpotent, &[1.0, 0.0, 0.0, 3.0, 1.0, 0.0, 7.5, 5.0, 1.0]) < 1e-15);
        assert_eq!(exp(2, &[0.0; 4]), vec![1.0, 0.0, 0.0, 1.0]);
        assert!(exp(2, &[f64::NAN, 0.0, 0.0, 1.0]).iter().all(|x| x.is_nan()));
    }

    #[test]
    fn the_inverse_is_the_exponential_of_the_opposite() {
        let mut random = Random::new(8);
        let n = 7;
        let a: Vec<f64> = (0..n * n).map(|_| random.range(-1.0, 1.0)).collect();
        let minus: Vec<f64> = a.iter().map(|x| -x).collect();
        let mut identity = vec![0.0; n * n];
        set_identity(n, 1.0, &mut identity);
        assert!(distance(&product(n, &exp(n, &a), &exp(n, &minus)), &identity) < 1e-13);
    }

    /// A stiff oscillator: the eigenvalues are ± i ω, but the norm is ω².
    #[test]
    fn stiff_oscillators_keep_their_digits() {
        for omega in [30.0_f64, 1e3, 1e5] {
            let h = 0.02;
            let out = exp(2, &[0.0, -h * omega * omega, h, 0.0]);
            let (s, c) = (h * omega).sin_cos();
            let scaled = [out[0], out[1] / omega, out[2] * omega, out[3]];
            assert!(distance(&scaled, &[c, -s, s, c]) < 1e-15 * (1.0 + h * omega), "{omega}");
        }
        let damped = exp(2, &[-1e5, 0.0, 3e4, -0.5]);
        assert!((damped[3] - (-0.5_f64).exp()).abs() < 1e-11 && damped[0].abs() < 1e-300 && (damped[2] - 0.3 * damped[3]).abs() < 1e-5);
    }

    /// Large numbers above the diagonal, which do not act on the eigenvalues.
    #[test]
    fn matrices_far_from_normal() {
        let a = [-1.0, 0.0, 0.0, 1e4, -2.0, 0.0, 1e7, 1e3, -3.0];
        assert!(distance(&exp(3, &a), &reference(3, &a)) < 1e-13);
    }
}
