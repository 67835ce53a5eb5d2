//! Backward differentiation formulas of order 1 to 5 with variable steps and order: the derivative of the polynomial through the new
//! value and the last k,
//!
//! ```text
//! v̇_{n+1} = d₀ v_{n+1} + Σ_j d_j v_{n+1−j} = u         v = v̂ + c_v u,    v̂ = −Σ (d_j/d₀) v_{n+1−j},   c_v = 1/d₀      (1)
//! q̇_{n+1} = d₀ q_{n+1} + Σ_j d_j q_{n+1−j}             q = q̂ ⊕ c_v v,    q̂ = −Σ (d_j/d₀) q_{n+1−j}                  (2)
//! ```
//!
//! For an attitude p, where ṗ = ½ p ω, (2) reads p (1 − ½ c_v ω) = p̂; its solution, brought to unit length, is p̂ turned by c_v ω in
//! Cayley's chart. So (2) holds for quaternions as it stands, and there is nothing to iterate. With P_k the polynomial through the
//! last k + 1 values, the local error of order k is
//!
//! ```text
//! (t_{n+1} − t_n)/(t_{n+1} − t_{n−k}) · (q_{n+1} − P_k(t_{n+1}))                                                         (3)
//! ```
//!
//! Positions, velocities and differential states are controlled by it, velocities as far as constraints and stiff forces let their errors last.
//! After k + 1 steps of one order the one that allows the largest step is taken, among k − 1, k and k + 1.
//!
//! The start is made of order 2 by values before it that Taylor's formula gives (`bdf_history`). They are as far apart as the first step is long:
//! (3) takes the highest difference to be the same over all values, and among values far apart a short step would seem to have no error.
//!
//! References: Gear, IEEE Trans. Circuit Theory 18 (1971), doi:10.1109/TCT.1971.1083221; Brenan, Campbell, Petzold, Numerical Solution of
//! Initial-Value Problems in Differential-Algebraic Equations, doi:10.1137/1.9781611971224, for variable steps and order.

use super::advance::{Advance, Estimate, Sizes};
use super::bdf_history::{History, KEPT, Which};
use super::formula::{Attempted, Filter, Formula};
use super::implicit::Implicit;
use super::start::{Change, acceleration_change};
use super::{Method, Options, Parameter};
use crate::bodies::Chart;
use crate::math::{max_abs, weighted_rms, weighted_rms_of_difference};
use crate::newton::{Coefficients, Known, Point};
use crate::system::{Hats, Kkt, KktError, System, Work};
use std::sync::Arc;

/// Tolerances below this are fine.
const FINE: f64 = 1e-7;
/// Highest order.
const MAX_ORDER: usize = 5;
/// Another order must promise a step larger by this factor.
const WORTHWHILE: f64 = 1.05;

/// Backward differentiation formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bdf {
    /// Highest order, 1 to 5.
    pub max_order: usize,
}

impl Default for Bdf {
    fn default() -> Self {
        Self { max_order: MAX_ORDER }
    }
}

impl Method for Bdf {
    fn name(&self) -> &'static str {
        "bdf"
    }
    fn summary(&self) -> &'static str {
        "backward differentiation formulas: order 1 to 5, variable step and order"
    }
    fn order(&self) -> usize {
        self.max_order
    }
    /// More of fine tolerances: starts are of low order, and their steps must not come down to round-off.
    fn share(&self, tolerance: f64) -> f64 {
        (0.1 * (FINE / tolerance).sqrt()).clamp(0.1, 1.0)
    }
    fn damping(&self) -> String {
        "strong".into()
    }
    fn looks_back(&self) -> bool {
        true
    }
    fn at_work(&self, system: &System, options: &Options) -> Box<dyn Advance> {
        let formulas = Formulas {
            max_order: self.max_order,
            order: 1,
            steady: 0,
            history: History::new(system),
            first: None,
            q: vec![0.0; system.nq()],
            v: vec![0.0; system.nv()],
            guess: vec![0.0; system.nq()],
            moved: vec![0.0; system.nv()],
            states: vec![0.0; system.nx()],
            tried: 0.0,
            controlled: false,
        };
        Box::new(Implicit::new(system, options, formulas))
    }
    fn with(&self, parameter: &str, value: Parameter) -> Option<Arc<dyn Method>> {
        let max_order = value.number().filter(|_| parameter == "max_order")?;
        Some(Arc::new(Self { max_order: max_order as usize }))
    }
    fn mistake(&self) -> Option<String> {
        let possible = (1..=MAX_ORDER).contains(&self.max_order);
        (!possible).then(|| format!("the highest order of BDF is between 1 and 5, it is {}", self.max_order))
    }
}

/// The formulas at work.
#[derive(Debug)]
struct Formulas {
    max_order: usize,
    /// k, and the steps made with it.
    order: usize,
    steady: usize,
    history: History,
    /// Where no step has been taken since the start: how accelerations change there over a step of this size; nothing where that is not known.
    first: Option<(f64, Option<Change>)>,
    /// q̂ and v̂.
    q: Vec<f64>,
    v: Vec<f64>,
    /// P_k, and what it is off by.
    guess: Vec<f64>,
    moved: Vec<f64>,
    states: Vec<f64>,
    /// The size of the step tried, and whether its error was asked for.
    tried: f64,
    controlled: bool,
}

impl Formulas {
    /// The local error of an order (3), relative to the sizes.
    fn error(&mut self, step: &Attempted, sizes: Sizes, order: usize, filter: &mut Filter) -> f64 {
        let Attempted { system, next, .. } = *step;
        let t = next.x.t;
        let factors = self.history.extrapolation(order, t);
        let used = &factors[..=order];
        self.history.combine(Which::Positions, used, &mut self.guess);
        system.difference(&self.guess, &next.x.q, &mut self.moved);
        let mut error = weighted_rms(&self.moved, sizes.moving);
        if !sizes.rates.is_empty() {
            self.history.combine(Which::Velocities, used, &mut self.moved);
            self.moved.iter_mut().zip(&next.x.v).for_each(|(m, v)| *m = v - *m);
            filter(&mut self.moved);
            error = error.max(sizes.of_rates(&self.moved));
        }
        if system.nx() > 0 {
            self.history.combine(Which::States, used, &mut self.states);
            error = error.max(weighted_rms_of_difference(&next.x.x, &self.states, sizes.states));
        }
        error * (t - self.history.time(0)) / (t - self.history.time(order))
    }

    /// The order of the next step, and its error if it is as large as the last.
    fn choose(&mut self, step: &Attempted, sizes: Sizes, own: f64, tolerance: f64, filter: &mut Filter) -> (f64, usize) {
        let growth = |(ratio, order): (f64, usize)| (2.0 * ratio).max(1e-12).powf(-1.0 / (order as f64 + 1.0));
        let mut best = (own, self.order);
        if self.steady <= self.order {
            return best;
        }
        let highest = self.max_order.min(self.history.known() - 1);
        for order in [self.order - 1, self.order + 1].into_iter().filter(|k| (1..=highest).contains(k)) {
            let ratio = self.error(step, sizes, order, filter) / tolerance;
            if growth((ratio, order)) > WORTHWHILE * growth(best) {
                best = (ratio, order);
            }
        }
        best
    }

    fn take(&mut self, order: usize) {
        if order != self.order {
            (self.order, self.steady) = (order, 0);
        }
    }
}

impl Formula for Formulas {
    fn start(&mut self, system: &System, _: &Options, h: f64, now: &mut Point, kkt: &mut Kkt, work: &mut Work) -> Result<(), KktError> {
        // Where h does not resolve the motion, or there is no acceleration beside a singular configuration, the start is of order 1.
        let change = acceleration_change(system, &now.x, h, kkt, work).ok();
        let resolved = change.filter(|c| {
            max_abs(&c.a) <= max_abs(&now.x.a) + 0.1 * max_abs(&now.x.v) / h && max_abs(&c.x_dot) <= max_abs(&now.x.x_dot) + 0.1 / h
        });
        (self.order, self.steady) = (if resolved.is_some() { self.max_order.min(2) } else { 1 }, 0);
        self.first = Some((h, resolved));
        Ok(())
    }

    fn prepare(&mut self, system: &System, now: &Point, h: f64, known: &mut Known) -> Coefficients {
        let t = now.x.t + h;
        if let Some((size, change)) = &mut self.first {
            change.iter_mut().for_each(|change| change.scale(h / *size));
            *size = h;
            self.history.start(system, now, h, change.as_ref());
        }
        self.tried = h;
        self.controlled = false;
        let (new, mut factors): (f64, [f64; KEPT]) = self.history.derivative(self.order, t);
        factors.iter_mut().for_each(|f| *f /= -new);
        let (used, c) = (&factors[..self.order], 1.0 / new);
        self.history.combine(Which::Positions, used, &mut self.q);
        self.history.combine(Which::Velocities, used, &mut self.v);
        self.history.combine(Which::States, used, &mut known.x);
        known.x_dot.fill(0.0);
        let hats = Hats { increment: [c, 0.0], ..Hats::default() };
        Coefficients {
            position: c * c,
            velocity: c,
            acceleration: 1.0,
            state: c,
            state_rate: 1.0,
            hats,
            error: c * c,
            chart: Chart::Cayley,
        }
    }

    fn base<'a>(&'a self, _: &'a Point) -> [&'a [f64]; 2] {
        [&self.q, &self.v]
    }

    fn error_of(&self, system: &System, _: &Point, next: &Point, sizes: Sizes, entry: usize) -> f64 {
        let factors = self.history.extrapolation(self.order, next.x.t);
        let used = &factors[..=self.order];
        if let Some(i) = entry.checked_sub(system.nv()) {
            let mut states = self.states.clone();
            self.history.combine(Which::States, used, &mut states);
            return (next.x.x[i] - states[i]) * sizes.states[i];
        }
        let (mut guess, mut moved) = (self.guess.clone(), self.moved.clone());
        self.history.combine(Which::Positions, used, &mut guess);
        system.difference(&guess, &next.x.q, &mut moved);
        let position = (moved[entry] * sizes.moving[entry]).abs();
        self.history.combine(Which::Velocities, used, &mut moved);
        position.max(sizes.rates.get(entry).map_or(0.0, |weight| weight * (next.x.v[entry] - moved[entry]).abs()))
    }

    fn estimate(&mut self, step: &Attempted, sizes: Sizes, tolerance: f64, filter: &mut Filter) -> Estimate {
        let (ratio, order) = (self.error(step, sizes, self.order, filter) / tolerance, self.order);
        self.controlled = true;
        if ratio > 1.0 {
            self.steady = 0;
            return Estimate { ratio, order, next: (ratio, order) };
        }
        let chosen = self.choose(step, sizes, ratio, tolerance, filter);
        self.take(chosen.1);
        Estimate { ratio, order, next: chosen }
    }

    fn first_step(&self, change: &Change, probe: f64, sizes: Sizes, tolerance: f64) -> f64 {
        let (jerk, bend) = (weighted_rms(&change.a, sizes.moving) / probe, weighted_rms(&change.x_dot, sizes.states) / probe);
        let size = (tolerance / jerk.max(f64::MIN_POSITIVE)).cbrt();
        size.min((tolerance / bend.max(f64::MIN_POSITIVE)).sqrt())
    }

    fn accept(&mut self, _: &System, now: &Point) {
        self.history.push(now);
        self.first = None;
        self.steady += 1;
        if !self.controlled {
            self.take((self.history.known() - 1).min(self.max_order));
        }
    }
}
