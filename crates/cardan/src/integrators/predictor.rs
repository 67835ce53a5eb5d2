//! Prediction of u, w and λ by the polynomial through their last values,
//!
//! ```text
//! p_d(t) = Σ_j l_j(t) z_{n−j},    l_j(t) = Π_{i≠j} (t − t_{n−i})/(t_{n−j} − t_{n−i}),    j = 0 … d                (1)
//! ```
//!
//! Every few steps the degree that would have predicted the last one best is taken: rough solutions fall back to the last value,
//! smooth ones use the highest.

/// Highest degree.
pub const MAX_DEGREE: usize = 5;
/// The degree is looked at every so many steps.
const LOOK: usize = 4;

const POINTS: usize = MAX_DEGREE + 1;

/// The last values of a vector, newest first.
#[derive(Debug, Clone)]
pub struct Predictor {
    past: [Vec<f64>; POINTS],
    times: [f64; POINTS],
    known: usize,
    degree: usize,
    highest: usize,
    until_look: usize,
}

impl Predictor {
    /// For vectors of this length, with degrees up to `highest`.
    pub fn new(length: usize, highest: usize) -> Self {
        let past = std::array::from_fn(|_| vec![0.0; length]);
        Self { past, times: [0.0; POINTS], known: 0, degree: 0, highest: highest.min(MAX_DEGREE), until_look: 0 }
    }

    /// Forgets the history.
    pub fn reset(&mut self) {
        (self.known, self.degree, self.until_look) = (0, 0, 0);
    }

    /// The degree in use.
    #[cfg(test)]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Adds a value, given in parts; `weights` measure which degree would have predicted its first entries best.
    pub fn push(&mut self, t: f64, parts: [&[f64]; 3], weights: &[f64]) {
        self.past.rotate_right(1);
        let mut rest = self.past[0].as_mut_slice();
        for part in parts {
            let (own, after) = rest.split_at_mut(part.len());
            own.copy_from_slice(part);
            rest = after;
        }
        if self.until_look == 0 || self.known < POINTS {
            self.choose_degree(t, weights);
            self.until_look = LOOK;
        }
        self.until_look -= 1;
        self.times.rotate_right(1);
        self.times[0] = t;
        self.known = (self.known + 1).min(POINTS);
    }

    /// The factors l_j of degree d at t (equation 1), for the values whose times start at `times`.
    fn factors(times: &[f64], degree: usize, t: f64) -> [f64; POINTS] {
        let mut factors = [0.0; POINTS];
        for j in 0..=degree {
            let others = (0..=degree).filter(|i| *i != j);
            factors[j] = others.map(|i| (t - times[i]) / (times[j] - times[i])).product();
        }
        factors
    }

    /// Compares the newest value, not yet counted, with what each degree predicts of it.
    fn choose_degree(&mut self, t: f64, weights: &[f64]) {
        let usable = self.known.min(self.highest + 1).min(POINTS - 1);
        if usable == 0 {
            return;
        }
        let (value, past) = (&self.past[0], &self.past[1..]);
        let factors: [[f64; POINTS]; POINTS] = std::array::from_fn(|d| Self::factors(&self.times, d.min(usable - 1), t));
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

    /// Extrapolates to `t` (equation 1), into parts as they were pushed.
    pub fn predict(&self, t: f64, parts: [&mut [f64]; 3]) {
        let degree = self.degree.min(self.known.saturating_sub(1));
        let factors = Self::factors(&self.times, degree, t);
        let mut first = 0;
        for part in parts {
            let n = part.len();
            let past = |j: usize| &self.past[j][first..first + n];
            combine(degree, &factors, past, part);
            first += n;
        }
    }
}

/// out = Σ factors_j past_j, two values at a time.
fn combine<'a>(degree: usize, factors: &[f64; POINTS], past: impl Fn(usize) -> &'a [f64], out: &mut [f64]) {
    let n = out.len();
    if degree == 0 {
        out.copy_from_slice(past(0));
        return;
    }
    let (a, b) = (&past(0)[..n], &past(1)[..n]);
    (0..n).for_each(|i| out[i] = factors[0] * a[i] + factors[1] * b[i]);
    for j in (2..=degree).step_by(2) {
        let (a, b) = (&past(j)[..n], &past((j + 1).min(degree))[..n]);
        let (fa, fb) = (factors[j], if j < degree { factors[j + 1] } else { 0.0 });
        (0..n).for_each(|i| out[i] += fa * a[i] + fb * b[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quintics_are_predicted_exactly_and_noise_is_held() {
        let quintic = |t: f64| 1.0 - 2.0 * t + 0.5 * t * t + 3.0 * t * t * t - 1.5 * t.powi(4) + 0.7 * t.powi(5);
        let mut predictor = Predictor::new(3, MAX_DEGREE);
        for k in 0..17 {
            let t = 0.05 * f64::from(k) + if k % 3 == 0 { 0.01 } else { 0.0 };
            predictor.push(t, [&[quintic(t)], &[2.0 * t], &[-1.0]], &[1.0]);
        }
        let [mut u, mut w, mut l] = [[0.0]; 3];
        predictor.predict(0.9, [&mut u, &mut w, &mut l]);
        assert_eq!(predictor.degree(), MAX_DEGREE);
        assert!((u[0] - quintic(0.9)).abs() < 1e-12 && (w[0] - 1.8).abs() < 1e-12 && (l[0] + 1.0).abs() < 1e-12);
        for k in 0..12 {
            predictor.push(0.9 + 0.1 * f64::from(k), [&[if k % 3 == 0 { 5.0 } else { -4.0 }], &[0.0], &[0.0]], &[1.0]);
        }
        assert!(predictor.degree() < 2);
    }
}
