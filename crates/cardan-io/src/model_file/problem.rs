//! What is wrong with a model file: every problem knows its place in the text, and shows it.

use ariadne::{Config, IndexType, Label, Report, ReportKind, Source};
use std::fmt;
use std::ops::Range;

/// A piece of the file: a range of bytes.
pub type Span = Range<usize>;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The model cannot be used.
    Error,
    /// It can, but probably something else was meant.
    Warning,
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in a sentence.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What stands at the mark: "expected a number".
    pub label: String,
    /// What to do: "did you mean 'stiffness'?"
    pub help: Option<String>,
    /// What else to know.
    pub note: Option<String>,
}

impl Problem {
    /// A problem at a place.
    pub fn new(span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), span, label: label.into(), help: None, note: None }
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With something else to know.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Asks whether the candidate closest to `name` was meant, if one is close.
    pub fn suggest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match closest(name, candidates) {
            Some(meant) => self.help(format!("did you mean '{meant}'?")),
            None => self,
        }
    }

    /// Asks whether a similar candidate was meant, or says what the candidates are.
    pub fn suggest_or_list(self, name: &str, candidates: &[&str]) -> Self {
        match closest(name, candidates.iter().copied()) {
            Some(meant) => self.help(format!("did you mean '{meant}'?")),
            None => self.list("known", candidates),
        }
    }

    /// With a note that lists names.
    pub(super) fn list(self, what: &str, names: &[&str]) -> Self {
        let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
        match names.len() {
            0 => self.note("there are none"),
            n if n > LISTED => self.note(format!("{what}: {shown} and {} more", n - LISTED)),
            _ => self.note(format!("{what}: {shown}")),
        }
    }
}

/// Names that are listed at most.
const LISTED: usize = 20;

/// The candidate spelled most like a name, if it is close enough to have been meant.
pub(super) fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let ranked = candidates.into_iter().map(|c| (strsim::damerau_levenshtein(&wanted, &c.to_lowercase()), c));
    let limit = (wanted.chars().count() / 3).max(1);
    ranked.filter(|(d, c)| *d <= limit && *d < c.chars().count()).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// Whether to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    /// For terminals.
    Always,
    /// Plain text.
    Never,
}

/// All problems of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems {
    /// The file's name.
    pub name: String,
    /// Its text.
    pub source: String,
    /// The problems, in the order of their places.
    pub list: Vec<Problem>,
}

impl Problems {
    /// The problems of a text, put in order; places outside the text are moved to its end.
    pub fn new(name: &str, source: &str, mut list: Vec<Problem>) -> Self {
        for problem in &mut list {
            problem.span = inside(source, &problem.span);
        }
        list.sort_by_key(|p| (p.span.start, p.span.end));
        list.dedup();
        Self { name: name.into(), source: source.into(), list }
    }

    /// The line and column where a problem begins, both counted from 1.
    pub fn position(&self, problem: &Problem) -> (usize, usize) {
        let before = &self.source[..problem.span.start.min(self.source.len())];
        let line = before.matches('\n').count() + 1;
        (line, before.rsplit('\n').next().unwrap_or_default().chars().count() + 1)
    }

    /// The problems for programs.
    pub fn to_json(&self) -> Vec<serde_json::Value> {
        let one = |p: &Problem| {
            let (line, column) = self.position(p);
            serde_json::json!({
                "message": p.message, "line": line, "column": column, "label": p.label, "help": p.help, "note": p.note,
            })
        };
        self.list.iter().map(one).collect()
    }

    /// Each problem with its line, a mark under the place, and advice.
    pub fn render(&self, color: Color) -> String {
        let mut out = Vec::new();
        let name = self.name.as_str();
        // A mark at the very end of the text needs a character to stand under.
        let text = Source::from(format!("{} ", self.source));
        for problem in &self.list {
            let span = (name, visible(&self.source, &problem.span));
            let config = Config::default().with_color(color == Color::Always).with_index_type(IndexType::Byte);
            let kind = if problem.severity == Severity::Error { ReportKind::Error } else { ReportKind::Warning };
            let mut report = Report::build(kind, span.clone()).with_config(config).with_message(&problem.message);
            report = report.with_label(Label::new(span).with_message(&problem.label).with_color(ariadne::Color::Red));
            if let Some(help) = &problem.help {
                report = report.with_help(help);
            }
            if let Some(note) = &problem.note {
                report = report.with_note(note);
            }
            // Writing to memory does not fail; if it did, the message alone would be left.
            if report.finish().write((name, &text), &mut out).is_err() {
                out.extend(problem.message.bytes());
            }
        }
        String::from_utf8_lossy(&out).lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Color::Never))
    }
}

impl std::error::Error for Problems {}

/// A span brought inside the text and to whole characters.
fn inside(source: &str, span: &Span) -> Span {
    let mut start = span.start.min(source.len());
    while !source.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, source.len());
    while !source.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

/// A span with at least one character, on one line where it is empty.
fn visible(source: &str, span: &Span) -> Span {
    if span.end > span.start {
        return span.clone();
    }
    let width = source[span.start..].chars().next().map_or(1, char::len_utf8);
    span.start..span.start + width
}
