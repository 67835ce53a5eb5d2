//! Normal forces of contacts. With the depth δ = −g, where positive, and its rate δ̇, positive on the way in:
//!
//! ```text
//! N = max(0, E(δ) + damping),    E = k δᵉ, a table, or a function of δ                                        (1)
//! stepped:        c STEP(δ, 0, 0, d, 1) δ̇                       Adams' IMPACT                                   (2)
//! proportional:   E(δ) χ δ̇                                      Hunt and Crossley                               (3)
//! ```
//!
//! Both kinds of damping begin at zero, so that N is continuous. With (3), whatever E and the masses, a body that comes in with v leaves with r v
//! where D = χ v satisfies
//!
//! ```text
//! D (1 + r) = ln((1 + D)/(1 − r D)),     0 < D < 1/r                                                           (4)
//! ```
//!
//! v is a given speed, or that with which each touch began: then r holds for every speed, as in Poisson's and Newton's laws of impact. Of a touch whose
//! beginning is not known, D δ̇/√(δ̇² + v₀²) stands for χ δ̇, v₀ being the smallest speed for which r holds. It is not much smaller than the speed that
//! gravity gives over the depth at which a load rests: what sinks in from rest would take for ever.
//!
//! Hertz: balls of radius R₁ and R₂ have e = 3/2, k = 4/3 E* √R, 1/E* = Σ (1 − ν²)/E, 1/R = 1/R₁ + 1/R₂ (a flat one has 1/R = 0).
//!
//! References: Hunt, Crossley, J. Appl. Mech. 42 (1975), doi:10.1115/1.3423596; Johnson, Contact Mechanics, doi:10.1017/CBO9781139171731.

use super::elastic::{Elastic, Push};
use super::material::Material;
use crate::expr::{ExprError, Scope, Scratch};
use std::cell::RefCell;
use std::f64::consts::PI;

/// Slower touches than this, m/s, are damped as those with this speed, where nothing else is said.
pub const SLOWEST: f64 = 1e-3;
/// So are touches slower than this part of √(g δ), with the depth δ at which a load rests: they do not bounce, but sink in.
const SINKING: f64 = 0.1;

/// The speed at which a restitution holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arrival {
    /// This one, m/s.
    Given(f64),
    /// That with which each touch began, down to this one, m/s.
    Own {
        /// v₀.
        slowest: f64,
    },
}

/// What is lost in a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Damping {
    /// Nothing.
    None,
    /// (2).
    Stepped {
        /// c, N s/m.
        damping: f64,
        /// d, m, the depth at which all of it acts.
        depth: f64,
    },
    /// (3).
    Proportional {
        /// The part r of the speed that is left.
        restitution: f64,
        /// The speed at which it holds.
        arrival: Arrival,
    },
}

/// The law of the normal force (1).
#[derive(Debug, Clone, PartialEq)]
pub struct NormalLaw {
    /// E.
    pub elastic: Elastic,
    /// What is lost.
    pub damping: Damping,
    /// D.
    factor: f64,
}

/// How deep a touch is, and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// δ, m.
    pub depth: f64,
    /// δ̇, m/s.
    pub rate: f64,
    /// The speed with which it began, m/s, where that is known.
    pub arrival: Option<f64>,
}

/// The normal force at a depth and rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normal {
    /// N, in N.
    pub force: f64,
    /// ∂N/∂δ, N/m.
    pub by_depth: f64,
    /// ∂N/∂δ̇, N s/m.
    pub by_rate: f64,
    /// E, N.
    pub elastic: f64,
}

impl Normal {
    /// Of what does not touch.
    const NONE: Self = Self { force: 0.0, by_depth: 0.0, by_rate: 0.0, elastic: 0.0 };
}

impl From<Elastic> for NormalLaw {
    /// Without losses.
    fn from(elastic: Elastic) -> Self {
        Self { elastic, damping: Damping::None, factor: 0.0 }
    }
}

impl NormalLaw {
    /// k δᵉ without losses.
    pub fn elastic(stiffness: f64, exponent: f64) -> Self {
        Elastic::Power { stiffness, exponent }.into()
    }

    /// Adams' IMPACT: stiffness k, exponent e, damping c, all of which acts from depth d on.
    pub fn impact(stiffness: f64, exponent: f64, damping: f64, depth: f64) -> Self {
        Self::elastic(stiffness, exponent).stepped(damping, depth)
    }

    /// Hertz's law between two materials, both with Young's modulus, whose surfaces have these curvatures 1/R, added up.
    pub fn hertz(materials: [Material; 2], curvature: f64) -> Self {
        let compliance = Material::compliance_of([&materials[0], &materials[1]]).unwrap_or(f64::NAN);
        Self::elastic(4.0 / 3.0 / compliance / curvature.sqrt(), 1.5)
    }

    /// The force by depth, N and m, through these points and the origin.
    pub fn table(points: &[[f64; 2]]) -> Self {
        Elastic::table(points).into()
    }

    /// The force as a function of `depth` and `rate`, with the parameters and splines of a scope. What does not vanish at rest is elastic.
    pub fn function(text: &str, scope: &Scope) -> Result<Self, ExprError> {
        Elastic::function(text, scope).map(Self::from)
    }

    /// Adds damping c, all of which acts from depth d on.
    pub fn stepped(mut self, damping: f64, depth: f64) -> Self {
        (self.damping, self.factor) = (Damping::Stepped { damping, depth }, 0.0);
        self
    }

    /// With damping such that what comes in at this speed leaves with the given part of it.
    pub fn restitution(self, restitution: f64, speed: f64) -> Self {
        self.returning(restitution, Arrival::Given(speed))
    }

    /// With damping such that what comes in, at whatever speed, leaves with the given part of it.
    pub fn restitution_at_every_speed(self, restitution: f64) -> Self {
        self.returning(restitution, Arrival::Own { slowest: SLOWEST })
    }

    /// With damping such that what comes in leaves with the given part of its speed.
    pub fn returning(mut self, restitution: f64, arrival: Arrival) -> Self {
        (self.damping, self.factor) = (Damping::Proportional { restitution, arrival }, damping_for(restitution));
        self
    }

    /// For touches that carry a load, N, where gravity is g.
    pub fn under(mut self, load: f64, gravity: f64) -> Self {
        if let Damping::Proportional { arrival: Arrival::Own { slowest }, .. } = &mut self.damping {
            let depth = self.elastic.depth_under(load, &RefCell::default());
            *slowest = slowest.max(SINKING * (gravity * depth).sqrt());
        }
        self
    }

    /// Whether it loses energy.
    pub fn loses(&self) -> bool {
        matches!(self.damping, Damping::Stepped { .. }) || self.factor != 0.0 || !self.elastic.is_conservative()
    }

    /// Whether it has to know how fast a touch began.
    pub fn needs_arrival(&self) -> bool {
        self.factor != 0.0 && matches!(self.damping, Damping::Proportional { arrival: Arrival::Own { .. }, .. })
    }

    /// N and its derivatives; with room for the values of functions.
    #[inline]
    pub fn at(&self, stroke: &Stroke, scratch: &RefCell<Scratch>) -> Normal {
        let Stroke { depth, rate, .. } = *stroke;
        if depth <= 0.0 {
            return Normal::NONE;
        }
        let Push { force, by_depth, by_rate, elastic, slope } = self.elastic.at(depth, rate, scratch);
        let (lost, lost_by_depth, lost_by_rate) = match self.damping {
            Damping::None => (0.0, 0.0, 0.0),
            Damping::Stepped { damping, depth: whole } => {
                let s = (depth / whole).min(1.0);
                let (step, rise) = (s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / whole);
                (damping * step * rate, damping * rise * rate, damping * step)
            }
            Damping::Proportional { arrival, .. } => {
                let (part, by_rate) = self.part(arrival, stroke);
                (elastic * part, slope * part, elastic * by_rate)
            }
        };
        if force + lost > 0.0 {
            Normal { force: force + lost, by_depth: by_depth + lost_by_depth, by_rate: by_rate + lost_by_rate, elastic }
        } else {
            Normal { elastic, ..Normal::NONE }
        }
    }

    /// χ δ̇ and its slope.
    #[inline]
    fn part(&self, arrival: Arrival, stroke: &Stroke) -> (f64, f64) {
        let speed = match (arrival, stroke.arrival) {
            (Arrival::Given(speed), _) => speed,
            (Arrival::Own { slowest }, Some(own)) => own.max(slowest),
            (Arrival::Own { slowest }, None) => {
                let length = stroke.rate.hypot(slowest);
                let s = slowest / length;
                return (self.factor * stroke.rate / length, self.factor * s * s / length);
            }
        };
        let chi = self.factor / speed;
        (chi * stroke.rate, chi)
    }

    /// ∫E up to a depth, J.
    pub fn potential(&self, depth: f64, scratch: &RefCell<Scratch>) -> f64 {
        if depth > 0.0 { self.elastic.potential(depth, scratch) } else { 0.0 }
    }

    /// How long a mass alone would be in contact that is now at this depth and rate: half of a period with the stiffness k* at the depth δ* where
    /// all its energy is stored,
    ///
    /// ```text
    /// ½ m δ̇² + ∫E(δ) = ∫E(δ*),    k* = E′(δ*),    T = π √(m/k*)                                                (5)
    /// ```
    ///
    /// exact for e = 1 and a quarter too short for e = 3/2.
    pub fn duration(&self, mass: f64, depth: f64, rate: f64, scratch: &RefCell<Scratch>) -> f64 {
        let energy = 0.5 * mass * rate * rate + self.potential(depth, scratch);
        let deepest = self.elastic.depth_of(energy, scratch);
        PI * (mass / self.elastic.at(deepest, 0.0, scratch).slope).sqrt()
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        let of_damping = match self.damping {
            Damping::Stepped { damping, depth } if !(damping >= 0.0 && depth > 0.0 && damping.is_finite() && depth.is_finite()) => {
                Some(format!("damping must not be negative and its depth must be positive, they are {damping} and {depth}"))
            }
            Damping::Proportional { restitution, .. } if !self.factor.is_finite() => {
                Some(format!("the restitution must be between 0.001 and 1, it is {restitution}"))
            }
            Damping::Proportional { arrival: Arrival::Given(speed) | Arrival::Own { slowest: speed }, .. }
                if !(speed > 0.0 && speed.is_finite()) =>
            {
                Some(format!("the speed at which the restitution holds must be positive, it is {speed}"))
            }
            _ => None,
        };
        self.elastic.mistake().or(of_damping)
    }
}

/// D of (4); not a number below 0.001, where the force would have to be a jump, and above 1.
pub fn damping_for(restitution: f64) -> f64 {
    if restitution == 1.0 {
        return 0.0;
    }
    if !(0.001..1.0).contains(&restitution) {
        return f64::NAN;
    }
    // The difference of both sides is positive close to 1/r and negative, as −D³ (1 − r)…, close to 0: one root lies between.
    let excess = |d: f64| d.ln_1p() - (-restitution * d).ln_1p() - d * (1.0 + restitution);
    let (mut low, mut high) = (0.0, 1.0 / restitution);
    loop {
        let middle = 0.5 * (low + high);
        if middle == low || middle == high {
            return middle;
        }
        if excess(middle) > 0.0 { high = middle } else { low = middle }
    }
}
