//! The Newmark family at work: with the numbers of a [`Scheme`],
//!
//! ```text
//! q = q_n ⊕ (h v_n + h² (½ − β) u_n + βh² u),   v = v_n + h ((1 − γ) u_n + γ u),   a = A u_n + B a_n + c_a u       (1)
//! local error in q:   C h² (u_{n+1} − u_n)                                                                       (2)
//! ```
//!
//! and M a + f = 0 at t_{n+1}. Differential states are in `states`.

use super::advance::{Estimate, Sizes};
use super::formula::Formula;
use super::start::{self, Change};
use super::step::{Coefficients, Known, Point};
use super::{NewmarkType, Options, Scheme, Startup, StepRatio};
use crate::bodies::Chart;
use crate::math::{weighted_rms, weighted_rms_of_difference};
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
    /// Slope of w over the last step.
    slope: Vec<f64>,
    before: Vec<f64>,
    /// Where w stands.
    place: Place,
}

/// Where w stands, which is not where its step ends.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// w_n stands for the rate at t_n + o_n (equation 4 of `states`).
    offset: f64,
    /// Time between where w_n and w_{n−1} stand.
    gap: f64,
}

impl<M: NewmarkType> OneStep<M> {
    /// The method at work on this system.
    pub fn new(method: M, system: &System) -> Self {
        let known = (StepRatio::FIRST, method.scheme(StepRatio::FIRST));
        let zeros = vec![0.0; system.nx()];
        let constant = method.error_constant().abs();
        Self { method, constant, last: None, tried: None, known, slope: zeros.clone(), before: zeros, place: Place::default() }
    }

    fn state_constants(&self) -> [f64; 2] {
        self.method.scheme(StepRatio::FIRST).states.error_constants()
    }

    fn tried_size(&self) -> f64 {
        self.tried.map_or(0.0, |(_, h)| h)
    }

    /// Where w stands after the step that is tried.
    fn next_place(&self) -> Place {
        let Some((scheme, h)) = self.tried else { return self.place };
        let offset = scheme.states.next_offset(h, self.place.offset);
        Place { offset, gap: h + offset - self.place.offset }
    }

    /// The error of one state (equation 3 of `states`), with the slope of w over the times between where it stands. Without a step
    /// before, the whole change of w stands for its second difference. Of states with rough rates the integral is controlled, as
    /// positions are: a jump of w over a short step would not fall with the step.
    fn error_of_state(&self, system: &System, now: &Point, next: &Point, weight: f64, i: usize) -> f64 {
        let ([first, second], h) = (self.state_constants(), self.tried_size());
        let change = next.w[i] - now.w[i];
        if system.smoothness(i) == Smoothness::Rough {
            return h * h * second * change * weight;
        }
        let expected = self.next_place().gap * self.slope[i];
        let bend = self.last.map_or(change, |(_, last)| (change - expected) * 2.0 * h / (h + last));
        h * (first * change + second * bend) * weight
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
        (self.last, self.tried, self.place) = (None, None, Place::default());
        let startup = if options.startup == Startup::Default { self.method.startup() } else { options.startup };
        if startup == Startup::Corrected {
            let scheme = self.method.scheme(StepRatio::FIRST);
            start::correct(system, self.method.offset(), &scheme, options.formulation, h, now, kkt, work)?;
            self.place.offset = h * scheme.states.offset();
        }
        self.before.copy_from_slice(&now.w);
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
            None => self.constant * self.tried_size().powi(2) * (next.u[entry] - now.u[entry]) * sizes.moving[entry],
        }
    }

    fn estimate(&mut self, system: &System, now: &Point, next: &Point, sizes: Sizes, tolerance: f64) -> Estimate {
        let h = self.tried_size();
        let moved = self.constant * h * h * weighted_rms_of_difference(&next.u, &now.u, sizes.moving);
        let states: f64 = (0..now.w.len()).map(|i| self.error_of_state(system, now, next, sizes.states[i], i).powi(2)).sum();
        let ratio = moved.max((states / now.w.len().max(1) as f64).sqrt()) / tolerance;
        Estimate { ratio, order: 2, next: (ratio, 2) }
    }

    fn first_step(&self, change: &Change, probe: f64, sizes: Sizes, tolerance: f64) -> f64 {
        let jerk = weighted_rms(&change.a, sizes.moving) / probe;
        let size = (tolerance / (self.constant.max(1e-3) * jerk).max(f64::MIN_POSITIVE)).cbrt();
        // The first step has no second difference of w to look at: the first one is held against the tolerance.
        let bend = weighted_rms(&change.x_dot, sizes.states) / probe;
        size.min((tolerance / (self.state_constants()[1].abs() * bend).max(f64::MIN_POSITIVE)).sqrt())
    }

    fn accept(&mut self, _: &System, now: &Point) {
        self.place = self.next_place();
        self.last = self.tried;
        for ((slope, before), w) in self.slope.iter_mut().zip(&mut self.before).zip(&now.w) {
            *slope = (w - *before) / self.place.gap;
            *before = *w;
        }
    }
}
