//! The symplectic step (equations 5 to 8 of the folder): positions from the new velocities, both of which satisfy the constraints.

use super::at_work::AtWork;
use super::solution::take;
use crate::bodies::Chart;
use crate::constraints::Level;
use crate::integrators::advance::Site;
use crate::linear::LinearError;
use crate::system::{Placement, Terms, Weights};

/// The part of the stiffness that is in the matrix: 1/4 is the least with which all frequencies are stable, and some more keeps off that
/// limit.
const STIFFNESS: f64 = 1.0 / 3.0;

impl AtWork {
    /// (5) to (8).
    pub(super) fn symplectic(&mut self, site: &mut Site, h: f64) -> Result<(), LinearError> {
        self.evaluate_start(site);
        self.load.copy_from_slice(&self.forces);
        site.system.add_gyroscopic(&site.now.x.v, 0.5, &mut self.load[..self.lambda.start]);
        self.stiffened_mass(site, h);
        if self.traits.constrained {
            self.predicted_rows(site, h);
        }
        self.implicit.factor()?;
        self.implicit.solve(&self.load, &site.kkt.regularization)?;
        self.total.copy_from_slice(&self.implicit.solution);
        self.follow(site, h);
        if self.traits.constrained {
            for _ in 0..self.settings.projections {
                self.correct(site, h)?;
            }
        }
        if self.traits.settles { self.settle(site, h) } else { Ok(()) }
    }

    /// The matrix of (5), with the reactions of the step before.
    fn stiffened_mass(&mut self, site: &mut Site, h: f64) {
        let Site { system, now, work, kkt, .. } = site;
        self.here.lambda.copy_from_slice(&now.x.lambda);
        let weights =
            Weights { acceleration: 1.0, velocity: h, position: STIFFNESS * h * h, state: h, ..Weights::mass_only(&kkt.regularization) };
        system.tangent_of(Terms::Midway, &self.here, &weights, work, &mut self.implicit.matrix);
    }

    /// (6): where the bodies would go by themselves, with the constraints there.
    fn predicted_rows(&mut self, site: &mut Site, h: f64) {
        let Site { system, now, next, work, kkt, .. } = site;
        let nv = self.lambda.start;
        self.shift[..nv].iter_mut().zip(&now.x.v).for_each(|(z, v)| *z = h * v);
        system.retract(&now.x.q, &self.shift[..nv], &mut next.x.q);
        next.x.v.copy_from_slice(&now.x.v);
        next.x.x.copy_from_slice(&now.x.x);
        system.evaluate(&next.x, work);
        let placed = Some(Placement::by(Chart::Exponential, &self.shift[..nv]));
        let weights = Weights { placed, ..Weights::mass_only(&kkt.regularization) };
        system.tangent(&next.x, &weights, work, &mut self.constrained.matrix);
        self.implicit.matrix.copy_rows(&self.constrained.matrix, self.blocks.clone());
        for (row, level) in system.levels().iter().enumerate() {
            self.load[nv + row] = match level {
                Level::Position => -work.phi[row] / (h * h),
                Level::Velocity => -0.5 * work.phi_dot[row] / h,
            };
        }
    }

    /// Velocities and states by the unknowns so far, and positions by the velocities.
    fn follow(&mut self, site: &mut Site, h: f64) {
        take(&self.total, &self.lambda, site, h);
        let nv = self.lambda.start;
        self.shift[..nv].iter_mut().zip(&site.next.x.v).for_each(|(z, v)| *z = h * v);
        site.system.retract(&site.now.x.q, &self.shift[..nv], &mut site.next.x.q);
    }

    /// (7).
    fn correct(&mut self, site: &mut Site, h: f64) -> Result<(), LinearError> {
        let Site { system, next, work, kkt, .. } = &mut *site;
        system.evaluate(&next.x, work);
        self.slopes.fill(0.0);
        for (row, _) in system.levels().iter().enumerate().filter(|(_, level)| **level == Level::Position) {
            self.slopes[self.lambda.start + row] = -work.phi[row] / (h * h);
        }
        self.implicit.solve(&self.slopes, &kkt.regularization)?;
        self.total.iter_mut().zip(&self.implicit.solution).for_each(|(z, d)| *z += d);
        self.follow(site, h);
        Ok(())
    }

    /// (8); its impulse is part of the accelerations and reactions of the step.
    fn settle(&mut self, site: &mut Site, h: f64) -> Result<(), LinearError> {
        let Site { system, next, work, kkt, .. } = site;
        system.evaluate(&next.x, work);
        system.tangent(&next.x, &Weights::mass_only(&kkt.regularization), work, &mut self.constrained.matrix);
        self.constrained.factor()?;
        self.slopes.fill(0.0);
        let (load, rows) = self.slopes.split_at_mut(self.lambda.start);
        system.add_gyroscopic(&next.x.v, -0.5 * h, load);
        rows.iter_mut().zip(&work.phi_dot).for_each(|(r, rate)| *r = -rate);
        self.constrained.solve(&self.slopes, &kkt.regularization)?;
        let impulse = &mut self.impulse;
        impulse.change.iter_mut().zip(&self.constrained.solution).for_each(|(p, d)| *p = d / h);
        impulse.load.iter_mut().zip(&self.slopes).for_each(|(p, d)| *p = d / h);
        next.x.v.iter_mut().zip(&self.constrained.solution).for_each(|(v, d)| *v += d);
        let (a, lambda) = impulse.change.split_at(self.lambda.start);
        next.x.a.iter_mut().zip(a).for_each(|(x, p)| *x += p);
        next.u.copy_from_slice(&next.x.a);
        next.x.lambda.iter_mut().zip(lambda).for_each(|(x, p)| *x += p);
        Ok(())
    }
}
