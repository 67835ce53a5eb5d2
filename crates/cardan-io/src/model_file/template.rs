//! Texts with holes: `{…}` in a name, a reference or a function of a repetition is replaced by its value, and
//! `{condition ? text : other}` by one of two texts, which may have holes themselves.

use super::number::{Names, evaluate};
use cardan::expr::parse;

/// Holes inside each other.
const DEEPEST: usize = 20;

/// The text with all holes filled, or what is wrong with them.
pub(super) fn fill(text: &str, names: &dyn Names) -> Result<String, String> {
    fill_to(text, names, 0)
}

fn fill_to(text: &str, names: &dyn Names, depth: usize) -> Result<String, String> {
    if depth > DEEPEST {
        return Err(format!("more than {DEEPEST} holes {{…}} inside each other"));
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find(['{', '}']) {
        out.push_str(&rest[..open]);
        if rest[open..].starts_with('}') {
            return Err("this } closes nothing".into());
        }
        let close = closing(&rest[open..]).ok_or("this { is not closed")?;
        out.push_str(&hole(&rest[open + 1..open + close], names, depth)?);
        rest = &rest[open + close + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Where the brace that opens a text is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices()
        .find(|(_, c)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0
        })
        .map(|(k, _)| k)
}

/// The first such character outside of inner braces.
fn outside(text: &str, wanted: char) -> Option<usize> {
    let mut depth = 0;
    text.char_indices()
        .find(|(_, c)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0 && *c == wanted
        })
        .map(|(k, _)| k)
}

fn hole(text: &str, names: &dyn Names, depth: usize) -> Result<String, String> {
    let Some(question) = outside(text, '?') else { return Ok(super::item::number(value(text, names)?)) };
    let (condition, choices) = (&text[..question], &text[question + 1..]);
    let colon = outside(choices, ':').ok_or("a choice is written {condition ? text : other}, the : is missing")?;
    let chosen = if value(condition, names)? != 0.0 { &choices[..colon] } else { &choices[colon + 1..] };
    fill_to(chosen.trim(), names, depth + 1)
}

fn value(text: &str, names: &dyn Names) -> Result<f64, String> {
    parse(text).and_then(|expr| evaluate(&expr, names)).map(|a| a.value).map_err(|e| format!("in {{{text}}}: {e}"))
}
