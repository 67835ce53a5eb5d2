//! Products of small dense matrices, column after column, without gaps.
//!
//! Sizes that bodies and joints have are known to the compiler, which then unrolls and vectorises. Everything here is inlined into
//! functions compiled for the processor at hand (`block_lu.rs`). There is no fused multiply-add, so that results are the same on
//! every processor.

/// Calls a function with a size from one to six as its constant, or another one where the size is larger.
macro_rules! by_size {
    ($n:expr, $sized:ident $(::<$first:ident>)? ( $($argument:expr),* ), $general:expr) => {
        match $n {
            1 => $sized::<$($first,)? 1>($($argument),*),
            2 => $sized::<$($first,)? 2>($($argument),*),
            3 => $sized::<$($first,)? 3>($($argument),*),
            4 => $sized::<$($first,)? 4>($($argument),*),
            5 => $sized::<$($first,)? 5>($($argument),*),
            6 => $sized::<$($first,)? 6>($($argument),*),
            _ => $general,
        }
    };
}
pub(super) use by_size;

/// C ← C − A B with A of size r × s; B and C have as many columns as fit.
#[inline(always)]
pub fn subtract_product(r: usize, s: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    by_size!(r, subtract_rows(s, a, b, c), subtract_general(r, s, a, b, c));
}

#[inline(always)]
fn subtract_rows<const R: usize>(s: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    by_size!(s, subtract_sized::<R>(a, b, c), subtract_general(R, s, a, b, c));
}

#[inline(always)]
fn subtract_sized<const R: usize, const S: usize>(a: &[f64], b: &[f64], c: &mut [f64]) {
    let a = &a[..R * S];
    for (c, b) in c.chunks_exact_mut(R).zip(b.chunks_exact(S)) {
        let mut sum = [0.0; R];
        sum.copy_from_slice(c);
        for p in 0..S {
            for i in 0..R {
                sum[i] -= a[p * R + i] * b[p];
            }
        }
        c.copy_from_slice(&sum);
    }
}

#[inline(always)]
fn subtract_general(r: usize, s: usize, a: &[f64], b: &[f64], c: &mut [f64]) {
    for (c, b) in c.chunks_exact_mut(r).zip(b.chunks_exact(s)) {
        for (a, b) in a.chunks_exact(r).zip(b) {
            c.iter_mut().zip(a).for_each(|(c, a)| *c -= a * b);
        }
    }
}

/// B ← A B with A of size s × s; `small` holds at least s numbers.
#[inline(always)]
pub fn multiply_in_place(s: usize, a: &[f64], b: &mut [f64], small: &mut [f64]) {
    by_size!(s, multiply_sized(a, b), multiply_general(s, a, b, small));
}

#[inline(always)]
fn multiply_sized<const S: usize>(a: &[f64], b: &mut [f64]) {
    let a = &a[..S * S];
    for b in b.chunks_exact_mut(S) {
        let mut sum = [0.0; S];
        for p in 0..S {
            for i in 0..S {
                sum[i] += a[p * S + i] * b[p];
            }
        }
        b.copy_from_slice(&sum);
    }
}

#[inline(always)]
fn multiply_general(s: usize, a: &[f64], b: &mut [f64], small: &mut [f64]) {
    for b in b.chunks_exact_mut(s) {
        let sum = &mut small[..s];
        sum.fill(0.0);
        for (a, b) in a.chunks_exact(s).zip(b.iter()) {
            sum.iter_mut().zip(a).for_each(|(sum, a)| *sum += a * b);
        }
        b.copy_from_slice(sum);
    }
}

/// C ← A with matrices of r rows.
#[inline(always)]
pub fn copy(r: usize, a: &[f64], c: &mut [f64]) {
    by_size!(r, copy_sized(a, c), c.copy_from_slice(a));
}

#[inline(always)]
fn copy_sized<const R: usize>(a: &[f64], c: &mut [f64]) {
    for (c, a) in c.chunks_exact_mut(R).zip(a.chunks_exact(R)) {
        c.copy_from_slice(a);
    }
}
