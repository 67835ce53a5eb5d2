//! How a method is to be used.

/// Which form of the constraints is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formulation {
    /// The method's own first choice.
    #[default]
    Default,
    /// Position constraints only.
    Index3,
    /// Position and velocity constraints both hold (stabilised, after Gear, Gupta and Leimkuhler).
    Index2,
    /// Constraints of accelerations, with q and v kept on the constraints by projection.
    Index1,
}

impl Formulation {
    /// This one, or the first of a method's where the choice is left to it.
    pub fn or_first_of(self, possible: &[Formulation]) -> Self {
        if self == Self::Default { possible.first().copied().unwrap_or(Self::Index3) } else { self }
    }

    /// Name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "the method's choice",
            Self::Index3 => "index 3",
            Self::Index2 => "index 2",
            Self::Index1 => "index 1",
        }
    }
}

/// How many Newton iterations a step takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Iterations {
    /// Until the stopping test is met, with Jacobians reused.
    #[default]
    Converged,
    /// Exactly this many, each with a new Jacobian, from the values of the last step (as in published tables).
    Fixed(usize),
}

/// How the first step is prepared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Startup {
    /// The method's own default.
    #[default]
    Default,
    /// u₀ is the consistent acceleration.
    Consistent,
    /// u₀ and v₀ are corrected so that multipliers are of order 2 from the first step.
    Corrected,
}

/// What error control holds below the tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Norm {
    /// Errors of positions, of velocities and of differential states, each against their own sizes.
    #[default]
    Motion,
    /// As in the papers of the methods: errors of positions and differential states; of velocities only where the paper has them.
    Paper,
}

/// Options of the stepper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Form of the constraints.
    pub formulation: Formulation,
    /// Newton iterations.
    pub iterations: Iterations,
    /// Preparation of the first step.
    pub startup: Startup,
    /// What error control looks at.
    pub norm: Norm,
    /// Highest degree of the predictor, 0–5.
    pub predictor_degree: usize,
    /// With fixed steps: Newton stops when u is known to this part of its change over the step, to which the step's own error is
    /// proportional.
    pub newton_tolerance: f64,
    /// Smallest step that is tried, relative to the time.
    pub smallest_step: f64,
    /// Threads for the factorisation of systems that are large enough (from about two thousand bodies on). Results are the same for any
    /// number, bit for bit. Each factorisation starts its threads anew, which allocates a little; one thread allocates nothing.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            formulation: Formulation::default(),
            iterations: Iterations::default(),
            startup: Startup::default(),
            norm: Norm::default(),
            predictor_degree: 4,
            newton_tolerance: 1e-6,
            smallest_step: 1e-14,
            threads: 1,
        }
    }
}
