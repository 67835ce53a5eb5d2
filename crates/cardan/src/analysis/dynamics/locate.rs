//! Events within a step. A sign change of an event function over a step is located on the dense output first; then the method
//! itself steps to the candidate time, with regula falsi in the step size h:
//!
//! ```text
//! e(x(t_n + h)) = 0                                                                                   (1)
//! ```
//!
//! so that the state at the event is an ordinary solution point, with its constraints satisfied and its time exact to round-off.

use super::Run;
use crate::analysis::hints::Steps;
use crate::analysis::root_search::RootSearch;
use crate::analysis::simulation_error::Failure;
use crate::integrators::StepError;
use crate::results::{EventRecord, Results};
use crate::system::State;

/// Events of one kind closer than this part of the run are crowded.
const CROWDED: f64 = 1e-6;

impl Run<'_, '_> {
    /// Values of the event functions.
    pub(super) fn event_values(&self, x: &State) -> Result<Vec<f64>, Failure> {
        let finite = |k: usize| {
            let value = self.event_value(k, x);
            let fault = || self.simulation.events[k].fault(x, self.simulation.system, &mut self.watch.borrow_mut());
            let failure = || Failure::Step(x.t, self.h, StepError::NotFinite { fault: fault() }, Steps::Fixed);
            if value.is_finite() { Ok(value) } else { Err(failure()) }
        };
        (0..self.simulation.events.len()).map(finite).collect()
    }

    fn event_value(&self, k: usize, x: &State) -> f64 {
        self.simulation.events[k].value(x, self.simulation.system, &mut self.watch.borrow_mut())
    }

    /// The first event within the step just tried; the stepper's `next` is then the state at the event.
    pub(super) fn locate(&mut self, h: f64) -> Result<Option<usize>, Failure> {
        let mut first: Option<(usize, f64, RootSearch)> = None;
        for k in 0..self.simulation.events.len() {
            let Some(bracket) = self.bracket(k, h) else { continue };
            let mut search = bracket;
            for _ in 0..200 {
                let Some(size) = search.next() else { break };
                search.update(size, self.between(k, size));
            }
            if first.as_ref().is_none_or(|(_, root, _)| search.root() < *root) {
                first = Some((k, search.root(), bracket));
            }
        }
        let Some((k, root, bracket)) = first else { return Ok(None) };
        self.step_to_root(k, h, root, bracket)?;
        Ok(Some(k))
    }

    /// The event function on the dense output, `size` into the step.
    fn between(&self, k: usize, size: f64) -> f64 {
        self.event_value(k, &self.interpolated(self.stepper.now().t + size))
    }

    /// The first part of the step over which an event function crosses zero; parts, so that a function that crosses and comes back
    /// is not missed.
    fn bracket(&self, k: usize, h: f64) -> Option<RootSearch> {
        let event = &self.simulation.events[k];
        let mut last = if self.before[k].is_nan() { side(h, |size| self.between(k, size)) } else { (0.0, self.before[k]) };
        for part in [0.25, 0.5, 0.75, 1.0] {
            let size = part * h;
            let value = if part < 1.0 { self.between(k, size) } else { self.event_value(k, self.stepper.next()) };
            if event.direction.crossed(last.1, value) {
                return Some(RootSearch::new(last, (size, value)));
            }
            last = (size, value);
        }
        None
    }

    /// Steps of the method to the root of an event function (1).
    fn step_to_root(&mut self, k: usize, h: f64, guess: f64, mut search: RootSearch) -> Result<(), Failure> {
        let t = self.stepper.now().t;
        let (mut trial, mut best) = (Some(guess.max(1e-9 * h)), (h, f64::INFINITY));
        for _ in 0..60 {
            let Some(size) = trial else { break };
            self.stepper.attempt_exactly(size).map_err(|error| Failure::Step(t, size, error, Steps::Fixed))?;
            let value = self.event_value(k, self.stepper.next());
            if value.abs() < best.1 {
                best = (size, value.abs());
            }
            search.update(size, value);
            trial = search.next().filter(|next| (next - size).abs() > f64::EPSILON * (t + size).abs());
        }
        self.stepper.attempt_exactly(best.0).map_err(|error| Failure::Step(t, best.0, error, Steps::Fixed))?;
        Ok(())
    }

    /// Records the event and those that coincide with it, applies their actions and restarts; says whether the run ends.
    pub(super) fn happened(&mut self, k: usize, results: &mut Results) -> Result<bool, Failure> {
        let mut x = self.stepper.now().clone();
        let fired = self.fired(k, &x);
        let events = fired.iter().map(|k| &self.simulation.events[*k]);
        results.events.extend(events.clone().map(|e| EventRecord { name: e.name.clone(), t: x.t, state: x.clone() }));
        self.sample(x.clone(), results);
        self.check_crowding(&fired, x.t)?;
        let events = fired.iter().map(|k| &self.simulation.events[*k]);
        if events.clone().any(|e| e.terminal) {
            return Ok(true);
        }
        if events.filter(|e| e.act(&mut x)).count() > 0 {
            self.stepper.project(&mut x).map_err(|error| Failure::Start(x.t, error))?;
        }
        self.begin(&x)?;
        self.before = self.event_values(&x)?;
        fired.into_iter().for_each(|k| self.before[k] = f64::NAN);
        Ok(false)
    }

    /// Fails if an event keeps coming right after itself.
    fn check_crowding(&mut self, fired: &[usize], t: f64) -> Result<(), Failure> {
        for k in fired {
            let (last, count) = self.crowd[*k];
            let count = if t - last < CROWDED * self.t_end { count + 1 } else { 0 };
            self.crowd[*k] = (t, count);
            if count >= 3 {
                return Err(Failure::Accumulation(t, self.simulation.events[*k].name.clone()));
            }
        }
        Ok(())
    }

    /// The located event and all others that have crossed by the same instant.
    fn fired(&self, located: usize, x: &State) -> Vec<usize> {
        let crossed = |k: usize| self.simulation.events[k].direction.crossed(self.before[k], self.event_value(k, x));
        (0..self.simulation.events.len()).filter(|k| *k == located || crossed(*k)).collect()
    }
}

/// Shortly after an event, where its function is zero: how far into the step, and which side the function has gone to.
fn side(h: f64, value: impl Fn(f64) -> f64) -> (f64, f64) {
    let (start, scale) = (value(0.0), value(h).abs());
    let sizes = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3].map(|part| part * h);
    let left = sizes.into_iter().map(|size| (size, value(size) - start)).find(|(_, change)| change.abs() > 1e-15 * (1.0 + scale));
    left.unwrap_or((1e-3 * h, value(1e-3 * h)))
}
