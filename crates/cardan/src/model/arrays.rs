//! Arrays: lists of numbers or functions. Their elements are variables called `name[1]`, `name[2]`, …, which ARYVAL(name, k) reads.

use super::lowered::{Signals, arguments_of};
use super::{Model, Variable};
use crate::control::{self, Block, Sort, number};
use crate::expr::{Expr, Node, Scope, element_name, same_name};

/// A list of numbers or functions, whose element k, counted from 1, expressions read as ARYVAL(name, k).
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Unique name.
    pub name: String,
    /// What it holds.
    pub elements: Elements,
}

/// What an array holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    /// Constants.
    Values(Vec<f64>),
    /// Algebraic variables.
    Functions(Vec<String>),
}

impl Array {
    /// An array of constants.
    pub fn values(name: &str, values: impl Into<Vec<f64>>) -> Self {
        Self { name: name.into(), elements: Elements::Values(values.into()) }
    }

    /// An array of functions.
    pub fn functions<S: Into<String>>(name: &str, functions: impl IntoIterator<Item = S>) -> Self {
        Self { name: name.into(), elements: Elements::Functions(functions.into_iter().map(Into::into).collect()) }
    }

    /// The number of elements.
    pub fn count(&self) -> usize {
        match &self.elements {
            Elements::Values(values) => values.len(),
            Elements::Functions(functions) => functions.len(),
        }
    }

    /// Its elements as variables.
    fn variables(&self) -> Vec<Variable> {
        let texts: Vec<String> = match &self.elements {
            Elements::Values(values) => values.iter().copied().map(number).collect(),
            Elements::Functions(functions) => functions.clone(),
        };
        texts.into_iter().enumerate().map(|(k, text)| Variable::new(&element_name(&self.name, k + 1), text)).collect()
    }
}

impl Model {
    /// The elements of arrays as variables, where they are not among them yet.
    pub(super) fn new_elements(&self) -> Vec<Variable> {
        let is_new =
            |v: &Variable| !self.variables.iter().any(|known| known.name == v.name) && !self.states.iter().any(|s| s.name == v.name);
        self.arrays.iter().flat_map(|a| a.variables()).filter(is_new).collect()
    }

    /// The texts of the signals of a block; in a list the name of an array stands for all its elements.
    pub(super) fn signals_of(&self, block: &Block) -> Signals {
        let keys = control::find(&block.kind).map_or(&[][..], |kind| kind.keys);
        let is_list = |name: &str| keys.iter().any(|key| key.name == name && key.sort == Sort::Signals);
        let array = |key: &str, text: &str| self.arrays.iter().find(|a| is_list(key) && same_name(&a.name, text.trim()));
        let elements = |(key, text): (&'static str, String)| match array(key, &text) {
            Some(array) => (1..=array.count()).map(|k| (key, format!("ARYVAL({}, {k})", array.name))).collect(),
            None => vec![(key, text)],
        };
        block.signals().into_iter().flat_map(elements).collect()
    }

    /// What ARYVAL needs to know.
    pub(super) fn elements_scope(&self) -> Scope {
        let arrays = self.arrays.iter().map(|a| (a.name.clone(), a.count())).collect();
        Scope { parameters: self.parameters.clone(), arrays, ..Scope::default() }
    }
}

/// The names, in small letters, of the variables that an expression reads, elements of arrays among them.
pub(super) fn variables_of(expr: &Expr, scope: &Scope) -> Vec<String> {
    let mut out = arguments_of("VARVAL", expr);
    expr.walk(&mut |e| {
        if let Node::Call { name, arguments, .. } = &e.node
            && name.eq_ignore_ascii_case("ARYVAL")
            && let [array, index] = arguments.as_slice()
        {
            out.extend(scope.element(array, index).map(|name| name.to_lowercase()));
        }
    });
    out
}
