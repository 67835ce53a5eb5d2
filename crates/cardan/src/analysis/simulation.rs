//! A simulation to be made, in the words of the user: which method, which steps, what to record, which events. What can be wrong with
//! the settings is in `settings`; the run itself in `dynamics`.

use super::events::Event;
use super::hints::Steps;
use crate::integrators::{Formulation, Method, Norm, Options, Radau};
use crate::results::Keep;
use crate::system::System;
use std::sync::Arc;

/// Steps in an impact, of methods of low and of high order.
const IMPACT_STEPS: [f64; 2] = [40.0, 10.0];
const HIGH_ORDER: usize = 4;

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

/// Where a run starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Start {
    /// Where the model is placed.
    #[default]
    Placed,
    /// Where it comes to rest from there, the motions being held, with the velocities that it was given.
    Equilibrium,
}

/// How steps are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Size {
    /// All of this size, s.
    Fixed(f64),
    /// By error control at this tolerance.
    Controlled(f64),
}

impl Size {
    /// The same without the number.
    pub fn steps(self) -> Steps {
        if matches!(self, Size::Fixed(_)) { Steps::Fixed } else { Steps::Controlled }
    }
}

/// A run to be made: system, method, step choice, output, events.
///
/// ```
/// use cardan::prelude::*;
/// let mut model = Model::new("oscillator");
/// let mass = model.add_body(Body::point("mass", 1.0).at([1.5, 0.0, 0.0]));
/// let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
/// model.add_force(SpringDamper::new("spring", i, j).stiffness(100.0).free_length(1.0));
/// let system = System::new(&model)?;
/// let simulation = Simulation::new(&system).method(GeneralizedAlpha::default()).tolerance(1e-7).record(Record::Interval(0.01));
/// let results = simulation.run(1.0)?;
/// let x = results.channel(&system, "mass.position.x")?;
/// assert!((x[100] - (1.0 + 0.5 * 10.0_f64.cos())).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a simulation does nothing until it is run"]
pub struct Simulation<'s> {
    pub(super) system: &'s System,
    pub(super) method: Arc<dyn Method>,
    pub(super) options: Options,
    pub(super) size: Size,
    pub(super) start: Start,
    pub(super) record: Record,
    pub(super) keep: Keep,
    pub(super) first_step: Option<f64>,
    pub(super) largest_step: Option<f64>,
    pub(super) contact_steps: Option<f64>,
    pub(super) events: Vec<Event>,
}

impl<'s> Simulation<'s> {
    /// With Radau IIA and error control at 1e-5, recording every step.
    pub fn new(system: &'s System) -> Self {
        Self {
            system,
            method: Arc::new(Radau),
            options: Options::default(),
            size: Size::Controlled(1e-5),
            start: Start::Placed,
            record: Record::Steps,
            keep: Keep::All,
            first_step: None,
            largest_step: None,
            contact_steps: None,
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

    /// Never steps further than this. By default error control steps no further than the interval between samples, if there is one;
    /// an infinite step frees it.
    pub fn largest_step(mut self, h: f64) -> Self {
        self.largest_step = Some(h);
        self
    }

    /// Error control makes at least about so many steps in an impact that has all the kinetic energy, fewer in smaller ones; zero leaves impacts to
    /// error control alone.
    pub fn contact_steps(mut self, steps: f64) -> Self {
        self.contact_steps = Some(steps);
        self
    }

    /// The number of steps in an impact.
    pub(super) fn steps_of_impacts(&self) -> f64 {
        let of_method = if self.method.order() < HIGH_ORDER { IMPACT_STEPS[0] } else { IMPACT_STEPS[1] };
        self.contact_steps.unwrap_or(of_method)
    }

    /// The longest step of error control.
    pub(super) fn longest(&self) -> f64 {
        match (self.largest_step, &self.record) {
            (Some(h), _) => h,
            (None, Record::Interval(interval)) => *interval,
            (None, _) => f64::INFINITY,
        }
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

    /// Starts there.
    pub fn start(mut self, start: Start) -> Self {
        self.start = start;
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
}
