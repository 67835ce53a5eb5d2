//! Products of small dense matrices, column after column, without gaps.
//!
//! Sizes that bodies and joints have are known to the compiler, which then unrolls: as many rows at once as the processor at hand takes
//! (left to itself the compiler joins rows of different columns), the others one by one. Everything here is inlined into functions
//! compiled for that processor (`numeric.rs`). There is no fused multiply-add, so that results are the same on every one.

use pulp::{Scalar, Simd};

/// Calls a function with a size from one to six as its constant, or another one where the size is larger.
macro_rules! by_size {
    ($n:expr, $sized:ident $(::<$($first:ident),*>)? ( $($argument:expr),* ), $general:expr) => {
        match $n {
            1 => $sized::<$($($first,)*)? 1>($($argument),*),
            2 => $sized::<$($($first,)*)? 2>($($argument),*),
            3 => $sized::<$($($first,)*)? 3>($($argument),*),
            4 => $sized::<$($($first,)*)? 4>($($argument),*),
            5 => $sized::<$($($first,)*)? 5>($($argument),*),
            6 => $sized::<$($($first,)*)? 6>($($argument),*),
            _ => $general,
        }
    };
}
pub(crate) use by_size;

/// Evaluates an expression with the kernel for blocks of this size.
macro_rules! with_kernel {
    ($simd:expr, $s:expr, $kernel:ident => $expression:expr) => {
        match $s {
            1 => with_kernel!(@ $kernel, Known::<_, 1>($simd), $expression),
            2 => with_kernel!(@ $kernel, Known::<_, 2>($simd), $expression),
            3 => with_kernel!(@ $kernel, Known::<_, 3>($simd), $expression),
            4 => with_kernel!(@ $kernel, Known::<_, 4>($simd), $expression),
            5 => with_kernel!(@ $kernel, Known::<_, 5>($simd), $expression),
            6 => with_kernel!(@ $kernel, Known::<_, 6>($simd), $expression),
            s => with_kernel!(@ $kernel, Any(s), $expression),
        }
    };
    (@ $kernel:ident, $value:expr, $expression:expr) => {{
        let $kernel = $value;
        $expression
    }};
}
pub(super) use with_kernel;

/// Products with blocks that have s rows or columns.
pub trait Kernel: Copy {
    /// s.
    fn size(self) -> usize;
    /// C ← C − A B with A of r rows and s columns; B and C have as many columns as fit.
    fn subtract(self, r: usize, a: &[f64], b: &[f64], c: &mut [f64]);
    /// y ← y − A x with A of s rows and c columns.
    fn subtract_from(self, c: usize, a: &[f64], x: &[f64], y: &mut [f64]);
    /// B ← A B with A of size s × s; `small` holds at least s numbers.
    fn multiply(self, a: &[f64], b: &mut [f64], small: &mut [f64]);
    /// y ← x, s numbers each. These are read as they were written: a processor waits for numbers that it has just written in other portions.
    fn copy(self, x: &[f64], y: &mut [f64]);
}

/// A size known to the compiler.
#[derive(Debug, Clone, Copy)]
pub struct Known<V, const S: usize>(pub V);

/// Any size.
#[derive(Debug, Clone, Copy)]
pub struct Any(pub usize);

impl<V: Simd, const S: usize> Kernel for Known<V, S> {
    #[inline(always)]
    fn size(self) -> usize {
        S
    }
    #[inline(always)]
    fn subtract(self, r: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
        by_size!(r, subtract_rows::<V, S>(self.0, a, b, c), subtract_general(r, S, a, b, c));
    }
    #[inline(always)]
    fn subtract_from(self, c: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
        by_size!(c, subtract_sized::<V, S>(self.0, a, x, y), subtract_general(S, c, a, x, y));
    }
    #[inline(always)]
    fn multiply(self, a: &[f64], b: &mut [f64], _: &mut [f64]) {
        let a = columns::<S, S>(a);
        for b in b.as_chunks_mut::<S>().0 {
            let mut sum = [0.0; S];
            accumulate(self.0, a, b, &mut sum, |sum, product| self.0.add_f64s(sum, product), |sum, product| sum + product);
            *b = sum;
        }
        keep_apart();
    }
    #[inline(always)]
    fn copy(self, x: &[f64], y: &mut [f64]) {
        let (Some(x), Some(y)) = (x.first_chunk::<S>(), y.first_chunk_mut::<S>()) else { return };
        let ((x_heads, x_tails), (heads, tails)) = (V::as_simd_f64s(x), V::as_mut_simd_f64s(y));
        heads.iter_mut().zip(x_heads).for_each(|(y, x)| *y = *x);
        let ((x_pairs, x_last), (pairs, last)) = (x_tails.as_chunks::<2>(), tails.as_chunks_mut::<2>());
        pairs.iter_mut().zip(x_pairs).for_each(|(y, x)| *y = *x);
        last.iter_mut().zip(x_last).for_each(|(y, x)| *y = *x);
    }
}

impl Kernel for Any {
    #[inline(always)]
    fn size(self) -> usize {
        self.0
    }
    #[inline(always)]
    fn subtract(self, r: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
        subtract_general(r, self.0, a, b, c);
    }
    #[inline(always)]
    fn subtract_from(self, c: usize, a: &[f64], x: &[f64], y: &mut [f64]) {
        subtract_general(self.0, c, a, x, y);
    }
    #[inline(always)]
    fn multiply(self, a: &[f64], b: &mut [f64], small: &mut [f64]) {
        for b in b.chunks_exact_mut(self.0) {
            let sum = &mut small[..self.0];
            sum.fill(0.0);
            for (a, b) in a.chunks_exact(self.0).zip(b.iter()) {
                sum.iter_mut().zip(a).for_each(|(sum, a)| *sum += a * *b);
            }
            b.copy_from_slice(sum);
        }
    }
    #[inline(always)]
    fn copy(self, x: &[f64], y: &mut [f64]) {
        y[..self.0].copy_from_slice(&x[..self.0]);
    }
}

/// Ends a kernel. The compiler would share what the ends of kernels of several sizes have in common, and gather their numbers one by one.
#[inline(always)]
fn keep_apart() {
    std::hint::black_box(());
}

/// A matrix of S columns of R rows.
#[inline(always)]
fn columns<const R: usize, const S: usize>(a: &[f64]) -> &[[f64; R]] {
    a[..R * S].as_chunks().0
}

/// Joins products of columns of A and entries of x with y, many rows or one at a time.
#[inline(always)]
fn accumulate<V: Simd, const R: usize, const S: usize>(
    simd: V,
    a: &[[f64; R]],
    x: &[f64; S],
    y: &mut [f64; R],
    many: impl Fn(V::f64s, V::f64s) -> V::f64s,
    one: impl Fn(f64, f64) -> f64,
) {
    let (heads, tails) = V::as_mut_simd_f64s(y);
    let alone = heads.len() * V::F64_LANES;
    for p in 0..S {
        let column = &a[p];
        for (h, sum) in heads.iter_mut().enumerate() {
            *sum = many(*sum, simd.mul_f64s(V::as_simd_f64s(column).0[h], simd.splat_f64s(x[p])));
        }
        for (t, sum) in tails.iter_mut().enumerate() {
            *sum = one(*sum, column[alone + t] * x[p]);
        }
    }
}

/// [`subtract_sized`] with its sizes the other way round.
#[inline(always)]
fn subtract_rows<V: Simd, const S: usize, const R: usize>(simd: V, a: &[f64], b: &[f64], c: &mut [f64]) {
    subtract_sized::<V, R, S>(simd, a, b, c);
}

#[inline(always)]
fn subtract_sized<V: Simd, const R: usize, const S: usize>(simd: V, a: &[f64], b: &[f64], c: &mut [f64]) {
    let a = columns::<R, S>(a);
    for (c, b) in c.as_chunks_mut::<R>().0.iter_mut().zip(b.as_chunks::<S>().0) {
        let mut sum = *c;
        accumulate(simd, a, b, &mut sum, |sum, product| simd.sub_f64s(sum, product), |sum, product| sum - product);
        *c = sum;
    }
    keep_apart();
}

#[inline(always)]
fn subtract_general(r: usize, s: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for (c, b) in c.chunks_exact_mut(r).zip(b.chunks_exact(s)) {
        for (a, b) in a.chunks_exact(r).zip(b) {
            c.iter_mut().zip(a).for_each(|(c, a)| *c -= a * b);
        }
    }
}

/// y ← y − f x.
#[inline(always)]
pub fn subtract_multiple<V: Simd, const S: usize>(simd: V, f: f64, x: &[f64; S], y: &mut [f64; S]) {
    let ((heads, tails), (x_heads, x_tails)) = (V::as_mut_simd_f64s(y), V::as_simd_f64s(x));
    heads.iter_mut().zip(x_heads).for_each(|(y, x)| *y = simd.sub_f64s(*y, simd.mul_f64s(*x, simd.splat_f64s(f))));
    tails.iter_mut().zip(x_tails).for_each(|(y, x)| *y -= x * f);
}

/// C ← C − A B with A of size r × s, on any processor.
pub fn subtract_product(r: usize, s: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    with_kernel!(Scalar::new(), s, kernel => kernel.subtract(r, a, b, c));
}

/// B ← A B with A of size s × s, on any processor; `small` holds at least s numbers.
pub fn multiply_in_place(s: usize, a: &[f64], b: &mut [f64], small: &mut [f64]) {
    with_kernel!(Scalar::new(), s, kernel => kernel.multiply(a, b, small));
}

/// C ← A with matrices of r rows.
#[inline(always)]
pub fn copy(r: usize, a: &[f64], c: &mut [f64]) {
    by_size!(r, copy_sized(a, c), c.copy_from_slice(a));
}

#[inline(always)]
fn copy_sized<const R: usize>(a: &[f64], c: &mut [f64]) {
    for (c, a) in c.as_chunks_mut::<R>().0.iter_mut().zip(a.as_chunks::<R>().0) {
        *c = *a;
    }
}
