//! Friction in a joint: regularised Coulomb with stiction, the joint's own reaction as normal force.
//!
//! With s the joint's free coordinate, ρ the friction radius (1 for translations), u = ρ ṡ the sliding speed, N the
//! normal force from the joint's force multipliers λ and a preload N₀:
//!
//! ```text
//! F = −ρ μ(u) N,     N = N₀ + √(Σ λ² + ε²)                                               (1)
//! μ(u) = tanh(u/v_t) (μ_d + (μ_s − μ_d) exp(−(u/v_s)²))                                   (2)
//! ```
//!
//! v_t is the transition speed below which the contact creeps instead of sticking, v_s = 10 v_t the Stribeck speed over which
//! the static coefficient falls to the dynamic one. Beyond 3 v_t it slides, within it sticks: sides that steps
//! end at. F depends on λ, so the Newton matrix is unsymmetric.

use super::along::{Along, Slopes};
use super::{ForceLaw, Tangent};
use crate::bodies::MarkerId;
use crate::constraints::{Coordinate, JointId};
use crate::expr::Side;
use crate::math::Vec6;
use crate::measures::{Context, Memory};

const SMOOTHING: f64 = 1e-6;

/// Friction along the free coordinate of a joint.
#[derive(Debug, Clone)]
pub struct JointFriction {
    name: String,
    /// The joint whose reaction is the normal force.
    pub joint: JointId,
    coordinate: Coordinate,
    /// ρ, m; 1 for translations.
    pub radius: f64,
    /// μ_s and μ_d.
    pub coefficients: (f64, f64),
    /// v_t, m/s.
    pub transition: f64,
    /// N₀, N.
    pub preload: f64,
    along: Along,
    rows: Vec<usize>,
}

impl JointFriction {
    /// Friction against sliding along the joint's z axis.
    pub fn sliding(name: &str, joint: JointId, static_coefficient: f64, dynamic_coefficient: f64) -> Self {
        Self::new(name, joint, Coordinate::Translation, 1.0, (static_coefficient, dynamic_coefficient))
    }

    /// Friction against rotation about the joint's z axis on a pin of this radius (m).
    pub fn pin(name: &str, joint: JointId, radius: f64, static_coefficient: f64, dynamic_coefficient: f64) -> Self {
        Self::new(name, joint, Coordinate::Rotation, radius, (static_coefficient, dynamic_coefficient))
    }

    fn new(name: &str, joint: JointId, coordinate: Coordinate, radius: f64, coefficients: (f64, f64)) -> Self {
        Self {
            name: name.into(),
            joint,
            coordinate,
            radius,
            coefficients,
            transition: 1e-3,
            preload: 0.0,
            along: Along { measure: coordinate.measure(), markers: [MarkerId(0); 2] },
            rows: Vec::new(),
        }
    }

    /// Speed below which the contact creeps, m/s (default 1e-3).
    pub fn transition_speed(mut self, speed: f64) -> Self {
        self.transition = speed;
        self
    }

    /// Normal force that is there without any reaction, N.
    pub fn preload(mut self, force: f64) -> Self {
        self.preload = force;
        self
    }

    /// Ties the friction to its joint's markers and to the rows of its reaction force.
    pub(crate) fn connect(&mut self, markers: [MarkerId; 2], rows: Vec<usize>) {
        self.along.markers = markers;
        self.rows = rows;
    }

    /// Which coordinate it acts on.
    pub fn coordinate(&self) -> Coordinate {
        self.coordinate
    }

    fn reaction(&self, ctx: &Context) -> f64 {
        let sum: f64 = self.rows.iter().map(|r| ctx.lambda.get(*r).map_or(0.0, |l| l * l)).sum();
        (sum + SMOOTHING * SMOOTHING).sqrt()
    }

    /// μ (2) and its slope with respect to the sliding speed.
    fn coefficient(&self, speed: f64) -> (f64, f64) {
        let (fixed, moving) = self.coefficients;
        let (creep, fall) = (speed / self.transition, speed / (10.0 * self.transition));
        let (t, e) = (creep.tanh(), (fixed - moving) * (-fall * fall).exp());
        let slope = ((1.0 - t * t) * (moving + e) - 0.2 * t * e * fall) / self.transition;
        (t * (moving + e), slope)
    }

    /// Force along the coordinate and its slope, at a rate.
    fn law(&self, ctx: &Context, rate: f64) -> Slopes {
        let (mu, slope) = self.coefficient(self.radius * rate);
        let normal = self.preload + self.reaction(ctx);
        Slopes { force: -self.radius * mu * normal, by_s: 0.0, by_rate: -self.radius * self.radius * slope * normal }
    }
}

impl ForceLaw for JointFriction {
    fn name(&self) -> &str {
        &self.name
    }
    fn markers(&self) -> [MarkerId; 2] {
        self.along.markers
    }
    fn wrench(&self, ctx: &Context) -> [Vec6; 2] {
        let (_, rate, g) = self.along.state(ctx);
        let force = self.law(ctx, rate).force;
        g.map(|g| g * force)
    }
    fn wrench_and_tangent(&self, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
        self.along.wrench_and_tangent(ctx, |_, rate| self.law(ctx, rate), out)
    }
    fn dissipation(&self, ctx: &Context) -> f64 {
        let (_, rate, _) = self.along.state(ctx);
        -self.law(ctx, rate).force * rate
    }
    fn reaction_rows(&self) -> &[usize] {
        &self.rows
    }
    fn reaction_gradient(&self, ctx: &Context, row: usize) -> [Vec6; 2] {
        let (_, rate, g) = self.along.state(ctx);
        let slope = -self.radius * self.coefficient(self.radius * rate).0 * ctx.lambda[row] / self.reaction(ctx);
        g.map(|g| g * slope)
    }
    fn slot(&mut self) -> Option<&mut usize> {
        self.along.measure.slot_mut()
    }
    fn remember(&self, ctx: &Context, memory: &mut Memory) {
        self.along.remember(ctx, memory);
    }
    fn has_sides(&self) -> bool {
        true
    }
    /// Stuck, or sliding to either side.
    fn side(&self, ctx: &Context) -> Option<Side> {
        let (_, rate, _) = self.along.state(ctx);
        Some(Side::of_saturation(self.radius * rate / self.transition))
    }
    fn mistake(&self) -> Option<String> {
        let (fixed, moving) = self.coefficients;
        if !(moving >= 0.0 && fixed >= moving) {
            return Some(format!("coefficients must satisfy static ≥ dynamic ≥ 0, they are {fixed} and {moving}"));
        }
        if !(self.transition > 0.0 && self.radius > 0.0 && self.preload >= 0.0) {
            return Some("transition speed and radius must be positive, the preload not negative".into());
        }
        None
    }
}
