//! What a step of a real-time method costs, before it is run: operations by kind, and floating-point operations of each.
//!
//! Those of factorisations and solutions follow from the pattern of the factors:
//!
//! ```text
//! factorisation   Σ 2 s (s² + s w + w²)         pivots of s rows that are coupled with w later rows                     (1)
//! solution        Σ 2 s (s + 2 w)
//! ```
//!
//! Those of evaluations are estimated from the elements, by numbers that were counted once on typical ones.

use crate::constraints::Constraint;
use crate::integrators::{Method, Operations};
use crate::linear::Flops;
use crate::system::{Jacobian, State, System, Weights, Work};

/// Operations of an evaluation, and of a matrix: of a body with six velocities, a row of a constraint, a force.
const EVALUATION: [u64; 3] = [160, 60, 350];
const TANGENT: [u64; 3] = [150, 120, 7000];

/// What a step costs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// How many operations of each kind.
    pub operations: Operations,
    /// Floating-point operations of an evaluation, estimated.
    pub evaluation: u64,
    /// Of a matrix, estimated.
    pub tangent: u64,
    /// Of a factorisation and a solution; `None` where the matrix is not fit for a factorisation block by block.
    pub linear: Option<Flops>,
    /// Bytes of matrices and factors.
    pub bytes: usize,
}

impl Cost {
    /// Of a step from this state; `None` if the method does not know. `regularization` is that of the assembly.
    pub fn of(system: &System, method: &dyn Method, x: &State, regularization: &[f64]) -> Option<Self> {
        let operations = method.operations(system, regularization)?;
        let (mut jacobian, mut work) = (Jacobian::new(system), Work::new(system));
        system.evaluate(x, &mut work).tangent(&Weights::mass_only(regularization), &mut jacobian);
        let factored = jacobian.factor().ok().and_then(|()| jacobian.operations());
        let velocities = system.nv() as u64;
        let rows: u64 = system.constraints().iter().map(|c| c.element.rows() as u64).sum();
        let sum = |each: [u64; 3]| velocities * each[0] / 6 + rows * each[1] + system.force_elements().count() as u64 * each[2];
        Some(Self {
            operations,
            evaluation: sum(EVALUATION),
            tangent: sum(TANGENT),
            linear: factored.map(|f| f.0),
            bytes: 2 * size_of::<f64>() * (jacobian.matrix().values.len() + factored.map_or(0, |f| f.1)),
        })
    }

    /// Floating-point operations of a step.
    pub fn total(&self) -> Option<u64> {
        let Operations { evaluations, tangents, factorizations, solutions } = self.operations;
        let linear = self.linear?;
        let parts = [(evaluations, self.evaluation), (tangents, self.tangent), (factorizations, linear.factor), (solutions, linear.solve)];
        Some(parts.iter().map(|(count, each)| *count as u64 * each).sum())
    }
}
