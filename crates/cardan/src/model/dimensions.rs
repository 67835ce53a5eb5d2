//! The dimensions of what a model computes, and mistakes in them: a motion that is a speed, a force that is a length, metres added to
//! seconds.
//!
//! Variables, held values and differential states read each other in any order and in loops, so what is known of them is found by going
//! through all of them until nothing changes:
//!
//! ```text
//! variable, held value    y = f    has the dimension of f
//! differential state      ẋ = f    has that of f times a time, where that of f is known                   (1)
//! ```
//!
//! In every function the terms must go together (`expr/dimension.rs`), and its value must be what it is used for. The first of two
//! contradicting definitions counts, so that a mistake is named once, where it was made.

use super::expressions::{Site, problem};
use super::{ExpressionProblem, Form, Model};
use crate::constraints::{Coordinate, Motion, Prescribed};
use crate::control;
use crate::expr::{Expr, ExprError, Known, Node, Operator, Scope, Signal, Span, alike, infer, parse, unlike};
use crate::units::{Dimension, Unit};

/// What the value of a function is used for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Purpose {
    /// Its dimension.
    dimension: Dimension,
    /// In words.
    what: &'static str,
}

impl Purpose {
    pub fn new(dimension: Dimension, what: &'static str) -> Self {
        Self { dimension, what }
    }

    /// Of the function of a motion.
    pub fn motion(motion: &Motion) -> Self {
        let (per, what) = match (motion.prescribed, motion.coordinate) {
            (Prescribed::Displacement, Coordinate::Rotation) => (0, "a motion of a rotation"),
            (Prescribed::Displacement, Coordinate::Translation) => (0, "a motion of a translation"),
            (Prescribed::Velocity, Coordinate::Rotation) => (-1, "the velocity of a rotation"),
            (Prescribed::Velocity, Coordinate::Translation) => (-1, "the velocity of a translation"),
            (Prescribed::Acceleration { .. }, Coordinate::Rotation) => (-2, "the acceleration of a rotation"),
            (Prescribed::Acceleration { .. }, Coordinate::Translation) => (-2, "the acceleration of a translation"),
        };
        Self::new(motion.coordinate.dimension().times(Dimension::TIME.to_the(per)), what)
    }

    /// Of a component of a force.
    pub fn load(component: &str, turns: Turns) -> Self {
        match turns {
            Turns::Yes => Self::new(Dimension::TORQUE, "a torque"),
            Turns::No if component.starts_with('t') => Self::new(Dimension::TORQUE, "a torque"),
            Turns::No => Self::new(Dimension::FORCE, "a force"),
        }
    }

    /// What is wrong with a value that should serve it.
    fn mistake(&self, found: Known, expr: &Expr, text: &str) -> Option<ExprError> {
        let mut error = unlike(found, self.dimension, Span { start: 0, end: text.len() }, self.what)?;
        let rate = self.dimension.times(Dimension::TIME.to_the(-1));
        if found.sure().is_some_and(|found| alike(found, rate)) {
            let sum = matches!(expr.node, Node::Binary(Operator::Add | Operator::Subtract, ..));
            let factor = if sum { format!("({})", text.trim()) } else { text.trim().into() };
            error.suggestion = Some(format!("{factor} * TIME"));
        }
        Some(error)
    }
}

/// Whether a single force turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Turns {
    Yes,
    No,
}

/// So many times all definitions are gone through at most; what is not known then stays so.
const PASSES: usize = 100;

/// A definition (1): what it is, its name and its function.
type Definition = (Signal, String, Expr);

impl Model {
    /// Notes in the scope what is known of the dimensions of signals (1).
    pub(super) fn find_dimensions(&self, scope: &mut Scope) {
        let definitions = self.definitions();
        let signals = definitions.iter().map(|(sort, name, _)| ((*sort, name.clone()), Known::Nothing));
        scope.dimensions.signals = signals.collect();
        for pass in 0..PASSES {
            let mut changed = false;
            let mut find = |(sort, name, function): &Definition| {
                let known = infer(function, scope).0;
                let known = if *sort == Signal::State { integral(known) } else { known };
                let key = (*sort, name.clone());
                // A state that is added to its own rate would gain a time in every pass.
                let before = scope.dimensions.signals.get(&key).and_then(|before| before.sure());
                if before.zip(known.sure()).is_none_or(|(before, now)| alike(before, now)) {
                    changed |= scope.dimensions.signals.insert(key, known) != Some(known);
                }
            };
            // To and fro, so that chains in either order take two passes.
            if pass % 2 == 0 {
                definitions.iter().for_each(&mut find);
            } else {
                definitions.iter().rev().for_each(&mut find);
            }
            if !changed {
                return;
            }
        }
    }

    fn definitions(&self) -> Vec<Definition> {
        let mut out = Vec::new();
        let mut add = |sort, name: &str, text: &str| out.extend(parse(text).ok().map(|expr| (sort, name.to_lowercase(), expr)));
        self.variables.iter().for_each(|v| add(Signal::Variable, &v.name, &v.function));
        for state in &self.states {
            match state.form {
                Form::Rate => add(Signal::State, &state.name, &state.function),
                Form::Algebraic(_) => add(Signal::Variable, &state.name, &state.function),
                Form::Equation => {}
            }
        }
        self.held.iter().for_each(|h| h.function.iter().for_each(|f| add(Signal::Input, &h.name, f)));
        out
    }

    /// All mistakes in the dimensions of functions; `lowered` is the model with its blocks written out, in which all names are known.
    pub(super) fn check_dimensions(&self, lowered: &Model) -> Vec<ExpressionProblem> {
        let scope = lowered.scope();
        let elements = self.new_elements();
        let elements = elements.iter().map(|v| Site::reading("variable", &v.name, &v.function));
        let mut problems: Vec<ExpressionProblem> =
            self.sites().into_iter().chain(elements).flat_map(|site| site.mistakes(&scope)).collect();
        problems.extend(self.sensors.iter().filter_map(|sensor| {
            let unit = sensor.unit.as_ref()?;
            let error = unit_mistake(unit, &sensor.function, &scope)?;
            Some(problem("sensor", &sensor.name, "unit", unit, error))
        }));
        problems.extend(self.check_blocks(lowered, &scope));
        problems
    }

    /// Mistakes in the signals of blocks, and in what they compute from them.
    fn check_blocks(&self, lowered: &Model, scope: &Scope) -> Vec<ExpressionProblem> {
        let (mut problems, definitions) = (Vec::new(), lowered.definitions());
        for (block, signals) in self.blocks.iter().zip(self.signals().unwrap_or_default()) {
            let texts = self.signals_of(block);
            let before = problems.len();
            for ((key, text), (_, signal)) in texts.iter().zip(&signals) {
                let Ok(expr) = parse(signal) else { continue };
                let (known, mut errors) = infer(&expr, scope);
                let whole = Span { start: 0, end: text.len() };
                let asked = control::find(&block.kind).and_then(|kind| kind.keys.iter().find(|k| k.name == *key)).map(|k| k.dimension);
                let asked = asked.filter(|d| *d != Dimension::NONE);
                errors.extend(asked.and_then(|d| unlike(known, d, whole, &format!("'{key}' of a block of kind {}", block.kind))));
                let at = |error: &ExprError| if signal == text { error.span } else { whole };
                problems.extend(errors.iter().map(|e| problem("block", &block.name, key, text, ExprError { span: at(e), ..e.clone() })));
            }
            let Some((key, text)) = texts.first().filter(|_| problems.len() == before) else { continue };
            let part = format!("{}.", block.name.to_lowercase());
            let own = |name: &str| name == block.name.to_lowercase() || name.starts_with(&part);
            let wrong = definitions.iter().filter(|(_, name, _)| own(name)).find_map(|(_, _, f)| infer(f, scope).1.pop());
            let whole = Span { start: 0, end: text.len() };
            problems.extend(wrong.map(|e| {
                problem("block", &block.name, key, text, ExprError::new(whole, format!("the signals do not go together: {}", e.message)))
            }));
        }
        problems
    }
}

impl Site<'_> {
    /// Mistakes in the dimensions of its text.
    fn mistakes(&self, scope: &Scope) -> Vec<ExpressionProblem> {
        let Ok(expr) = parse(self.text) else { return Vec::new() };
        let (known, mut errors) = infer(&expr, scope);
        if errors.is_empty() {
            errors.extend(self.purpose.and_then(|purpose| purpose.mistake(known, &expr, self.text)));
        }
        errors.into_iter().map(|error| problem(self.what, self.element, self.component, self.text, error)).collect()
    }
}

/// The dimension of a state whose rate is known.
fn integral(rate: Known) -> Known {
    match rate {
        Known::Sure(d) => Known::Sure(d.times(Dimension::TIME)),
        Known::Quantity(d) => Known::Likely(d.times(Dimension::TIME)),
        _ => Known::Nothing,
    }
}

/// What is wrong with the unit of a sensor.
fn unit_mistake(unit: &str, function: &str, scope: &Scope) -> Option<ExprError> {
    let span = Span { start: 0, end: unit.len() };
    let parsed = match Unit::parse(unit) {
        Ok(parsed) => parsed,
        Err(e) => return Some(ExprError { suggestion: e.suggestion.map(Into::into), ..ExprError::new(span, e.to_string()) }),
    };
    let found = infer(&parse(function).ok()?, scope).0.firm()?;
    let fits = alike(found, parsed.dimension);
    (!fits).then(|| ExprError::new(span, format!("the function is given in {found}, which is not a multiple of {unit}")))
}
