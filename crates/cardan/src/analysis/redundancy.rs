//! Redundant constraints: rows of G that depend on others, Σ n_r G_r = 0, and what follows from them.
//!
//!     degrees of freedom = nv − rank G                                                                  (1)
//!     ε_r = 1e-10 · g_r M⁻¹ g_rᵀ      regularisation of the linear solves, where rows are redundant      (2)
//!
//! The motion does not feel redundant rows, but the reactions of all rows with n_r ≠ 0 are not unique: λ + n μ gives the
//! same forces on the bodies. The λ chosen is the smallest one in the measure Σ ε_r λ_r², which compares forces and torques
//! by what they would accelerate (N²/kg) and so does not depend on units:
//!
//!     Σ_r n_r ε_r λ_r = 0   for all null vectors n.                                                      (3)

use crate::linear::rank::{Redundant, analyze};
use crate::system::{State, System, Work};

/// ε relative to the row's inverse effective mass.
const RELATIVE: f64 = 1e-10;
/// At most this many constraints are named with a redundant row.
const NAMED: usize = 8;

/// A row that others already block.
#[derive(Debug, Clone, PartialEq)]
pub struct RedundantRow {
    /// The row.
    pub row: usize,
    /// Name of its constraint.
    pub constraint: String,
    /// Its direction.
    pub direction: String,
    /// Rows and coefficients with Σ n_r G_r = 0, its own coefficient 1; the largest share first.
    pub combination: Vec<(usize, f64)>,
    /// The constraints in the combination, the largest share first, at most eight.
    pub joints: Vec<String>,
}

/// What the rank of the constraints says about a mechanism.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Redundancy {
    /// Independent velocities (1).
    pub degrees_of_freedom: usize,
    /// Number of independent rows.
    pub rank: usize,
    /// The others; of two rows that block the same, the later one.
    pub redundant: Vec<RedundantRow>,
    /// Rows whose reactions are not unique.
    pub non_unique_rows: Vec<usize>,
    /// ε of every row (2) for [`crate::system::Kkt::regularization`]; empty without redundant rows.
    pub regularization: Vec<f64>,
}

impl Redundancy {
    /// Analyses the constraints at a state.
    pub fn new(system: &System, x: &State, work: &mut Work) -> Self {
        let rows = system.gradient(x, work);
        let inverse_masses = system.inverse_masses(&rows);
        let rank = analyze(&system.without_units(rows));
        let mut non_unique_rows: Vec<usize> = rank.redundant.iter().flat_map(|r| r.combination.iter().map(|c| c.0)).collect();
        non_unique_rows.sort_unstable();
        non_unique_rows.dedup();
        let regularization = if rank.redundant.is_empty() { Vec::new() } else { regularization(&inverse_masses, RELATIVE) };
        Self {
            degrees_of_freedom: system.nv() - rank.rank,
            rank: rank.rank,
            redundant: rank.redundant.into_iter().map(|r| name(system, r)).collect(),
            non_unique_rows,
            regularization,
        }
    }

    /// Makes λ the smallest one with the same forces (equation 3), by conjugate gradients on N E Nᵀ μ = N E λ.
    ///
    /// The regularised solve leaves about 1e-6 of λ along the null space, so few iterations are needed.
    pub(super) fn minimize(&self, lambda: &mut [f64]) {
        let e = &self.regularization;
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let preconditioner: Vec<f64> = self.redundant.iter().map(|r| r.combination.iter().map(|(k, n)| n * n * e[*k]).sum()).collect();
        let scaled = |r: &[f64]| r.iter().zip(&preconditioner).map(|(r, p)| r / p).collect::<Vec<f64>>();
        let mut r = self.null_components(lambda);
        let mut z = scaled(&r);
        let (mut p, mut rz) = (z.clone(), dot(&r, &z));
        let first = rz;
        for _ in 0..2 * self.redundant.len().min(500) {
            if rz <= 1e-24 * first || rz == 0.0 {
                break;
            }
            let mut direction = vec![0.0; lambda.len()];
            for (redundant, p) in self.redundant.iter().zip(&p) {
                redundant.combination.iter().for_each(|(k, n)| direction[*k] += n * p);
            }
            let ap = self.null_components(&direction);
            let alpha = rz / dot(&p, &ap);
            lambda.iter_mut().zip(&direction).for_each(|(l, d)| *l -= alpha * d);
            r.iter_mut().zip(&ap).for_each(|(r, a)| *r -= alpha * a);
            z = scaled(&r);
            let next = dot(&r, &z);
            p.iter_mut().zip(&z).for_each(|(p, z)| *p = z + next / rz * *p);
            rz = next;
        }
    }

    /// N E λ.
    fn null_components(&self, lambda: &[f64]) -> Vec<f64> {
        let e = &self.regularization;
        self.redundant.iter().map(|r| r.combination.iter().map(|(k, n)| n * e[*k] * lambda[*k]).sum()).collect()
    }
}

/// ε_r = factor · g M⁻¹ gᵀ; rows without any gradient get that of an average row.
pub(super) fn regularization(inverse_masses: &[f64], factor: f64) -> Vec<f64> {
    let positive = inverse_masses.iter().filter(|x| **x > 0.0);
    let (count, sum) = positive.fold((0.0, 0.0), |(n, s), x| (n + 1.0, s + x));
    let average = if count > 0.0 { sum / count } else { 1.0 };
    inverse_masses.iter().map(|x| factor * if *x > 0.0 { *x } else { average }).collect()
}

fn name(system: &System, redundant: Redundant) -> RedundantRow {
    let (constraint, direction) = system.row_name(redundant.row);
    let joints = names(system, redundant.combination.iter().map(|c| c.0), NAMED);
    RedundantRow { row: redundant.row, constraint, direction, combination: redundant.combination, joints }
}

/// The constraints of these rows, each once, at most `most`.
pub(super) fn names(system: &System, rows: impl IntoIterator<Item = usize>, most: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for row in rows {
        if names.len() == most {
            break;
        }
        let (name, _) = system.row_name(row);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
