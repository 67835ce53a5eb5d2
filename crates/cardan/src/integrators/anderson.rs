//! Anderson's acceleration of a fixed-point iteration x ← x + f(x): of the last iterates, the combination whose corrections nearly cancel,
//!
//! ```text
//! x ← x + f − Σ γ_j (Δx_j + Δf_j),     γ minimises ‖f − Σ γ_j Δf_j‖                                                      (1)
//! ```
//!
//! with Δx_j, Δf_j the changes from one iterate to the next. For linear f this is what GMRES does: an iteration that contracts but in a few
//! directions, even one that runs away in them, converges in as many steps more. So does Newton's method with a matrix that is wrong in
//! those directions, as that of one stage is for the others beside a singular configuration.
//! Reference: Walker, Ni, Anderson acceleration for fixed-point iterations, doi:10.1137/10078356X.

use nalgebra::{DMatrix, DVector};

/// Changes that are kept.
const DEPTH: usize = 10;
/// Combinations of changes smaller than this part of the largest are left out.
const DEPENDENT: f64 = 1e-9;

/// The last iterates.
#[derive(Debug, Default)]
pub struct Anderson {
    last: Option<[Vec<f64>; 2]>,
    /// Δx and Δf.
    changes: Vec<[Vec<f64>; 2]>,
}

impl Anderson {
    /// The next iterate in place of x (1); f is compared in these units.
    pub fn advance(&mut self, x: &mut [f64], f: &[f64], units: &[f64]) {
        if let Some([x0, f0]) = &self.last {
            let change = |new: &[f64], old: &[f64]| new.iter().zip(old).map(|(n, o)| n - o).collect::<Vec<f64>>();
            if self.changes.len() == DEPTH {
                self.changes.remove(0);
            }
            self.changes.push([change(x, x0), change(f, f0)]);
        }
        self.last = Some([x.to_vec(), f.to_vec()]);
        x.iter_mut().zip(f).for_each(|(x, f)| *x += f);
        for (gamma, [dx, df]) in self.combination(f, units).into_iter().zip(&self.changes) {
            (0..x.len()).for_each(|k| x[k] -= gamma * (dx[k] + df[k]));
        }
    }

    /// γ; nothing where an iterate is not finite.
    fn combination(&self, f: &[f64], units: &[f64]) -> Vec<f64> {
        let scaled = |f: &[f64]| DVector::from_iterator(f.len(), f.iter().zip(units).map(|(f, u)| f * u));
        let columns: Vec<DVector<f64>> = self.changes.iter().map(|[_, df]| scaled(df)).collect();
        let norms: Vec<f64> = columns.iter().map(|c| c.norm().max(f64::MIN_POSITIVE)).collect();
        if columns.is_empty() {
            return Vec::new();
        }
        let unit: Vec<_> = columns.into_iter().zip(&norms).map(|(c, n)| c / *n).collect();
        let (matrix, f) = (DMatrix::from_columns(&unit), scaled(f));
        if !matrix.iter().chain(f.iter()).all(|x| x.is_finite()) {
            return Vec::new();
        }
        let solved = matrix.svd(true, true).solve(&f, DEPENDENT);
        solved.map_or(Vec::new(), |gamma| gamma.iter().zip(norms).map(|(g, n)| g / n).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_iteration_that_runs_away_in_two_directions_converges() {
        let factors = [0.1, -3.0, 0.2, 1.5, 0.0, 0.15];
        let (mut x, mut anderson) = ([1.0; 6], Anderson::default());
        for _ in 0..10 {
            let f: Vec<f64> = x.iter().zip(factors).map(|(x, factor)| (factor - 1.0) * x).collect();
            anderson.advance(&mut x, &f, &[1.0; 6]);
        }
        assert!(x.iter().all(|x| x.abs() < 1e-10), "{x:?}");
    }
}
