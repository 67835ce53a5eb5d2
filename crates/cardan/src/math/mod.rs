//! Vectors, rotations, dual numbers and splines.
//!
//! Everything here is plain arithmetic: no model, no state, no allocation in the hot functions.

pub mod dual;
pub mod dual_rotation;
pub mod random;
pub mod rotation;
pub mod spline;

pub use dual::Dual;
pub use rotation::{exp, log, skew, tangent, tangent_inverse};

/// A vector of R³.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A 3×3 matrix; rotations map from the local frame to the world frame.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// Six numbers of a marker: linear part first, angular part second, both in the world frame.
pub type Vec6 = nalgebra::Vector6<f64>;
/// A 6×6 block between two markers.
pub type Mat6 = nalgebra::Matrix6<f64>;
/// A direction of unit length.
pub type UnitVec3 = nalgebra::Unit<Vec3>;
/// A quaternion that need not be of unit length.
pub type Quaternion = nalgebra::Quaternion<f64>;
/// A unit quaternion; stored in states as (w, x, y, z).
pub type Quat = nalgebra::UnitQuaternion<f64>;

/// Stacks a linear and an angular vector.
#[inline]
pub fn stack(linear: Vec3, angular: Vec3) -> Vec6 {
    Vec6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}

/// The linear part (first three entries).
#[inline]
pub fn linear(v: &Vec6) -> Vec3 {
    Vec3::new(v[0], v[1], v[2])
}

/// The angular part (last three entries).
#[inline]
pub fn angular(v: &Vec6) -> Vec3 {
    Vec3::new(v[3], v[4], v[5])
}

/// Weighted root-mean-square norm, `sqrt(1/n Σ (x_i / y_i)²)`; zero for an empty vector.
pub fn weighted_rms(x: &[f64], weights: &[f64]) -> f64 {
    if x.is_empty() {
        return 0.0;
    }
    let sum: f64 = x.iter().zip(weights).map(|(x, y)| (x / y).powi(2)).sum();
    (sum / x.len() as f64).sqrt()
}

/// Largest absolute value; NaN if any entry is NaN.
pub fn max_abs<'a>(x: impl IntoIterator<Item = &'a f64>) -> f64 {
    x.into_iter().fold(0.0, |m: f64, v| if v.is_nan() || m.is_nan() { f64::NAN } else { m.max(v.abs()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_abs_is_nan_wherever_the_nan_stands() {
        assert_eq!(max_abs(&[1.0, -3.0, 2.0]), 3.0);
        assert_eq!(max_abs(&[]), 0.0);
        assert!(max_abs(&[f64::NAN, 1.0]).is_nan() && max_abs(&[1.0, f64::NAN]).is_nan());
    }

    #[test]
    fn weighted_rms_weighs() {
        assert!((weighted_rms(&[3.0, 8.0], &[1.0, 2.0]) - 12.5_f64.sqrt()).abs() < 1e-15);
        assert_eq!(weighted_rms(&[], &[]), 0.0);
    }
}
