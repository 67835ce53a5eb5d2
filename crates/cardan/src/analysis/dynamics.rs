//! The simulation: the only loop over time. Asks the stepper for steps, decides, locates events, records.

use super::assemble::assemble;
use super::events::{Event, RootSearch};
use super::simulation_error::{SimulationError, advice};
use crate::integrators::{Formulation, Hht, Iterations, Method, Options, StepControl, StepError, Stepper};
use crate::results::{EventRecord, Results, interpolate};
use crate::system::{KktError, State, System};
use std::sync::Arc;

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Record {
    /// Every accepted step.
    Steps,
    /// At multiples of this interval, by dense output.
    Interval(f64),
    /// Only start, events and end.
    Ends,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Size {
    Fixed(f64),
    Controlled(f64),
}

/// A run to be made: system, method, step choice, output, events.
#[derive(Debug)]
pub struct Simulation<'s> {
    system: &'s System,
    method: Arc<dyn Method>,
    options: Options,
    size: Size,
    record: Record,
    first_step: Option<f64>,
    largest_step: f64,
    events: Vec<Event>,
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
            first_step: None,
            largest_step: f64::INFINITY,
            events: Vec::new(),
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

    /// Watches for this event.
    pub fn event(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }

    /// Assembles the mechanism and runs to `t_end`.
    pub fn run(&self, t_end: f64) -> Result<Results, SimulationError> {
        self.check(t_end)?;
        let assembly = assemble(self.system)?;
        let mut results = Results { warnings: assembly.warnings.clone(), ..Results::default() };
        let stepper = Stepper::new(self.system, self.method.clone(), self.options, &assembly.state, &assembly.redundancy.regularization);
        let mut run = Run { simulation: self, stepper, control: StepControl::default(), t_end, h: 0.0, before: Vec::new(), outputs: 1 };
        let outcome = run.all(&mut results);
        results.statistics = run.stepper.statistics();
        match outcome {
            Ok(()) => Ok(results),
            Err(failure) => Err(failure.with(results)),
        }
    }

    fn check(&self, t_end: f64) -> Result<(), SimulationError> {
        let wrong = |text: String| Err(SimulationError::Settings(text));
        if let Some(mistake) = self.method.mistake() {
            return wrong(mistake);
        }
        if !(t_end > 0.0 && t_end.is_finite()) {
            return wrong(format!("the end time must be positive, it is {t_end} s"));
        }
        match self.size {
            Size::Fixed(h) if !(h > 0.0 && h.is_finite()) => wrong(format!("the step must be positive, it is {h} s")),
            Size::Controlled(e) if !(e > 0.0 && e < 1.0) => wrong(format!("the tolerance must be between 0 and 1, it is {e}")),
            Size::Controlled(_) if self.method.undamped() && self.options.formulation == Formulation::Index3 && self.system.rows() > 0 => {
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

/// A failure before the results are attached.
enum Failure {
    Start(f64, KktError),
    Step(f64, f64, StepError, bool),
    TooSmall(f64, f64),
}

impl Failure {
    fn with(self, results: Results) -> SimulationError {
        let results = Box::new(results);
        match self {
            Failure::Start(t, error) => SimulationError::Start { t, error, results },
            Failure::Step(t, h, error, fixed) => {
                let advice = advice(&error, fixed);
                SimulationError::Step { t, h, error, advice, results }
            }
            Failure::TooSmall(t, h) => SimulationError::TooSmall { t, h, results },
        }
    }
}

/// A run under way.
struct Run<'a, 's> {
    simulation: &'a Simulation<'s>,
    stepper: Stepper<'s>,
    control: StepControl,
    t_end: f64,
    h: f64,
    /// Values of the event functions at the last accepted state; NaN right after an event.
    before: Vec<f64>,
    /// Number of the next output at a multiple of the interval.
    outputs: usize,
}

impl Run<'_, '_> {
    fn all(&mut self, results: &mut Results) -> Result<(), Failure> {
        let start = self.stepper.now.x.clone();
        self.begin(&start)?;
        self.sample(start, results);
        self.before = self.simulation.events.iter().map(|e| e.value(&self.stepper.now.x)).collect();
        while self.t_end - self.stepper.now.x.t > 1e-12 * self.t_end {
            let tried = self.step()?;
            let event = self.locate(tried)?;
            self.note_violation(results);
            self.output(results);
            self.stepper.accept();
            if let Some(event) = event {
                if self.happened(event, results)? {
                    break;
                }
            } else {
                self.before = self.simulation.events.iter().map(|e| e.value(&self.stepper.now.x)).collect();
                self.record_step(results);
            }
        }
        let last = self.stepper.now.x.clone();
        if results.last().is_none_or(|x| x.t < last.t) {
            self.sample(last, results);
        }
        Ok(())
    }

    /// (Re)starts the stepper at a consistent state and chooses the first step.
    fn begin(&mut self, x: &State) -> Result<(), Failure> {
        let failed = |error| Failure::Start(x.t, error);
        let span = self.t_end - x.t;
        self.h = match self.simulation.size {
            Size::Fixed(h) => h,
            Size::Controlled(tolerance) => match self.simulation.first_step {
                Some(h) => h,
                None => {
                    self.stepper.now.x.copy_from(x);
                    self.stepper.first_step(tolerance, span)
                }
            },
        };
        self.h = self.h.min(self.simulation.largest_step).min(span.max(f64::MIN_POSITIVE));
        self.stepper.start(x, self.h).map_err(failed)
    }

    /// One step that satisfies the error test; returns its size.
    fn step(&mut self) -> Result<f64, Failure> {
        match self.simulation.size {
            Size::Fixed(h) => self.fixed_step(h),
            Size::Controlled(tolerance) => self.controlled_step(tolerance),
        }
    }

    fn fixed_step(&mut self, h: f64) -> Result<f64, Failure> {
        let t = self.stepper.now.x.t;
        // A remainder within round-off of h is a full step: t_end/h steps of exactly h where it is a whole number.
        let left = self.t_end - t;
        let h = if left < h * (1.0 + 1e-9) { left } else { h };
        self.stepper.attempt(h, None).map_err(|error| Failure::Step(t, h, error, true))?;
        Ok(h)
    }

    fn controlled_step(&mut self, tolerance: f64) -> Result<f64, Failure> {
        let t = self.stepper.now.x.t;
        loop {
            let h = self.fitted(self.h.min(self.simulation.largest_step));
            let smallest = self.simulation.options.smallest_step * self.t_end.max(t.abs());
            match self.stepper.attempt(h, Some(tolerance)) {
                Ok(ratio) => {
                    let (accepted, next) = self.control.decide(h, ratio);
                    self.h = next;
                    if accepted {
                        return Ok(h);
                    }
                    self.stepper.reject(false);
                    if next < smallest {
                        return Err(Failure::TooSmall(t, next));
                    }
                }
                Err(error) => {
                    self.stepper.reject(true);
                    self.h = self.control.after_failure(h);
                    if self.h < smallest {
                        return Err(Failure::Step(t, h, error, false));
                    }
                }
            }
        }
    }

    /// The step shortened so that the run ends exactly at its end without a tiny last step.
    fn fitted(&self, h: f64) -> f64 {
        let left = self.t_end - self.stepper.now.x.t;
        if h >= left {
            left
        } else if 2.0 * h > left {
            0.5 * left
        } else {
            h
        }
    }

    /// The first event within the step just tried; the stepper's `next` is then the state at the event.
    fn locate(&mut self, h: f64) -> Result<Option<usize>, Failure> {
        let (t, events) = (self.stepper.now.x.t, &self.simulation.events);
        let mut first: Option<(usize, f64)> = None;
        for (k, event) in events.iter().enumerate() {
            let between = |time: f64| event.value(&interpolate(self.stepper.system(), &self.stepper.now.x, &self.stepper.next.x, time));
            let (begin, before) = if self.before[k].is_nan() { (t + 1e-3 * h, between(t + 1e-3 * h)) } else { (t, self.before[k]) };
            let after = event.value(&self.stepper.next.x);
            if !event.direction.crossed(before, after) {
                continue;
            }
            let mut search = RootSearch::new((begin, before), (t + h, after));
            for _ in 0..200 {
                let Some(time) = search.next() else { break };
                search.update(time, between(time));
            }
            if first.is_none_or(|(_, time)| search.root() < time) {
                first = Some((k, search.root()));
            }
        }
        let Some((k, guess)) = first else { return Ok(None) };
        self.step_to_root(k, h, guess - t)?;
        Ok(Some(k))
    }

    /// Steps of the method to the root of an event function.
    fn step_to_root(&mut self, k: usize, h: f64, guess: f64) -> Result<(), Failure> {
        let event = &self.simulation.events[k];
        let t = self.stepper.now.x.t;
        let before = if self.before[k].is_nan() { -event.value(&self.stepper.next.x) } else { self.before[k] };
        let mut search = RootSearch::new((0.0, before), (h, event.value(&self.stepper.next.x)));
        let (mut trial, mut best) = (Some(guess.clamp(1e-3 * h, h)), (h, f64::INFINITY));
        for _ in 0..60 {
            let Some(size) = trial else { break };
            self.stepper.attempt(size, None).map_err(|error| Failure::Step(t, size, error, true))?;
            let value = event.value(&self.stepper.next.x);
            if value.abs() < best.1 {
                best = (size, value.abs());
            }
            search.update(size, value);
            trial = search.next().filter(|next| (next - size).abs() > f64::EPSILON * (t + size).abs());
        }
        self.stepper.attempt(best.0, None).map_err(|error| Failure::Step(t, best.0, error, true))?;
        Ok(())
    }

    /// Records an event, applies its action and restarts; says whether the run ends.
    fn happened(&mut self, k: usize, results: &mut Results) -> Result<bool, Failure> {
        let event = &self.simulation.events[k];
        let mut x = self.stepper.now.x.clone();
        results.events.push(EventRecord { name: event.name.clone(), t: x.t, state: x.clone() });
        self.sample(x.clone(), results);
        if event.terminal {
            return Ok(true);
        }
        if event.act(&mut x) {
            self.stepper.project(&mut x).map_err(|error| Failure::Start(x.t, error))?;
        }
        self.begin(&x)?;
        self.before = self.simulation.events.iter().map(|e| e.value(&x)).collect();
        self.before[k] = f64::NAN;
        Ok(false)
    }

    /// Dense output at the multiples of the interval within the step.
    fn output(&mut self, results: &mut Results) {
        let Record::Interval(interval) = self.simulation.record else { return };
        loop {
            let t = self.outputs as f64 * interval;
            if t > self.stepper.next.x.t || t > self.t_end * (1.0 + 1e-12) {
                return;
            }
            let mut x = interpolate(self.stepper.system(), &self.stepper.now.x, &self.stepper.next.x, t);
            if let Err(error) = self.stepper.project_positions(&mut x) {
                results.warnings.push(format!("the output at t = {t} s does not satisfy the constraints: {error}"));
            }
            self.sample(x, results);
            self.outputs += 1;
        }
    }

    fn record_step(&mut self, results: &mut Results) {
        if self.simulation.record == Record::Steps {
            let x = self.stepper.now.x.clone();
            self.sample(x, results);
        }
    }

    /// Records a state with accelerations and multipliers recomputed from q and v.
    fn sample(&mut self, mut x: State, results: &mut Results) {
        if let Err(error) = self.stepper.consistent(&mut x) {
            results.warnings.push(format!("reactions at t = {} s could not be computed: {error}", x.t));
        }
        let system = self.stepper.system();
        let energy = system.energy(&x, self.stepper.work());
        let momentum = system.momentum(&x);
        results.add(x, energy, momentum);
    }

    fn note_violation(&mut self, results: &mut Results) {
        let (position, velocity) = self.stepper.violation();
        results.position_violation = results.position_violation.max(position);
        results.velocity_violation = results.velocity_violation.max(velocity);
    }
}
