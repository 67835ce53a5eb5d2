//! The pattern of the matrix: one block row per body, per constraint and per differential state; where each element adds its blocks,
//!
//! ```text
//! body a, body b               inertia, stiffness and damping of forces, geometric stiffness of constraints
//! body a, constraint           Gᵀ, and −Q_λ of friction and of expressions that read reactions
//! constraint, body a           G
//! constraint, constraint       −ε of redundant rows
//! body a, state                −Q_w of expressions that read states
//! state, anything              what the rate of the state reads
//! ```

use super::Compiler;
use super::tree::carrying_joints;
use crate::bodies::{Kind, MarkerId};
use crate::constraints::Constraint;
use crate::forces::ForceLaw;
use crate::linear::PatternBuilder;
use crate::system::System;
use crate::system::layout::{CompiledConstraint, ConstraintSlots, ForceSlots, StateSlots};
use std::collections::HashSet;
use std::sync::Arc;

impl Compiler<'_> {
    /// Collects the slots of all elements and fixes the pattern.
    pub(super) fn freeze_pattern(&mut self) {
        let s = &mut self.system;
        let sizes = s.bodies.iter().map(|b| b.shape.nv()).chain(s.constraints.iter().map(|c| c.element.rows()));
        let mut builder = PatternBuilder::new(sizes.chain(s.states.iter().map(|_| 1)).collect());
        let body = |m: MarkerId| s.markers[m.index()].body;
        s.body_slots = (0..s.bodies.len()).map(|b| builder.slot(b, b)).collect();
        for k in &s.by_rows {
            let (own, markers) = (s.bodies.len() + k, s.constraints[*k].element.markers());
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
                let (k, within) = place_of_row(&s.constraints, *row);
                let blocks = bodies.map(|b| b.map(|b| builder.slot(b, s.bodies.len() + k)));
                slots.reactions.push((blocks, within));
            }
            s.force_slots.push(slots);
        }
        self.add_expression_slots(&mut builder);
        self.add_state_slots(&mut builder);
        self.add_joint_slots(&mut builder);
        self.find_roots(&mut builder);
        carrying_joints(&self.system).into_iter().for_each(|(body, joint)| builder.follow(body, joint));
        self.system.pattern = Arc::new(builder.finish());
        self.system.summed = self.system.summed.min(self.system.pattern.len());
    }

    /// What holds the bodies to the ground, constraints with it, if no loops are closed.
    fn find_roots(&self, builder: &mut PatternBuilder) {
        let s = &self.system;
        if has_loops(s) {
            return;
        }
        builder.without_loops();
        let grounded = |markers: &[MarkerId]| markers.iter().any(|m| s.markers[m.index()].body.is_none());
        for (k, _) in s.constraints.iter().enumerate().filter(|(_, c)| grounded(c.element.markers())) {
            builder.root(s.bodies.len() + k);
        }
    }

    fn add_expression_slots(&mut self, builder: &mut PatternBuilder) {
        let s = &mut self.system;
        let (first_constraint, first_state) = (s.bodies.len(), s.bodies.len() + s.constraints.len());
        for force in &mut s.expressions {
            let acting = force.markers.map(|m| s.markers[m.index()].body);
            let mut slots = |column: usize| acting.map(|a| a.map(|a| builder.slot(a, column)));
            force.blocks = force.reads.bodies.iter().map(|b| slots(*b)).collect();
            let column = |row: &usize| {
                let (k, within) = place_of_row(&s.constraints, *row);
                (slots(first_constraint + k), within)
            };
            force.columns = force.reads.rows.iter().map(column).collect();
            force.state_columns = force.reads.states.iter().map(|k| slots(first_state + k)).collect();
        }
    }

    fn add_state_slots(&mut self, builder: &mut PatternBuilder) {
        let s = &mut self.system;
        let (first_constraint, first_state) = (s.bodies.len(), s.bodies.len() + s.constraints.len());
        for (k, state) in s.states.iter().enumerate() {
            let mut slot = |column: usize| builder.slot(first_state + k, column);
            let reaction = |row: &usize| place_of_row(&s.constraints, *row);
            s.state_slots.push(StateSlots {
                diagonal: slot(first_state + k),
                bodies: state.reads.bodies.iter().map(|b| slot(*b)).collect(),
                rows: state.reads.rows.iter().map(reaction).map(|(k, within)| (slot(first_constraint + k), within)).collect(),
                states: state.reads.states.iter().map(|k| slot(first_state + k)).collect(),
            });
        }
    }
}

/// Whether constraints, or forces between bodies that no constraint joins, close loops; what may read more than two bodies counts as one.
fn has_loops(s: &System) -> bool {
    let ground = s.bodies.len();
    let body = |m: &MarkerId| s.markers[m.index()].body.unwrap_or(ground);
    let mut groups = Groups((0..=ground).collect());
    let mut joined = HashSet::new();
    for constraint in &s.constraints {
        let mut bodies: Vec<usize> = constraint.element.markers().iter().map(body).collect();
        bodies.sort_unstable();
        bodies.dedup();
        match bodies[..] {
            [_] => {}
            [a, b] if groups.join(a, b) => _ = joined.insert((a, b)),
            _ => return true,
        }
    }
    let acting = s.forces.iter().map(|force| force.markers()).chain(s.expressions.iter().map(|force| force.markers));
    let mut pairs = acting.map(|markers| markers.map(|m| body(&m))).filter(|pair| !pair.contains(&ground) && pair[0] != pair[1]);
    !s.states.is_empty() || pairs.any(|[a, b]| joined.insert((a.min(b), a.max(b))) && !groups.join(a, b))
}

/// Bodies that hang together, each with another one of its group.
struct Groups(Vec<usize>);

impl Groups {
    /// Joins the groups of two bodies; says whether they were two.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a] = b;
        a != b
    }

    fn first(&mut self, mut body: usize) -> usize {
        while self.0[body] != body {
            self.0[body] = self.0[self.0[body]];
            body = self.0[body];
        }
        body
    }
}

/// The constraint a row belongs to, and its place there.
fn place_of_row(constraints: &[CompiledConstraint], row: usize) -> (usize, usize) {
    let k = constraints.partition_point(|c| c.first_row + c.element.rows() <= row);
    (k, row - constraints[k].first_row)
}
