//! What the names in expressions stand for: markers and elements of the model. Case does not matter.
//!
//! ```text
//! body.marker   a marker of that body           marker        the same, where no body or other marker has that name
//! body          the body frame                  body.cm       the centre of mass, with the axes of the body
//! ```

use super::{Form, Model};
use crate::bodies::{BodyId, MarkerId};
use crate::expr::{ExprError, Span};
use crate::forces::ForceLaw;
use std::collections::{HashMap, HashSet};

/// A marker that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MarkerName {
    /// A marker of the model.
    Marker(MarkerId),
    /// The frame of a body.
    Origin(BodyId),
    /// The centre of mass of a body.
    CenterOfMass(BodyId),
}

/// An element that exerts forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ElementName {
    /// A joint or constraint: its place in the list of all of them, joints first.
    Constraint(usize),
    /// A force.
    Force(usize),
    /// A force given by expressions.
    Expression(usize),
}

/// All names of a model.
#[derive(Debug)]
pub struct Names {
    markers: HashMap<String, Vec<MarkerName>>,
    elements: HashMap<String, ElementName>,
    variables: HashSet<String>,
    states: HashMap<String, usize>,
    /// Variables that are solved for: the places of their states.
    solved: HashMap<String, usize>,
    inputs: HashMap<String, usize>,
    /// As they are written, for suggestions.
    spelled: [Vec<String>; 5],
}

impl Names {
    pub fn new(model: &Model) -> Self {
        let mut names = Self {
            markers: HashMap::new(),
            elements: HashMap::new(),
            variables: HashSet::new(),
            states: HashMap::new(),
            solved: HashMap::new(),
            inputs: HashMap::new(),
            spelled: Default::default(),
        };
        if !model.has_expressions() {
            return names;
        }
        names.add_markers(model);
        let joints = model.joints().iter().map(|j| j.name.as_str());
        let constraints = joints.chain(model.extras().iter().map(|e| e.name())).enumerate();
        let constraints = constraints.map(|(k, name)| (name, ElementName::Constraint(k)));
        let forces = model.forces().iter().enumerate().map(|(k, f)| (f.name(), ElementName::Force(k)));
        let expressions = model.expression_forces().iter().enumerate().map(|(k, f)| (f.name.as_str(), ElementName::Expression(k)));
        for (name, element) in constraints.chain(forces).chain(expressions) {
            names.elements.entry(name.to_lowercase()).or_insert(element);
            names.spelled[1].push(name.into());
        }
        for variable in model.variables() {
            names.variables.insert(variable.name.to_lowercase());
            names.spelled[2].push(variable.name.clone());
        }
        for (k, state) in model.states().iter().enumerate() {
            let solved = matches!(state.form, Form::Algebraic(_));
            if solved { &mut names.solved } else { &mut names.states }.insert(state.name.to_lowercase(), k);
            names.spelled[if solved { 2 } else { 3 }].push(state.name.clone());
        }
        let held = model.held().iter().map(|h| &h.name);
        for (k, name) in model.inputs().iter().map(|i| &i.name).chain(held).enumerate() {
            names.inputs.insert(name.to_lowercase(), k);
            names.spelled[4].push(name.clone());
        }
        names
    }

    fn add_markers(&mut self, model: &Model) {
        for (k, marker) in model.markers().iter().enumerate() {
            let full = format!("{}.{}", model.bodies().get(marker.body.index()).map_or("", |b| b.name.as_str()), marker.name);
            for name in [full.to_lowercase(), marker.name.to_lowercase()] {
                self.markers.entry(name).or_default().push(MarkerName::Marker(MarkerId(k)));
            }
            self.spelled[0].push(full);
        }
        for (k, body) in model.bodies().iter().enumerate() {
            let (name, id) = (body.name.to_lowercase(), BodyId(k));
            for (part, marker) in [("origin", MarkerName::Origin(id)), ("cm", MarkerName::CenterOfMass(id))] {
                self.markers.entry(format!("{name}.{part}")).or_insert_with(|| vec![marker]);
            }
            self.markers.insert(name, vec![MarkerName::Origin(id)]);
            self.spelled[0].push(body.name.clone());
        }
    }

    /// The marker of that name.
    pub fn marker(&self, name: &str, span: Span) -> Result<MarkerName, ExprError> {
        match self.markers.get(&name.trim_start_matches('.').to_lowercase()).map(Vec::as_slice) {
            Some([one]) => Ok(*one),
            Some(_) => Err(ExprError::new(span, format!("several markers are called {name}; write body.{name}"))),
            None => Err(unknown(span, "marker", name, &self.spelled[0])),
        }
    }

    /// The element of that name.
    pub fn element(&self, name: &str, span: Span) -> Result<ElementName, ExprError> {
        let found = self.elements.get(&name.to_lowercase()).copied();
        found.ok_or_else(|| unknown(span, "joint, constraint or force", name, &self.spelled[1]))
    }

    /// Checks the name of a variable.
    pub fn variable(&self, name: &str, span: Span) -> Result<(), ExprError> {
        let known = self.variables.contains(&name.to_lowercase()) || self.solved(name).is_some();
        if known { Ok(()) } else { Err(unknown(span, "variable", name, &self.spelled[2])) }
    }

    /// The place of the state whose rate is a variable that is solved for.
    pub fn solved(&self, name: &str) -> Option<usize> {
        self.solved.get(&name.to_lowercase()).copied()
    }

    /// The place of a differential state.
    pub fn state(&self, name: &str, span: Span) -> Result<usize, ExprError> {
        let found = self.states.get(&name.to_lowercase()).copied();
        found.ok_or_else(|| unknown(span, "differential state", name, &self.spelled[3]))
    }

    /// The place of an input.
    pub fn input(&self, name: &str, span: Span) -> Result<usize, ExprError> {
        let found = self.inputs.get(&name.to_lowercase()).copied();
        found.ok_or_else(|| unknown(span, "input", name, &self.spelled[4]))
    }
}

fn unknown(span: Span, what: &str, name: &str, known: &[String]) -> ExprError {
    ExprError::new(span, format!("there is no {what} called {name}")).suggesting(name, known.iter().map(String::as_str))
}
