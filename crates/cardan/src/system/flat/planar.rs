//! Joints between planar bodies, or a planar body and the ground, in planar arithmetic. With x × y = x₁ y₂ − x₂ y₁ and x⟂ = (−x₂, x₁),
//! turning body i by θ changes s_i by s_i⟂ θ, and with equations 1 and 2 of the room, P = F + A and w = s_j + d:
//!
//! ```text
//! rows of G      points  (e_k, s_i⟂·e_k), (−e_k, −s_j⟂·e_k)                                              (1)
//!                alongs  (b, s_i × b),    (−b, −w × b)
//!                dots    (0, a × b),      (0, −a × b)
//! K, rotations   ii  −s_i·P − Σ λ a·b     jj  s_j·F − w·A − Σ λ a·b      ij, ji  s_i·A + Σ λ a·b         (2)
//! K_ij  displacements of i, rotation of j  A⟂,      K_ji  rotation of j, displacements of i  A⟂ᵀ
//! K_jj  displacements, rotation  −A⟂,               K_jj  rotation, displacements  −A⟂ᵀ
//! Φ̈              points  c = −ω_i² s_i + ω_j² s_j,   alongs  b·c + 2 ω_j b⟂·ḋ − ω_j² b·d,   dots  −(ω_i − ω_j)² a·b    (3)
//! ```

use super::{Flat, JointSlots, Place, Points, Write};
use crate::bodies::BodyFrame;
use crate::linear::Slot;
use crate::system::{Weights, Work};
use nalgebra::Vector2;

type Vec2 = Vector2<f64>;

/// A row b·d of a planar joint, b in the axes of body j; what lies out of the plane is in the target.
#[derive(Debug, Clone)]
pub(in crate::system) struct PlanarAlong {
    pub b: Vec2,
    pub target: f64,
}

/// A row a·b of a planar joint, in the axes of body i and of body j.
#[derive(Debug, Clone)]
pub(in crate::system) struct PlanarDot {
    pub a: Vec2,
    pub b: Vec2,
    pub target: f64,
}

/// A joint in the plane.
#[derive(Debug, Clone)]
pub(in crate::system) struct PlanarJoint {
    pub at: Place,
    /// s_i and s_j in body axes.
    pub arms: [Vec2; 2],
}

/// What the rows of a joint are made of.
struct Gap {
    arms: [Vec2; 2],
    d: Vec2,
    rate: Vec2,
}

/// A row of G on both bodies: the linear part on i, and both angular parts.
struct Row {
    linear: Vec2,
    angular: [f64; 2],
}

impl PlanarJoint {
    #[inline]
    fn gap(&self, i: &BodyFrame, j: &BodyFrame) -> Gap {
        let (s_i, s_j) = (turned(i, &self.arms[0]), turned(j, &self.arms[1]));
        let rate = (i.v.xy() + across(&s_i) * i.w.z) - (j.v.xy() + across(&s_j) * j.w.z);
        Gap { arms: [s_i, s_j], d: (i.p.xy() + s_i) - (j.p.xy() + s_j), rate }
    }

    /// Φ, Φ̇ and the wrenches on both bodies.
    #[inline]
    pub fn evaluate(&self, flat: &Flat, lambda: &[f64], work: &mut Work) {
        let Place { bodies: [i, j], mut row, .. } = self.at;
        let (body_i, body_j) = (&work.frames[i], &work.frames[j]);
        let Gap { arms: [s_i, s_j], d, rate } = self.gap(body_i, body_j);
        let (mut force, mut sliding, mut couple) = (Vec2::zeros(), Vec2::zeros(), 0.0);
        if self.at.points == Points::Coincide {
            force = Vec2::new(lambda[row], lambda[row + 1]);
            work.phi[row..row + 2].copy_from_slice(d.as_slice());
            work.phi_dot[row..row + 2].copy_from_slice(rate.as_slice());
            row += 2;
        }
        for along in &flat.planar_alongs[self.at.alongs.clone()] {
            let b = turned(body_j, &along.b);
            work.phi[row] = b.dot(&d) - along.target;
            work.phi_dot[row] = b.dot(&rate) + body_j.w.z * across(&b).dot(&d);
            sliding += b * lambda[row];
            row += 1;
        }
        for dot in &flat.planar_dots[self.at.dots.clone()] {
            let (a, b) = (turned(body_i, &dot.a), turned(body_j, &dot.b));
            work.phi[row] = a.dot(&b) - dot.target;
            work.phi_dot[row] = a.perp(&b) * (body_i.w.z - body_j.w.z);
            couple += a.perp(&b) * lambda[row];
            row += 1;
        }
        force += sliding;
        let (on_i, on_j) = (s_i.perp(&force) + couple, s_j.perp(&force) + d.perp(&sliding) + couple);
        for (body, sign, torque) in [(i, 1.0, on_i), (j, -1.0, on_j)] {
            let wrench = &mut work.wrenches[body];
            wrench.force.x += sign * force.x;
            wrench.force.y += sign * force.y;
            wrench.torque.z += sign * torque;
        }
    }

    /// Φ̈ without accelerations (3).
    pub fn bias(&self, flat: &Flat, frames: &[BodyFrame], bias: &mut [f64]) {
        let Place { bodies: [i, j], mut row, .. } = self.at;
        let (i, j) = (&frames[i], &frames[j]);
        let Gap { arms: [s_i, s_j], d, rate } = self.gap(i, j);
        let (w_i, w_j) = (i.w.z, j.w.z);
        let c = s_j * (w_j * w_j) - s_i * (w_i * w_i);
        if self.at.points == Points::Coincide {
            bias[row..row + 2].copy_from_slice(c.as_slice());
            row += 2;
        }
        for along in &flat.planar_alongs[self.at.alongs.clone()] {
            let b = turned(j, &along.b);
            bias[row] = b.dot(&c) + 2.0 * w_j * across(&b).dot(&rate) - w_j * w_j * b.dot(&d);
            row += 1;
        }
        for dot in &flat.planar_dots[self.at.dots.clone()] {
            bias[row] = -(w_i - w_j).powi(2) * turned(i, &dot.a).dot(&turned(j, &dot.b));
            row += 1;
        }
    }

    /// Writes the joint's blocks; its share in the rotation of each body is added to `work.turning`.
    #[inline]
    pub fn write_blocks(
        &self,
        flat: &Flat,
        slots: &JointSlots,
        lambda: &[f64],
        w: &Weights,
        work: &mut Work,
        body_slots: &[Slot],
        values: &mut [f64],
    ) {
        let Place { bodies: [i, j], row: first, rows: n, .. } = self.at;
        let (body_i, body_j) = (&work.frames[i], &work.frames[j]);
        let Gap { arms: [s_i, s_j], d, .. } = self.gap(body_i, body_j);
        let (mut force, mut sliding, mut dots) = (Vec2::zeros(), Vec2::zeros(), 0.0);
        let (arm, mut row) = (s_j + d, 0);
        if self.at.points == Points::Coincide {
            force = Vec2::new(lambda[first], lambda[first + 1]);
            Row { linear: Vec2::x(), angular: [-s_i.y, s_j.y] }.write(0, n, slots, values);
            Row { linear: Vec2::y(), angular: [s_i.x, -s_j.x] }.write(1, n, slots, values);
            row = 2;
        }
        for along in &flat.planar_alongs[self.at.alongs.clone()] {
            let b = turned(body_j, &along.b);
            sliding += b * lambda[first + row];
            Row { linear: b, angular: [s_i.perp(&b), -arm.perp(&b)] }.write(row, n, slots, values);
            row += 1;
        }
        for dot in &flat.planar_dots[self.at.dots.clone()] {
            let (a, b) = (turned(body_i, &dot.a), turned(body_j, &dot.b));
            dots += a.dot(&b) * lambda[first + row];
            Row { linear: Vec2::zeros(), angular: [a.perp(&b), -a.perp(&b)] }.write(row, n, slots, values);
            row += 1;
        }
        self.at.write_diagonal(slots.diagonal, w.regularization, values);
        work.turning[i][(2, 2)] -= s_i.dot(&(force + sliding)) + dots;
        work.turning[j][(2, 2)] += s_j.dot(&force) - arm.dot(&sliding) - dots;
        self.write_couplings(slots, &sliding, s_i.dot(&sliding) + dots, w.position, body_slots.get(j), values);
    }

    /// K_ij, K_ji and the rest of K_jj (2), times c_q.
    fn write_couplings(&self, slots: &JointSlots, sliding: &Vec2, x: f64, c_q: f64, body_j: Option<&Slot>, values: &mut [f64]) {
        let y = across(sliding) * c_q;
        if let Some([ij, ji]) = slots.coupling {
            let add = |value: &mut f64, x: f64| *value = if slots.write == Write::Assign { x } else { *value + x };
            add(&mut values[ij.start + 6], y.x);
            add(&mut values[ij.start + 7], y.y);
            add(&mut values[ij.start + 8], x * c_q);
            add(&mut values[ji.start + 2], y.x);
            add(&mut values[ji.start + 5], y.y);
            add(&mut values[ji.start + 8], x * c_q);
        }
        let Some(jj) = body_j.filter(|_| !self.at.alongs.is_empty()) else { return };
        for (place, y) in [(6, y.x), (7, y.y), (2, y.x), (5, y.y)] {
            values[jj.start + place] -= y;
        }
    }
}

impl Row {
    /// Writes the row into the blocks (body, joint) and (joint, body); the joint has n rows.
    #[inline]
    fn write(&self, row: usize, n: usize, slots: &JointSlots, values: &mut [f64]) {
        for side in 0..2 {
            let (Some(columns), Some(rows)) = (slots.columns[side], slots.rows[side]) else { continue };
            let linear = if side == 0 { self.linear } else { -self.linear };
            let three = [linear.x, linear.y, self.angular[side]];
            values[columns.start + 3 * row..][..3].copy_from_slice(&three);
            let block = &mut values[rows.start..][..3 * n];
            for c in 0..3 {
                block[c * n + row] = three[c];
            }
        }
    }
}

/// A direction of the body in the world.
#[inline]
fn turned(body: &BodyFrame, x: &Vec2) -> Vec2 {
    let (c, s) = (body.r[(0, 0)], body.r[(1, 0)]);
    Vec2::new(c * x.x - s * x.y, s * x.x + c * x.y)
}

/// x⟂.
#[inline]
fn across(x: &Vec2) -> Vec2 {
    Vec2::new(-x.y, x.x)
}
