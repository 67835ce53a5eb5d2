//! Prediction of u, w and λ by extrapolating the last values with Newton's divided differences.
//!
//! With the nodes t_n, t_{n−1}, … and the divided differences D_k = [u_n, …, u_{n−k}] the polynomial of degree d is
//!
//! ```text
//! p_d(t) = D_0 + (t − t_n)(D_1 + (t − t_{n−1})(D_2 + …))                                     (1)
//! ```
//!
//! evaluated by Horner's scheme. When a step is accepted, the degree that would have predicted it best is taken for the
//! next one: rough solutions fall back to the last value, smooth ones use the cubic.

use crate::math::weighted_rms;

/// Highest degree.
pub const MAX_DEGREE: usize = 3;

/// Divided differences of a vector-valued history.
#[derive(Debug, Clone)]
pub struct Predictor {
    /// D_0 … D_3.
    differences: [Vec<f64>; MAX_DEGREE + 1],
    scratch: [Vec<f64>; 2],
    times: [f64; MAX_DEGREE + 1],
    known: usize,
    degree: usize,
    highest: usize,
}

impl Predictor {
    /// For vectors of this length, with degrees up to `highest`.
    pub fn new(length: usize, highest: usize) -> Self {
        let zeros = || vec![0.0; length];
        Self {
            differences: [zeros(), zeros(), zeros(), zeros()],
            scratch: [zeros(), zeros()],
            times: [0.0; MAX_DEGREE + 1],
            known: 0,
            degree: 0,
            highest: highest.min(MAX_DEGREE),
        }
    }

    /// Forgets the history.
    pub fn reset(&mut self) {
        (self.known, self.degree) = (0, 0);
    }

    /// The degree in use.
    #[cfg(test)]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Adds a value; `weights` measure which degree would have predicted its first entries best.
    pub fn push(&mut self, t: f64, value: &[f64], weights: &[f64]) {
        self.choose_degree(t, value, weights);
        let usable = self.known.min(MAX_DEGREE);
        // D_k(new) = (D_{k−1}(new) − D_{k−1}(old)) / (t − t_{n−k+1}); `carry` holds D_{k−1}(new).
        self.scratch[0].copy_from_slice(value);
        for k in 0..=usable {
            std::mem::swap(&mut self.differences[k], &mut self.scratch[0]);
            if k < usable {
                let span = t - self.times[k];
                let [old, next] = &mut self.scratch;
                for ((next, new), old) in next.iter_mut().zip(&self.differences[k]).zip(old.iter()) {
                    *next = (new - old) / span;
                }
                self.scratch.swap(0, 1);
            }
        }
        self.times.copy_within(0..MAX_DEGREE, 1);
        self.times[0] = t;
        self.known = (self.known + 1).min(MAX_DEGREE + 1);
        self.degree = self.degree.min(self.known - 1);
    }

    fn choose_degree(&mut self, t: f64, value: &[f64], weights: &[f64]) {
        if self.known == 0 {
            return;
        }
        let n = weights.len();
        let [guess, error] = &mut self.scratch;
        guess[..n].fill(0.0);
        let (mut product, mut best) = (1.0, (f64::INFINITY, 0));
        for k in 0..self.known.min(self.highest + 1) {
            for i in 0..n {
                guess[i] += product * self.differences[k][i];
                error[i] = guess[i] - value[i];
            }
            let size = weighted_rms(&error[..n], weights);
            if size < best.0 {
                best = (size, k);
            }
            product *= t - self.times[k];
        }
        // One degree more than the best is known to work only once it has been tried: go up by one at a time.
        self.degree = if best.1 + 1 == self.known { (best.1 + 1).min(self.highest) } else { best.1 };
    }

    /// D_1 and the last step, once two values are known.
    pub fn slope(&self) -> Option<(&[f64], f64)> {
        (self.known >= 2).then(|| (self.differences[1].as_slice(), self.times[0] - self.times[1]))
    }

    /// Extrapolates to `t` (equation 1).
    pub fn predict(&self, t: f64, out: &mut [f64]) {
        let degree = self.degree.min(self.known.saturating_sub(1));
        out.copy_from_slice(&self.differences[degree]);
        for k in (0..degree).rev() {
            let dt = t - self.times[k];
            for (p, d) in out.iter_mut().zip(&self.differences[k]) {
                *p = d + dt * *p;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_are_predicted_exactly_and_noise_is_held() {
        let cubic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t + 3.0 * t * t * t;
        let mut predictor = Predictor::new(1, 3);
        for t in [0.0, 0.1, 0.25, 0.3, 0.5, 0.62] {
            predictor.push(t, &[cubic(t)], &[1.0]);
        }
        let mut out = [0.0];
        predictor.predict(0.8, &mut out);
        assert_eq!(predictor.degree(), 3);
        assert!((out[0] - cubic(0.8)).abs() < 1e-12);
        for k in 0..6 {
            predictor.push(0.8 + 0.1 * f64::from(k), &[if k % 3 == 0 { 5.0 } else { -4.0 }], &[1.0]);
        }
        assert!(predictor.degree() < 2);
    }
}
