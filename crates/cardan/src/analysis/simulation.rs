//! A simulation to be made, in the words of the user: which method, which steps, what to record, which events. The settings are
//! checked before anything is computed; the run itself is in `dynamics`.

use super::events::Event;
use super::simulation_error::SimulationError;
use crate::integrators::{Formulation, Hht, Iterations, Method, Norm, Options};
use crate::results::Keep;
use crate::system::System;
use std::sync::Arc;

/// What is recorded.
#[derive(Debug, Clone, PartialEq)]
pub enum Record {
    /// Every accepted step.
    Steps,
    /// At multiples of this interval, by dense output.
    Interval(f64),
    /// At these times, which increase; steps end exactly there. Start, events and end too.
    Times(Vec<f64>),
    /// Only start, events and end.
    Ends,
}

/// How steps are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Size {
    /// All of this size, s.
    Fixed(f64),
    /// By error control at this tolerance.
    Controlled(f64),
}

/// A run to be made: system, method, step choice, output, events.
#[derive(Debug)]
pub struct Simulation<'s> {
    pub(super) system: &'s System,
    pub(super) method: Arc<dyn Method>,
    pub(super) options: Options,
    pub(super) size: Size,
    pub(super) record: Record,
    pub(super) keep: Keep,
    pub(super) first_step: Option<f64>,
    pub(super) largest_step: f64,
    pub(super) events: Vec<Event>,
}

impl<'s> Simulation<'s> {
    /// With HHT and error control at 1e-5, recording every step.
    pub fn new(system: &'s System) -> Self {
        Self {
            system,
            method: Arc::new(Hht::default()),
            options: Options::default(),
            size: Size::Controlled(1e-5),
            record: Record::Steps,
            keep: Keep::All,
            first_step: None,
            largest_step: f64::INFINITY,
            events: Event::of_model(system),
        }
    }

    /// With this method.
    pub fn method(self, method: impl Method + 'static) -> Self {
        self.shared_method(Arc::new(method))
    }

    /// With this method, shared.
    pub fn shared_method(mut self, method: Arc<dyn Method>) -> Self {
        self.method = method;
        self
    }

    /// Name of the method.
    pub fn method_name(&self) -> &'static str {
        self.method.name()
    }

    /// With fixed steps of this size, s.
    pub fn step(mut self, h: f64) -> Self {
        self.size = Size::Fixed(h);
        self
    }

    /// With error control at this tolerance.
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.size = Size::Controlled(tolerance);
        self
    }

    /// Starts error control with this step instead of an estimated one.
    pub fn first_step(mut self, h: f64) -> Self {
        self.first_step = Some(h);
        self
    }

    /// Never steps further than this.
    pub fn largest_step(mut self, h: f64) -> Self {
        self.largest_step = h;
        self
    }

    /// With this form of the constraints.
    pub fn formulation(mut self, formulation: Formulation) -> Self {
        self.options.formulation = formulation;
        self
    }

    /// With error control of this.
    pub fn norm(mut self, norm: Norm) -> Self {
        self.options.norm = norm;
        self
    }

    /// With these options of the stepper.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Records this.
    pub fn record(mut self, record: Record) -> Self {
        self.record = record;
        self
    }

    /// Keeps these of the recorded samples in memory.
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// Watches for this event.
    pub fn event(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }

    /// The form of the constraints that is solved.
    pub fn formulation_used(&self) -> Formulation {
        self.options.formulation.or_first_of(self.method.formulations())
    }

    /// What is wrong with the settings, before anything is computed.
    pub(super) fn check(&self, t_end: f64) -> Result<(), SimulationError> {
        let wrong = |text: String| Err(SimulationError::Settings(text));
        if let Some(mistake) = self.method.mistake() {
            return wrong(mistake);
        }
        if !(t_end > 0.0 && t_end.is_finite()) {
            return wrong(format!("the end time must be positive, it is {t_end} s"));
        }
        if self.options.threads == 0 {
            return wrong("the number of threads must be at least 1".into());
        }
        if matches!(&self.record, Record::Times(times) if !times.is_sorted()) {
            return wrong("the times to record must increase".into());
        }
        let possible = self.method.formulations();
        if !possible.contains(&self.formulation_used()) {
            let names: Vec<_> = possible.iter().map(|f| f.name()).collect();
            return wrong(format!(
                "{} solves the constraints as {}, not as {}",
                self.method.name(),
                names.join(" or "),
                self.formulation_used().name()
            ));
        }
        match self.size {
            Size::Fixed(h) if !(h > 0.0 && h.is_finite()) => wrong(format!("the step must be positive, it is {h} s")),
            Size::Controlled(e) if !(e > 0.0 && e < 1.0) => wrong(format!("the tolerance must be between 0 and 1, it is {e}")),
            Size::Controlled(_) if !self.method.adaptive() => {
                wrong(format!("{} does not estimate its error: give it a fixed step instead of a tolerance", self.method.name()))
            }
            Size::Controlled(_) if self.method.undamped() && self.formulation_used() == Formulation::Index3 && self.system.rows() > 0 => {
                wrong(format!(
                    "{} without numerical damping cannot control the error of index-3 constraints: its multipliers oscillate without bound \
                     when the step changes. Add damping, use the index-2 formulation, or fixed steps",
                    self.method.name()
                ))
            }
            Size::Controlled(_) if self.options.iterations != Iterations::Converged => {
                wrong("a fixed number of Newton iterations needs fixed steps: the error estimate would be meaningless".into())
            }
            _ => Ok(()),
        }
    }
}
