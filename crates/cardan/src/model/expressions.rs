//! The expressions of a model: names looked up, uses checked, programs made.

use super::dimensions::{Purpose, Turns};
use super::{ElementName, Extra, Form, MarkerName, Model, Names};
use crate::bodies::BodyId;
use crate::expr::{self, Dimensions, Expr, ExprError, FunctionKind, Input, Node, Program, Scope, Span, parse};
use crate::forces::{Components, Line};
use crate::measures::{Depth, QuantityKind};
use std::fmt;

/// A mistake in one of the expressions of a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionProblem {
    /// What sort of element it is: "force", "motion", "constraint", "variable", "state", "block", "sensor" or "event".
    pub what: &'static str,
    /// The element's name.
    pub element: String,
    /// Which of its texts: "function", "velocity", "x", …, "unit".
    pub component: &'static str,
    /// The mistake.
    pub error: ExprError,
    /// The text.
    pub text: String,
}

impl fmt::Display for ExpressionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} '{}', {}: {}", self.what, self.element, self.component, self.error.show(&self.text))
    }
}

/// Where an expression stands: it decides what may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A component of a force, or the rate of a state: anything but forces given by expressions.
    Force,
    /// A motion: the time only.
    Motion,
    /// A constraint: displacements, angles and time.
    Constraint,
    /// A variable, sensor or event: anything.
    Reading,
}

/// What an input of a program reads.
#[derive(Debug, Clone, PartialEq)]
pub enum Read {
    /// The time.
    Time,
    /// A quantity of markers i, j, k, l.
    Motion(QuantityKind, [MarkerName; 4]),
    /// The value of a differential state, by its place.
    State(usize),
    /// Its rate.
    Rate(usize),
    /// The value of an input, by its place.
    Input(usize),
    /// Force or torque of an element on its marker i, in the axes of a marker.
    Load {
        /// Which part: FX, TM, ….
        function: &'static str,
        /// The element.
        element: ElementName,
        /// The marker.
        axes: MarkerName,
    },
}

/// A program and what its inputs read.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The program.
    pub program: Program,
    /// One for each input.
    pub reads: Vec<Read>,
}

const GROUND: MarkerName = MarkerName::Origin(BodyId::GROUND);

impl Names {
    /// Reads, checks and compiles an expression.
    pub fn compile(&self, text: &str, scope: &Scope, used: Use) -> Result<Compiled, Vec<ExprError>> {
        let expr = parse(text).map_err(|e| vec![e])?;
        let mut errors = Vec::new();
        expr.walk(&mut |e| self.check_call(e, &mut errors));
        if !errors.is_empty() {
            return Err(errors);
        }
        let program = Program::compile(&expr, scope).map_err(|e| vec![e])?;
        let whole = Span { start: 0, end: text.len() };
        let read = |input: &Input| self.read(input, whole).and_then(|r| allowed(used, input, r, whole));
        let reads = program.inputs().iter().map(read).collect::<Result<_, _>>().map_err(|e| vec![e])?;
        Ok(Compiled { program, reads })
    }

    /// Looks up the arguments of a call, if it is one of a quantity of the model.
    fn check_call(&self, expr: &Expr, errors: &mut Vec<ExprError>) {
        let Node::Call { name, arguments, .. } = &expr.node else { return };
        let Some(function) = expr::find(name).filter(|f| f.kind() == FunctionKind::Quantity) else { return };
        for (k, argument) in arguments.iter().enumerate() {
            let error = match (&argument.node, k) {
                (Node::Missing, 0) => Some(ExprError::new(expr.span, format!("{} needs its first argument", function.name))),
                (Node::Name(name), _) => self.argument(function.name, k, name, argument.span).err(),
                (Node::Number(number), _) => self.argument(function.name, k, &number.to_string(), argument.span).err(),
                _ => None,
            };
            errors.extend(error);
        }
    }

    fn argument(&self, function: &str, k: usize, name: &str, span: Span) -> Result<(), ExprError> {
        match (function, k) {
            ("VARVAL", _) => self.variable(name, span),
            ("DIF" | "DIF1", _) => self.state(name, span).map(drop),
            ("INPUT", _) => self.input(name, span).map(drop),
            // The compiler knows arrays and their lengths.
            ("ARYVAL", _) => Ok(()),
            (_, 0) if QuantityKind::named(function).is_none() => self.element(name, span).map(drop),
            _ => self.marker(name, span).map(drop),
        }
    }

    fn read(&self, input: &Input, span: Span) -> Result<Read, ExprError> {
        let Input::Quantity { function, arguments } = input else { return Ok(Read::Time) };
        let marker = |name: &String| if name.is_empty() { Ok(GROUND) } else { self.marker(name, span) };
        if let Some(kind) = QuantityKind::named(function) {
            let mut markers = [GROUND; 4];
            for (k, name) in arguments.iter().enumerate() {
                markers[kind.role(k)] = marker(name)?;
            }
            return Ok(Read::Motion(kind, markers));
        }
        match *function {
            "VARVAL" if self.solved(&arguments[0]).is_some() => return Ok(self.solved(&arguments[0]).map_or(Read::Time, Read::Rate)),
            "VARVAL" => return Err(ExprError::new(span, format!("the function of variable {} has a mistake", arguments[0]))),
            "DIF" => return self.state(&arguments[0], span).map(Read::State),
            "DIF1" => return self.state(&arguments[0], span).map(Read::Rate),
            "INPUT" => return self.input(&arguments[0], span).map(Read::Input),
            _ => {}
        }
        let axes = arguments.get(1).map_or(Ok(GROUND), marker)?;
        Ok(Read::Load { function, element: self.element(&arguments[0], span)?, axes })
    }
}

/// Refuses what an expression may not read where it stands.
fn allowed(used: Use, input: &Input, read: Read, span: Span) -> Result<Read, ExprError> {
    let refuse = |why: &str| Err(ExprError::new(span, format!("{input} {why}")));
    match (used, &read) {
        (Use::Motion | Use::Constraint, Read::Input(_)) => refuse("is an input: it jumps, which positions cannot; let a force follow it"),
        (Use::Motion, Read::Motion(..) | Read::Load { .. } | Read::State(_) | Read::Rate(_)) => refuse(
            "depends on the state of the model, but a motion is a function of TIME alone; use a constraint for a relation between displacements",
        ),
        (Use::Constraint, Read::Motion(kind, _)) if kind.depth() != Depth::Position => {
            refuse("is no displacement or angle: a constraint holds a function of positions and time at zero")
        }
        (Use::Constraint, Read::Load { .. }) => refuse("is a force: a constraint holds a function of positions and time at zero"),
        (Use::Constraint, Read::State(_) | Read::Rate(_)) => {
            refuse("is a differential state: a constraint holds a function of positions and time at zero; let a force follow the state")
        }
        (Use::Force, Read::Load { element: ElementName::Expression(_), .. }) => {
            refuse("is a force given by an expression itself; write what they share as a variable and read that with VARVAL in both")
        }
        _ => Ok(read),
    }
}

/// An expression of a model.
pub(super) struct Site<'a> {
    /// What sort of element holds it, and its name.
    pub what: &'static str,
    pub element: &'a str,
    /// Which of its texts it is.
    pub component: &'static str,
    pub text: &'a str,
    pub used: Use,
    /// What its value is used for, where that asks for a dimension.
    pub purpose: Option<Purpose>,
}

impl<'a> Site<'a> {
    /// A function of anything, of any dimension.
    pub fn reading(what: &'static str, element: &'a str, text: &'a str) -> Self {
        Self { what, element, component: "function", text, used: Use::Reading, purpose: None }
    }
}

impl Model {
    /// The names that expressions of this model may use. Variables whose text cannot be read are left out.
    pub fn scope(&self) -> Scope {
        let variable = |v: &super::Variable| parse(&v.function).ok().map(|expr| (v.name.clone(), expr));
        let mut scope = Scope {
            arguments: Vec::new(),
            parameters: self.parameters.clone(),
            splines: self.splines.clone(),
            variables: self.variables.iter().filter_map(variable).collect(),
            arrays: self.arrays.iter().map(|a| (a.name.clone(), a.count())).collect(),
            dimensions: Dimensions { parameters: self.parameter_dimensions.clone(), ..Dimensions::default() },
        };
        self.find_dimensions(&mut scope);
        scope
    }

    /// All mistakes in the expressions of the model.
    pub fn check_expressions(&self) -> Vec<ExpressionProblem> {
        match self.lowered() {
            Ok(lowered) => [self.check_signals(&lowered), lowered.check_texts(), self.check_dimensions(&lowered)].concat(),
            Err(_) => self.signals().err().unwrap_or_default(),
        }
    }

    /// All mistakes in the texts of a model without blocks.
    pub(super) fn check_texts(&self) -> Vec<ExpressionProblem> {
        let (names, scope) = (Names::new(self), self.scope());
        let mut problems = Vec::new();
        for Site { what, element, component, text, used, .. } in self.sites() {
            let errors = names.compile(text, &scope, used).err().unwrap_or_default();
            problems.extend(errors.into_iter().map(|error| problem(what, element, component, text, error)));
        }
        problems
    }

    /// Whether the model has any expression, and with it names to be looked up.
    pub(super) fn has_expressions(&self) -> bool {
        !self.sites().is_empty()
    }

    /// Every expression of the model.
    pub(super) fn sites(&self) -> Vec<Site<'_>> {
        let mut sites: Vec<Site> = self.variables.iter().map(|v| Site::reading("variable", &v.name, &v.function)).collect();
        for state in &self.states {
            let (what, component) = match state.form {
                Form::Rate => ("state", "function"),
                Form::Equation => ("state", "equation"),
                Form::Algebraic(_) => ("variable", "function"),
            };
            sites.push(Site { component, used: Use::Force, ..Site::reading(what, &state.name, &state.function) });
        }
        for extra in &self.extras {
            match extra {
                Extra::Motion(m) => sites.extend(m.function.text().map(|text| {
                    let (component, purpose) = (m.prescribed.key(), Some(Purpose::motion(m)));
                    Site { component, used: Use::Motion, purpose, ..Site::reading("motion", &m.name, text) }
                })),
                Extra::Expression(c) => sites.push(Site { used: Use::Constraint, ..Site::reading("constraint", &c.name, &c.function) }),
                _ => {}
            }
        }
        for force in &self.expression_forces {
            let turns = matches!(force.components, Components::Single { line: Line::Rotation, .. });
            let turns = if turns { Turns::Yes } else { Turns::No };
            sites.extend(force.functions().into_iter().map(|(component, text)| {
                let purpose = Some(Purpose::load(component, turns));
                Site { component, used: Use::Force, purpose, ..Site::reading("force", &force.name, text) }
            }));
        }
        sites.extend(self.sensors.iter().map(|s| Site::reading("sensor", &s.name, &s.function)));
        sites.extend(self.events.iter().map(|e| Site::reading("event", &e.name, &e.function)));
        sites
    }
}

pub(super) fn problem(what: &'static str, element: &str, component: &'static str, text: &str, error: ExprError) -> ExpressionProblem {
    ExpressionProblem { what, element: element.into(), component, error, text: text.into() }
}
