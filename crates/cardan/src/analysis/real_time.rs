//! Real time: one step after another, each with inputs from outside and outputs for outside, in a number of operations that is known
//! before. The caller keeps the clock; nothing here allocates or iterates.
//!
//! ```
//! use cardan::prelude::*;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut model = Model::new("cart");
//! let cart = model.add_body(Body::point("cart", 2.0));
//! let (i, j) = (model.add_marker(Marker::on(cart)), model.add_marker(Marker::on(BodyId::GROUND)));
//! model.add_input("push", 0.0);
//! model.add_force(ExpressionForce::vector("motor", i, j, j, ["INPUT(push)", "0", "0"]));
//! model.add_sensor(Sensor::new("speed", "VX(cart)"));
//! let system = System::new(&model)?;
//! let mut run = RealTime::new(&system, LinearImplicitEuler::default(), 1e-3)?;
//! let mut outputs = [0.0];
//! for _ in 0..1000 {
//!     run.step(&[6.0], &mut outputs)?;
//! }
//! assert!((outputs[0] - 3.0).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```

use super::assemble::assemble;
use super::sampler::Sampler;
use super::simulation_error::SimulationError;
use crate::integrators::{Method, Operations, Options, Statistics, StepError, Stepper, real_time};
use crate::results::Results;
use crate::system::{State, System};
use std::sync::Arc;
use thiserror::Error;

/// A step that could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RealTimeError {
    /// The numbers of inputs or outputs are not those of the model.
    #[error("the model has {expected} {what}, {given} were given")]
    Length {
        /// "inputs" or "outputs".
        what: &'static str,
        /// Those of the model.
        expected: usize,
        /// Those given.
        given: usize,
    },
    /// The step failed.
    #[error("the step from t = {t} s failed: {error}")]
    Step {
        /// Its start.
        t: f64,
        /// Why.
        error: StepError,
    },
}

/// A system that is advanced step by step.
#[derive(Debug)]
pub struct RealTime<'s> {
    stepper: Stepper<'s>,
    h: f64,
    /// Where the first step starts, and how many were made: time is counted, so that it does not drift away from samples.
    start: f64,
    steps: u64,
    operations: Operations,
    sampler: Sampler,
    worst: (f64, f64),
}

impl<'s> RealTime<'s> {
    /// Assembles the mechanism and makes ready for steps of this size, s. The method must be one for real time.
    pub fn new(system: &'s System, method: impl Method + 'static, h: f64) -> Result<Self, SimulationError> {
        Self::shared(system, Arc::new(method), h)
    }

    /// The same with a shared method.
    pub fn shared(system: &'s System, method: Arc<dyn Method>, h: f64) -> Result<Self, SimulationError> {
        let wrong = |text: String| Err(SimulationError::Settings(text));
        if let Some(mistake) = method.mistake() {
            return wrong(mistake);
        }
        if !(h > 0.0 && h.is_finite()) {
            return wrong(format!("the step must be positive, it is {h} s"));
        }
        let assembly = assemble(system)?;
        let regularization = &assembly.redundancy.regularization;
        let Some(operations) = method.operations(system, regularization) else {
            let names: Vec<_> = real_time().iter().map(|m| m.name()).collect();
            return wrong(format!(
                "{} iterates, so that nobody knows how long a step takes; for real time there are {}",
                method.name(),
                names.join(", ")
            ));
        };
        let mut stepper = Stepper::new(system, method, Options::default(), &assembly.state, regularization);
        let results = || Box::new(Results::default());
        let t = assembly.state.t;
        stepper.start(&assembly.state, h).map_err(|error| SimulationError::Start { t, error, results: results() })?;
        // A first attempt, not taken, finds the order of elimination and makes all room that steps need.
        let steps = super::hints::Steps::Fixed;
        stepper.attempt(h, None).map_err(|error| SimulationError::Step { t, h, error, steps, results: results() })?;
        Sampler::make_room(system, &assembly.state, stepper.work());
        Ok(Self { stepper, h, start: t, steps: 0, operations, sampler: Sampler::new(system), worst: (0.0, 0.0) })
    }

    /// A step with these inputs, held until its end; gives the values of the sensors there. Accelerations and reactions are those of the
    /// step, which is their mean over it. Events are not watched: switches act at the start of the step after that in which they are due.
    pub fn step(&mut self, inputs: &[f64], outputs: &mut [f64]) -> Result<(), RealTimeError> {
        let system = self.stepper.system();
        expect("inputs", system.inputs().len(), inputs.len())?;
        expect("outputs", system.sensors().len(), outputs.len())?;
        self.stepper.set_inputs(inputs);
        self.sample_and_switch();
        let t = self.stepper.now().t;
        self.stepper.attempt(self.h, None).map_err(|error| RealTimeError::Step { t, error })?;
        self.steps += 1;
        self.stepper.end_at(self.start + self.steps as f64 * self.h);
        self.stepper.accept();
        let (position, velocity) = self.stepper.violation();
        self.worst = (self.worst.0.max(position), self.worst.1.max(velocity));
        if !outputs.is_empty() {
            self.stepper.sense(outputs);
        }
        Ok(())
    }

    /// Takes the samples that are due where the step starts; those between steps wait for the next one. Then switches.
    fn sample_and_switch(&mut self) {
        let system = self.stepper.system();
        let (x, work) = self.stepper.now_and_work();
        let due = x.t + 1e-6 * self.h;
        if self.sampler.next(system) <= due {
            self.sampler.sample(system, due, x, work);
        }
        self.sampler.settle(system, x, work);
        self.sampler.reset(system, x, work);
    }

    /// Where the last step ended.
    pub fn state(&self) -> &State {
        self.stepper.now()
    }

    /// Size of a step, s.
    pub fn step_size(&self) -> f64 {
        self.h
    }

    /// Largest violations of the constraints there: position and velocity level.
    pub fn violation(&self) -> (f64, f64) {
        self.stepper.violation()
    }

    /// The largest that they have been at the end of a step.
    pub fn worst_violation(&self) -> (f64, f64) {
        self.worst
    }

    /// The operations of a step.
    pub fn operations(&self) -> Operations {
        self.operations
    }

    /// Counts so far. Where `unplanned` is not zero, steps took more operations than were known before.
    pub fn statistics(&self) -> Statistics {
        self.stepper.statistics()
    }
}

fn expect(what: &'static str, expected: usize, given: usize) -> Result<(), RealTimeError> {
    if given == expected { Ok(()) } else { Err(RealTimeError::Length { what, expected, given }) }
}
