//! Sizes of velocities, against which their errors are held. With ℓ the length of a body (its radius of gyration or its farthest marker),
//! |v| and |ω| its largest velocities so far,
//!
//! ```text
//! V = max over all bodies of |v| and ℓ |ω|                     the speed of the mechanism                        (1)
//! Y_v = max(|v|, r),    Y_ω = max(|ω|, r/ℓ),    r = max(V/100, L/(1000 T))                                       (2)
//! ```
//!
//! and Y_v/d for the rates of elastic coordinates, one of which displaces its body by d at most, so that velocities of a body are
//! accurate to a part of their own size, unless it hardly moves beside the others, or all bodies move by less than a thousandth of the
//! largest length L over the time T of the run. What errors of angular velocities make of angles over the run counts against Y_φ = 1 rad:
//! bodies that turn many times are held to
//!
//! ```text
//! Y_ω ≤ 100 Y_φ/T                                                                                                (3)
//! ```

use crate::system::System;

/// Velocities below this part of the mechanism's speed need not be known to their own size.
pub const SLOW: f64 = 1e-2;
/// Bodies that move by less than this part of their length in a run are at rest.
const REST: f64 = 1e-3;

/// Angular velocities are held to sizes that turn bodies by no more than this over a run, rad.
const TURNED: f64 = 100.0;

/// The duration of runs of which none is known, s.
pub const LONG: f64 = 1e3;

/// Largest velocities so far.
#[derive(Debug, Clone)]
pub struct Speeds {
    /// Columns of every body, displacements first: where they begin, where turns begin and where they end.
    columns: Vec<[usize; 3]>,
    /// What one of each elastic coordinate, whose columns come last, displaces its body by.
    elastic: Vec<Vec<f64>>,
    /// ℓ.
    lengths: Vec<f64>,
    /// |v| and |ω|.
    largest: Vec<[f64; 2]>,
    /// The speed of a mechanism at rest.
    rest: f64,
    /// The largest Y_ω (3).
    turning: f64,
}

impl Speeds {
    /// Nothing moves yet. Where a body has no length of its own, that of its mechanism is taken.
    pub fn new(system: &System, mechanism: Vec<f64>) -> Self {
        let columns = system.bodies().iter().map(|b| {
            let turns = b.shape.rotations();
            [b.v0, b.v0 + turns.start, b.v0 + turns.end]
        });
        let elastic = system.bodies().iter().map(|b| b.shape.displacements(0.0).skip(b.shape.elastic_range().start).collect());
        let own = |(l, m): (f64, f64)| if l > 0.0 { l } else { m };
        let lengths: Vec<f64> = system.own_lengths().into_iter().zip(mechanism).map(own).collect();
        let mut speeds = Self {
            columns: columns.collect(),
            elastic: elastic.collect(),
            largest: vec![[0.0; 2]; lengths.len()],
            lengths,
            rest: 0.0,
            turning: f64::INFINITY,
        };
        speeds.rest = speeds.at_rest(LONG);
        speeds
    }

    /// The run takes this time, s.
    pub fn set_duration(&mut self, duration: f64) {
        (self.rest, self.turning) = (self.at_rest(duration), TURNED / duration);
    }

    fn at_rest(&self, duration: f64) -> f64 {
        REST * self.lengths.iter().fold(0.0, |m: f64, l| m.max(*l)) / duration
    }

    /// Remembers velocities of an accepted step.
    pub fn note(&mut self, v: &[f64]) {
        for (largest, columns) in self.largest.iter_mut().zip(&self.columns) {
            *largest = larger(*largest, speeds(v, columns));
        }
    }

    /// The speed of the mechanism (1), with velocities that are not accepted yet.
    pub fn of_mechanism(&self, v: &[f64]) -> f64 {
        let speed = |b: usize| {
            let [translation, rotation] = larger(self.largest[b], speeds(v, &self.columns[b]));
            translation.max(self.lengths[b] * rotation)
        };
        (0..self.lengths.len()).map(speed).fold(self.rest, f64::max)
    }

    /// The columns of every body that turn it.
    pub fn rotations(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.columns.iter().map(|[_, turns, end]| *turns..*end)
    }

    /// The speed that a change of velocities makes.
    pub fn largest_in(&self, change: &[f64]) -> f64 {
        let speed = |(columns, length): (&[usize; 3], &f64)| {
            let [translation, rotation] = speeds(change, columns);
            translation.max(length * rotation)
        };
        self.columns.iter().zip(&self.lengths).map(speed).fold(0.0, f64::max)
    }

    /// Sizes below which violations of constraints mean nothing: of positions and of velocities, whatever their units.
    pub fn smallest_scale(&self, v: &[f64]) -> [f64; 2] {
        let (shortest, longest) = self.lengths.iter().fold((1.0_f64, 1.0_f64), |(s, l), length| (s.min(*length), l.max(*length)));
        [shortest, self.of_mechanism(v) / longest]
    }

    /// The lengths that columns of the constraint matrix are counted in: ℓ for displacements, 1 for turns, ℓ/d for elastic coordinates.
    pub fn lengths_of_columns(&self) -> Vec<f64> {
        let of = |(([start, turns, end], length), elastic): ((&[usize; 3], &f64), &Vec<f64>)| {
            let frame = std::iter::repeat_n(*length, turns - start).chain(std::iter::repeat_n(1.0, end - turns));
            frame.chain(elastic.iter().map(|d| if *d > 0.0 { length / d } else { 1.0 })).collect::<Vec<_>>()
        };
        self.columns.iter().zip(&self.lengths).zip(&self.elastic).flat_map(of).collect()
    }

    /// 1/Y of errors: (2) and (3), with velocities that are not accepted yet.
    pub fn weigh_errors(&self, v: &[f64], weights: &mut [f64]) {
        self.weigh(SLOW, v, weights);
        for [_, turns, end] in &self.columns {
            weights[*turns..*end].iter_mut().for_each(|w| *w = w.max(1.0 / self.turning));
        }
    }

    /// 1/Y (2), with velocities that are not accepted yet and this part of the speed of the mechanism.
    pub fn weigh(&self, part: f64, v: &[f64], weights: &mut [f64]) {
        let slow = (part * self.of_mechanism(v)).max(self.rest).max(f64::MIN_POSITIVE);
        for (b, columns) in self.columns.iter().enumerate() {
            let [translation, rotation] = larger(self.largest[b], speeds(v, columns));
            let [start, turns, end] = *columns;
            weights[start..turns].fill(1.0 / translation.max(slow));
            weights[turns..end].fill(1.0 / rotation.max(slow / self.lengths[b].max(f64::MIN_POSITIVE)));
            weights[end..].iter_mut().zip(&self.elastic[b]).for_each(|(w, d)| *w = d / translation.max(slow));
        }
    }
}

/// |v| and |ω| of a body.
fn speeds(v: &[f64], &[start, turns, end]: &[usize; 3]) -> [f64; 2] {
    [&v[start..turns], &v[turns..end]].map(|part| part.iter().map(|v| v * v).sum::<f64>().sqrt())
}

fn larger(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].max(b[0]), a[1].max(b[1])]
}
