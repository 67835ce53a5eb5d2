//! Rotations: exponential map, logarithm and their tangents.
//!
//! With ŵ the skew matrix of w (ŵ x = w × x) and φ = |w|:
//!
//! ```text
//! exp(w) = I + (sin φ / φ) ŵ + ((1 − cos φ) / φ²) ŵ²                            (1)
//! R exp(w + δw) = R exp(w) exp(T(w) δw) + O(δw²)                                 (2)
//! T(w) = I − ((1 − cos φ) / φ²) ŵ + ((φ − sin φ) / φ³) ŵ²                        (3)
//! T⁻¹(w) = I + ½ ŵ + (1/φ² − cot(φ/2) / (2 φ)) ŵ²                                (4)
//! ```
//!
//! T is the right-trivialised tangent (body frame): if R(t) = R₀ exp(w(t)), the body-frame angular velocity is T(w) ẇ.
//! Reference: Brüls, Cardona, Arnold, Mech. Mach. Theory 48 (2012), doi:10.1016/j.mechmachtheory.2011.07.017.

use super::{Mat3, Quat, Vec3};

/// The skew-symmetric matrix of `w`: `skew(w) * x == w.cross(&x)`.
#[inline]
pub fn skew(w: &Vec3) -> Mat3 {
    Mat3::new(0.0, -w.z, w.y, w.z, 0.0, -w.x, -w.y, w.x, 0.0)
}

/// φ² below which series take the place of sines and cosines: they are as exact to the last digit, and quicker.
const SMALL: f64 = 0.1;

/// Σ c_k x^k.
#[inline]
fn series(x: f64, c: [f64; 6]) -> f64 {
    c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))))
}

/// The unit quaternion of the rotation vector `w` (equation 1).
#[inline]
pub fn exp(w: &Vec3) -> Quat {
    let phi2 = w.norm_squared();
    let (c, s) = if phi2 < SMALL {
        let x = 0.25 * phi2;
        let cosine = series(x, [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3628800.0]);
        (cosine, 0.5 * series(x, [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0, -1.0 / 39916800.0]))
    } else {
        let phi = phi2.sqrt();
        ((0.5 * phi).cos(), (0.5 * phi).sin() / phi)
    };
    Quat::new_unchecked(nalgebra::Quaternion::new(c, s * w.x, s * w.y, s * w.z))
}

/// The rotation vector of a quaternion, of length at most π.
#[inline]
pub fn log(q: &Quat) -> Vec3 {
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    let v = Vec3::new(q.i, q.j, q.k) * sign;
    let (s, c) = (v.norm(), q.w * sign);
    let factor = if s < 1e-6 { 2.0 / c * (1.0 - s * s / (3.0 * c * c)) } else { 2.0 * s.atan2(c) / s };
    v * factor
}

/// The tangent T of the exponential map (equation 3).
#[inline]
pub fn tangent(w: &Vec3) -> Mat3 {
    let phi2 = w.norm_squared();
    let (a, b) = if phi2 < SMALL {
        let a = series(phi2, [1.0 / 2.0, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40320.0, 1.0 / 3628800.0, -1.0 / 479001600.0]);
        (a, series(phi2, [1.0 / 6.0, -1.0 / 120.0, 1.0 / 5040.0, -1.0 / 362880.0, 1.0 / 39916800.0, -1.0 / 6227020800.0]))
    } else {
        let phi = phi2.sqrt();
        ((1.0 - phi.cos()) / phi2, (phi - phi.sin()) / (phi2 * phi))
    };
    // ŵ² = w wᵀ − φ² I.
    let mut t = w * (w * b).transpose() - skew(&(w * a));
    for k in 0..3 {
        t[(k, k)] += 1.0 - b * phi2;
    }
    t
}

/// The inverse of [`tangent`] (equation 4); singular at |w| = 2π.
#[inline]
pub fn tangent_inverse(w: &Vec3) -> Mat3 {
    let phi2 = w.norm_squared();
    let b = if phi2 < 1e-4 {
        1.0 / 12.0 + phi2 / 720.0
    } else {
        let phi = phi2.sqrt();
        let (s, c) = (0.5 * phi).sin_cos();
        1.0 / phi2 - c / (2.0 * phi * s)
    };
    let s = skew(w);
    Mat3::identity() + s * 0.5 + s * s * b
}

/// The left tangent Tᵀ of the exponential map: of R(t) = exp(w(t)) it is Tᵀ ẇ that is the angular velocity in the world frame.
#[inline]
pub fn left_tangent(w: &Vec3) -> Mat3 {
    tangent(&-w)
}

/// The derivative of Tᵀ(w) y by w. With x = φ², b = (1 − cos φ)/φ² and d = (φ − sin φ)/φ³,
///
/// ```text
/// Tᵀ y = y + b w × y + d w × (w × y)
/// ∂/∂w = −b ŷ − d ((w × y)^ + ŵ ŷ) + 2 (b′ w × y + d′ w × (w × y)) wᵀ        ′ = ∂/∂x
/// ```
pub fn left_tangent_slope(w: &Vec3, y: &Vec3) -> Mat3 {
    let [_, _, b, d, c4, c5] = stumpff(w.norm_squared());
    let (b_slope, d_slope) = (c4 - 0.5 * d, 1.5 * c5 - 0.5 * c4);
    let (once, s) = (w.cross(y), skew(y));
    let along = (once * b_slope + w.cross(&once) * d_slope) * 2.0;
    along * w.transpose() - s * b - (skew(&once) + skew(w) * s) * d
}

/// The functions c_k(x) = Σ_j (−x)^j/(k + 2j)!, k = 0, …, N − 1, of Stumpff: cos φ, sin φ/φ, (1 − cos φ)/φ², … for x = φ². Their derivatives
/// are c_k′ = (k c_{k+2} − c_{k+1})/2.
pub fn stumpff<const N: usize>(x: f64) -> [f64; N] {
    let mut c = [0.0; N];
    let mut factorial = 1.0;
    let inverse_factorials: [f64; N] = std::array::from_fn(|k| {
        factorial *= k.max(1) as f64;
        1.0 / factorial
    });
    for k in (0..N).rev() {
        c[k] = match c.get(k + 2) {
            Some(next) => inverse_factorials[k] - x * next,
            None => stumpff_series(k, inverse_factorials[k], x),
        };
    }
    c
}

fn stumpff_series(k: usize, first: f64, x: f64) -> f64 {
    let (mut sum, mut term, mut n) = (first, first, k as f64);
    while term.abs() > f64::EPSILON * sum.abs() && n < 200.0 {
        term *= -x / ((n + 1.0) * (n + 2.0));
        sum += term;
        n += 2.0;
    }
    sum
}

/// The tangent of Cayley's map, cay(w) = the rotation of the quaternion (1, w/2): (I − ½ŵ)/(1 + |w|²/4).
#[inline]
pub fn cayley_tangent(w: &Vec3) -> Mat3 {
    (Mat3::identity() - skew(w) * 0.5) / (1.0 + 0.25 * w.norm_squared())
}

/// An angle brought to (−π, π].
#[inline]
pub fn wrap(angle: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    let wrapped = angle - turn * (angle / turn).round();
    if wrapped <= -std::f64::consts::PI { wrapped + turn } else { wrapped }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Vec3> {
        let mut out = vec![Vec3::zeros(), Vec3::new(1e-5, -2e-5, 1e-6), Vec3::new(3e-4, 9e-4, -2e-4)];
        for k in 1..12 {
            let k = f64::from(k);
            out.push(Vec3::new((1.3 * k).sin(), (0.7 * k).cos(), (2.1 * k).sin()) * (0.15 * k));
        }
        out
    }

    #[test]
    fn log_inverts_exp() {
        for w in samples() {
            assert!((log(&exp(&w)) - w).norm() < 1e-14 * (1.0 + w.norm()), "{w}");
        }
    }

    #[test]
    fn tangent_is_the_derivative_of_exp() {
        for w in samples() {
            for k in 0..3 {
                let mut d = Vec3::zeros();
                d[k] = 1e-5;
                let numeric = (log(&(exp(&w).inverse() * exp(&(w + d)))) - log(&(exp(&w).inverse() * exp(&(w - d))))) / 2e-5;
                assert!((numeric - tangent(&w).column(k)).norm() < 1e-9);
            }
            assert!((tangent(&w) * tangent_inverse(&w) - Mat3::identity()).norm() < 1e-12);
        }
    }

    #[test]
    fn the_left_tangent_and_its_slope_are_derivatives() {
        let y = Vec3::new(0.7, -1.3, 0.4);
        for w in samples() {
            assert!((left_tangent(&w) - exp(&w).to_rotation_matrix().into_inner() * tangent(&w)).norm() < 1e-14);
            for k in 0..3 {
                let d = Vec3::ith(k, 1e-5);
                let numeric = (left_tangent(&(w + d)) * y - left_tangent(&(w - d)) * y) / 2e-5;
                assert!((numeric - left_tangent_slope(&w, &y).column(k)).norm() < 1e-9, "{w}");
            }
        }
    }

    #[test]
    fn stumpff_functions_are_sines_and_cosines() {
        for phi in [1e-3_f64, 0.4, 1.7, 3.0] {
            let c: [f64; 9] = stumpff(phi * phi);
            let expected = [phi.cos(), phi.sin() / phi, (1.0 - phi.cos()) / phi.powi(2)];
            assert!((0..3).all(|k| (c[k] - expected[k]).abs() < 1e-10), "{phi}: {c:?}");
        }
    }

    #[test]
    fn cayley_tangent_is_the_derivative_of_cayleys_map() {
        let cayley = |w: Vec3| Quat::from_quaternion(nalgebra::Quaternion::new(1.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z));
        for w in samples() {
            for k in 0..3 {
                let mut d = Vec3::zeros();
                d[k] = 1e-5;
                let at = cayley(w).inverse();
                let numeric = (log(&(at * cayley(w + d))) - log(&(at * cayley(w - d)))) / 2e-5;
                assert!((numeric - cayley_tangent(&w).column(k)).norm() < 1e-9);
            }
        }
    }

    #[test]
    fn wrap_keeps_the_half_open_interval() {
        use std::f64::consts::PI;
        assert_eq!(wrap(0.25), 0.25);
        assert!((wrap(3.0 * PI) - PI).abs() < 1e-14);
        assert!((wrap(-PI) - PI).abs() < 1e-14);
        assert!((wrap(7.0) - (7.0 - 2.0 * PI)).abs() < 1e-15);
    }
}
