//! Sizes of positions, against which their errors are held. With L the length of the mechanism a body belongs to and d the farthest that it
//! has got from where it started,
//!
//! ```text
//! Y_r = max(L, d/100),    Y_φ = 1 rad                        lengths and angles                                        (1)
//! Y_r = max(d, min(1 m, T |v|/1000))                         where nothing tells L                                     (2)
//! Y_x = max(|x|, min(1, T |ẋ|/1000))                         differential states                                       (3)
//! ```
//!
//! and Y_r/d for elastic coordinates, one of which displaces its body by d at most,
//! with the largest |x|, |ẋ| and |v| so far (|x| at least as large as a force says its states are, such as those of bristles) and the time T of the run, so that a mechanism of millimetres is as accurate, for its size, as
//! one of metres. What starts at zero is not held against next to nothing: that it would change by in a thousandth of the run will do.

use super::speeds::LONG;
use crate::system::{State, System};

/// What is far away need not be known to the size of the mechanism.
const FAR: f64 = 1e-2;
/// The part of a run over which rates give sizes, and the largest of these, in m or the unit of a state.
const SHORT: f64 = 1e-3;
const UNIT: f64 = 1.0;
/// Sizes below this are nothing but round-off.
const NOTHING: f64 = 1e-9;

/// How far everything has got.
#[derive(Debug)]
pub struct Extents {
    /// Columns and coordinates of the displacements of every body: where they begin, and how many there are.
    places: Vec<Place>,
    /// L.
    lengths: Vec<f64>,
    start: Vec<f64>,
    /// d.
    farthest: Vec<f64>,
    /// Largest |v| of every body.
    speeds: Vec<f64>,
    /// Largest |x| and |ẋ|.
    states: Vec<[f64; 2]>,
    /// T, s.
    duration: f64,
}

#[derive(Debug, Clone)]
struct Place {
    v0: usize,
    q0: usize,
    count: usize,
    /// Where the elastic columns begin, and the displacement of each.
    elastic: usize,
    displacements: Vec<f64>,
}

impl Extents {
    /// Of a run that starts at a state.
    pub fn new(system: &System, x: &State) -> Self {
        let place = |b: &crate::system::CompiledBody| {
            let (count, elastic) = (b.shape.translations().len(), b.shape.elastic_range().start);
            let displacements = b.shape.displacements(0.0).skip(elastic).collect();
            Place { v0: b.v0, q0: b.q().start, count, elastic: b.v0 + elastic, displacements }
        };
        Self {
            places: system.bodies().iter().map(place).collect(),
            lengths: system.mechanism_lengths(&x.q),
            start: x.q.clone(),
            farthest: vec![0.0; system.bodies().len()],
            speeds: vec![0.0; system.bodies().len()],
            states: system.sizes_of_states().into_iter().map(|size| [size, 0.0]).collect(),
            duration: LONG,
        }
    }

    /// L of every body; that of the largest mechanism where it is not known.
    pub fn lengths(&self) -> Vec<f64> {
        let largest = self.lengths.iter().fold(0.0, |m: f64, l| m.max(*l));
        let known = |l: &f64| if *l > 0.0 { *l } else { largest };
        self.lengths.iter().map(known).collect()
    }

    /// The run takes this time, s.
    pub fn set_duration(&mut self, duration: f64) {
        self.duration = duration;
    }

    /// Remembers an accepted state.
    pub fn note(&mut self, x: &State) {
        for b in 0..self.places.len() {
            (self.farthest[b], self.speeds[b]) = (self.distance(b, &x.q), self.speed(b, &x.v));
        }
        for k in 0..self.states.len() {
            self.states[k] = self.state(k, x);
        }
    }

    /// Largest |x| and |ẋ|, with those of a state that is not accepted yet.
    fn state(&self, k: usize, x: &State) -> [f64; 2] {
        [self.states[k][0].max(x.x[k].abs()), self.states[k][1].max(x.x_dot[k].abs())]
    }

    /// Largest |v|, with velocities that are not accepted yet.
    fn speed(&self, b: usize, v: &[f64]) -> f64 {
        let Place { v0, count, .. } = self.places[b];
        self.speeds[b].max(v[v0..v0 + count].iter().map(|v| v * v).sum::<f64>().sqrt())
    }

    /// What a rate makes of a size in a short part of the run.
    fn short(&self, rate: f64) -> f64 {
        (SHORT * self.duration * rate).clamp(NOTHING, UNIT)
    }

    /// d, with coordinates that are not accepted yet.
    fn distance(&self, b: usize, q: &[f64]) -> f64 {
        let Place { q0, count, .. } = self.places[b];
        let square: f64 = (q0..q0 + count).map(|k| (q[k] - self.start[k]).powi(2)).sum();
        self.farthest[b].max(square.sqrt())
    }

    /// 1/Y of positions and of states, with a state that is not accepted yet; weights of zero stay.
    pub fn weigh(&self, x: &State, weights: &mut [f64]) {
        for (b, place) in self.places.iter().enumerate() {
            let (length, distance) = (self.lengths[b], self.distance(b, &x.q));
            let size = if length > 0.0 { length.max(FAR * distance) } else { distance.max(self.short(self.speed(b, &x.v))) };
            weights[place.v0..place.v0 + place.count].fill(1.0 / size);
            weights[place.elastic..].iter_mut().zip(&place.displacements).for_each(|(w, d)| *w = d / size);
        }
        let states = weights.len() - self.states.len();
        for (k, w) in weights[states..].iter_mut().enumerate().filter(|(_, w)| **w != 0.0) {
            let [size, rate] = self.state(k, x);
            *w = 1.0 / size.max(self.short(rate));
        }
    }
}
