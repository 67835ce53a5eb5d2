//! Bodies in lists by kind, so that loops over them do not ask what kind they have. The order of q and v stays that of the model.

use crate::bodies::{Chart, Kind, Planar, Point, Rigid, Shape};
use crate::linear::Slot;
use crate::math::{Mat3, Vec3};
use crate::system::{CompiledBody, Placement, State, Weights, Work};
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

/// A body with NQ coordinates and NV velocities, and the first of each.
#[derive(Debug, Clone)]
struct Placed<K, const NQ: usize, const NV: usize> {
    kind: K,
    body: usize,
    q0: usize,
    v0: usize,
}

/// All bodies by kind.
#[derive(Debug, Clone, Default)]
pub(in crate::system) struct Bodies {
    rigid: Vec<Placed<Rigid, 7, 6>>,
    planar: Vec<Placed<Planar, 3, 3>>,
    points: Vec<Placed<Point, 3, 3>>,
    points_2d: Vec<Placed<Point, 2, 2>>,
}

/// Does something with every body, kind by kind.
macro_rules! each_kind {
    ($bodies:ident, $body:ident => $action:expr) => {
        $bodies.rigid.iter().for_each(|$body| $action);
        $bodies.planar.iter().for_each(|$body| $action);
        $bodies.points.iter().for_each(|$body| $action);
        $bodies.points_2d.iter().for_each(|$body| $action);
    };
}

impl Bodies {
    /// Adds the next body of the system.
    pub fn push(&mut self, body: usize, at: &CompiledBody) {
        let (q0, v0) = (at.q0, at.v0);
        match at.shape.clone() {
            Shape::Rigid(kind) => self.rigid.push(Placed { kind, body, q0, v0 }),
            Shape::Planar(kind) => self.planar.push(Placed { kind, body, q0, v0 }),
            Shape::Point(kind) if kind.dimensions == 3 => self.points.push(Placed { kind, body, q0, v0 }),
            Shape::Point(kind) => self.points_2d.push(Placed { kind, body, q0, v0 }),
        }
    }

    /// q1 = q0 ⊕ δ.
    pub fn retract(&self, chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        each_kind!(self, b => b.kind.retract(chart, &q0[b.q()], &delta[b.v()], &mut q1[b.q()]));
    }

    /// out += scale · M a.
    pub fn add_mass_times(&self, a: &[f64], scale: f64, out: &mut [f64]) {
        each_kind!(self, b => b.kind.add_mass_times(&a[b.v()], scale, &mut out[b.v()]));
    }

    /// out += scale · gyroscopic force.
    pub fn add_gyroscopic(&self, v: &[f64], scale: f64, out: &mut [f64]) {
        each_kind!(self, b => b.kind.add_gyroscopic(&v[b.v()], scale, &mut out[b.v()]));
    }

    /// The frames of the bodies, on which nothing acts yet.
    pub fn stand(&self, q: &[f64], v: &[f64], work: &mut Work) {
        each_kind!(self, b => b.stand(q, v, work));
    }

    /// q, v, a of all bodies.
    pub fn place(&self, to: &Placement, x: &mut State) {
        each_kind!(self, b => b.place(to, x));
    }

    /// q, v, a of all bodies, and the frames there.
    pub fn place_and_stand(&self, to: &Placement, x: &mut State, work: &mut Work) {
        each_kind!(self, b => {
            b.place(to, x);
            b.stand(&x.q, &x.v, work);
        });
    }

    /// f from what acts on the bodies, gravity and gyroscopic forces added.
    pub fn balance(&self, v: &[f64], gravity: &Vec3, work: &mut Work) {
        each_kind!(self, b => {
            let f = b.load(v, gravity, work);
            work.f[b.v()].copy_from_slice(&f);
        });
    }

    /// rhs = −(M a + f); gives the sum of its entries.
    pub fn miss(&self, x: &State, gravity: &Vec3, work: &Work, rhs: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        each_kind!(self, b => sum += b.miss(&x.a, &b.load(&x.v, gravity, work), rhs));
        sum
    }

    /// What acts on the bodies, projected on their velocities.
    pub fn project(&self, frames: &[BodyFrame], wrenches: &[Wrench], f: &mut [f64]) {
        each_kind!(self, b => {
            let Wrench { force, torque } = &wrenches[b.body];
            b.kind.project(&frames[b.body].r, force, torque, &mut f[b.v()]);
        });
    }

    /// T of the bodies that turn in space; what turns them starts from zero.
    pub fn turn(&self, placed: Option<Placement>, work: &mut Work) {
        work.turning.fill(Mat3::zeros());
        for b in &self.rigid {
            work.turns[b.body] = placed.and_then(|to| b.turn(&to)).unwrap_or_else(Mat3::identity);
        }
    }

    /// Adds m M + c_v C + c_q K T to the blocks of the bodies, K between rotations only.
    pub fn add_blocks(&self, v: &[f64], w: &Weights, work: &Work, slots: &[Slot], values: &mut [f64]) {
        each_kind!(self, b => b.add_block(v, w, &work.turning[b.body], &work.turns[b.body], &mut values[slots[b.body].0..]));
    }

    /// 1/Y_i with Y_i = max(1, largest |q_i| so far), of all velocities.
    pub fn weigh(&self, q: &[f64], weights: &mut [f64]) {
        each_kind!(self, b => b.weigh(&q[b.q()], &mut weights[b.v()]));
    }
}

impl<K: Kind, const NQ: usize, const NV: usize> Placed<K, NQ, NV> {
    #[inline(always)]
    fn q(&self) -> Range<usize> {
        self.q0..self.q0 + NQ
    }

    #[inline(always)]
    fn v(&self) -> Range<usize> {
        self.v0..self.v0 + NV
    }

    #[inline(always)]
    fn place(&self, to: &Placement, x: &mut State) {
        to.rates(self.v(), &mut x.v, &mut x.a);
        self.kind.retract(to.chart, &to.q[self.q()], &to.increment::<NV>(self.v()), &mut x.q[self.q()]);
    }

    /// T.
    fn turn(&self, to: &Placement) -> Option<Mat3> {
        self.kind.retract_tangent(to.chart, &to.increment::<NV>(self.v()))
    }

    #[inline(always)]
    fn stand(&self, q: &[f64], v: &[f64], work: &mut Work) {
        let ((r, p), (v, omega)) = (self.kind.frame(&q[self.q()]), self.kind.twist(&v[self.v()]));
        work.frames[self.body] = BodyFrame { r, p, v, omega, w: r * omega };
        work.wrenches[self.body] = Wrench::zero();
    }

    /// f.
    #[inline(always)]
    fn load(&self, v: &[f64], gravity: &Vec3, work: &Work) -> [f64; NV] {
        let (Wrench { force, torque }, mut f) = (&work.wrenches[self.body], [0.0; NV]);
        self.kind.project(&work.frames[self.body].r, &(force - gravity * self.kind.mass()), torque, &mut f);
        self.kind.add_gyroscopic(&v[self.v()], 1.0, &mut f);
        f
    }

    /// rhs = −(M a + f); gives the sum of its entries.
    #[inline(always)]
    fn miss(&self, a: &[f64], f: &[f64; NV], rhs: &mut [f64]) -> f64 {
        let (a, rhs) = (&a[self.v()], &mut rhs[self.v()]);
        (0..NV).for_each(|k| rhs[k] = -f[k]);
        self.kind.add_mass_times(a, -1.0, rhs);
        rhs.iter().sum()
    }

    fn add_block(&self, v: &[f64], w: &Weights, turning: &Mat3, turn: &Mat3, block: &mut [f64]) {
        let block = &mut block[..NV * NV];
        self.kind.add_mass(w.mass, block);
        if w.velocity != 0.0 {
            self.kind.add_gyroscopic_tangent(&v[self.v()], w.velocity, block);
        }
        if w.position != 0.0 {
            self.kind.add_turning(&(turning * turn), w.position, block);
        }
    }

    fn weigh(&self, q: &[f64], weights: &mut [f64]) {
        let mut sizes = [0.0; NV];
        self.kind.magnitudes(q, &mut sizes);
        for (w, size) in weights.iter_mut().zip(&sizes) {
            if *w * size > 1.0 {
                *w = 1.0 / size;
            }
        }
    }
}
