//! The unknowns of an Euler step: accelerations or velocities with their multipliers (1–3), and projections (4).

use super::at_work::EulerStep;
use super::settings::{Constraints, Jacobian, ProjectionMatrix};
use crate::constraints::Level;
use crate::integrators::advance::Site;
use crate::linear::LinearError;
use crate::system::Weights;
use std::ops::Range;

impl EulerStep {
    /// (1) and (2), then projections.
    pub(super) fn with_accelerations(&mut self, site: &mut Site, h: f64) -> Result<(), LinearError> {
        match self.settings.jacobian {
            None => self.explicit_accelerations(&site.kkt.regularization)?,
            Some(Jacobian::Exact) => self.coupled_accelerations(&site.kkt.regularization)?,
            Some(_) => self.implicit_accelerations(&site.kkt.regularization)?,
        }
        let unknowns = if self.settings.jacobian.is_none() { &self.constrained.solution } else { &self.implicit.solution };
        take(unknowns, &self.lambda, site, h);
        let v = if self.settings.jacobian == Some(Jacobian::Exact) { &site.next.x.v } else { &site.now.x.v };
        self.shift.iter_mut().zip(v).for_each(|(z, v)| *z = h * v);
        site.system.retract(&site.now.x.q, &self.shift[..v.len()], &mut site.next.x.q);
        if self.settings.constraints == Constraints::Projection && self.traits.constrained {
            self.project_positions(site)?;
            self.project_velocities(site)?;
        }
        Ok(())
    }

    /// (2).
    fn explicit_accelerations(&mut self, regularization: &[f64]) -> Result<(), LinearError> {
        self.constrained.factor()?;
        self.forces[self.lambda.clone()].copy_from_slice(&self.rows);
        self.constrained.solve(&self.forces, regularization)
    }

    /// (1) with the constraints of (2).
    fn coupled_accelerations(&mut self, regularization: &[f64]) -> Result<(), LinearError> {
        self.implicit.jacobian.copy_rows(&self.constrained.jacobian, self.blocks.clone());
        self.load[self.lambda.clone()].copy_from_slice(&self.rows);
        self.implicit.factor()?;
        self.implicit.solve(&self.load, regularization)?;
        let projected = self.settings.constraints.projects() && self.traits.constrained;
        if projected && self.settings.projection_matrix == ProjectionMatrix::Start { self.constrained.factor() } else { Ok(()) }
    }

    /// (1) with the multipliers of (2), which go to the solution too.
    fn implicit_accelerations(&mut self, regularization: &[f64]) -> Result<(), LinearError> {
        let lambda = self.lambda.clone();
        if self.traits.constrained {
            self.explicit_accelerations(regularization)?;
            self.shift.fill(0.0);
            self.shift[lambda.clone()].copy_from_slice(&self.constrained.solution[lambda.clone()]);
            self.slopes.copy_from_slice(&self.load);
            self.constrained.jacobian.residual(&self.shift, &self.slopes, &mut self.load);
            self.load[lambda.clone()].fill(0.0);
            self.implicit.jacobian.take_out(self.blocks.clone());
        }
        self.implicit.factor()?;
        self.implicit.solve(&self.load, &[])?;
        self.implicit.solution[lambda.clone()].copy_from_slice(&self.constrained.solution[lambda]);
        Ok(())
    }

    /// The new positions, then (1) and (3) together.
    pub(super) fn with_velocities(&mut self, site: &mut Site, h: f64) -> Result<(), LinearError> {
        if self.settings.jacobian.is_none() {
            self.implicit.jacobian.copy(&self.constrained.jacobian);
        }
        let v = &site.now.x.v;
        self.shift.iter_mut().zip(v).for_each(|(z, v)| *z = h * v);
        site.system.retract(&site.now.x.q, &self.shift[..v.len()], &mut site.next.x.q);
        site.next.x.v.copy_from_slice(v);
        site.next.x.x.copy_from_slice(&site.now.x.x);
        if self.settings.constraints == Constraints::Ggl {
            if self.settings.projection_matrix == ProjectionMatrix::Start {
                self.constrained.factor()?;
            }
            self.project_positions(site)?;
        }
        self.velocity_rows(site, h);
        self.implicit.factor()?;
        self.implicit.solve(&self.load, &site.kkt.regularization)?;
        take(&self.implicit.solution, &self.lambda, site, h);
        Ok(())
    }

    /// G(q_{n+1}) in the matrix and the right-hand side of (3), per h.
    fn velocity_rows(&mut self, site: &mut Site, h: f64) {
        let Site { system, next, work, kkt, .. } = site;
        let mut at = system.evaluate(&next.x, work);
        at.tangent(&Weights::mass_only(&kkt.regularization), &mut self.constrained.jacobian);
        self.implicit.jacobian.copy_rows(&self.constrained.jacobian, self.blocks.clone());
        let alpha = if self.settings.constraints.stabilized() { self.baumgarte(h).0 } else { 0.0 };
        for (row, level) in system.levels().iter().enumerate() {
            let position = if *level == Level::Position { alpha * at.phi()[row] } else { 0.0 };
            self.load[self.lambda.start + row] = -(at.phi_dot()[row] + position) / h;
        }
    }

    /// (4) as often as it is asked for.
    fn project_positions(&mut self, site: &mut Site) -> Result<(), LinearError> {
        let Site { system, next, work, kkt, .. } = site;
        for round in 0..self.settings.projections {
            let mut at = system.evaluate(&next.x, work);
            if round == 0 && self.settings.projection_matrix == ProjectionMatrix::Predicted {
                at.tangent(&Weights::mass_only(&kkt.regularization), &mut self.constrained.jacobian);
                self.constrained.factor()?;
            }
            self.slopes.fill(0.0);
            for (row, _) in system.levels().iter().enumerate().filter(|(_, level)| **level == Level::Position) {
                self.slopes[self.lambda.start + row] = -at.phi()[row];
            }
            self.constrained.solve(&self.slopes, &kkt.regularization)?;
            self.q.copy_from_slice(&next.x.q);
            system.retract(&self.q, &self.constrained.solution[..self.lambda.start], &mut next.x.q);
        }
        Ok(())
    }

    /// The nearest velocities that satisfy the constraints at q_{n+1}.
    fn project_velocities(&mut self, site: &mut Site) -> Result<(), LinearError> {
        let Site { system, next, work, kkt, .. } = site;
        let mut at = system.evaluate(&next.x, work);
        at.tangent(&Weights::mass_only(&kkt.regularization), &mut self.constrained.jacobian);
        self.constrained.factor()?;
        self.slopes.fill(0.0);
        self.slopes[self.lambda.clone()].iter_mut().zip(at.phi_dot()).for_each(|(r, rate)| *r = -rate);
        self.constrained.solve(&self.slopes, &kkt.regularization)?;
        next.x.v.iter_mut().zip(&self.constrained.solution).for_each(|(v, d)| *v += d);
        Ok(())
    }
}

/// v, x and the unknowns at the end of a step, from accelerations, multipliers and rates.
pub(super) fn take(unknowns: &[f64], lambda: &Range<usize>, site: &mut Site, h: f64) {
    let (from, to) = (&site.now.x, &mut site.next);
    let (a, rates) = (&unknowns[..lambda.start], &unknowns[lambda.end..]);
    to.u.copy_from_slice(a);
    to.w.copy_from_slice(rates);
    to.x.a.copy_from_slice(a);
    to.x.lambda.copy_from_slice(&unknowns[lambda.clone()]);
    to.x.x_dot.copy_from_slice(rates);
    to.x.v.iter_mut().zip(from.v.iter().zip(a)).for_each(|(y, (v, a))| *y = v + h * a);
    to.x.x.iter_mut().zip(from.x.iter().zip(rates)).for_each(|(y, (x, rate))| *y = x + h * rate);
}
