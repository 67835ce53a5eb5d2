//! Vectors, rotations, dual numbers and splines.
//!
//! Everything here is plain arithmetic: no model, no state, no allocation in the hot functions.

pub mod dual;
pub mod dual_rotation;
pub mod exponential;
pub mod jet;
pub mod krylov;
pub mod lagrange;
pub mod number;
pub mod phi;
pub mod random;
pub mod rotation;
pub mod spline;
pub mod taylor;
mod turn;

pub use crate::linear::norms::{add_weighing, is_finite, largest, max_abs, scaled, weighted_rms, weighted_rms_of_difference};
pub use dual::Dual;
pub use jet::Jet;
pub use number::Number;
pub use rotation::{cayley_tangent, exp, left_tangent, left_tangent_slope, log, skew, tangent, tangent_inverse};
pub use taylor::{Taylor, TaylorVec3};
pub use turn::Turn;

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
