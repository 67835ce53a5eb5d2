//! A bushing: linear stiffness and damping in six directions between two markers, with full 6×6 matrices.
//!
//! In the axes of marker j:
//!
//! ```text
//! x = (u − u₀, φ),            φ = log(R_jᵀ R_i)                                         (1)
//! P = −K x − C ẋ + P₀,        V = ½ xᵀ K x − P₀·x                                       (2)
//! f = P_u,   τ = T⁻¹(φ) P_φ                                                             (3)
//! ```
//!
//! (3) is the transpose of ẋ's dependence on (u̇, ω), φ̇ = T⁻¹(φ)ᵀ ω, so that power and potential energy match exactly for any rotation short of
//! half a turn. How it is computed and differentiated is told in `deformation.rs`.

use super::deformation::{Coefficients, Deformation};
use super::geometry::{Linearized, Motion};
use super::{Between, Exchange, ForceLaw, Tangent, between};
use crate::bodies::{MarkerId, MarkerState};
use crate::math::{Mat6, Vec3, Vec6, stack};
use crate::measures::Context;

/// A linear six-component force element.
#[derive(Debug, Clone)]
pub struct Bushing {
    name: String,
    markers: [MarkerId; 2],
    stiffness: Coefficients,
    damping: Coefficients,
    /// P₀.
    pub preload: Vec6,
    /// u₀.
    pub offset: Vec3,
}

impl Bushing {
    /// Between marker i and marker j, measured in the axes of j, with nothing in it yet.
    pub fn new(name: &str, i: MarkerId, j: MarkerId) -> Self {
        Self {
            name: name.into(),
            markers: [i, j],
            stiffness: Coefficients::new(Mat6::zeros()),
            damping: Coefficients::new(Mat6::zeros()),
            preload: Vec6::zeros(),
            offset: Vec3::zeros(),
        }
    }

    /// Full stiffness matrix: N/m, N/rad, N m/m and N m/rad, translations first.
    pub fn stiffness(mut self, k: Mat6) -> Self {
        self.stiffness = Coefficients::new(k);
        self
    }

    /// Full damping matrix, translations first.
    pub fn damping(mut self, c: Mat6) -> Self {
        self.damping = Coefficients::new(c);
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
        self.preload = stack(force.into(), torque.into());
        self
    }

    /// Position of i without force, in the axes of j.
    pub fn offset(mut self, offset: [f64; 3]) -> Self {
        self.offset = offset.into();
        self
    }

    /// K.
    pub fn stiffness_matrix(&self) -> Mat6 {
        self.stiffness.matrix()
    }

    /// C.
    pub fn damping_matrix(&self) -> Mat6 {
        self.damping.matrix()
    }

    /// x (equation 1).
    #[inline]
    fn stretch(&self, deformation: &Deformation) -> Vec6 {
        deformation.position - stack(self.offset, Vec3::zeros())
    }

    /// P (equation 2).
    #[inline]
    fn components(&self, deformation: &Deformation) -> Vec6 {
        self.preload - self.stiffness.times(&self.stretch(deformation)) - self.damping.times(&deformation.rate)
    }
}

impl Between for Bushing {
    #[inline]
    fn load(&self, i: &MarkerState, j: &MarkerState) -> (Vec3, Vec3) {
        let deformation = Deformation::new(i, &Motion::of(i, j));
        deformation.load(&self.components(&deformation))
    }
    #[inline]
    fn linearize(&self, i: &MarkerState, motion: &Motion) -> Linearized {
        let deformation = Deformation::new(i, motion);
        let p = self.components(&deformation);
        let (force, torque) = deformation.load(&p);
        Linearized { force, torque, by: deformation.derivatives(&self.stiffness, &self.damping, &p) }
    }
    #[inline]
    fn energies(&self, i: &MarkerState, j: &MarkerState) -> [f64; 2] {
        let deformation = Deformation::new(i, &Motion::of(i, j));
        let (x, rate) = (self.stretch(&deformation), &deformation.rate);
        [0.5 * x.dot(&self.stiffness.times(&x)) - self.preload.dot(&x), rate.dot(&self.damping.times(rate))]
    }
}

impl ForceLaw for Bushing {
    fn name(&self) -> &str {
        &self.name
    }
    fn markers(&self) -> [MarkerId; 2] {
        self.markers
    }
    fn wrench(&self, ctx: &Context) -> [Vec6; 2] {
        between::wrenches(self, self.markers, ctx)
    }
    fn wrench_and_tangent(&self, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
        between::wrenches_and_tangent(self, self.markers, ctx, out)
    }
    fn potential(&self, ctx: &Context) -> f64 {
        between::energies(self, self.markers, ctx)[0]
    }
    fn dissipation(&self, ctx: &Context) -> f64 {
        between::energies(self, self.markers, ctx)[1]
    }
    fn exchange(&self) -> Exchange {
        if self.damping.is_zero() { Exchange::Stored } else { Exchange::Dissipated }
    }
    fn mistake(&self) -> Option<String> {
        let (k, c) = (self.stiffness_matrix(), self.damping_matrix());
        if !(k.iter().chain(c.iter()).chain(self.preload.iter()).chain(self.offset.iter())).all(|x| x.is_finite()) {
            return Some("stiffness, damping and preload must be finite".into());
        }
        let asymmetric = (k - k.transpose()).norm() > 1e-9 * k.norm();
        asymmetric.then(|| "the stiffness matrix must be symmetric: otherwise the element creates energy in a closed cycle".into())
    }
}
