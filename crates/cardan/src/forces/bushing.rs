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
//!
//! With E = exp(κφ), B = κ T(κφ)ᵀ, w = u̇ − Bφ̇ × u and m = u × f, changes of u, φ, u̇ and φ̇ change x, ẋ and the load by
//!
//! ```text
//! δx = (Eᵀ(δu + û B δφ), δφ),     δẋ = (Eᵀ(δu̇ − (Bφ̇)^ δu + û δ(Bφ̇) + ŵ B δφ), δφ̇)                   (4)
//! δf = E δP_u − f̂ B δφ,           δτ = T⁻¹(δP_φ − Bᵀ(û δf − f̂ δu) − δBᵀ m) + δT⁻¹ (P_φ − Bᵀ m)       (5)
//! ```
//!
//! and those of orientation and angular velocity φ and φ̇ by δφ = T⁻ᵀ δψ, δφ̇ = T⁻ᵀ δω + δT⁻ᵀ ω.

use super::relative::{self, Motion, Slopes, stacked};
use super::{ForceLaw, Tangent};
use crate::bodies::MarkerId;
use crate::math::rotation_maps::{RotationMap, log_of_matrix};
use crate::math::{Mat3, Mat6, Vec3, Vec6, angular, linear, skew, stack};
use crate::measures::Context;
use nalgebra::Matrix6x3;

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

    /// x and ẋ (equation 1), and what they are made of.
    #[inline]
    fn deformation(&self, motion: &Motion) -> Deformation {
        let Motion { u, r, u_rate, omega } = motion;
        let phi = log_of_matrix(r);
        let inverse = RotationMap::tangent_inverse(phi);
        let phi_rate = inverse.transpose().matrix() * omega;
        let (frame, lever) = self.halfway_frame(&phi);
        let seen = u_rate - (lever * phi_rate).cross(u);
        let (x, rate) = (stack(frame.tr_mul(u) - self.offset, phi), stack(frame.tr_mul(&seen), phi_rate));
        Deformation { x, rate, inverse, frame, lever, seen }
    }

    /// E = exp(κφ) and B.
    #[inline]
    fn halfway_frame(&self, phi: &Vec3) -> (Mat3, Mat3) {
        if self.halfway == 0.0 {
            return (Mat3::identity(), Mat3::zeros());
        }
        let turned = phi * self.halfway;
        (RotationMap::exp(turned).matrix(), RotationMap::tangent(turned).transpose().matrix() * self.halfway)
    }

    /// P (equation 2).
    #[inline]
    fn components(&self, of: &Deformation) -> Vec6 {
        self.preload - self.stiffness * of.x - self.damping * of.rate
    }

    /// Equation (3).
    #[inline]
    fn load(&self, u: &Vec3, of: &Deformation) -> (Vec3, Vec3) {
        let p = self.components(of);
        let f = of.frame * linear(&p);
        (f, of.inverse.matrix() * (angular(&p) - of.lever.tr_mul(&u.cross(&f))))
    }

    /// How x and ẋ change with u, φ, u̇ and φ̇ (4).
    fn deformation_slopes(&self, u: &Vec3, of: &Deformation) -> [(Matrix6x3<f64>, Matrix6x3<f64>); 4] {
        let Deformation { rate, frame, lever, seen, .. } = of;
        let (phi_rate, u_hat) = (angular(rate), skew(u));
        let lever_change = self.halfway_tangent(of).transpose().change(&phi_rate) * self.halfway.powi(2);
        let [one, none] = [Mat3::identity(), Mat3::zeros()];
        let pair = |of_x: [Mat3; 2], of_rate: [Mat3; 2]| (stacked(&of_x), stacked(&of_rate));
        let turned = [frame.tr_mul(&(u_hat * lever)), one];
        let spun = -frame.tr_mul(&skew(&(lever * phi_rate)));
        let rate_by_phi = frame.tr_mul(&(u_hat * lever_change + skew(seen) * lever));
        let straight = [frame.transpose(), none];
        [pair(straight, [spun, none]), pair(turned, [rate_by_phi, none]), pair([none; 2], straight), pair([none; 2], turned)]
    }

    /// T(κφ).
    fn halfway_tangent(&self, of: &Deformation) -> RotationMap {
        RotationMap::tangent(angular(&of.x) * self.halfway)
    }

    /// How the load changes with u, ψ, u̇ and ω (5).
    fn slopes(&self, motion: &Motion, of: &Deformation, f: &Vec3) -> Slopes {
        let Motion { u, omega, .. } = motion;
        let Deformation { inverse, frame, lever, .. } = of;
        let (u_hat, f_hat, moment) = (skew(u), skew(f), u.cross(f));
        let bent = inverse.change(&(angular(&self.components(of)) - lever.tr_mul(&moment)));
        let [of_u, of_phi, of_rate, of_phi_rate] = self.deformation_slopes(u, of).map(|(x, rate)| {
            let p = -(self.stiffness * x + self.damping * rate);
            (frame * p.fixed_rows::<3>(0), p.fixed_rows::<3>(3).into_owned())
        });
        let load = |force: Mat3, moved: Mat3, torque: Mat3| [force, inverse.matrix() * (torque - lever.tr_mul(&moved))];
        let direct = |(force, torque): (Mat3, Mat3)| stacked(&load(force, u_hat * force, torque));
        let by_u = stacked(&load(of_u.0, u_hat * of_u.0 - f_hat, of_u.1));
        let force = of_phi.0 - f_hat * lever;
        let [force, torque] = load(force, u_hat * force, of_phi.1 - self.halfway_tangent(of).change(&moment) * self.halfway.powi(2));
        let (by_phi, by_phi_rate) = (stacked(&[force, torque + bent]), direct(of_phi_rate));
        let turn = inverse.transpose();
        let (turn, turn_change) = (turn.matrix(), turn.change(omega));
        [by_u, (by_phi + by_phi_rate * turn_change) * turn, direct(of_rate), by_phi_rate * turn]
    }
}

struct Deformation {
    x: Vec6,
    rate: Vec6,
    /// T⁻¹(φ).
    inverse: RotationMap,
    /// E and B.
    frame: Mat3,
    lever: Mat3,
    /// w.
    seen: Vec3,
}

impl ForceLaw for Bushing {
    fn name(&self) -> &str {
        &self.name
    }
    fn markers(&self) -> [MarkerId; 2] {
        self.markers
    }
    fn wrench(&self, ctx: &Context) -> [Vec6; 2] {
        let motion = Motion::of(self.markers, ctx);
        relative::wrenches(self.markers, ctx, self.load(&motion.u, &self.deformation(&motion)))
    }
    fn tangent(&self, ctx: &Context) -> Tangent {
        let motion = Motion::of(self.markers, ctx);
        let deformation = self.deformation(&motion);
        let load = self.load(&motion.u, &deformation);
        relative::tangents(self.markers, ctx, load, &self.slopes(&motion, &deformation, &load.0))
    }
    fn potential(&self, ctx: &Context) -> f64 {
        let x = self.deformation(&Motion::of(self.markers, ctx)).x;
        0.5 * x.dot(&(self.stiffness * x)) - self.preload.dot(&x)
    }
    fn dissipation(&self, ctx: &Context) -> f64 {
        let rate = self.deformation(&Motion::of(self.markers, ctx)).rate;
        rate.dot(&(self.damping * rate))
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
