//! The deformation of a beam, its load, and the derivatives of that. It is measured in a frame F halfway between the orientations of its
//! markers, R_F = E R_j with R_i R_jᵀ = E². All vectors and matrices below are in world axes, with d, v, w of [`Motion`] and E, S, q, φ of
//! [`Turn`]:
//!
//! ```text
//! y = d,   ẏ = v − s × d,   s = Z w,   Z = ½ (I − q̂),   φ̇ = S w          as F turns by Z δψ                  (1)
//! F = P_u,   M = Yᵀ P_u + S P_φ,   Y = d̂ Z                               the transpose of (1)                 (2)
//! P_u = −K_u (y − u₀ + ρ ẏ),   P_φ = −K_φ (φ + ρ φ̇)                      K diagonal in the axes of F, C = ρ K  (3)
//! ```
//!
//! With δq = ((1+q²)/4) δψ in the axes of F, S_φ(a) = ∂(S a)/∂φ and n = (1+q²)/8 the derivatives are
//!
//! ```text
//! δF = −K_u ((I − ρ ŝ) δu + (Y + ρ N) δψ + ρ δu̇ + ρ Y δω) − F̂ Z δψ,   N = ẏ^ Z + n d̂ ŵ Eᵀ                  (4)
//! δM = Yᵀ δ_K F + Zᵀ F̂ (δu + Y δψ) + (n (d × F)^ − M̂ Z) δψ − S K_φ S ((I + ρ ŵ Z) δψ + ρ δω)
//!      + (S_φ(P_φ) − ρ S K_φ S_φ(w)) S δψ
//! ```
//!
//! where δ_K F is the part of δF that has K_u. Products with Z are sums of a skew matrix, a product of two vectors and a multiple of I.

use super::geometry::{Half, Motion, pair, weighted};
use crate::bodies::MarkerState;
use crate::math::{Mat3, Turn, Vec3, Vec6, angular, linear, skew, stack};

/// Deformation and its rate.
pub struct Halfway {
    /// R_F.
    frame: Mat3,
    /// E.
    half: Mat3,
    turn: Turn,
    /// q and s.
    q: Vec3,
    spin: Vec3,
    /// ẏ.
    y_rate: Vec3,
    /// (y, φ) and (ẏ, φ̇) in the axes of F.
    pub position: Vec6,
    pub rate: Vec6,
}

impl Halfway {
    #[inline(always)]
    pub fn new(i: &MarkerState, motion: &Motion) -> Self {
        let turn = Turn::of(&(i.r * motion.j.r.transpose()));
        let (half, q) = (turn.half(), turn.quarter());
        let frame = half * motion.j.r;
        let spin = (motion.w - q.cross(&motion.w)) * 0.5;
        let y_rate = motion.v - spin.cross(&motion.d);
        let position = stack(frame.tr_mul(&motion.d), frame.tr_mul(&turn.phi));
        let rate = stack(frame.tr_mul(&y_rate), frame.tr_mul(&turn.symmetric_times(&motion.w)));
        Self { frame, half, turn, q, spin, y_rate, position, rate }
    }

    /// Equation (2), from the components in the axes of F.
    #[inline]
    pub fn load(&self, d: &Vec3, p: &Vec6) -> (Vec3, Vec3) {
        let (force, bending) = (self.frame * linear(p), self.frame * angular(p));
        let moment = d.cross(&force);
        (force, self.turn.symmetric_times(&bending) - (moment + self.q.cross(&moment)) * 0.5)
    }

    /// The derivatives (4) by δu, δψ, δu̇ and δω, where the components P act with this force and torque.
    #[inline]
    pub fn derivatives(&self, motion: &Motion, k: [&Vec3; 2], ratio: f64, p: &Vec6, (force, torque): (&Vec3, &Vec3)) -> [Half; 4] {
        let (d, w, scale) = (&motion.d, &motion.w, self.turn.quarter_scale());
        let (stiff, y) = (weighted(&self.frame, k[0]), self.times_z(d));
        let n = self.times_z(&self.y_rate) + (w * (self.half * d).transpose() - self.half.transpose() * d.dot(w)) * scale;
        let (by_y, spin) = (stiff * y, self.spin * ratio);
        let (by_u, by_psi, by_w) = (stiff - times_skew(&stiff, &spin), by_y + stiff * n * ratio, by_y * ratio);
        let (turned, bent, across) = (self.times_z(force), y.tr_mul(&by_y), by_y.transpose());
        let geometric = skew(&(d.cross(force) * scale)) - self.times_z(torque) - turned.tr_mul(&y);
        let (of_turn, twisting) = self.of_turn(w, k[1], ratio, &(self.frame * angular(p)));
        [
            pair(&by_u, &(across - times_skew(&across, &spin) - turned.transpose())),
            pair(&(by_psi - turned), &(bent + across * n * ratio + of_turn + geometric)),
            pair(&(stiff * ratio), &by_w.transpose()),
            pair(&by_w, &((bent + twisting) * ratio)),
        ]
    }

    /// What the torque owes to K_φ by δψ, and −S K_φ S.
    #[inline]
    fn of_turn(&self, w: &Vec3, k: &Vec3, ratio: f64, p: &Vec3) -> (Mat3, Mat3) {
        let (turn, s) = (&self.turn, self.turn.symmetric());
        let left = s * weighted(&self.frame, k);
        let twisting = left * s;
        (twisting + (twisting * self.times_z(w) + left * turn.symmetric_by_turn(w)) * ratio + turn.symmetric_by_turn(p), twisting)
    }

    /// v̂ Z.
    #[inline]
    fn times_z(&self, v: &Vec3) -> Mat3 {
        let (half, q) = (v * 0.5, &self.q);
        let mut m = skew(&half) - q * half.transpose();
        let along = q.dot(&half);
        (0..3).for_each(|k| m[(k, k)] += along);
        m
    }
}

/// M d̂.
#[inline]
fn times_skew(m: &Mat3, d: &Vec3) -> Mat3 {
    let [a, b, c] = [0, 1, 2].map(|k| m.column(k).into_owned());
    Mat3::from_columns(&[b * d.z - c * d.y, c * d.x - a * d.z, a * d.y - b * d.x])
}
