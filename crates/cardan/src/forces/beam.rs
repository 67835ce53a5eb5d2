//! A Timoshenko beam element between two markers: a linear force and torque measured halfway between the orientations of the end sections.
//!
//! The axis of the beam is x of marker j, pointing to marker i at distance L; both markers are parallel when unloaded. In the
//! halfway frame the exact stiffness of the uniform beam is diagonal:
//!
//! ```text
//! P = −K (x + ρ ẋ),   x = (u − L e_x, φ),   V = ½ xᵀ K x                in the axes halfway (`halfway.rs`)
//! K = diag(EA/L, 12 EI_z/(L³(1+Φ_y)), 12 EI_y/(L³(1+Φ_z)), GJ/L, EI_y/L, EI_z/L)                     (1)
//! Φ_y = 12 EI_z/(κ_y GA L²),   Φ_z = 12 EI_y/(κ_z GA L²)             shear parameters                 (2)
//! ```
//!
//! (Put u_y − L φ_z/2 for the halfway deflection and the familiar 12, 6, 4 EI matrix appears.) Large motions of the element are
//! exact, deformations within it small to moderate. Damping is proportional: C = ρ K.
//! Reference: Przemieniecki, Theory of Matrix Structural Analysis, ch. 5.

use super::geometry::{Linearized, Motion};
use super::halfway::Halfway;
use super::{Between, Exchange, ForceLaw, Tangent, between};
use crate::bodies::{MarkerId, MarkerState};
use crate::math::{Vec3, Vec6, stack};
use crate::measures::Context;

/// Cross-section and material of a beam.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// Area, m².
    pub area: f64,
    /// Second moments of area about y and z, m⁴.
    pub bending: [f64; 2],
    /// Torsion constant, m⁴.
    pub torsion: f64,
    /// Shear correction factors κ_y, κ_z (5/6 for a rectangle); zero leaves shear rigid.
    pub shear: [f64; 2],
    /// Young's modulus, Pa.
    pub youngs_modulus: f64,
    /// Shear modulus, Pa.
    pub shear_modulus: f64,
}

impl Section {
    /// A solid round section.
    pub fn round(radius: f64, youngs_modulus: f64, poisson: f64) -> Self {
        let area = std::f64::consts::PI * radius * radius;
        let second = 0.25 * area * radius * radius;
        let shear_modulus = youngs_modulus / (2.0 * (1.0 + poisson));
        Self { area, bending: [second; 2], torsion: 2.0 * second, shear: [0.9; 2], youngs_modulus, shear_modulus }
    }

    /// A solid rectangle, `width` along y and `height` along z (torsion by the classic series' leading terms).
    pub fn rectangle(width: f64, height: f64, youngs_modulus: f64, poisson: f64) -> Self {
        let (long, short) = (width.max(height), width.min(height));
        let ratio = short / long;
        let torsion = long * short.powi(3) * (1.0 / 3.0 - 0.21 * ratio * (1.0 - ratio.powi(4) / 12.0));
        Self {
            area: width * height,
            bending: [width * height.powi(3) / 12.0, height * width.powi(3) / 12.0],
            torsion,
            shear: [5.0 / 6.0; 2],
            youngs_modulus,
            shear_modulus: youngs_modulus / (2.0 * (1.0 + poisson)),
        }
    }

    /// The diagonal of (1).
    fn stiffness(&self, length: f64) -> [f64; 6] {
        let [iy, iz] = self.bending;
        let (e, ga) = (self.youngs_modulus, self.shear_modulus * self.area);
        let parameter = |i: f64, kappa: f64| if kappa > 0.0 { 12.0 * e * i / (kappa * ga * length * length) } else { 0.0 };
        let lateral = |i: f64, kappa: f64| 12.0 * e * i / (length.powi(3) * (1.0 + parameter(i, kappa)));
        [
            e * self.area / length,
            lateral(iz, self.shear[0]),
            lateral(iy, self.shear[1]),
            self.shear_modulus * self.torsion / length,
            e * iy / length,
            e * iz / length,
        ]
    }
}

/// A massless beam between two markers.
#[derive(Debug, Clone)]
pub struct Beam {
    name: String,
    markers: [MarkerId; 2],
    /// The diagonal of K: displacements, rotations.
    stiffness: [Vec3; 2],
    /// Length without force, m.
    pub length: f64,
    /// Cross-section and material.
    pub section: Section,
    /// ρ: damping per stiffness, s.
    pub damping_ratio: f64,
}

impl Beam {
    /// From marker j along its x axis to marker i.
    pub fn new(name: &str, i: MarkerId, j: MarkerId, length: f64, section: Section) -> Self {
        let k = section.stiffness(length);
        let stiffness = [Vec3::new(k[0], k[1], k[2]), Vec3::new(k[3], k[4], k[5])];
        Self { name: name.into(), markers: [i, j], stiffness, length, section, damping_ratio: 0.0 }
    }

    /// Damping proportional to stiffness, s.
    pub fn damping_ratio(mut self, ratio: f64) -> Self {
        self.damping_ratio = ratio;
        self
    }

    /// The diagonal of K.
    pub fn stiffness(&self) -> Vec6 {
        stack(self.stiffness[0], self.stiffness[1])
    }

    /// x.
    #[inline]
    fn stretch(&self, at: &Halfway) -> Vec6 {
        at.position - stack(Vec3::new(self.length, 0.0, 0.0), Vec3::zeros())
    }

    /// P.
    #[inline]
    fn components(&self, at: &Halfway) -> Vec6 {
        -self.stiffness().component_mul(&(self.stretch(at) + at.rate * self.damping_ratio))
    }
}

impl Between for Beam {
    #[inline]
    fn load(&self, i: &MarkerState, j: &MarkerState) -> (Vec3, Vec3) {
        let motion = Motion::of(i, j);
        let at = Halfway::new(i, &motion);
        at.load(&motion.d, &self.components(&at))
    }
    #[inline]
    fn linearize(&self, i: &MarkerState, motion: &Motion) -> Linearized {
        let at = Halfway::new(i, motion);
        let p = self.components(&at);
        let (force, torque) = at.load(&motion.d, &p);
        let by = at.derivatives(motion, self.stiffness.each_ref(), self.damping_ratio, &p, (&force, &torque));
        Linearized { force, torque, by }
    }
    #[inline]
    fn energies(&self, i: &MarkerState, j: &MarkerState) -> [f64; 2] {
        let at = Halfway::new(i, &Motion::of(i, j));
        let (x, k) = (self.stretch(&at), self.stiffness());
        [0.5 * x.dot(&k.component_mul(&x)), self.damping_ratio * at.rate.dot(&k.component_mul(&at.rate))]
    }
}

impl ForceLaw for Beam {
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
        if self.damping_ratio == 0.0 { Exchange::Stored } else { Exchange::Dissipated }
    }
    fn mistake(&self) -> Option<String> {
        let s = &self.section;
        let positive = [self.length, s.area, s.bending[0], s.bending[1], s.torsion, s.youngs_modulus, s.shear_modulus];
        if !self.damping_ratio.is_finite() {
            return Some("the damping ratio must be finite".into());
        }
        (!positive.iter().all(|x| *x > 0.0 && x.is_finite()))
            .then(|| "length, area, second moments, torsion constant and moduli must be positive".into())
    }
}
