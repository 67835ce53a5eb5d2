//! What may be chosen about an Euler step, and the words for it.

use crate::integrators::Parameter;

macro_rules! words {
    ($(#[$doc:meta])* $Name:ident { $($(#[$about:meta])* $word:literal => $Variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $Name { $($(#[$about])* $Variant),* }

        impl $Name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),*];
            /// By its name in model files.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.name() == word)
            }
            /// Its name in model files.
            pub fn name(self) -> &'static str {
                match self { $(Self::$Variant => $word),* }
            }
        }
    };
}

words! {
    /// Which derivatives of the forces a linear-implicit step contains.
    Jacobian {
        /// All of forces and reactions by the change of velocities, and positions follow the new velocities.
        "symplectic" => Symplectic,
        /// All, and positions follow the new velocities.
        "exact" => Exact,
        /// All, with positions known before.
        "J1" => J1,
        /// The same with the stability of the exact one.
        "J2" => J2,
        /// Only in the direction of the motion.
        "J3" => J3,
        /// As J2, of marked forces.
        "marked" => Marked,
    }
}

words! {
    /// How constraints are met.
    Constraints {
        /// Accelerations; velocities and positions drift off.
        "index1" => Index1,
        /// Velocities; positions drift off.
        "index2" => Index2,
        /// Accelerations, stabilised after Baumgarte.
        "baumgarte1" => Baumgarte1,
        /// Velocities, stabilised after Baumgarte.
        "baumgarte2" => Baumgarte2,
        /// Accelerations, then positions and velocities projected.
        "projection" => Projection,
        /// Velocities at projected positions.
        "ggl" => Ggl,
    }
}

words! {
    /// Where the matrix of projections is taken.
    ProjectionMatrix {
        /// Where the step starts: it is there already.
        "start" => Start,
        /// Where it would end: one more factorisation, and constraints that hold one order of h better.
        "predicted" => Predicted,
    }
}

impl Constraints {
    /// Whether multipliers come from constraints of velocities (3) instead of accelerations (2).
    pub fn of_velocities(self) -> bool {
        matches!(self, Self::Index2 | Self::Baumgarte2 | Self::Ggl)
    }

    /// Whether positions are projected.
    pub fn projects(self) -> bool {
        matches!(self, Self::Projection | Self::Ggl)
    }

    /// Whether Baumgarte's parameters count.
    pub fn stabilized(self) -> bool {
        matches!(self, Self::Baumgarte1 | Self::Baumgarte2)
    }
}

/// What a step watches, besides numbers that are not finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Watch {
    /// Nothing: the methods as they are in papers.
    Nothing,
    /// Turns, energy, and violations of positions as large as the treatment of constraints promises.
    Usual,
    /// The same with this largest violation, m or rad.
    Violation(f64),
}

/// The usual largest violations with and without projections.
const LIMITS: [f64; 2] = [1e-6, 1e-2];

/// All that may be chosen about an Euler step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EulerSettings {
    /// Which derivatives; `None` for explicit steps.
    pub jacobian: Option<Jacobian>,
    /// How constraints are met.
    pub constraints: Constraints,
    /// Baumgarte's α, 1/s; 1/h where it is not given.
    pub alpha: Option<f64>,
    /// Baumgarte's β, 1/s²; 1/h² where it is not given.
    pub beta: Option<f64>,
    /// Steps of the projection of positions.
    pub projections: usize,
    /// With the matrix taken there.
    pub projection_matrix: ProjectionMatrix,
    /// When a motion is too fast.
    pub watch: Watch,
}

impl EulerSettings {
    /// With these, and one step of a projection with the matrix at hand; nothing is watched.
    pub const fn new(jacobian: Option<Jacobian>, constraints: Constraints) -> Self {
        let (projection_matrix, watch) = (ProjectionMatrix::Start, Watch::Nothing);
        Self { jacobian, constraints, alpha: None, beta: None, projections: 1, projection_matrix, watch }
    }

    /// The same, watched as usual.
    pub(super) const fn watched(jacobian: Option<Jacobian>, constraints: Constraints) -> Self {
        Self { watch: Watch::Usual, ..Self::new(jacobian, constraints) }
    }

    /// The largest violation that is let pass, if any is not.
    pub(super) fn limit(&self) -> Option<f64> {
        match self.watch {
            Watch::Nothing => None,
            Watch::Usual => Some(LIMITS[usize::from(!self.constraints.projects())]),
            Watch::Violation(limit) => Some(limit),
        }
    }

    /// With one of them set by its name in model files.
    pub(super) fn with(mut self, parameter: &str, value: Parameter) -> Option<Self> {
        match (parameter, value) {
            ("jacobian", Parameter::Word(word)) if self.jacobian.is_some() => self = self.with_jacobian(Jacobian::named(word)?),
            ("constraints", Parameter::Word(word)) => self = self.with_constraints(Constraints::named(word)?),
            ("projection_matrix", Parameter::Word(word)) => self.projection_matrix = ProjectionMatrix::named(word)?,
            ("alpha", Parameter::Number(alpha)) => self.alpha = Some(alpha),
            ("beta", Parameter::Number(beta)) => self.beta = Some(beta),
            ("largest_violation", Parameter::Number(limit)) => self.watch = Watch::Violation(limit),
            ("projections", Parameter::Number(count)) if count >= 0.0 && count.fract() == 0.0 => self.projections = count as usize,
            _ => return None,
        }
        Some(self)
    }

    /// With another Jacobian, which brings its usual treatment of constraints where it takes the place of the symplectic one.
    fn with_jacobian(self, jacobian: Jacobian) -> Self {
        let constraints = match (self.jacobian, jacobian) {
            (_, Jacobian::Symplectic | Jacobian::Exact) => Constraints::Projection,
            (Some(Jacobian::Symplectic), _) => Constraints::Ggl,
            _ => self.constraints,
        };
        Self { jacobian: Some(jacobian), constraints, ..self }
    }

    /// With another treatment of constraints; what the symplectic Jacobian cannot do is done with `J2`.
    fn with_constraints(self, constraints: Constraints) -> Self {
        let able = self.jacobian != Some(Jacobian::Symplectic) || constraints == Constraints::Projection;
        Self { jacobian: if able { self.jacobian } else { Some(Jacobian::J2) }, constraints, ..self }
    }

    /// What is wrong with them, for a method of this name that meets constraints in one of these ways.
    pub(super) fn mistake(&self, name: &str, possible: &[Constraints]) -> Option<String> {
        if !possible.contains(&self.constraints) {
            let words: Vec<&str> = possible.iter().map(|c| c.name()).collect();
            return Some(format!("{name} meets constraints as {}, not as {}", words.join(", "), self.constraints.name()));
        }
        if self.jacobian == Some(Jacobian::Exact) && self.constraints.of_velocities() {
            return Some(format!(
                "the exact Jacobian finds positions from the new velocities, but constraints = \"{}\" needs them before: use J2, or \
                 constraints = \"projection\"",
                self.constraints.name()
            ));
        }
        if self.jacobian == Some(Jacobian::Symplectic) && self.constraints != Constraints::Projection {
            return Some(format!(
                "a symplectic step finds positions and velocities that satisfy the constraints, which constraints = \"{}\" does not ask for: use \
                 constraints = \"projection\", or J2",
                self.constraints.name()
            ));
        }
        if [self.alpha, self.beta].iter().flatten().any(|x| !(*x > 0.0 && x.is_finite())) {
            return Some("the Baumgarte parameters alpha and beta must be positive".into());
        }
        if matches!(self.watch, Watch::Violation(limit) if limit.is_nan() || limit <= 0.0) {
            return Some("the largest violation that is let pass, largest_violation, must be positive".into());
        }
        if !(1..=MOST_PROJECTIONS).contains(&self.projections) {
            return Some(format!("projections = {} steps of the projection; give 1 to {MOST_PROJECTIONS}", self.projections));
        }
        None
    }
}

/// More steps of a projection with one matrix do not help.
const MOST_PROJECTIONS: usize = 20;
