//! Prediction of u, w and λ by the polynomial through their last values,
//!
//! ```text
//! p_d(t) = Σ_j l_j(t) z_{n−j},    j = 0 … d                                                                        (1)
//! ```
//!
//! Every few steps the degree that would have predicted the last one best is taken: rough solutions fall back to the last value,
//! smooth ones use the highest.

use super::lagrange;
use crate::linear::Pages;

/// Highest degree.
pub const MAX_DEGREE: usize = 5;
/// The degree is looked at every so many steps.
const LOOK: usize = 4;

const POINTS: usize = MAX_DEGREE + 1;

/// The factors l_j of the degrees that were asked for; for equal steps they stay what they are.
#[derive(Debug, Clone, Default)]
struct Factors {
    h: f64,
    spans: [f64; POINTS],
    of: [Option<[f64; POINTS]>; POINTS],
}

impl Factors {
    /// Those after a step of size `h`: none yet where the steps are other ones.
    fn after(&mut self, spans: &[f64; POINTS], h: f64) -> &mut Self {
        if self.h != h || self.spans != *spans {
            *self = Self { h, spans: *spans, of: Default::default() };
        }
        self
    }

    /// Those of a degree (equation 1).
    fn of(&mut self, degree: usize) -> &[f64; POINTS] {
        self.of[degree].get_or_insert_with(|| {
            let mut times = [0.0; POINTS];
            (1..=degree).for_each(|j| times[j] = times[j - 1] - self.spans[j - 1]);
            lagrange::factors(&times, degree + 1, self.h)
        })
    }
}

/// The last values of a vector, newest first.
#[derive(Debug, Clone)]
pub struct Predictor {
    past: Pages,
    /// Of one of them.
    length: usize,
    /// Where the newest is among them; the others follow, around the end.
    newest: usize,
    /// The steps between them, newest first; the last predicted one is not among them.
    spans: [f64; POINTS],
    factors: Factors,
    known: usize,
    degree: usize,
    highest: usize,
    until_look: usize,
}

impl Predictor {
    /// For vectors of this length, with degrees up to `highest`.
    pub fn new(length: usize, highest: usize) -> Self {
        let (past, spans, factors) = (Pages::zeros(POINTS * length), [0.0; POINTS], Factors::default());
        Self { past, length, newest: 0, spans, factors, known: 0, degree: 0, highest: highest.min(MAX_DEGREE), until_look: 0 }
    }

    /// Forgets the history.
    pub fn reset(&mut self) {
        (self.known, self.degree, self.until_look) = (0, 0, 0);
    }

    /// All of them, newest first.
    fn past(&self) -> [&[f64]; POINTS] {
        let past: &[f64] = &self.past;
        std::array::from_fn(|j| &past[(self.newest + j) % POINTS * self.length..][..self.length])
    }

    /// The degree in use.
    #[cfg(test)]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Adds the value after a step of size `h`, given in parts; `weights` measure which degree would have predicted its first entries best.
    pub fn push(&mut self, h: f64, parts: [&[f64]; 3], weights: &[f64]) {
        self.newest = (self.newest + POINTS - 1) % POINTS;
        let mut rest = &mut self.past[self.newest * self.length..][..self.length];
        for part in parts {
            let (own, after) = rest.split_at_mut(part.len());
            own.copy_from_slice(part);
            rest = after;
        }
        if self.until_look == 0 || self.known < POINTS {
            self.choose_degree(h, weights);
            self.until_look = LOOK;
        }
        self.until_look -= 1;
        self.spans.rotate_right(1);
        self.spans[0] = h;
        self.known = (self.known + 1).min(POINTS);
    }

    /// Compares the newest value, not yet counted, with what each degree predicts of it.
    fn choose_degree(&mut self, h: f64, weights: &[f64]) {
        let usable = self.known.min(self.highest + 1).min(POINTS - 1);
        if usable == 0 {
            return;
        }
        let known = self.factors.after(&self.spans, h);
        let factors: [[f64; POINTS]; POINTS] = std::array::from_fn(|d| *known.of(d.min(usable - 1)));
        let [value, past @ ..] = self.past();
        let mut sums = [0.0; POINTS];
        for (i, weight) in weights.iter().enumerate() {
            for d in 0..usable {
                let guess: f64 = (0..=d).map(|j| factors[d][j] * past[j][i]).sum();
                sums[d] += ((value[i] - guess) * weight).powi(2);
            }
        }
        let mut best = 0;
        for d in 1..usable {
            if sums[d] < sums[best] {
                best = d;
            }
        }
        // One degree more than could be compared is tried where the highest of these was the best.
        self.degree = if best + 1 == usable { (best + 1).min(self.highest) } else { best };
    }

    /// Extrapolates over a step of size `h` (equation 1), into parts as they were pushed.
    pub fn predict(&mut self, h: f64, parts: [&mut [f64]; 3]) {
        let degree = self.degree.min(self.known.saturating_sub(1));
        let factors = *self.factors.after(&self.spans, h).of(degree);
        let (past, mut first) = (self.past(), 0);
        for part in parts {
            match degree {
                _ if part.is_empty() => {}
                0 => part.copy_from_slice(&past[0][first..first + part.len()]),
                1 => combine::<2>(&factors, &past, first, part),
                2 => combine::<3>(&factors, &past, first, part),
                3 => combine::<4>(&factors, &past, first, part),
                4 => combine::<5>(&factors, &past, first, part),
                _ => combine::<6>(&factors, &past, first, part),
            }
            first += part.len();
        }
    }
}

/// out = Σ factors_j past_j over the first N of them, their entries from `first` on, added in pairs.
#[inline(never)]
fn combine<const N: usize>(factors: &[f64; POINTS], past: &[&[f64]; POINTS], first: usize, out: &mut [f64]) {
    let past: [&[f64]; N] = std::array::from_fn(|j| &past[j][first..first + out.len()]);
    for (i, out) in out.iter_mut().enumerate() {
        let mut sum = factors[0] * past[0][i] + factors[1] * past[1][i];
        for j in (2..N).step_by(2) {
            sum += factors[j] * past[j][i] + if j + 1 < N { factors[j + 1] * past[j + 1][i] } else { 0.0 };
        }
        *out = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quintics_are_predicted_exactly_and_noise_is_held() {
        let quintic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t + 3.0 * t * t * t - 1.5 * t.powi(4) + 0.7 * t.powi(5);
        let mut predictor = Predictor::new(3, MAX_DEGREE);
        let mut last = 0.0;
        for k in 0..17 {
            let t = 0.05 * f64::from(k) + if k % 3 == 0 { 0.01 } else { 0.0 };
            predictor.push(t - std::mem::replace(&mut last, t), [&[quintic(t)], &[2.0 * t], &[-1.0]], &[1.0]);
        }
        let [mut u, mut w, mut l] = [[0.0]; 3];
        predictor.predict(0.9 - last, [&mut u, &mut w, &mut l]);
        assert_eq!(predictor.degree(), MAX_DEGREE);
        assert!((u[0] - quintic(0.9)).abs() < 1e-12 && (w[0] - 1.8).abs() < 1e-12 && (l[0] + 1.0).abs() < 1e-12);
        for k in 0..12 {
            predictor.push(0.1, [&[if k % 3 == 0 { 5.0 } else { -4.0 }], &[0.0], &[0.0]], &[1.0]);
        }
        assert!(predictor.degree() < 2);
    }
}
