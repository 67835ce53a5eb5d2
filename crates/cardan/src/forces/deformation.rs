//! The deformation of a bushing, its load, and the derivatives of that, in the axes of a frame F between the markers (see
//! [`super::bushing`]): F is marker j, or lies halfway between the orientations of j and i.
//!
//! With u, u̇, ω of marker i against j in the axes of F, R = R_jᵀ R_i, and B, S, E, q of [`Turn`]:
//!
//! ```text
//!              F = j                         halfway, R_F = R_j E
//! φ̇ = Λ ω       Λ = Bᵀ                         Λ = S                                                     (1)
//! ẏ             u̇                            u̇ − s × y,  s = Z ω,  Z = ½ (I − q̂),  y = u               (2)
//! (f, τ) = Xᵀ P,   X = [I  Y; 0  Λ]            Y = 0            Y = ŷ Z                                   (3)
//! ```
//!
//! X maps (δu, δψ) to the change of (y, φ) in F, and (δu̇, δω) to that of (ẏ, φ̇). By poses (ẏ, φ̇) changes by N (δu, δψ), too:
//!
//! ```text
//! N = [0  0; 0  Λ_φ(ω) Λ]                     N = [−ŝ  ẏ^ Z + ((1+q²)/8) ŷ ω̂ Eᵀ; 0  S ω̂ Z + S_φ(ω) S]    (4)
//! δ(f, τ) = −Xᵀ (K X + C N)(δu, δψ) − Xᵀ C X (δu̇, δω) + G (δu, δψ)                                      (5)
//! G = [0  0; 0  B_φ(P_φ) Λ]                   G = [0  −P̂_u Z; Zᵀ P̂_u  S_φ(P_φ) S + ((1+q²)/8) m̂ − τ̂ Z + Zᵀ P̂_u Y]
//! ```
//!
//! with m = y × P_u and A_φ(a) = ∂(A a)/∂φ. (4) and (5) hold since F itself turns by Z δψ and δq = ((1+q²)/4) δψ in its axes.

use super::geometry::{Half, Motion, pair, rotated};
use crate::bodies::MarkerState;
use crate::math::{Mat3, Mat6, Turn, Vec3, Vec6, angular, linear, skew, stack};

/// Where deformations are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axes {
    /// In the axes of marker j.
    OfJ,
    /// Halfway between the orientations of j and i.
    Halfway,
}

/// A 6×6 matrix of coefficients, known to be diagonal or not.
#[derive(Debug, Clone, PartialEq)]
pub struct Coefficients {
    pub full: Mat6,
    pub coupled: bool,
}

impl Coefficients {
    pub fn new(full: Mat6) -> Self {
        let coupled = full != Mat6::from_diagonal(&full.diagonal());
        Self { full, coupled }
    }

    #[inline]
    fn diagonal(&self) -> [Vec3; 2] {
        let m = &self.full;
        [Vec3::new(m[(0, 0)], m[(1, 1)], m[(2, 2)]), Vec3::new(m[(3, 3)], m[(4, 4)], m[(5, 5)])]
    }

    #[inline]
    pub fn times(&self, x: &Vec6) -> Vec6 {
        if self.coupled { self.full * x } else { self.full.diagonal().component_mul(x) }
    }

    #[inline]
    fn times_half(&self, x: &Half) -> Half {
        if self.coupled { self.full * x } else { Half::from_fn(|a, b| self.full[(a, a)] * x[(a, b)]) }
    }

    /// The product with a matrix whose lower rows are zero.
    #[inline]
    fn times_upper(&self, x: &Mat3) -> Half {
        if self.coupled {
            self.full.fixed_columns::<3>(0) * x
        } else {
            Half::from_fn(|a, b| if a < 3 { self.full[(a, a)] * x[(a, b)] } else { 0.0 })
        }
    }
}

/// Deformation and its rate.
pub struct Deformation {
    /// R_F.
    frame: Mat3,
    turn: Turn,
    omega: Vec3,
    /// y and ẏ.
    y: Vec3,
    y_rate: Vec3,
    /// Λ and φ̇.
    map: Mat3,
    phi_rate: Vec3,
    /// q and s, where F lies halfway.
    halfway: Option<(Vec3, Vec3)>,
}

impl Deformation {
    #[inline]
    pub fn new(i: &MarkerState, motion: &Motion, axes: Axes) -> Self {
        let turn = Turn::of(&motion.j.r.tr_mul(&i.r));
        match axes {
            Axes::OfJ => Self::of_j(turn, motion),
            Axes::Halfway => Self::halfway(turn, motion),
        }
    }

    #[inline]
    fn of_j(turn: Turn, motion: &Motion) -> Self {
        let frame = motion.j.r;
        let (omega, map) = (frame.tr_mul(&motion.w), turn.inverse_tangent().transpose());
        let (y, y_rate) = (frame.tr_mul(&motion.d), frame.tr_mul(&motion.v));
        Self { frame, turn, omega, y, y_rate, map, phi_rate: map * omega, halfway: None }
    }

    #[inline]
    fn halfway(turn: Turn, motion: &Motion) -> Self {
        let frame = motion.j.r * turn.half();
        let (omega, map, q) = (frame.tr_mul(&motion.w), turn.symmetric(), turn.quarter());
        let spin = (omega - q.cross(&omega)) * 0.5;
        let y = frame.tr_mul(&motion.d);
        let y_rate = frame.tr_mul(&motion.v) - spin.cross(&y);
        Self { frame, turn, omega, y, y_rate, map, phi_rate: map * omega, halfway: Some((q, spin)) }
    }

    /// (y, φ).
    #[inline]
    pub fn position(&self) -> Vec6 {
        stack(self.y, self.turn.phi)
    }

    /// (ẏ, φ̇).
    #[inline]
    pub fn rate(&self) -> Vec6 {
        stack(self.y_rate, self.phi_rate)
    }

    /// Equation (3), in the axes of F.
    #[inline]
    fn local_load(&self, p: &Vec6) -> (Vec3, Vec3) {
        let (f, torque) = (linear(p), self.map.tr_mul(&angular(p)));
        let Some((q, _)) = &self.halfway else { return (f, torque) };
        let m = self.y.cross(&f);
        (f, torque - (m + q.cross(&m)) * 0.5)
    }

    /// Force and torque on marker i in world axes.
    #[inline]
    pub fn load(&self, p: &Vec6) -> (Vec3, Vec3) {
        let (f, torque) = self.local_load(p);
        (self.frame * f, self.frame * torque)
    }

    /// The derivatives (5) by δu, δψ, δu̇ and δω in world axes, where the components P act.
    #[inline]
    pub fn derivatives(&self, motion: &Motion, k: &Coefficients, c: &Coefficients, p: &Vec6) -> [Half; 4] {
        match &self.halfway {
            _ if k.coupled || c.coupled => self.full_derivatives(k, c, p).map(|half| rotated(&self.frame, &half)),
            None => self.diagonal_derivatives(k.diagonal(), c.diagonal(), &angular(p)),
            Some((q, spin)) => self.halfway_derivatives(motion, k.diagonal(), c.diagonal(), p, q, spin),
        }
    }

    /// The same for diagonal matrices and F = j: forces depend on displacements alone, torques on rotations alone.
    #[inline]
    fn diagonal_derivatives(&self, k: [Vec3; 2], c: [Vec3; 2], p: &Vec3) -> [Half; 4] {
        let (r, zero) = (&self.frame, Mat3::zeros());
        let a = r * self.map.transpose();
        let e = self.turn.inverse_tangent_transposed_by(&self.omega);
        let inner = Mat3::from_fn(|m, n| -c[1][m] * e[(m, n)] - if m == n { k[1][m] } else { 0.0 });
        let by_psi = (a * inner + r * self.turn.inverse_tangent_by(p)) * a.transpose();
        [pair(&weighted(r, &k[0]), &zero), pair(&zero, &by_psi), pair(&weighted(r, &c[0]), &zero), pair(&zero, &weighted(&a, &c[1]))]
    }

    /// The same for diagonal matrices and F halfway, all vectors in world axes: there y = d.
    #[inline]
    fn halfway_derivatives(&self, motion: &Motion, k: [Vec3; 2], c: [Vec3; 2], p: &Vec6, q: &Vec3, spin: &Vec3) -> [Half; 4] {
        let (r, turn) = (&self.frame, &self.turn);
        let (force, torque) = self.load(p);
        let (scale, a) = (turn.quarter_scale(), r * self.map);
        let z = z(&(r * q));
        let y = cross(&motion.d, &z);
        let (stiff, damp) = (weighted(r, &k[0]), weighted(r, &c[0]));
        let n_y = cross(&(r * self.y_rate), &z) + cross(&(motion.d * scale), &cross(&motion.w, &(motion.j.r * r.transpose())));
        let n_phi = a.tr_mul(&cross(&motion.w, &z)) + turn.symmetric_by(&self.omega) * a.transpose();
        let inner = Mat3::from_fn(|m, n| -k[1][m] * a[(n, m)] - c[1][m] * n_phi[(m, n)]);
        let (by_u, by_psi, by_w) = (stiff + cross(&(r * spin), &damp).transpose(), stiff * y + damp * n_y, damp * y);
        let turned = cross(&force, &z);
        let geometric = skew(&(motion.d.cross(&force) * scale)) - cross(&torque, &z) - turned.tr_mul(&y);
        let torque_by_psi = y.tr_mul(&by_psi) + a * inner + r * turn.symmetric_by(&angular(p)) * a.transpose() + geometric;
        [
            pair(&by_u, &(y.tr_mul(&by_u) - turned.transpose())),
            pair(&(by_psi - turned), &torque_by_psi),
            pair(&damp, &by_w.transpose()),
            pair(&by_w, &(y.tr_mul(&by_w) + weighted(&a, &c[1]))),
        ]
    }

    /// The same for any matrices, in the axes of F.
    fn full_derivatives(&self, k: &Coefficients, c: &Coefficients, p: &Vec6) -> [Half; 4] {
        let (x, y_map) = self.x();
        let Changes { n_u, n_psi, g_u, g_psi } = self.changes(p, &y_map);
        let by_u = -k.times_upper(&Mat3::identity()) - c.times_upper(&n_u);
        let by_psi = -k.times_half(&x) - c.times_half(&n_psi);
        let by_v = -c.times_upper(&Mat3::identity());
        let by_w = -c.times_half(&x);
        let [by_u, by_psi, by_v, by_w] = [by_u, by_psi, by_v, by_w].map(|half| self.transposed(&y_map, &half));
        [by_u + pair(&Mat3::zeros(), &g_u), by_psi + g_psi, by_v, by_w]
    }

    /// The columns of X for δψ, and Y.
    #[inline]
    fn x(&self) -> (Half, Mat3) {
        let y = self.halfway.map_or(Mat3::zeros(), |(q, _)| skew(&self.y) * z(&q));
        (pair(&y, &self.map), y)
    }

    /// Xᵀ m.
    #[inline]
    fn transposed(&self, y: &Mat3, m: &Half) -> Half {
        let (top, bottom) = (m.fixed_rows::<3>(0).into_owned(), m.fixed_rows::<3>(3).into_owned());
        pair(&top, &(y.tr_mul(&top) + self.map.tr_mul(&bottom)))
    }

    /// N and G of (4) and (5).
    #[inline]
    fn changes(&self, p: &Vec6, y_map: &Mat3) -> Changes {
        let (p_u, p_phi, zero) = (linear(p), angular(p), Mat3::zeros());
        let Some((q, spin)) = &self.halfway else {
            let n = self.turn.inverse_tangent_transposed_by(&self.omega) * self.map;
            let g = self.turn.inverse_tangent_by(&p_phi) * self.map;
            return Changes { n_u: zero, n_psi: pair(&zero, &n), g_u: zero, g_psi: pair(&zero, &g) };
        };
        let (z, scale, torque) = (z(q), self.turn.quarter_scale(), self.local_load(p).1);
        let omega = skew(&self.omega);
        let n_y = skew(&self.y_rate) * z + skew(&self.y) * (omega * self.turn.half().transpose()) * scale;
        let n_phi = self.map * omega * z + self.turn.symmetric_by(&self.omega) * self.map;
        let force = skew(&p_u);
        let g_u = z.tr_mul(&force);
        let g = self.turn.symmetric_by(&p_phi) * self.map + skew(&(self.y.cross(&p_u) * scale)) - skew(&torque) * z + g_u * y_map;
        Changes { n_u: -skew(spin), n_psi: pair(&n_y, &n_phi), g_u, g_psi: pair(&(-force * z), &g) }
    }
}

/// The parts of (4) and (5) that need not be zero.
struct Changes {
    /// Upper left block of N.
    n_u: Mat3,
    /// Columns of N for δψ.
    n_psi: Half,
    /// Lower left block of G.
    g_u: Mat3,
    /// Columns of G for δψ.
    g_psi: Half,
}

/// Z.
#[inline]
fn z(q: &Vec3) -> Mat3 {
    (Mat3::identity() - skew(q)) * 0.5
}

/// v̂ m.
#[inline]
fn cross(v: &Vec3, m: &Mat3) -> Mat3 {
    Mat3::from_columns(&[0, 1, 2].map(|k| v.cross(&m.column(k))))
}

/// −R diag(k) Rᵀ.
#[inline]
fn weighted(r: &Mat3, k: &Vec3) -> Mat3 {
    let scaled = Mat3::from_fn(|a, b| -r[(a, b)] * k[b]);
    scaled * r.transpose()
}
