//! The course of w (or of u) over the last steps, and what it says about the local error of x (or of v): equation 3 of `states`.

use super::StateScheme;

/// What is known of w from the last steps.
#[derive(Debug)]
pub struct Course {
    /// The factors of h Δw and h Δ²w in the local error.
    pub constants: [f64; 2],
    /// Slope of w over the last step.
    slope: Vec<f64>,
    before: Vec<f64>,
    /// Where w stands.
    place: Place,
    /// The step over which the slope at a start was found, where there is one.
    started: Option<f64>,
}

/// Where w stands, which is not where its step ends.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// w_n stands for the rate at t_n + o_n (equation 4 of `states`).
    offset: f64,
    /// Time between where w_n and w_{n−1} stand.
    gap: f64,
}

impl Course {
    /// Of so many values, with the numbers of equal steps.
    pub fn new(scheme: &StateScheme, count: usize) -> Self {
        let zeros = vec![0.0; count];
        Self { constants: scheme.error_constants(), slope: zeros.clone(), before: zeros, place: Place::default(), started: None }
    }

    /// Forgets the past: w stands `offset` after the start, and changes as given over a time, where that is known.
    pub fn start(&mut self, w: &[f64], offset: f64, change: Option<(&[f64], f64)>) {
        self.place = Place { offset, gap: 0.0 };
        self.before.copy_from_slice(w);
        self.started = change.map(|(change, h)| {
            self.slope.iter_mut().zip(change).for_each(|(s, c)| *s = c / h);
            h
        });
    }

    /// Where w stands after a step.
    fn next(&self, scheme: &StateScheme, h: f64) -> Place {
        let offset = scheme.next_offset(h, self.place.offset);
        Place { offset, gap: h + offset - self.place.offset }
    }

    /// The local error of value `i` where w changes so much over a step of the first of these sizes, the second being that before. Without
    /// a step before, or a slope from the start, the whole change stands for the second difference.
    pub fn error(&self, scheme: &StateScheme, (h, last): (f64, Option<f64>), change: f64, i: usize) -> f64 {
        let [first, second] = self.constants;
        let expected = self.next(scheme, h).gap * self.slope[i];
        let bend = last.or(self.started).map_or(change, |last| (change - expected) * 2.0 * h / (h + last));
        h * (first * change + second * bend)
    }

    /// The step to w was accepted.
    pub fn accept(&mut self, scheme: &StateScheme, h: f64, w: &[f64]) {
        self.place = self.next(scheme, h);
        for ((slope, before), w) in self.slope.iter_mut().zip(&mut self.before).zip(w) {
            *slope = (w - *before) / self.place.gap;
            *before = *w;
        }
    }
}
