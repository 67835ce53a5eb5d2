//! What a model holds as text besides forces and constraints: variables, differential states, inputs, sensors, events.

use crate::control::Clock;

/// An algebraic variable, read by expressions as VARVAL(name).
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Unique name.
    pub name: String,
    /// Its value.
    pub function: String,
    /// Where its value comes from.
    pub solution: Solution,
}

/// Where the value of a variable comes from.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Solution {
    /// Its function stands where it is read; it becomes an unknown of its own only where variables read each other in a loop.
    #[default]
    Substituted,
    /// It is an unknown of its own, solved for together with the motion from this first guess on.
    Solved(f64),
}

impl Variable {
    /// A variable of this value.
    pub fn new(name: &str, function: impl Into<String>) -> Self {
        Self { name: name.into(), function: function.into(), solution: Solution::Substituted }
    }

    /// As an unknown of its own, y = function, which may read y itself; `guess` is where the search for it starts.
    pub fn solved_from(mut self, guess: f64) -> Self {
        self.solution = Solution::Solved(guess);
        self
    }
}

/// A state of its own with ẋ = f, read by expressions as DIF(name), its rate as DIF1(name).
#[derive(Debug, Clone, PartialEq)]
pub struct Differential {
    /// Unique name.
    pub name: String,
    /// f or d, a function of time, the motion, variables and other states.
    pub function: String,
    /// x at the start.
    pub initial: f64,
    /// What the function means.
    pub form: Form,
}

/// What the function of a differential state means.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// ẋ = f.
    Rate,
    /// 0 = d, from which ẋ is solved for.
    Equation,
    /// No state but a variable y = f that is solved for: y is its rate, `initial` the first guess. Holds the loop of variables that
    /// it closes, for messages.
    Algebraic(String),
}

impl Differential {
    /// The state that follows ẋ = `function` from `initial` on.
    pub fn new(name: &str, function: impl Into<String>, initial: f64) -> Self {
        Self { name: name.into(), function: function.into(), initial, form: Form::Rate }
    }

    /// The state that follows 0 = `equation`, in which its rate is DIF1(name), from `initial` on.
    pub fn implicit(name: &str, equation: impl Into<String>, initial: f64) -> Self {
        Self { form: Form::Equation, ..Self::new(name, equation, initial) }
    }
}

/// A number that is set from outside between the steps of a real-time run, read by expressions as INPUT(name).
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// Unique name.
    pub name: String,
    /// Its value until it is set, and in all other runs.
    pub initial: f64,
}

/// Something to record: a function of the motion, accelerations and reactions included.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a sensor has to be added to a model"]
pub struct Sensor {
    /// Unique name.
    pub name: String,
    /// What it measures.
    pub function: String,
    /// The unit its values are given in; where there is none, the SI unit of the function's dimension.
    pub unit: Option<String>,
    /// How it differs from an ideal sensor.
    pub errors: SensorErrors,
}

/// How a sensor differs from an ideal one. All numbers are in SI units.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SensorErrors {
    /// A constant that is added.
    pub bias: f64,
    /// Standard deviation of normally distributed noise, which is new at every sample.
    pub noise: f64,
    /// Seed of the noise.
    pub seed: u64,
    /// When it is sampled; between samples its value is held.
    pub clock: Option<Clock>,
}

impl SensorErrors {
    /// What is wrong with them, if anything.
    pub fn mistake(&self) -> Option<String> {
        match self.clock {
            None if self.noise != 0.0 => Some("noise needs a sample time: it is new at every sample".into()),
            Some(c) if !(c.period > 0.0 && c.period.is_finite()) => Some(format!("its sample time must be positive, it is {} s", c.period)),
            Some(c) if !(c.offset >= 0.0 && c.offset.is_finite()) => Some(format!("its offset must not be negative, it is {} s", c.offset)),
            _ if !(self.noise >= 0.0 && self.noise.is_finite() && self.bias.is_finite()) => {
                Some(format!("noise must not be negative and bias finite, they are {} and {}", self.noise, self.bias))
            }
            _ => None,
        }
    }
}

impl Sensor {
    /// A sensor of this function.
    pub fn new(name: &str, function: impl Into<String>) -> Self {
        Self { name: name.into(), function: function.into(), unit: None, errors: SensorErrors::default() }
    }

    /// With these errors.
    pub fn errors(mut self, errors: SensorErrors) -> Self {
        self.errors = errors;
        self
    }

    /// In this unit.
    pub fn unit(mut self, unit: Option<&str>) -> Self {
        self.unit = unit.map(Into::into);
        self
    }
}

/// Which crossings count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// Both.
    #[default]
    Any,
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

impl Direction {
    /// Whether going from `before` to `after` is a crossing of this direction.
    pub fn crossed(self, before: f64, after: f64) -> bool {
        match self {
            Direction::Any => (before < 0.0 && after >= 0.0) || (before > 0.0 && after <= 0.0),
            Direction::Rising => before < 0.0 && after >= 0.0,
            Direction::Falling => before > 0.0 && after <= 0.0,
        }
    }
}

/// An event of the model: where a function crosses zero. Every simulation of the model watches it.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "an event has to be added to a model"]
pub struct ModelEvent {
    /// Unique name.
    pub name: String,
    /// The function.
    pub function: String,
    /// Which crossings count.
    pub direction: Direction,
    /// Whether the run ends there.
    pub terminal: bool,
}

impl ModelEvent {
    /// At the zeros of a function, in both directions.
    pub fn new(name: &str, function: impl Into<String>) -> Self {
        Self { name: name.into(), function: function.into(), direction: Direction::Any, terminal: false }
    }

    /// Counts only crossings of this direction.
    pub fn direction(self, direction: Direction) -> Self {
        Self { direction, ..self }
    }

    /// Ends the run.
    pub fn terminal(self) -> Self {
        Self { terminal: true, ..self }
    }
}
