//! What is wrong with the settings of a simulation, found before anything is computed: numbers that make no sense whatever the model is,
//! and settings that do not go together or not with the model.

use super::simulation::{Record, Simulation, Size};
use super::simulation_error::SimulationError;
use crate::integrators::{Formulation, Iterations};

/// Steps and samples of a run at most: beyond that a step is lost in the round-off of the time.
const MOST: f64 = 1e12;
/// Threads at most; machines have fewer processors.
const MOST_THREADS: usize = 1024;

/// A setting that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The setting, as it is called in model files: `tolerance`, `output_interval`, …
    pub setting: &'static str,
    /// What is wrong with it, and what it should be.
    pub message: String,
}

impl Mistake {
    /// This one is wrong with this setting.
    pub fn new(setting: &'static str, message: impl Into<String>) -> Self {
        Self { setting, message: message.into() }
    }
}

impl Simulation<'_> {
    /// Everything that is wrong with the settings of a run to `t_end`.
    pub fn mistakes(&self, t_end: f64) -> Vec<Mistake> {
        self.wrong_values(t_end).into_iter().chain(self.wrong_together()).collect()
    }

    /// The first mistake as an error.
    pub(super) fn check(&self, t_end: f64) -> Result<(), SimulationError> {
        let first = self.mistakes(t_end).into_iter().next();
        first.map_or(Ok(()), |mistake| Err(SimulationError::Settings(mistake.message)))
    }

    /// Numbers that make no sense whatever the model and the other settings are.
    pub fn wrong_values(&self, t_end: f64) -> Vec<Mistake> {
        let mut all: Vec<Mistake> = self.method.mistake().map(|text| Mistake::new("method", text)).into_iter().collect();
        let run = if t_end > 0.0 && t_end.is_finite() {
            t_end
        } else {
            all.push(Mistake::new("t_end", format!("the end time must be positive, it is {t_end} s")));
            f64::NAN
        };
        all.extend(self.wrong_sizes(run));
        all.extend(self.wrong_record(run));
        if !(1..=MOST_THREADS).contains(&self.options.threads) {
            let message = format!("the number of threads must be between 1 and {MOST_THREADS}, it is {}", self.options.threads);
            all.push(Mistake::new("threads", message));
        }
        if self.options.iterations == Iterations::Fixed(0) {
            all.push(Mistake::new("newton_iterations", "there must be at least one Newton iteration a step"));
        }
        all
    }

    /// Steps and tolerance.
    fn wrong_sizes(&self, t_end: f64) -> Vec<Mistake> {
        let first = self.first_step.and_then(|h| duration("first_step", "the first step", h, f64::NAN));
        let contact = self.contact_steps.filter(|n| !(*n >= 0.0 && n.is_finite()));
        let contact =
            contact.map(|n| Mistake::new("contact_steps", format!("the number of steps in an impact must not be negative, it is {n}")));
        // No limit is infinitely large.
        let largest = self.largest_step.filter(|h| *h != f64::INFINITY);
        let largest = largest.and_then(|h| duration("largest_step", "the largest step", h, t_end));
        let size = match self.size {
            Size::Fixed(h) => duration("step", "the step", h, t_end),
            Size::Controlled(e) if e > 0.0 && e < 1.0 => None,
            Size::Controlled(e) => {
                let message = format!("the tolerance must be between 0 and 1, it is {e}; 1e-3 to 1e-9 are usual");
                Some(Mistake::new("tolerance", message))
            }
        };
        [size, first, largest, contact].into_iter().flatten().collect()
    }

    /// What is recorded.
    fn wrong_record(&self, t_end: f64) -> Option<Mistake> {
        match &self.record {
            Record::Interval(interval) => duration("output_interval", "the time between samples", *interval, t_end),
            Record::Times(times) if !times.iter().all(|t| t.is_finite()) => Some(Mistake::new("times", "a time to record is not finite")),
            Record::Times(times) if !times.is_sorted() => Some(Mistake::new("times", "the times to record must increase")),
            _ => None,
        }
    }

    /// Settings that do not go together, or not with the model.
    pub fn wrong_together(&self) -> Vec<Mistake> {
        let (name, used) = (self.method.name(), self.formulation_used());
        let mut all = Vec::new();
        let possible = self.method.formulations();
        if !possible.contains(&used) {
            let names: Vec<_> = possible.iter().map(|f| f.name()).collect();
            let message = format!("{name} solves the constraints as {}, not as {}", names.join(" or "), used.name());
            all.push(Mistake::new("formulation", message));
        }
        let Size::Controlled(_) = self.size else { return all };
        if !self.method.adaptive() {
            let message = format!("{name} does not estimate its error: give it a fixed step instead of a tolerance");
            all.push(Mistake::new("tolerance", message));
        } else if self.method.undamped() && used == Formulation::Index3 && self.system.rows() > 0 {
            let message = format!(
                "{name} without numerical damping cannot control the error of index-3 constraints: its multipliers oscillate without bound \
                 when the step changes. Add damping, use the index-2 formulation, or fixed steps"
            );
            all.push(Mistake::new("tolerance", message));
        }
        if self.options.iterations != Iterations::Converged {
            let message = "a fixed number of Newton iterations needs fixed steps: the error estimate would be meaningless";
            all.push(Mistake::new("newton_iterations", message));
        }
        all
    }
}

/// A time that must be positive, and not lost in a run to `t_end`.
fn duration(setting: &'static str, what: &str, h: f64, t_end: f64) -> Option<Mistake> {
    if !(h > 0.0 && h.is_finite()) {
        return Some(Mistake::new(setting, format!("{what} must be positive, it is {h} s")));
    }
    let parts = t_end / h;
    let message = || {
        format!("{what} of {h:e} s divides the run of {t_end} s into {parts:.1e} parts; the clock does not resolve more than {MOST:.0e}")
    };
    (parts > MOST).then(|| Mistake::new(setting, message()))
}
