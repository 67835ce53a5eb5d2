//! Rows that no motion of the bodies can change are dropped: in a planar model a revolute joint keeps two of its five rows, a
//! point mass knows no orientation. A row is identically zero if at random states
//!
//! ```text
//! |G_r| ≤ 1e-12   on all bodies of the constraint;      it can never be met if then |Φ_r| > 1e-9            (1)
//! ```

use super::Compiler;
use crate::bodies::{Kind, Wrench};
use crate::constraints::{Constraint, Level};
use crate::math::Vec6;
use crate::math::random::Random;
use crate::measures::{Context, Memory};
use crate::model::ModelError;
use crate::system::evaluate::Loads;
use crate::system::{CompiledBody, CompiledConstraint, Work};

/// Number of random states.
const PROBES: usize = 3;
/// Gradients up to this size are round-off.
const NO_GRADIENT: f64 = 1e-12;
/// Values up to this size, m or rad, are met.
const MET: f64 = 1e-9;

impl Compiler<'_> {
    /// Drops the rows that are identically zero (1).
    pub(super) fn drop_zero_rows(&mut self) -> Result<(), ModelError> {
        let mut probes = self.probes();
        let memory = Memory::at_rest(vec![0.0; self.slots]);
        let mut kept_constraints = Vec::new();
        let mut floating = Vec::new();
        for (index, mut constraint) in std::mem::take(&mut self.system.constraints).into_iter().enumerate() {
            let kept = self.rows_that_act(&constraint, &mut probes, &memory)?;
            if kept.is_empty() {
                return Err(ModelError::ActsOnNothing { joint: constraint.name });
            }
            if kept.len() < constraint.element.rows() {
                constraint.element.keep(&kept);
            }
            if self.floating.contains(&index) {
                floating.push(kept_constraints.len());
            }
            kept_constraints.push(constraint);
        }
        self.floating = floating;
        self.system.constraints = kept_constraints;
        Ok(())
    }

    /// Work arrays with the kinematics at random states.
    fn probes(&self) -> Vec<Work> {
        let mut random = Random::new(1);
        let s = &self.system;
        (0..PROBES)
            .map(|_| {
                let delta: Vec<f64> = (0..s.nv).map(|_| random.range(-1.0, 1.0)).collect();
                let mut q = s.initial.q.clone();
                s.retract(&s.initial.q, &delta, &mut q);
                let mut work = Work::new(s);
                s.kinematics(&q, &delta, &mut work);
                work
            })
            .collect()
    }

    /// The rows of a constraint that some motion changes.
    fn rows_that_act(&self, constraint: &CompiledConstraint, probes: &mut [Work], memory: &Memory) -> Result<Vec<usize>, ModelError> {
        let element = &constraint.element;
        let n = element.markers().len();
        let mut kept = Vec::new();
        for row in 0..element.rows() {
            let (mut acts, mut offset) = (false, 0.0_f64);
            for probe in probes.iter_mut() {
                let Work { frames, deformed, markers, wrenches, modal, gradient, gradient_t, scratch, f, .. } = probe;
                let ctx = Context { t: 0.0, markers, memory, states: &[], lambda: &[], scratch };
                let (g, gt) = (&mut gradient[..n], &mut gradient_t[..n]);
                g.fill(Vec6::zeros());
                gt.fill(Vec6::zeros());
                let value = element.evaluate(&ctx, row, g, gt);
                let mut loads = Loads { system: &self.system, frames, deformed, wrenches, modal };
                for (marker, g) in element.markers().iter().zip(g.iter()) {
                    loads.add(marker.index(), g, 1.0);
                }
                // Only the bodies of this constraint are looked at and cleaned: the cost does not grow with the model.
                for body in element.markers().iter().filter_map(|m| self.system.carrier(*m)) {
                    let wrench = std::mem::replace(&mut wrenches[body], Wrench::zero());
                    let CompiledBody { shape, .. } = &self.system.bodies[body];
                    let (f, modal) = (&mut f[..shape.nv()], &mut modal[self.system.bodies[body].v()]);
                    shape.project(&frames[body].r, &wrench, modal, f);
                    modal.fill(0.0);
                    acts |= f.iter().any(|x| x.is_nan() || x.abs() > NO_GRADIENT);
                }
                offset = offset.max(value.value.abs());
            }
            if acts {
                kept.push(row);
            } else if offset > MET && element.level() == Level::Position {
                let direction = element.direction(row);
                return Err(ModelError::NeverMet { joint: constraint.name.clone(), direction, offset });
            }
        }
        Ok(kept)
    }

    /// Gives every constraint its place in λ.
    pub(super) fn number_rows(&mut self) {
        let s = &mut self.system;
        for constraint in &mut s.constraints {
            constraint.first_row = s.rows;
            s.rows += constraint.element.rows();
            s.levels.extend(std::iter::repeat_n(constraint.element.level(), constraint.element.rows()));
        }
        s.holonomic = s.levels.iter().all(|level| *level == Level::Position);
        s.initial.lambda = vec![0.0; s.rows];
    }
}
