//! Words for expressions that go wrong: which operation, at what time, with which inputs.

use super::{Expression, StateEquation};
use crate::constraints::{Constraint, Element, Target};
use crate::expr::{Fault, Input, Program};
use crate::math::Vec6;
use crate::measures::{Context, Motion};
use crate::system::{State, System, Work};

impl System {
    /// The first force given by expressions, or differential state, with a value or derivative that is not finite, in a sentence.
    pub(in crate::system) fn expression_fault(&self, x: &State, work: &mut Work) -> Option<String> {
        self.marker_accelerations(x, work);
        for force in &self.expressions {
            for (component, e) in &force.components {
                let what = if force.components.len() == 1 { String::new() } else { format!(" ({component})") };
                if let Some(fault) = self.fault_of(e, x, work) {
                    return Some(format!("force '{}'{what}: {fault}", force.name));
                }
            }
        }
        let fault = |state: &StateEquation, work: &mut Work| self.fault_of(&state.expression, x, work);
        self.states.iter().find_map(|state| fault(state, work).map(|fault| format!("state '{}': {fault}", state.name)))
    }

    /// Why the function of an event of the model has no value.
    pub fn event_fault(&self, event: usize, x: &State, work: &mut Work) -> Option<String> {
        self.prepare_readings(x, work);
        let event = &self.events[event];
        self.fault_of(&event.expression, x, work).map(|fault| format!("event '{}': {fault}", event.event.name))
    }

    fn fault_of(&self, e: &Expression, x: &State, work: &mut Work) -> Option<String> {
        let Work { markers, accelerations, expressions, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, past: x.past() };
        self.expression_inputs(e, x, &ctx, &motion, expressions);
        self.describe(&e.program, &e.text, &expressions.inputs[..e.sources.len()], x.t)
    }

    /// Why a constraint given by an expression, or one that follows one, is not finite.
    pub(in crate::system) fn constraint_fault(&self, element: &Element, ctx: &Context) -> Option<String> {
        match element {
            Element::ExpressionRow(row) => self.describe(&row.program, &row.text, &row.inputs(ctx), ctx.t),
            Element::Rows(rows) => rows.rows.iter().find_map(|row| {
                let Target::Function(function) = &row.target else { return None };
                let program = function.program()?;
                self.describe(program, function.text()?, &[ctx.t][..program.inputs().len()], ctx.t)
            }),
            _ => None,
        }
    }

    /// The fault of a program at these inputs, with the text it stands in and the values it got.
    fn describe(&self, program: &Program, text: &str, inputs: &[f64], t: f64) -> Option<String> {
        let Fault { span, variable, what, values } = program.diagnose_gradient(inputs)?;
        let variable = variable.and_then(|k| self.variables.get(k));
        let source = variable.map_or(text, |v| v.1.as_str());
        let of = values.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", ");
        let place = variable.map(|v| format!(" (variable '{}')", v.0)).unwrap_or_default();
        let given = program.inputs().iter().zip(inputs).filter(|(input, _)| **input != Input::Time);
        let given: String = given.map(|(input, value)| format!(", {input} = {}", number(*value))).collect();
        let source = source.get(span.start..span.end).unwrap_or(source);
        Some(format!("{what} of {of}: {source}{place} at t = {} s{given}", number(t)))
    }
}

/// A number with six digits.
fn number(x: f64) -> String {
    if x == 0.0 || (1e-4..1e6).contains(&x.abs()) {
        format!("{x:.6}").trim_end_matches('0').trim_end_matches('.').into()
    } else {
        format!("{x:.5e}")
    }
}

/// The first row of a constraint that is not finite.
pub(in crate::system) fn faulty_row(element: &Element, ctx: &Context) -> Option<usize> {
    let n = element.markers().len();
    (0..element.rows()).find(|k| {
        let (mut g, mut gt) = (vec![Vec6::zeros(); n], vec![Vec6::zeros(); n]);
        let value = element.evaluate(ctx, *k, &mut g, &mut gt);
        let scalars = value.value.is_finite() && value.rate.is_finite() && value.acceleration.is_finite();
        !scalars || !g.iter().all(|g| g.iter().all(|x| x.is_finite()))
    })
}
