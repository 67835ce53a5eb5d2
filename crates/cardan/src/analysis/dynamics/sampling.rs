//! Samples in a run: steps end exactly where one is due, held values are computed anew there, and the method starts again.

use super::Run;
use crate::analysis::simulation::Size;
use crate::analysis::simulation_error::Failure;
use crate::system::State;

impl Run<'_, '_, '_> {
    /// Where the next step must end at the latest: at the end of the run, at the next sample, break or time to record.
    pub(super) fn goal(&self) -> f64 {
        self.t_end.min(self.wanted())
    }

    /// Where functions of time break next; steps of fixed size do not end there.
    fn next_break(&self) -> f64 {
        if matches!(self.simulation.size, Size::Fixed(_)) { f64::INFINITY } else { self.timetable.goal() }
    }

    /// The next sample, time to record or break.
    fn wanted(&self) -> f64 {
        self.next_sample.min(self.next_time(self.stepper.now().t)).min(self.next_break())
    }

    /// Gives the attempted step the exact time of a sample or of a time to record, if it ends there.
    pub(super) fn end_exactly(&mut self) {
        // A time to record is given as it was asked for, also where something else is due within round-off of it.
        let stops = [self.next_time(self.stepper.now().t), self.wanted()];
        let reached = |stop: &f64| (self.stepper.next().t - stop).abs() <= self.round_off();
        if let Some(stop) = stops.into_iter().find(reached) {
            self.stepper.end_at(stop);
        }
    }

    pub(super) fn round_off(&self) -> f64 {
        1e-12 * self.t_end
    }

    /// Takes the samples that are due at a state whose accelerations are consistent; says whether a value changed.
    pub(super) fn take_samples(&mut self, x: &mut State) -> bool {
        let (system, due) = (self.simulation.system, x.t + self.round_off());
        let work = self.watch.get_mut();
        let sampled = self.sampler.sample(system, due, x, work);
        self.next_sample = self.sampler.next(system);
        self.sampler.settle(system, x, work) || sampled
    }

    /// Takes the samples that are due where the last step ended, and starts again from there if a value has changed.
    pub(super) fn sample_if_due(&mut self) -> Result<(), Failure> {
        let t = self.stepper.now().t;
        if self.next_sample > t + self.round_off() || self.t_end - t <= self.round_off() {
            return Ok(());
        }
        let mut x = self.stepper.now().clone();
        self.stepper.consistent(&mut x).map_err(|error| Failure::Start(t, error))?;
        if self.take_samples(&mut x) {
            self.begin(&x)?;
            self.before = self.event_values(self.stepper.now())?;
        }
        Ok(())
    }
}
