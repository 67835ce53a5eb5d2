//! Inputs for linear analyses: something is added to a variable or to a component of a force.

use super::{Form, Model};
use crate::forces::{COMPONENTS, Components};

impl Model {
    /// The place of the input that changes what has this name: an input itself, a variable or block, a force along a line, or a component
    /// `force.x` of a force given by functions. Variables and forces get a new input added to them.
    pub(crate) fn input_added_to(&mut self, name: &str) -> Option<usize> {
        if let Some(place) = self.inputs.iter().position(|i| i.name == name) {
            return Some(place);
        }
        let input = format!("perturbation{}", self.inputs.len() + 1);
        let function = self.function_mut(name)?;
        *function = format!("({function}) + INPUT({input})");
        self.add_input(&input, 0.0);
        Some(self.inputs.len() - 1)
    }

    /// The text of a variable or of a component of a force.
    fn function_mut(&mut self, name: &str) -> Option<&mut String> {
        if let Some(variable) = self.variables.iter().position(|v| v.name == name) {
            return Some(&mut self.variables[variable].function);
        }
        if let Some(solved) = self.states.iter().position(|s| s.name == name && matches!(s.form, Form::Algebraic(_))) {
            return Some(&mut self.states[solved].function);
        }
        let (force, component) = name.rsplit_once('.').filter(|(_, c)| COMPONENTS.contains(c)).unwrap_or((name, ""));
        let force = self.expression_forces.iter_mut().find(|f| f.name == force)?;
        let place = COMPONENTS.iter().position(|c| *c == component);
        match (&mut force.components, place) {
            (Components::Single { function, .. }, None) => Some(function),
            (Components::Vector { functions, .. }, Some(k)) => functions.get_mut(k),
            (Components::General { functions, .. }, Some(k)) => functions.get_mut(k),
            _ => None,
        }
    }
}
