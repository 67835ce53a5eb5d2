//! Kinematics sweep and residual: one pass over bodies, one over flat joints and forces, then over markers, other constraints and forces.
//!
//! Every element gives forces and torques at markers; they are summed per body at its reference point, w_b, and
//!
//! ```text
//! f = Gᵀλ − Q = projection of w_b on the body's velocities − weight + quadratic velocity force + elastic force      (1)
//! ```
//!
//! What acts on the elastic velocities of a flexible body is summed beside w_b.

use super::expressions::faulty_row;
use super::{CompiledMarker, Evaluated, Placement, State, System, Work};
use crate::bodies::{Attached, BodyFrame, Chart, Deformed, Kind, MarkerId, Wrench};
use crate::constraints::{Constraint, Level};
use crate::forces::ForceLaw;
use crate::math::{Vec6, is_finite};
use crate::measures::{Context, Motion};

impl System {
    /// q1 = q0 ⊕ δ for all bodies.
    pub fn retract(&self, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        self.retract_by(Chart::Exponential, q0, delta, q1);
    }

    /// The same with another chart.
    pub fn retract_by(&self, chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        self.flat.bodies.retract(chart, q0, delta, q1);
    }

    /// δ with q1 = q0 ⊕ δ for all bodies.
    pub fn difference(&self, q0: &[f64], q1: &[f64], delta: &mut [f64]) {
        for body in &self.bodies {
            body.shape.difference(&q0[body.q()], &q1[body.q()], &mut delta[body.v()]);
        }
    }

    /// out += scale · M a.
    pub fn add_mass_times(&self, q: &[f64], a: &[f64], scale: f64, out: &mut [f64]) {
        self.flat.bodies.add_mass_times(q, a, scale, out);
    }

    /// out += scale · (the quadratic velocity forces of all bodies: ω × J ω of rigid ones).
    pub fn add_quadratic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]) {
        self.flat.bodies.add_quadratic_forces(q, v, scale, out);
    }

    /// Keeps 1/Y_i of the coordinates behind the velocities, Y_i = max(1, largest |q_i| so far).
    pub fn weigh(&self, q: &[f64], weights: &mut [f64]) {
        self.flat.bodies.weigh(q, weights);
    }

    /// Poses and twists of all markers.
    pub fn kinematics(&self, q: &[f64], v: &[f64], work: &mut Work) {
        self.flat.bodies.stand(q, v, work);
        for marker in 0..self.markers.len() {
            self.place_marker(marker, q, v, work);
        }
    }

    /// Poses and twists of the markers that the equations read.
    pub(super) fn place_markers(&self, x: &State, work: &mut Work) {
        for marker in &self.read_markers {
            self.place_marker(*marker, &x.q, &x.v, work);
        }
    }

    /// The markers that only rods read.
    pub(super) fn place_rods(&self, x: &State, work: &mut Work) {
        for marker in &self.rod_markers {
            self.place_marker(*marker, &x.q, &x.v, work);
        }
    }

    #[inline]
    pub(super) fn place_marker(&self, index: usize, q: &[f64], v: &[f64], work: &mut Work) {
        let marker = &self.markers[index];
        let Some(b) = self.moving(marker.body) else {
            work.markers[index] = marker.attachment.standing();
            return;
        };
        let body = &self.bodies[b];
        if !marker.attachment.is_fixed() {
            work.deformed[index] = marker.attachment.deformed(&body.shape, &q[body.q()], &v[body.v()]);
        }
        let (frame, deformed) = (&work.frames[b], &work.deformed[index]);
        work.markers[index] = Attached { shape: &body.shape, at: &marker.attachment, frame, deformed }.state();
    }

    /// A marker on its body where that stands; nothing for the ground's.
    #[inline]
    pub(super) fn attached<'a>(
        &'a self,
        marker: usize,
        frames: &'a [BodyFrame],
        deformed: &'a [Deformed],
    ) -> Option<(usize, Attached<'a>)> {
        let CompiledMarker { body, attachment, .. } = &self.markers[marker];
        let b = self.moving(*body)?;
        Some((b, Attached { shape: &self.bodies[b].shape, at: attachment, frame: &frames[b], deformed: &deformed[marker] }))
    }

    /// Evaluates f = Gᵀλ − Q, Φ and Φ̇, and the rates of differential states, at a state.
    pub fn evaluate<'a>(&'a self, x: &'a State, work: &'a mut Work) -> Evaluated<'a> {
        self.flat.bodies.stand(&x.q, &x.v, work);
        self.add_flat_elements(&x.lambda, work);
        self.add_elements(x, work);
        self.flat.bodies.balance(x, &self.gravity.0, work);
        Evaluated { system: self, x, work }
    }

    /// Places the bodies.
    pub fn place(&self, to: &Placement, x: &mut State) {
        self.flat.bodies.place(to, x);
    }

    /// Places the bodies, evaluates there, and gives rhs = −(M a + f) besides; says whether all of that is finite.
    pub fn place_and_evaluate<'a>(
        &'a self,
        to: &Placement,
        x: &'a mut State,
        work: &'a mut Work,
        rhs: &mut [f64],
    ) -> (Evaluated<'a>, bool) {
        self.flat.bodies.place_and_stand(to, x, work);
        self.add_flat_elements(&x.lambda, work);
        self.add_elements(x, work);
        let sum = self.flat.bodies.residual(x, &self.gravity.0, work, rhs);
        (Evaluated { system: self, x, work }, sum.is_finite() || is_finite(rhs))
    }

    /// Whether bodies, flat joints and flat forces are all there is: whatever acts on bodies otherwise reads a marker.
    pub(super) fn is_flat(&self) -> bool {
        self.read_markers.is_empty() && self.states.is_empty() && self.by_rows.len() == self.flat.rods.len()
    }

    /// What all other elements give, where the bodies stand.
    fn add_elements(&self, x: &State, work: &mut Work) {
        if self.is_flat() {
            return;
        }
        self.place_markers(x, work);
        if !(self.expressions.is_empty() && self.states.is_empty()) {
            self.expression_wrenches(x, work);
            self.state_rates(x, work);
        }
        self.note_acting(x, work);
        self.add_constraints(x, work);
        self.add_forces(x, work);
    }

    fn add_forces(&self, x: &State, work: &mut Work) {
        let Work { frames, deformed, modal, markers, expressions, wrenches, acting, scratch, .. } = work;
        let mut loads = Loads { system: self, frames, deformed, wrenches, modal };
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let laws = self.by_markers.iter().map(|k| &self.forces[*k]);
        self.for_actions(laws, acting, &expressions.wrenches, |action| loads.add_wrenches(action.markers(), &action.wrench(&ctx)));
    }

    /// The constraints that are evaluated row by row.
    fn add_constraints(&self, x: &State, work: &mut Work) {
        let Work { frames, deformed, modal, markers, wrenches, phi, phi_dot, gradient, gradient_t, scratch, .. } = work;
        let mut loads = Loads { system: self, frames, deformed, wrenches, modal };
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        for constraint in self.by_rows[..self.by_rows.len() - self.flat.rods.len()].iter().map(|k| &self.constraints[*k]) {
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
                    loads.add(marker.index(), g, x.lambda[row]);
                }
                phi_dot[row] = rate;
                phi[row] = if element.level() == Level::Position { value.value } else { rate };
            }
        }
    }

    /// Remembers turns, curve parameters and touches of an accepted state.
    pub fn remember(&self, x: &mut State, work: &mut Work) {
        let touches = self.pair_forces.iter().any(|force| force.remembers());
        if x.memory.is_empty() && !touches {
            return;
        }
        self.flat.bodies.stand(&x.q, &x.v, work);
        self.place_markers(x, work);
        if touches {
            self.note_acting(x, work);
        }
        work.memory.copy_from(&x.memory);
        x.memory.renew(x.t);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &work.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        for constraint in &self.constraints {
            constraint.element.remember(&ctx, &mut x.memory);
        }
        for force in &self.forces {
            force.remember(&ctx, &mut x.memory);
        }
        let motion = Motion { markers: &work.markers, accelerations: &[], past: ctx.past() };
        for quantity in &self.angles {
            let (angle, rate) = quantity.angle_and_rate(&motion);
            x.memory.keep(quantity.slot, angle, rate);
        }
        for (force, acting) in self.pair_forces.iter().zip(&work.acting).filter(|(force, _)| force.remembers()) {
            force.remember(acting, &ctx, &mut x.memory);
        }
        x.memory.order_approaches();
    }

    /// Says which element's output is not finite at a finite state, in a sentence.
    pub fn find_non_finite(&self, x: &State, work: &mut Work) -> Option<String> {
        self.kinematics(&x.q, &x.v, work);
        self.note_acting(x, work);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        if let Some(name) = self.faulty_force(&ctx, work) {
            return Some(format!("force '{name}' gave a value that is not finite"));
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
}

/// What acts on the bodies, gathered marker by marker where the bodies stand.
pub(super) struct Loads<'a> {
    pub system: &'a System,
    pub frames: &'a [BodyFrame],
    pub deformed: &'a [Deformed],
    pub wrenches: &'a mut [Wrench],
    pub modal: &'a mut [f64],
}

impl Loads<'_> {
    /// Adds what a force exerts on its markers.
    #[inline]
    pub fn add_wrenches(&mut self, markers: [MarkerId; 2], wrenches: &[Vec6; 2]) {
        for (marker, w) in markers.into_iter().zip(wrenches) {
            self.add(marker.index(), w, -1.0);
        }
    }

    /// Adds scale · w, given at a marker, to what acts on its body.
    #[inline]
    pub fn add(&mut self, marker: usize, w: &Vec6, scale: f64) {
        if let Some((b, attached)) = self.system.attached(marker, self.frames, self.deformed) {
            let modal = if attached.at.is_fixed() { &mut [] } else { &mut self.modal[self.system.bodies[b].v()] };
            attached.add_load(w, scale, &mut self.wrenches[b], modal);
        }
    }
}
