//! The touches that a report shows: those at every n-th sample, as many as a page can hold. They are thinned as the samples are, so that samples
//! with touches are evenly spaced among those of the page.

use crate::results::touches::WIDTH;
use crate::results::{Rows, Table};
use serde::{Deserialize, Serialize};

/// Touches that a report holds at most.
const MOST: usize = 150_000;

/// A contact and what it did in a run: a row of the report's table.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactEntry {
    /// Its name; the channel of its normal force is `NAME.normal`.
    pub name: String,
    /// Its shapes, as `body.shape`.
    pub shapes: Vec<String>,
    /// How many touches began.
    pub touches: usize,
    /// When the first one was there, s.
    pub first: Option<f64>,
    /// The largest normal force of two shapes, N, and when it was, s.
    pub peak: f64,
    /// See `peak`.
    pub peak_time: f64,
    /// The integral of all normal forces over time, N s.
    pub impulse: f64,
    /// The energy that damping and friction took, J.
    pub lost: f64,
    /// Steps that it shortened.
    pub capped_steps: usize,
    /// Steps made again because of it.
    pub rejected_steps: usize,
}

/// Touches gathered sample by sample.
#[derive(Debug, Clone)]
pub struct Touches {
    /// Touches as in the result files, the time first.
    rows: Rows,
    /// The sample of each.
    samples: Vec<usize>,
    /// Those of every so many samples are kept.
    every: usize,
    seen: usize,
}

impl Default for Touches {
    fn default() -> Self {
        Self { rows: Rows::new(WIDTH), samples: Vec::new(), every: 1, seen: 0 }
    }
}

impl Touches {
    /// All touches in result files, at samples of these times.
    #[must_use]
    pub fn of(table: &Table, times: &[f64]) -> Self {
        let (mut touches, mut row) = (Self::default(), 0);
        let begun = &table.columns[0];
        for t in times {
            while row < begun.len() && begun[row] <= *t {
                touches.push(&std::array::from_fn(|c| table.columns[c][row]));
                row += 1;
            }
            touches.end_sample();
        }
        touches
    }

    /// A touch of the sample under way.
    pub fn push(&mut self, touch: &[f64; WIDTH]) {
        if self.seen.is_multiple_of(self.every) {
            self.rows.push(touch);
            self.samples.push(self.seen);
        }
    }

    /// The sample has no more touches.
    pub fn end_sample(&mut self) {
        self.seen += 1;
        if self.rows.len() > MOST {
            self.every *= 2;
            let (every, samples) = (self.every, &self.samples);
            self.rows.keep(|k| samples[k].is_multiple_of(every));
            self.samples.retain(|sample| sample.is_multiple_of(every));
        }
    }

    /// Those at the samples of a page that shows so many of all.
    pub(super) fn on(&self, samples: usize) -> Shown {
        self.shown(self.every_shown(samples))
    }

    /// Every so many of the samples of such a page may have touches.
    pub(super) fn stride(&self, samples: usize) -> usize {
        self.stride_of(self.every_shown(samples))
    }

    /// A page shows every so many samples.
    fn every_shown(&self, samples: usize) -> usize {
        let mut every = 1;
        while self.seen.div_ceil(every) > samples.max(1) {
            every *= 2;
        }
        every
    }

    fn stride_of(&self, every: usize) -> usize {
        (self.every / every).max(1)
    }

    /// Those at samples of which every so many are shown.
    fn shown(&self, every: usize) -> Shown {
        let mut shown = Shown::default();
        for (k, sample) in self.samples.iter().enumerate().filter(|(_, sample)| sample.is_multiple_of(every)) {
            shown.samples.push((sample / every) as u32);
            shown.values.extend(self.rows.row(k)[1..].iter().map(|value| *value as f32));
        }
        shown
    }
}

/// Touches as the page gets them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Shown {
    /// The sample of each touch, among those of the page.
    pub samples: Vec<u32>,
    /// The numbers of each touch but for its time.
    pub values: Vec<f32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(sample: usize, k: usize) -> [f64; WIDTH] {
        std::array::from_fn(|c| if c == 0 { sample as f64 } else { (100 * sample + 10 * k + c) as f64 })
    }

    fn gathered(samples: usize, each: usize) -> Touches {
        let mut touches = Touches::default();
        for sample in 0..samples {
            (0..each).for_each(|k| touches.push(&touch(sample, k)));
            touches.end_sample();
        }
        touches
    }

    #[test]
    fn few_touches_are_all_shown_with_the_samples_that_are() {
        let touches = gathered(9, 2);
        let shown = touches.shown(4);
        assert_eq!((touches.stride_of(4), shown.samples), (1, vec![0, 0, 1, 1, 2, 2]), "samples 0, 4 and 8");
        assert_eq!(shown.values[2 * (WIDTH - 1)], touch(4, 0)[1] as f32);
    }

    #[test]
    fn many_touches_are_shown_at_evenly_spaced_samples() {
        let (samples, each) = (301, 1000);
        let touches = gathered(samples, each);
        let shown = touches.shown(1);
        assert_eq!(touches.stride_of(1), 4, "of 301 000 touches those of every fourth sample are few enough at the end");
        assert_eq!(shown.samples.len(), samples.div_ceil(4) * each);
        assert!(shown.samples.iter().all(|sample| sample.is_multiple_of(4)));
        assert_eq!(touches.stride_of(2), 2, "of every second sample shown every second one has touches");
    }

    #[test]
    fn files_give_what_was_gathered() {
        let touches = gathered(5, 3);
        let columns = (0..WIDTH).map(|c| (0..15).map(|r| touch(r / 3, r % 3)[c]).collect()).collect();
        let table = Table { channels: crate::results::touches::channels(), columns };
        let times: Vec<f64> = (0..5).map(f64::from).collect();
        assert_eq!(Touches::of(&table, &times).shown(1), touches.shown(1));
    }
}
