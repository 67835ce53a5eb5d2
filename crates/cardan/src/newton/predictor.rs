//! Prediction of u, w and λ from their last values by the rules of `rules`. Every few steps, less often as long as it stays the same, the
//! rule that would have predicted the last one best is taken: rough solutions fall back to the last value, smooth ones use the highest
//! degree. λ has a rule of its own.

use super::rules::{Factors, MAX_DEGREE, POINTS, Rule, best_of};
use std::ops::Range;

/// The rules are looked at every so many steps; as long as steps are equal and they stay the best, only half as often after each look,
const LOOK: usize = 4;
/// down to this.
const RAREST: usize = 16;

/// The last values of a vector.
#[derive(Debug, Clone)]
struct Past {
    values: Vec<f64>,
    /// Of one of them.
    length: usize,
    /// Where the newest is among them; the others follow, around the end.
    newest: usize,
}

impl Past {
    /// The parts of a new one.
    fn push(&mut self, parts: [&[f64]; 3]) {
        self.newest = (self.newest + POINTS - 1) % POINTS;
        let mut rest = &mut self.values[self.newest * self.length..][..self.length];
        for part in parts {
            let (own, after) = rest.split_at_mut(part.len());
            own.copy_from_slice(part);
            rest = after;
        }
    }

    /// All of them, newest first.
    fn all(&self) -> [&[f64]; POINTS] {
        let (values, mut at): (&[f64], _) = (&self.values, self.newest);
        std::array::from_fn(|_| {
            let one = &values[at * self.length..][..self.length];
            at = if at + 1 == POINTS { 0 } else { at + 1 };
            one
        })
    }
}

/// Predicts vectors from their last values.
#[derive(Debug, Clone)]
pub struct Predictor {
    past: Past,
    /// The steps between them, newest first; the last predicted one is not among them.
    spans: [f64; POINTS],
    factors: Factors,
    known: usize,
    /// Of u and w, and of λ.
    rules: [Rule; 2],
    highest: usize,
    until_look: usize,
    /// Steps from one look to the next.
    pause: usize,
}

impl Predictor {
    /// For vectors of this length, with degrees up to `highest`.
    pub fn new(length: usize, highest: usize) -> Self {
        Self {
            past: Past { values: vec![0.0; POINTS * length], length, newest: 0 },
            spans: [0.0; POINTS],
            factors: Factors::default(),
            known: 0,
            rules: Default::default(),
            highest: highest.min(MAX_DEGREE),
            until_look: 0,
            pause: LOOK,
        }
    }

    /// Forgets the history.
    pub fn reset(&mut self) {
        (self.known, self.rules, self.until_look, self.pause) = (0, Default::default(), 0, LOOK);
    }

    /// Adds u, w and λ after a step of size `h`; `weights` are those of u and w.
    pub fn push(&mut self, h: f64, parts: [&[f64]; 3], weights: &[f64]) {
        self.past.push(parts);
        if h != self.spans[0] {
            (self.pause, self.until_look) = (LOOK, self.until_look.min(LOOK - 1));
        }
        if self.until_look == 0 || self.known < POINTS {
            self.look(h, weights);
            self.until_look = self.pause;
        }
        self.until_look -= 1;
        self.spans.rotate_right(1);
        self.spans[0] = h;
        self.known = (self.known + 1).min(POINTS);
    }

    /// Takes the rules that predict the newest value, not yet counted, best.
    fn look(&mut self, h: f64, weights: &[f64]) {
        let usable = self.known.min(self.highest + 1).min(POINTS - 1);
        let factors = self.factors.after(&self.spans, h).up_to(usable);
        let (past, moving, highest) = (self.past.all(), weights.len(), self.highest);
        let best = |entries: Range<usize>, weights: Option<&[f64]>| match usable {
            0 => Rule::default(),
            1 => best_of::<1>(factors, &past, entries, weights, highest),
            2 => best_of::<2>(factors, &past, entries, weights, highest),
            3 => best_of::<3>(factors, &past, entries, weights, highest),
            4 => best_of::<4>(factors, &past, entries, weights, highest),
            _ => best_of::<5>(factors, &past, entries, weights, highest),
        };
        let rules = [best(0..moving, Some(weights)), best(moving..self.past.length, None)];
        self.pause = if rules == self.rules { (2 * self.pause).min(RAREST) } else { LOOK };
        self.rules = rules;
    }

    /// Extrapolates u, w and λ over a step of size `h`.
    pub fn predict(&mut self, h: f64, [u, w, lambda]: [&mut [f64]; 3]) {
        let most = self.known.saturating_sub(1);
        let rules = self.rules.map(|r| Rule { reach: r.reach.min(most), alternating: r.alternating && r.reach <= most });
        let (factors, past) = (self.factors.after(&self.spans, h), self.past.all());
        let [moving, forcing] = rules.map(|rule| (rule.reach, factors.of(rule)));
        let (after_u, after_w) = (u.len(), u.len() + w.len());
        extrapolate(moving, &past, 0, u);
        extrapolate(moving, &past, after_u, w);
        extrapolate(forcing, &past, after_w, lambda);
    }
}

/// The entries from `first` on, by a rule of this reach with these factors.
fn extrapolate((reach, factors): (usize, [f64; POINTS]), past: &[&[f64]; POINTS], first: usize, out: &mut [f64]) {
    match reach {
        _ if out.is_empty() => {}
        0 => out.copy_from_slice(&past[0][first..first + out.len()]),
        1 => combine::<2>(&factors, past, first, out),
        2 => combine::<3>(&factors, past, first, out),
        3 => combine::<4>(&factors, past, first, out),
        4 => combine::<5>(&factors, past, first, out),
        _ => combine::<6>(&factors, past, first, out),
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
            predictor.push(t - std::mem::replace(&mut last, t), [&[quintic(t)], &[2.0 * t], &[-1.0]], &[1.0, 1.0]);
        }
        let [mut u, mut w, mut l] = [[0.0]; 3];
        predictor.predict(0.9 - last, [&mut u, &mut w, &mut l]);
        assert_eq!(predictor.rules[0], Rule { reach: MAX_DEGREE, alternating: false });
        assert!((u[0] - quintic(0.9)).abs() < 1e-12 && (w[0] - 1.8).abs() < 1e-12 && (l[0] + 1.0).abs() < 1e-12);
        for k in 0..12 {
            predictor.push(0.1, [&[if k % 3 == 0 { 5.0 } else { -4.0 }], &[0.0], &[0.0]], &[1.0, 1.0]);
        }
        assert!(predictor.rules[0].reach < 2);
    }

    #[test]
    fn what_changes_its_sign_with_every_step_is_predicted_beside_what_is_smooth() {
        let smooth = |t: f64| 3.0 - t + 2.0 * t * t;
        let multiplier = |k: i32, t: f64| smooth(t) + if k % 2 == 0 { 0.5 } else { -0.5 };
        let mut predictor = Predictor::new(2, 4);
        let mut last = 0.0;
        for k in 0..15 {
            let t = 0.1 * f64::from(k) + if k % 5 == 0 { 0.02 } else { 0.0 };
            predictor.push(t - std::mem::replace(&mut last, t), [&[smooth(t)], &[], &[multiplier(k, t)]], &[1.0]);
        }
        let [mut u, mut l] = [[0.0]; 2];
        predictor.predict(1.5 - last, [&mut u, &mut [], &mut l]);
        assert!(predictor.rules[1].alternating && !predictor.rules[0].alternating);
        assert!((u[0] - smooth(1.5)).abs() < 1e-12 && (l[0] - multiplier(15, 1.5)).abs() < 1e-12, "{} {}", u[0], l[0]);
    }

    #[test]
    fn rules_that_stay_the_best_are_looked_at_less_often_until_another_one_is() {
        let mut predictor = Predictor::new(2, 4);
        let mut push = |value: f64| {
            predictor.push(0.1, [&[value], &[], &[value]], &[1.0]);
            (predictor.rules[0].reach, predictor.pause)
        };
        let smooth: Vec<_> = (0..60).map(|k| push((0.1 * f64::from(k)).sin())).collect();
        assert_eq!(smooth[59], (4, RAREST));
        let rough: Vec<_> = (0..2 * RAREST).map(|k| push(if k % 3 == 0 { 5.0 } else { -4.0 })).collect();
        assert!(rough[RAREST].0 < 4 && rough[RAREST].1 == LOOK, "{rough:?}");
    }

    #[test]
    fn who_asks_for_no_degree_gets_the_last_value() {
        let mut predictor = Predictor::new(2, 0);
        (0..9).for_each(|k| predictor.push(0.1, [&[f64::from(k)], &[], &[f64::from(k % 2)]], &[1.0]));
        let [mut u, mut l] = [[0.0]; 2];
        predictor.predict(0.1, [&mut u, &mut [], &mut l]);
        assert_eq!((u[0], l[0]), (8.0, 0.0));
    }
}
