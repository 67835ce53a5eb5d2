//! Redundant constraints: rows of G that depend on others, Σ n_r G_r = 0, and what follows from them.
//!
//! ```text
//! degrees of freedom = nv − rank G                                                                  (1)
//! ε = 1e-8 · geometric mean of g_r M⁻¹ g_rᵀ      regularisation of the linear solves, where rows are redundant      (2)
//! ```
//!
//! The motion does not feel redundant rows, but the reactions of all rows with n_r ≠ 0 are not unique: λ + n μ gives the
//! same forces on the bodies. The λ chosen is the one of smallest norm Σ λ_r² (N and N m counted alike), the pseudo-inverse
//! solution: ε being the same for all rows, every correction of λ is in the range of G, so
//!
//! ```text
//! Σ_r n_r λ_r = 0   for all null vectors n.                                                          (3)
//! ```

use crate::linear::rank::{NullSpace, Rank, Redundant, analyze};
use crate::math::random::Random;
use crate::system::{State, System, Work};

/// ε relative to the rows' inverse effective masses.
const RELATIVE: f64 = 1e-8;
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
    /// Rows and coefficients with Σ n_r G_r = 0, its own coefficient 1; the largest share first. Empty where it is too long
    /// to be written out (large meshes of loops).
    pub combination: Vec<(usize, f64)>,
    /// The constraints in the combination (its own if that is not written out), the largest share first, at most eight.
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
    /// ε of every row, all alike (2), for [`crate::system::Kkt::regularization`]; empty without redundant rows.
    pub regularization: Vec<f64>,
    null_space: NullSpace,
}

impl Redundancy {
    /// Analyses the constraints at a state.
    pub fn new(system: &System, x: &State, work: &mut Work) -> Self {
        let rows = system.gradient(x, work);
        let inverse_masses = system.inverse_masses(&rows, &x.q);
        let rank = analyze(&system.without_units(rows));
        let non_unique_rows = non_unique(&rank);
        let regularization = if rank.redundant.is_empty() { Vec::new() } else { uniform(&inverse_masses) };
        Self {
            degrees_of_freedom: system.nv() - rank.rank,
            rank: rank.rank,
            redundant: rank.redundant.into_iter().map(|r| name(system, r)).collect(),
            non_unique_rows,
            regularization,
            null_space: rank.null_space,
        }
    }

    /// The null space of Gᵀ at this state.
    pub fn null_space(&self) -> &NullSpace {
        &self.null_space
    }

    /// Makes λ the smallest one with the same forces (equation 3), by conjugate gradients on N Nᵀ μ = N λ.
    ///
    /// The regularised solve leaves about 1e-6 of λ along the null space, so few iterations are needed.
    pub(super) fn minimize(&self, lambda: &mut [f64]) {
        if self.redundant.is_empty() {
            return;
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut r = self.null_space.times(lambda);
        let (mut p, mut rr) = (r.clone(), dot(&r, &r));
        // What is round-off beside λ is left as it is: squares of such numbers may vanish.
        let least = (1e-20 * rr).max(f64::EPSILON.powi(2) * dot(lambda, lambda)).max(f64::MIN_POSITIVE);
        for _ in 0..2 * self.null_space.dimension().min(200) {
            let direction = self.null_space.transposed_times(&p);
            let ap = self.null_space.times(&direction);
            let curvature = dot(&p, &ap);
            if rr <= least || curvature <= f64::MIN_POSITIVE {
                break;
            }
            let alpha = rr / curvature;
            lambda.iter_mut().zip(&direction).for_each(|(l, d)| *l -= alpha * d);
            r.iter_mut().zip(&ap).for_each(|(r, a)| *r -= alpha * a);
            let next = dot(&r, &r);
            p.iter_mut().zip(&r).for_each(|(p, r)| *p = r + next / rr * *p);
            rr = next;
        }
    }
}

/// The same ε for every row (2).
fn uniform(inverse_masses: &[f64]) -> Vec<f64> {
    let logarithms: f64 = inverse_masses.iter().map(|m| m.max(f64::MIN_POSITIVE).ln()).sum();
    vec![RELATIVE * (logarithms / inverse_masses.len() as f64).exp(); inverse_masses.len()]
}

/// Rows with a part in any null vector: those where a random combination of all null vectors does not vanish.
fn non_unique(rank: &Rank) -> Vec<usize> {
    let mut random = Random::new(2);
    let mu: Vec<f64> = (0..rank.null_space.dimension()).map(|_| random.range(0.5, 1.0)).collect();
    let any = rank.null_space.transposed_times(&mu);
    let written = rank.redundant.iter().flat_map(|r| &r.combination).map(|c| c.0);
    let mut rows: Vec<usize> = if rank.redundant.iter().all(|r| !r.combination.is_empty()) {
        written.collect()
    } else {
        (0..any.len()).filter(|k| any[*k].abs() > 1e-9).collect()
    };
    rows.sort_unstable();
    rows.dedup();
    rows
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
    let rows = redundant.combination.iter().map(|c| c.0);
    let joints = names(system, rows.chain([redundant.row]), NAMED);
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

    use super::*;
    use crate::prelude::*;

    /// Squares of reactions this small vanish, and a division by them once gave infinite forces.
    #[test]
    fn smallest_reactions_are_finite_however_small_they_are() {
        let mut model = Model::new("door");
        let door = model.add_body(Body::rigid("door", 1.0, Inertia::principal(0.1, 0.1, 0.1)));
        for (k, z) in [-0.5, 0.5].into_iter().enumerate() {
            let (i, j) =
                (model.add_marker(Marker::on(door).at([0.0, 0.0, z])), model.add_marker(Marker::on(BodyId::GROUND).at([0.0, 0.0, z])));
            model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
        }
        let system = System::new(&model).unwrap();
        let redundancy = Redundancy::new(&system, system.initial(), &mut Work::new(&system));
        assert!(!redundancy.redundant.is_empty());
        for exponent in [-170, -162, -160, -158, -155, -100, 0, 100] {
            let size = 10.0_f64.powi(exponent);
            let mut lambda: Vec<f64> = (0..system.rows()).map(|k| size * (k as f64 + 1.0).sin()).collect();
            let before = lambda.clone();
            redundancy.minimize(&mut lambda);
            let shrinks =
                lambda.iter().zip(&before).all(|(after, before)| after.is_finite() && after.abs() <= 10.0 * size.max(before.abs()));
            assert!(shrinks, "{size:e}: {lambda:?}");
        }
    }
}
