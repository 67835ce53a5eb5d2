//! The share of forces given by expressions in the Newton matrix (equations 1 and 2 of the room).

use super::{Expression, ExpressionElement, ExpressionWork, Geometry, Reads, Source};
use crate::bodies::{Kind, Map, MarkerMaps};
use crate::linear::BlockMatrix;
use crate::math::{Mat3, Mat6, angular, linear, skew};
use crate::measures::{Context, MarkerGradient, Motion};
use crate::system::jacobian::{ExpressionSlots, Target};
use crate::system::{State, System, Weights, Work};

impl System {
    /// c_q E T + c_v F + c_a J of the markers that the equations read.
    pub(in crate::system) fn acceleration_maps(&self, x: &State, w: &Weights, work: &mut Work) {
        let Work { frames, deformed, turns, acceleration_maps, .. } = work;
        for index in &self.read_markers {
            if let Some((b, marker)) = self.attached(*index, frames, deformed) {
                let a = &x.a[self.bodies[b].v()];
                acceleration_maps[*index].set_acceleration(&marker, &turns[b], a, [w.position, w.velocity, w.acceleration]);
            }
        }
    }

    /// Adds equation 1 of one force, at a state whose kinematics and accelerations are in `work`.
    pub(in crate::system) fn add_expression_blocks(&self, k: usize, x: &State, w: &Weights, work: &mut Work, into: &mut Target) {
        let (force, slots, matrix) = (&self.expressions[k], &into.slots.expressions[k], &mut *into.matrix);
        let Work { markers, accelerations, maps, acceleration_maps, expressions, scratch, .. } = &mut *work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: w.reactions_of(x), scratch };
        let motion = Motion { markers, accelerations, past: x.past() };
        self.shared_values(force, x, &ctx, &motion, expressions);
        for c in 0..force.components.len() {
            let reads = &force.reads;
            self.component_inputs(force, c, expressions);
            self.expression_gradient(&force.components[c].1, reads, w, &ctx, &motion, expressions);
            self.body_rows(reads, w, maps, acceleration_maps, expressions);
            let direction = force.direction(&ctx, c);
            for a in 0..2 {
                let marker = force.markers[a].index();
                let Some(body) = self.carrier(force.markers[a]) else { continue };
                let ExpressionWork { column, rows, lambda, states, .. } = &mut *expressions;
                column.clear();
                column.resize(self.bodies[body].shape.nv(), 0.0);
                maps[marker].j.pull_back(&direction[a], 1.0, &mut *column);
                self.add_products(force, slots, a, column, rows, matrix);
                add_state_columns(slots, a, column, states, matrix);
                if w.acceleration != 0.0 {
                    add_reaction_columns(slots, a, column, &lambda[..reads.rows.len()], matrix);
                }
            }
        }
        if w.position != 0.0 {
            self.add_direction_blocks(k, x, w, work, slots, matrix);
        }
    }

    /// ∂z/∂(markers), ∂z/∂λ and ∂z/∂w of an expression at the inputs in the scratch, into the scratch; w is the unknown of a differential state.
    pub(super) fn expression_gradient(
        &self,
        e: &Expression,
        reads: &Reads,
        w: &Weights,
        ctx: &Context,
        motion: &Motion,
        work: &mut ExpressionWork,
    ) {
        let n = e.sources.len();
        e.program.gradient(&work.inputs[..n], &mut ctx.scratch.borrow_mut(), &mut work.slopes[..n]);
        work.gradients[..reads.markers.len()].fill(MarkerGradient::zero());
        work.lambda[..reads.rows.len()].fill(0.0);
        work.states[..reads.states.len()].fill(0.0);
        for (k, source) in e.sources.iter().enumerate() {
            let slope = work.slopes[k];
            match source {
                _ if slope == 0.0 => {}
                Source::Time | Source::Input(_) => {}
                Source::Motion { quantity, at } => quantity.add_gradient(motion, slope, at, &mut work.gradients[..]),
                Source::State { at, .. } => work.states[*at] += slope * w.state,
                Source::Rate { at, .. } => work.states[*at] += slope * w.state_rate,
                Source::Load(load) => self.add_load_gradient(load, slope, ctx, work),
            }
        }
    }

    /// Equation 2 for every body, from the gradients by markers.
    pub(super) fn body_rows(&self, reads: &Reads, w: &Weights, maps: &[MarkerMaps], accelerations: &[Map], work: &mut ExpressionWork) {
        let ExpressionWork { rows, gradients, .. } = work;
        rows.clear();
        for (b, body) in reads.bodies.iter().enumerate() {
            let first = rows.len();
            rows.resize(first + self.bodies[*body].shape.nv(), 0.0);
            for ((marker, carried), g) in reads.markers.iter().zip(&reads.carried).zip(&*gradients) {
                if *carried != Some(b) {
                    continue;
                }
                let map = &maps[marker.index()];
                map.jt.pull_back(&g.pose, w.position, &mut rows[first..]);
                map.rate.pull_back(&g.twist, 1.0, &mut rows[first..]);
                if self.reads_accelerations {
                    accelerations[marker.index()].pull_back(&g.acceleration, 1.0, &mut rows[first..]);
                }
            }
        }
    }

    /// Blocks −= column rowᵀ on the body of marker a; the rows of all bodies stand one after another.
    fn add_products(
        &self,
        force: &ExpressionElement,
        slots: &ExpressionSlots,
        a: usize,
        column: &[f64],
        mut rows: &[f64],
        matrix: &mut BlockMatrix,
    ) {
        for (body, slots) in force.reads.bodies.iter().zip(&slots.bodies) {
            let (row, rest) = rows.split_at(self.bodies[*body].shape.nv());
            rows = rest;
            let Some(slot) = slots[a] else { continue };
            for (values, z) in matrix.block(slot).chunks_exact_mut(column.len()).zip(row) {
                values.iter_mut().zip(column).for_each(|(x, c)| *x -= c * z);
            }
        }
    }

    /// The last two terms of equation 1.
    fn add_direction_blocks(&self, k: usize, x: &State, w: &Weights, work: &Work, slots: &ExpressionSlots, matrix: &mut BlockMatrix) {
        let force = &self.expressions[k];
        let ctx =
            Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: w.reactions_of(x), scratch: &work.scratch };
        let wrench = &work.expressions.wrenches[k];
        let mut add = |a: usize, at: usize, block: &Mat6| {
            let Some(slot) = force.reads.carried[at].and_then(|b| slots.bodies[b][a]) else { return };
            let (j, jt) = (&work.maps[force.markers[a].index()].j, &work.maps[force.reads.markers[at].index()].jt);
            j.add_product(block, jt, -w.position, matrix.block(slot));
        };
        match &force.geometry {
            Geometry::Along(measure) => {
                let [i, j] = force.markers.map(|m| ctx.marker(m));
                let z = work.expressions.values[k][0];
                let h = measure.hessian(i, j);
                for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    add(a, b, &(h[a][b] * z));
                }
            }
            Geometry::Axes { at, .. } => {
                let (f, tau) = (linear(&wrench[0]), angular(&wrench[0]));
                let d = ctx.marker(force.markers[0]).p - ctx.marker(force.markers[1]).p;
                let (f, tau, none) = (skew(&f), skew(&tau), Mat3::zeros());
                add(0, *at, &block(3, &-f, &-tau));
                add(1, *at, &block(3, &f, &(tau + skew(&d) * f)));
                add(1, 0, &block(0, &none, &f));
                add(1, 1, &block(0, &none, &-f));
            }
        }
        for a in 0..2 {
            let Some(slot) = force.reads.carried[a].and_then(|b| slots.bodies[b][a]) else { continue };
            self.add_geometric(force.markers[a].index(), &wrench[a], -w.position, work, matrix.block(slot));
        }
    }
}

/// Two 3×3 blocks below each other, in the columns from `column` on.
fn block(column: usize, top: &Mat3, bottom: &Mat3) -> Mat6 {
    let mut m = Mat6::zeros();
    m.fixed_view_mut::<3, 3>(0, column).copy_from(top);
    m.fixed_view_mut::<3, 3>(3, column).copy_from(bottom);
    m
}

/// Blocks −= column ∂z/∂λ on the body of marker a.
fn add_reaction_columns(slots: &ExpressionSlots, a: usize, column: &[f64], lambda: &[f64], matrix: &mut BlockMatrix) {
    for (slope, (slots, at)) in lambda.iter().zip(&slots.rows) {
        let Some(slot) = slots[a] else { continue };
        let values = &mut matrix.block(slot)[at * column.len()..];
        values.iter_mut().zip(column).for_each(|(x, c)| *x -= c * slope);
    }
}

/// Blocks −= column ∂z/∂w on the body of marker a.
fn add_state_columns(slots: &ExpressionSlots, a: usize, column: &[f64], states: &[f64], matrix: &mut BlockMatrix) {
    for (slope, slots) in states.iter().zip(&slots.states) {
        let Some(slot) = slots[a] else { continue };
        matrix.block(slot).iter_mut().zip(column).for_each(|(x, c)| *x -= c * slope);
    }
}
