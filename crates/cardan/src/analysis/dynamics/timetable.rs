//! Functions of time in a run. What they will do is known, so that no step passes over it: steps end at their breaks, and are cut where a
//! function would make an excursion within a step that the last steps have not shown (see `expr/time_part.rs`).
//!
//! At a break the equations are looked at from both sides, at the same q and v:
//!
//! ```text
//! Φ jumps                 no motion can follow: a mistake                                                             (1)
//! Φ̇ jumps                 an impulse: v is projected on the new constraints, M Δv + Gᵀ Λ = 0                           (2)
//! accelerations jump      the method starts again                                                                     (3)
//! otherwise               the step has ended there, and the method goes on, unless it looks back at points before the break
//! ```

use super::Run;
use crate::analysis::hints::Steps;
use crate::analysis::simulation_error::Failure;
use crate::constraints::Level;
use crate::expr::{Break, TimePart};
use crate::integrators::StepError;
use crate::math::largest;
use crate::system::{State, System};

/// Jumps up to this, relative to the size of what jumps, are round-off.
const POSITION_JUMP: f64 = 1e-9;
const VELOCITY_JUMP: f64 = 1e-8;
const ACCELERATION_JUMP: f64 = 1e-6;
/// Breaks closer than this part of the run are passed together, and so many at the most.
const TOGETHER: f64 = 1e-12;
const MOST_AT_ONCE: usize = 100;
/// A step is not cut below this part of what it was.
const SMALLEST_CUT: f64 = 1e-12;

/// What is known of the functions of time.
#[derive(Debug)]
pub(super) struct Timetable {
    parts: Vec<TimePart>,
    next: Option<Break>,
    t_end: f64,
    /// Where a step of given size first passed over a pulse.
    passed_over: Option<f64>,
}

impl Timetable {
    pub fn new(system: &System, t_end: f64) -> Self {
        Self { parts: system.time_parts(), next: None, t_end, passed_over: None }
    }

    /// Looks for the first break after `t`; gives the time behind those that are too close to `t` for a step between.
    pub fn look_ahead(&mut self, mut t: f64) -> f64 {
        for _ in 0..MOST_AT_ONCE {
            let to = self.t_end;
            let breaks = self.parts.iter_mut().filter_map(|part| part.next_break(t, to));
            self.next = breaks.min_by(|a, b| a.after.total_cmp(&b.after));
            match self.next {
                Some(next) if next.before - t <= TOGETHER * to => t = next.after,
                _ => break,
            }
        }
        t
    }

    /// The last time before the next break.
    pub fn goal(&self) -> f64 {
        self.next.map_or(f64::INFINITY, |next| next.before)
    }

    /// The longest step up to `h` from `t` within which no function makes an excursion.
    pub fn cut(&mut self, t: f64, mut h: f64) -> f64 {
        let smallest = SMALLEST_CUT * h;
        while h > smallest && self.parts.iter_mut().any(|part| part.has_excursion(t, t + h)) {
            h *= 0.5;
        }
        h
    }

    /// Notes whether a step of given size from `t`, with so many breaks in it, passes over a pulse.
    fn note_pulse(&mut self, t: f64, end: f64, breaks: usize) {
        if self.passed_over.is_none() && (breaks > 1 || self.parts.iter_mut().any(|part| part.has_excursion(t, end))) {
            self.passed_over = Some(t);
        }
    }

    /// What to say of steps of given size that passed over pulses.
    pub fn warning(&self) -> Option<String> {
        let t = self.passed_over?;
        Some(format!(
            "a function of time changes to and fro within the step from t = {t} s: of pulses shorter than the steps only those values count that \
             steps happen to meet. Take smaller steps, or a tolerance, with which no pulse is passed over"
        ))
    }

    /// Notes what the functions show where a step has ended.
    pub fn note(&mut self, t: f64) {
        self.parts.iter_mut().for_each(|part| part.note(t));
    }
}

impl Run<'_, '_, '_> {
    /// Passes the break where the last step has ended, if there is one.
    pub(super) fn pass_break(&mut self) -> Result<(), Failure> {
        let t = self.stepper.now().t;
        self.timetable.note(t);
        let Some(next) = self.timetable.next.filter(|next| next.before <= t + self.round_off()) else { return Ok(()) };
        let behind = self.timetable.look_ahead(next.after);
        let mut x = self.stepper.now().clone();
        x.t = next.before.max(t);
        let impulse = self.jump_of_constraints(&x, behind)?;
        let failed = |error| Failure::Start(t, error);
        let mut before = x.clone();
        self.stepper.consistent(&mut before).map_err(failed)?;
        x.t = behind.max(t);
        if impulse {
            self.stepper.project(&mut x).map_err(failed)?;
        }
        self.stepper.consistent(&mut x).map_err(failed)?;
        if impulse || self.starts_anew(&before, &x) {
            self.begin(&x)?;
        } else {
            self.stepper.now_and_work().0.t = x.t;
        }
        self.before = self.event_values(self.stepper.now())?;
        Ok(())
    }

    /// Whether the method starts anew between two states on either side of a kink.
    pub(super) fn starts_anew(&self, before: &State, after: &State) -> bool {
        self.simulation.method.looks_back() || jumps(before, after)
    }

    /// Fails at a break up to `end`, within a step of fixed size, over which no motion can follow its constraints.
    pub(super) fn check_jumps(&mut self, end: f64) -> Result<(), Failure> {
        let mut breaks = 0;
        while let Some(next) = self.timetable.next.filter(|next| next.after <= end) {
            let mut x = self.stepper.now().clone();
            x.t = next.before;
            let behind = self.timetable.look_ahead(next.after);
            self.jump_of_constraints(&x, behind)?;
            breaks += usize::from(behind < end - self.round_off());
        }
        self.timetable.note_pulse(self.stepper.now().t, end, breaks);
        Ok(())
    }

    /// Fails where the constraints jump between the time of a state and `after` (1); says whether their rates do (2).
    fn jump_of_constraints(&mut self, x: &State, after: f64) -> Result<bool, Failure> {
        let system = self.simulation.system;
        let work = self.watch.get_mut();
        let before = system.evaluate(x, work);
        let (phi, rate) = (before.phi().to_vec(), before.phi_dot().to_vec());
        let later = State { t: after, ..x.clone() };
        let at = system.evaluate(&later, work);
        let sizes = [POSITION_JUMP * (1.0 + largest(&x.q)), VELOCITY_JUMP * (1.0 + largest(&x.v))];
        let rows = (0..system.rows()).filter(|k| system.levels()[*k] == Level::Position);
        let jump = |k: &usize| (at.phi()[*k] - phi[*k]).abs();
        if let Some(k) = rows.max_by(|a, b| jump(a).total_cmp(&jump(b))).filter(|k| jump(k) > sizes[0]) {
            let error = StepError::Jumps { constraint: system.row_name(k).0, by: jump(&k) };
            return Err(Failure::Step(x.t, after - x.t, error, Steps::Controlled));
        }
        Ok(at.phi_dot().iter().zip(&rate).any(|(a, b)| (a - b).abs() > sizes[1]))
    }
}

/// Whether accelerations or rates of states differ (3).
fn jumps(before: &State, after: &State) -> bool {
    let differ = |a: &[f64], b: &[f64]| {
        let size = ACCELERATION_JUMP * (largest(a).max(largest(b)) + f64::MIN_POSITIVE);
        a.iter().zip(b).any(|(a, b)| (a - b).abs() > size)
    };
    differ(&before.a, &after.a) || differ(&before.x_dot, &after.x_dot)
}
