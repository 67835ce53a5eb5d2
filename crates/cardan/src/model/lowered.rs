//! A model without blocks: every block and array written out, and variables that read each other in a loop turned into unknowns.
//!
//! An unknown y = h(…, y, …) is a differential state whose rate is y: the equation ẋ = h(…, ẋ, …) is solved in the same Newton system as
//! the motion, at every level at which rates are, and nothing reads x itself. Of a loop a → b → a one variable is enough.

use super::arrays::variables_of;
use super::expressions::problem;
use super::{Differential, ExpressionProblem, Form, Model, ModelError, ModelEvent, Names, Sensor, SensorErrors, Solution, Use, Variable};
use crate::control::{Held, Parts, Phase, number};
use crate::expr::{self, Expr, ExprError, FunctionKind, Node, Span, parse, same_name};
use std::borrow::Cow;
use std::collections::HashSet;

/// Keys and texts of the signals of a block.
pub(super) type Signals = Vec<(&'static str, String)>;

impl Model {
    /// The model with its blocks written out as states, variables and held values; itself, where there is nothing to write out.
    pub fn lowered(&self) -> Result<Cow<'_, Model>, ModelError> {
        let signals = self.blocks.len() + self.sensors.len() + self.variables.len() + self.states.len() + self.arrays.len();
        if signals == 0 {
            return Ok(Cow::Borrowed(self));
        }
        let signals = self.signals().map_err(first)?;
        let mut out = Model { blocks: Vec::new(), ..self.clone() };
        out.variables.extend(self.new_elements());
        out.sensors.iter_mut().for_each(|sensor| out.held.extend(sampled(sensor)));
        for (block, signals) in self.blocks.iter().zip(signals) {
            let failed = |mistake| ModelError::Block { block: block.name.clone(), mistake };
            out.absorb(block.write(signals).map_err(failed)?);
            if !self.sensors.iter().any(|s| same_name(&s.name, &block.name)) {
                out.sensors.push(Sensor::new(&block.name, format!("VARVAL({})", block.name)));
            }
        }
        out.order_held();
        out.solve_loops();
        Ok(Cow::Owned(out))
    }

    fn absorb(&mut self, parts: Parts) {
        self.states.extend(parts.states.iter().map(|(name, rate, initial)| Differential::new(name, rate, *initial)));
        self.variables.extend(parts.variables.iter().map(|(name, text)| Variable::new(name, text)));
        self.splines.extend(parts.splines);
        self.held.extend(parts.held);
        self.switches.extend(parts.switches);
        let event = |(name, function): (String, String)| ModelEvent::new(&name, function);
        self.events.extend(parts.kinks.into_iter().map(event));
    }

    /// The signals of every block, names resolved.
    pub(super) fn signals(&self) -> Result<Vec<Signals>, Vec<ExpressionProblem>> {
        let (mut all, mut problems) = (Vec::new(), Vec::new());
        for block in &self.blocks {
            let mut own = Signals::new();
            for (key, text) in self.signals_of(block) {
                match self.signal(&text) {
                    Ok(signal) => own.push((key, signal)),
                    Err(error) => problems.push(problem("block", &block.name, key, &text, error)),
                }
            }
            all.push(own);
        }
        if problems.is_empty() { Ok(all) } else { Err(problems) }
    }

    /// A signal as an expression: bare names replaced by what reads them.
    fn signal(&self, text: &str) -> Result<String, ExprError> {
        let expr = parse(text)?;
        let (mut names, mut out, mut at) = (Vec::new(), String::new(), 0);
        bare_names(&expr, &mut names);
        for (name, span) in names {
            let constant = expr::find(name).is_some_and(|f| matches!(f.kind(), FunctionKind::Constant | FunctionKind::Time));
            let parameter = self.parameters.iter().any(|(parameter, _)| same_name(parameter, name));
            match self.named_signal(name, span) {
                Ok(_) if constant || parameter => {
                    return Err(ExprError::new(span, format!("{name} is a parameter or constant and a signal at once; rename the signal")));
                }
                Err(_) if constant || parameter => {}
                signal => {
                    out += &text[at..span.start];
                    out += &signal?;
                    at = span.end;
                }
            }
        }
        Ok(out + &text[at..])
    }

    /// What reads the signal of a name.
    fn named_signal(&self, name: &str, span: Span) -> Result<String, ExprError> {
        let is = |known: &String| same_name(known, name);
        let part = |known: &String| name.to_lowercase().starts_with(&format!("{}.", known.to_lowercase()));
        if self.blocks.iter().any(|b| is(&b.name) || part(&b.name)) || self.variables.iter().any(|v| is(&v.name)) {
            return Ok(format!("VARVAL({name})"));
        }
        if let Some(sensor) = self.sensors.iter().find(|s| is(&s.name)) {
            let mut sensor = sensor.clone();
            sampled(&mut sensor);
            return Ok(format!("({})", sensor.function));
        }
        if self.states.iter().any(|s| is(&s.name)) {
            return Ok(format!("DIF({name})"));
        }
        if self.inputs.iter().any(|i| is(&i.name)) {
            return Ok(format!("INPUT({name})"));
        }
        if let Some(array) = self.arrays.iter().find(|a| is(&a.name)) {
            let elements = format!("{name} is an array; write ARYVAL({name}, k) with k from 1 to {}", array.count());
            return Err(ExprError::new(span, elements));
        }
        let blocks = self.blocks.iter().map(|b| &b.name).chain(self.sensors.iter().map(|s| &s.name));
        let others = self.variables.iter().map(|v| &v.name).chain(self.states.iter().map(|s| &s.name));
        let all: Vec<&String> = blocks.chain(others).chain(self.inputs.iter().map(|i| &i.name)).collect();
        let error = ExprError::new(span, format!("there is no block, sensor, variable, state, input or parameter called {name}"));
        Err(error.suggesting(name, all.into_iter().map(String::as_str)))
    }

    /// Mistakes in the signals of blocks, in the words of the blocks.
    pub(super) fn check_signals(&self, lowered: &Model) -> Vec<ExpressionProblem> {
        if self.blocks.is_empty() {
            return Vec::new();
        }
        let (names, scope) = (Names::new(lowered), lowered.scope());
        let mut problems = Vec::new();
        for (block, signals) in self.blocks.iter().zip(self.signals().unwrap_or_default()) {
            for ((key, text), (_, signal)) in self.signals_of(block).iter().zip(signals) {
                let whole = Span { start: 0, end: text.len() };
                for error in names.compile(&signal, &scope, Use::Reading).err().unwrap_or_default() {
                    let span = if signal == *text { error.span } else { whole };
                    problems.push(problem("block", &block.name, key, text, ExprError { span, ..error }));
                }
            }
        }
        problems
    }

    /// Orders the held outputs so that each comes after those it reads; in a circle the first declared comes first.
    fn order_held(&mut self) {
        let held = std::mem::take(&mut self.held);
        let reads: Vec<HashSet<String>> = held.iter().map(|h| self.held_read_by(h)).collect();
        let (mut done, mut order) = (vec![false; held.len()], Vec::new());
        for k in 0..held.len() {
            visit(k, &held, &reads, &mut done, &mut order);
        }
        let mut held: Vec<Option<Held>> = held.into_iter().map(Some).collect();
        self.held = order.into_iter().filter_map(|k| held[k].take()).collect();
    }

    /// The held values that the function of one reads, through variables too.
    fn held_read_by(&self, held: &Held) -> HashSet<String> {
        let scope = self.elements_scope();
        let (mut open, mut seen, mut found) = (vec![held.function.clone().unwrap_or_default()], HashSet::new(), HashSet::new());
        while let Some(text) = open.pop() {
            let Ok(expr) = parse(&text) else { continue };
            found.extend(arguments_of("INPUT", &expr));
            for name in variables_of(&expr, &scope) {
                let variable = self.variables.iter().find(|v| v.name.to_lowercase() == name);
                open.extend(variable.filter(|_| seen.insert(name)).map(|v| v.function.clone()));
            }
        }
        found
    }

    /// Variables that are solved for, and one of every loop of variables, become states whose rate they are.
    fn solve_loops(&mut self) {
        let names: Vec<String> = self.variables.iter().map(|v| v.name.to_lowercase()).collect();
        let scope = self.elements_scope();
        let reads = |v: &Variable| {
            let read = parse(&v.function).map(|e| variables_of(&e, &scope)).unwrap_or_default();
            read.iter().filter_map(|name| names.iter().position(|known| known == name)).collect()
        };
        let mut search = LoopSearch {
            reads: self.variables.iter().map(reads).collect(),
            done: vec![false; names.len()],
            open: Vec::new(),
            closes: vec![None; names.len()],
        };
        for (k, variable) in self.variables.iter().enumerate() {
            if variable.solution != Solution::Substituted {
                search.closes[k] = Some(vec![k]);
            }
        }
        (0..names.len()).for_each(|k| search.visit(k));
        let name = |k: &usize| self.variables[*k].name.as_str();
        let chains = search.closes.iter().map(|c| c.as_ref().map(|c| c.iter().chain(&c[..1]).map(name).collect::<Vec<_>>().join(" → ")));
        let chains: Vec<Option<String>> = chains.collect();
        let mut kept = Vec::new();
        for (variable, chain) in std::mem::take(&mut self.variables).into_iter().zip(chains) {
            let Some(chain) = chain else {
                kept.push(variable);
                continue;
            };
            let initial = if let Solution::Solved(guess) = variable.solution { guess } else { 0.0 };
            self.states
                .push(Differential { form: Form::Algebraic(chain), ..Differential::new(&variable.name, variable.function, initial) });
        }
        self.variables = kept;
    }
}

/// A sensor with its errors in its function; what it holds, if it is sampled.
fn sampled(sensor: &mut Sensor) -> Option<Held> {
    let SensorErrors { bias, noise, seed, clock } = std::mem::take(&mut sensor.errors);
    if bias != 0.0 {
        sensor.function = format!("({}) + {}", sensor.function, number(bias));
    }
    let (clock, name) = (clock?, format!("{}.held", sensor.name));
    let function = std::mem::replace(&mut sensor.function, format!("INPUT({name})"));
    let noise = (noise != 0.0).then_some((noise, seed));
    Some(Held { name, function: Some(function), initial: 0.0, clock, phase: Phase::Output, noise })
}

/// A walk along what variables read.
struct LoopSearch {
    reads: Vec<Vec<usize>>,
    done: Vec<bool>,
    open: Vec<usize>,
    /// The loop that a variable closes.
    closes: Vec<Option<Vec<usize>>>,
}

impl LoopSearch {
    fn visit(&mut self, k: usize) {
        if let Some(start) = self.open.iter().position(|open| *open == k) {
            self.closes[k].get_or_insert_with(|| self.open[start..].to_vec());
            return;
        }
        if std::mem::replace(&mut self.done[k], true) {
            return;
        }
        self.open.push(k);
        for next in self.reads[k].clone() {
            // Nothing goes on through an unknown.
            if self.closes[next].is_none() {
                self.visit(next);
            }
        }
        self.open.pop();
    }
}

/// Appends a held value after the outputs that it reads.
fn visit(k: usize, held: &[Held], reads: &[HashSet<String>], done: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut done[k], true) {
        return;
    }
    for (other, h) in held.iter().enumerate() {
        if h.phase == Phase::Output && reads[k].contains(&h.name.to_lowercase()) {
            visit(other, held, reads, done, order);
        }
    }
    order.push(k);
}

/// The names, in small letters, that an expression gives to a function as its first argument.
pub(super) fn arguments_of(function: &str, expr: &Expr) -> Vec<String> {
    let mut out = Vec::new();
    expr.walk(&mut |e| {
        if let Node::Call { name, arguments, .. } = &e.node
            && name.eq_ignore_ascii_case(function)
            && let Some(Node::Name(argument)) = arguments.first().map(|a| &a.node)
        {
            out.push(argument.to_lowercase());
        }
    });
    out
}

/// Names that stand for numbers, in the order of the text: not those that functions take as names.
fn bare_names<'e>(expr: &'e Expr, out: &mut Vec<(&'e str, Span)>) {
    match &expr.node {
        Node::Number(_) | Node::Quantity { .. } | Node::Missing => {}
        Node::Name(name) => out.push((name, expr.span)),
        Node::Negative(a) | Node::Not(a) => bare_names(a, out),
        Node::Binary(_, a, b) => [a, b].into_iter().for_each(|e| bare_names(e, out)),
        Node::Call { name, arguments, .. } => {
            let named = match expr::find(name).map(|f| f.kind()) {
                Some(FunctionKind::Quantity) => arguments.len(),
                _ => 0,
            };
            let spline = expr::find(name).is_some_and(|f| f.kind() == FunctionKind::Spline);
            let table = if arguments.len() == 2 { 1 } else { 2 };
            let bare = arguments.iter().enumerate().skip(named).filter(|(k, _)| !(spline && *k == table));
            bare.for_each(|(_, e)| bare_names(e, out));
        }
        Node::SignOf { value, cases } => {
            bare_names(value, out);
            cases.iter().for_each(|e| bare_names(e, out));
        }
    }
}

fn first(problems: Vec<ExpressionProblem>) -> ModelError {
    match problems.into_iter().next() {
        Some(problem) => ModelError::Expression(Box::new(problem)),
        None => ModelError::Block { block: String::new(), mistake: "a signal has a mistake".into() },
    }
}
