//! Sizes of velocities, against which their errors are held. With ℓ the length of a body (its radius of gyration or its farthest marker),
//! |v| and |ω| its largest velocities so far,
//!
//! ```text
//! V = max over all bodies of |v| and ℓ |ω|                     the speed of the mechanism                        (1)
//! Y_v = max(|v|, r),    Y_ω = max(|ω|, r/ℓ),    r = max(V/100, L/(1000 T))                                       (2)
//! ```
//!
//! so that velocities of a body are accurate to a part of their own size, unless it hardly moves beside the others, or all bodies move by
//! less than a thousandth of the largest length L over the time T of the run.

use crate::bodies::Kind;
use crate::system::System;

/// Velocities below this part of the mechanism's speed need not be known to their own size.
const SLOW: f64 = 1e-2;
/// Bodies that move by less than this part of their length in a run are at rest.
const REST: f64 = 1e-3;

/// Largest velocities so far.
#[derive(Debug)]
pub struct Speeds {
    /// Columns of every body, displacements first: where they begin, where turns begin and where they end.
    columns: Vec<[usize; 3]>,
    /// ℓ.
    lengths: Vec<f64>,
    /// |v| and |ω|.
    largest: Vec<[f64; 2]>,
    /// The speed of a mechanism at rest.
    rest: f64,
}

impl Speeds {
    /// Nothing moves yet.
    pub fn new(system: &System) -> Self {
        let columns = system.bodies().iter().map(|b| {
            let turns = b.shape.columns().iter().filter(|c| **c >= 3).count();
            [b.v0, b.v().end - turns, b.v().end]
        });
        let lengths = system.lengths();
        Self { columns: columns.collect(), largest: vec![[0.0; 2]; lengths.len()], lengths, rest: 0.0 }
    }

    /// The run takes this time, s.
    pub fn set_duration(&mut self, duration: f64) {
        self.rest = REST * self.lengths.iter().fold(0.0, |m: f64, l| m.max(*l)) / duration;
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

    /// 1/Y (2), with velocities that are not accepted yet.
    pub fn weigh(&self, v: &[f64], weights: &mut [f64]) {
        let slow = (SLOW * self.of_mechanism(v)).max(self.rest).max(f64::MIN_POSITIVE);
        for (b, columns) in self.columns.iter().enumerate() {
            let [translation, rotation] = larger(self.largest[b], speeds(v, columns));
            let [start, turns, end] = *columns;
            weights[start..turns].fill(1.0 / translation.max(slow));
            weights[turns..end].fill(1.0 / rotation.max(slow / self.lengths[b]));
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
