//! Steps of a run: the first one after a start, fixed ones, and those that the error control accepts.

use super::Run;
use crate::analysis::hints::Steps;
use crate::analysis::simulation::Size;
use crate::analysis::simulation_error::Failure;
use crate::integrators::StepError;
use crate::system::State;

impl Run<'_, '_, '_> {
    /// (Re)starts the stepper at a consistent state and chooses the first step.
    pub(super) fn begin(&mut self, x: &State) -> Result<(), Failure> {
        self.close_books(x);
        let failed = |error| Failure::Start(x.t, error);
        let span = self.t_end - x.t;
        self.h = match self.simulation.size {
            Size::Fixed(h) => h,
            Size::Controlled(tolerance) => match self.simulation.first_step {
                Some(h) => h,
                None => self.stepper.first_step(x, tolerance, span),
            },
        };
        self.h = self.h.min(self.longest()).min(self.clear_step().map_or(f64::INFINITY, |(step, _)| step));
        // What is due at this very instant is no goal.
        let left = self.goal() - x.t;
        if left > self.round_off() {
            self.h = self.h.min(left);
        }
        self.stepper.start(x, self.h).map_err(failed)?;
        self.impacts.forget();
        self.start_touches(x);
        self.clearances.forget();
        self.note_sides();
        Ok(())
    }

    /// One step that satisfies the error test; returns its size.
    pub(super) fn step(&mut self) -> Result<f64, Failure> {
        let h = match self.simulation.size {
            Size::Fixed(h) => self.fixed_step(h),
            Size::Controlled(tolerance) => self.controlled_step(tolerance),
        }?;
        self.end_exactly();
        Ok(h)
    }

    /// The failure of a step from here.
    pub(super) fn step_failure(&self, h: f64, error: StepError) -> Failure {
        let steps = if matches!(self.simulation.size, Size::Fixed(_)) { Steps::Fixed } else { Steps::Controlled };
        Failure::Step(self.stepper.now().t, h, error, steps)
    }

    /// One step of this size, the last one before a sample, a time to record or the end of the run shortened to end there.
    fn fixed_step(&mut self, h: f64) -> Result<f64, Failure> {
        let t = self.stepper.now().t;
        // A remainder within round-off of h is a full step: t_end/h steps of exactly h where it is a whole number.
        let left = self.goal() - t;
        let h = if left < h * (1.0 + 1e-9) { left } else { h };
        let failed = |error| Failure::Step(t, h, error, Steps::Fixed);
        self.check_jumps(t + h)?;
        self.stepper.attempt(h, None).map_err(failed)?;
        if let Some((step, force)) = self.too_far(h) {
            return Err(failed(self.passes_through(h, step, force)));
        }
        Ok(h)
    }

    /// Attempts steps until one is accepted. The old point is never written, so a rejection costs nothing but time.
    fn controlled_step(&mut self, tolerance: f64) -> Result<f64, Failure> {
        let t = self.stepper.now().t;
        loop {
            let wanted = self.step_between_contacts(self.h.min(self.longest()));
            let h = self.timetable.cut(t, self.fitted(wanted));
            let smallest = self.simulation.options.smallest_step * self.t_end.max(t.abs());
            match self.stepper.attempt(h, Some(tolerance)) {
                Ok(estimate) => {
                    let (accepted, next) = estimate.map_or((true, self.h), |estimate| self.control.decide(h, estimate));
                    self.h = next;
                    if next < smallest {
                        return Err(Failure::TooSmall(t, next, self.stepper.most_changed()));
                    }
                    match accepted.then(|| self.too_long_for_contacts(h)).flatten() {
                        None if accepted => return Ok(h),
                        None => self.stepper.reject(false),
                        Some((step, force)) => {
                            self.h = step;
                            self.touches.repeated(force);
                            self.stepper.reject(true);
                        }
                    }
                }
                Err(error) => {
                    self.stepper.reject(true);
                    self.h = self.control.after_failure(h);
                    if self.h < smallest {
                        return Err(Failure::Step(t, h, error, Steps::Controlled));
                    }
                }
            }
        }
    }

    /// The step that is wanted, or the shorter one that contacts allow.
    fn step_between_contacts(&mut self, wanted: f64) -> f64 {
        let allowed = self.clear_step().into_iter().chain(self.impacts.longest()).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((step, force)) = allowed.filter(|(step, _)| *step < wanted) else { return wanted };
        self.touches.shortened(force);
        step
    }

    /// A shorter step, where shapes could have passed through each other or have struck each other too deep within one of size h, and the force
    /// that is the reason.
    fn too_long_for_contacts(&mut self, h: f64) -> Option<(f64, usize)> {
        let clear = self.too_far(h);
        let shorter = self.struck_too_deep(h);
        clear.into_iter().chain(shorter).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The longest step that is allowed from here, but for contacts.
    fn longest(&self) -> f64 {
        self.simulation.longest().min(self.stepper.longest())
    }

    /// The step shortened so that steps end exactly at samples, at times to record and at the end of the run, without a tiny last step.
    fn fitted(&self, h: f64) -> f64 {
        let left = self.goal() - self.stepper.now().t;
        if h >= left {
            left
        } else if 2.0 * h > left {
            0.5 * left
        } else {
            h
        }
    }
}
