//! Nothing passes through anything else. Let g be the gap between two shapes and D how deep one may be in the other while the surface through which it
//! came is still the nearest. In a step of size h they move by h s at most, s being the larger of their relative speeds at both ends. As long as
//!
//! ```text
//! h s ≤ g + D                                                                                                  (1)
//! ```
//!
//! they cannot get from one side of each other to the other without a step that ends with them in touch. Steps are shortened to that before they are
//! tried, by the speed where they begin, and again where the speed at their end is larger; with a fixed size they fail.

use super::Run;
use crate::forces::Clearance;
use crate::integrators::StepError;
use crate::system::State;

/// Steps are tried with this part of what (1) allows: speeds grow on the way.
const CAUTION: f64 = 0.8;

/// What is known of the room between shapes.
#[derive(Debug, Default)]
pub(super) struct Clearances {
    /// Where the step begins, and at its end.
    now: Vec<Clearance>,
    next: Vec<Clearance>,
    /// The time for which the latter hold.
    looked_at: Option<f64>,
}

impl Clearances {
    /// The state where the next step begins has been changed.
    pub fn forget(&mut self) {
        self.looked_at = None;
    }
}

impl Run<'_, '_, '_> {
    /// Notes the room between shapes where a step begins: that where the last one ended, unless that has been changed.
    pub(super) fn note_clearances(&mut self) {
        let (system, x, known) = (self.simulation.system, self.stepper.now(), &mut self.clearances);
        if known.looked_at.take() == Some(x.t) {
            std::mem::swap(&mut known.now, &mut known.next);
        } else {
            system.clearances(x, self.watch.get_mut(), &mut known.now);
        }
    }

    /// The longest step that (1) allows by the speeds at its start, and the force whose shapes are in the way.
    pub(super) fn clear_step(&self) -> Option<(f64, usize)> {
        let longest = self.clearances.now.iter().map(|c| (CAUTION * c.distance / c.speed, c.force));
        longest.min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// A step that (1) allows, where the one of size `h` that was tried is not; with the force whose shapes are in the way.
    pub(super) fn too_far(&mut self, h: f64) -> Option<(f64, usize)> {
        if self.clearances.now.is_empty() {
            return None;
        }
        let system = self.simulation.system;
        let next: &State = self.stepper.next();
        let (work, Clearances { now, next: there, looked_at }) = (self.watch.get_mut(), &mut self.clearances);
        system.clearances(next, work, there);
        *looked_at = Some(next.t);
        let steps = now.iter().zip(there.iter()).map(|(a, b)| (a.distance / a.speed.max(b.speed), a.force));
        steps.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(step, _)| *step < h)
    }

    /// Says that a fixed step is too long for what moves.
    pub(super) fn passes_through(&self, h: f64, step: f64, force: usize) -> StepError {
        let element = self.simulation.system.pair_forces()[force].name().to_string();
        let what = format!("shapes of contact '{element}' could pass through each other");
        StepError::TooFast { element, what, h, step }
    }
}
