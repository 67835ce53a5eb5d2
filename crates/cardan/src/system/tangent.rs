//! The weighted tangent of the equations, the matrix of every Newton iteration and of every linear solve:
//!
//! ```text
//! [ m M + c_a f_a + c_v C + c_q K T   Gᵀ − Q_λ   −Q_w ]    K = ∂f/∂q,  C = ∂f/∂v,  f = Gᵀλ − Q          (1)
//! [ G T (position level)               −ε          0  ]
//! [ A + (c_q/c_v)(A v)_q T             −ε          0  ]    (rows of velocity level)
//! [ rows of differential states: `expressions/states`  ]    Q_w = c_x Q_x + c_ẋ Q_ẋ
//! ```
//!
//! T is the tangent of the retraction (identity where corrections act in place); with M(q), the residual is M a + f, and K has ∂(M a)/∂q in
//! it. With the marker maps J (twist from body velocities) and D = ∂(J v)/∂q of `bodies`, an element's blocks K_ab, C_ab between markers a and b contribute
//!
//! ```text
//! J_aᵀ (K_ab c_q J_b T + C_ab (c_q D_b T + c_v J_b)) + c_q ∂(J_aᵀ w_a)/∂q T.                          (2)
//! ```

use super::actions::ForceId;
use super::flat::BodyWeights;
use super::jacobian::{ConstraintSlots, Slots, Target};
use super::{Evaluated, Jacobian, Placement, State, System, Work};
use crate::bodies::{Kind, MarkerId, MarkerMaps};
use crate::constraints::{Constraint, Level};
use crate::forces::{ForceLaw, Tangent};
use crate::linear::{BlockMatrix, Slot};
use crate::math::{Mat6, Vec6, angular, linear, stack};
use crate::measures::Context;

/// Weights of the tangent (equation 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights<'a> {
    /// Factor of M.
    pub mass: f64,
    /// c_a, factor of ∂f/∂a. Where it is zero, the dependence of expressions on reactions is left out too: projections.
    pub acceleration: f64,
    /// c_v.
    pub velocity: f64,
    /// c_q.
    pub position: f64,
    /// c_x, by which the unknown of a differential state moves x.
    pub state: f64,
    /// c_ẋ, by which it moves ẋ.
    pub state_rate: f64,
    /// What put the bodies where T is taken; `None` for corrections in place.
    pub placed: Option<Placement<'a>>,
    /// ε of every row; empty for none.
    pub regularization: &'a [f64],
    /// λ of K in place of the state's own.
    pub reactions: Option<&'a [f64]>,
}

impl<'a> Weights<'a> {
    /// Only the mass and the constraints: the matrix of projections.
    pub fn mass_only(regularization: &'a [f64]) -> Self {
        let [acceleration, velocity, position, state] = [0.0; 4];
        Self { mass: 1.0, acceleration, velocity, position, state, state_rate: 1.0, placed: None, regularization, reactions: None }
    }

    /// With what forces owe to accelerations and reactions: the matrix of accelerations.
    pub fn accelerations(regularization: &'a [f64]) -> Self {
        Self { acceleration: 1.0, ..Self::mass_only(regularization) }
    }

    /// λ of K at a state.
    pub(super) fn reactions_of<'b>(&'b self, x: &'b State) -> &'b [f64] {
        self.reactions.unwrap_or(&x.lambda)
    }
}

/// Which forces the tangent takes into account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Terms {
    /// All of them.
    All,
    /// All but those that change sides with the state.
    Steady,
    /// The same; inertia is left out, too: gyroscopic forces.
    SteadyApplied,
    /// Those marked as implicit ([`crate::model::Model::mark_implicit`]), and elastic forces of bodies; inertia is left out.
    Marked,
}

impl Evaluated<'_> {
    /// Fills the matrix (1). The Jacobian has blocks for all that is coupled at the state, and forgets its factors.
    pub fn tangent(&mut self, w: &Weights, jacobian: &mut Jacobian) {
        self.tangent_of(Terms::All, w, jacobian);
    }

    /// The same with stiffness and damping of some forces only.
    pub fn tangent_of(&mut self, terms: Terms, w: &Weights, jacobian: &mut Jacobian) {
        jacobian.couple(self);
        self.system.write_tangent(terms, self.x, w, self.work, jacobian.target(0));
    }

    /// Fills several matrices of a Jacobian, each with its own weights.
    pub fn tangents<const N: usize>(&mut self, weights: &[Weights; N], jacobian: &mut Jacobian) {
        jacobian.couple(self);
        for (k, w) in weights.iter().enumerate() {
            self.system.write_tangent(Terms::All, self.x, w, self.work, jacobian.target(k));
        }
    }

    /// Acceleration-level right-hand side: G a + bias = 0 is Φ̈ = 0 (position level) or the derivative of A v + b.
    pub fn acceleration_bias(&mut self, bias: &mut [f64]) {
        self.system.write_acceleration_bias(self.x, self.work, bias);
    }
}

impl System {
    fn write_tangent(&self, terms: Terms, x: &State, w: &Weights, work: &mut Work, mut into: Target) {
        let into = &mut into;
        let Slots { summed, written, .. } = *into.slots;
        into.matrix.values[..summed].fill(0.0);
        into.matrix.values[written..].fill(0.0);
        self.flat.bodies.turn(w.placed, work);
        self.place_rods(x, work);
        self.marker_maps(w, work);
        self.write_joint_blocks(x, w, work, into);
        self.flat.bodies.add_blocks(x, &self.weights_of_bodies(terms, w), work, &into.slots.bodies, &mut into.matrix.values);
        let with_motion = w.position != 0.0 || w.velocity != 0.0;
        let with_unknowns = with_motion || w.acceleration != 0.0;
        if with_unknowns && self.reads_accelerations {
            self.acceleration_maps(x, w, work);
        }
        let mut tangent = Tangent::zero();
        if with_motion {
            self.flat.forces.add_blocks(|k| self.counts(ForceId::Law(k), terms), w, work, into);
        }
        for id in self.marker_force_ids() {
            let counts = self.counts(id, terms);
            match id {
                ForceId::Law(k) => self.add_force_blocks(k, x, w, with_motion && counts, work, &mut tangent, into),
                ForceId::Pairs(k) if with_motion && counts => self.add_pair_blocks(k, x, w, work, &mut tangent, into),
                ForceId::Written(k) if with_unknowns && counts => self.add_expression_blocks(k, x, w, work, into),
                ForceId::Pairs(_) | ForceId::Written(_) => {}
            }
        }
        if with_unknowns {
            (0..self.states.len()).for_each(|k| self.add_state_blocks(k, x, w, work, into));
        }
        if with_motion || w.state != 0.0 {
            self.add_pair_state_blocks(x, w, work, into);
        }
        for slots in &into.slots.states {
            into.matrix.block(slots.diagonal)[0] += w.state_rate;
        }
        for k in 0..self.by_rows.len() {
            self.add_constraint_blocks(k, x, w, with_motion, work, into);
        }
    }

    fn weights_of_bodies(&self, terms: Terms, w: &Weights) -> BodyWeights {
        let elastic = [w.position, w.velocity];
        let (inertia, turning) = match terms {
            Terms::All | Terms::Steady => (elastic, w.position),
            Terms::SteadyApplied => ([0.0; 2], w.position),
            Terms::Marked => ([0.0; 2], 0.0),
        };
        BodyWeights { mass: w.mass, inertia, elastic, turning, gravity: self.gravity.0 }
    }

    /// The maps of the markers that the equations read.
    pub(super) fn marker_maps(&self, w: &Weights, work: &mut Work) {
        let Work { frames, deformed, turns, maps, .. } = work;
        for index in self.read_markers.iter().chain(&self.rod_markers).copied() {
            if let Some((b, marker)) = self.attached(index, frames, deformed) {
                maps[index].set(&marker, &turns[b], [w.position, w.velocity]);
            }
        }
    }

    fn add_force_blocks(&self, k: usize, x: &State, w: &Weights, with_motion: bool, work: &Work, tangent: &mut Tangent, into: &mut Target) {
        let (force, slots, matrix) = (&self.forces[k], &into.slots.forces[k], &mut *into.matrix);
        let ctx =
            Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: w.reactions_of(x), scratch: &work.scratch };
        let markers = force.markers().map(|m| m.index());
        for (row, (blocks, column)) in force.reaction_rows().iter().zip(&slots.reactions) {
            let gradient = force.reaction_gradient(&ctx, *row);
            for a in 0..2 {
                if let (Some(b), Some(slot)) = (self.carrier(force.markers()[a]), blocks[a]) {
                    let nv = self.bodies[b].shape.nv();
                    work.maps[markers[a]].j.pull_back(&gradient[a], -1.0, &mut matrix.block(slot)[column * nv..][..nv]);
                }
            }
        }
        if !with_motion {
            return;
        }
        let wrench = force.wrench_and_tangent(&ctx, tangent);
        self.add_stiffness(markers, &slots.bodies, &wrench, tangent, w, work, matrix);
    }

    /// The tangent of a wrench on marker i and of the reaction on marker j, pulled back to their bodies (2), velocity by velocity:
    /// w_j = −(F, M + d × F) changes by −(δF, δM + d × δF + δd × F).
    pub(super) fn add_stiffness(
        &self,
        markers: [usize; 2],
        slots: &[[Option<Slot>; 2]; 2],
        wrench: &[Vec6; 2],
        tangent: &Tangent,
        w: &Weights,
        work: &Work,
        matrix: &mut BlockMatrix,
    ) {
        let maps = markers.map(|m| &work.maps[m]);
        let (d, force) = (work.markers[markers[0]].p - work.markers[markers[1]].p, linear(&wrench[0]) * w.position);
        for b in 0..2 {
            if slots[0][b].or(slots[1][b]).is_none() {
                continue;
            }
            let MarkerMaps { jt, rate, .. } = maps[b];
            let opposite = if b == 0 { force } else { -force };
            for k in 0..jt.velocities() {
                let change = jt.times_column(&tangent.position[b], k) * w.position + rate.times_column(&tangent.velocity[b], k);
                if let Some(slot) = slots[0][b] {
                    maps[0].j.add_column(&change, -1.0, column(matrix.block(slot), k, maps[0].j.velocities()));
                }
                if let Some(slot) = slots[1][b] {
                    let (by_force, by_torque) = (linear(&change), angular(&change));
                    let reaction = stack(by_force, by_torque + d.cross(&by_force) - opposite.cross(&jt.shift(k)));
                    maps[1].j.add_column(&reaction, 1.0, column(matrix.block(slot), k, maps[1].j.velocities()));
                }
            }
        }
        for a in 0..2 {
            if let Some(slot) = slots[a][a] {
                self.add_geometric(markers[a], &wrench[a], -w.position, work, matrix.block(slot));
            }
        }
    }

    fn add_constraint_blocks(&self, k: usize, x: &State, w: &Weights, with_motion: bool, work: &mut Work, into: &mut Target) {
        let (constraint, slots, matrix) = (&self.constraints[self.by_rows[k]], &into.slots.constraints[k], &mut *into.matrix);
        let element = &constraint.element;
        let markers = element.markers();
        let (n, rows) = (markers.len(), element.rows());
        let Work { markers: states, maps, gradient, gradient_t, hessian, stiffness, reactions, scratch, .. } = &mut *work;
        let ctx = Context { t: x.t, markers: states, memory: &x.memory, states: &x.x, lambda: w.reactions_of(x), scratch };
        stiffness[..n * n].fill(Mat6::zeros());
        reactions[..n].fill(Vec6::zeros());
        for r in 0..rows {
            let lambda = w.reactions_of(x)[constraint.first_row + r];
            gradient[..n].fill(Vec6::zeros());
            gradient_t[..n].fill(Vec6::zeros());
            element.evaluate(&ctx, r, &mut gradient[..n], &mut gradient_t[..n]);
            if with_motion {
                hessian[..n * n].fill(Mat6::zeros());
                element.hessian(&ctx, r, &mut hessian[..n * n]);
                stiffness[..n * n].iter_mut().zip(&hessian[..n * n]).for_each(|(s, h)| *s += h * lambda);
            }
            for a in 0..n {
                reactions[a] += gradient[a] * lambda;
                let marker = markers[a].index();
                let Some(b) = self.carrier(markers[a]) else { continue };
                let map = &maps[marker];
                if let Some(slot) = slots.columns[a] {
                    let nv = self.bodies[b].shape.nv();
                    map.j.pull_back(&gradient[a], 1.0, &mut matrix.block(slot)[r * nv..][..nv]);
                }
                let Some(slot) = slots.rows[a] else { continue };
                let block = matrix.block(slot);
                if element.level() == Level::Position || w.velocity == 0.0 {
                    map.jt.pull_back(&gradient[a], 1.0, block[r..].iter_mut().step_by(rows));
                } else {
                    let rate_gradient: Vec6 = (0..n).map(|c| hessian[c * n + a].tr_mul(&ctx.marker(markers[c]).twist())).sum();
                    map.rate.pull_back(&gradient[a], 1.0 / w.velocity, block[r..].iter_mut().step_by(rows));
                    map.jt.pull_back(&rate_gradient, w.position / w.velocity, block[r..].iter_mut().step_by(rows));
                }
            }
            if let Some(epsilon) = w.regularization.get(constraint.first_row + r) {
                matrix.block(slots.diagonal)[r * (rows + 1)] -= epsilon;
            }
        }
        if with_motion {
            self.add_constraint_stiffness(markers, slots, w, work, matrix);
        }
    }

    /// The stiffness Σ λ H and the wrenches Σ λ g of a constraint's rows, in `work`, pulled back to its bodies.
    fn add_constraint_stiffness(&self, markers: &[MarkerId], slots: &ConstraintSlots, w: &Weights, work: &Work, matrix: &mut BlockMatrix) {
        let n = markers.len();
        for a in 0..n {
            for b in 0..n {
                let Some(slot) = slots.bodies[a * n + b] else { continue };
                let (j, jt) = (&work.maps[markers[a].index()].j, &work.maps[markers[b].index()].jt);
                j.add_product(&work.stiffness[a * n + b], jt, w.position, matrix.block(slot));
            }
            if let Some(slot) = slots.bodies[a * n + a] {
                self.add_geometric(markers[a].index(), &work.reactions[a], w.position, work, matrix.block(slot));
            }
        }
    }

    /// block += scale · ∂(Jᵀ w)/∂q T of a wrench at a marker.
    pub(super) fn add_geometric(&self, marker: usize, wrench: &Vec6, scale: f64, work: &Work, block: &mut [f64]) {
        if let Some((b, marker)) = self.attached(marker, &work.frames, &work.deformed) {
            marker.add_geometric_stiffness(wrench, &work.turns[b], scale, block);
        }
    }

    fn write_acceleration_bias(&self, x: &State, work: &mut Work, bias: &mut [f64]) {
        self.joint_bias(work, bias);
        self.place_rods(x, work);
        let Work { frames, deformed, markers: states, gradient, gradient_t, hessian, scratch, .. } = &mut *work;
        let ctx = Context { t: x.t, markers: states, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        for constraint in self.by_rows.iter().map(|k| &self.constraints[*k]) {
            let element = &constraint.element;
            let (markers, n) = (element.markers(), element.markers().len());
            for r in 0..element.rows() {
                gradient[..n].fill(Vec6::zeros());
                gradient_t[..n].fill(Vec6::zeros());
                hessian[..n * n].fill(Mat6::zeros());
                let value = element.evaluate(&ctx, r, &mut gradient[..n], &mut gradient_t[..n]);
                element.hessian(&ctx, r, &mut hessian[..n * n]);
                let explicit = if element.level() == Level::Position { 2.0 } else { 1.0 };
                let mut sum = value.acceleration;
                for a in 0..n {
                    let twist = ctx.marker(markers[a]).twist();
                    sum += explicit * gradient_t[a].dot(&twist);
                    for b in 0..n {
                        sum += twist.dot(&(hessian[a * n + b] * ctx.marker(markers[b]).twist()));
                    }
                    if let Some((_, marker)) = self.attached(markers[a].index(), frames, deformed) {
                        sum += gradient[a].dot(&marker.drift());
                    }
                }
                bias[constraint.first_row + r] = sum;
            }
        }
    }
}

/// A column of a block with this many rows.
fn column(block: &mut [f64], k: usize, rows: usize) -> &mut [f64] {
    &mut block[k * rows..][..rows]
}
