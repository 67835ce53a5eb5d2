//! A relative rotation R with its rotation vector φ and what laws of force need of both, without sines and cosines of φ.
//!
//! With h = |φ|/2, n the axis and (c, v) = (cos h, n sin h) the unit quaternion of R, c ≥ 0, x = φ·φ:
//!
//! ```text
//! φ = 2 g v,   g = h / sin h,      q = v / (1 + c) = n tan(h/2)                                     (1)
//! E = exp(φ/2) = c I + v̂ + v qᵀ                                    halfway from I to R              (2)
//! B = T⁻¹(φ) = I + ½ φ̂ + b φ̂²,   b = (1 − g c)/x                                                  (3)
//! S = Bᵀ E = g I + e φ φᵀ,         e = (1 − g)/x                    symmetric                        (4)
//! ½ T(φ/2) T⁻¹(φ) = ½ (I + q̂)                                                                      (5)
//! db/dx = −((g c − g²)/(2x) + b)/x,   dg/dx = ½ b g,   de/dx = −(dg/dx + e)/x                       (6)
//! ```
//!
//! With δR = δψ̂ R, δφ = Bᵀ δψ, so that φ̇ = Bᵀ ω. In axes turned by E the same is δφ = S (Eᵀ δψ). All functions of φ commute; (4) and
//! (5) follow on its eigenvectors. T is that of [`super::rotation`]. Near φ = 0, b and e are summed as series in x; up to half a
//! turn nothing is divided by what is small.
//! Reference: Shuster, A survey of attitude representations, J. Astronaut. Sci. 41 (1993).

use super::{Mat3, Vec3, skew};

/// x below which series are summed; with it sin² h < 0.01.
const SMALL: f64 = 0.04;

/// Σ c_k x^k. Even and odd powers are summed side by side: half as many operations wait for one another.
#[inline(always)]
fn sum<const N: usize>(x: f64, c: [f64; N]) -> f64 {
    let mut sums = [0.0; 2];
    for k in (0..N).rev() {
        sums[k % 2] = sums[k % 2] * (x * x) + c[k];
    }
    sums[0] + x * sums[1]
}

/// The slope of Σ c_k x^k.
#[inline(always)]
fn slope<const N: usize>(x: f64, c: [f64; N]) -> f64 {
    (1..N).rev().fold(0.0, |sum, k| sum * x + k as f64 * c[k])
}

const ARC_SINE: [f64; 8] = [1.0, 1.0 / 6.0, 3.0 / 40.0, 5.0 / 112.0, 35.0 / 1152.0, 63.0 / 2816.0, 231.0 / 13_312.0, 143.0 / 10_240.0];
const INVERSE: [f64; 6] = [1.0 / 12.0, 1.0 / 720.0, 1.0 / 30_240.0, 1.0 / 1_209_600.0, 1.0 / 47_900_160.0, 691.0 / 1_307_674_368_000.0];
const MIDDLE: [f64; 6] = [
    -1.0 / 24.0,
    -7.0 / 5760.0,
    -31.0 / 967_680.0,
    -127.0 / 154_828_800.0,
    -73.0 / 3_503_554_560.0,
    -1_414_477.0 / 2_678_117_105_664_000.0,
];

/// A rotation of at most half a turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// φ.
    pub phi: Vec3,
    x: f64,
    c: f64,
    v: Vec3,
    g: f64,
}

impl Turn {
    /// Of a rotation matrix.
    #[inline]
    pub fn of(r: &Mat3) -> Self {
        let (c, v) = quaternion(r);
        let s2 = v.norm_squared();
        let g = if s2 < 0.01 && c > 0.0 {
            sum(s2, ARC_SINE)
        } else {
            let s = s2.sqrt();
            s.atan2(c) / s
        };
        let phi = v * (2.0 * g);
        Self { phi, x: phi.norm_squared(), c, v, g }
    }

    /// q.
    #[inline]
    pub fn quarter(&self) -> Vec3 {
        self.v / (1.0 + self.c)
    }

    /// (1 + q·q)/8.
    #[inline]
    pub fn quarter_scale(&self) -> f64 {
        0.25 / (1.0 + self.c)
    }

    /// E.
    #[inline]
    pub fn half(&self) -> Mat3 {
        let mut m = self.v * self.quarter().transpose() + skew(&self.v);
        (0..3).for_each(|k| m[(k, k)] += self.c);
        m
    }

    /// b.
    #[inline]
    fn b(&self) -> f64 {
        if self.x < SMALL { sum(self.x, INVERSE) } else { (1.0 - self.g * self.c) / self.x }
    }

    /// db/dx.
    #[inline]
    fn b_x(&self) -> f64 {
        let Self { x, g, c, .. } = *self;
        if x < SMALL { slope(x, INVERSE) } else { -((g * c - g * g) / (2.0 * x) + self.b()) / x }
    }

    #[inline]
    fn e(&self) -> f64 {
        if self.x < SMALL { sum(self.x, MIDDLE) } else { (1.0 - self.g) / self.x }
    }

    /// B (3).
    #[inline]
    pub fn inverse_tangent(&self) -> Mat3 {
        let (p, b) = (&self.phi, self.b());
        let mut m = p * (p * b).transpose() + skew(&(p * 0.5));
        (0..3).for_each(|k| m[(k, k)] += 1.0 - b * self.x);
        m
    }

    /// ∂(B a)/∂φ with a held.
    #[inline]
    pub fn inverse_tangent_by(&self, a: &Vec3) -> Mat3 {
        self.quadratic_by(a) - skew(&(a * 0.5))
    }

    /// ∂(Bᵀ a)/∂φ with a held.
    #[inline]
    pub fn inverse_tangent_transposed_by(&self, a: &Vec3) -> Mat3 {
        self.quadratic_by(a) + skew(&(a * 0.5))
    }

    /// ∂(b φ̂² a)/∂φ with a held.
    #[inline]
    fn quadratic_by(&self, a: &Vec3) -> Mat3 {
        let (p, b) = (&self.phi, self.b());
        let along = p.dot(a);
        let row = p * (2.0 * self.b_x());
        let mut m = (p * along - a * self.x) * row.transpose() + p * (a * b).transpose() - a * (p * (2.0 * b)).transpose();
        (0..3).for_each(|k| m[(k, k)] += b * along);
        m
    }

    /// S (4).
    #[inline]
    pub fn symmetric(&self) -> Mat3 {
        let mut m = self.phi * (self.phi * self.e()).transpose();
        (0..3).for_each(|k| m[(k, k)] += self.g);
        m
    }

    /// S a.
    #[inline]
    pub fn symmetric_times(&self, a: &Vec3) -> Vec3 {
        a * self.g + self.phi * (self.e() * self.phi.dot(a))
    }

    /// ∂(S a)/∂φ S with a held, in which S φ = φ.
    #[inline]
    pub fn symmetric_by_turn(&self, a: &Vec3) -> Mat3 {
        let (p, e, b) = (&self.phi, self.e(), self.b());
        let along = p.dot(a);
        let g_x = 0.5 * b * self.g;
        let e_x = if self.x < SMALL { slope(self.x, MIDDLE) } else { -(g_x + e) / self.x };
        let row = a * (e * self.g) + p * (2.0 * e * e * along);
        let mut m = (a * (2.0 * g_x) + p * (2.0 * e_x * along)) * p.transpose() + p * row.transpose();
        (0..3).for_each(|k| m[(k, k)] += e * self.g * along);
        m
    }
}

/// The unit quaternion of a rotation matrix, its real part not negative, from whichever of its entries is largest.
#[inline]
fn quaternion(r: &Mat3) -> (f64, Vec3) {
    let trace = r[(0, 0)] + r[(1, 1)] + r[(2, 2)];
    let axial = Vec3::new(r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]);
    if trace > 0.0 {
        let root = (1.0 + trace).sqrt();
        return (0.5 * root, axial * (0.5 / root));
    }
    far(r, trace, &axial)
}

/// The same where R turns by more than a third of a turn.
#[cold]
fn far(r: &Mat3, trace: f64, axial: &Vec3) -> (f64, Vec3) {
    let k = r.diagonal().imax();
    let root = (1.0 + 2.0 * r[(k, k)] - trace).sqrt();
    let scale = 0.5 / root;
    let mut v = Vec3::from_fn(|m, _| (r[(k, m)] + r[(m, k)]) * scale);
    v[k] = 0.5 * root;
    let c = axial[k] * scale;
    if c < 0.0 { (-c, -v) } else { (c, v) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation;

    /// Angles from none to nearly half a turn, on both sides of every limit.
    const ANGLES: [f64; 16] = [0.0, 1e-9, 1e-6, 1e-3, 0.1, 0.199, 0.2, 0.201, 0.7, 1.5, 2.0, 2.094, 2.0945, 2.9, 3.1, 3.139];

    type Function = fn(&Turn, &Vec3) -> Vec3;

    fn axes() -> [Vec3; 4] {
        [Vec3::new(0.36, -0.48, 0.8), Vec3::x(), Vec3::new(-0.6, 0.8, 0.0), Vec3::new(-0.48, -0.6, -0.64)]
    }

    fn matrix(w: &Vec3) -> Mat3 {
        rotation::exp(w).to_rotation_matrix().into_inner()
    }

    fn samples() -> impl Iterator<Item = (Vec3, Turn)> {
        ANGLES.into_iter().flat_map(|angle| axes().map(|axis| axis * angle)).map(|w| (w, Turn::of(&matrix(&w))))
    }

    #[test]
    fn agrees_with_exponential_and_its_tangents() {
        for (w, turn) in samples() {
            assert!((turn.phi - w).norm() < 2e-15 * (1.0 + w.norm()), "φ at {w}: {:e}", (turn.phi - w).norm());
            assert!((turn.half() - matrix(&(w * 0.5))).norm() < 3e-15, "E at {w}");
            assert!((turn.inverse_tangent() - rotation::tangent_inverse(&w)).norm() < 1e-12, "B at {w}");
            assert!((turn.symmetric() - turn.inverse_tangent().transpose() * turn.half()).norm() < 2e-14, "S at {w}");
            assert!((turn.symmetric_times(&axes()[3]) - turn.symmetric() * axes()[3]).norm() < 1e-15, "S a at {w}");
            let q = turn.quarter();
            let quarter = (Mat3::identity() + skew(&q)) * 0.5;
            let product = rotation::tangent(&(w * 0.5)) * rotation::tangent_inverse(&w) * 0.5;
            assert!((quarter - product).norm() < 1e-12, "equation 5 at {w}");
            assert!((turn.quarter_scale() - (1.0 + q.norm_squared()) / 8.0).abs() < 1e-15, "scale at {w}");
        }
    }

    #[test]
    fn derivatives_match_differences() {
        let a = Vec3::new(0.7, -1.1, 0.4);
        for (w, turn) in samples().filter(|(w, _)| w.norm() < 3.13) {
            let inverse = turn.symmetric().try_inverse().unwrap();
            let functions: [(Function, Mat3, &str); 3] = [
                (|t, a| t.inverse_tangent() * a, turn.inverse_tangent_by(&a), "B"),
                (|t, a| t.inverse_tangent().tr_mul(a), turn.inverse_tangent_transposed_by(&a), "Bᵀ"),
                (|t, a| t.symmetric() * a, turn.symmetric_by_turn(&a) * inverse, "S"),
            ];
            for (f, exact, name) in functions {
                for k in 0..3 {
                    let h = 1e-3;
                    let at = |s: f64| f(&Turn::of(&matrix(&(w + Vec3::ith(k, s * h)))), &a);
                    let numeric = ((at(1.0) - at(-1.0)) * 8.0 - (at(2.0) - at(-2.0))) / (12.0 * h);
                    let error = (numeric - exact.column(k)).norm();
                    assert!(error < 2e-11, "{name} at {w}: {error:e}");
                }
            }
        }
    }
}
