//! Sizes of positions, against which their errors are held. With L the length of the mechanism a body belongs to and d the farthest that it
//! has got from where it started,
//!
//! ```text
//! Y_r = max(L, d/100),    Y_φ = 1 rad          lengths and angles                                                      (1)
//! Y_r = d                                      where nothing tells L                                                   (2)
//! Y_x = largest |x| so far                     differential states                                                     (3)
//! ```
//!
//! so that a mechanism of millimetres is as accurate, for its size, as one of metres.

use crate::bodies::Kind;
use crate::system::{State, System};

/// What is far away need not be known to the size of the mechanism.
const FAR: f64 = 1e-2;
/// Displacements, m, and states smaller than these have no size of their own.
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
    /// Largest |x|.
    states: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    v0: usize,
    q0: usize,
    count: usize,
}

impl Extents {
    /// Of a run that starts at a state.
    pub fn new(system: &System, x: &State) -> Self {
        let place = |b: &crate::system::CompiledBody| {
            let count = b.shape.columns().iter().filter(|c| **c < 3).count();
            Place { v0: b.v0, q0: b.q().start, count }
        };
        Self {
            places: system.bodies().iter().map(place).collect(),
            lengths: system.mechanism_lengths(&x.q),
            start: x.q.clone(),
            farthest: vec![0.0; system.bodies().len()],
            states: x.x.iter().map(|x| x.abs()).collect(),
        }
    }

    /// L of every body; that of the largest mechanism where it is not known.
    pub fn lengths(&self) -> Vec<f64> {
        let largest = self.lengths.iter().fold(0.0, |m: f64, l| m.max(*l));
        let known = |l: &f64| if *l > 0.0 { *l } else { largest };
        self.lengths.iter().map(known).collect()
    }

    /// Remembers an accepted state.
    pub fn note(&mut self, x: &State) {
        for b in 0..self.places.len() {
            self.farthest[b] = self.distance(b, &x.q);
        }
        for (largest, x) in self.states.iter_mut().zip(&x.x) {
            *largest = largest.max(x.abs());
        }
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
            let size = if length > 0.0 { length.max(FAR * distance) } else { distance.max(NOTHING) };
            weights[place.v0..place.v0 + place.count].fill(1.0 / size);
        }
        let states = weights.len() - self.states.len();
        for ((w, largest), x) in weights[states..].iter_mut().zip(&self.states).zip(&x.x) {
            if *w != 0.0 {
                *w = 1.0 / largest.max(x.abs()).max(NOTHING);
            }
        }
    }
}
