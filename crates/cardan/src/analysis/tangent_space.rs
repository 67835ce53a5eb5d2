//! Velocities that constraints leave free, and the smallest ones that meet a right-hand side, in the mass metric.
//!
//! With M = L Lᵀ and the rows of Ĝ = D G L⁻ᵀ scaled to unit norm by D, the singular values Ĝᵀ = U S Vᵀ give
//!
//! ```text
//! N = L⁻ᵀ U₂                  G N = 0,  Nᵀ M N = 1                                                      (1)
//! z = L⁻ᵀ U₁ S₁⁻¹ V₁ᵀ D b     the smallest zᵀ M z with G z = b                                           (2)
//! ```
//!
//! where U₁ belongs to the singular values that are not zero. Dense: for models of some hundred bodies.

use crate::bodies::Kind;
use crate::constraints::Level;
use crate::linear::decompositions::singular_values;
use crate::system::{State, System, Work};
use nalgebra::DMatrix;

/// Singular values this small, relative to rows of norm one, are zero.
const ZERO: f64 = 1e-9;

/// The free velocities of some rows of G.
pub(super) struct TangentSpace {
    /// N.
    pub basis: DMatrix<f64>,
    /// What b is multiplied with in (2).
    inverse: DMatrix<f64>,
    /// The rows of b.
    rows: Vec<usize>,
}

impl TangentSpace {
    /// Of the rows of these levels; `None` if the singular values do not converge.
    pub fn new(system: &System, x: &State, levels: &[Level], work: &mut Work) -> Option<Self> {
        let rows: Vec<usize> = (0..system.rows()).filter(|r| levels.contains(&system.levels()[*r])).collect();
        let gradient = system.gradient(x, work);
        let (nv, m, inverse_factor) = (system.nv(), rows.len(), inverse_factor(system, &x.q)?);
        let mut g = DMatrix::zeros(nv, m);
        for (k, row) in rows.iter().enumerate() {
            for (block, values) in &gradient.rows[*row] {
                system.block_velocities(*block).zip(values).for_each(|(c, value)| g[(c, k)] += value);
            }
        }
        let mut g = inverse_factor.tr_mul(&g);
        let mut scale = vec![1.0; m];
        for (mut column, scale) in g.column_iter_mut().zip(&mut scale) {
            let norm = column.norm();
            if norm > 0.0 {
                *scale = 1.0 / norm;
                column *= *scale;
            }
        }
        let (u, s, v) = singular_values(&g)?;
        let rank = s.iter().filter(|s| **s > ZERO).count();
        let basis = &inverse_factor * DMatrix::from_fn(nv, nv - rank, |i, j| u[(i, rank + j)]);
        let pseudo = DMatrix::from_fn(rank, m, |i, j| v[(j, i)] * scale[j] / s[i]);
        let inverse = inverse_factor * DMatrix::from_fn(nv, rank, |i, j| u[(i, j)]) * pseudo;
        Some(Self { basis, inverse, rows })
    }

    /// The smallest z with G z = b (2); b has an entry for every row of the system.
    pub fn smallest(&self, b: &[f64]) -> Vec<f64> {
        let chosen = DMatrix::from_fn(self.rows.len(), 1, |r, _| b[self.rows[r]]);
        (&self.inverse * chosen).as_slice().to_vec()
    }
}

/// L⁻ᵀ.
fn inverse_factor(system: &System, q: &[f64]) -> Option<DMatrix<f64>> {
    let mut out = DMatrix::zeros(system.nv(), system.nv());
    for body in system.bodies() {
        let n = body.shape.nv();
        let mut mass = DMatrix::zeros(n, n);
        body.shape.add_mass(&q[body.q()], 1.0, mass.as_mut_slice());
        let inverse = mass.cholesky()?.l().try_inverse()?;
        out.view_mut((body.v0, body.v0), (n, n)).copy_from(&inverse.transpose());
    }
    Some(out)
}
