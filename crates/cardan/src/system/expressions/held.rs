//! Values that are held between samples or until they are switched; they stand behind the inputs in [`State::inputs`].

use super::Expression;
use crate::control::{Clock, Phase};
use crate::system::{State, System, Work};

/// A held value.
#[derive(Debug, Clone)]
pub struct CompiledHeld {
    /// Its name.
    pub name: String,
    /// Its new value at a sample.
    pub(in crate::system) expression: Option<Expression>,
    /// When it is sampled.
    pub clock: Clock,
    /// When within a sample.
    pub phase: Phase,
    /// Standard deviation of noise that is added, and its seed.
    pub noise: Option<(f64, u64)>,
}

/// What an event sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Setting {
    /// An entry of [`State::inputs`].
    Held(usize, f64),
    /// An entry of [`State::x`].
    State(usize, f64),
}

impl Setting {
    /// Whether it is a held value.
    pub fn is_held(&self) -> bool {
        matches!(self, Setting::Held(..))
    }

    /// Sets it.
    pub fn apply(self, x: &mut State) {
        match self {
            Setting::Held(k, value) => x.inputs[k] = value,
            Setting::State(k, value) => x.x[k] = value,
        }
    }
}

impl System {
    /// The held values; the first one is at the place [`System::first_held`] of [`State::inputs`].
    pub fn held(&self) -> &[CompiledHeld] {
        &self.held
    }

    /// The number of inputs, behind which held values stand.
    pub fn first_held(&self) -> usize {
        self.inputs.len()
    }

    /// The new value of a held value, at a state with consistent accelerations and reactions.
    pub fn sampled_value(&self, held: usize, x: &State, work: &mut Work) -> f64 {
        self.prepare_readings(x, work);
        let now = x.inputs[self.first_held() + held];
        self.held[held].expression.as_ref().map_or(now, |e| self.read(e, x, work))
    }

    /// What an event of the model sets.
    pub fn event_settings(&self, event: usize) -> &[Setting] {
        &self.events[event].settings
    }
}
