//! What can be wrong with the text of an expression, and the search for what was meant.

use super::ast::Span;
use super::functions::FUNCTIONS;

/// A mistake in an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}{}", or_expected(.expected), or_meant(.suggestion))]
pub struct ExprError {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What could stand there instead; empty where that does not help.
    pub expected: Vec<&'static str>,
    /// The known name closest to an unknown one.
    pub suggestion: Option<String>,
}

fn or_expected(expected: &[&'static str]) -> String {
    if expected.is_empty() { String::new() } else { format!(", expected {}", expected.join(" or ")) }
}

fn or_meant(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|s| format!("; did you mean {s}?")).unwrap_or_default()
}

impl ExprError {
    /// A mistake at a place.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, expected: Vec::new(), suggestion: None }
    }

    pub(super) fn expecting(mut self, expected: &[&'static str]) -> Self {
        self.expected = expected.to_vec();
        self
    }

    /// Suggests the candidate closest to `name`, if any is close.
    pub fn suggesting<'a>(mut self, name: &str, candidates: impl Iterator<Item = &'a str>) -> Self {
        self.suggestion = closest(name, candidates);
        self
    }

    /// The same, in the text of a variable.
    pub(super) fn inside_variable(mut self, name: &str) -> Self {
        self.message = format!("in variable {name}: {}", self.message);
        self
    }

    pub(super) fn unknown_function(span: Span, name: &str) -> Self {
        Self::new(span, format!("unknown function {name}")).suggesting(name, FUNCTIONS.iter().map(|f| f.name))
    }

    /// The message with the source line and a mark under the mistake.
    pub fn show(&self, source: &str) -> String {
        let start = self.span.start.min(source.len());
        let first = source.as_bytes()[..start].iter().rposition(|&b| b == b'\n').map_or(0, |k| k + 1);
        let line = source.get(first..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let end = self.span.end.min(first + line.len());
        let count = |a: usize, b: usize| source.get(a..b).map_or(0, |s| s.chars().count());
        format!("{self}\n  {line}\n  {}{}", " ".repeat(count(first, start)), "^".repeat(count(start, end).max(1)))
    }
}

/// The candidate with the smallest edit distance, if that is at most a third of the name's length (at least 1). Of several
/// as close, the first.
pub(crate) fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    let wanted: Vec<char> = name.to_uppercase().chars().take(40).collect();
    let limit = (wanted.len() / 3).max(1);
    let ranked = candidates.map(|c| (distance(&wanted, &c.to_uppercase().chars().collect::<Vec<_>>()), c));
    ranked.filter(|&(d, c)| d <= limit && d < c.chars().count()).min_by_key(|&(d, _)| d).map(|(_, c)| c.to_owned())
}

/// Levenshtein's distance with neighbours exchanged counted as one edit.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}
