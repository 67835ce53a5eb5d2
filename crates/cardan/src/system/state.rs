//! The state of a mechanism at one instant.

use crate::math::is_finite;
use crate::measures::{Memory, Past};

/// Time, coordinates, velocities, accelerations, multipliers, differential states, and what is remembered from accepted steps.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time, s.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Lagrange multipliers; the constraint acts on the bodies with −Gᵀλ.
    pub lambda: Vec<f64>,
    /// Differential states x.
    pub x: Vec<f64>,
    /// Their rates ẋ.
    pub x_dot: Vec<f64>,
    /// Angles with their turns, curve parameters, how fast touches began.
    pub memory: Memory,
    /// Inputs, held as they are until they are set.
    pub inputs: Vec<f64>,
}

impl State {
    /// Copies another state of the same system without allocating.
    pub fn copy_from(&mut self, other: &State) {
        self.t = other.t;
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.a.copy_from_slice(&other.a);
        self.lambda.copy_from_slice(&other.lambda);
        self.x.copy_from_slice(&other.x);
        self.x_dot.copy_from_slice(&other.x_dot);
        self.memory.copy_from(&other.memory);
        self.inputs.copy_from_slice(&other.inputs);
    }

    /// Whether another state has the same time, coordinates, velocities, differential states, memory and inputs.
    pub fn is_at(&self, other: &State) -> bool {
        self.t == other.t
            && self.memory == other.memory
            && [(&self.q, &other.q), (&self.v, &other.v), (&self.x, &other.x), (&self.inputs, &other.inputs)]
                .iter()
                .all(|(own, its)| own == its)
    }

    /// What is remembered, seen from here.
    pub fn past(&self) -> Past<'_> {
        Past { memory: &self.memory, t: self.t }
    }

    /// Whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.t.is_finite() && [&self.q, &self.v, &self.a, &self.lambda, &self.x, &self.x_dot].iter().all(|x| is_finite(x))
    }
}
