//! The Newmark family at work: with the numbers of a [`Scheme`],
//!
//! ```text
//! q = q_n ⊕ (h v_n + h² (½ − β) u_n + βh² u),   v = v_n + h ((1 − γ) u_n + γ u),   a = A u_n + B a_n + c_a u       (1)
//! local error in q:   C h² (u_{n+1} − u_n)                                                                       (2)
//! ```
//!
//! and M a + f = 0 at t_{n+1}. Differential states are in `states`; v is to u what x is to w, and has the same local error, by the same
//! formula.

use super::advance::{Estimate, Sizes};
use super::course::Course;
use super::formula::{Attempted, Filter, Formula};
use super::start::{self, Change};
use super::{NewmarkType, Options, Scheme, Startup, StepRatio};
use crate::bodies::Chart;
use crate::math::{weighted_rms, weighted_rms_of_difference};
use crate::newton::{Coefficients, Known, Point};
use crate::system::{Hats, Kkt, KktError, Smoothness, System, Work};

/// A method of the family, and what it remembers of the last step.
#[derive(Debug)]
pub struct OneStep<M> {
    method: M,
    /// |C|.
    constant: f64,
    /// Scheme and size of the last accepted step, and of the one tried.
    last: Option<(Scheme, f64)>,
    tried: Option<(Scheme, f64)>,
    /// The numbers asked for last, which those of equal steps are.
    known: (StepRatio, Scheme),
    /// The courses of u and of w.
    u: Course,
    w: Course,
    /// Errors of velocities.
    error_v: Vec<f64>,
}

impl<M: NewmarkType> OneStep<M> {
    /// The method at work on this system.
    pub fn new(method: M, system: &System) -> Self {
        let first = method.scheme(StepRatio::FIRST);
        Self {
            method,
            constant: method.error_constant().abs(),
            last: None,
            tried: None,
            known: (StepRatio::FIRST, first),
            u: Course::new(&first.velocities(), system.nv()),
            w: Course::new(&first.states, system.nx()),
            error_v: vec![0.0; system.nv()],
        }
    }

    fn tried_size(&self) -> f64 {
        self.tried.map_or(0.0, |(_, h)| h)
    }

    /// Sizes of the step tried and of the one before.
    fn sizes(&self) -> (f64, Option<f64>) {
        (self.tried_size(), self.last.map(|(_, h)| h))
    }

    /// The error of one state (equation 3 of `states`). Of states with rough rates the integral is controlled, as positions are: a jump of
    /// w over a short step would not fall with the step.
    fn error_of_state(&self, system: &System, now: &Point, next: &Point, weight: f64, i: usize) -> f64 {
        let (change, h) = (next.w[i] - now.w[i], self.tried_size());
        if system.smoothness(i) == Smoothness::Rough {
            return h * h * self.w.constants[1] * change * weight;
        }
        let scheme = self.tried.map_or(self.known.1.states, |(s, _)| s.states);
        weight * self.w.error(&scheme, self.sizes(), change, i)
    }

    /// The error of one velocity.
    fn error_of_velocity(&self, now: &Point, next: &Point, i: usize) -> f64 {
        let scheme = self.tried.map_or(self.known.1, |(s, _)| s).velocities();
        self.u.error(&scheme, self.sizes(), next.u[i] - now.u[i], i)
    }
}

impl<M: NewmarkType> Formula for OneStep<M> {
    fn start(
        &mut self,
        system: &System,
        options: &Options,
        h: f64,
        now: &mut Point,
        kkt: &mut Kkt,
        work: &mut Work,
    ) -> Result<(), KktError> {
        (self.last, self.tried) = (None, None);
        let startup = if options.startup == Startup::Default { self.method.startup() } else { options.startup };
        let (mut offsets, mut change) = ([0.0; 2], None);
        if startup == Startup::Corrected {
            let scheme = self.method.scheme(StepRatio::FIRST);
            change = start::correct(system, self.method.offset(), &scheme, options.formulation, h, now, kkt, work)?;
            offsets = [scheme.velocities().offset(), scheme.states.offset()].map(|offset| h * offset);
        }
        self.u.start(&now.u, offsets[0], change.as_ref().map(|c| (&c.a[..], h)));
        self.w.start(&now.w, offsets[1], None);
        Ok(())
    }

    fn prepare(&mut self, _: &System, now: &Point, h: f64, known: &mut Known) -> Coefficients {
        let ratio = match self.last {
            None => StepRatio::FIRST,
            Some((s, previous)) => StepRatio { ratio: h / previous, previous: Some([s.gamma, s.states.theta]) },
        };
        if self.known.0 != ratio {
            self.known = (ratio, self.method.scheme(ratio));
        }
        let s = self.known.1;
        self.tried = Some((s, h));
        for i in 0..now.w.len() {
            (known.x[i], known.x_dot[i]) = s.states.known(h, (now.x.x[i], now.x.x_dot[i], now.w[i]));
        }
        Coefficients {
            position: s.beta * h * h,
            velocity: s.gamma * h,
            acceleration: s.acceleration,
            state: s.states.theta * h,
            state_rate: s.states.rate,
            hats: Hats { increment: [h, h * h * (0.5 - s.beta)], u: (1.0 - s.gamma) / s.gamma, a: [s.of_auxiliary, s.of_acceleration] },
            error: self.constant * h * h,
            chart: Chart::Exponential,
        }
    }

    fn error_of(&self, system: &System, now: &Point, next: &Point, sizes: Sizes, entry: usize) -> f64 {
        match entry.checked_sub(now.u.len()) {
            Some(i) => self.error_of_state(system, now, next, sizes.states[i], i),
            None => {
                let position = self.constant * self.tried_size().powi(2) * (next.u[entry] - now.u[entry]) * sizes.moving[entry];
                let rate = sizes.rates.get(entry).map_or(0.0, |weight| weight * self.error_of_velocity(now, next, entry));
                position.abs().max(rate.abs())
            }
        }
    }

    fn estimate(&mut self, step: &Attempted, sizes: Sizes, tolerance: f64, filter: &mut Filter) -> Estimate {
        let Attempted { system, now, next } = *step;
        let h = self.tried_size();
        let moved = self.constant * h * h * weighted_rms_of_difference(&next.u, &now.u, sizes.moving);
        let states: f64 = (0..now.w.len()).map(|i| self.error_of_state(system, now, next, sizes.states[i], i).powi(2)).sum();
        let mut error = moved.max((states / now.w.len().max(1) as f64).sqrt());
        if !sizes.rates.is_empty() {
            let mut velocities = std::mem::take(&mut self.error_v);
            velocities.iter_mut().enumerate().for_each(|(i, e)| *e = self.error_of_velocity(now, next, i));
            filter(&mut velocities);
            error = error.max(sizes.of_rates(&velocities));
            self.error_v = velocities;
        }
        let ratio = error / tolerance;
        Estimate { ratio, order: 2, next: (ratio, 2) }
    }

    fn first_step(&self, change: &Change, probe: f64, sizes: Sizes, tolerance: f64) -> f64 {
        let jerk = weighted_rms(&change.a, sizes.moving) / probe;
        let size = (tolerance / (self.constant.max(1e-3) * jerk).max(f64::MIN_POSITIVE)).cbrt();
        // The first step has no second difference of w to look at: the first one is held against the tolerance.
        let bend = weighted_rms(&change.x_dot, sizes.states) / probe;
        size.min((tolerance / (self.w.constants[1].abs() * bend).max(f64::MIN_POSITIVE)).sqrt())
    }

    fn accept(&mut self, _: &System, now: &Point) {
        let Some((scheme, h)) = self.tried else { return };
        self.u.accept(&scheme.velocities(), h, &now.u);
        self.w.accept(&scheme.states, h, &now.w);
        self.last = self.tried;
    }
}
