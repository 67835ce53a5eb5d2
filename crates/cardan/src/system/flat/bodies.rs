//! Bodies in lists by kind, so that loops over them do not ask what kind they have. The order of q and v stays that of the model.

use crate::bodies::{Chart, Kind, Planar, Point, Rigid, Shape};
use crate::linear::Slot;
use crate::math::{Mat3, Vec3};
use crate::system::{CompiledBody, Weights};
use std::ops::Range;

/// How a body's frame stands and moves. Behind those of the bodies comes the ground's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::system) struct BodyFrame {
    /// Rotation, body to world.
    pub r: Mat3,
    /// Centre of mass.
    pub p: Vec3,
    /// Its velocity.
    pub v: Vec3,
    /// Angular velocity in the body frame.
    pub omega: Vec3,
    /// Angular velocity in the world frame.
    pub w: Vec3,
}

impl BodyFrame {
    pub fn ground() -> Self {
        Self { r: Mat3::identity(), p: Vec3::zeros(), v: Vec3::zeros(), omega: Vec3::zeros(), w: Vec3::zeros() }
    }
}

/// Force and torque at a centre of mass, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::system) struct Wrench {
    pub force: Vec3,
    pub torque: Vec3,
}

impl Wrench {
    pub fn zero() -> Self {
        Self { force: Vec3::zeros(), torque: Vec3::zeros() }
    }
}

/// A body and its places.
#[derive(Debug, Clone)]
struct Placed<K> {
    kind: K,
    body: usize,
    q: Range<usize>,
    v: Range<usize>,
}

/// All bodies by kind.
#[derive(Debug, Clone, Default)]
pub(in crate::system) struct Bodies {
    rigid: Vec<Placed<Rigid>>,
    planar: Vec<Placed<Planar>>,
    point: Vec<Placed<Point>>,
}

macro_rules! each_kind {
    ($bodies:ident, $function:ident($($argument:expr),*)) => {
        $function(&$bodies.rigid, $($argument),*);
        $function(&$bodies.planar, $($argument),*);
        $function(&$bodies.point, $($argument),*);
    };
}

impl Bodies {
    /// Adds the next body of the system.
    pub fn push(&mut self, body: usize, at: &CompiledBody) {
        let (q, v) = (at.q(), at.v());
        match at.shape.clone() {
            Shape::Rigid(kind) => self.rigid.push(Placed { kind, body, q, v }),
            Shape::Planar(kind) => self.planar.push(Placed { kind, body, q, v }),
            Shape::Point(kind) => self.point.push(Placed { kind, body, q, v }),
        }
    }

    /// q1 = q0 ⊕ δ.
    pub fn retract(&self, chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        each_kind!(self, retract(chart, q0, delta, q1));
    }

    /// out += scale · M a.
    pub fn add_mass_times(&self, a: &[f64], scale: f64, out: &mut [f64]) {
        each_kind!(self, add_mass_times(a, scale, out));
    }

    /// The frames of all bodies.
    pub fn place(&self, q: &[f64], v: &[f64], frames: &mut [BodyFrame]) {
        each_kind!(self, place(q, v, frames));
    }

    /// f of all bodies from what acts on them, gravity and gyroscopic forces added.
    pub fn balance(&self, v: &[f64], gravity: &Vec3, frames: &[BodyFrame], wrenches: &[Wrench], f: &mut [f64]) {
        each_kind!(self, balance(v, gravity, frames, wrenches, f));
    }

    /// What acts on the bodies, projected on their velocities.
    pub fn project(&self, frames: &[BodyFrame], wrenches: &[Wrench], f: &mut [f64]) {
        each_kind!(self, project(frames, wrenches, f));
    }

    /// T of the bodies that turn in space.
    pub fn turn(&self, increment: Option<(Chart, &[f64])>, turns: &mut [Mat3]) {
        for b in &self.rigid {
            turns[b.body] = increment.and_then(|(chart, d)| b.kind.retract_tangent(chart, &d[b.v.clone()])).unwrap_or_else(Mat3::identity);
        }
    }

    /// Adds m M + c_v C + c_q K T to the blocks of the bodies, K between rotations only.
    pub fn add_blocks(&self, v: &[f64], w: &Weights, turning: &[Mat3], turns: &[Mat3], slots: &[Slot], values: &mut [f64]) {
        each_kind!(self, add_blocks(v, w, turning, turns, slots, values));
    }
}

fn retract<K: Kind>(list: &[Placed<K>], chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
    for b in list {
        b.kind.retract(chart, &q0[b.q.clone()], &delta[b.v.clone()], &mut q1[b.q.clone()]);
    }
}

fn add_mass_times<K: Kind>(list: &[Placed<K>], a: &[f64], scale: f64, out: &mut [f64]) {
    for b in list {
        b.kind.add_mass_times(&a[b.v.clone()], scale, &mut out[b.v.clone()]);
    }
}

fn place<K: Kind>(list: &[Placed<K>], q: &[f64], v: &[f64], frames: &mut [BodyFrame]) {
    for b in list {
        let ((r, p), (v, omega)) = (b.kind.frame(&q[b.q.clone()]), b.kind.twist(&v[b.v.clone()]));
        frames[b.body] = BodyFrame { r, p, v, omega, w: r * omega };
    }
}

fn balance<K: Kind>(list: &[Placed<K>], v: &[f64], gravity: &Vec3, frames: &[BodyFrame], wrenches: &[Wrench], f: &mut [f64]) {
    for b in list {
        let (Wrench { force, torque }, f) = (&wrenches[b.body], &mut f[b.v.clone()]);
        b.kind.project(&frames[b.body].r, &(force - gravity * b.kind.mass()), torque, f);
        b.kind.add_gyroscopic(&v[b.v.clone()], 1.0, f);
    }
}

fn project<K: Kind>(list: &[Placed<K>], frames: &[BodyFrame], wrenches: &[Wrench], f: &mut [f64]) {
    for b in list {
        let Wrench { force, torque } = &wrenches[b.body];
        b.kind.project(&frames[b.body].r, force, torque, &mut f[b.v.clone()]);
    }
}

fn add_blocks<K: Kind>(list: &[Placed<K>], v: &[f64], w: &Weights, turning: &[Mat3], turns: &[Mat3], slots: &[Slot], values: &mut [f64]) {
    for b in list {
        let block = &mut values[slots[b.body].0..][..b.v.len() * b.v.len()];
        b.kind.add_mass(w.mass, block);
        if w.velocity != 0.0 {
            b.kind.add_gyroscopic_tangent(&v[b.v.clone()], w.velocity, block);
        }
        if w.position != 0.0 {
            b.kind.add_turning(&(turning[b.body] * turns[b.body]), w.position, block);
        }
    }
}
