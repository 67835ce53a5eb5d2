//! Maps of rotation vectors, and how their products change with the vector. With x = w², all of `rotation` (1), (3), (4) and their transposes are
//!
//! ```text
//! M(w) = I + α(x) ŵ + β(x) ŵ²                                                                                     (1)
//! ∂(M p)/∂w = −α p̂ + β ((w·p) I + w pᵀ − 2 p wᵀ) + 2 (α' w × p + β' w × (w × p)) wᵀ                               (2)
//! ```
//!
//! The coefficients are smooth functions of x; near zero they are summed as series, so nothing is singular at the unturned state.

use super::{Mat3, Vec3, skew};

/// x below which coefficients are summed as series.
const SMALL: f64 = 0.05;

/// A coefficient at some x, and its derivative there.
pub type Coefficient = (f64, f64);

/// By series, or from the value and the derivative with respect to the angle √x.
#[inline]
fn smooth(x: f64, c: [f64; 6], closed: impl FnOnce(f64) -> (f64, f64)) -> Coefficient {
    if x < SMALL {
        let value = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
        return (value, c[1] + x * (2.0 * c[2] + x * (3.0 * c[3] + x * (4.0 * c[4] + x * 5.0 * c[5]))));
    }
    let angle = x.sqrt();
    let (value, by_angle) = closed(angle);
    (value, by_angle / (2.0 * angle))
}

/// sin φ / φ.
#[inline]
pub fn sine_over(x: f64) -> Coefficient {
    smooth(x, [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0], |a| {
        let (s, c) = a.sin_cos();
        (s / a, c / a - s / (a * a))
    })
}

/// (1 − cos φ) / φ².
#[inline]
pub fn cosine_over(x: f64) -> Coefficient {
    smooth(x, [0.5, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40_320.0, 1.0 / 3_628_800.0, -1.0 / 479_001_600.0], |a| {
        let (s, c) = a.sin_cos();
        ((1.0 - c) / x, s / x - 2.0 * (1.0 - c) / (a * x))
    })
}

/// (φ − sin φ) / φ³.
#[inline]
pub fn cubic_over(x: f64) -> Coefficient {
    smooth(x, [1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362_880.0, 1.0 / 39_916_800.0, -1.0 / 6_227_020_800.0], |a| {
        let (s, c) = a.sin_cos();
        ((a - s) / (a * x), (1.0 - c) / (a * x) - 3.0 * (a - s) / (x * x))
    })
}

/// 1/φ² − cot(φ/2) / (2 φ).
#[inline]
pub fn inverse_over(x: f64) -> Coefficient {
    let series = [1.0 / 12.0, 1.0 / 720.0, 1.0 / 30_240.0, 1.0 / 1_209_600.0, 1.0 / 47_900_160.0, 691.0 / 1_307_674_368_000.0];
    smooth(x, series, |a| {
        let (s, c) = (0.5 * a).sin_cos();
        (1.0 / x - c / (2.0 * a * s), -2.0 / (a * x) + c / (2.0 * x * s) + 1.0 / (4.0 * a * s * s))
    })
}

/// A map (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotationMap {
    w: Vec3,
    alpha: Coefficient,
    beta: Coefficient,
}

impl RotationMap {
    /// exp(w).
    #[inline]
    pub fn exp(w: Vec3) -> Self {
        let x = w.norm_squared();
        Self { w, alpha: sine_over(x), beta: cosine_over(x) }
    }

    /// T(w).
    #[inline]
    pub fn tangent(w: Vec3) -> Self {
        let x = w.norm_squared();
        let (value, slope) = cosine_over(x);
        Self { w, alpha: (-value, -slope), beta: cubic_over(x) }
    }

    /// T⁻¹(w).
    #[inline]
    pub fn tangent_inverse(w: Vec3) -> Self {
        Self { w, alpha: (0.5, 0.0), beta: inverse_over(w.norm_squared()) }
    }

    /// M(w)ᵀ.
    #[inline]
    pub fn transpose(self) -> Self {
        let (value, slope) = self.alpha;
        Self { alpha: (-value, -slope), ..self }
    }

    /// M(w).
    #[inline]
    pub fn matrix(&self) -> Mat3 {
        let (w, beta) = (&self.w, self.beta.0);
        // ŵ² = w wᵀ − w² I.
        w * (w * beta).transpose() + skew(&(w * self.alpha.0)) + Mat3::from_diagonal_element(1.0 - beta * w.norm_squared())
    }

    /// ∂(M(w) p)/∂w (2).
    #[inline]
    pub fn change(&self, p: &Vec3) -> Mat3 {
        let Self { w, alpha: (alpha, alpha_slope), beta: (beta, beta_slope) } = self;
        let (once, along) = (w.cross(p), w.dot(p));
        let outer = p * (-2.0 * beta) + (once * *alpha_slope + w.cross(&once) * *beta_slope) * 2.0;
        outer * w.transpose() + w * (p * *beta).transpose() - skew(&(p * *alpha)) + Mat3::from_diagonal_element(beta * along)
    }
}

/// The rotation vector of a rotation matrix, of length below π.
#[inline]
pub fn log_of_matrix(r: &Mat3) -> Vec3 {
    let axial = Vec3::new(r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]) * 0.5;
    axial * angle_over_sine(axial.norm_squared(), 0.5 * (r.trace() - 1.0)).0
}

/// φ / sin φ from x = sin² φ and cos φ, with its derivatives with respect to both: a series in x where the rotation is small, else from both, smooth
/// through a quarter turn.
#[inline]
pub fn angle_over_sine(x: f64, cosine: f64) -> (f64, f64, f64) {
    const SERIES: [f64; 8] = [1.0, 1.0 / 6.0, 3.0 / 40.0, 5.0 / 112.0, 35.0 / 1152.0, 63.0 / 2816.0, 231.0 / 13_312.0, 143.0 / 10_240.0];
    if cosine > 0.0 && x < 0.01 {
        let value = SERIES.iter().rev().fold(0.0, |sum, c| sum * x + c);
        let slope = (1..8).rev().fold(0.0, |sum, k| sum * x + k as f64 * SERIES[k]);
        return (value, slope, 0.0);
    }
    let sine = x.sqrt();
    let (angle, size) = (sine.atan2(cosine), x + cosine * cosine);
    (angle / sine, (cosine / size - angle / sine) / (2.0 * x), -1.0 / size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rotation;

    const SCALES: [f64; 9] = [0.0, 1e-3, 0.2, 0.23, 1.0, std::f64::consts::FRAC_PI_2, 1.9, 2.9, 3.1];
    const P: Vec3 = Vec3::new(0.3, 0.5, -0.4);

    fn vector(scale: f64) -> Vec3 {
        Vec3::new(0.36, -0.48, 0.8) * scale
    }

    #[test]
    fn maps_are_what_they_are_elsewhere() {
        for w in SCALES.map(vector) {
            let rotation = rotation::exp(&w).to_rotation_matrix().into_inner();
            assert!((RotationMap::exp(w).matrix() - rotation).norm() < 1e-14, "exp {w}");
            assert!((RotationMap::tangent(w).matrix() - rotation::tangent(&w)).norm() < 1e-13, "T {w}");
            let inverse = RotationMap::tangent_inverse(w);
            assert!((inverse.matrix() - rotation::tangent_inverse(&w)).norm() < 1e-12, "T⁻¹ {w}");
            assert!((inverse.transpose().matrix() - inverse.matrix().transpose()).norm() < 1e-15, "transpose {w}");
            assert!((log_of_matrix(&rotation) - w).norm() < 1e-12, "log {w}");
        }
    }

    #[test]
    fn changes_are_those_of_differences() {
        let h = 1e-6;
        for w in SCALES.map(vector) {
            for (name, map) in [
                ("exp", RotationMap::exp as fn(Vec3) -> RotationMap),
                ("T", RotationMap::tangent),
                ("T⁻¹", RotationMap::tangent_inverse),
                ("Tᵀ", |w| RotationMap::tangent(w).transpose()),
            ] {
                let change = map(w).change(&P);
                for k in 0..3 {
                    let d = Vec3::ith(k, h);
                    let numeric = (map(w + d).matrix() - map(w - d).matrix()) * P / (2.0 * h);
                    assert!((change.column(k) - numeric).norm() < 1e-8 * (1.0 + change.norm()), "{name} {w} {k}");
                }
            }
        }
    }
}
