//! The dimension of an expression's value, and mistakes in it: what is added, compared or chosen between must be of one dimension,
//! functions ask for what their definitions do (`dimension_of_call.rs`).
//!
//! Plain numbers fit everywhere (`known.rs`). A mistake is noted at the part of the text that does not
//! fit what stands before it, and the rest goes on as if it did.

use super::ast::{Expr, Node, Operator, Span};
use super::error::ExprError;
use super::functions::find;
use super::known::{Known, PLAIN, PURE, alike, in_words};
use super::scope::{Scope, Signal};
use crate::units::Dimension;

/// The dimension of the value of an expression, plain numbers taken as pure ones; `None` where it cannot be told.
pub fn dimension(expr: &Expr, scope: &Scope) -> Result<Option<Dimension>, ExprError> {
    // Compiling finds unknown names and loops of variables.
    super::Program::compile(expr, scope)?;
    let (known, mistakes) = infer(expr, scope);
    Ok(known.told().filter(|_| mistakes.is_empty()))
}

/// What is known of the dimension of an expression's value, and the mistakes on the way to it.
pub fn infer(expr: &Expr, scope: &Scope) -> (Known, Vec<ExprError>) {
    let mut inference = Inference { scope, mistakes: Vec::new() };
    (inference.known(expr), inference.mistakes)
}

/// A mistake where a value does not have the dimension that is asked for; `what` is what asks for it.
pub fn unlike(found: Known, wanted: Dimension, span: Span, what: &str) -> Option<ExprError> {
    let found = found.sure().filter(|found| !alike(*found, wanted))?;
    Some(ExprError::new(span, format!("{what} is {}, but this is {}", in_words(wanted), in_words(found))))
}

pub(super) struct Inference<'a> {
    pub scope: &'a Scope,
    mistakes: Vec<ExprError>,
}

impl Inference<'_> {
    pub fn known(&mut self, expr: &Expr) -> Known {
        match &expr.node {
            Node::Number(_) => PLAIN,
            Node::Quantity { dimension, .. } => Known::Sure(*dimension),
            Node::Missing => Known::Nothing,
            Node::Name(name) => self.name(name),
            Node::Negative(a) => self.known(a),
            Node::Not(a) => {
                self.known(a);
                PURE
            }
            Node::Binary(operator, a, b) => self.binary(*operator, a, b),
            Node::Call { name, arguments, .. } => self.call(name, arguments),
            Node::SignOf { value, cases } => {
                self.known(value);
                self.same("the cases of IF", &cases.iter().collect::<Vec<_>>())
            }
        }
    }

    fn name(&self, name: &str) -> Known {
        if self.scope.parameter(name).is_some() {
            return self.scope.parameter_dimension(name).map_or(Known::Nothing, Known::Sure);
        }
        match find(name) {
            Some(f) => Known::Number(f.dimension.unwrap_or(Dimension::NONE)),
            None => Known::Nothing,
        }
    }

    fn binary(&mut self, operator: Operator, a: &Expr, b: &Expr) -> Known {
        let (left, right) = (self.known(a), self.known(b));
        match operator {
            Operator::Add => self.sum((left, right), b.span, |b, a| format!("{b} cannot be added to {a}")),
            Operator::Subtract => self.sum((left, right), b.span, |b, a| format!("{b} cannot be subtracted from {a}")),
            Operator::Multiply => left.product(right, 1),
            Operator::Divide => left.product(right, -1),
            Operator::Power => self.power(left, right, b),
            Operator::Or | Operator::And => PURE,
            _ => {
                self.sum((left, right), b.span, |b, a| format!("{b} cannot be compared with {a}"));
                PURE
            }
        }
    }

    /// Of a sum; a mistake at `span`, the right one, if dimensions differ.
    pub fn sum(&mut self, (left, right): (Known, Known), span: Span, message: impl Fn(String, String) -> String) -> Known {
        left.sum(right).unwrap_or_else(|(a, b)| {
            self.mistake(span, message(in_words(b), in_words(a)));
            left
        })
    }

    /// Of aᵇ, which has a dimension where b is known and whole, or a half.
    fn power(&mut self, base: Known, exponent: Known, b: &Expr) -> Known {
        self.pure(exponent, b.span, "an exponent", "a pure number");
        let p = match &b.node {
            Node::Number(p) => *p,
            Node::Negative(p) => match p.node {
                Node::Number(p) => -p,
                _ => f64::NAN,
            },
            _ => f64::NAN,
        };
        match base {
            PLAIN | PURE => base,
            _ if p == 1.0 => base,
            _ if p.fract() == 0.0 && p.abs() < 10.0 => base.map(|d| Some(d.to_the(p as i8))),
            _ if p == 0.5 => base.map(|d| d.root(2)),
            Known::Sure(d) | Known::Quantity(d) if alike(d, Dimension::NONE) => PURE,
            _ => Known::Nothing,
        }
    }

    /// Notes a mistake where a value is neither a pure number nor an angle.
    pub fn pure(&mut self, value: Known, span: Span, what: &str, takes: &str) {
        if let Some(found) = value.sure().filter(|found| !alike(*found, Dimension::NONE)) {
            self.mistake(span, format!("{what} is {takes}, but this is {}", in_words(found)));
        }
    }

    /// Of values that must be of one dimension.
    pub fn same(&mut self, what: &str, list: &[&Expr]) -> Known {
        let mut all: Option<Known> = None;
        for expr in list {
            let next = self.known(expr);
            all = Some(match all {
                None => next,
                Some(before) => {
                    self.sum((before, next), expr.span, |b, a| format!("{what} must be of one dimension, but this is {b} beside {a}"))
                }
            });
        }
        all.unwrap_or_default()
    }

    pub fn mistake(&mut self, span: Span, message: String) {
        self.mistakes.push(ExprError::new(span, message));
    }

    /// Of a variable, state or input. A variable is looked into where nothing is noted of it.
    pub fn signal(&self, sort: Signal, name: &str) -> Known {
        let inside = || self.scope.variable(name).filter(|_| sort == Signal::Variable).map(|k| &self.scope.variables[k].1);
        match self.scope.signal(sort, name) {
            Some(known) => known,
            None => inside().map_or(Known::Nothing, |expr| infer(expr, self.scope).0),
        }
    }
}
