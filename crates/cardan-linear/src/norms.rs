//! Norms of long vectors, summed in eight lanes so that processors can add several numbers at once; the order of summation is fixed.

const LANES: usize = 8;

/// Adds up a function of the entries of vectors of equal length.
#[inline(always)]
fn sum<const N: usize>(vectors: [&[f64]; N], term: impl Fn([f64; N]) -> f64) -> f64 {
    let n = vectors[0].len();
    let full = n / LANES;
    let rest: f64 = (full * LANES..n).map(|i| term(std::array::from_fn(|v| vectors[v][i]))).sum();
    if full == 0 {
        return rest;
    }
    let mut lanes = [0.0; LANES];
    let chunks = vectors.map(|v| &v.as_chunks::<LANES>().0[..full]);
    for at in 0..full {
        for k in 0..LANES {
            lanes[k] += term(std::array::from_fn(|v| chunks[v][at][k]));
        }
    }
    lanes.iter().sum::<f64>() + rest
}

/// Weighted root-mean-square norm, `sqrt(1/n Σ (w_i x_i)²)`; zero for an empty vector.
pub fn weighted_rms(x: &[f64], weights: &[f64]) -> f64 {
    (sum([x, weights], |[x, w]| (x * w) * (x * w)) / x.len().max(1) as f64).sqrt()
}

/// The same norm of x − y.
pub fn weighted_rms_of_difference(x: &[f64], y: &[f64], weights: &[f64]) -> f64 {
    (sum([x, y, weights], |[x, y, w]| ((x - y) * w) * ((x - y) * w)) / x.len().max(1) as f64).sqrt()
}

/// x += d; gives the same norm of d.
pub fn add_weighing(x: &mut [f64], d: &[f64], weights: &[f64]) -> f64 {
    let n = x.len();
    let (chunks, rest) = x.as_chunks_mut::<LANES>();
    let (full, done) = (chunks.len(), chunks.len() * LANES);
    let add = |x: &mut f64, d: f64, w: f64| {
        *x += d;
        (d * w) * (d * w)
    };
    let mut sum: f64 = rest.iter_mut().zip(&d[done..]).zip(&weights[done..]).map(|((x, d), w)| add(x, *d, *w)).sum();
    if full > 0 {
        let mut lanes = [0.0; LANES];
        let (d, weights) = (&d.as_chunks::<LANES>().0[..full], &weights.as_chunks::<LANES>().0[..full]);
        for ((x, d), w) in chunks.iter_mut().zip(d).zip(weights) {
            (0..LANES).for_each(|k| lanes[k] += add(&mut x[k], d[k], w[k]));
        }
        sum += lanes.iter().sum::<f64>();
    }
    (sum / n.max(1) as f64).sqrt()
}

/// Largest absolute value; NaN if any entry is NaN.
pub fn max_abs(x: &[f64]) -> f64 {
    let largest = largest(x);
    if is_finite(x) || !x.iter().any(|x| x.is_nan()) { largest } else { f64::NAN }
}

/// Largest absolute value of numbers; what is not a number is passed over.
pub fn largest(x: &[f64]) -> f64 {
    let larger = |m: f64, x: &f64| if x.abs() > m { x.abs() } else { m };
    let (chunks, rest) = x.as_chunks::<LANES>();
    let rest = rest.iter().fold(0.0, larger);
    if chunks.is_empty() {
        return rest;
    }
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for k in 0..LANES {
            lanes[k] = larger(lanes[k], &chunk[k]);
        }
    }
    lanes.iter().fold(rest, larger)
}

/// out = factor · x; gives the largest |x|, or nothing where a product is not finite.
pub fn scaled(x: &[f64], factor: f64, out: &mut [f64]) -> Option<f64> {
    // Numbers without a sign are in the order of their bits, and what is not a number is above them all.
    let mut largest = 0;
    for (out, x) in out.iter_mut().zip(x) {
        *out = x * factor;
        largest = largest.max(x.abs().to_bits());
    }
    let largest = f64::from_bits(largest);
    (largest * factor).is_finite().then_some(largest)
}

/// Whether all entries are finite: one that is not makes the sum so, and a sum that only overflows is looked at again.
pub fn is_finite(x: &[f64]) -> bool {
    sum([x], |[x]| x).is_finite() || x.iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_abs_is_nan_wherever_the_nan_stands() {
        assert_eq!(max_abs(&[1.0, -3.0, 2.0]), 3.0);
        assert_eq!(max_abs(&[]), 0.0);
        assert_eq!(max_abs(&[1.0, f64::NEG_INFINITY]), f64::INFINITY);
        for k in 0..20 {
            let mut x = [1.0; 20];
            x[k] = f64::NAN;
            assert!(max_abs(&x).is_nan() && !is_finite(&x), "{k}");
            x[k] = -7.0;
            assert!(max_abs(&x) == 7.0 && is_finite(&x), "{k}");
        }
        assert!(is_finite(&[f64::MAX, f64::MAX]) && !is_finite(&[1.0, f64::INFINITY]));
    }

    #[test]
    fn scaled_gives_the_largest_number_unless_one_is_not_finite() {
        let mut out = [0.0; 3];
        assert_eq!(scaled(&[1.0, -4.0, 0.5], -2.0, &mut out), Some(4.0));
        assert_eq!(out, [-2.0, 8.0, -1.0]);
        assert_eq!(scaled(&[], 2.0, &mut []), Some(0.0));
        for wrong in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
            assert_eq!(scaled(&[1.0, wrong, 3.0], 2.0, &mut out), None, "{wrong}");
        }
    }

    #[test]
    fn weighted_rms_weighs() {
        assert!((weighted_rms(&[3.0, 8.0], &[1.0, 0.5]) - 12.5_f64.sqrt()).abs() < 1e-15);
        assert_eq!(weighted_rms(&[], &[]), 0.0);
        let (mut x, y, w) = ([3.0; 19], [1.0; 19], [0.5; 19]);
        assert!((weighted_rms_of_difference(&x, &y, &w) - 1.0).abs() < 1e-15);
        let d: [f64; 19] = std::array::from_fn(|k| 0.1 + k as f64);
        assert_eq!(add_weighing(&mut x, &d, &w), weighted_rms(&d, &w), "to the last bit");
        assert!((0..19).all(|k| x[k] == 3.0 + d[k]));
    }
}
