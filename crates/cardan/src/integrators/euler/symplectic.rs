//! The symplectic step (equations 5 to 8 of the folder): positions from velocities in the middle, and at
//! its end positions and velocities that satisfy the constraints.

use super::at_work::EulerStep;
use super::solution::take;
use crate::bodies::Chart;
use crate::constraints::Level;
use crate::integrators::advance::Site;
use crate::linear::LinearError;
use crate::system::{Evaluated, Kkt, Placement, State, Terms, Weights};

/// The part of the stiffness that is in the matrix: 1/4 is the least with which all frequencies are stable, and some more keeps off that
/// limit.
const STIFFNESS: f64 = 1.0 / 3.0;

impl EulerStep {
    /// (5) to (8).
    pub(super) fn symplectic(&mut self, here: &mut State, site: &mut Site, h: f64) -> Result<(), LinearError> {
        let mut at = self.evaluate_at(&site.now.x, here, site.system, &site.kkt, &mut site.work);
        self.foresee_reactions(false);
        self.stiffened_mass(Terms::Steady, &mut at, &site.kkt, h);
        self.load.copy_from_slice(&self.forces);
        self.take_out_switching(&mut at);
        if self.traits.constrained || self.mean.is_some() {
            self.predict(site, h);
        }
        if self.traits.constrained {
            self.predicted_rows(site, h);
        }
        self.add_switching_mass(site, h);
        self.implicit.factor()?;
        self.implicit.solve(&self.load, &site.kkt.regularization)?;
        self.total.copy_from_slice(&self.implicit.solution);
        self.follow(site, h);
        self.missed = f64::NAN;
        for _ in 0..self.traits.corrections(&self.settings) {
            self.correct(site, h)?;
        }
        if self.mean.is_some() {
            self.miss(site, h);
            self.note_work();
        }
        self.second_half(here, site, h)
    }

    /// λ for K, from the reactions of the last two halves: those of first halves are as they would be a third of a step after its start, those of
    /// second ones a third before its end.
    fn foresee_reactions(&mut self, second: bool) {
        let [first, last] = &self.halves;
        let (last, before) = if second { (&self.tried[0], last) } else { (last, first) };
        self.foreseen.iter_mut().zip(last.iter().zip(before)).for_each(|(z, (last, before))| *z = 2.0 * last - before);
    }

    /// The matrix of (5) or (8), with the reactions foreseen.
    fn stiffened_mass(&mut self, terms: Terms, at: &mut Evaluated, kkt: &Kkt, h: f64) {
        let half = Weights { acceleration: 1.0, velocity: 0.5 * h, state: 0.5 * h, ..Weights::mass_only(&kkt.regularization) };
        let weights = Weights { position: STIFFNESS * h * h, reactions: Some(&self.foreseen), ..half };
        at.tangent_of(terms, &weights, &mut self.implicit.jacobian);
    }

    /// Where the bodies would go by themselves.
    fn predict(&mut self, site: &mut Site, h: f64) {
        let Site { system, now, next, .. } = site;
        let nv = self.lambda.start;
        self.shift[..nv].iter_mut().zip(&now.x.v).for_each(|(z, v)| *z = h * v);
        system.retract(&now.x.q, &self.shift[..nv], &mut next.x.q);
        next.x.v.copy_from_slice(&now.x.v);
        next.x.x.copy_from_slice(&now.x.x);
        for (to, from) in [(&mut next.x.a, &now.x.a), (&mut next.x.lambda, &now.x.lambda), (&mut next.x.x_dot, &now.x.x_dot)] {
            to.copy_from_slice(from);
        }
    }

    /// (6): the constraints there.
    fn predicted_rows(&mut self, site: &mut Site, h: f64) {
        let Site { system, next, work, kkt, .. } = site;
        let nv = self.lambda.start;
        let mut at = system.evaluate(&next.x, work);
        let placed = Some(Placement::by(Chart::Exponential, &self.shift[..nv]));
        let weights = Weights { placed, ..Weights::mass_only(&kkt.regularization) };
        at.tangent(&weights, &mut self.constrained.jacobian);
        self.implicit.jacobian.copy_rows(&self.constrained.jacobian, self.blocks.clone());
        for (row, level) in system.levels().iter().enumerate() {
            self.load[nv + row] = match level {
                Level::Position => -2.0 * at.phi()[row] / (h * h),
                Level::Velocity => -at.phi_dot()[row] / h,
            };
        }
    }

    /// Velocities and states in the middle by the unknowns so far, and positions by these velocities.
    fn follow(&mut self, site: &mut Site, h: f64) {
        take(&self.total, &self.lambda, site, 0.5 * h);
        let nv = self.lambda.start;
        self.shift[..nv].iter_mut().zip(&site.next.x.v).for_each(|(z, v)| *z = h * v);
        site.system.retract(&site.now.x.q, &self.shift[..nv], &mut site.next.x.q);
    }

    /// (7).
    fn correct(&mut self, site: &mut Site, h: f64) -> Result<(), LinearError> {
        self.miss(site, h);
        self.hasten();
        self.load[..self.lambda.start].iter_mut().zip(&self.slopes).for_each(|(load, more)| *load += more);
        if self.traits.constrained {
            let Site { system, next, work, .. } = &mut *site;
            let at = system.evaluate(&next.x, work);
            for (row, _) in system.levels().iter().enumerate().filter(|(_, level)| **level == Level::Position) {
                self.slopes[self.lambda.start + row] = -2.0 * at.phi()[row] / (h * h);
            }
        }
        self.implicit.solve(&self.slopes, &site.kkt.regularization)?;
        self.total.iter_mut().zip(&self.implicit.solution).for_each(|(z, d)| *z += d);
        self.follow(site, h);
        Ok(())
    }

    /// The load that (5) has for the unknowns so far less that with which they were found, into `slopes`: gyroscopic forces are not linear in
    /// the change of velocities, and those that change sides are anything.
    fn miss(&mut self, site: &mut Site, h: f64) {
        let nv = self.lambda.start;
        self.slopes.fill(0.0);
        self.slopes[..nv].copy_from_slice(&self.forces[..nv]);
        self.room[..nv].iter_mut().zip(&self.total).for_each(|(d, a)| *d = 0.5 * h * a);
        site.system.add_quadratic_forces(&site.now.x.q, &self.room[..nv], -1.0, &mut self.slopes[..nv]);
        self.add_mean(site);
        self.slopes[..nv].iter_mut().zip(&self.load).for_each(|(more, load)| *more -= load);
    }

    /// (8); accelerations, reactions and rates of the step are the means of both halves.
    fn second_half(&mut self, here: &mut State, site: &mut Site, h: f64) -> Result<(), LinearError> {
        let Site { system, next, work, kkt, .. } = site;
        let mut at = self.evaluate_at(&next.x, here, system, kkt, work);
        let first = self.lambda.start;
        self.load.copy_from_slice(&self.forces);
        self.load[self.lambda.clone()].iter_mut().zip(at.phi_dot()).for_each(|(r, rate)| *r = -2.0 * rate / h);
        if self.traits.nonholonomic {
            at.tangent(&Weights::mass_only(&kkt.regularization), &mut self.constrained.jacobian);
        }
        self.tried[0].copy_from_slice(&next.x.lambda);
        self.foresee_reactions(true);
        self.stiffened_mass(Terms::SteadyApplied, &mut at, kkt, h);
        if self.traits.nonholonomic {
            self.implicit.jacobian.copy_rows(&self.constrained.jacobian, self.blocks.clone());
        }
        self.take_out_switching(&mut at);
        if let Some(mean) = &self.mean {
            let none = Weights { mass: 0.0, state_rate: 0.0, ..Weights::mass_only(&kkt.regularization) };
            let weights = Weights { acceleration: 1.0, velocity: 0.5 * h, state: 0.5 * h, ..none };
            at.add_switching_tangent(&weights, &mut self.implicit.jacobian);
            self.load[..first].iter_mut().zip(self.forces.iter().zip(&mean.force)).for_each(|(load, (rest, mean))| *load = rest + mean);
        }
        self.implicit.factor()?;
        self.implicit.solve(&self.load, &kkt.regularization)?;
        let (a, rest) = self.implicit.solution.split_at(first);
        let (lambda, rates) = rest.split_at(self.lambda.len());
        self.tried[1].copy_from_slice(lambda);
        let x = &mut next.x;
        x.v.iter_mut().zip(a).for_each(|(v, a)| *v += 0.5 * h * a);
        x.x.iter_mut().zip(rates).for_each(|(x, rate)| *x += 0.5 * h * rate);
        for (mean, second) in [(&mut x.a, a), (&mut x.lambda, lambda), (&mut x.x_dot, rates)] {
            mean.iter_mut().zip(second).for_each(|(z, second)| *z = 0.5 * (*z + second));
        }
        next.u.copy_from_slice(&x.a);
        next.w.copy_from_slice(&x.x_dot);
        Ok(())
    }
}
