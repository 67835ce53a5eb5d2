//! The share of forces given by expressions in the Newton matrix (equations 1 and 2 of the room).

use super::{ExpressionElement, ExpressionWork, Geometry, Source};
use crate::bodies::{Kind, acceleration_gradients, jacobian};
use crate::linear::BlockMatrix;
use crate::math::{Mat3, Mat6, Vec3, Vec6, angular, linear, skew};
use crate::measures::{Context, MarkerGradient, Motion};
use crate::system::tangent::{J, JT, RATE, turned};
use crate::system::{State, System, Weights, Work};

impl System {
    /// c_q E T + c_v F + c_a J of every marker.
    pub(in crate::system) fn acceleration_maps(&self, x: &State, w: &Weights, work: &mut Work) {
        for (map, marker) in work.acceleration_maps.iter_mut().zip(&self.markers) {
            let Some(b) = marker.body else { continue };
            let (body, r, omega) = (&self.bodies[b], &work.frames[b].0, &work.twists[b].1);
            let mut turning = Vec3::zeros();
            for (value, column) in x.a[body.v()].iter().zip(body.shape.columns()).filter(|(_, c)| **c >= 3) {
                turning[*column - 3] = *value;
            }
            let [e, f] = acceleration_gradients(r, &marker.offset, omega, &turning);
            *map = turned(e, &self.turn(b, w)) * w.position + f * w.velocity + jacobian(r, &marker.offset) * w.acceleration;
        }
    }

    /// Adds equation 1 of one force, at a state whose kinematics and accelerations are in `work`.
    pub(in crate::system) fn add_expression_blocks(&self, k: usize, x: &State, w: &Weights, work: &mut Work, matrix: &mut BlockMatrix) {
        let force = &self.expressions[k];
        let Work { markers, accelerations, maps, acceleration_maps, expressions, scratch, .. } = &mut *work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        let motion = Motion { markers, accelerations, memory: &x.memory };
        for c in 0..force.components.len() {
            self.component_gradient(force, c, &ctx, &motion, expressions);
            let (rows, lambda) = (&mut expressions.rows[..force.bodies.len()], &expressions.lambda[..force.rows.len()]);
            rows.fill(Vec6::zeros());
            for ((marker, carried), g) in force.reads.iter().zip(&force.carried).zip(&expressions.gradients) {
                let Some(b) = carried else { continue };
                let map = &maps[marker.index()];
                rows[*b] += map[JT].tr_mul(&(g.pose * w.position)) + map[RATE].tr_mul(&g.twist);
                if self.reads_accelerations {
                    rows[*b] += acceleration_maps[marker.index()].tr_mul(&g.acceleration);
                }
            }
            let direction = force.direction(&ctx, c);
            for a in 0..2 {
                let Some(body) = self.markers[force.markers[a].index()].body else { continue };
                let column = maps[force.markers[a].index()][J].tr_mul(&direction[a]);
                for ((b, row), slots) in force.bodies.iter().zip(rows.iter()).zip(&force.blocks) {
                    if let Some(slot) = slots[a] {
                        self.add_product(body, *b, &column, row, matrix.block(slot));
                    }
                }
                let selected = self.bodies[body].shape.columns();
                for (slope, (slots, at)) in lambda.iter().zip(&force.columns) {
                    let Some(slot) = slots[a].filter(|_| w.acceleration != 0.0) else { continue };
                    let block = &mut matrix.block(slot)[at * selected.len()..];
                    block.iter_mut().zip(selected).for_each(|(x, r)| *x -= column[*r] * slope);
                }
            }
        }
        if w.position != 0.0 {
            self.add_direction_blocks(k, x, w, work, matrix);
        }
    }

    /// ∂z/∂(markers) and ∂z/∂λ of a component, into the scratch.
    fn component_gradient(&self, force: &ExpressionElement, c: usize, ctx: &Context, motion: &Motion, work: &mut ExpressionWork) {
        let e = &force.components[c].1;
        let n = e.sources.len();
        self.expression_inputs(e, ctx, motion, work);
        e.program.gradient(&work.inputs[..n], &mut ctx.scratch.borrow_mut(), &mut work.slopes[..n]);
        work.gradients[..force.reads.len()].fill(MarkerGradient::zero());
        work.lambda[..force.rows.len()].fill(0.0);
        for (k, source) in e.sources.iter().enumerate() {
            let slope = work.slopes[k];
            match source {
                _ if slope == 0.0 => {}
                Source::Time => {}
                Source::Motion { quantity, at } => quantity.add_gradient(motion, slope, at, &mut work.gradients[..]),
                Source::Load(load) => self.add_load_gradient(load, slope, ctx, work),
            }
        }
    }

    /// block −= column rowᵀ, for the velocities the bodies have.
    #[inline]
    fn add_product(&self, body_a: usize, body_b: usize, column: &Vec6, row: &Vec6, block: &mut [f64]) {
        let (rows, columns) = (self.bodies[body_a].shape.columns(), self.bodies[body_b].shape.columns());
        for (values, c) in block.chunks_exact_mut(rows.len()).zip(columns) {
            values.iter_mut().zip(rows).for_each(|(x, r)| *x -= column[*r] * row[*c]);
        }
    }

    /// The last two terms of equation 1.
    fn add_direction_blocks(&self, k: usize, x: &State, w: &Weights, work: &Work, matrix: &mut BlockMatrix) {
        let force = &self.expressions[k];
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, lambda: &x.lambda, scratch: &work.scratch };
        let wrench = &work.expressions.wrenches[k];
        let mut add = |a: usize, at: usize, block: &Mat6| {
            let (Some(body), Some(b)) = (self.markers[force.markers[a].index()].body, force.carried[at]) else { return };
            let Some(slot) = force.blocks[b][a] else { return };
            let inner = block * work.maps[force.reads[at].index()][JT];
            let six = work.maps[force.markers[a].index()][J].tr_mul(&inner);
            self.add_block(body, force.bodies[b], &six, -w.position, matrix.block(slot));
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
            let Some(slot) = force.carried[a].and_then(|b| force.blocks[b][a]) else { continue };
            self.add_geometric(force.markers[a].index(), body, &wrench[a], -w.position, w, work, matrix.block(slot));
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
