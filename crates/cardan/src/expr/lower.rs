//! Lowers a syntax tree to operations; finds unknown names and wrong arguments on the way.

use super::ast::{Expr, Node, Operator, Span};
use super::builder::{Builder, Input, Origin, Slot};
use super::error::ExprError;
use super::functions::{FUNCTIONS, Function, Meaning, find};
use super::primitives::{Binary, Unary};
use super::scope::{Scope, names};
use super::spline::Method;
use std::collections::HashMap;

/// Lowers trees; the operations gather in `builder`.
pub(super) struct Lowering<'a> {
    pub builder: Builder,
    scope: &'a Scope,
    /// Splines already in the builder, in its order.
    known: Vec<(&'a str, Method)>,
    /// Variables already written out, and those being written out now.
    inlined: HashMap<usize, Slot>,
    open: Vec<usize>,
}

impl<'a> Lowering<'a> {
    pub fn new(scope: &'a Scope) -> Self {
        Self { builder: Builder::default(), scope, known: Vec::new(), inlined: HashMap::new(), open: Vec::new() }
    }

    /// Lowers an expression and gives the slot of its value.
    pub fn expression(&mut self, expr: &'a Expr) -> Result<Slot, ExprError> {
        match &expr.node {
            Node::Number(value) | Node::Quantity { value, .. } => Ok(self.at(expr.span).constant(*value)),
            Node::Missing => Err(ExprError::new(expr.span, "an argument is missing here")),
            Node::Name(name) => self.name(name, expr.span),
            Node::Negative(a) => {
                let a = self.expression(a)?;
                Ok(self.at(expr.span).unary(Unary::Neg, a))
            }
            Node::Not(a) => {
                let a = self.expression(a)?;
                Ok(self.at(expr.span).unary(Unary::Not, a))
            }
            Node::Binary(operator, a, b) => {
                let (a, b) = (self.expression(a)?, self.expression(b)?);
                Ok(operation(self.at(expr.span), *operator, a, b))
            }
            Node::Call { name, name_span, arguments } => self.call(expr.span, name, *name_span, arguments),
            Node::SignOf { value, cases } => self.sign_of(expr.span, value, cases),
        }
    }

    /// The builder, for operations that come from this piece of text.
    fn at(&mut self, span: Span) -> &mut Builder {
        self.from(span, None)
    }

    /// The builder, for operations of a function's formula.
    fn from(&mut self, span: Span, function: Option<&'static str>) -> &mut Builder {
        self.builder.origin = Origin { span, function, variable: self.open.last().copied() };
        &mut self.builder
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Slot, ExprError> {
        if let Some(k) = self.scope.argument(name) {
            return Ok(self.at(span).input(Input::Argument(k)));
        }
        if let Some(value) = self.scope.parameter(name) {
            return Ok(self.at(span).constant(value));
        }
        let Some(function) = find(name) else {
            let known = FUNCTIONS.iter().map(|f| f.name).chain(names(&self.scope.parameters));
            let known = known.chain(self.scope.arguments.iter().map(String::as_str));
            return Err(ExprError::new(span, format!("unknown name {name}")).suggesting(name, known));
        };
        match function.meaning {
            Meaning::Constant(value) => Ok(self.at(span).constant(value)),
            Meaning::Time => Ok(self.at(span).input(Input::Time)),
            _ => Err(ExprError::new(span, format!("{} is a function, its arguments are missing", function.name)).expecting(&["("])),
        }
    }

    fn call(&mut self, span: Span, name: &str, name_span: Span, arguments: &'a [Expr]) -> Result<Slot, ExprError> {
        let function = find(name).ok_or_else(|| ExprError::unknown_function(name_span, name))?;
        check_count(function, span, arguments)?;
        match function.meaning {
            Meaning::Constant(_) | Meaning::Time => self.name(name, span),
            Meaning::Formula(formula) => {
                let slots = arguments.iter().map(|a| self.expression(a)).collect::<Result<Vec<_>, _>>()?;
                Ok(formula(self.from(span, Some(function.name)), &slots))
            }
            Meaning::Quantity => {
                if function.name == ELEMENT {
                    return self.named_variable(self.scope.element(&arguments[0], &arguments[1])?, span);
                }
                let mut arguments = arguments.iter().map(|a| quantity_name(function, a)).collect::<Result<Vec<_>, _>>()?;
                if function.name == VARIABLE {
                    return self.named_variable(arguments.swap_remove(0), span);
                }
                Ok(self.at(span).input(Input::Quantity { function: function.name, arguments }))
            }
            Meaning::Spline(method) => self.spline(function, span, method, arguments),
        }
    }

    /// A variable that has a function is written out; others are solved for.
    fn named_variable(&mut self, name: String, span: Span) -> Result<Slot, ExprError> {
        match self.scope.variable(&name) {
            Some(k) => self.variable(k, span),
            None => Ok(self.at(span).input(Input::Quantity { function: VARIABLE, arguments: vec![name] })),
        }
    }

    /// A variable is written out where it is read.
    fn variable(&mut self, k: usize, span: Span) -> Result<Slot, ExprError> {
        if let Some(slot) = self.inlined.get(&k) {
            return Ok(*slot);
        }
        if let Some(start) = self.open.iter().position(|open| *open == k) {
            let chain: Vec<&str> = self.open[start..].iter().chain([&k]).map(|v| self.scope.variables[*v].0.as_str()).collect();
            return Err(ExprError::new(span, format!("variables read each other in a loop: {}", chain.join(" → "))));
        }
        self.open.push(k);
        let (name, expr) = &self.scope.variables[k];
        let inside = |e: ExprError| if e.message.contains(" in a loop: ") { e } else { e.inside_variable(name) };
        let slot = self.expression(expr).map_err(|e| ExprError { span, ..inside(e) })?;
        self.open.pop();
        self.inlined.insert(k, slot);
        Ok(slot)
    }

    fn sign_of(&mut self, span: Span, value: &'a Expr, cases: &'a [Expr; 3]) -> Result<Slot, ExprError> {
        let value = self.expression(value)?;
        let [negative, zero, positive] = cases;
        let (negative, zero, positive) = (self.expression(negative)?, self.expression(zero)?, self.expression(positive)?);
        let b = self.at(span);
        let nothing = b.constant(0.0);
        let (below, equal) = (b.binary(Binary::Less, value, nothing), b.binary(Binary::Equal, value, nothing));
        let other = b.select(equal, zero, positive);
        Ok(b.select(below, negative, other))
    }

    /// (x, spline), (x, z, spline) or (x, z, spline, order).
    fn spline(&mut self, function: &Function, span: Span, method: Method, arguments: &'a [Expr]) -> Result<Slot, ExprError> {
        let (name, middle, order) = match arguments {
            [_, name] => (name, None, None),
            [_, z, name] => (name, Some(z), None),
            [_, z, name, order] => (name, Some(z), Some(order)),
            _ => return Err(ExprError::new(span, format!("wrong arguments of {}", function.name))),
        };
        if let Some(z) = middle {
            self.integer(z, 0, "splines of two variables are not supported, z must be 0")?;
        }
        let order = order.map_or(Ok(0), |order| self.integer(order, 2, "the order of a derivative must be 0, 1 or 2"))?;
        let spline = self.table(function, name, method)?;
        let at = self.expression(&arguments[0])?;
        Ok(self.from(span, Some(function.name)).spline(spline, order, at))
    }

    fn integer(&mut self, expr: &'a Expr, most: u8, message: &str) -> Result<u8, ExprError> {
        let slot = self.expression(expr)?;
        let value = self.builder.known_value(slot);
        (0..=most).find(|&k| value == Some(f64::from(k))).ok_or_else(|| ExprError::new(expr.span, message))
    }

    /// The number of a spline in the builder.
    fn table(&mut self, function: &Function, expr: &'a Expr, method: Method) -> Result<usize, ExprError> {
        let Node::Name(name) = &expr.node else {
            return Err(ExprError::new(expr.span, format!("{} needs the name of a spline here", function.name)).expecting(&["a name"]));
        };
        if let Some(k) = self.known.iter().position(|known| *known == (name.as_str(), method)) {
            return Ok(k);
        }
        let unknown = || ExprError::new(expr.span, format!("unknown spline {name}")).suggesting(name, names(&self.scope.splines));
        let spline = self.scope.spline(name).ok_or_else(unknown)?;
        self.builder.splines.push(spline.curve(method));
        self.known.push((name, method));
        Ok(self.known.len() - 1)
    }
}

/// The function that reads a variable.
const VARIABLE: &str = "VARVAL";

/// The function that reads an element of an array.
const ELEMENT: &str = "ARYVAL";

fn operation(b: &mut Builder, operator: Operator, x: Slot, y: Slot) -> Slot {
    match operator {
        Operator::Or => b.binary(Binary::Or, x, y),
        Operator::And => b.binary(Binary::And, x, y),
        Operator::Less => b.binary(Binary::Less, x, y),
        Operator::LessEqual => b.binary(Binary::LessEqual, x, y),
        Operator::Greater => b.binary(Binary::Less, y, x),
        Operator::GreaterEqual => b.binary(Binary::LessEqual, y, x),
        Operator::Equal => b.binary(Binary::Equal, x, y),
        Operator::NotEqual => b.binary(Binary::NotEqual, x, y),
        Operator::Add => b.add(x, y),
        Operator::Subtract => b.sub(x, y),
        Operator::Multiply => b.mul(x, y),
        Operator::Divide => b.div(x, y),
        Operator::Power => b.binary(Binary::Pow, x, y),
    }
}

fn check_count(function: &Function, span: Span, arguments: &[Expr]) -> Result<(), ExprError> {
    let ((least, most), given) = (function.arguments, arguments.len());
    if (least..=most).contains(&given) {
        return Ok(());
    }
    let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let message = format!("{} takes {wanted} arguments, not {given}: {}", function.name, function.summary);
    // Arguments too many are marked, otherwise the call.
    let place = arguments.get(most).zip(arguments.last()).map_or(span, |(first, last)| first.span.to(last.span));
    Err(ExprError::new(place, message))
}

/// An argument that names a marker or element; whole numbers are names too.
fn quantity_name(function: &Function, argument: &Expr) -> Result<String, ExprError> {
    match &argument.node {
        Node::Name(name) => Ok(name.clone()),
        Node::Missing => Ok(String::new()),
        Node::Number(value) if value.fract() == 0.0 && *value < 1e15 => Ok(format!("{value}")),
        _ => {
            let message = format!("the arguments of {} are names, not expressions", function.name);
            Err(ExprError::new(argument.span, message).expecting(&["a name"]))
        }
    }
}
