//! Normal forces of contacts. With the depth δ = −g, where positive, and its rate δ̇, positive on the way in:
//!
//! ```text
//! N = max(0, E(δ) + damping),    E = k δᵉ                                                                     (1)
//! stepped:        c STEP(δ, 0, 0, d, 1) δ̇                       Adams' IMPACT                                   (2)
//! proportional:   E(δ) χ δ̇                                      Hunt and Crossley                               (3)
//! ```
//!
//! Both kinds of damping begin at zero, so that N is continuous. With (3), whatever k, e and the masses, a body that comes in with v leaves with r v
//! where D = χ v satisfies
//!
//! ```text
//! D (1 + r) = ln((1 + D)/(1 − r D)),     0 < D < 1/r                                                           (4)
//! ```
//!
//! Hertz: balls of radius R₁ and R₂ have e = 3/2, k = 4/3 E* √R, 1/E* = Σ (1 − ν²)/E, 1/R = 1/R₁ + 1/R₂ (a flat one has 1/R = 0).
//!
//! References: Hunt, Crossley, J. Appl. Mech. 42 (1975), doi:10.1115/1.3423596; Johnson, Contact Mechanics, doi:10.1017/CBO9781139171731.

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
        /// v, the speed at which it holds, m/s.
        speed: f64,
    },
}

/// The law of the normal force (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalLaw {
    /// k, N/mᵉ.
    pub stiffness: f64,
    /// e.
    pub exponent: f64,
    /// What is lost.
    pub damping: Damping,
    /// χ, s/m.
    factor: f64,
}

/// The normal force at a depth and rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Normal {
    /// N.
    pub force: f64,
    /// ∂N/∂δ and ∂N/∂δ̇.
    pub by_depth: f64,
    pub by_rate: f64,
    /// E.
    pub elastic: f64,
    /// ∫E.
    pub potential: f64,
}

/// A material, for Hertz's law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// E, Pa.
    pub youngs_modulus: f64,
    /// ν.
    pub poissons_ratio: f64,
}

impl NormalLaw {
    /// k δᵉ without losses.
    pub fn elastic(stiffness: f64, exponent: f64) -> Self {
        Self { stiffness, exponent, damping: Damping::None, factor: 0.0 }
    }

    /// Adams' IMPACT: stiffness k, exponent e, damping c, all of which acts from depth d on.
    pub fn impact(stiffness: f64, exponent: f64, damping: f64, depth: f64) -> Self {
        Self { damping: Damping::Stepped { damping, depth }, ..Self::elastic(stiffness, exponent) }
    }

    /// Hertz's law between two materials whose surfaces have these curvatures 1/R, added up.
    pub fn hertz(materials: [Material; 2], curvature: f64) -> Self {
        let compliance: f64 = materials.iter().map(|m| (1.0 - m.poissons_ratio * m.poissons_ratio) / m.youngs_modulus).sum();
        Self::elastic(4.0 / 3.0 / compliance / curvature.sqrt(), 1.5)
    }

    /// With damping such that what comes in at this speed leaves with the given part of it.
    pub fn restitution(mut self, restitution: f64, speed: f64) -> Self {
        (self.damping, self.factor) = (Damping::Proportional { restitution, speed }, damping_for(restitution) / speed);
        self
    }

    /// Whether it loses energy.
    pub fn loses(&self) -> bool {
        matches!(self.damping, Damping::Stepped { .. }) || self.factor != 0.0
    }

    /// N and its derivatives.
    #[inline]
    pub fn at(&self, depth: f64, rate: f64) -> Normal {
        if depth <= 0.0 {
            return Normal { force: 0.0, by_depth: 0.0, by_rate: 0.0, elastic: 0.0, potential: 0.0 };
        }
        let elastic = self.stiffness * depth.powf(self.exponent);
        let slope = self.exponent * elastic / depth;
        let (lost, by_depth, by_rate) = match self.damping {
            Damping::None => (0.0, 0.0, 0.0),
            Damping::Stepped { damping, depth: whole } => {
                let s = (depth / whole).min(1.0);
                let (step, rise) = (s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / whole);
                (damping * step * rate, damping * rise * rate, damping * step)
            }
            Damping::Proportional { .. } => (elastic * self.factor * rate, slope * self.factor * rate, elastic * self.factor),
        };
        let potential = elastic * depth / (self.exponent + 1.0);
        if elastic + lost > 0.0 {
            Normal { force: elastic + lost, by_depth: slope + by_depth, by_rate, elastic, potential }
        } else {
            Normal { force: 0.0, by_depth: 0.0, by_rate: 0.0, elastic, potential }
        }
    }

    /// How long a mass alone would be in contact that is now at this depth and rate: half of a period with the stiffness k* at the depth δ* where
    /// all its energy is stored,
    ///
    /// ```text
    /// ½ m δ̇² + ∫E(δ) = ∫E(δ*),    k* = E′(δ*),    T = π √(m/k*)                                                (5)
    /// ```
    ///
    /// exact for e = 1 and a quarter too short for e = 3/2.
    pub fn duration(&self, mass: f64, depth: f64, rate: f64) -> f64 {
        let stored = if depth > 0.0 { self.stiffness * depth.powf(self.exponent + 1.0) / (self.exponent + 1.0) } else { 0.0 };
        let energy = 0.5 * mass * rate * rate + stored;
        let deepest = ((self.exponent + 1.0) * energy / self.stiffness).powf(1.0 / (self.exponent + 1.0));
        let stiffness = self.exponent * self.stiffness * deepest.powf(self.exponent - 1.0);
        std::f64::consts::PI * (mass / stiffness).sqrt()
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        if !(self.stiffness > 0.0 && self.stiffness.is_finite()) {
            return Some(format!("the stiffness must be positive, it is {}", self.stiffness));
        }
        if !(self.exponent >= 1.0 && self.exponent.is_finite()) {
            return Some(format!("the exponent must be at least 1, it is {}", self.exponent));
        }
        match self.damping {
            Damping::Stepped { damping, depth } if !(damping >= 0.0 && depth > 0.0) => {
                Some(format!("damping must not be negative and its depth must be positive, they are {damping} and {depth}"))
            }
            Damping::Proportional { speed, .. } if !(speed > 0.0 && self.factor.is_finite()) => {
                Some("the restitution must be between 0.001 and 1 and the speed at which it holds positive".into())
            }
            _ => None,
        }
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
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}
