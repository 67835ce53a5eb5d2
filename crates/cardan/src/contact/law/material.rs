//! What surfaces are made of, and what two of them do to each other. With the compliances C = (1 − ν²)/E of both,
//!
//! ```text
//! 1/E* = C₁ + C₂                                                                 stiffness by Hertz             (1)
//! r = (C₁ r₁ + C₂ r₂)/(C₁ + C₂)                                                  restitution                    (2)
//! μ = √(μ₁ μ₂)                                                                   each coefficient of friction   (3)
//! ```
//!
//! The softer one is deformed more, and its losses count more (2). What only one of them has is that of the pair.

use super::friction::Friction;

/// A material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// E, Pa; without it nothing is known of the stiffness.
    pub youngs_modulus: Option<f64>,
    /// ν.
    pub poissons_ratio: f64,
    /// The part of the speed that is left.
    pub restitution: Option<f64>,
    /// Friction of the material on itself.
    pub friction: Option<Friction>,
}

impl Default for Material {
    /// Nothing but ν = 0.3.
    fn default() -> Self {
        Self { youngs_modulus: None, poissons_ratio: 0.3, restitution: None, friction: None }
    }
}

impl Material {
    /// With Young's modulus, Pa, and Poisson's ratio.
    pub fn elastic(youngs_modulus: f64, poissons_ratio: f64) -> Self {
        Self { youngs_modulus: Some(youngs_modulus), poissons_ratio, ..Self::default() }
    }

    /// From which so much of the speed is returned.
    pub fn restitution(self, restitution: f64) -> Self {
        Self { restitution: Some(restitution), ..self }
    }

    /// With this friction on itself.
    pub fn friction(self, friction: Friction) -> Self {
        Self { friction: Some(friction), ..self }
    }

    /// C, 1/Pa.
    fn compliance(&self) -> Option<f64> {
        self.youngs_modulus.map(|e| (1.0 - self.poissons_ratio * self.poissons_ratio) / e)
    }

    /// 1/E* (1), 1/Pa.
    pub(super) fn compliance_of([a, b]: [&Self; 2]) -> Option<f64> {
        one_or_both(a.compliance(), b.compliance(), |a, b| a + b)
    }

    /// (2).
    pub(super) fn restitution_of([a, b]: [&Self; 2]) -> Option<f64> {
        let [p, q] = match (a.compliance(), b.compliance()) {
            (Some(p), Some(q)) => [p / (p + q), q / (p + q)],
            _ => [0.5; 2],
        };
        one_or_both(a.restitution, b.restitution, |r, s| p * r + q * s)
    }

    /// (3).
    pub(super) fn friction_of([a, b]: [&Self; 2]) -> Option<Friction> {
        one_or_both(a.friction, b.friction, |f, g| f.on(&g))
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        if let Some(e) = self.youngs_modulus.filter(|e| !(*e > 0.0 && e.is_finite())) {
            return Some(format!("Young's modulus must be positive, it is {e}"));
        }
        if !(self.poissons_ratio > -1.0 && self.poissons_ratio <= 0.5) {
            return Some(format!("Poisson's ratio must be above -1 and not above 0.5, it is {}", self.poissons_ratio));
        }
        if let Some(r) = self.restitution.filter(|r| !(0.001..=1.0).contains(r)) {
            return Some(format!("the restitution must be between 0.001 and 1, it is {r}"));
        }
        self.friction.as_ref().and_then(Friction::mistake)
    }
}

fn one_or_both<T>(a: Option<T>, b: Option<T>, both: impl FnOnce(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(both(a, b)),
        (a, b) => a.or(b),
    }
}
