//! Kinematics sweep and residual: one pass over bodies, markers, constraints and forces.

use super::expressions::faulty_row;
use super::{State, System, Work};
use crate::bodies::{Kind, MarkerState, pull_back};
use crate::constraints::{Constraint, Level};
use crate::forces::ForceLaw;
use crate::math::{Vec3, Vec6};
use crate::measures::{Context, Motion};

impl System {
    /// q1 = q0 ⊕ δ for all bodies.
    pub fn retract(&self, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        for body in &self.bodies {
            body.shape.retract(&q0[body.q()], &delta[body.v()], &mut q1[body.q()]);
        }
    }

    /// δ with q1 = q0 ⊕ δ for all bodies.
    pub fn difference(&self, q0: &[f64], q1: &[f64], delta: &mut [f64]) {
        for body in &self.bodies {
            body.shape.difference(&q0[body.q()], &q1[body.q()], &mut delta[body.v()]);
        }
    }

    /// out += scale · M a.
    pub fn add_mass_times(&self, a: &[f64], scale: f64, out: &mut [f64]) {
        for body in &self.bodies {
            body.shape.add_mass_times(&a[body.v()], scale, &mut out[body.v()]);
        }
    }

    /// Poses and twists of all markers.
    pub fn kinematics(&self, q: &[f64], v: &[f64], work: &mut Work) {
        for (k, body) in self.bodies.iter().enumerate() {
            work.frames[k] = body.shape.frame(&q[body.q()]);
            let mut six = [0.0; 6];
            for (value, column) in v[body.v()].iter().zip(body.shape.columns()) {
                six[*column] = *value;
            }
            work.twists[k] = (Vec3::new(six[0], six[1], six[2]), Vec3::new(six[3], six[4], six[5]));
        }
        for (state, marker) in work.markers.iter_mut().zip(&self.markers) {
            *state = match marker.body {
                None => MarkerState { p: marker.offset, r: marker.rotation, v: Vec3::zeros(), w: Vec3::zeros() },
                Some(b) => {
                    let ((r, center), (velocity, omega)) = (work.frames[b], work.twists[b]);
                    MarkerState {
                        p: center + r * marker.offset,
                        r: r * marker.rotation,
                        v: velocity + r * omega.cross(&marker.offset),
                        w: r * omega,
                    }
                }
            };
        }
    }

    /// Evaluates f = Gᵀλ − Q, Φ and Φ̇, and the rates of differential states, at a state; results are in the work arrays.
    pub fn evaluate(&self, x: &State, work: &mut Work) {
        self.kinematics(&x.q, &x.v, work);
        self.expression_wrenches(x, work);
        self.state_rates(x, work);
        let Work { frames, markers, expressions, f, phi, phi_dot, gradient, gradient_t, scratch, .. } = work;
        let ctx = Context { t: x.t, markers, memory: &x.memory, lambda: &x.lambda, scratch };
        f.fill(0.0);
        for body in &self.bodies {
            self.gravity.add(&body.shape, -1.0, &mut f[body.v()]);
            body.shape.add_gyroscopic(&x.v[body.v()], 1.0, &mut f[body.v()]);
        }
        for force in &self.forces {
            let wrench = force.wrench(&ctx);
            for (marker, w) in force.markers().into_iter().zip(&wrench) {
                self.add_wrench(marker.index(), w, -1.0, frames, f);
            }
        }
        for (force, wrench) in self.expressions.iter().zip(&expressions.wrenches) {
            for (marker, w) in force.markers.into_iter().zip(wrench) {
                self.add_wrench(marker.index(), w, -1.0, frames, f);
            }
        }
        for constraint in &self.constraints {
            let element = &constraint.element;
            let n = element.markers().len();
            for k in 0..element.rows() {
                let row = constraint.first_row + k;
                let (g, gt) = (&mut gradient[..n], &mut gradient_t[..n]);
                g.fill(Vec6::zeros());
                gt.fill(Vec6::zeros());
                let value = element.evaluate(&ctx, k, g, gt);
                let mut rate = value.rate;
                for (marker, g) in element.markers().iter().zip(g.iter()) {
                    rate += g.dot(&ctx.marker(*marker).twist());
                    self.add_wrench(marker.index(), g, x.lambda[row], frames, f);
                }
                phi_dot[row] = rate;
                phi[row] = if element.level() == Level::Position { value.value } else { rate };
            }
        }
    }

    /// Remembers turns and curve parameters of an accepted state.
    pub fn remember(&self, x: &mut State, work: &mut Work) {
        if x.memory.is_empty() {
            return;
        }
        self.kinematics(&x.q, &x.v, work);
        work.memory.copy_from_slice(&x.memory);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &work.memory, lambda: &x.lambda, scratch: &work.scratch };
        for constraint in &self.constraints {
            constraint.element.remember(&ctx, &mut x.memory);
        }
        for force in &self.forces {
            force.remember(&ctx, &mut x.memory);
        }
        let motion = Motion { markers: &work.markers, accelerations: &[], memory: &work.memory };
        for quantity in &self.angles {
            x.memory[quantity.slot] = quantity.value(&motion);
        }
    }

    /// Says which element's output is not finite at a finite state, in a sentence.
    pub fn find_non_finite(&self, x: &State, work: &mut Work) -> Option<String> {
        self.kinematics(&x.q, &x.v, work);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, lambda: &x.lambda, scratch: &work.scratch };
        for force in &self.forces {
            if !force.wrench(&ctx).iter().all(|w| w.iter().all(|x| x.is_finite())) {
                return Some(format!("force '{}' gave a value that is not finite", force.name()));
            }
        }
        for constraint in &self.constraints {
            if let Some(row) = faulty_row(&constraint.element, &ctx) {
                let fault = self.constraint_fault(&constraint.element, &ctx);
                let why = fault.map_or(" gave a value that is not finite".into(), |fault| format!(": {fault}"));
                return Some(format!("constraint '{}' ({}){why}", constraint.name, constraint.element.direction(row)));
            }
        }
        self.expression_fault(x, work)
    }

    /// f += scale · Jᵀ w.
    #[inline]
    pub(super) fn add_wrench(&self, marker: usize, w: &Vec6, scale: f64, frames: &[(crate::math::Mat3, Vec3)], f: &mut [f64]) {
        let marker = &self.markers[marker];
        if let Some(b) = marker.body {
            let body = &self.bodies[b];
            let six = pull_back(&frames[b].0, &marker.offset, w);
            for (k, column) in body.shape.columns().iter().enumerate() {
                f[body.v0 + k] += scale * six[*column];
            }
        }
    }
}
