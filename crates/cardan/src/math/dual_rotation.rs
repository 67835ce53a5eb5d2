//! Rotation vectors in dual numbers, for force laws (first derivatives; the mixed second one is not carried).
//!
//! exp, T and T⁻¹ have the coefficients of [`super::rotation_maps`]. The logarithm is smooth up to half a turn.

use super::dual::{Dual, DualMat3, DualVec3};
use super::rotation_maps::{Coefficient, angle_over_sine, cosine_over, cubic_over, inverse_over, sine_over};

/// A coefficient at x.
fn at(x: Dual, coefficient: fn(f64) -> Coefficient) -> Dual {
    let (value, slope) = coefficient(x.v);
    x.chain(value, slope, 0.0)
}

fn skew(w: &DualVec3) -> DualMat3 {
    let zero = Dual::constant(0.0);
    DualMat3::new(zero, -w.z, w.y, w.z, zero, -w.x, -w.y, w.x, zero)
}

/// The rotation matrix of a rotation vector.
pub fn exp(w: &DualVec3) -> DualMat3 {
    let (x, s) = (w.dot(w), skew(w));
    DualMat3::identity() + s * at(x, sine_over) + s * s * at(x, cosine_over)
}

/// The tangent T of the exponential map.
pub fn tangent(w: &DualVec3) -> DualMat3 {
    let (x, s) = (w.dot(w), skew(w));
    DualMat3::identity() - s * at(x, cosine_over) + s * s * at(x, cubic_over)
}

/// The inverse of [`tangent`].
pub fn tangent_inverse(w: &DualVec3) -> DualMat3 {
    let (x, s) = (w.dot(w), skew(w));
    DualMat3::identity() + s * Dual::constant(0.5) + s * s * at(x, inverse_over)
}

/// The rotation vector of a rotation matrix, of length below π.
pub fn log(r: &DualMat3) -> DualVec3 {
    let half = Dual::constant(0.5);
    let axial = DualVec3::new(r[(2, 1)] - r[(1, 2)], r[(0, 2)] - r[(2, 0)], r[(1, 0)] - r[(0, 1)]) * half;
    let cosine = (r[(0, 0)] + r[(1, 1)] + r[(2, 2)] - 1.0) * 0.5;
    let x = axial.dot(&axial);
    let (value, by_x, by_cosine) = angle_over_sine(x.v, cosine.v);
    let factor = Dual::seeded(value, by_x * x.e1 + by_cosine * cosine.e1, by_x * x.e2 + by_cosine * cosine.e2);
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
