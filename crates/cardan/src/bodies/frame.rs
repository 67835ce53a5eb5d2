//! How a marker's six velocities and wrenches relate to those of the frame it is fixed to (equation 1 of the room).

use crate::math::{Mat3, Mat6, Vec3, Vec6, angular, linear, skew, stack};

fn blocks(a: Mat3, b: Mat3, c: Mat3, d: Mat3) -> Mat6 {
    let mut m = Mat6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&a);
    m.fixed_view_mut::<3, 3>(0, 3).copy_from(&b);
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(&c);
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(&d);
    m
}

/// J: marker twist (world) from (ṙ world, ω body), for the body-fixed offset `s`.
#[inline]
pub fn jacobian(r: &Mat3, s: &Vec3) -> Mat6 {
    blocks(Mat3::identity(), -r * skew(s), Mat3::zeros(), *r)
}

/// Jᵀ w.
#[inline]
pub fn pull_back(r: &Mat3, s: &Vec3, w: &Vec6) -> Vec6 {
    let force = r.tr_mul(&linear(w));
    stack(linear(w), r.tr_mul(&angular(w)) + s.cross(&force))
}

/// ∂(Jᵀ w)/∂(r, φ) at fixed wrench: only the torque in the body frame depends on φ.
#[inline]
pub fn geometric_stiffness(r: &Mat3, s: &Vec3, w: &Vec6) -> Mat3 {
    let (f, tau) = (r.tr_mul(&linear(w)), r.tr_mul(&angular(w)));
    skew(&tau) + skew(s) * skew(&f)
}

/// The derivatives of a marker's acceleration (r̈ + R (ω̇ × s + ω × (ω × s)), R ω̇) by (r, φ) and by (ṙ, ω), at fixed (r̈, ω̇).
pub fn acceleration_gradients(r: &Mat3, s: &Vec3, omega: &Vec3, turning: &Vec3) -> [Mat6; 2] {
    let (zero, c) = (Mat3::zeros(), omega.cross(s));
    let local = turning.cross(s) + omega.cross(&c);
    [blocks(zero, -r * skew(&local), zero, -r * skew(turning)), blocks(zero, -r * (skew(&c) + skew(omega) * skew(s)), zero, zero)]
}
