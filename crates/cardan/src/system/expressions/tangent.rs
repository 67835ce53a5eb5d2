//! The share of forces given by expressions in the Newton matrix (equations 1 and 2 of the room).

use super::{Expression, ExpressionElement, ExpressionWork, Geometry, Reads, Source};
use crate::bodies::{Kind, acceleration_gradients, jacobian};
use crate::linear::BlockMatrix;
use crate::math::{Mat3, Mat6, Vec6, angular, linear, skew};
use crate::measures::{Context, MarkerGradient, Motion};
use crate::system::flat::BodyFrame;
use crate::system::jacobian::{ExpressionSlots, Target};
use crate::system::maps::MarkerMaps;
use crate::system::{State, System, Weights, Work};

impl System {
    /// c_q E T + c_v F + c_a J of the markers that the equations read.
    pub(in crate::system) fn acceleration_maps(&self, x: &State, w: &Weights, work: &mut Work) {
        for index in &self.read_markers {
            let marker = &self.markers[*index];
            let Some(b) = marker.body else { continue };
            let (body, BodyFrame { r, omega, .. }) = (&self.bodies[b], &work.frames[b]);
            let (_, turning) = body.shape.twist(&x.a[body.v()]);
            let [e, f] = acceleration_gradients(r, &marker.offset, omega, &turning);
            work.acceleration_maps[*index] =
                turned(e, &work.turns[b]) * w.position + f * w.velocity + jacobian(r, &marker.offset) * w.acceleration;
        }
    }

    /// Adds equation 1 of one force, at a state whose kinematics and accelerations are in `work`.
    pub(in crate::system) fn add_expression_blocks(&self, k: usize, x: &State, w: &Weights, work: &mut Work, into: &mut Target) {
        let (force, slots, matrix) = (&self.expressions[k], &into.slots.expressions[k], &mut *into.matrix);
        let Work { markers, accelerations, maps, acceleration_maps, expressions, scratch, .. } = &mut *work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, past: x.past() };
        for c in 0..force.components.len() {
            let reads = &force.reads;
            self.expression_gradient(&force.components[c].1, reads, x, w, &ctx, &motion, expressions);
            self.body_rows(reads, w, maps, acceleration_maps, expressions);
            let (rows, lambda) = (&expressions.rows[..reads.bodies.len()], &expressions.lambda[..reads.rows.len()]);
            let direction = force.direction(&ctx, c);
            for a in 0..2 {
                let column = maps[force.markers[a].index()].j.tr_mul(&direction[a]);
                self.add_products(force, slots, a, &column, rows, matrix);
                self.add_state_columns(force, slots, a, &column, &expressions.states, matrix);
                if w.acceleration != 0.0 {
                    self.add_reaction_columns(force, slots, a, &column, lambda, matrix);
                }
            }
        }
        if w.position != 0.0 {
            self.add_direction_blocks(k, x, w, work, slots, matrix);
        }
    }

    /// ∂z/∂(markers), ∂z/∂λ and ∂z/∂w of an expression, into the scratch; w is the unknown of a differential state.
    pub(super) fn expression_gradient(
        &self,
        e: &Expression,
        reads: &Reads,
        x: &State,
        w: &Weights,
        ctx: &Context,
        motion: &Motion,
        work: &mut ExpressionWork,
    ) {
        let n = e.sources.len();
        self.expression_inputs(e, x, ctx, motion, work);
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
    pub(super) fn body_rows(&self, reads: &Reads, w: &Weights, maps: &[MarkerMaps], accelerations: &[Mat6], work: &mut ExpressionWork) {
        let rows = &mut work.rows[..reads.bodies.len()];
        rows.fill(Vec6::zeros());
        for ((marker, carried), g) in reads.markers.iter().zip(&reads.carried).zip(&work.gradients) {
            let Some(b) = carried else { continue };
            let map = &maps[marker.index()];
            rows[*b] += map.jt.tr_mul(&(g.pose * w.position)) + map.rate.tr_mul(&g.twist);
            if self.reads_accelerations {
                rows[*b] += accelerations[marker.index()].tr_mul(&g.acceleration);
            }
        }
    }

    /// Blocks −= column rowᵀ on the body of marker a, for the velocities the bodies have.
    fn add_products(
        &self,
        force: &ExpressionElement,
        slots: &ExpressionSlots,
        a: usize,
        column: &Vec6,
        rows: &[Vec6],
        matrix: &mut BlockMatrix,
    ) {
        let Some(body) = self.markers[force.markers[a].index()].body else { return };
        let own = self.bodies[body].shape.columns();
        for ((b, row), slots) in force.reads.bodies.iter().zip(rows).zip(&slots.bodies) {
            let Some(slot) = slots[a] else { continue };
            for (values, c) in matrix.block(slot).chunks_exact_mut(own.len()).zip(self.bodies[*b].shape.columns()) {
                values.iter_mut().zip(own).for_each(|(x, r)| *x -= column[*r] * row[*c]);
            }
        }
    }

    /// Blocks −= column ∂z/∂λ on the body of marker a.
    fn add_reaction_columns(
        &self,
        force: &ExpressionElement,
        slots: &ExpressionSlots,
        a: usize,
        column: &Vec6,
        lambda: &[f64],
        matrix: &mut BlockMatrix,
    ) {
        let Some(body) = self.markers[force.markers[a].index()].body else { return };
        let own = self.bodies[body].shape.columns();
        for (slope, (slots, at)) in lambda.iter().zip(&slots.rows) {
            let Some(slot) = slots[a] else { continue };
            let values = &mut matrix.block(slot)[at * own.len()..];
            values.iter_mut().zip(own).for_each(|(x, r)| *x -= column[*r] * slope);
        }
    }

    /// Blocks −= column ∂z/∂w on the body of marker a.
    fn add_state_columns(
        &self,
        force: &ExpressionElement,
        slots: &ExpressionSlots,
        a: usize,
        column: &Vec6,
        states: &[f64],
        matrix: &mut BlockMatrix,
    ) {
        let Some(body) = self.markers[force.markers[a].index()].body else { return };
        let own = self.bodies[body].shape.columns();
        for (slope, slots) in states.iter().zip(&slots.states) {
            let Some(slot) = slots[a] else { continue };
            matrix.block(slot).iter_mut().zip(own).for_each(|(x, r)| *x -= column[*r] * slope);
        }
    }

    /// The last two terms of equation 1.
    fn add_direction_blocks(&self, k: usize, x: &State, w: &Weights, work: &Work, slots: &ExpressionSlots, matrix: &mut BlockMatrix) {
        let force = &self.expressions[k];
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, lambda: &x.lambda, scratch: &work.scratch };
        let wrench = &work.expressions.wrenches[k];
        let mut add = |a: usize, at: usize, block: &Mat6| {
            let (Some(body), Some(b)) = (self.markers[force.markers[a].index()].body, force.reads.carried[at]) else { return };
            let Some(slot) = slots.bodies[b][a] else { return };
            let six = work.maps[force.markers[a].index()].j.sandwich(block, &work.maps[force.reads.markers[at].index()].jt);
            self.add_block(body, force.reads.bodies[b], &six, -w.position, matrix.block(slot));
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
            let Some(body) = self.markers[force.markers[a].index()].body else { continue };
            let Some(slot) = force.reads.carried[a].and_then(|b| slots.bodies[b][a]) else { continue };
            self.add_geometric(force.markers[a].index(), body, &wrench[a], -w.position, work, matrix.block(slot));
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

/// m · diag(I, T).
fn turned(mut m: Mat6, turn: &Mat3) -> Mat6 {
    let columns = m.fixed_columns::<3>(3) * turn;
    m.fixed_columns_mut::<3>(3).copy_from(&columns);
    m
}
