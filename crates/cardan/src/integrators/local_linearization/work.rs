//! The method at work: linearise once where a step starts, then solve for any step size from there.

use super::flow::{Flow, Terms, vector};
use super::{ErrorPer, LocalLinearization, Projection, put};
use crate::integrators::advance::{Advance, Estimate, Site};
use crate::integrators::start::Change;
use crate::integrators::{Method, StepError, chart};
use crate::math::{is_finite, tangent_inverse, weighted_rms};
use crate::system::{KktError, State, System, WHOLE};

/// Starts look ahead by this part of a step.
const AHEAD: f64 = 1e-6;

/// Which state the linear equations are those of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Flowing {
    /// A state that is left behind.
    Old,
    /// `site.now`.
    Current,
    /// `site.now` was set anew, maybe at a corner; look so much ahead.
    Started(f64),
}

/// The method on a system.
#[derive(Debug)]
pub(super) struct AtWork {
    method: LocalLinearization,
    flow: Flow,
    /// Whether the flow is that of `site.now`.
    flow_is: Flowing,
    /// y at the end of the step, its rate in the linear equations, and the local error.
    y: Vec<f64>,
    rate: Vec<f64>,
    /// r_m and r; in a step of order 2 then the parts of φ₂ and φ₃ in its error.
    missed: [Vec<f64>; 2],
    error: Vec<f64>,
    /// 1/Y of all of y.
    weights: Vec<f64>,
}

impl AtWork {
    pub fn new(method: LocalLinearization, system: &System) -> Self {
        let n = 2 * system.nv() + system.nx();
        let zero = vec![0.0; n];
        let flow = Flow::new(system, method.dense, if method.order() == 2 { 3 } else { 4 });
        Self {
            method,
            flow,
            flow_is: Flowing::Old,
            y: zero.clone(),
            rate: zero.clone(),
            missed: [zero.clone(), zero.clone()],
            error: zero,
            weights: vec![1.0; n],
        }
    }

    /// 1/Y are the stepper's; in the paper's norm velocities are weighed by their own largest size so far.
    fn update_weights(&mut self, site: &mut Site) {
        let nv = site.system.nv();
        site.weigh();
        let sizes = site.sizes();
        self.weights[..nv].copy_from_slice(sizes.moving);
        self.weights[2 * nv..].copy_from_slice(sizes.states);
        let velocities = &mut self.weights[nv..2 * nv];
        if sizes.rates.is_empty() {
            velocities.iter_mut().zip(&site.now.x.v).for_each(|(w, v)| *w = w.min(1.0 / v.abs().max(1.0)));
        } else {
            velocities.copy_from_slice(sizes.rates);
        }
    }

    /// The size of the error; positions, velocities and states are looked at together in the paper's norm, one by one otherwise.
    fn size(&self, site: &Site) -> f64 {
        let (nv, sizes) = (site.system.nv(), site.sizes());
        if sizes.rates.is_empty() {
            return weighted_rms(&self.error, &self.weights);
        }
        let (q, rest) = self.error.split_at(nv);
        let (v, x) = rest.split_at(nv);
        weighted_rms(q, sizes.moving).max(sizes.of_rates(v)).max(weighted_rms(x, sizes.states))
    }

    /// Writes the end of the step to `site.next`, on the constraints where they are kept, with its accelerations.
    fn place(&mut self, site: &mut Site, h: f64) -> Result<(), StepError> {
        self.check()?;
        let (system, nv) = (site.system, site.system.nv());
        let (now, next) = (&site.now.x, &mut site.next.x);
        put(system, now, h, &self.y, next);
        next.memory.copy_from(&now.memory);
        if self.method.projection == Projection::On && system.rows() > 0 {
            site.kkt.project_positions(system, next, &mut site.work)?;
            site.violation = site.kkt.project_and_accelerate(system, next, &mut site.work)?;
        } else {
            site.violation = site.kkt.accelerate(system, next, &mut site.work)?;
        }
        site.statistics.evaluations += 1;
        // Known up to half a turn.
        chart::check(system, &next.v, h)?;
        system.difference(&now.q, &next.q, &mut self.y[..nv]);
        for k in 0..nv {
            self.y[nv + k] = next.v[k] - now.v[k];
        }
        let next = &mut site.next;
        next.u.copy_from_slice(&next.x.a);
        next.w.copy_from_slice(&next.x.x_dot);
        Ok(())
    }

    /// The order of what is estimated: the error falls with one more.
    fn estimated(&self) -> usize {
        if self.method.order() == 2 { 2 } else { 3 }
    }

    /// A step of order 2 with its error (2–5).
    fn second(&mut self, site: &mut Site, h: f64, tolerance: Option<f64>) -> Result<(), StepError> {
        let middle = tolerance.is_some() && !site.rates.is_empty();
        if middle {
            self.flow.solve(site.system, 0.5 * h, Terms::Linear, &mut self.y)?;
            self.look(site, 0.5 * h, 0)?;
        }
        self.flow.solve(site.system, h, Terms::Linear, &mut self.y)?;
        self.place(site, h)?;
        if tolerance.is_none() {
            return Ok(());
        }
        self.miss(site, h, 1)?;
        let [linear, quadratic] = &mut self.missed;
        for (m, r) in linear.iter_mut().zip(quadratic) {
            *m = if middle { 4.0 * *m - *r } else { 0.0 };
            *r = 2.0 * (*r - *m) / (h * h);
            *m /= h;
        }
        self.flow.solve(site.system, h, Terms::Error([&self.missed[0], &self.missed[1]]), &mut self.error)
    }

    /// A step of order 4 with its error (6–9). What the projection onto the constraints moves is usually far less, and counts as error, too:
    /// beside a singular configuration it may leave the motion.
    fn fourth(&mut self, site: &mut Site, h: f64, tolerance: Option<f64>) -> Result<(), StepError> {
        self.flow.solve(site.system, 0.5 * h, Terms::Linear, &mut self.y)?;
        self.look(site, 0.5 * h, 0)?;
        for (t, place) in [(0.5 * h, 0), (h, 1)] {
            self.flow.bend[0].iter_mut().zip(&self.missed[0]).for_each(|(w_3, r_m)| *w_3 = 8.0 * r_m / (h * h));
            self.flow.solve(site.system, t, Terms::Bent, &mut self.y)?;
            self.look(site, t, place)?;
        }
        let ([r_m, r], [w_3, w_4]) = (&self.missed, &mut self.flow.bend);
        for k in 0..r.len() {
            w_3[k] = 2.0 * (8.0 * r_m[k] - r[k]) / (h * h);
            w_4[k] = 6.0 * (2.0 * r[k] - 8.0 * r_m[k]) / (h * h * h);
        }
        self.error.fill(0.0);
        if tolerance.is_some() {
            self.flow.solve(site.system, h, Terms::Last, &mut self.error)?;
        }
        self.flow.solve(site.system, h, Terms::Whole, &mut self.y)?;
        self.rate.copy_from_slice(&self.y);
        self.place(site, h)?;
        for (error, (placed, y)) in self.error.iter_mut().zip(self.y.iter().zip(&self.rate)) {
            *error = error.abs() + (placed - y).abs();
        }
        Ok(())
    }

    /// What the linear equations miss a time t after `site.now`, where y has arrived. Leaves the state there in `site.next`.
    fn look(&mut self, site: &mut Site, t: f64, place: usize) -> Result<(), StepError> {
        self.check()?;
        put(site.system, &site.now.x, t, &self.y, &mut site.next.x);
        site.next.x.memory.copy_from(&site.now.x.memory);
        site.kkt.accelerate(site.system, &mut site.next.x, &mut site.work)?;
        site.statistics.evaluations += 1;
        self.miss(site, t, place)
    }

    /// Fails where the step is so long that the linear equations leave the range of numbers.
    fn check(&self) -> Result<(), StepError> {
        let runaway =
            || StepError::NotConverged { element: WHOLE.into(), equation: "the linearised equations".into(), residual: f64::INFINITY };
        if is_finite(&self.y) { Ok(()) } else { Err(runaway()) }
    }

    /// What the linear equations miss at `site.next`, a time t after `site.now` (3).
    fn miss(&mut self, site: &mut Site, t: f64, place: usize) -> Result<(), StepError> {
        self.flow.rate(site.system, t, &self.y, &mut self.rate)?;
        let (next, nv) = (&site.next.x, site.system.nv());
        let r = &mut self.missed[place];
        for k in 0..nv {
            r[k] = next.v[k] - self.rate[k];
            r[nv + k] = next.a[k] - self.rate[nv + k];
        }
        for at in site.system.attitudes() {
            let bent = tangent_inverse(&vector(&self.y[at..])) * vector(&next.v[at..]) - vector(&next.v[at..]);
            (0..3).for_each(|k| r[at + k] += bent[k]);
        }
        for (k, x_dot) in next.x_dot.iter().enumerate() {
            r[2 * nv + k] = x_dot - self.rate[2 * nv + k];
        }
        Ok(())
    }
}

impl Advance for AtWork {
    fn keeps_constraints(&self) -> bool {
        self.method.projection == Projection::On
    }

    fn start(&mut self, site: &mut Site, h: f64) -> Result<(), KktError> {
        self.flow_is = Flowing::Started(AHEAD * h);
        self.weights.fill(1.0);
        self.update_weights(site);
        Ok(())
    }

    fn attempt(&mut self, site: &mut Site, h: f64, tolerance: Option<f64>) -> Result<Option<Estimate>, StepError> {
        chart::check(site.system, &site.now.x.v, h)?;
        match self.flow_is {
            Flowing::Started(ahead) => self.flow.linearise_ahead(site, ahead)?,
            Flowing::Current => {}
            Flowing::Old => self.flow.linearise(site)?,
        }
        self.flow_is = Flowing::Current;
        match self.method.order() {
            2 => self.second(site, h, tolerance)?,
            _ => self.fourth(site, h, tolerance)?,
        }
        let Some(tolerance) = tolerance else { return Ok(None) };
        self.update_weights(site);
        let size = self.size(site);
        let order = self.estimated();
        let (ratio, order) = match self.method.error {
            ErrorPer::Step => (size / tolerance, order),
            ErrorPer::UnitStep => (size / (h * tolerance), order - 1),
        };
        Ok(Some(Estimate { ratio, order, next: (ratio, order) }))
    }

    fn accept(&mut self, site: &mut Site) {
        self.flow_is = Flowing::Old;
        self.update_weights(site);
    }

    fn error_of(&self, site: &Site, entry: usize) -> f64 {
        let nv = site.system.nv();
        let of = |k: usize| (self.error[k] * self.weights[k]).abs();
        if entry < nv { of(entry).max(of(nv + entry)) } else { of(nv + entry) }
    }

    /// As if nothing but accelerations grew: δ‴ h³/6, which is too careful for what is linear; with order 4, as if errors fell by as much as
    /// they should with every power of h.
    fn first_step(&self, site: &Site, change: &Change, probe: f64, tolerance: f64) -> f64 {
        let sizes = site.sizes();
        if self.method.order() > 2 {
            return change.time_scale(sizes, probe) * tolerance.powf(1.0 / (self.estimated() as f64 + 1.0));
        }
        let jerk = weighted_rms(&change.a, sizes.moving) / probe;
        let bend = weighted_rms(&change.x_dot, sizes.states) / probe;
        (6.0 * tolerance / (jerk + bend).max(f64::MIN_POSITIVE)).cbrt()
    }

    /// Equation 2 or 8 for a part of the step.
    fn between(&self, site: &Site, t: f64) -> Option<State> {
        let now = &site.now.x;
        let (y, rate) = self.flow.between(t - now.t).filter(|_| self.flow_is == Flowing::Current)?;
        let nv = site.system.nv();
        let mut x = now.clone();
        put(site.system, now, t - now.t, &y, &mut x);
        x.a.copy_from_slice(&rate[nv..2 * nv]);
        x.x_dot.copy_from_slice(&rate[2 * nv..]);
        Some(x)
    }
}
