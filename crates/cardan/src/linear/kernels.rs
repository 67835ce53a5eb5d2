//! Products and inverses of small dense matrices, column after column. Sizes that bodies and joints have are known to the compiler.

/// A pivot of this size relative to its row is zero.
const ROUND_OFF: f64 = 1e-14;

macro_rules! by_size {
    ($n:expr, $call:ident ( $($argument:expr),* )) => {
        match $n {
            1 => $call::<1>($($argument),*),
            2 => $call::<2>($($argument),*),
            3 => $call::<3>($($argument),*),
            4 => $call::<4>($($argument),*),
            5 => $call::<5>($($argument),*),
            6 => $call::<6>($($argument),*),
            _ => false,
        }
    };
}

/// out (w × w) = L (w × s) U (s × w).
pub fn multiply(w: usize, s: usize, lower: &[f64], upper: &[f64], out: &mut [f64]) {
    if by_size!(s, multiply_sized(w, lower, upper, out)) {
        return;
    }
    for j in 0..w {
        let column = &mut out[j * w..(j + 1) * w];
        column.fill(0.0);
        for p in 0..s {
            let u = upper[j * s + p];
            column.iter_mut().zip(&lower[p * w..(p + 1) * w]).for_each(|(x, l)| *x += l * u);
        }
    }
}

fn multiply_sized<const S: usize>(w: usize, lower: &[f64], upper: &[f64], out: &mut [f64]) -> bool {
    let columns: [&[f64]; S] = std::array::from_fn(|p| &lower[p * w..(p + 1) * w]);
    for (u, column) in upper.chunks_exact(S).zip(out.chunks_exact_mut(w)).take(w) {
        let u: [f64; S] = std::array::from_fn(|p| u[p]);
        for i in 0..w {
            let mut sum = 0.0;
            for p in 0..S {
                sum += columns[p][i] * u[p];
            }
            column[i] = sum;
        }
    }
    true
}

/// U (s × w) ← A (s × s) U.
pub fn multiply_in_place(s: usize, w: usize, a: &[f64], upper: &mut [f64], small: &mut [f64]) {
    if by_size!(s, multiply_in_place_sized(w, a, upper)) {
        return;
    }
    for column in upper.chunks_exact_mut(s).take(w) {
        times(s, s, a, column, &mut small[..s]);
        column.copy_from_slice(&small[..s]);
    }
}

fn multiply_in_place_sized<const S: usize>(w: usize, a: &[f64], upper: &mut [f64]) -> bool {
    for column in upper.chunks_exact_mut(S).take(w) {
        let mut sum = [0.0; S];
        for p in 0..S {
            for i in 0..S {
                sum[i] += a[p * S + i] * column[p];
            }
        }
        column.copy_from_slice(&sum);
    }
    true
}

/// out = A (m × n) x.
pub fn times(m: usize, n: usize, a: &[f64], x: &[f64], out: &mut [f64]) {
    let out = &mut out[..m];
    out.fill(0.0);
    for (column, x) in a.chunks_exact(m.max(1)).zip(&x[..n]) {
        out.iter_mut().zip(column).for_each(|(y, a)| *y += a * x);
    }
}

/// A (s × s) ← A⁻¹ by Gauss–Jordan elimination with row exchanges. Gives the smallest pivot relative to the peak of its row, zero if
/// there is no pivot.
pub fn invert(s: usize, a: &mut [f64], peak: &[f64], small: &mut [f64]) -> f64 {
    let a = &mut a[..s * s];
    // Rows are weighed by their own size, so that metres and radians, kilograms and grams stand side by side.
    let (order, rest) = small[..3 * s].split_at_mut(s);
    let (weight, peaks) = rest.split_at_mut(s);
    peaks.copy_from_slice(peak);
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

/// One step of Gauss–Jordan in place.
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
