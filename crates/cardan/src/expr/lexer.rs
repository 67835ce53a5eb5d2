//! Splits the text of an expression into tokens.
//!
//! ```text
//! number   12   2.5   .5   3.   1e-3      with a unit: 120 mm   3 kN/mm
//! name     a letter or _, then letters, digits, _, dots between such parts or in front: crank.tip, spring_1
//! ```

use super::ast::{Operator, Span};
use super::error::ExprError;
use crate::units::{Dimension, Unit, length_of_unit};

/// A piece of text with a meaning of its own.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Quantity(f64, Dimension),
    Name(String),
    Operator(Operator),
    Not,
    Open,
    Close,
    Comma,
    Colon,
    End,
}

const SYMBOLS: [(&str, Token); 20] = [
    ("**", Token::Operator(Operator::Power)),
    ("<=", Token::Operator(Operator::LessEqual)),
    (">=", Token::Operator(Operator::GreaterEqual)),
    ("==", Token::Operator(Operator::Equal)),
    ("!=", Token::Operator(Operator::NotEqual)),
    ("&&", Token::Operator(Operator::And)),
    ("||", Token::Operator(Operator::Or)),
    ("^", Token::Operator(Operator::Power)),
    ("<", Token::Operator(Operator::Less)),
    (">", Token::Operator(Operator::Greater)),
    ("+", Token::Operator(Operator::Add)),
    ("-", Token::Operator(Operator::Subtract)),
    ("\u{2212}", Token::Operator(Operator::Subtract)),
    ("*", Token::Operator(Operator::Multiply)),
    ("/", Token::Operator(Operator::Divide)),
    ("!", Token::Not),
    ("(", Token::Open),
    (")", Token::Close),
    (",", Token::Comma),
    (":", Token::Colon),
];

/// All tokens with their places; the last is `End`.
pub(super) fn tokens(source: &str) -> Result<Vec<(Token, Span)>, ExprError> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (token, length) = if c.is_ascii_digit() || (c == '.' && rest[1..].starts_with(|d: char| d.is_ascii_digit())) {
            number(rest, at)?
        } else if is_letter(c) || (c == '.' && rest[1..].starts_with(is_letter)) {
            let length = name_length(rest);
            (Token::Name(rest[..length].to_owned()), length)
        } else {
            symbol(rest, at)?
        };
        out.push((token, Span { start: at, end: at + length }));
        at += length;
    }
    out.push((Token::End, Span { start: at, end: at }));
    Ok(out)
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn name_length(rest: &str) -> usize {
    let part = |s: &str| s.find(|c| !is_part(c)).unwrap_or(s.len());
    let mut length = part(rest);
    while let Some(next) = rest[length..].strip_prefix('.').filter(|s| s.starts_with(is_part)) {
        length += 1 + part(next);
    }
    length
}

fn number(rest: &str, at: usize) -> Result<(Token, usize), ExprError> {
    let digits = |s: &str| s.find(|c: char| !c.is_ascii_digit()).unwrap_or(s.len());
    let mut length = digits(rest);
    if rest[length..].starts_with('.') {
        length += 1 + digits(&rest[length + 1..]);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        let count = digits(&rest[length + 1 + sign..]);
        if count > 0 {
            length += 1 + sign + count;
        }
    }
    let span = Span { start: at, end: at + length };
    let blanks = rest[length..].len() - rest[length..].trim_start_matches([' ', '\t']).len();
    let unit = length_of_unit(&rest[length + blanks..]);
    if unit > 0 {
        return quantity(rest, length, length + blanks, unit, span);
    }
    if rest[length..].starts_with(is_letter) {
        let end = span.end + name_length(&rest[length..]);
        return Err(ExprError::new(Span { end, ..span }, format!("{} is neither a number nor a name", &rest[..end - at])));
    }
    match rest[..length].parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((Token::Number(value), length)),
        _ => Err(ExprError::new(span, format!("{} is too large for a number", &rest[..length]))),
    }
}

/// A number of `length` bytes and the unit that starts at `from`.
fn quantity(rest: &str, length: usize, from: usize, unit: usize, span: Span) -> Result<(Token, usize), ExprError> {
    let text = &rest[from..from + unit];
    let unit = Unit::parse(text).map_err(|e| ExprError::new(span, e.to_string()))?;
    match rest[..length].parse::<f64>().map(|value| value * unit.factor) {
        Ok(value) if value.is_finite() => Ok((Token::Quantity(value, unit.dimension), from + text.len())),
        _ => Err(ExprError::new(span, format!("{} {text} is too large for a number", &rest[..length]))),
    }
}

fn symbol(rest: &str, at: usize) -> Result<(Token, usize), ExprError> {
    if let Some((text, token)) = SYMBOLS.iter().find(|(text, _)| rest.starts_with(text)) {
        return Ok((token.clone(), text.len()));
    }
    let c = rest.chars().next().unwrap_or_default();
    let error = ExprError::new(Span { start: at, end: at + c.len_utf8() }, format!("{c:?} has no meaning here"));
    Err(match c {
        '=' => error.expecting(&["=="]),
        '&' => error.expecting(&["&&"]),
        '|' => error.expecting(&["||"]),
        _ => error,
    })
}
