//! The deformation of a bushing, its load, and the derivatives of that, in the axes of marker j (see [`super::bushing`]).
//!
//! With u, u̇, ω of marker i against j in the axes of j, R = R_jᵀ R_i, B of [`Turn`], Λ = Bᵀ and A_φ(a) = ∂(A a)/∂φ:
//!
//! ```text
//! φ̇ = Λ ω,   (f, τ) = Xᵀ P,   X = diag(I, Λ)                                                             (1)
//! δ(f, τ) = −Xᵀ (K X + C N)(δu, δψ) − Xᵀ C X (δu̇, δω) + G (δu, δψ)                                       (2)
//! N = diag(0, Λ_φ(ω) Λ),   G = diag(0, B_φ(P_φ) Λ)                                                       (3)
//! ```
//!
//! X maps (δu, δψ) to the change of (u, φ), and (δu̇, δω) to that of (u̇, φ̇), which by poses changes by N (δu, δψ), too. In world axes Xᵀ is
//! diag(R_j, A) with A = R_j Λᵀ.

use super::geometry::{Half, Motion, pair, times, times_transposed, weighted};
use crate::bodies::MarkerState;
use crate::math::{Mat3, Mat6, Turn, Vec3, Vec6, angular, linear, stack};

/// A 6×6 matrix of coefficients. Most are diagonal, and take little room then.
#[derive(Debug, Clone, PartialEq)]
pub struct Coefficients {
    diagonal: [Vec3; 2],
    full: Option<Box<Full>>,
}

/// A matrix that is not diagonal, and its transpose.
#[derive(Debug, Clone, PartialEq)]
struct Full {
    matrix: Mat6,
    transposed: Mat6,
}

impl Coefficients {
    pub fn new(matrix: Mat6) -> Self {
        let diagonal = matrix.diagonal();
        let full = (matrix != Mat6::from_diagonal(&diagonal)).then(|| Box::new(Full { matrix, transposed: matrix.transpose() }));
        Self { diagonal: [linear(&diagonal), angular(&diagonal)], full }
    }

    /// All of it.
    pub fn matrix(&self) -> Mat6 {
        self.full.as_ref().map_or_else(|| Mat6::from_diagonal(&stack(self.diagonal[0], self.diagonal[1])), |full| full.matrix)
    }

    /// Whether there is nothing in it.
    pub fn is_zero(&self) -> bool {
        self.full.is_none() && self.diagonal == [Vec3::zeros(); 2]
    }

    #[inline]
    pub fn times(&self, x: &Vec6) -> Vec6 {
        match &self.full {
            Some(full) => full.matrix * x,
            None => stack(self.diagonal[0].component_mul(&linear(x)), self.diagonal[1].component_mul(&angular(x))),
        }
    }

    /// L K for L = diag(R, A): its columns of displacements and of rotations. Products with three columns from the right are the quick ones.
    #[inline]
    fn turned(&self, r: &Mat3, a: &Mat3) -> [Half; 2] {
        let Some(full) = &self.full else {
            let of = |first: usize, m: &Mat3, k: &Vec3| {
                Half::from_fn(|row, n| if (first..first + 3).contains(&row) { m[(row - first, n)] * k[n] } else { 0.0 })
            };
            return [of(0, r, &self.diagonal[0]), of(3, a, &self.diagonal[1])];
        };
        let of = |first: usize, by: &Mat3| times_transposed(&full.transposed.fixed_columns::<3>(first).into_owned(), by);
        let (top, bottom) = (of(0, r), of(3, a));
        let half = |first: usize| Half::from_fn(|m, n| if m < 3 { top[(first + n, m)] } else { bottom[(first + n, m - 3)] });
        [half(0), half(3)]
    }
}

/// Deformation and its rate.
pub struct Deformation {
    /// R_j.
    frame: Mat3,
    turn: Turn,
    omega: Vec3,
    /// Λ.
    map: Mat3,
    /// (u, φ) and (u̇, φ̇).
    pub position: Vec6,
    pub rate: Vec6,
}

impl Deformation {
    #[inline(always)]
    pub fn new(i: &MarkerState, motion: &Motion) -> Self {
        let frame = motion.j.r;
        let turn = Turn::of(&frame.tr_mul(&i.r));
        let (omega, map) = (frame.tr_mul(&motion.w), turn.inverse_tangent().transpose());
        let position = stack(frame.tr_mul(&motion.d), turn.phi);
        let rate = stack(frame.tr_mul(&motion.v), map * omega);
        Self { frame, turn, omega, map, position, rate }
    }

    /// Force and torque on marker i in world axes (1).
    #[inline]
    pub fn load(&self, p: &Vec6) -> (Vec3, Vec3) {
        (self.frame * linear(p), self.frame * self.map.tr_mul(&angular(p)))
    }

    /// The derivatives (2) by δu, δψ, δu̇ and δω in world axes, where the components P act.
    #[inline]
    pub fn derivatives(&self, k: &Coefficients, c: &Coefficients, p: &Vec6) -> [Half; 4] {
        if k.full.is_some() || c.full.is_some() {
            self.coupled_derivatives(k, c, &angular(p))
        } else {
            self.diagonal_derivatives(&k.diagonal, &c.diagonal, &angular(p))
        }
    }

    /// For diagonal matrices: forces depend on displacements alone, torques on rotations alone.
    #[inline]
    fn diagonal_derivatives(&self, k: &[Vec3; 2], c: &[Vec3; 2], p: &Vec3) -> [Half; 4] {
        let (r, zero) = (&self.frame, Mat3::zeros());
        let a = r * self.map.transpose();
        let e = self.turn.inverse_tangent_transposed_by(&self.omega);
        let inner = Mat3::from_fn(|m, n| -c[1][m] * e[(m, n)] - if m == n { k[1][m] } else { 0.0 });
        let by_psi = (a * inner + r * self.turn.inverse_tangent_by(p)) * a.transpose();
        [pair(&weighted(r, &k[0]), &zero), pair(&zero, &by_psi), pair(&weighted(r, &c[0]), &zero), pair(&zero, &weighted(&a, &c[1]))]
    }

    /// For any matrices.
    #[inline]
    fn coupled_derivatives(&self, k: &Coefficients, c: &Coefficients, p: &Vec3) -> [Half; 4] {
        let r = &self.frame;
        let a = r * self.map.transpose();
        let ([k_u, k_phi], [c_u, c_phi]) = (k.turned(r, &a), c.turned(r, &a));
        let geometric = pair(&Mat3::zeros(), &(r * self.turn.inverse_tangent_by(p)));
        let by_phi = k_phi + times(&c_phi, &self.turn.inverse_tangent_transposed_by(&self.omega)) - geometric;
        let (r, a) = (-r, -a);
        [times_transposed(&k_u, &r), times_transposed(&by_phi, &a), times_transposed(&c_u, &r), times_transposed(&c_phi, &a)]
    }
}
