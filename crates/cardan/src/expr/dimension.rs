//! The dimension of an expression's value, as far as it can be told.
//!
//! A plain number takes the dimension that a sum asks for, and counts as a pure number in products. Parameters and splines
//! come without a dimension: what depends on them has none that is known.

use super::ast::{Expr, Node, Operator};
use super::error::ExprError;
use super::functions::find;
use super::scope::Scope;
use crate::units::Dimension;

/// What is known about a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Exactly(Dimension),
    /// A plain number.
    Free,
    Nothing,
}

impl Known {
    fn product(self, other: Self, power: i8) -> Self {
        match (self.exact(), other.exact()) {
            (Some(a), Some(b)) if (self, other) != (Self::Free, Self::Free) => Self::Exactly(a.times(b.to_the(power))),
            (Some(_), Some(_)) => Self::Free,
            _ => Self::Nothing,
        }
    }

    fn sum(self, other: Self) -> Self {
        match (self, other) {
            (Self::Free, b) => b,
            (a, Self::Free) => a,
            (a, b) if a == b => a,
            _ => Self::Nothing,
        }
    }

    fn exact(self) -> Option<Dimension> {
        match self {
            Self::Exactly(dimension) => Some(dimension),
            Self::Free => Some(Dimension::NONE),
            Self::Nothing => None,
        }
    }
}

/// The dimension of the value of an expression; `None` where it cannot be told.
pub fn dimension(expr: &Expr, scope: &Scope) -> Result<Option<Dimension>, ExprError> {
    // Compiling finds unknown names and loops of variables.
    super::Program::compile(expr, scope)?;
    Ok(known(expr, scope).exact())
}

fn known(expr: &Expr, scope: &Scope) -> Known {
    match &expr.node {
        Node::Number(_) => Known::Free,
        Node::Quantity { dimension, .. } => Known::Exactly(*dimension),
        Node::Missing => Known::Nothing,
        Node::Name(name) => match find(name) {
            _ if scope.parameter(name).is_some() => Known::Nothing,
            Some(f) => f.dimension.map_or(Known::Free, Known::Exactly),
            None => Known::Nothing,
        },
        Node::Negative(a) => known(a, scope),
        Node::Not(_) => Known::Exactly(Dimension::NONE),
        Node::Binary(operator, a, b) => binary(*operator, a, b, scope),
        Node::Call { name, arguments, .. } => call(name, arguments, scope),
        Node::SignOf { cases, .. } => cases.iter().map(|c| known(c, scope)).fold(Known::Free, Known::sum),
    }
}

fn binary(operator: Operator, a: &Expr, b: &Expr, scope: &Scope) -> Known {
    let (left, right) = (known(a, scope), known(b, scope));
    match operator {
        Operator::Add | Operator::Subtract => left.sum(right),
        Operator::Multiply => left.product(right, 1),
        Operator::Divide => left.product(right, -1),
        Operator::Power => match (left, &b.node) {
            (Known::Free, _) => Known::Free,
            (Known::Exactly(d), Node::Number(p)) if p.fract() == 0.0 && p.abs() < 10.0 => Known::Exactly(d.to_the(*p as i8)),
            (Known::Exactly(d), Node::Number(p)) if *p == 0.5 => d.root(2).map_or(Known::Nothing, Known::Exactly),
            _ => Known::Nothing,
        },
        _ => Known::Exactly(Dimension::NONE),
    }
}

fn call(name: &str, arguments: &[Expr], scope: &Scope) -> Known {
    let of = |k: usize| arguments.get(k).map_or(Known::Nothing, |a| known(a, scope));
    let same = |range: std::ops::Range<usize>| range.map(of).fold(Known::Free, Known::sum);
    if let Some(dimension) = find(name).and_then(|f| f.dimension) {
        return Known::Exactly(dimension);
    }
    match name.to_ascii_uppercase().as_str() {
        "VARVAL" => match arguments.first().map(|a| &a.node) {
            Some(Node::Name(variable)) => scope.variable(variable).map_or(Known::Nothing, |k| known(&scope.variables[k].1, scope)),
            _ => Known::Nothing,
        },
        "ARYVAL" => match arguments {
            [array, index] => {
                let variable = scope.element(array, index).ok().and_then(|name| scope.variable(&name));
                variable.map_or(Known::Nothing, |k| known(&scope.variables[k].1, scope))
            }
            _ => Known::Nothing,
        },
        "ABS" | "AINT" | "ANINT" | "SIGN" | "MOD" => of(0),
        "MIN" | "MAX" | "DIM" => same(0..arguments.len()),
        "IF" => same(1..3),
        "STEP" | "STEP5" | "HAVSIN" => of(2).sum(of(4)),
        "SQRT" => match of(0) {
            Known::Exactly(d) => d.root(2).map_or(Known::Nothing, Known::Exactly),
            other => other,
        },
        "ASIN" | "ACOS" | "ATAN" | "ATAN2" => Known::Exactly(Dimension::ANGLE),
        "SIN" | "COS" | "TAN" | "SINH" | "COSH" | "TANH" | "EXP" | "LOG" | "LOG10" | "PI" => Known::Free,
        _ => Known::Nothing,
    }
}
