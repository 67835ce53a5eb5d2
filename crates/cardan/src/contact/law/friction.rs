//! Friction against sliding with the velocity v_t at the normal force N:
//!
//! ```text
//! f = −N φ(s) v_t,     φ = μ(s)/s,    s = |v_t|                                                                (1)
//! smooth:   μ = μ_d tanh(s/v_t) + (μ_s − μ_d) (s/v_t) exp(½ (1 − (s/v_t)²)) + μ_v s                              (2)
//! stepped:  μ rises from 0 to μ_s at v_s and falls to μ_d at v_d, by cubic steps; as in Adams                    (3)
//! ```
//!
//! Either is a regularisation: below the transition speed the contact creeps instead of sticking. Bristles stick; they have differential states (`drag`).

/// How the coefficient depends on speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Regularization {
    /// (2).
    Smooth {
        /// The transition speed, m/s.
        transition: f64,
    },
    /// (3).
    Stepped {
        /// v_s, m/s.
        stiction: f64,
        /// v_d, m/s.
        friction: f64,
    },
    /// By bristles, with differential states, see `drag`.
    Bristles {
        /// v_s, m/s, at which friction has gone from static to dynamic.
        transition: f64,
        /// d, m, at which they give way.
        deflection: f64,
        /// β, s.
        damping: f64,
    },
}

/// Coulomb friction of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// μ_s.
    pub fixed: f64,
    /// μ_d.
    pub moving: f64,
    /// μ_v, s/m, of smooth friction.
    pub viscous: f64,
    /// How it depends on speed.
    pub regularization: Regularization,
}

impl Friction {
    /// One coefficient, with this transition speed, m/s.
    pub fn coulomb(coefficient: f64, transition: f64) -> Self {
        Self { fixed: coefficient, moving: coefficient, viscous: 0.0, regularization: Regularization::Smooth { transition } }
    }

    /// A static and a dynamic coefficient.
    pub fn with_static(mut self, coefficient: f64) -> Self {
        self.fixed = coefficient;
        self
    }

    /// With a part that grows with speed, s/m.
    pub fn with_viscous(mut self, coefficient: f64) -> Self {
        self.viscous = coefficient;
        self
    }

    /// As Adams has it: static coefficient at the stiction speed, dynamic coefficient from the friction speed on, m/s.
    pub fn stepped(fixed: f64, moving: f64, stiction: f64, friction: f64) -> Self {
        Self { fixed, moving, viscous: 0.0, regularization: Regularization::Stepped { stiction, friction } }
    }

    /// With bristles that give way at a deflection, m, and are damped, s, in the place of creeping below the transition speed.
    pub fn with_bristles(mut self, deflection: f64, damping: f64) -> Self {
        self.regularization = Regularization::Bristles { transition: self.transition(), deflection, damping };
        self
    }

    /// Whether it has states.
    pub fn has_bristles(&self) -> bool {
        matches!(self.regularization, Regularization::Bristles { .. })
    }

    /// That of two materials on each other: the geometric means of all coefficients, regularised as the one with the larger transition speed.
    pub fn on(&self, other: &Self) -> Self {
        let mean = |of: fn(&Self) -> f64| (of(self) * of(other)).sqrt();
        let regularization = if self.transition() >= other.transition() { self.regularization } else { other.regularization };
        Self { fixed: mean(|f| f.fixed), moving: mean(|f| f.moving), viscous: mean(|f| f.viscous), regularization }
    }

    /// φ and φ′/s, the slope by ½ s².
    #[inline]
    pub fn at(&self, s: f64) -> (f64, f64) {
        let (mu, slope) = self.coefficient(s);
        // Close to rest μ is linear and the second has no weight.
        let small = 1e-6 * self.transition();
        if s < small { (slope, 0.0) } else { (mu / s, (slope - mu / s) / (s * s)) }
    }

    /// μ and its slope.
    pub fn coefficient(&self, s: f64) -> (f64, f64) {
        match self.regularization {
            Regularization::Smooth { transition } | Regularization::Bristles { transition, .. } => {
                let x = s / transition;
                let (t, hump) = (x.tanh(), (self.fixed - self.moving) * (0.5 * (1.0 - x * x)).exp());
                let slope = (self.moving * (1.0 - t * t) + hump * (1.0 - x * x)) / transition;
                (self.moving * t + hump * x + self.viscous * s, slope + self.viscous)
            }
            // An odd step from −μ_s at −v_s to μ_s at v_s.
            Regularization::Stepped { stiction, .. } if s < stiction => {
                let x = s / stiction;
                (self.fixed * 0.5 * x * (3.0 - x * x), self.fixed * 1.5 * (1.0 - x * x) / stiction)
            }
            Regularization::Stepped { stiction, friction } if s < friction => {
                let (x, rise, span) = ((s - stiction) / (friction - stiction), self.moving - self.fixed, friction - stiction);
                (self.fixed + rise * x * x * (3.0 - 2.0 * x), rise * 6.0 * x * (1.0 - x) / span)
            }
            Regularization::Stepped { .. } => (self.moving, 0.0),
        }
    }

    /// The speed below which the contact creeps, m/s.
    pub fn transition(&self) -> f64 {
        match self.regularization {
            Regularization::Smooth { transition } | Regularization::Bristles { transition, .. } => transition,
            Regularization::Stepped { stiction, .. } => stiction,
        }
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        if !(self.moving >= 0.0 && self.fixed >= self.moving && self.viscous >= 0.0) {
            let Self { fixed, moving, viscous, .. } = self;
            return Some(format!(
                "coefficients of friction must satisfy static ≥ dynamic ≥ 0 and viscous ≥ 0, they are {fixed}, {moving} and {viscous}"
            ));
        }
        if let Regularization::Bristles { deflection, damping, .. } = self.regularization
            && !(deflection > 0.0 && damping >= 0.0 && self.moving > 0.0)
        {
            return Some(format!(
                "bristles need a positive deflection, damping that is not negative and dynamic friction, they are {deflection}, {damping} and {}",
                self.moving
            ));
        }
        let right = match self.regularization {
            Regularization::Smooth { transition } | Regularization::Bristles { transition, .. } => transition > 0.0,
            Regularization::Stepped { stiction, friction } => stiction > 0.0 && friction > stiction,
        };
        (!right).then(|| "transition speeds of friction must be positive, that of sliding above that of sticking".into())
    }
}
