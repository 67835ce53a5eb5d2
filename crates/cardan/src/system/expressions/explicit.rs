//! How forces and rates change with the time or an input alone, as far as expressions say: ∂f/∂t and ∂f_x/∂t with everything else as it is.
//! Functions written in Rust do not tell.

use super::{Expression, Source};
use crate::bodies::Wrench;
use crate::measures::{Context, Motion};
use crate::system::evaluate::Loads;
use crate::system::{Evaluated, State, System, Work};

/// What an expression may depend on besides the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Explicit {
    Time,
    Input(usize),
}

impl Expression {
    /// Which of its sources this is.
    fn place(&self, of: Explicit) -> Option<usize> {
        self.sources.iter().position(|source| match (of, source) {
            (Explicit::Time, Source::Time) => true,
            (Explicit::Input(k), Source::Input(other)) => k == *other,
            _ => false,
        })
    }
}

impl Evaluated<'_> {
    /// ∂f/∂t of f = Gᵀλ − Q, and of the rates of differential states.
    pub fn time_slopes(&mut self, f: &mut [f64], rates: &mut [f64]) {
        self.system.slopes(Explicit::Time, self.x, self.work, f, rates);
    }

    /// The same by an input.
    pub fn input_slopes(&mut self, input: usize, f: &mut [f64], rates: &mut [f64]) {
        self.system.slopes(Explicit::Input(input), self.x, self.work, f, rates);
    }
}

impl System {
    /// Whether expressions of forces or differential states read the time.
    pub fn reads_time(&self) -> bool {
        let expressions = self.expressions.iter().flat_map(|f| f.components.iter().map(|c| &c.1));
        expressions.chain(self.states.iter().map(|s| &s.expression)).any(|e| e.place(Explicit::Time).is_some())
    }

    fn slopes(&self, by: Explicit, x: &State, work: &mut Work, f: &mut [f64], rates: &mut [f64]) {
        work.wrenches.fill(Wrench::zero());
        work.modal.fill(0.0);
        for k in 0..self.expressions.len() {
            let force = &self.expressions[k];
            let mut slopes = [0.0; 6];
            for (slope, (_, component)) in slopes.iter_mut().zip(&force.components) {
                *slope = self.slope(by, component, x, work);
            }
            let ctx =
                Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
            let wrench = force.wrench(&ctx, &slopes);
            let Work { frames, deformed, wrenches, modal, .. } = &mut *work;
            let mut loads = Loads { system: self, frames, deformed, wrenches, modal };
            loads.add_wrenches(force.markers, &wrench);
        }
        self.flat.bodies.project(&work.frames, &work.wrenches, &work.modal, f);
        for (rate, state) in rates.iter_mut().zip(&self.states) {
            *rate = self.slope(by, &state.expression, x, work);
        }
    }

    /// ∂z/∂t, or ∂z/∂(input), of an expression.
    fn slope(&self, by: Explicit, e: &Expression, x: &State, work: &mut Work) -> f64 {
        e.place(by).map_or(0.0, |at| self.partial(e, at, x, work))
    }

    /// The derivative of an expression by one of its inputs.
    pub(super) fn partial(&self, e: &Expression, at: usize, x: &State, work: &mut Work) -> f64 {
        let Work { markers, accelerations, expressions, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, past: x.past() };
        let n = e.sources.len();
        self.expression_inputs(e, x, &ctx, &motion, expressions);
        e.program.gradient(&expressions.inputs[..n], &mut scratch.borrow_mut(), &mut expressions.slopes[..n]);
        expressions.slopes[at]
    }
}
