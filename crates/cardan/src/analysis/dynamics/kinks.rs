//! Kinks and jumps of functions of the state: where IF, MIN, MAX, ABS, IMPACT, … change sides within a step, or friction sticks or slides, the
//! step is made again so that it ends there. Changes that are taken back within the step are looked for where the distance from the change,
//! as a parabola in time, is smallest. Then, a moment Δ later and on the other side,
//!
//! ```text
//! q ⊕ Δ v,  v + Δ a,  t + Δ                                                                                           (1)
//! ```
//!
//! accelerations are looked at again: where they jump, the method starts there anew; otherwise it goes on, unless it looks back at points
//! before the kink. So no step is smooth on paper only. Steps of fixed size stay as they are.
//!
//! What is so close to a change that round-off keeps it on its side may end step after step there. A change that was not got behind in some
//! tries is left to error control for a step.

use super::Run;
use crate::analysis::simulation::Size;
use crate::analysis::simulation_error::Failure;
use crate::expr::Side;
use crate::system::{State, Switches, System};

/// The moment of a change is found to this part of the step.
const RESOLUTION: f64 = 1e-9;
/// Changes within this part of a step from its start are passed: the step has begun at them.
const PASSED: f64 = 1e-4;
/// The longest Δ that is tried, as a part of the step.
const LONGEST: f64 = 1e-3;
/// A step is looked through in so many parts.
const PARTS: usize = 4;
/// Within a part, whatever comes closer to a change than to this part of its distance at the ends is looked at there.
const CLOSE: f64 = 0.25;

/// Most halvings of the way to a change; a step of what is left then may go across it.
const MOST_HALVINGS: usize = 12;

/// So often in a row may steps end at the same change without getting behind it.
const MOST_TRIES: u8 = 3;

/// A change at which a step has ended.
#[derive(Debug, Clone, Copy, Default)]
struct Reached {
    /// The side behind it, where the last step ended there.
    behind: Option<i64>,
    /// How often in a row steps ended there without getting behind it.
    tries: u8,
}

impl Reached {
    /// Whether it is left to error control.
    fn is_left(&self) -> bool {
        self.tries >= MOST_TRIES
    }
}

/// What is known of the sides.
#[derive(Debug)]
pub(super) struct Kinks {
    switches: Switches,
    /// Sides where the step begins, and at another state.
    now: Vec<Side>,
    other: Vec<Side>,
    /// Sides along the step, from its start to its end.
    along: [Vec<Side>; PARTS + 1],
    /// The step that ends at a change: its size, and how finely the change is known.
    reached: Option<(f64, f64)>,
    /// For each switch, known for the step that began at this time.
    changes: Vec<Reached>,
    begun: Option<f64>,
    /// How often the way to a change has been halved because Newton's method failed on a step that ends there.
    halvings: usize,
}

impl Kinks {
    pub fn new(system: &System) -> Self {
        Self {
            switches: system.switches(),
            now: Vec::new(),
            other: Vec::new(),
            along: Default::default(),
            reached: None,
            changes: Vec::new(),
            begun: None,
            halvings: 0,
        }
    }

    /// Whether something is on another side than where the step began.
    fn differ(&self, sides: &[Side]) -> bool {
        self.now.iter().zip(sides).zip(&self.changes).any(|((now, other), change)| now.side != other.side && !change.is_left())
    }

    /// A step begins at this time, if it is not tried again: changes that the last one ended at may still lie ahead.
    fn begin(&mut self, t: f64) {
        if self.begun.replace(t) == Some(t) {
            return;
        }
        self.changes.resize(self.now.len(), Reached::default());
        for (change, side) in self.changes.iter_mut().zip(&self.now) {
            let ahead = change.behind.take().is_some_and(|behind| behind != side.side);
            change.tries = if ahead { change.tries.saturating_add(1) } else { 0 };
        }
    }

    /// The step ends just before the state of which the sides were looked at last.
    fn end(&mut self) {
        for ((change, now), other) in self.changes.iter_mut().zip(&self.now).zip(&self.other) {
            change.behind = (now.side != other.side).then_some(other.side);
        }
    }

    /// Where between the ends of a part, as a part of it, something may come close to a change and turn back: at the vertex of a parabola
    /// through its distances from the change, at the ends and beyond one of them.
    fn nearest(&self, part: usize) -> Option<f64> {
        let near = |k: usize| {
            let m = |place: usize| self.along[place][k].margin;
            let beyond = if part < PARTS { part + 1 } else { part - 2 };
            let (a, b, c) = (m(part - 1), m(part), m(beyond));
            // With s = 0 and 1 at the ends and 2 or −1 beyond: a + p s + r s².
            let bend = if part < PARTS { 0.5 * (c - 2.0 * b + a) } else { 0.5 * (c - 2.0 * a + b) };
            let slope = b - a - bend;
            let s = -0.5 * slope / bend;
            let least = (a + 0.5 * slope * s) * a.signum();
            (s > 0.0 && s < 1.0 && least < CLOSE * a.abs().min(b.abs())).then_some((s, least))
        };
        let all = (0..self.now.len()).filter(|k| !self.changes[*k].is_left()).filter_map(near);
        all.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(s, _)| s)
    }
}

impl Run<'_, '_, '_> {
    /// Notes the sides where a step begins, and the room between shapes.
    pub(super) fn note_sides(&mut self) {
        self.note_clearances();
        self.note_impacts();
        if !self.kinks.switches.is_empty() {
            let (system, work) = (self.simulation.system, self.watch.get_mut());
            system.sides(&self.kinks.switches, self.stepper.now(), work, &mut self.kinks.now);
        }
    }

    /// Whether a state is on other sides than the one where the step began.
    fn on_other_side(&mut self, x: &State) -> bool {
        let (system, work, kinks) = (self.simulation.system, self.watch.get_mut(), &mut self.kinks);
        system.sides(&kinks.switches, x, work, &mut kinks.other);
        kinks.differ(&kinks.other)
    }

    /// A step that ends where a function of the state changes sides, if one does; gives its size. The error of a step across a change says
    /// nothing of the part before it, which has to be small enough by itself.
    pub(super) fn step_to_kink(&mut self) -> Result<f64, Failure> {
        loop {
            let h = self.step()?;
            if let Some(h) = self.end_at_kink(h)? {
                return Ok(h);
            }
        }
    }

    /// Lets the step that was tried end at a change; `None` if that step has too large an error, and a shorter one is to be tried.
    fn end_at_kink(&mut self, h: f64) -> Result<Option<f64>, Failure> {
        self.kinks.reached = None;
        if self.kinks.switches.is_empty() || matches!(self.simulation.size, Size::Fixed(_)) {
            return Ok(Some(h));
        }
        self.look_along(h);
        let Some((before, after)) = self.first_change(h) else { return Ok(Some(h)) };
        let behind = self.interpolated(self.stepper.now().t + after);
        self.on_other_side(&behind);
        if self.is_too_long(before) {
            return Ok(None);
        }
        if self.stepper.attempt_exactly(before).is_err() {
            if self.kinks.halvings < MOST_HALVINGS {
                self.kinks.halvings += 1;
                self.h = 0.5 * before;
                self.stepper.reject(true);
                return Ok(None);
            }
            self.kinks.halvings = 0;
            // What was tried has been overwritten.
            return self.stepper.attempt_exactly(h).map(|()| Some(h)).map_err(|error| self.step_failure(h, error));
        }
        self.kinks.halvings = 0;
        self.kinks.end();
        self.kinks.reached = Some((before, after - before));
        Ok(Some(before))
    }

    /// Whether a step of this size has too large an error; if so, the next one is shorter.
    fn is_too_long(&mut self, h: f64) -> bool {
        let Size::Controlled(tolerance) = self.simulation.size else { return false };
        let Ok(Some(estimate)) = self.stepper.attempt(h, Some(tolerance)) else { return false };
        if estimate.ratio <= 1.0 {
            return false;
        }
        self.h = self.control.decide(h, estimate).1;
        self.stepper.reject(false);
        true
    }

    /// Finds the sides along the step. Where it has begun at a change, it begins behind that.
    fn look_along(&mut self, h: f64) {
        for part in 0..=PARTS {
            let place = if part == 0 { PASSED * h } else { h * part as f64 / PARTS as f64 };
            let x = if part == PARTS { self.stepper.next().clone() } else { self.interpolated(self.stepper.now().t + place) };
            self.on_other_side(&x);
            let Kinks { now, other, along, .. } = &mut self.kinks;
            if part == 0 {
                now.copy_from_slice(other);
            }
            std::mem::swap(other, &mut along[part]);
            if part == 0 {
                self.kinks.begin(self.stepper.now().t);
            }
        }
    }

    /// Between which parts of the step the first change happens.
    fn first_change(&mut self, h: f64) -> Option<(f64, f64)> {
        let t = self.stepper.now().t;
        for part in 1..=PARTS {
            let [mut before, mut after] = [part - 1, part].map(|k| h * (k as f64 / PARTS as f64).max(PASSED));
            if !self.kinks.differ(&self.kinks.along[part]) {
                let Some(s) = self.kinks.nearest(part) else { continue };
                after = before + s * (after - before);
                let x = self.interpolated(t + after);
                if !self.on_other_side(&x) {
                    continue;
                }
            }
            while after - before > RESOLUTION * h {
                let middle = 0.5 * (before + after);
                let x = self.interpolated(t + middle);
                if self.on_other_side(&x) { after = middle } else { before = middle }
            }
            return Some((before, after));
        }
        None
    }

    /// Goes on beyond the change at which the last step has ended.
    pub(super) fn pass_kink(&mut self) -> Result<(), Failure> {
        if let Some((h, width)) = self.kinks.reached.take() {
            let mut before = self.stepper.now().clone();
            let t = before.t;
            let failed = |error| Failure::Start(t, error);
            self.stepper.consistent(&mut before).map_err(failed)?;
            if let Some(mut after) = self.just_after(&before, h, width) {
                self.stepper.project(&mut after).map_err(failed)?;
                self.stepper.consistent(&mut after).map_err(failed)?;
                if self.starts_anew(&before, &after) {
                    self.begin(&after)?;
                    self.before = self.event_values(self.stepper.now())?;
                }
            }
        }
        self.note_sides();
        Ok(())
    }

    /// The state shortly after (1), on the other side; `None` if it does not get there.
    fn just_after(&mut self, x: &State, h: f64, width: f64) -> Option<State> {
        let system = self.simulation.system;
        let mut moment = width;
        while moment <= LONGEST * h && x.t + moment < self.goal() {
            let mut y = x.clone();
            let step: Vec<f64> = x.v.iter().map(|v| moment * v).collect();
            system.retract(&x.q, &step, &mut y.q);
            y.v.iter_mut().zip(&x.a).for_each(|(v, a)| *v += moment * a);
            y.x.iter_mut().zip(&x.x_dot).for_each(|(y, rate)| *y += moment * rate);
            y.t += moment;
            if self.on_other_side(&y) {
                return Some(y);
            }
            moment *= 4.0;
        }
        None
    }
}
