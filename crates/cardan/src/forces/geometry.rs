//! The geometry of a load between two markers that depends on their relative motion only. In world axes, with d = p_i − p_j:
//!
//! ```text
//! v = v_i − v_j − ω_j × d,   w = ω_i − ω_j                   velocities of i as seen from j                     (1)
//! w_i = (F, M),   w_j = −(F, M + d × F)                      wrenches                                           (2)
//! δu = δp_i − δp_j + d̂ δθ_j,             δψ = δθ_i − δθ_j                                                       (3)
//! δu̇ = −ω̂_j (δp_i − δp_j) + v̂ δθ_j,     δω = ŵ δθ_j          by poses; by twists as (3)                        (4)
//! δ(F, M) = A_u δu + A_ψ δψ + A_u̇ δu̇ + A_ω δω + δθ_j × (F, M)                                                   (5)
//! ```
//!
//! A law gives F, M and the four 6×3 matrices A; (3)–(5) are their columns for both markers, and the blocks of j follow from those of i by
//! the shift (2): −(δF, δM + d × δF + δd × F). Products with skew matrices are differences of columns.

use super::Tangent;
use crate::bodies::MarkerState;
use crate::math::{Mat3, Mat6, Vec3, Vec6, skew, stack};
use nalgebra::SMatrix;

/// Derivatives of force and torque in three directions.
pub type Half = SMatrix<f64, 6, 3>;

/// Two markers and their relative motion (1), in world axes.
pub struct Motion<'a> {
    pub j: &'a MarkerState,
    pub d: Vec3,
    pub v: Vec3,
    pub w: Vec3,
}

impl<'a> Motion<'a> {
    #[inline]
    pub fn of(i: &MarkerState, j: &'a MarkerState) -> Self {
        let d = i.p - j.p;
        Self { j, d, v: i.v - j.v - j.w.cross(&d), w: i.w - j.w }
    }

    /// Equation (2).
    #[inline]
    pub fn wrenches(&self, force: &Vec3, torque: &Vec3) -> [Vec6; 2] {
        [stack(*force, *torque), stack(-force, -torque - self.d.cross(force))]
    }

    /// The tangent of (2) from the derivatives (5) by δu, δψ, δu̇ and δω.
    #[inline]
    pub fn write_tangent(&self, force: &Vec3, torque: &Vec3, by: &[Half; 4], out: &mut Tangent) {
        let [by_u, by_psi, by_v, by_w] = by;
        let shifted = by_u - times_skew(by_v, &self.j.w);
        let turned =
            times_skew(by_u, &self.d) + times_skew(by_v, &self.v) + times_skew(by_w, &self.w) - by_psi - pair(&skew(force), &skew(torque));
        self.put_shift(&mut out.position, &shifted, &skew(force));
        self.put(&mut out.position, 0, by_psi);
        self.put(&mut out.position, 1, &turned);
        self.put_shift(&mut out.velocity, by_v, &Mat3::zeros());
        self.put(&mut out.velocity, 0, by_w);
        self.put(&mut out.velocity, 1, &(times_skew(by_v, &self.d) - by_w));
    }

    /// The columns of δp_i and δp_j, which are opposite; δd × F = −F̂ δd is in the torque on j.
    #[inline]
    fn put_shift(&self, blocks: &mut [[Mat6; 2]; 2], half: &Half, force: &Mat3) {
        for k in 0..3 {
            let column = half.column(k).into_owned();
            let mut reaction = self.reaction(&column);
            (0..3).for_each(|a| reaction[3 + a] += force[(a, k)]);
            blocks[0][0].set_column(k, &column);
            blocks[0][1].set_column(k, &-column);
            blocks[1][0].set_column(k, &reaction);
            blocks[1][1].set_column(k, &-reaction);
        }
    }

    /// The columns of δθ of a marker.
    #[inline]
    fn put(&self, blocks: &mut [[Mat6; 2]; 2], marker: usize, half: &Half) {
        for k in 0..3 {
            let column = half.column(k).into_owned();
            blocks[0][marker].set_column(3 + k, &column);
            blocks[1][marker].set_column(3 + k, &self.reaction(&column));
        }
    }

    /// −(δF, δM + d × δF).
    #[inline]
    fn reaction(&self, c: &Vec6) -> Vec6 {
        let d = &self.d;
        Vec6::new(-c[0], -c[1], -c[2], d.z * c[1] - d.y * c[2] - c[3], d.x * c[2] - d.z * c[0] - c[4], d.y * c[0] - d.x * c[1] - c[5])
    }
}

/// Two 3×3 blocks, one above the other.
#[inline]
pub fn pair(top: &Mat3, bottom: &Mat3) -> Half {
    Half::from_fn(|a, b| if a < 3 { top[(a, b)] } else { bottom[(a - 3, b)] })
}

/// M d̂.
#[inline]
fn times_skew(m: &Half, d: &Vec3) -> Half {
    let [a, b, c] = [0, 1, 2].map(|k| m.column(k));
    Half::from_columns(&[b * d.z - c * d.y, c * d.x - a * d.z, a * d.y - b * d.x])
}

/// From local axes to those of the world: diag(R, R) M Rᵀ.
#[inline]
pub fn rotated(r: &Mat3, m: &Half) -> Half {
    let m = m * r.transpose();
    pair(&(r * m.fixed_rows::<3>(0)), &(r * m.fixed_rows::<3>(3)))
}
