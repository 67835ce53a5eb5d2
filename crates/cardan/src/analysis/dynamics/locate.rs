//! Events within a step. A sign change of an event function over a step is located on the dense output first; then the method
//! itself steps to the candidate time, with regula falsi in the step size h:
//!
//! ```text
//! e(x(t_n + h)) = 0                                                                                   (1)
//! ```
//!
//! so that the state at the event is an ordinary solution point, with its constraints satisfied and its time exact to round-off. A step is
//! looked through in parts over which no body turns far; where a function comes towards zero at the start of a part and leaves it at the
//! end, its extremum between is looked at too, so that a function that crosses and comes back is not missed.

use super::Run;
use crate::analysis::hints::Steps;
use crate::analysis::root_search::RootSearch;
use crate::analysis::simulation_error::Failure;
use crate::integrators::StepError;
use crate::results::{EventRecord, Results};
use crate::system::State;

/// Events of one kind closer than this part of the run are crowded.
const CROWDED: f64 = 1e-6;
/// So many crowded events in a row accumulate.
const ACCUMULATED: u32 = 3;
/// A step is looked through in parts over which bodies turn by less than this, rad, within these numbers of parts.
const TURN: f64 = 0.4;
const PARTS: (f64, f64) = (4.0, 200.0);
/// Slopes of event functions are differences over this part of a part.
const SLOPE: f64 = 1e-4;

/// How an event has repeated itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Repetition {
    /// When it last happened, and how often in a row it came right after the one before.
    last: f64,
    count: u32,
    /// A function that hovers about zero is not looked at until then.
    silent_until: f64,
    silences: i32,
}

impl Repetition {
    pub const NONE: Repetition = Repetition { last: f64::NEG_INFINITY, count: 0, silent_until: f64::NEG_INFINITY, silences: 0 };
}

impl Run<'_, '_, '_> {
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

    /// The first part of the step over which an event function crosses zero.
    fn bracket(&self, k: usize, h: f64) -> Option<RootSearch> {
        if self.stepper.now().t < self.repetitions[k].silent_until {
            return None;
        }
        let mut last = if self.before[k].is_nan() { side(h, |size| self.between(k, size)) } else { (0.0, self.before[k]) };
        let parts = (self.stepper.largest_turn() / TURN).ceil().clamp(PARTS.0, PARTS.1);
        for part in 1..=parts as usize {
            let size = part as f64 / parts * h;
            let value = if part as f64 == parts { self.event_value(k, self.stepper.next()) } else { self.between(k, size) };
            if let Some(found) = self.crossing(k, last, (size, value)) {
                return Some(found);
            }
            last = (size, value);
        }
        None
    }

    /// A crossing between two points within the step, also one of two.
    fn crossing(&self, k: usize, a: (f64, f64), b: (f64, f64)) -> Option<RootSearch> {
        let crossed = |a: (f64, f64), b: (f64, f64)| self.simulation.events[k].direction.crossed(a.1, b.1);
        if crossed(a, b) {
            return Some(RootSearch::new(a, b));
        }
        let extremum = self.extremum(k, a, b)?;
        let found = [(a, extremum), (extremum, b)].into_iter().find(|(a, b)| crossed(*a, *b))?;
        Some(RootSearch::new(found.0, found.1))
    }

    /// Where a function of one sign at both points, which goes towards zero at the first and away from it at the second, comes
    /// closest to zero, if it crosses there; by the slopes at the ends.
    fn extremum(&self, k: usize, mut a: (f64, f64), mut b: (f64, f64)) -> Option<(f64, f64)> {
        let slope = |(size, value): (f64, f64), step: f64| (self.between(k, size + step) - value) / step;
        for _ in 0..20 {
            let step = SLOPE * (b.0 - a.0);
            let (start, end) = (slope(a, step), slope(b, -step));
            if !(a.1 * start < 0.0 && b.1 * end > 0.0) {
                return None;
            }
            let size = a.0 + (b.0 - a.0) * (start / (start - end)).clamp(0.1, 0.9);
            let middle = (size, self.between(k, size));
            if middle.1 * a.1 <= 0.0 {
                return Some(middle);
            }
            // No tangent at the ends reaches zero: nothing is to be found.
            if (a.1 + start * (size - a.0)) * a.1 > 0.0 && (b.1 + end * (size - b.0)) * b.1 > 0.0 {
                return None;
            }
            if slope(middle, step) * a.1 < 0.0 { a = middle } else { b = middle }
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
        let events = fired.iter().map(|k| &self.simulation.events[*k]);
        if events.clone().any(|e| e.terminal) {
            return Ok(true);
        }
        if events.filter(|e| e.act(&mut x)).count() > 0 {
            self.stepper.project(&mut x).map_err(|error| Failure::Start(x.t, error))?;
        }
        // Also where an event is only recorded: it often stands where a law changes.
        self.begin(&x)?;
        self.before = self.event_values(&x)?;
        for k in fired {
            self.before[k] = f64::NAN;
            self.note_repetition(k, x.t, results)?;
        }
        Ok(false)
    }

    /// An event that keeps coming right after itself is a failure if it changes the motion; if it is only recorded, it is left alone
    /// for a while, the longer the more often that was needed.
    fn note_repetition(&mut self, k: usize, t: f64, results: &mut Results) -> Result<(), Failure> {
        let (event, r) = (&self.simulation.events[k], &mut self.repetitions[k]);
        r.count = if t - r.last < CROWDED * self.t_end { r.count + 1 } else { 0 };
        r.last = t;
        if r.count < ACCUMULATED {
            return Ok(());
        }
        if event.acts() {
            return Err(Failure::Accumulation(t, event.name.clone()));
        }
        if r.silences == 0 {
            let name = &event.name;
            results.warnings.push(format!("event '{name}' hovers about zero from t = {t:.6} s on: not all of its crossings are recorded"));
        }
        r.silences += 1;
        r.silent_until = t + CROWDED * self.t_end * 2f64.powi(r.silences);
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
