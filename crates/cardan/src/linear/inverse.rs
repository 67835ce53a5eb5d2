//! Inverses of diagonal blocks by Gauss–Jordan elimination, with a look at the pivots.
//!
//! A pivot p of a row whose diagonal was once as large as d is known to about ε d / p: the smallest p / d of a block is its quality.
//! Blocks of bodies and joints mostly are close to definite and have good pivots on the diagonal; only where one is small or grows are
//! rows exchanged.

use super::kernels::by_size;

/// A pivot of this size relative to its row is zero.
const ROUND_OFF: f64 = 1e-14;
/// Pivots on the diagonal are taken where all p / d are between these.
const GOOD: [f64; 2] = [1e-2, 1e2];

/// A (s × s) ← A⁻¹. `peak` holds the largest size of every diagonal entry so far; `small` at least 3 s numbers. Gives the quality,
/// zero if there is no pivot or if there are numbers that are not finite.
#[inline(always)]
pub fn invert(s: usize, a: &mut [f64], peak: &mut [f64], small: &mut [f64]) -> f64 {
    for k in 0..s {
        peak[k] = peak[k].max(a[k * (s + 1)].abs());
    }
    by_size!(s, invert_sized(a, peak, small), invert_exchanging(s, a, peak, small))
}

#[inline(always)]
fn invert_sized<const S: usize>(a: &mut [f64], peak: &[f64], small: &mut [f64]) -> f64 {
    let mut columns = [[0.0; S]; S];
    for c in 0..S {
        columns[c].copy_from_slice(&a[c * S..(c + 1) * S]);
    }
    let mut pivots = [0.0; S];
    // Written out, so that every place is known to the compiler.
    if S > 0 {
        pivots[0] = eliminate_sized(0, &mut columns);
    }
    if S > 1 {
        pivots[1] = eliminate_sized(1, &mut columns);
    }
    if S > 2 {
        pivots[2] = eliminate_sized(2, &mut columns);
    }
    if S > 3 {
        pivots[3] = eliminate_sized(3, &mut columns);
    }
    if S > 4 {
        pivots[4] = eliminate_sized(4, &mut columns);
    }
    if S > 5 {
        pivots[5] = eliminate_sized(5, &mut columns);
    }
    let (mut smallest, mut good) = (f64::INFINITY, true);
    for k in 0..S {
        let quality = pivots[k].abs() / peak[k];
        good &= quality >= GOOD[0] && quality <= GOOD[1];
        smallest = if quality < smallest { quality } else { smallest };
    }
    if !good {
        return invert_exchanging(S, a, peak, small);
    }
    for c in 0..S {
        a[c * S..(c + 1) * S].copy_from_slice(&columns[c]);
    }
    smallest
}

/// One step of Gauss–Jordan in place; gives the pivot.
#[inline(always)]
fn eliminate_sized<const S: usize>(k: usize, a: &mut [[f64; S]; S]) -> f64 {
    let pivot = a[k][k];
    let inverse = 1.0 / pivot;
    let mut multipliers = a[k];
    multipliers[k] = 0.0;
    for c in 0..S {
        if c != k {
            let factor = a[c][k] * inverse;
            for r in 0..S {
                a[c][r] -= multipliers[r] * factor;
            }
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
fn invert_exchanging(s: usize, a: &mut [f64], peak: &[f64], small: &mut [f64]) -> f64 {
    let a = &mut a[..s * s];
    // Rows are weighed by their own size, so that metres and radians, kilograms and grams stand side by side.
    let (order, rest) = small[..3 * s].split_at_mut(s);
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
