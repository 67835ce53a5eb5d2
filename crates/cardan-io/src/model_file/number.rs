//! Numbers written as expressions with units, worked out before the run. Every value carries what is known of its dimension:
//!
//! ```text
//! bare        a number as written; takes the dimension that is asked for, and is neutral in a product
//! any         from a parameter without a unit; fits everywhere, and so does every product with it
//! known d     has the dimension d                                                                       (1)
//! ```
//!
//! Sums, comparisons and choices ask for equal dimensions. In a product of two known dimensions the angle is dropped, as SI
//! does: rad/s times m is m/s.

use cardan::expr::{Expr, ExprError, FunctionKind, Node, Operator, Program, Scope, Span, find};
use cardan::units::Dimension;

/// What is known of a value's dimension (equation 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fit {
    Bare,
    Any,
    Known(Dimension),
}

/// A value with what is known of its dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Amount {
    /// In SI.
    pub value: f64,
    pub(super) fit: Fit,
}

impl Amount {
    pub(super) fn bare(value: f64) -> Self {
        Self { value, fit: Fit::Bare }
    }

    /// As a parameter: without a unit it fits any field.
    pub(super) fn as_parameter(self) -> Self {
        Self { fit: if self.fit == Fit::Bare { Fit::Any } else { self.fit }, ..self }
    }

    /// Its dimension, where it has one.
    pub fn dimension(&self) -> Option<Dimension> {
        if let Fit::Known(d) = self.fit { Some(d) } else { None }
    }

    /// Whether it may stand where this dimension is asked for.
    pub(super) fn fits(&self, expected: Dimension) -> bool {
        self.dimension().is_none_or(|d| d.fits(expected))
    }
}

/// The names an expression may use.
pub(super) trait Names {
    fn get(&self, name: &str) -> Option<Amount>;
    fn all(&self) -> Vec<&str>;
}

fn wrong(span: Span, message: impl Into<String>) -> ExprError {
    ExprError { message: message.into(), span, expected: Vec::new(), suggestion: None }
}

/// The value of an expression.
pub(super) fn evaluate(expr: &Expr, names: &dyn Names) -> Result<Amount, ExprError> {
    let amount = match &expr.node {
        Node::Number(value) => Amount::bare(*value),
        Node::Quantity { value, dimension } => Amount { value: *value, fit: Fit::Known(*dimension) },
        Node::Missing => return Err(wrong(expr.span, "an argument is missing here")),
        Node::Name(name) => named(name, expr.span, names)?,
        Node::Negative(a) => {
            let a = evaluate(a, names)?;
            Amount { value: -a.value, ..a }
        }
        Node::Not(a) => Amount::bare(f64::from(evaluate(a, names)?.value == 0.0)),
        Node::Binary(operator, a, b) => binary(*operator, expr.span, evaluate(a, names)?, evaluate(b, names)?)?,
        Node::Call { name, name_span, arguments } => call(name, *name_span, expr.span, arguments, names)?,
        Node::SignOf { value, cases } => {
            let sign = evaluate(value, names)?.value;
            let [negative, zero, positive] = &**cases;
            let all = [evaluate(negative, names)?, evaluate(zero, names)?, evaluate(positive, names)?];
            let fit = same(expr.span, &all)?;
            let chosen = if sign < 0.0 { 0 } else { 1 + usize::from(sign > 0.0) };
            Amount { value: all[chosen].value, fit }
        }
    };
    if amount.value.is_finite() { Ok(amount) } else { Err(wrong(expr.span, format!("this is not a finite number but {}", amount.value))) }
}

fn named(name: &str, span: Span, names: &dyn Names) -> Result<Amount, ExprError> {
    if let Some(amount) = names.get(name) {
        return Ok(amount);
    }
    match find(name).map(|f| f.kind()) {
        Some(FunctionKind::Constant) => constant(name, span),
        Some(FunctionKind::Mathematics) => Err(wrong(span, format!("{name} is a function, its arguments are missing"))),
        Some(_) => Err(wrong(span, format!("{name} is only known during the run, not in a number of the model"))),
        None if count_of(name, names) > 0 => Err(wrong(span, format!("'{name}' is a list; write ARYVAL({name}, k) for its element k"))),
        None => {
            let suggestion = super::problem::closest(name, names.all()).map(str::to_owned);
            Err(ExprError { suggestion, ..wrong(span, format!("there is no parameter '{name}'")) })
        }
    }
}

/// The value of an expression of numbers only.
fn constant(text: &str, span: Span) -> Result<Amount, ExprError> {
    let program = Program::new(text, &Scope::default()).map_err(|e| ExprError { span, ..e })?;
    match program.constant() {
        Some(value) => Ok(Amount::bare(value)),
        None => Err(wrong(span, "this has no finite value")),
    }
}

fn call(name: &str, name_span: Span, span: Span, arguments: &[Expr], names: &dyn Names) -> Result<Amount, ExprError> {
    let function = match find(name) {
        Some(f) if matches!(f.kind(), FunctionKind::Mathematics | FunctionKind::Constant) => f,
        Some(f) if f.name == "ARYVAL" => return element(span, arguments, names),
        Some(_) => return Err(wrong(name_span, format!("{name} is only known during the run, not in a number of the model"))),
        None => {
            let known = cardan::expr::FUNCTIONS.iter().filter(|f| f.kind() == FunctionKind::Mathematics).map(|f| f.name);
            let suggestion = super::problem::closest(name, known).map(str::to_owned);
            return Err(ExprError { suggestion, ..wrong(name_span, format!("unknown function {name}")) });
        }
    };
    let values = arguments.iter().map(|a| evaluate(a, names)).collect::<Result<Vec<_>, _>>()?;
    let text: Vec<String> = values.iter().map(|a| format!("{:?}", a.value)).collect();
    let amount = constant(&format!("{}({})", function.name, text.join(",")), span)?;
    Ok(Amount { fit: fit_of_call(function.name, span, arguments, &values)?, ..amount })
}

/// The name of element k of a list, counted from 1.
pub(super) fn element_name(list: &str, k: usize) -> String {
    format!("{list}[{k}]")
}

/// How many elements a parameter has that is a list; none if it is not.
fn count_of(list: &str, names: &dyn Names) -> usize {
    (1..).take_while(|k| names.get(&element_name(list, *k)).is_some()).count()
}

/// An element of a parameter that is a list.
fn element(span: Span, arguments: &[Expr], names: &dyn Names) -> Result<Amount, ExprError> {
    let [Expr { node: Node::Name(list), span: list_span, .. }, index] = arguments else {
        return Err(wrong(span, "ARYVAL takes the name of a list and the number of one of its elements"));
    };
    let k = evaluate(index, names)?.value;
    let whole = (k.fract() == 0.0 && k >= 1.0).then(|| names.get(&element_name(list, k as usize))).flatten();
    whole.ok_or_else(|| match count_of(list, names) {
        0 => wrong(*list_span, format!("there is no list '{list}' among the parameters")),
        count => wrong(index.span, format!("the elements of '{list}' are numbered from 1 to {count}, there is no number {k}")),
    })
}

/// The dimension of a function's value.
fn fit_of_call(name: &str, span: Span, arguments: &[Expr], values: &[Amount]) -> Result<Fit, ExprError> {
    match name {
        "SIN" | "COS" | "TAN" => pure(Dimension::ANGLE, "an angle", arguments, values),
        "SINH" | "COSH" | "TANH" | "EXP" | "LOG" | "LOG10" => pure(Dimension::NONE, "a pure number", arguments, values),
        "ASIN" | "ACOS" | "ATAN" => pure(Dimension::NONE, "a pure number", arguments, values).map(|_| Fit::Known(Dimension::ANGLE)),
        "ATAN2" => same(span, values).map(|_| Fit::Known(Dimension::ANGLE)),
        "ABS" | "MIN" | "MAX" | "MOD" | "DIM" => same(span, values),
        "SIGN" | "AINT" | "ANINT" => Ok(values.first().map_or(Fit::Bare, |a| a.fit)),
        "IF" => same(span, values.get(1..).unwrap_or(&[])),
        "SQRT" => values.first().map_or(Ok(Fit::Bare), |a| root(a.fit, span)),
        _ if values.iter().all(|a| a.fit == Fit::Bare) => Ok(Fit::Bare),
        _ => Ok(Fit::Any),
    }
}

/// Arguments that must be pure numbers (or angles); the value is a pure number.
fn pure(expected: Dimension, what: &str, arguments: &[Expr], values: &[Amount]) -> Result<Fit, ExprError> {
    match arguments.iter().zip(values).find(|(_, a)| !a.fits(expected)) {
        Some((argument, a)) => Err(wrong(argument.span, format!("this must be {what}, it is in {}", unit(a.fit)))),
        None => Ok(Fit::Bare),
    }
}

fn unit(fit: Fit) -> String {
    if let Fit::Known(d) = fit { d.to_string() } else { "no unit".into() }
}

/// What values that are added or compared have in common.
fn same(span: Span, values: &[Amount]) -> Result<Fit, ExprError> {
    let mut common = Fit::Bare;
    for a in values {
        common = match (common, a.fit) {
            (Fit::Known(x), Fit::Known(y)) if x.fits(y) => Fit::Known(y),
            (Fit::Known(x), Fit::Known(y)) if y.fits(x) => Fit::Known(x),
            (Fit::Known(x), Fit::Known(y)) => {
                return Err(wrong(span, format!("values of different dimensions do not go together: {x} and {y}")));
            }
            (Fit::Known(x), _) | (_, Fit::Known(x)) => Fit::Known(x),
            (Fit::Bare, Fit::Bare) => Fit::Bare,
            _ => Fit::Any,
        };
    }
    Ok(common)
}

fn product(a: Fit, b: Fit, power: i8) -> Fit {
    match (a, b) {
        (Fit::Any, _) | (_, Fit::Any) => Fit::Any,
        (a, Fit::Bare) => a,
        (Fit::Bare, Fit::Known(d)) => Fit::Known(d.to_the(power)),
        (Fit::Known(x), Fit::Known(y)) => Fit::Known(x.times(y.to_the(power)).without_angle()),
    }
}

fn root(fit: Fit, span: Span) -> Result<Fit, ExprError> {
    match fit {
        Fit::Known(d) => d.root(2).map(Fit::Known).ok_or_else(|| wrong(span, format!("{d} has no square root"))),
        other => Ok(other),
    }
}

fn binary(operator: Operator, span: Span, a: Amount, b: Amount) -> Result<Amount, ExprError> {
    let (x, y) = (a.value, b.value);
    let truth = |t: bool| Ok(Amount::bare(f64::from(t)));
    let compared = |t: bool| same(span, &[a, b]).and_then(|_| truth(t));
    match operator {
        Operator::Add => Ok(Amount { value: x + y, fit: same(span, &[a, b])? }),
        Operator::Subtract => Ok(Amount { value: x - y, fit: same(span, &[a, b])? }),
        Operator::Multiply => Ok(Amount { value: x * y, fit: product(a.fit, b.fit, 1) }),
        Operator::Divide => Ok(Amount { value: x / y, fit: product(a.fit, b.fit, -1) }),
        Operator::Power => Ok(Amount { value: x.powf(y), fit: power(span, a, b)? }),
        Operator::Or => truth(x != 0.0 || y != 0.0),
        Operator::And => truth(x != 0.0 && y != 0.0),
        Operator::Less => compared(x < y),
        Operator::LessEqual => compared(x <= y),
        Operator::Greater => compared(x > y),
        Operator::GreaterEqual => compared(x >= y),
        Operator::Equal => compared(x == y),
        Operator::NotEqual => compared(x != y),
    }
}

fn power(span: Span, a: Amount, b: Amount) -> Result<Fit, ExprError> {
    if !b.fits(Dimension::NONE) {
        return Err(wrong(span, format!("an exponent must be a pure number, it is in {}", unit(b.fit))));
    }
    let Fit::Known(d) = a.fit else { return Ok(a.fit) };
    match b.value {
        _ if b.fit == Fit::Any => Ok(Fit::Any),
        e if e.fract() == 0.0 && e.abs() < 20.0 => Ok(Fit::Known(d.to_the(e as i8))),
        e if (2.0 * e).fract() == 0.0 && e.abs() < 20.0 => root(Fit::Known(d.to_the((2.0 * e) as i8)), span),
        e if d != Dimension::NONE => Err(wrong(span, format!("{d} to the power {e} has no meaning"))),
        _ => Ok(Fit::Known(d)),
    }
}
