//! Differential states: each has an equation ẋ = f with f an expression, and one unknown w, by which a method moves x and ẋ.
//!
//! ```text
//! residual  ẋ − f(q, v, a, λ, x, ẋ, t)                                                                     (1)
//! row       c_ẋ δ − (∇f, f_λ, c_x f_x + c_ẋ f_ẋ)      δ on the diagonal, ∇f as in equation 2 of the room        (2)
//! ```

use super::{Expression, Reads, Source};
use crate::bodies::Kind;
use crate::measures::{Context, Motion};
use crate::model::Form;
use crate::system::jacobian::Target;
use crate::system::{State, System, Weights, Work};

/// The equation of a differential state.
#[derive(Debug, Clone)]
pub(in crate::system) struct StateEquation {
    pub name: String,
    /// f.
    pub expression: Expression,
    pub reads: Reads,
    pub smoothness: Smoothness,
    pub form: Form,
}

/// How smooth the rate of a differential state is in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smoothness {
    /// As smooth as positions, velocities and states are.
    Smooth,
    /// It reads accelerations, reactions or rates of others, which jump with the step size of index-3 methods.
    Rough,
    /// It is a variable that is solved for: nothing is integrated.
    Algebraic,
}

impl System {
    /// How smooth the rates of the differential states are.
    pub fn smoothness(&self, state: usize) -> Smoothness {
        self.states[state].smoothness
    }

    /// Whether the rate of a state is solved for in an equation, from the last one on.
    pub(in crate::system) fn solves_for_rate(&self, state: usize) -> bool {
        self.states[state].form != Form::Rate
    }

    /// The variables that are solved for, by the places of the states whose rates they are.
    pub fn solved_variables(&self) -> impl Iterator<Item = usize> {
        (0..self.states.len()).filter(|k| self.states[*k].smoothness == Smoothness::Algebraic)
    }

    /// Why an equation does not determine a rate or a variable, in a sentence, if one does not: ∂f/∂ẋ = 1 where ẋ = f(ẋ).
    pub(crate) fn undetermined(&self, x: &State, work: &mut Work) -> Option<String> {
        self.prepare_readings(x, work);
        (0..self.states.len()).find_map(|k| {
            let gain = self.gain(k, x, work)?;
            let StateEquation { name, form, .. } = &self.states[k];
            let words = match form {
                _ if (gain - 1.0).abs() > 1e-9 => return None,
                Form::Rate => return None,
                Form::Equation => format!("the equation of state '{name}' does not determine DIF1({name})"),
                Form::Algebraic(chain) => format!("the algebraic loop {chain} has no solution, or many: its gain is 1"),
            };
            Some(words)
        })
    }

    /// ∂f/∂ẋ of a state whose equation reads its own rate.
    fn gain(&self, k: usize, x: &State, work: &mut Work) -> Option<f64> {
        let e = &self.states[k].expression;
        let at = e.sources.iter().position(|s| matches!(s, Source::Rate { state, .. } if *state == k))?;
        Some(self.partial(e, at, x, work))
    }

    /// f of all differential states, at a state whose kinematics and accelerations are in `work`.
    pub(in crate::system) fn state_rates(&self, x: &State, work: &mut Work) {
        let Work { markers, accelerations, expressions, scratch, rates, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, past: x.past() };
        for (rate, state) in rates.iter_mut().zip(&self.states) {
            *rate = self.expression_value(&state.expression, x, &ctx, &motion, expressions);
        }
        for force in &self.pair_forces {
            for of in force.pair_states() {
                let mut own = rates[of.first..of.first + of.count].iter_mut();
                force.for_states(of, &ctx, &mut |slopes| own.next().into_iter().for_each(|rate| *rate = slopes.rate));
            }
        }
    }

    /// Adds the row (2) of one state but for its δ.
    pub(in crate::system) fn add_state_blocks(&self, k: usize, x: &State, w: &Weights, work: &mut Work, into: &mut Target) {
        let (StateEquation { expression, reads, .. }, slots) = (&self.states[k], &into.slots.states[k]);
        let matrix = &mut *into.matrix;
        let Work { markers, accelerations, maps, acceleration_maps, expressions, scratch, .. } = &mut *work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: w.reactions_of(x), scratch };
        let motion = Motion { markers, accelerations, past: x.past() };
        self.expression_inputs(expression, x, &ctx, &motion, expressions);
        self.expression_gradient(expression, reads, w, &ctx, &motion, expressions);
        self.body_rows(reads, w, maps, acceleration_maps, expressions);
        let mut rows = &expressions.rows[..];
        for (body, slot) in reads.bodies.iter().zip(&slots.bodies) {
            let (row, rest) = rows.split_at(self.bodies[*body].shape.nv());
            matrix.block(*slot).iter_mut().zip(row).for_each(|(x, row)| *x -= row);
            rows = rest;
        }
        for ((slot, column), slope) in slots.rows.iter().zip(&expressions.lambda) {
            matrix.block(*slot)[*column] -= slope;
        }
        for (slot, slope) in slots.states.iter().zip(&expressions.states) {
            matrix.block(*slot)[0] -= slope;
        }
    }
}
