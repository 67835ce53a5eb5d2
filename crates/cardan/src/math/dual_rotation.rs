//! Rotation vectors in dual numbers, for force laws (first derivatives; the mixed second one is not carried).
//!
//! With x = φ² the coefficients of exp, T and T⁻¹ (see [`super::rotation`]) are smooth functions of x; near zero they are
//! summed as series, so nothing is singular at the unturned state. The logarithm is smooth up to half a turn.

use super::dual::{Dual, DualMat3, DualVec3};

const SERIES_LIMIT: f64 = 0.05;

fn smooth(x: Dual, series: [f64; 6], closed: impl FnOnce(f64) -> (f64, f64)) -> Dual {
    let (value, slope) = if x.v < SERIES_LIMIT {
        let value = series.iter().rev().fold(0.0, |sum, c| sum * x.v + c);
        let slope = (1..6).rev().fold(0.0, |sum, k| sum * x.v + k as f64 * series[k]);
        (value, slope)
    } else {
        let angle = x.v.sqrt();
        let (value, by_angle) = closed(angle);
        (value, by_angle / (2.0 * angle))
    };
    x.chain(value, slope, 0.0)
}

fn sine_over(x: Dual) -> Dual {
    smooth(x, [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, 0.0], |a| (a.sin() / a, a.cos() / a - a.sin() / (a * a)))
}

fn cosine_over(x: Dual) -> Dual {
    smooth(x, [0.5, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40_320.0, 1.0 / 3_628_800.0, 0.0], |a| {
        let c = 1.0 - a.cos();
        (c / (a * a), a.sin() / (a * a) - 2.0 * c / (a * a * a))
    })
}

fn cubic_over(x: Dual) -> Dual {
    smooth(x, [1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362_880.0, 1.0 / 39_916_800.0, 0.0], |a| {
        let s = a - a.sin();
        (s / a.powi(3), (1.0 - a.cos()) / a.powi(3) - 3.0 * s / a.powi(4))
    })
}

fn inverse_over(x: Dual) -> Dual {
    let series = [1.0 / 12.0, 1.0 / 720.0, 1.0 / 30_240.0, 1.0 / 1_209_600.0, 1.0 / 47_900_160.0, 691.0 / 1_307_674_368_000.0];
    smooth(x, series, |a| {
        let (s, c) = (0.5 * a).sin_cos();
        (1.0 / (a * a) - c / (2.0 * a * s), -2.0 / a.powi(3) + c / (2.0 * a * a * s) + 1.0 / (4.0 * a * s * s))
    })
}

fn skew(w: &DualVec3) -> DualMat3 {
    let zero = Dual::constant(0.0);
    DualMat3::new(zero, -w.z, w.y, w.z, zero, -w.x, -w.y, w.x, zero)
}

/// The rotation matrix of a rotation vector.
pub fn exp(w: &DualVec3) -> DualMat3 {
    let (x, s) = (w.dot(w), skew(w));
    DualMat3::identity() + s * sine_over(x) + s * s * cosine_over(x)
}

/// The tangent T of the exponential map.
pub fn tangent(w: &DualVec3) -> DualMat3 {
    let (x, s) = (w.dot(w), skew(w));
    DualMat3::identity() - s * cosine_over(x) + s * s * cubic_over(x)
}

/// The inverse of [`tangent`].
pub fn tangent_inverse(w: &DualVec3) -> DualMat3 {
    let (x, s) = (w.dot(w), skew(w));
    DualMat3::identity() + s * Dual::constant(0.5) + s * s * inverse_over(x)
}

/// The rotation vector of a rotation matrix, of length below π.
pub fn log(r: &DualMat3) -> DualVec3 {
    let half = Dual::constant(0.5);
    let axial = DualVec3::new(r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]) * half;
    let cosine = (r[(0, 0)] + r[(1, 1)] + r[(2, 2)] - 1.0) * 0.5;
    // angle/sine: as a series in sine² where the rotation is small, else from both sine and cosine, smooth through a quarter turn.
    let x = axial.dot(&axial);
    let series = [1.0, 1.0 / 6.0, 3.0 / 40.0, 5.0 / 112.0, 35.0 / 1152.0, 63.0 / 2816.0, 231.0 / 13_312.0, 143.0 / 10_240.0];
    let factor = if cosine.v > 0.0 && x.v < 0.01 {
        let value = series.iter().rev().fold(0.0, |sum, c| sum * x.v + c);
        let slope = (1..8).rev().fold(0.0, |sum, k| sum * x.v + k as f64 * series[k]);
        x.chain(value, slope, 0.0)
    } else {
        let sine = x.sqrt();
        sine.atan2(cosine) / sine
    };
    axial * factor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Vec3, rotation};

    #[test]
    fn agrees_with_the_plain_functions_and_their_differences() {
        for scale in [0.0, 1e-3, 0.2, 0.23, 1.0, std::f64::consts::FRAC_PI_2, 1.9, 2.9, 3.1] {
            let w = Vec3::new(0.36, -0.48, 0.8) * scale;
            let d = Vec3::new(0.3, 0.5, -0.4);
            let dual = |w: &Vec3| DualVec3::from_fn(|k, _| Dual::seeded(w[k], d[k], d[k]));
            let plain = |w: &Vec3| rotation::exp(w).to_rotation_matrix().into_inner();
            let h = 1e-6;
            let close = |m: DualMat3, f: &dyn Fn(&Vec3) -> crate::math::Mat3, name: &str| {
                let (value, slope) = (f(&w), (f(&(w + d * h)) - f(&(w - d * h))) / (2.0 * h));
                assert!((m.map(|x| x.v) - value).norm() < 1e-12, "{name} at {scale}");
                assert!((m.map(|x| x.e1) - slope).norm() < 1e-7, "{name}' at {scale}");
            };
            close(exp(&dual(&w)), &plain, "exp");
            close(tangent(&dual(&w)), &rotation::tangent, "T");
            close(tangent_inverse(&dual(&w)), &rotation::tangent_inverse, "T⁻¹");
            let back = log(&exp(&dual(&w)));
            assert!((back.map(|x| x.v) - w).norm() < 1e-12 && (back.map(|x| x.e1) - d).norm() < 1e-9, "log at {scale}");
        }
    }
}
