//! On which side the expressions of forces, differential states and constraints are where they choose: IF, MIN, MAX, ABS, IMPACT, …; and
//! laws of forces that are one thing here and another there, such as friction.

use super::Expression;
use crate::constraints::Element;
use crate::expr::{Program, Side};
use crate::forces::ForceLaw;
use crate::measures::Context;
use crate::system::{State, System, Work};

/// What changes sides with the state: operations of expressions, and laws of forces.
#[derive(Debug, Default)]
pub struct Switches {
    /// By force and component, by differential state, by constraint.
    pub(super) forces: Vec<(usize, usize, Vec<usize>)>,
    states: Vec<(usize, Vec<usize>)>,
    constraints: Vec<(usize, Vec<usize>)>,
    /// Forces whose laws have sides.
    laws: Vec<usize>,
    pairs: Vec<usize>,
}

impl Switches {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.forces.is_empty() && self.states.is_empty() && self.constraints.is_empty() && self.laws.is_empty() && self.pairs.is_empty()
    }

    /// Whether there are some in forces.
    pub fn in_forces(&self) -> bool {
        !self.forces.is_empty()
    }
}

impl System {
    /// What changes sides with the state in the equations: kinks, saturations, laws of forces.
    pub fn switches(&self) -> Switches {
        let both = |program: &Program| [program.kinks(), program.saturations()].concat();
        let laws = (0..self.forces.len()).filter(|&k| self.forces[k].has_sides()).collect();
        let pairs = (0..self.pair_forces.len()).filter(|&k| self.pair_forces[k].has_sides()).collect();
        Switches { laws, pairs, ..self.switches_among(both) }
    }

    /// What has kinks in the state.
    pub fn kinks(&self) -> Switches {
        self.switches_among(Program::kinks)
    }

    fn switches_among(&self, places: impl Fn(&Program) -> Vec<usize>) -> Switches {
        let mut all = Switches::default();
        for (k, force) in self.expressions.iter().enumerate() {
            let found = force.components.iter().enumerate().map(|(c, (_, e))| (k, c, places(&e.program)));
            all.forces.extend(found.filter(|f| !f.2.is_empty()));
        }
        let found = self.states.iter().enumerate().map(|(k, s)| (k, places(&s.expression.program)));
        all.states.extend(found.filter(|f| !f.1.is_empty()));
        for (k, constraint) in self.constraints.iter().enumerate() {
            if let Element::ExpressionRow(row) = &constraint.element {
                let switches = places(&row.program);
                all.constraints.extend((!switches.is_empty()).then_some((k, switches)));
            }
        }
        all
    }

    /// The sides at a state, one after another.
    pub fn sides(&self, switches: &Switches, x: &State, work: &mut Work, out: &mut Vec<Side>) {
        out.clear();
        self.prepare_readings(x, work);
        for (k, c, places) in &switches.forces {
            self.sides_of(&self.expressions[*k].components[*c].1, places, x, work, out);
        }
        for (k, places) in &switches.states {
            self.sides_of(&self.states[*k].expression, places, x, work, out);
        }
        for (k, places) in &switches.constraints {
            if let Element::ExpressionRow(row) = &self.constraints[*k].element {
                let ctx =
                    Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
                let inputs = row.inputs(&ctx);
                row.program.sides(places, &inputs, &mut work.scratch.borrow_mut(), out);
            }
        }
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        out.extend(switches.laws.iter().filter_map(|k| self.forces[*k].side(&ctx)));
        switches.pairs.iter().for_each(|k| self.pair_forces[*k].sides(&ctx, out));
    }

    fn sides_of(&self, e: &Expression, places: &[usize], x: &State, work: &mut Work, out: &mut Vec<Side>) {
        self.read(e, x, work);
        let inputs = &work.expressions.inputs[..e.sources.len()];
        e.program.sides(places, inputs, &mut work.scratch.borrow_mut(), out);
    }
}
