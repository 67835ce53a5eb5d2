//! Dynamics: the only loop over time. It asks the stepper for steps and decides: steps are in `steps`, events in `locate`, what is held
//! between samples in `sampling`, functions of time in `timetable`, those of the state in `kinks`, what is recorded in `recording`,
//! whether it can be believed in `health`.

mod clearance;
mod finishing;
mod health;
mod impacts;
mod kinks;
mod locate;
mod recording;
mod sampling;
mod steps;
mod timetable;
mod touches;

use super::assemble::{Assembly, assemble_from, assemble_with};
use super::audit::Audit;
use super::observer::{Observer, Progress, Unobserved};
use super::sampler::Sampler;
use super::simulation::{Simulation, Start};
use super::simulation_error::{Failure, SimulationError};
use super::statics::equilibrium;
use crate::integrators::{Statistics, StepControl, Stepper};
use crate::results::{Ending, Results};
use crate::system::{Kkt, State, Work};
use clearance::Clearances;
use finishing::{Finisher, Finishing};
use health::Negligible;
use impacts::Impacts;
use kinks::Kinks;
use locate::Repetition;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::thread;
use timetable::Timetable;
use touches::Touches;

impl Simulation<'_> {
    /// Assembles the mechanism and runs to `t_end`.
    pub fn run(&self, t_end: f64) -> Result<Results, SimulationError> {
        self.run_observed(t_end, &mut Unobserved)
    }

    /// The same, watched by an observer, who may end the run early.
    pub fn run_observed(&self, t_end: f64, observer: &mut dyn Observer) -> Result<Results, SimulationError> {
        self.check(t_end)?;
        let mut kkt = Kkt::new(self.system).with_threads(self.options.threads);
        let assembly = self.assembled(&mut kkt)?;
        let results = Results {
            warnings: assembly.remarks(),
            degrees_of_freedom: assembly.redundancy.degrees_of_freedom,
            non_unique_reactions: assembly.redundancy.non_unique_rows.clone(),
            ..Results::default()
        };
        observer.assembled(&assembly);
        let regularization = &assembly.redundancy.regularization;
        let mut stepper = Stepper::new(self.system, self.method.clone(), self.options, &assembly.state, regularization);
        stepper.order_like(&kkt);
        stepper.set_duration(t_end);
        let audit = Audit::new(self.system, &kkt, regularization, self.method.order(), self.size.steps());
        let finisher = Finisher::new(self.system, kkt, stepper.speeds().clone(), &results.non_unique_reactions);
        thread::scope(|scope| {
            let finishing = Finishing::new(finisher, observer.lag(), scope);
            Run::new(self, t_end, observer, stepper, audit, finishing).finish(results)
        })
    }

    /// The state where the run starts.
    fn assembled(&self, kkt: &mut Kkt) -> Result<Assembly, SimulationError> {
        match self.start {
            Start::Placed => Ok(assemble_with(self.system, kkt)?),
            Start::Equilibrium => {
                let rest = equilibrium(self.system)?.state;
                Ok(assemble_from(self.system, &State { v: self.system.initial().v.clone(), ..rest }, kkt)?)
            }
        }
    }
}

/// A run under way.
struct Run<'a, 'scope, 's> {
    simulation: &'a Simulation<'s>,
    observer: &'a mut dyn Observer,
    stepper: Stepper<'s>,
    control: StepControl,
    t_end: f64,
    h: f64,
    /// Values of the event functions at the last accepted state; NaN right after an event.
    before: Vec<f64>,
    /// How each event has repeated itself.
    repetitions: Vec<Repetition>,
    /// Number of the next output at a multiple of the interval.
    outputs: usize,
    sampler: Sampler,
    timetable: Timetable,
    kinks: Kinks,
    clearances: Clearances,
    impacts: Impacts,
    touches: Touches,
    next_sample: f64,
    /// Who makes samples of states.
    finishing: Finishing<'scope, 's>,
    /// Scratch for the event functions.
    watch: RefCell<Work>,
    /// The balance of energy.
    audit: Audit<'s>,
    /// Energies too small to be worth a word.
    negligible: Negligible,
    /// At how many looks in a row too much energy had come out of nothing.
    excesses: usize,
    /// Scratch for the values of sensors.
    sensed: Vec<f64>,
    /// Whether the observer has asked for the end of the run.
    ended: bool,
}

impl<'a, 'scope, 's> Run<'a, 'scope, 's> {
    fn new(
        simulation: &'a Simulation<'s>,
        t_end: f64,
        observer: &'a mut dyn Observer,
        stepper: Stepper<'s>,
        audit: Audit<'s>,
        finishing: Finishing<'scope, 's>,
    ) -> Self {
        let system = simulation.system;
        Self {
            simulation,
            observer,
            stepper,
            control: simulation.method.control(),
            t_end,
            h: 0.0,
            before: Vec::new(),
            repetitions: vec![Repetition::NONE; simulation.events.len()],
            outputs: 1,
            sampler: Sampler::new(system),
            timetable: Timetable::new(system, t_end),
            kinks: Kinks::new(system),
            clearances: Clearances::default(),
            impacts: Impacts::new(simulation.steps_of_impacts()),
            touches: Touches::new(system),
            next_sample: f64::INFINITY,
            finishing,
            watch: RefCell::new(Work::new(system)),
            audit,
            negligible: Negligible::default(),
            excesses: 0,
            sensed: vec![0.0; system.sensors().len()],
            ended: false,
        }
    }

    /// Runs to the end, whatever that is, and closes the books.
    fn finish(mut self, mut results: Results) -> Result<Results, SimulationError> {
        let outcome = self.all(&mut results).and_then(|()| self.judge_end());
        self.record_last(&mut results);
        self.finish_books(&mut results);
        match outcome {
            Ok(()) => Ok(results),
            Err(failure) => Err(failure.with(results)),
        }
    }

    /// Step, locate events, record, accept, sample; until the end.
    fn all(&mut self, results: &mut Results) -> Result<(), Failure> {
        let mut start = self.stepper.now().clone();
        self.take_samples(&mut start);
        self.timetable.look_ahead(start.t);
        self.timetable.note(start.t);
        self.begin(&start)?;
        self.sample(start, results);
        self.before = self.event_values(self.stepper.now())?;
        while self.t_end - self.stepper.now().t > 1e-12 * self.t_end {
            let tried = self.step_to_kink()?;
            let event = self.locate(tried)?;
            self.end_exactly();
            self.note_violation(results);
            self.output(results);
            self.audit_step()?;
            if self.ended {
                results.ending = Ending::Stopped;
                break;
            }
            self.stepper.accept();
            self.note_touches();
            if let Some(event) = event {
                if self.happened(event, results)? {
                    results.ending = Ending::Event;
                    return Ok(());
                }
            } else {
                self.before = self.event_values(self.stepper.now())?;
                self.record_step(results);
            }
            self.pass_kink()?;
            self.pass_break()?;
            self.sample_if_due()?;
            if self.report(tried).is_break() || self.ended {
                results.ending = Ending::Stopped;
                break;
            }
        }
        Ok(())
    }

    /// Counts of the steps, and what contacts did to them.
    fn statistics(&self) -> Statistics {
        self.touches.counted(self.stepper.statistics())
    }

    /// Tells the observer how far the run is.
    fn report(&mut self, h: f64) -> ControlFlow<()> {
        self.observer.step(&Progress { t: self.stepper.now().t, h, t_end: self.t_end, statistics: self.statistics() })
    }
}
