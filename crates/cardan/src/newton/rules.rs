//! The rules by which a vector is predicted from its last values (`predictor`): the polynomial p_d through the newest of them, or what is
//! also exact for a part that changes its sign with every step,
//!
//! ```text
//! p_d(t) = Σ_j l_j(t) z_{n−j},    j = 0 … d                                                                        (1)
//! p_d + θ (p_{d+1} − p_d),        θ such that  z_{n−j} = (−1)^j  gives −1                                          (2)
//! ```
//!
//! With index 3 a disturbance of the multipliers comes back with every step in the opposite direction until the method has damped it, and every
//! degree of (1) doubles it.

use crate::math::lagrange;
use std::ops::Range;

/// Highest degree.
pub const MAX_DEGREE: usize = 5;
/// How many values it takes.
pub const POINTS: usize = MAX_DEGREE + 1;
/// So many entries are compared at once.
const LANES: usize = 4;

/// How a vector is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rule {
    /// Over so many values beyond the newest one.
    pub reach: usize,
    /// By (2), whose degree is one less than its reach; by (1) otherwise.
    pub alternating: bool,
}

/// The factors of the degrees that were asked for; for equal steps they stay what they are.
#[derive(Debug, Clone, Default)]
pub struct Factors {
    h: f64,
    spans: [f64; POINTS],
    /// Which degrees are known, and their l_j (equation 1).
    known: [bool; POINTS],
    plain: [[f64; POINTS]; POINTS],
    /// θ of so many reaches (equation 2).
    thetas: usize,
    theta: [f64; POINTS],
}

impl Factors {
    /// Those after a step of size `h`: none yet where the steps are other ones.
    #[inline]
    pub fn after(&mut self, spans: &[f64; POINTS], h: f64) -> &mut Self {
        if self.h != h || self.spans != *spans {
            (self.h, self.spans, self.known, self.thetas) = (h, *spans, [false; POINTS], 0);
        }
        self
    }

    /// Everything of so many degrees.
    #[inline]
    pub fn up_to(&mut self, degrees: usize) -> &Self {
        for degree in self.thetas..degrees {
            self.find(degree);
            self.theta[degree] = if degree > 0 { self.theta(degree) } else { 0.0 };
            self.thetas = degree + 1;
        }
        self
    }

    /// Those of a rule.
    pub fn of(&mut self, rule: Rule) -> [f64; POINTS] {
        self.find(rule.reach);
        let plain = self.plain[rule.reach];
        if !rule.alternating {
            return plain;
        }
        self.find(rule.reach - 1);
        let (below, theta) = (&self.plain[rule.reach - 1], self.theta(rule.reach));
        std::array::from_fn(|j| below[j] + theta * (plain[j] - below[j]))
    }

    /// θ, where both degrees are known.
    #[inline]
    fn theta(&self, reach: usize) -> f64 {
        if reach < self.thetas {
            return self.theta[reach];
        }
        let [below, above] = [reach - 1, reach].map(|degree| alternating_sum(&self.plain[degree]));
        (-1.0 - below) / (above - below)
    }

    #[inline]
    fn find(&mut self, degree: usize) {
        if !self.known[degree] {
            let mut times = [0.0; POINTS];
            (1..=degree).for_each(|j| times[j] = times[j - 1] - self.spans[j - 1]);
            self.plain[degree] = lagrange::factors(&times, degree + 1, self.h);
            self.known[degree] = true;
        }
    }
}

/// What a part of size one that changes its sign with every step is predicted as.
fn alternating_sum(factors: &[f64; POINTS]) -> f64 {
    factors.iter().rev().fold(0.0, |sum, factor| factor - sum)
}

/// The rule of those of reach below N that predicts these entries of the newest value best from the others.
pub fn best_of<const N: usize>(
    factors: &Factors,
    past: &[&[f64]; POINTS],
    entries: Range<usize>,
    weights: Option<&[f64]>,
    highest: usize,
) -> Rule {
    let past = past.map(|values| &values[entries.clone()]);
    let (len, many) = (entries.len(), entries.len() / LANES * LANES);
    let [mut plain, mut alternating] = misses::<N, 1>(factors, &past, weights, many..len);
    if many > 0 {
        let sums = misses::<N, LANES>(factors, &past, weights, 0..many);
        (0..N).for_each(|d| (plain[d], alternating[d]) = (plain[d] + sums[0][d], alternating[d] + sums[1][d]));
    }
    let least = |sums: &[f64; N], from: usize| (from..N).reduce(|best, d| if sums[d] < sums[best] { d } else { best });
    let degree = least(&plain, 0).unwrap_or(0);
    match least(&alternating, 1) {
        Some(reach) if alternating[reach] < plain[degree] => Rule { reach, alternating: true },
        // One degree more than could be compared is tried where the highest of these was the best.
        _ => Rule { reach: if degree + 1 == N { N.min(highest) } else { degree }, alternating: false },
    }
}

/// Sums of the squares of what the rules of reach below N miss of the newest value, by (1) and by (2); L entries at once.
#[inline(always)]
fn misses<const N: usize, const L: usize>(
    factors: &Factors,
    past: &[&[f64]; POINTS],
    weights: Option<&[f64]>,
    entries: Range<usize>,
) -> [[f64; N]; 2] {
    let (mut plain, mut alternating) = ([[0.0; L]; N], [[0.0; L]; N]);
    for i in entries.step_by(L) {
        let [value, past @ ..] = past.map(|values| lanes::<L>(values, i));
        let (weights, mut below) = (weights.map_or([1.0; L], |weights| lanes(weights, i)), [0.0; L]);
        for d in 0..N {
            let mut guess = [0.0; L];
            for j in 0..=d {
                (0..L).for_each(|l| guess[l] += factors.plain[d][j] * past[j][l]);
            }
            for l in 0..L {
                let alternately = below[l] + factors.theta[d] * (guess[l] - below[l]);
                plain[d][l] += ((value[l] - guess[l]) * weights[l]).powi(2);
                alternating[d][l] += ((value[l] - alternately) * weights[l]).powi(2);
            }
            below = guess;
        }
    }
    [plain, alternating].map(|sums| sums.map(|lanes| lanes.iter().sum()))
}

#[inline(always)]
fn lanes<const L: usize>(values: &[f64], first: usize) -> [f64; L] {
    let values = &values[first..first + L];
    std::array::from_fn(|l| values[l])
}
