//! Inverses of diagonal blocks by Gauss–Jordan elimination, with a look at the pivots.
//!
//! A pivot p of a row whose diagonal was once as large as d is known to about ε d / p: the smallest p / d of a block is its quality.
//! Blocks of bodies and joints mostly are close to definite and have good pivots on the diagonal; only where one is small or grows are
//! rows exchanged. A product with the inverse of a block of poor quality (a body in stiff springs, say, or a light one with a heavy branch
//! on it) has a large residual, and where such blocks follow one another their losses multiply; one correction with the block itself
//! makes it as good as a solution by elimination,
//!
//! ```text
//! X = D⁻¹ B,      X ← X + D⁻¹ (B − D X)                                                             (1)
//! ```

use super::kernels::{self, Kernel, by_size};
use pulp::Simd;

/// A pivot of this size relative to its row is zero.
const ROUND_OFF: f64 = 1e-14;
/// Pivots on the diagonal are taken where all p / d are between these.
const GOOD: [f64; 2] = [1e-4, 1e3];

/// Products with inverses of poorer quality are corrected (equation 1). In chains and trees that are drawn at random these are a tenth of all.
pub const POOR: f64 = 1e-2;

/// Work arrays for blocks up to a certain size.
#[derive(Debug)]
pub struct Scratch {
    /// Room for three rows.
    pub rows: Vec<f64>,
    /// The last block before it was inverted, if the quality was poor.
    pub block: Vec<f64>,
    /// Room for two columns.
    pub columns: Vec<f64>,
}

impl Scratch {
    /// For blocks up to this size.
    pub fn new(size: usize) -> Self {
        Self { rows: vec![0.0; 3 * size], block: vec![0.0; size * size], columns: vec![0.0; 2 * size] }
    }
}

/// B ← D⁻¹ B by equation (1), column after column.
#[inline(always)]
pub fn multiply_corrected(kernel: impl Kernel, block: &[f64], inverse: &[f64], b: &mut [f64], rows: &mut [f64], columns: &mut [f64]) {
    let s = kernel.size();
    let (x, rest) = columns[..2 * s].split_at_mut(s);
    for b in b.chunks_exact_mut(s) {
        x.copy_from_slice(b);
        kernel.multiply(inverse, x, rows);
        rest.copy_from_slice(b);
        kernel.subtract(s, block, x, rest);
        kernel.multiply(inverse, rest, rows);
        b.iter_mut().zip(x.iter().zip(rest.iter())).for_each(|(b, (x, r))| *b = x + r);
    }
}

/// A (s × s) ← A⁻¹. `peak` holds the largest size of every diagonal entry so far. Gives the quality, zero if there is no pivot
/// or if there are numbers that are not finite.
#[inline(always)]
pub fn invert<V: Simd>(simd: V, s: usize, a: &mut [f64], peak: &mut [f64], scratch: &mut Scratch) -> f64 {
    raise(&mut peak[..s], a);
    by_size!(s, invert_sized::<V>(simd, a, peak, scratch), invert_exchanging(s, a, peak, scratch))
}

/// Raises the peaks to the diagonal of a block.
#[inline(always)]
pub fn raise(peak: &mut [f64], block: &[f64]) {
    by_size!(peak.len(), raise_sized(peak, block), raise_general(peak, block));
}

#[inline(always)]
fn raise_sized<const S: usize>(peak: &mut [f64], block: &[f64]) {
    let (peak, block) = (&mut peak[..S], &block[..S * S]);
    for k in 0..S {
        let size = block[k * (S + 1)].abs();
        peak[k] = if size > peak[k] { size } else { peak[k] };
    }
}

#[inline(always)]
fn raise_general(peak: &mut [f64], block: &[f64]) {
    let step = peak.len() + 1;
    peak.iter_mut().zip(block.iter().step_by(step)).for_each(|(peak, diagonal)| *peak = peak.max(diagonal.abs()));
}

#[inline(always)]
fn invert_sized<V: Simd, const S: usize>(simd: V, a: &mut [f64], peak: &[f64], scratch: &mut Scratch) -> f64 {
    let mut columns = [[0.0; S]; S];
    columns.copy_from_slice(a[..S * S].as_chunks().0);
    let mut pivots = [0.0; S];
    // Written out, so that every place is known to the compiler.
    if S > 0 {
        pivots[0] = eliminate_sized(simd, 0, &mut columns);
    }
    if S > 1 {
        pivots[1] = eliminate_sized(simd, 1, &mut columns);
    }
    if S > 2 {
        pivots[2] = eliminate_sized(simd, 2, &mut columns);
    }
    if S > 3 {
        pivots[3] = eliminate_sized(simd, 3, &mut columns);
    }
    if S > 4 {
        pivots[4] = eliminate_sized(simd, 4, &mut columns);
    }
    if S > 5 {
        pivots[5] = eliminate_sized(simd, 5, &mut columns);
    }
    let (mut smallest, mut good) = (f64::INFINITY, true);
    for k in 0..S {
        let quality = pivots[k].abs() / peak[k];
        good &= (GOOD[0]..=GOOD[1]).contains(&quality);
        smallest = if quality < smallest { quality } else { smallest };
    }
    if !good {
        return invert_exchanging(S, a, peak, scratch);
    }
    if smallest < POOR {
        scratch.block[..S * S].copy_from_slice(&a[..S * S]);
    }
    a[..S * S].as_chunks_mut().0.copy_from_slice(&columns);
    smallest
}

/// One step of Gauss–Jordan in place; gives the pivot.
#[inline(always)]
fn eliminate_sized<V: Simd, const S: usize>(simd: V, k: usize, a: &mut [[f64; S]; S]) -> f64 {
    let pivot = a[k][k];
    let inverse = 1.0 / pivot;
    let mut multipliers = a[k];
    multipliers[k] = 0.0;
    for c in 0..S {
        if c != k {
            let factor = a[c][k] * inverse;
            kernels::subtract_multiple(simd, factor, &multipliers, &mut a[c]);
            a[c][k] = factor;
        }
    }
    for r in 0..S {
        a[k][r] = -multipliers[r] * inverse;
    }
    a[k][k] = inverse;
    pivot
}

/// The same for any size, with exchanges of rows.
#[inline(never)]
fn invert_exchanging(s: usize, a: &mut [f64], peak: &[f64], scratch: &mut Scratch) -> f64 {
    let a = &mut a[..s * s];
    // Rows are weighed by their own size, so that metres and radians, kilograms and grams stand side by side.
    scratch.block[..s * s].copy_from_slice(a);
    let (order, rest) = scratch.rows[..3 * s].split_at_mut(s);
    let (weight, peaks) = rest.split_at_mut(s);
    peaks.copy_from_slice(&peak[..s]);
    let mut smallest = f64::INFINITY;
    for r in 0..s {
        let largest = (0..s).fold(0.0_f64, |m, c| m.max(a[c * s + r].abs()));
        weight[r] = if largest > 0.0 { 1.0 / largest } else { 0.0 };
    }
    for k in 0..s {
        let (mut pivot, mut best) = (k, -1.0);
        for r in k..s {
            let size = a[k * s + r].abs() * weight[r];
            if size > best {
                (pivot, best) = (r, size);
            }
        }
        order[k] = pivot as f64;
        if pivot != k {
            (0..s).for_each(|c| a.swap(c * s + k, c * s + pivot));
            weight.swap(k, pivot);
            peaks.swap(k, pivot);
        }
        let p = a[k * s + k];
        if !(best > ROUND_OFF && p.is_finite()) {
            return 0.0;
        }
        smallest = smallest.min(p.abs() / peaks[k].min(peak[k]));
        eliminate(s, k, 1.0 / p, a);
    }
    for k in (0..s).rev() {
        let pivot = order[k] as usize;
        if pivot != k {
            let (left, right) = a.split_at_mut(pivot * s);
            left[k * s..(k + 1) * s].swap_with_slice(&mut right[..s]);
        }
    }
    smallest
}

fn eliminate(s: usize, k: usize, inverse: f64, a: &mut [f64]) {
    a[k * s + k] = 1.0;
    for c in 0..s {
        a[c * s + k] *= inverse;
    }
    for c in 0..s {
        if c == k {
            continue;
        }
        let factor = a[c * s + k];
        for r in 0..s {
            if r != k {
                a[c * s + r] -= a[k * s + r] * factor;
            }
        }
    }
    for r in 0..s {
        if r != k {
            a[k * s + r] *= -inverse;
        }
    }
}
