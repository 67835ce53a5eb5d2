//! Reads tokens into a syntax tree by precedence climbing.
//!
//! An operand is followed by operators that bind at least as strongly as asked for; the right side of an operator is read
//! asking for more than its own strength (left to right) or as much (powers, right to left). Depth is limited, so that no
//! text can exhaust the stack.

use super::ast::{Expr, Node, Operator, SIGN_BINDING, Span};
use super::error::ExprError;
use super::lexer::{Token, tokens};

/// Parentheses, calls and signs inside each other.
const DEEPEST_NESTING: usize = 150;
/// Levels of the tree, which also grow with the length of a sum.
const DEEPEST_TREE: usize = 1000;

const OPERAND: [&str; 3] = ["a number", "a name", "("];

/// Reads an expression.
pub fn parse(source: &str) -> Result<Expr, ExprError> {
    let mut parser = Parser { tokens: tokens(source)?, at: 0, nesting: 0 };
    if parser.peek() == &Token::End {
        return Err(ExprError::new(Span { start: 0, end: source.len() }, "the expression is empty").expecting(&OPERAND));
    }
    let expr = parser.expression(0)?;
    match parser.peek() {
        Token::End => Ok(expr),
        Token::Close => Err(ExprError::new(parser.span(), "this ) closes nothing")),
        _ => Err(parser.unexpected(&["an operator", "the end"])),
    }
}

struct Parser {
    tokens: Vec<(Token, Span)>,
    at: usize,
    nesting: usize,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(token, _)| token)
    }

    /// Where the next token stands.
    fn span(&self) -> Span {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(Span::default(), |&(_, span)| span)
    }

    fn next(&mut self) -> (Token, Span) {
        let out = (self.peek().clone(), self.span());
        self.at += 1;
        out
    }

    fn accept(&mut self, token: &Token) -> Option<Span> {
        if self.peek() != token {
            return None;
        }
        Some(self.next().1)
    }

    fn unexpected(&self, expected: &[&'static str]) -> ExprError {
        let before = self.at.checked_sub(1).and_then(|k| self.tokens.get(k));
        if let (Token::Name(name), Some((Token::Number(_), _))) = (self.peek(), before) {
            return self.unknown_unit(name);
        }
        let message = match self.peek() {
            Token::End => "the expression ends too early".to_owned(),
            Token::Number(value) | Token::Quantity(value, _) => format!("unexpected number {value}"),
            Token::Name(name) => format!("unexpected name {name}"),
            Token::Colon => "unexpected colon, it belongs into IF(value: negative, zero, positive)".to_owned(),
            Token::Comma => "unexpected comma".to_owned(),
            Token::Open | Token::Close => "unexpected parenthesis".to_owned(),
            Token::Operator(_) | Token::Not => "unexpected operator".to_owned(),
        };
        ExprError::new(self.span(), message).expecting(expected)
    }

    /// A name after a number can only be a unit.
    fn unknown_unit(&self, name: &str) -> ExprError {
        let error = ExprError::new(self.span(), format!("there is no unit {name}")).expecting(&["a unit", "an operator"]);
        error.suggesting(name, crate::units::UNITS.iter().map(|unit| unit.symbol))
    }

    fn expression(&mut self, weakest: u8) -> Result<Expr, ExprError> {
        self.nesting += 1;
        if self.nesting > DEEPEST_NESTING {
            return Err(ExprError::new(self.span(), format!("more than {DEEPEST_NESTING} levels inside each other")));
        }
        let mut left = self.operand()?;
        let mut compared = false;
        while let Some(operator) = self.operator(weakest) {
            if operator.compares() && std::mem::replace(&mut compared, true) {
                return Err(ExprError::new(self.span(), "comparisons cannot be chained, join them with && or use parentheses"));
            }
            self.next();
            let right = self.expression(operator.binding() + u8::from(operator != Operator::Power))?;
            let span = left.span.to(right.span);
            left = checked(Node::Binary(operator, Box::new(left), Box::new(right)), span)?;
        }
        self.nesting -= 1;
        Ok(left)
    }

    /// The next operator, if it binds strongly enough.
    fn operator(&self, weakest: u8) -> Option<Operator> {
        match self.peek() {
            &Token::Operator(operator) if operator.binding() >= weakest => Some(operator),
            _ => None,
        }
    }

    fn operand(&mut self) -> Result<Expr, ExprError> {
        let start = self.span();
        match self.peek() {
            Token::Number(_) | Token::Quantity(..) | Token::Name(_) | Token::Open => {}
            Token::Operator(Operator::Subtract | Operator::Add) | Token::Not => {}
            _ => return Err(self.unexpected(&OPERAND)),
        }
        match self.next().0 {
            Token::Number(value) => Ok(Expr::new(Node::Number(value), start)),
            Token::Quantity(value, dimension) => Ok(Expr::new(Node::Quantity { value, dimension }, start)),
            Token::Name(name) if self.accept(&Token::Open).is_some() => self.call(name, start),
            Token::Name(name) => Ok(Expr::new(Node::Name(name), start)),
            Token::Open => {
                let inner = self.expression(0)?;
                let end = self.close(start)?;
                Ok(Expr { span: start.to(end), ..inner })
            }
            sign => {
                let inner = self.expression(SIGN_BINDING)?;
                let span = start.to(inner.span);
                match sign {
                    Token::Not => checked(Node::Not(Box::new(inner)), span),
                    Token::Operator(Operator::Subtract) => checked(Node::Negative(Box::new(inner)), span),
                    _ => Ok(Expr { span, ..inner }),
                }
            }
        }
    }

    fn close(&mut self, open: Span) -> Result<Span, ExprError> {
        match self.accept(&Token::Close) {
            Some(span) => Ok(span),
            None if self.peek() == &Token::End => Err(ExprError::new(open, "this ( is not closed").expecting(&[")"])),
            None => Err(self.unexpected(&["an operator", ")"])),
        }
    }

    /// The rest of a call after its opening parenthesis.
    fn call(&mut self, name: String, name_span: Span) -> Result<Expr, ExprError> {
        let open = Span { start: name_span.end, end: self.tokens[self.at - 1].1.end };
        let mut arguments = Vec::new();
        if let Some(end) = self.accept(&Token::Close) {
            return checked(Node::Call { name, name_span, arguments }, name_span.to(end));
        }
        arguments.push(self.argument()?);
        if self.peek() == &Token::Colon && name.eq_ignore_ascii_case("IF") {
            return self.sign_of(arguments.remove(0), name_span, open);
        }
        while self.accept(&Token::Comma).is_some() {
            arguments.push(self.argument()?);
        }
        let end = match self.peek() {
            Token::Close | Token::End => self.close(open)?,
            _ => return Err(self.unexpected(&["an operator", ",", ")"])),
        };
        checked(Node::Call { name, name_span, arguments }, name_span.to(end))
    }

    /// An argument; nothing between commas is one left out.
    fn argument(&mut self) -> Result<Expr, ExprError> {
        match self.peek() {
            Token::Comma => Ok(Expr::new(Node::Missing, self.span())),
            Token::Close if self.tokens[self.at - 1].0 == Token::Comma => Ok(Expr::new(Node::Missing, self.span())),
            _ => self.expression(0),
        }
    }

    fn sign_of(&mut self, value: Expr, start: Span, open: Span) -> Result<Expr, ExprError> {
        self.next();
        let negative = self.expression(0)?;
        self.comma()?;
        let zero = self.expression(0)?;
        self.comma()?;
        let positive = self.expression(0)?;
        let end = self.close(open)?;
        checked(Node::SignOf { value: Box::new(value), cases: Box::new([negative, zero, positive]) }, start.to(end))
    }

    fn comma(&mut self) -> Result<(), ExprError> {
        match self.accept(&Token::Comma) {
            Some(_) => Ok(()),
            None => Err(self.unexpected(&[", (IF with a colon has three cases)"])),
        }
    }
}

fn checked(node: Node, span: Span) -> Result<Expr, ExprError> {
    let expr = Expr::new(node, span);
    if expr.depth > DEEPEST_TREE {
        return Err(ExprError::new(span, format!("more than {DEEPEST_TREE} operations in a row; use parentheses or a spline")));
    }
    Ok(expr)
}
