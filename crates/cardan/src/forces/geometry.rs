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
//! A law gives F, M and the four 6×3 matrices A; (3)–(5) are their columns for both markers. Products with skew matrices are differences of
//! columns.

use super::Tangent;
use crate::bodies::MarkerState;
use crate::math::{Mat3, Mat6, Vec3, Vec6, stack};
use nalgebra::SMatrix;

/// Derivatives of force and torque in three directions.
pub type Half = SMatrix<f64, 6, 3>;

/// A load on marker i, and its derivatives (5) by δu, δψ, δu̇ and δω.
pub struct Linearized {
    pub force: Vec3,
    pub torque: Vec3,
    pub by: [Half; 4],
}

/// Two markers and their relative motion (1), in world axes.
pub struct Motion<'a> {
    pub j: &'a MarkerState,
    pub d: Vec3,
    pub v: Vec3,
    pub w: Vec3,
}

impl<'a> Motion<'a> {
    #[inline(always)]
    pub fn of(i: &MarkerState, j: &'a MarkerState) -> Self {
        let d = i.p - j.p;
        Self { j, d, v: i.v - j.v - j.w.cross(&d), w: i.w - j.w }
    }

    /// Equation (2).
    #[inline]
    pub fn wrenches(&self, force: &Vec3, torque: &Vec3) -> [Vec6; 2] {
        [stack(*force, *torque), stack(-force, -torque - self.d.cross(force))]
    }

    /// The tangent of w_i.
    #[inline]
    pub fn write_tangent(&self, load: &Linearized, out: &mut Tangent) {
        let Linearized { force, torque, by: [by_u, by_psi, by_v, by_w] } = load;
        for k in 0..3 {
            let shift = column(by_u, k) - skew_column(by_v, &self.j.w, k);
            let by_motion = skew_column(by_u, &self.d, k) + skew_column(by_v, &self.v, k) + skew_column(by_w, &self.w, k);
            let turned = stack(force.cross(&Vec3::ith(k, 1.0)), torque.cross(&Vec3::ith(k, 1.0)));
            put(&mut out.position, k, &shift, &column(by_psi, k), &(by_motion - column(by_psi, k) - turned));
            put(&mut out.velocity, k, &column(by_v, k), &column(by_w, k), &(skew_column(by_v, &self.d, k) - column(by_w, k)));
        }
    }
}

/// Columns of both markers: of δp_i, which is opposite to that of δp_j, of δθ_i and of δθ_j.
#[inline]
fn put(blocks: &mut [Mat6; 2], k: usize, shift: &Vec6, by_i: &Vec6, by_j: &Vec6) {
    blocks[0].set_column(k, shift);
    blocks[0].set_column(3 + k, by_i);
    blocks[1].set_column(k, &-shift);
    blocks[1].set_column(3 + k, by_j);
}

#[inline]
fn column(m: &Half, k: usize) -> Vec6 {
    m.column(k).into_owned()
}

/// M d̂.
#[inline(always)]
pub fn times_skew(m: &Half, d: &Vec3) -> Half {
    let mut out = Half::zeros();
    for row in 0..6 {
        let [x, y, z] = [m[(row, 0)], m[(row, 1)], m[(row, 2)]];
        out[(row, 0)] = y * d.z - z * d.y;
        out[(row, 1)] = z * d.x - x * d.z;
        out[(row, 2)] = x * d.y - y * d.x;
    }
    out
}

/// Column k of M d̂.
#[inline(always)]
fn skew_column(m: &Half, d: &Vec3, k: usize) -> Vec6 {
    let (next, last) = ((k + 1) % 3, (k + 2) % 3);
    column(m, next) * d[last] - column(m, last) * d[next]
}

/// M R.
#[inline(always)]
pub fn times(m: &Half, r: &Mat3) -> Half {
    let mut out = Half::zeros();
    for k in 0..3 {
        for row in 0..6 {
            out[(row, k)] = m[(row, 0)] * r[(0, k)] + m[(row, 1)] * r[(1, k)] + m[(row, 2)] * r[(2, k)];
        }
    }
    out
}

/// M Rᵀ.
#[inline(always)]
pub fn times_transposed(m: &Half, r: &Mat3) -> Half {
    times(m, &r.transpose())
}

/// Two 3×3 blocks, one above the other.
#[inline(always)]
pub fn pair(top: &Mat3, bottom: &Mat3) -> Half {
    let mut out = Half::zeros();
    for k in 0..3 {
        for row in 0..3 {
            out[(row, k)] = top[(row, k)];
            out[(3 + row, k)] = bottom[(row, k)];
        }
    }
    out
}

/// From local axes to those of the world: diag(R, R) M Rᵀ.
#[inline]
pub fn rotated(r: &Mat3, m: &Half) -> Half {
    let m = times_transposed(m, r);
    pair(&(r * m.fixed_rows::<3>(0)), &(r * m.fixed_rows::<3>(3)))
}

/// −R diag(k) Rᵀ.
#[inline]
pub fn weighted(r: &Mat3, k: &Vec3) -> Mat3 {
    let scaled = Mat3::from_fn(|a, b| -r[(a, b)] * k[b]);
    let entry = |a: usize, b: usize| scaled[(a, 0)] * r[(b, 0)] + scaled[(a, 1)] * r[(b, 1)] + scaled[(a, 2)] * r[(b, 2)];
    let [xy, xz, yz] = [entry(0, 1), entry(0, 2), entry(1, 2)];
    Mat3::new(entry(0, 0), xy, xz, xy, entry(1, 1), yz, xz, yz, entry(2, 2))
}
