//! Joints between rigid bodies, or a rigid body and the ground: residual and acceleration terms (equations 1 and 2 of the room).
//!
//! ```text
//! points     Φ̇ = ḋ                            Φ̈ = c,        c = ω_i × (ω_i × s_i) − ω_j × (ω_j × s_j)     (1)
//! alongs     Φ̇ = b·ḋ + (ω_j × b)·d            Φ̈ = b·c + 2 (ω_j × b)·ḋ + (ω_j × (ω_j × b))·d
//! dots       Φ̇ = (a × b)·(ω_i − ω_j)          Φ̈ = ä·b + 2 ȧ·ḃ + a·b̈,   ȧ = ω_i × a, …
//! ```
//!
//! Φ̈ being without what accelerations give.

use super::{Flat, Place, Points};
use crate::bodies::BodyFrame;
use crate::math::Vec3;
use crate::system::Work;

/// A row b·d of a spatial joint, b in the axes of body j.
#[derive(Debug, Clone)]
pub(in crate::system) struct Along {
    pub b: Vec3,
    pub target: f64,
}

/// A row a·b of a spatial joint, in the axes of body i and of body j.
#[derive(Debug, Clone)]
pub(in crate::system) struct Dot {
    pub a: Vec3,
    pub b: Vec3,
    pub target: f64,
}

/// A joint in space.
#[derive(Debug, Clone)]
pub(in crate::system) struct SpatialJoint {
    pub at: Place,
    /// s_i and s_j in body axes.
    pub arms: [Vec3; 2],
}

/// What the rows of a joint are made of.
struct Gap {
    arms: [Vec3; 2],
    d: Vec3,
    rate: Vec3,
}

impl SpatialJoint {
    #[inline]
    fn gap(&self, i: &BodyFrame, j: &BodyFrame) -> Gap {
        let (s_i, s_j) = (i.r * self.arms[0], j.r * self.arms[1]);
        let rate = (i.v + i.w.cross(&s_i)) - (j.v + j.w.cross(&s_j));
        Gap { arms: [s_i, s_j], d: (i.p + s_i) - (j.p + s_j), rate }
    }

    /// Φ, Φ̇ and the wrenches on both bodies.
    #[inline]
    pub fn evaluate(&self, flat: &Flat, lambda: &[f64], work: &mut Work) {
        let Place { bodies: [i, j], mut row, .. } = self.at;
        let (body_i, body_j) = (&work.frames[i], &work.frames[j]);
        let Gap { arms: [s_i, s_j], d, rate } = self.gap(body_i, body_j);
        let (mut force, mut sliding, mut couple) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
        if self.at.points == Points::Coincide {
            force = vector(&lambda[row..]);
            work.phi[row..row + 3].copy_from_slice(d.as_slice());
            work.phi_dot[row..row + 3].copy_from_slice(rate.as_slice());
            row += 3;
        }
        for along in &flat.alongs[self.at.alongs.clone()] {
            let b = body_j.r * along.b;
            work.phi[row] = b.dot(&d) - along.target;
            work.phi_dot[row] = b.dot(&rate) + body_j.w.cross(&b).dot(&d);
            sliding += b * lambda[row];
            row += 1;
        }
        for dot in &flat.dots[self.at.dots.clone()] {
            let (a, b) = (body_i.r * dot.a, body_j.r * dot.b);
            let n = a.cross(&b);
            work.phi[row] = a.dot(&b) - dot.target;
            work.phi_dot[row] = n.dot(&(body_i.w - body_j.w));
            couple += n * lambda[row];
            row += 1;
        }
        force += sliding;
        work.wrenches[i].force += force;
        work.wrenches[i].torque += s_i.cross(&force) + couple;
        work.wrenches[j].force -= force;
        work.wrenches[j].torque -= s_j.cross(&force) + d.cross(&sliding) + couple;
    }

    /// Φ̈ without accelerations (1).
    pub fn bias(&self, flat: &Flat, frames: &[BodyFrame], bias: &mut [f64]) {
        let Place { bodies: [i, j], mut row, .. } = self.at;
        let (i, j) = (&frames[i], &frames[j]);
        let Gap { arms: [s_i, s_j], d, rate } = self.gap(i, j);
        let twice = |w: &Vec3, x: &Vec3| w.cross(&w.cross(x));
        let c = twice(&i.w, &s_i) - twice(&j.w, &s_j);
        if self.at.points == Points::Coincide {
            bias[row..row + 3].copy_from_slice(c.as_slice());
            row += 3;
        }
        for along in &flat.alongs[self.at.alongs.clone()] {
            let b = j.r * along.b;
            bias[row] = b.dot(&c) + 2.0 * j.w.cross(&b).dot(&rate) + twice(&j.w, &b).dot(&d);
            row += 1;
        }
        for dot in &flat.dots[self.at.dots.clone()] {
            let (a, b) = (i.r * dot.a, j.r * dot.b);
            bias[row] = twice(&i.w, &a).dot(&b) + 2.0 * i.w.cross(&a).dot(&j.w.cross(&b)) + a.dot(&twice(&j.w, &b));
            row += 1;
        }
    }
}

#[inline]
pub(super) fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}
