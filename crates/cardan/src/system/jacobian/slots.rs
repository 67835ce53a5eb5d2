//! The blocks that elements always write, one block row per body, per constraint and per differential state, and where they are:
//!
//! ```text
//! body a, body b               inertia, stiffness and damping of forces, geometric stiffness of constraints
//! body a, constraint           Gᵀ, and −Q_λ of friction and of expressions that read reactions
//! constraint, body a           G
//! constraint, constraint       −ε of redundant rows
//! body a, state                −Q_w of expressions that read states
//! state, anything              what the rate of the state reads
//! ```
//!
//! Blocks that several elements add to come first. Those behind belong to one joint of the flat arrays each and are written by it. Blocks of
//! pairs of bodies that come and go (`pairs`) are behind all of these, so that what is written down here holds whatever the pairs are.

use super::Content;
use crate::bodies::MarkerId;
use crate::constraints::Constraint;
use crate::forces::{ForceLaw, PairStates};
use crate::linear::{PatternBuilder, Slot};
use crate::system::System;
use crate::system::flat::{JointSlots, Place, Write};
use crate::system::layout::CompiledConstraint;
use std::collections::HashSet;

/// Where all elements write.
#[derive(Debug, Default)]
pub(in crate::system) struct Slots {
    /// Blocks (body, body).
    pub bodies: Vec<Slot>,
    pub forces: Vec<ForceSlots>,
    pub expressions: Vec<ExpressionSlots>,
    pub states: Vec<StateSlots>,
    /// Of the pairs that have states: of each of them.
    pub pair_states: Vec<Vec<PairStateSlots>>,
    /// Of the constraints whose tangents are taken row by row.
    pub constraints: Vec<ConstraintSlots>,
    /// Of the flat joints.
    pub spatial: Vec<JointSlots>,
    pub planar: Vec<JointSlots>,
    /// The values up to here are sums over elements; those from `written` on are so, too, and each between belongs to one joint.
    pub summed: usize,
    pub written: usize,
}

/// Blocks a force adds to: body × body for its two markers, and body × constraint for friction.
#[derive(Debug, Clone, Default)]
pub(in crate::system) struct ForceSlots {
    pub bodies: [[Option<Slot>; 2]; 2],
    /// For each reaction row: blocks (body of marker a, constraint) and the column within.
    pub reactions: Vec<([Option<Slot>; 2], usize)>,
}

/// Blocks a force given by expressions adds to, in the order of what it reads: those of the body of marker i, and of marker j.
#[derive(Debug, Clone)]
pub(in crate::system) struct ExpressionSlots {
    /// Blocks (body of a marker, body).
    pub bodies: Vec<[Option<Slot>; 2]>,
    /// Blocks (body of a marker, constraint) and the column of each row within.
    pub rows: Vec<([Option<Slot>; 2], usize)>,
    /// Blocks (body of a marker, state).
    pub states: Vec<[Option<Slot>; 2]>,
}

/// Blocks the equation of a differential state adds to, in the order of what it reads.
#[derive(Debug, Clone)]
pub(in crate::system) struct StateSlots {
    pub diagonal: Slot,
    /// Block (state, body).
    pub bodies: Vec<Slot>,
    /// Block (state, constraint) and the column within.
    pub rows: Vec<(Slot, usize)>,
    /// Block (state, state).
    pub states: Vec<Slot>,
}

/// Blocks that a differential state of a pair adds to.
#[derive(Debug, Clone)]
pub(in crate::system) struct PairStateSlots {
    pub diagonal: Slot,
    /// Blocks (state, body) and (body, state) of both markers.
    pub bodies: [Option<(Slot, Slot)>; 2],
}

/// Blocks a constraint adds to.
#[derive(Debug, Clone)]
pub(in crate::system) struct ConstraintSlots {
    /// `bodies[a * n + b]`: block (body of marker a, body of marker b).
    pub bodies: Vec<Option<Slot>>,
    /// Block (body of marker a, constraint).
    pub columns: Vec<Option<Slot>>,
    /// Block (constraint, body of marker a).
    pub rows: Vec<Option<Slot>>,
    /// Block (constraint, constraint).
    pub diagonal: Slot,
}

/// Collects the slots of a system.
struct Collector<'a> {
    s: &'a System,
    content: Content,
    builder: &'a mut PatternBuilder,
}

impl Slots {
    /// Those of all elements, whose blocks go to the pattern.
    pub fn new(s: &System, content: Content, builder: &mut PatternBuilder) -> Self {
        let bodies = (0..s.bodies.len()).map(|b| builder.slot(b, b)).collect();
        let mut all = Collector { s, content, builder };
        let constraints = s.by_rows.iter().map(|k| all.constraint(*k)).collect();
        let forces = (0..s.forces.len()).map(|k| all.force(k)).collect();
        let expressions = (0..s.expressions.len()).map(|k| all.expression(k)).collect();
        let states = (0..s.states.len()).map(|k| all.state(k)).collect();
        let pair_states = s.pair_forces.iter().flat_map(|force| force.pair_states().iter().map(move |of| (force, of)));
        let pair_states = pair_states.map(|(force, of)| all.states_of_pair(of.pair.map(|k| force.markers()[k]), of)).collect();
        all.shared_couplings();
        let summed = all.builder.len();
        let spatial = s.flat.spatial.iter().map(|joint| all.joint(&joint.at)).collect();
        let planar = s.flat.planar.iter().map(|joint| all.joint(&joint.at)).collect();
        let written = all.builder.len();
        Self { bodies, forces, expressions, states, pair_states, constraints, spatial, planar, summed, written }
    }
}

impl Collector<'_> {
    /// Block (body a, body b) of stiffness and damping.
    fn coupling(&mut self, a: Option<usize>, b: Option<usize>) -> Option<Slot> {
        let (a, b) = a.zip(b)?;
        (a == b || self.content == Content::Motion).then(|| self.builder.slot(a, b))
    }

    fn constraint(&mut self, k: usize) -> ConstraintSlots {
        let own = first_constraint(self.s) + k;
        let bodies: Vec<Option<usize>> = self.s.constraints[k].element.markers().iter().map(|m| self.s.carrier(*m)).collect();
        let mut slots =
            ConstraintSlots { bodies: Vec::new(), columns: Vec::new(), rows: Vec::new(), diagonal: self.builder.slot(own, own) };
        for a in &bodies {
            slots.columns.push(a.map(|a| self.builder.slot(a, own)));
            slots.rows.push(a.map(|a| self.builder.slot(own, a)));
            bodies.iter().for_each(|b| slots.bodies.push(self.coupling(*a, *b)));
        }
        slots
    }

    fn force(&mut self, k: usize) -> ForceSlots {
        let s = self.s;
        let bodies = s.forces[k].markers().map(|m| self.s.carrier(m));
        let mut slots = ForceSlots::default();
        for a in 0..2 {
            for b in 0..2 {
                slots.bodies[a][b] = self.coupling(bodies[a], bodies[b]);
            }
        }
        for row in s.forces[k].reaction_rows() {
            let (k, within) = place_of_row(&s.constraints, *row);
            let blocks = bodies.map(|b| b.map(|b| self.builder.slot(b, first_constraint(s) + k)));
            slots.reactions.push((blocks, within));
        }
        slots
    }

    fn expression(&mut self, k: usize) -> ExpressionSlots {
        let (s, force) = (self.s, &self.s.expressions[k]);
        let (first_constraint, first_state) = (first_constraint(s), first_constraint(s) + s.constraints.len());
        let acting = force.markers.map(|m| self.s.carrier(m));
        let moves = self.content == Content::Motion || s.reads_accelerations;
        let mut slots = |column: usize| acting.map(|a| a.map(|a| self.builder.slot(a, column)));
        let none = [None; 2];
        let bodies = force.reads.bodies.iter().map(|b| if moves { slots(*b) } else { none }).collect();
        let row = |row: &usize| place_of_row(&s.constraints, *row);
        let rows = force.reads.rows.iter().map(row).map(|(k, within)| (slots(first_constraint + k), within)).collect();
        let states = force.reads.states.iter().map(|k| slots(first_state + k)).collect();
        ExpressionSlots { bodies, rows, states }
    }

    fn state(&mut self, k: usize) -> StateSlots {
        let (s, state) = (self.s, &self.s.states[k]);
        let (first_constraint, first_state) = (first_constraint(s), first_constraint(s) + s.constraints.len());
        let mut slot = |column: usize| self.builder.slot(first_state + k, column);
        let row = |row: &usize| place_of_row(&s.constraints, *row);
        StateSlots {
            diagonal: slot(first_state + k),
            bodies: state.reads.bodies.iter().map(|b| slot(*b)).collect(),
            rows: state.reads.rows.iter().map(row).map(|(k, within)| (slot(first_constraint + k), within)).collect(),
            states: state.reads.states.iter().map(|k| slot(first_state + k)).collect(),
        }
    }

    fn states_of_pair(&mut self, markers: [MarkerId; 2], of: &PairStates) -> Vec<PairStateSlots> {
        let first_state = first_constraint(self.s) + self.s.constraints.len();
        let bodies = markers.map(|m| self.s.carrier(m));
        let slots = |k: usize| PairStateSlots {
            diagonal: self.builder.slot(k, k),
            bodies: bodies.map(|body| body.map(|b| (self.builder.slot(k, b), self.builder.slot(b, k)))),
        };
        (first_state + of.first..first_state + of.first + of.count).map(slots).collect()
    }

    /// Blocks between bodies that several flat joints add to, or a joint and forces between pairs that come and go.
    fn shared_couplings(&mut self) {
        let flat = &self.s.flat;
        let mut seen = HashSet::new();
        let touching: HashSet<usize> =
            self.s.pair_forces.iter().flat_map(|force| force.markers()).filter_map(|marker| self.s.carrier(*marker)).collect();
        for at in flat.spatial.iter().map(|joint| &joint.at).chain(flat.planar.iter().map(|joint| &joint.at)) {
            let Some((i, j)) = self.joined(at) else { continue };
            if !seen.insert((i.min(j), i.max(j))) || (touching.contains(&i) && touching.contains(&j)) {
                self.builder.slot(i, j);
                self.builder.slot(j, i);
            }
        }
    }

    /// The bodies that a joint couples, if both move.
    fn joined(&self, at: &Place) -> Option<(usize, usize)> {
        let [i, j] = at.bodies.map(|b| self.s.moving(b));
        i.zip(j).filter(|_| at.couples() && self.content == Content::Motion)
    }

    fn joint(&mut self, at: &Place) -> JointSlots {
        let own = first_constraint(self.s) + self.s.constraints.partition_point(|c| c.first_row < at.row);
        let diagonal = self.builder.slot(own, own);
        let moving = at.bodies.map(|b| self.s.moving(b));
        let columns = moving.map(|b| b.map(|b| self.builder.slot(b, own)));
        let rows = moving.map(|b| b.map(|b| self.builder.slot(own, b)));
        let coupling = self.joined(at).map(|(i, j)| [self.builder.slot(i, j), self.builder.slot(j, i)]);
        // Slots grow: a block behind the joint's own was not there before, and no other joint has it.
        let new = |slots: [Slot; 2]| slots.iter().all(|slot| slot.start > diagonal.start);
        let write = if coupling.is_some_and(new) { Write::Assign } else { Write::Add };
        JointSlots { columns, rows, diagonal, coupling, write }
    }
}

/// The block row of the first constraint: behind those of the bodies.
pub(super) fn first_constraint(s: &System) -> usize {
    s.bodies.len()
}

/// The constraint a row belongs to, and its place there.
fn place_of_row(constraints: &[CompiledConstraint], row: usize) -> (usize, usize) {
    let k = constraints.partition_point(|c| c.first_row + c.element.rows() <= row);
    (k, row - constraints[k].first_row)
}
