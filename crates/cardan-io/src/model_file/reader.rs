//! Reading: a table's entries are taken one by one; what is left over is unknown. Problems are collected, never thrown.

use super::field::Field;
use super::number::{Amount, Names, evaluate};
use super::problem::{Problem, Span};
use super::template;
use cardan::expr::{Expr, ExprError, Node, parse};
use cardan::units::Dimension;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and its place.
pub(super) type Value<'s> = Spanned<DeValue<'s>>;

/// Names of what could not be read.
#[derive(Debug, Clone, Default)]
pub(super) struct Broken {
    names: HashSet<String>,
    /// Elements without a known name are missing: a repetition stopped.
    pub nameless: bool,
}

impl Broken {
    pub fn insert(&mut self, name: &str) {
        self.names.insert(name.into());
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && !self.nameless
    }

    /// Whether a name, or the body it begins with, is among them.
    pub fn covers(&self, name: &str) -> bool {
        let body = name.rsplit_once('.').map_or(name, |(body, _)| body);
        self.nameless || self.names.contains(name) || self.names.contains(body)
    }
}

/// What reading knows and collects.
pub(super) struct Reader<'s> {
    pub source: &'s str,
    pub problems: Vec<Problem>,
    pub parameters: BTreeMap<String, Amount>,
    /// Indices of the repetitions around and what they define, the innermost last.
    pub indices: Vec<(String, Amount)>,
    /// Where problems of the next table are marked, if not at the table itself.
    pub place: Option<Span>,
    /// Parameters that some number uses.
    pub used: HashSet<String>,
    /// Parameters and elements that could not be read: what refers to them is not a mistake of its own.
    pub broken: Broken,
    path: Vec<String>,
    parsed: HashMap<usize, Rc<Expr>>,
}

impl Names for Reader<'_> {
    fn get(&self, name: &str) -> Option<Amount> {
        let index = self.indices.iter().rev().find(|(index, _)| index == name);
        index.map(|(_, value)| *value).or_else(|| self.parameters.get(name).copied())
    }

    fn all(&self) -> Vec<&str> {
        let numbers = self.parameters.keys().map(String::as_str).filter(|name| !name.ends_with(']'));
        self.indices.iter().map(|(name, _)| name.as_str()).chain(numbers).collect()
    }
}

impl<'s> Reader<'s> {
    pub fn new(source: &'s str) -> Self {
        Self {
            source,
            problems: Vec::new(),
            parameters: BTreeMap::new(),
            indices: Vec::new(),
            place: None,
            used: HashSet::new(),
            broken: Broken::default(),
            path: Vec::new(),
            parsed: HashMap::new(),
        }
    }

    /// Notes a problem, with the repetition it is in.
    pub fn report(&mut self, mut problem: Problem) {
        if let (None, false) = (&problem.note, self.indices.is_empty()) {
            let values: Vec<String> = self.indices.iter().map(|(name, value)| format!("{name} = {}", value.value)).collect();
            problem.note = Some(format!("in the repetition with {}", values.join(", ")));
        }
        self.problems.push(problem);
    }

    /// Where the reader is: `forces.spring`.
    pub fn path(&self) -> String {
        if self.path.is_empty() { "the model".into() } else { self.path.join(".") }
    }

    /// Reads something one level further down.
    pub fn within<T>(&mut self, name: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(name.into());
        let out = read(self);
        self.path.pop();
        out
    }

    /// Notes that a value is not what it should be.
    pub fn expected<T>(&mut self, value: &Value, what: &str) -> Option<T> {
        let message = format!("{} must be {what}", self.path());
        self.report(Problem::new(value.span(), message, format!("expected {what}, found {}", article(value.get_ref().type_str()))));
        None
    }

    /// Notes that a list is too short or too long.
    pub fn miscounted<T>(&mut self, value: &Value, wanted: &str, found: usize) -> Option<T> {
        let message = format!("{} must be a list of {wanted}", self.path());
        self.report(Problem::new(value.span(), message, format!("expected {wanted}, found {found}")));
        None
    }

    /// A number of this dimension, given as a number or as an expression.
    pub fn number(&mut self, value: &Value, dimension: Dimension) -> Option<f64> {
        let amount = self.amount(value)?;
        if let Some(given) = amount.dimension().filter(|d| !d.fits(dimension)) {
            let message = format!("{} has the wrong dimension", self.path());
            self.report(Problem::new(value.span(), message, format!("expected {}, found {}", unit(dimension), unit(given))));
            return None;
        }
        Some(amount.value)
    }

    /// A number with what is known of its dimension.
    pub fn amount(&mut self, value: &Value) -> Option<Amount> {
        match value.get_ref() {
            DeValue::String(text) => self.expression(value.span(), text),
            DeValue::Integer(_) | DeValue::Float(_) => match literal(value.get_ref()) {
                Some(x) => Some(Amount::bare(x)),
                None => self.expected(value, "a finite number"),
            },
            _ => self.expected(value, "a number or an expression"),
        }
    }

    fn expression(&mut self, span: Span, text: &str) -> Option<Amount> {
        let parsed = match self.parsed.get(&span.start) {
            Some(expr) => Ok(expr.clone()),
            None => parse(text).map(Rc::new).map_err(|error| (error, false)),
        };
        let result = parsed.and_then(|expr| {
            self.parsed.insert(span.start, expr.clone());
            names_in(&expr, &mut |name| {
                self.used.insert(name.into());
            });
            evaluate(&expr, self).map_err(|error| (error, self.uses_broken(&expr)))
        });
        match result {
            Ok(amount) => Some(amount),
            Err((_, true)) => None,
            Err((error, false)) => {
                self.expression_problem(&span, text, &error);
                None
            }
        }
    }

    /// Whether an expression uses a parameter that could not be read.
    pub fn uses_broken(&self, expr: &Expr) -> bool {
        let mut found = false;
        names_in(expr, &mut |name| found |= self.broken.names.contains(name));
        found
    }

    /// Notes a mistake inside an expression.
    pub fn expression_problem(&mut self, span: &Span, text: &str, error: &ExprError) {
        let problem = expression_problem(self.source, span, text, error, &self.path());
        self.report(problem);
    }

    /// A text with its holes filled, where it is part of a repetition.
    pub fn filled(&mut self, text: &str, span: Span) -> Option<String> {
        if self.indices.is_empty() || !text.contains(['{', '}']) {
            return Some(text.into());
        }
        match template::fill(text, self) {
            Ok(out) => Some(out),
            Err(message) => {
                if self.broken.is_empty() {
                    self.report(Problem::new(span, message, "in this text"));
                }
                self.broken.nameless = true;
                None
            }
        }
    }
}

/// A problem inside an expression: the mark stands under the part that is wrong, where the file holds the text as it is.
pub(super) fn expression_problem(source: &str, span: &Span, text: &str, error: &ExprError, path: &str) -> Problem {
    let start = source.get(span.clone()).and_then(|raw| raw.find(text)).map(|k| span.start + k);
    let place = start.map_or(span.clone(), |start| start + error.span.start..start + error.span.end);
    let label = if error.expected.is_empty() { "here".into() } else { format!("expected {}", error.expected.join(" or ")) };
    let problem = Problem::new(place, format!("{path}: {}", error.message), label);
    match &error.suggestion {
        Some(meant) => problem.help(format!("did you mean '{meant}'?")),
        None => problem,
    }
}

/// A dimension in words.
fn unit(dimension: Dimension) -> String {
    if dimension == Dimension::NONE { "a pure number".into() } else { format!("a value in {dimension}") }
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}

/// The value of an integer or float of the file, if it is finite.
pub(super) fn literal(value: &DeValue) -> Option<f64> {
    let number = match value {
        DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix()).ok()? as f64,
        DeValue::Float(f) => f.as_str().parse().ok()?,
        _ => return None,
    };
    Some(number).filter(|x| x.is_finite())
}

/// All names in an expression.
pub(super) fn names_in(expr: &Expr, found: &mut dyn FnMut(&str)) {
    expr.walk(&mut |e| {
        if let Node::Name(name) = &e.node {
            found(name);
        }
    });
}

/// The entries of a table, taken one by one.
pub(super) struct Entries<'t, 's> {
    table: &'t DeTable<'s>,
    /// Where problems of the table as a whole are marked.
    pub place: Span,
    used: Vec<bool>,
    known: Vec<&'static str>,
}

impl<'t, 's> Entries<'t, 's> {
    pub fn new(table: &'t DeTable<'s>, place: Span) -> Self {
        Self { table, place, used: vec![false; table.len()], known: Vec::new() }
    }

    /// The value of a key, which counts as known from now on.
    pub fn get(&mut self, key: &'static str) -> Option<(Span, &'t Value<'s>)> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        let (k, (name, value)) = self.table.iter().enumerate().find(|(_, (name, _))| name.get_ref() == key)?;
        self.used[k] = true;
        Some((name.span(), value))
    }

    /// Takes a key; a problem if it is missing and must not be.
    pub fn take<F: Field>(&mut self, key: &'static str, dimension: Dimension, reader: &mut Reader) -> Option<F> {
        match self.get(key) {
            Some((span, value)) => reader.within(key, |reader| {
                reader.place = Some(span);
                F::read(value, dimension, reader)
            }),
            None => F::absent().or_else(|| {
                let message = format!("'{key}' is missing in {}", reader.path());
                reader.report(Problem::new(self.place.clone(), message, format!("needs '{key}'")));
                None
            }),
        }
    }

    /// Lets everything pass, where what is known depends on something that is wrong itself.
    pub fn give_up<T>(&mut self) -> Option<T> {
        self.used.fill(true);
        None
    }

    /// Whatever was not taken is unknown.
    pub fn finish(self, reader: &mut Reader) {
        for ((name, _), _) in self.table.iter().zip(&self.used).filter(|(_, used)| !**used) {
            let message = format!("unknown key '{}' in {}", name.get_ref(), reader.path());
            let problem = Problem::new(name.span(), message, "not known here").suggest(name.get_ref(), self.known.iter().copied());
            let note = format!("known here: {}", self.known.join(", "));
            reader.report(problem.note(note));
        }
    }
}
