//! What the equations do with time alone, by the elements that do it.

use super::System;
use crate::constraints::{Element, Target};
use crate::expr::{Program, TimePart};

impl System {
    /// The parts of all expressions in the equations that depend on time alone. Functions given as closures are not among them.
    pub fn time_parts(&self) -> Vec<TimePart> {
        let forces = self.expressions.iter().flat_map(|f| f.components.iter().map(|c| &c.1.program));
        let states = self.states.iter().map(|s| &s.expression.program);
        self.constraint_programs().chain(forces).chain(states).filter_map(TimePart::of).collect()
    }

    fn constraint_programs(&self) -> impl Iterator<Item = &Program> {
        self.constraints.iter().flat_map(|c| match &c.element {
            Element::Rows(rows) => rows
                .rows
                .iter()
                .filter_map(|row| match &row.target {
                    Target::Function(function) => function.program(),
                    Target::Constant(_) => None,
                })
                .collect(),
            Element::ExpressionRow(row) => vec![&row.program],
            _ => Vec::new(),
        })
    }
}
