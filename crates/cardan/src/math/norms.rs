//! Norms of long vectors, summed in eight lanes so that processors can add several numbers at once; the order of summation is fixed.

const LANES: usize = 8;

/// Folds the entries of two vectors of equal length into lanes.
#[inline(always)]
fn fold(x: &[f64], y: &[f64], f: impl Fn(f64, f64, f64) -> f64) -> [f64; LANES] {
    let mut lanes = [0.0; LANES];
    let (xs, ys) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let rest = xs.remainder().iter().zip(ys.remainder());
    for (x, y) in xs.zip(ys) {
        for k in 0..LANES {
            lanes[k] = f(lanes[k], x[k], y[k]);
        }
    }
    for (lane, (x, y)) in lanes.iter_mut().zip(rest) {
        *lane = f(*lane, *x, *y);
    }
    lanes
}

/// Weighted root-mean-square norm, `sqrt(1/n Σ (w_i x_i)²)`; zero for an empty vector.
pub fn weighted_rms(x: &[f64], weights: &[f64]) -> f64 {
    let lanes = fold(x, weights, |sum, x, w| sum + (x * w) * (x * w));
    (lanes.iter().sum::<f64>() / x.len().max(1) as f64).sqrt()
}

/// The same norm of x − y.
pub fn weighted_rms_of_difference(x: &[f64], y: &[f64], weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    for ((x, y), w) in x.chunks(LANES).zip(y.chunks(LANES)).zip(weights.chunks(LANES)) {
        let mut difference = [0.0; LANES];
        difference.iter_mut().zip(x.iter().zip(y)).for_each(|(d, (x, y))| *d = x - y);
        sum += fold(&difference[..x.len()], &w[..x.len()], |sum, x, w| sum + (x * w) * (x * w)).iter().sum::<f64>();
    }
    (sum / x.len().max(1) as f64).sqrt()
}

/// Largest absolute value; NaN if any entry is NaN.
pub fn max_abs(x: &[f64]) -> f64 {
    let lanes = fold(x, x, |largest, x, _| if x.abs() <= largest { largest } else { x.abs() });
    // A NaN stays in its lane only until the next number, so it is looked for in the sum, which keeps it.
    let largest = lanes.iter().fold(0.0_f64, |m, v| m.max(*v));
    if is_finite(x) || !x.iter().any(|x| x.is_nan()) { largest } else { f64::NAN }
}

/// Whether all entries are finite: one that is not makes the sum so, and a sum that only overflows is looked at again.
pub fn is_finite(x: &[f64]) -> bool {
    fold(x, x, |sum, x, _| sum + x).iter().sum::<f64>().is_finite() || x.iter().all(|x| x.is_finite())
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
    fn weighted_rms_weighs() {
        assert!((weighted_rms(&[3.0, 8.0], &[1.0, 0.5]) - 12.5_f64.sqrt()).abs() < 1e-15);
        assert_eq!(weighted_rms(&[], &[]), 0.0);
        let (x, y, w) = ([3.0; 19], [1.0; 19], [0.5; 19]);
        assert!((weighted_rms_of_difference(&x, &y, &w) - 1.0).abs() < 1e-15);
    }
}
