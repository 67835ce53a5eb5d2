//! What the names of an expression stand for: parameters, splines, variables and arrays of a model.

use super::ast::{Expr, Node};
use super::error::ExprError;
use super::known::Known;
use super::spline::Spline;
use crate::units::Dimension;
use std::collections::HashMap;

/// Names that expressions may use besides those of the table of functions. Case does not matter.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Names of the arguments, of an expression that is a function of them.
    pub arguments: Vec<String>,
    /// Constants.
    pub parameters: Vec<(String, f64)>,
    /// Tables for AKISPL, CUBSPL and LINSPL.
    pub splines: Vec<(String, Spline)>,
    /// Functions read with VARVAL.
    pub variables: Vec<(String, Expr)>,
    /// Arrays read with ARYVAL, and how many elements they have; these are variables (see [`element_name`]).
    pub arrays: Vec<(String, usize)>,
    /// What is known of the dimensions of all these.
    pub dimensions: Dimensions,
}

/// What a function such as DIF reads by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Signal {
    /// VARVAL, and ARYVAL, whose elements are variables.
    Variable,
    /// DIF, and DIF1 its rate.
    State,
    /// INPUT.
    Input,
}

/// What is known of the dimensions of names.
#[derive(Debug, Clone, Default)]
pub struct Dimensions {
    /// Of parameters that have a unit.
    pub parameters: Vec<(String, Dimension)>,
    /// Of signals, by names in small letters. Variables that are not listed are looked into.
    pub signals: HashMap<(Signal, String), Known>,
}

impl Scope {
    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<f64> {
        find(&self.parameters, name).map(|k| self.parameters[k].1)
    }

    /// The place of an argument.
    pub(super) fn argument(&self, name: &str) -> Option<usize> {
        self.arguments.iter().position(|known| same_name(known, name))
    }

    /// The dimension of a parameter that has a unit.
    pub fn parameter_dimension(&self, name: &str) -> Option<Dimension> {
        let list = &self.dimensions.parameters;
        find(list, name).map(|k| list[k].1)
    }

    /// What is known of the dimension of a signal, where anything is noted.
    pub(super) fn signal(&self, sort: Signal, name: &str) -> Option<Known> {
        self.dimensions.signals.get(&(sort, name.to_lowercase())).copied()
    }

    /// A table of points.
    pub fn spline(&self, name: &str) -> Option<&Spline> {
        find(&self.splines, name).map(|k| &self.splines[k].1)
    }

    /// The name of the variable that ARYVAL(array, index) reads.
    pub fn element(&self, array: &Expr, index: &Expr) -> Result<String, ExprError> {
        let Node::Name(name) = &array.node else {
            return Err(ExprError::new(array.span, "ARYVAL needs the name of an array here").expecting(&["a name"]));
        };
        let unknown = || ExprError::new(array.span, format!("there is no array called {name}")).suggesting(name, names(&self.arrays));
        let (known, count) = &self.arrays[find(&self.arrays, name).ok_or_else(unknown)?];
        let k = match &index.node {
            Node::Number(k) => Some(*k),
            Node::Name(parameter) => self.parameter(parameter),
            _ => None,
        };
        let Some(k) = k.filter(|k| k.fract() == 0.0) else {
            return Err(ExprError::new(index.span, "the second argument of ARYVAL is a whole number or a parameter"));
        };
        if k < 1.0 || k > *count as f64 {
            return Err(ExprError::new(index.span, format!("array {known} has the elements 1 to {count}, not {k}")));
        }
        Ok(element_name(known, k as usize))
    }

    /// The number of a variable in the list.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        find(&self.variables, name)
    }
}

fn find<T>(list: &[(String, T)], name: &str) -> Option<usize> {
    list.iter().position(|(known, _)| same_name(known, name))
}

/// The name of the variable that is an element of an array, counted from 1.
pub fn element_name(array: &str, k: usize) -> String {
    format!("{array}[{k}]")
}

/// Whether two names are the same but for the case of letters.
pub fn same_name(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

/// The names in a list.
pub(super) fn names<T>(list: &[(String, T)]) -> impl Iterator<Item = &str> {
    list.iter().map(|(name, _)| name.as_str())
}
