//! Differential states: each has an equation ẋ = f with f an expression, and one unknown w, by which a method moves x and ẋ.
//!
//! ```text
//! residual  ẋ − f(q, v, a, λ, x, ẋ, t)                                                                     (1)
//! row       c_ẋ δ − (∇f, f_λ, c_x f_x + c_ẋ f_ẋ)      δ on the diagonal, ∇f as in equation 2 of the room        (2)
//! ```

use super::{Expression, Reads};
use crate::bodies::Kind;
use crate::linear::BlockMatrix;
use crate::measures::{Context, Motion};
use crate::system::{State, System, Weights, Work};

/// The equation of a differential state.
#[derive(Debug, Clone)]
pub(in crate::system) struct StateEquation {
    pub name: String,
    /// f.
    pub expression: Expression,
    pub reads: Reads,
    pub smoothness: Smoothness,
}

/// How smooth the rate of a differential state is in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smoothness {
    /// As smooth as positions, velocities and states are.
    Smooth,
    /// It reads accelerations, reactions or rates, which jump with the step size of index-3 methods.
    Rough,
}

impl System {
    /// How smooth the rates of the differential states are.
    pub fn smoothness(&self, state: usize) -> Smoothness {
        self.states[state].smoothness
    }

    /// f of all differential states, at a state whose kinematics and accelerations are in `work`.
    pub(in crate::system) fn state_rates(&self, x: &State, work: &mut Work) {
        let Work { markers, accelerations, expressions, scratch, rates, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, memory: &x.memory };
        for (rate, state) in rates.iter_mut().zip(&self.states) {
            *rate = self.expression_value(&state.expression, x, &ctx, &motion, expressions);
        }
    }

    /// Adds the row (2) of one state but for its δ.
    pub(in crate::system) fn add_state_blocks(&self, k: usize, x: &State, w: &Weights, work: &mut Work, matrix: &mut BlockMatrix) {
        let (StateEquation { expression, reads, .. }, slots) = (&self.states[k], &self.state_slots[k]);
        let Work { markers, accelerations, maps, acceleration_maps, expressions, scratch, .. } = &mut *work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, memory: &x.memory };
        self.expression_gradient(expression, reads, x, w, &ctx, &motion, expressions);
        self.body_rows(reads, w, maps, acceleration_maps, expressions);
        for ((body, slot), row) in reads.bodies.iter().zip(&slots.bodies).zip(&expressions.rows) {
            let columns = self.bodies[*body].shape.columns();
            matrix.block(*slot).iter_mut().zip(columns).for_each(|(x, c)| *x -= row[*c]);
        }
        for ((slot, column), slope) in slots.rows.iter().zip(&expressions.lambda) {
            matrix.block(*slot)[*column] -= slope;
        }
        for (slot, slope) in slots.states.iter().zip(&expressions.states) {
            matrix.block(*slot)[0] -= slope;
        }
    }
}
