//! The operations of a step.

/// How many operations a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operations {
    /// Evaluations of forces and constraints.
    pub evaluations: usize,
    /// Matrices evaluated.
    pub tangents: usize,
    /// Matrices factored.
    pub factorizations: usize,
    /// Solutions with a factored matrix.
    pub solutions: usize,
}
