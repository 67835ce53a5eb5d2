//! The pattern of the matrix: one block row per body and per constraint; where each element adds its blocks,
//!
//! ```text
//! body a, body b               inertia, stiffness and damping of forces, geometric stiffness of constraints
//! body a, constraint           Gᵀ, and −Q_λ of friction and of expressions that read reactions
//! constraint, body a           G
//! constraint, constraint       −ε of redundant rows
//! ```

use super::Compiler;
use crate::bodies::{Kind, MarkerId};
use crate::constraints::Constraint;
use crate::forces::ForceLaw;
use crate::linear::PatternBuilder;
use crate::system::layout::{ConstraintSlots, ForceSlots};
use std::sync::Arc;

impl Compiler<'_> {
    /// Collects the slots of all elements and fixes the pattern.
    pub(super) fn freeze_pattern(&mut self) {
        let s = &mut self.system;
        let sizes = s.bodies.iter().map(|b| b.shape.columns().len()).chain(s.constraints.iter().map(|c| c.element.rows()));
        let mut builder = PatternBuilder::new(sizes.collect());
        let body = |m: MarkerId| s.markers[m.index()].body;
        s.body_slots = (0..s.bodies.len()).map(|b| builder.slot(b, b)).collect();
        for (k, constraint) in s.constraints.iter().enumerate() {
            let (own, markers) = (s.bodies.len() + k, constraint.element.markers());
            let bodies: Vec<Option<usize>> = markers.iter().map(|m| body(*m)).collect();
            let mut slots = ConstraintSlots { diagonal: Some(builder.slot(own, own)), ..Default::default() };
            for a in &bodies {
                slots.columns.push(a.map(|a| builder.slot(a, own)));
                slots.rows.push(a.map(|a| builder.slot(own, a)));
                slots.bodies.extend(bodies.iter().map(|b| a.zip(*b).map(|(a, b)| builder.slot(a, b))));
            }
            s.constraint_slots.push(slots);
        }
        for force in &s.forces {
            let bodies = force.markers().map(body);
            let mut slots = ForceSlots::default();
            for a in 0..2 {
                for b in 0..2 {
                    slots.bodies[a][b] = bodies[a].zip(bodies[b]).map(|(a, b)| builder.slot(a, b));
                }
            }
            for row in force.reaction_rows() {
                let k = s.constraints.partition_point(|c| c.first_row + c.element.rows() <= *row);
                let blocks = bodies.map(|b| b.map(|b| builder.slot(b, s.bodies.len() + k)));
                slots.reactions.push((blocks, row - s.constraints[k].first_row));
            }
            s.force_slots.push(slots);
        }
        for force in &mut s.expressions {
            let acting = force.markers.map(|m| s.markers[m.index()].body);
            force.blocks = force.bodies.iter().map(|b| acting.map(|a| a.map(|a| builder.slot(a, *b)))).collect();
            let column = |row: &usize| {
                let k = s.constraints.partition_point(|c| c.first_row + c.element.rows() <= *row);
                (acting.map(|a| a.map(|a| builder.slot(a, s.bodies.len() + k))), row - s.constraints[k].first_row)
            };
            force.columns = force.rows.iter().map(column).collect();
        }
        s.pattern = Arc::new(builder.finish());
    }
}
