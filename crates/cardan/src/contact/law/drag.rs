//! The part p of the normal force with which a touch resists sliding, F = N (n − p): of regularised friction
//!
//! ```text
//! p = φ v_t,   δp = φ δv_t + (φ′/s)(v_t·δv_t) v_t,   s = |v_t|                                                     (1)
//! ```
//!
//! and of bristles, which bend by z while they stick, so that nothing creeps (LuGre). Their state is ζ = σ z, a part of the normal force, too:
//!
//! ```text
//! ζ̇ = σ v_t − κ ζ touching,   ζ̇ = −ζ v_s/d apart,   κ = σ s²/√(s² + ε²)/g,   g = μ_d + (μ_s − μ_d) e,   e = exp(−(s/v_s)²)  (2)
//! p = ζ_t + β e (σ v_t − κ ζ_t) + μ_v v_t,   ζ_t = ζ − (n·ζ) n,   σ = μ_s/d                                           (3)
//! δp = (1 − β e κ) δζ_t + (β e σ + μ_v) δv_t + (v_t·δv_t)(β e′ (σ v_t − κ ζ_t) − β e κ′ ζ_t)                          (4)
//! ```
//!
//! with the slopes e′ and κ′ by ½ s². ζ is kept in the axes of marker b, and changes here are those seen from b. d is the deflection at which bristles give
//! way; below ε = v_s/1000 they are springs. Their damping fades with speed, so that what strikes with sliding does not meet more than μ.
//!
//! Reference: Canudas de Wit, Olsson, Åström, Lischinsky, IEEE Trans. Autom. Control 40 (1995), doi:10.1109/9.376053.

use super::friction::{Friction, Regularization};
use crate::math::Vec3;

/// Bristles are springs below this part of the transition speed.
const SPRINGS: f64 = 1e-3;

/// The bristles of a touch.
#[derive(Debug, Clone, Copy)]
pub struct Bristles {
    /// σ, 1/m.
    stiffness: f64,
    /// ζ, world axes.
    deflection: Vec3,
    /// κ and κ′.
    kappa: [f64; 2],
    /// β e and β e′.
    damping: [f64; 2],
    /// μ_v.
    viscous: f64,
}

impl Bristles {
    /// At a sliding velocity, bent so far.
    pub fn of(friction: &Friction, sliding: &Vec3, deflection: Vec3) -> Option<Self> {
        let Regularization::Bristles { transition, deflection: most, damping } = friction.regularization else { return None };
        let (stiffness, square) = (friction.fixed / most, sliding.norm_squared());
        let small = SPRINGS * transition;
        let length = (square + small * small).sqrt();
        let (speed, speed_slope) = (square / length, (square + 2.0 * small * small) / (length * length * length));
        let e = (-square / (transition * transition)).exp();
        let e_slope = -2.0 * e / (transition * transition);
        let span = friction.fixed - friction.moving;
        let (g, g_slope) = (friction.moving + span * e, span * e_slope);
        let kappa = [stiffness * speed / g, stiffness * (speed_slope - speed * g_slope / g) / g];
        Some(Self { stiffness, deflection, kappa, damping: [damping * e, damping * e_slope], viscous: friction.viscous })
    }

    /// ζ̇ of a touch.
    pub fn rate(&self, sliding: &Vec3) -> Vec3 {
        sliding * self.stiffness - self.deflection * self.kappa[0]
    }

    /// Its change.
    pub fn change_of_rate(&self, sliding: &Vec3, change: &Vec3) -> Vec3 {
        change * self.stiffness - self.deflection * (self.kappa[1] * sliding.dot(change))
    }

    /// −∂ζ̇/∂ζ.
    pub fn decay(&self) -> f64 {
        self.kappa[0]
    }
}

/// How fast bristles straighten that touch nothing, 1/s.
pub fn straightening(friction: &Friction) -> f64 {
    match friction.regularization {
        Regularization::Bristles { transition, deflection, .. } => transition / deflection,
        Regularization::Smooth { .. } | Regularization::Stepped { .. } => 0.0,
    }
}

/// What resists sliding.
#[derive(Debug, Clone, Copy)]
pub enum Drag {
    /// Nothing.
    None,
    /// (1), by φ and φ′/s.
    Sliding(f64, f64),
    /// (3).
    Bristles(Bristles),
}

impl Drag {
    /// Of friction at a sliding velocity; of bristles that are bent so far, in world axes.
    pub fn of(friction: &Friction, sliding: &Vec3, deflection: Vec3) -> Self {
        match Bristles::of(friction, sliding, deflection) {
            Some(bristles) => Self::Bristles(bristles),
            None => {
                let (phi, bend) = friction.at(sliding.norm());
                Self::Sliding(phi, bend)
            }
        }
    }

    /// p.
    pub fn part(&self, n: &Vec3, sliding: &Vec3) -> Vec3 {
        match self {
            Self::None => Vec3::zeros(),
            Self::Sliding(phi, _) => sliding * *phi,
            Self::Bristles(b) => {
                let bent = tangential(n, &b.deflection);
                bent + (sliding * b.stiffness - bent * b.kappa[0]) * b.damping[0] + sliding * b.viscous
            }
        }
    }

    /// δp by changes of the normal and of the sliding velocity.
    pub fn change(&self, n: &Vec3, sliding: &Vec3, normal: &Vec3, change: &Vec3) -> Vec3 {
        match self {
            Self::None => Vec3::zeros(),
            Self::Sliding(phi, bend) => change * *phi + sliding * (bend * sliding.dot(change)),
            Self::Bristles(b) => {
                let (bent, slower) = (tangential(n, &b.deflection), sliding.dot(change));
                let turned = -normal * n.dot(&b.deflection) - n * normal.dot(&b.deflection);
                let fading = (sliding * b.stiffness - bent * b.kappa[0]) * b.damping[1] - bent * (b.damping[0] * b.kappa[1]);
                turned * self.by_deflection() + change * (b.damping[0] * b.stiffness + b.viscous) + fading * slower
            }
        }
    }

    /// ∂p/∂ζ_t.
    pub fn by_deflection(&self) -> f64 {
        if let Self::Bristles(b) = self { 1.0 - b.damping[0] * b.kappa[0] } else { 0.0 }
    }
}

/// The part of a vector along a surface.
pub fn tangential(n: &Vec3, x: &Vec3) -> Vec3 {
    x - n * n.dot(x)
}
