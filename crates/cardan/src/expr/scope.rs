//! What the names of an expression stand for: parameters, splines and variables of a model.

use super::ast::Expr;
use super::spline::Spline;

/// Names that expressions may use besides those of the table of functions. Case does not matter.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Constants.
    pub parameters: Vec<(String, f64)>,
    /// Tables for AKISPL, CUBSPL and LINSPL.
    pub splines: Vec<(String, Spline)>,
    /// Functions read with VARVAL.
    pub variables: Vec<(String, Expr)>,
}

impl Scope {
    /// The value of a parameter.
    pub fn parameter(&self, name: &str) -> Option<f64> {
        find(&self.parameters, name).map(|k| self.parameters[k].1)
    }

    /// A table of points.
    pub fn spline(&self, name: &str) -> Option<&Spline> {
        find(&self.splines, name).map(|k| &self.splines[k].1)
    }

    /// The number of a variable in the list.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        find(&self.variables, name)
    }
}

fn find<T>(list: &[(String, T)], name: &str) -> Option<usize> {
    list.iter().position(|(known, _)| same_name(known, name))
}

/// Whether two names are the same but for the case of letters.
pub fn same_name(a: &str, b: &str) -> bool {
    a == b || a.to_lowercase() == b.to_lowercase()
}

/// The names in a list.
pub(super) fn names<T>(list: &[(String, T)]) -> impl Iterator<Item = &str> {
    list.iter().map(|(name, _)| name.as_str())
}
