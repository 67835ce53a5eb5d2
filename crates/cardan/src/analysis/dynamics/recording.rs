//! What a run records: samples at steps, at given times where steps end, at multiples of an interval by dense output, and the largest
//! violations.

use super::Run;
use super::finishing::{Finished, Origin, Unfinished};
use crate::analysis::simulation::Record;
use crate::results::{Results, interpolate};
use crate::system::State;

impl Run<'_, '_, '_> {
    /// Dense output at the multiples of the interval within the step.
    pub(super) fn output(&mut self, results: &mut Results) {
        let Record::Interval(interval) = self.simulation.record else { return };
        while !self.ended {
            let t = self.outputs as f64 * interval;
            if t > self.stepper.next().t || t > self.t_end * (1.0 + 1e-12) {
                return;
            }
            let x = self.interpolated(t);
            self.sample_between(x, results);
            self.outputs += 1;
        }
    }

    /// The state at `t` within the attempted step.
    pub(super) fn interpolated(&self, t: f64) -> State {
        let stepper = &self.stepper;
        stepper.between(t).unwrap_or_else(|| interpolate(stepper.system(), stepper.now(), stepper.next(), t))
    }

    /// The first of the given times that is not over at `t`.
    pub(super) fn next_time(&self, t: f64) -> f64 {
        let Record::Times(times) = &self.simulation.record else { return f64::INFINITY };
        times.get(times.partition_point(|time| *time <= t + self.round_off())).copied().unwrap_or(f64::INFINITY)
    }

    /// A sample of the accepted step, if every step is recorded or it ended at one of the given times.
    pub(super) fn record_step(&mut self, results: &mut Results) {
        let x = self.stepper.now();
        let wanted = match &self.simulation.record {
            Record::Steps => true,
            Record::Times(times) => times.binary_search_by(|time| time.total_cmp(&x.t)).is_ok(),
            Record::Interval(_) | Record::Ends => false,
        };
        if wanted {
            self.sample(x.clone(), results);
        }
    }

    /// Records a state with accelerations and multipliers recomputed from q and v.
    pub(super) fn sample(&mut self, state: State, results: &mut Results) {
        self.hand_over(Unfinished { state, origin: Origin::Step }, results);
    }

    /// Records a state of the dense output, brought to the constraints.
    fn sample_between(&mut self, state: State, results: &mut Results) {
        let speed = self.stepper.speeds().of_mechanism(&state.v);
        self.hand_over(Unfinished { state, origin: Origin::Between { speed } }, results);
    }

    fn hand_over(&mut self, state: Unfinished, results: &mut Results) {
        if let Some(finished) = self.finishing.take(state) {
            self.add(finished, results);
        }
    }

    /// Waits for the samples under way.
    pub(super) fn add_rest(&mut self, results: &mut Results) {
        while let Some(finished) = self.finishing.next() {
            self.add(finished, results);
        }
    }

    fn add(&mut self, Finished { sample, violation, warnings }: Finished, results: &mut Results) {
        violation.into_iter().for_each(|violation| results.note_violation(violation));
        results.warnings.extend(warnings);
        self.check_sensors(&sample.state, results);
        self.ended |= self.observer.sample(&sample).is_break();
        results.add(sample, self.simulation.keep);
    }

    /// The samples under way, and one where the run ended, for whatever reason, unless there is one.
    pub(super) fn record_last(&mut self, results: &mut Results) {
        self.add_rest(results);
        if results.last().is_some_and(|x| x.t < self.stepper.now().t) {
            let x = self.stepper.now().clone();
            match self.simulation.record {
                Record::Interval(_) => self.sample_between(x, results),
                _ => self.sample(x, results),
            }
            self.add_rest(results);
        }
    }

    /// The largest violations where the attempted step ended.
    pub(super) fn note_violation(&mut self, results: &mut Results) {
        results.note_violation(self.stepper.violation());
    }
}
