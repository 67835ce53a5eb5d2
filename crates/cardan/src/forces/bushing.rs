//! A bushing: linear stiffness and damping in six directions between two markers, with full 6×6 matrices.
//!
//! In the axes of a frame F between the markers, R_F = R_j exp(κ φ) (κ = 0: marker j; κ = ½: halfway, used by beams):
//!
//! ```text
//! x = (exp(−κφ) u − u₀, φ),   φ = log(R_jᵀ R_i)                                         (1)
//! P = −K x − C ẋ + P₀,        V = ½ xᵀ K x − P₀·x                                       (2)
//! f = exp(κφ) P_u,   τ = T⁻¹(φ) (P_φ − κ T(κφ) (u × f))                                  (3)
//! ```
//!
//! (3) is the transpose of ẋ's dependence on (u̇, ω), so that power and potential energy match exactly for any rotation short of
//! half a turn: φ̇ = T⁻¹(φ)ᵀ ω and d(exp(−κφ) u)/dt = exp(−κφ)(u̇ − κ T(κφ)ᵀ φ̇ × u).

use super::relative::{self, Load, Relative};
use super::{Exchange, ForceLaw, Tangent};
use crate::bodies::MarkerId;
use crate::math::dual::DualVec3;
use crate::math::{Dual, Mat6, Vec3, Vec6, dual_rotation};
use crate::measures::Context;

/// A linear six-component force element.
#[derive(Debug, Clone)]
pub struct Bushing {
    name: String,
    markers: [MarkerId; 2],
    /// K.
    pub stiffness: Mat6,
    /// C.
    pub damping: Mat6,
    /// P₀.
    pub preload: Vec6,
    /// u₀.
    pub offset: Vec3,
    halfway: f64,
}

impl Bushing {
    /// Between marker i and marker j, measured in the axes of j, with nothing in it yet.
    pub fn new(name: &str, i: MarkerId, j: MarkerId) -> Self {
        Self {
            name: name.into(),
            markers: [i, j],
            stiffness: Mat6::zeros(),
            damping: Mat6::zeros(),
            preload: Vec6::zeros(),
            offset: Vec3::zeros(),
            halfway: 0.0,
        }
    }

    /// Full stiffness matrix: N/m, N/rad, N m/m and N m/rad, translations first.
    pub fn stiffness(mut self, k: Mat6) -> Self {
        self.stiffness = k;
        self
    }

    /// Full damping matrix, translations first.
    pub fn damping(mut self, c: Mat6) -> Self {
        self.damping = c;
        self
    }

    /// Diagonal stiffness: three translations (N/m), three rotations (N m/rad).
    pub fn diagonal_stiffness(self, k: [f64; 6]) -> Self {
        self.stiffness(Mat6::from_diagonal(&Vec6::from(k)))
    }

    /// Diagonal damping.
    pub fn diagonal_damping(self, c: [f64; 6]) -> Self {
        self.damping(Mat6::from_diagonal(&Vec6::from(c)))
    }

    /// Constant load on marker i.
    pub fn preload(mut self, force: [f64; 3], torque: [f64; 3]) -> Self {
        self.preload = crate::math::stack(force.into(), torque.into());
        self
    }

    /// Position of i without force, in the axes of j.
    pub fn offset(mut self, offset: [f64; 3]) -> Self {
        self.offset = offset.into();
        self
    }

    /// Measures in the frame halfway between the markers' orientations.
    pub(super) fn measured_halfway(mut self) -> Self {
        self.halfway = 0.5;
        self
    }

    /// x and ẋ (equation 1).
    fn deformation(&self, k: &Relative) -> Deformation {
        let half = Dual::constant(self.halfway);
        let phi = dual_rotation::log(&k.rotation);
        let inverse = dual_rotation::tangent_inverse(&phi);
        let phi_rate = inverse.tr_mul(&k.angular_velocity);
        let frame = dual_rotation::exp(&(phi * half));
        let spin = dual_rotation::tangent(&(phi * half)).tr_mul(&phi_rate) * half;
        let u = frame.tr_mul(&k.displacement) - self.offset.map(Dual::constant);
        let u_rate = frame.tr_mul(&(k.velocity - spin.cross(&k.displacement)));
        Deformation { u, phi, u_rate, phi_rate }
    }

    fn law(&self, k: &Relative) -> Load {
        let x = self.deformation(k);
        let half = Dual::constant(self.halfway);
        let p = self.components(&x);
        let frame = dual_rotation::exp(&(x.phi * half));
        let f = frame * p[0];
        let bending = dual_rotation::tangent(&(x.phi * half)) * k.displacement.cross(&f) * half;
        (f, dual_rotation::tangent_inverse(&x.phi) * (p[1] - bending))
    }

    /// P (equation 2).
    fn components(&self, x: &Deformation) -> [DualVec3; 2] {
        let mut p = [DualVec3::zeros(); 2];
        for a in 0..6 {
            let mut sum = Dual::constant(self.preload[a]);
            for b in 0..6 {
                let (position, rate) = if b < 3 { (x.u[b], x.u_rate[b]) } else { (x.phi[b - 3], x.phi_rate[b - 3]) };
                sum = sum - position * self.stiffness[(a, b)] - rate * self.damping[(a, b)];
            }
            p[a / 3][a % 3] = sum;
        }
        p
    }
}

struct Deformation {
    u: DualVec3,
    phi: DualVec3,
    u_rate: DualVec3,
    phi_rate: DualVec3,
}

fn values(linear: &DualVec3, angular: &DualVec3) -> Vec6 {
    crate::math::stack(linear.map(|x| x.v), angular.map(|x| x.v))
}

impl ForceLaw for Bushing {
    fn name(&self) -> &str {
        &self.name
    }
    fn markers(&self) -> [MarkerId; 2] {
        self.markers
    }
    fn wrench(&self, ctx: &Context) -> [Vec6; 2] {
        relative::wrench(self.markers, ctx, |k| self.law(k))
    }
    fn tangent(&self, ctx: &Context) -> Tangent {
        relative::tangent(self.markers, ctx, |k| self.law(k))
    }
    fn potential(&self, ctx: &Context) -> f64 {
        let x = self.deformation(&relative::kinematics(self.markers, ctx));
        let x = values(&x.u, &x.phi);
        0.5 * x.dot(&(self.stiffness * x)) - self.preload.dot(&x)
    }
    fn dissipation(&self, ctx: &Context) -> f64 {
        let x = self.deformation(&relative::kinematics(self.markers, ctx));
        let rate = values(&x.u_rate, &x.phi_rate);
        rate.dot(&(self.damping * rate))
    }
    fn exchange(&self) -> Exchange {
        if self.damping == Mat6::zeros() { Exchange::Stored } else { Exchange::Dissipated }
    }
    fn mistake(&self) -> Option<String> {
        let k = &self.stiffness;
        if !(k.iter().chain(self.damping.iter()).chain(self.preload.iter()).chain(self.offset.iter())).all(|x| x.is_finite()) {
            return Some("stiffness, damping and preload must be finite".into());
        }
        let asymmetric = (k - k.transpose()).norm() > 1e-9 * k.norm();
        asymmetric.then(|| "the stiffness matrix must be symmetric: otherwise the element creates energy in a closed cycle".into())
    }
}
