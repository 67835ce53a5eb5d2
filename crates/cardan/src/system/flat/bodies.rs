//! Bodies in lists by kind, so that loops over them do not ask what kind they have. The order of q and v stays that of the model.

use super::flexible::PlacedFlexible;
use crate::bodies::{BodyFrame, BodyMotion, Chart, Kind, Planar, Point, Rigid, Shape, Wrench};
use crate::linear::Slot;
use crate::math::{Mat3, Vec3};
use crate::system::{CompiledBody, Placement, State, Work};
use std::ops::Range;

/// Weights of the bodies' own blocks.
#[derive(Debug, Clone, Copy)]
pub(in crate::system) struct BodyWeights {
    /// Factor of M.
    pub mass: f64,
    /// c_q and c_v of inertia: M a, weight and quadratic velocity forces.
    pub inertia: [f64; 2],
    /// c_q and c_v of elastic forces.
    pub elastic: [f64; 2],
    /// c_q of what flat joints turn.
    pub turning: f64,
    /// g.
    pub gravity: Vec3,
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
    flexible: Vec<PlacedFlexible>,
}

/// Does something with every body, kind by kind.
macro_rules! each_kind {
    ($bodies:ident, $body:ident => $action:expr) => {
        $bodies.rigid.iter().for_each(|$body| $action);
        $bodies.planar.iter().for_each(|$body| $action);
        $bodies.points.iter().for_each(|$body| $action);
        $bodies.points_2d.iter().for_each(|$body| $action);
        $bodies.flexible.iter().for_each(|$body| $action);
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
            Shape::Flexible(kind) => self.flexible.push(PlacedFlexible::new(kind, body, at)),
        }
    }

    /// q1 = q0 ⊕ δ.
    pub fn retract(&self, chart: Chart, q0: &[f64], delta: &[f64], q1: &mut [f64]) {
        each_kind!(self, b => b.kind.retract(chart, &q0[b.q()], &delta[b.v()], &mut q1[b.q()]));
    }

    /// out += scale · M a.
    pub fn add_mass_times(&self, q: &[f64], a: &[f64], scale: f64, out: &mut [f64]) {
        each_kind!(self, b => b.kind.add_mass_times(&q[b.q()], &a[b.v()], scale, &mut out[b.v()]));
    }

    /// out += scale · quadratic velocity forces.
    pub fn add_quadratic_forces(&self, q: &[f64], v: &[f64], scale: f64, out: &mut [f64]) {
        each_kind!(self, b => b.kind.add_quadratic_forces(&q[b.q()], &v[b.v()], scale, &mut out[b.v()]));
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

    /// f from what acts on the bodies; gravity, quadratic velocity forces and elastic forces added.
    pub fn balance(&self, x: &State, gravity: &Vec3, work: &mut Work) {
        each_kind!(self, b => b.balance(x, gravity, work));
    }

    /// f as well, and rhs = −(M a + f); gives the sum of its entries.
    pub fn residual(&self, x: &State, gravity: &Vec3, work: &mut Work, rhs: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        each_kind!(self, b => sum += b.residual(x, gravity, work, &mut rhs[b.v()]));
        sum
    }

    /// What acts on the bodies, projected on their velocities.
    pub fn project(&self, frames: &[BodyFrame], wrenches: &[Wrench], modal: &[f64], f: &mut [f64]) {
        each_kind!(self, b => b.kind.project(&frames[b.body].r, &wrenches[b.body], &modal[b.v()], &mut f[b.v()]));
    }

    /// T of the bodies that turn in space; what turns them starts from zero.
    pub fn turn(&self, placed: Option<Placement>, work: &mut Work) {
        work.turning.fill(Mat3::zeros());
        for b in &self.rigid {
            work.turns[b.body] = placed.and_then(|to| b.turn(&to)).unwrap_or_else(Mat3::identity);
        }
        for b in &self.flexible {
            work.turns[b.body] = placed.and_then(|to| b.turn(&to)).unwrap_or_else(Mat3::identity);
        }
    }

    /// Adds the bodies' own blocks, m M + c_v C + c_q K T with what flat joints turn; inertia and elasticity have weights (c_q, c_v) of their own.
    pub fn add_blocks(&self, x: &State, w: &BodyWeights, work: &Work, slots: &[Slot], values: &mut [f64]) {
        each_kind!(self, b => b.add_block(x, w, work, &mut values[slots[b.body].range()]));
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
        work.frames[self.body] = BodyFrame::of(&self.kind, &q[self.q()], &v[self.v()]);
        work.wrenches[self.body] = Wrench::zero();
    }

    /// f.
    #[inline(always)]
    fn load(&self, x: &State, gravity: &Vec3, work: &Work) -> [f64; NV] {
        let (Wrench { force, torque }, mut f) = (&work.wrenches[self.body], [0.0; NV]);
        let wrench = Wrench { force: force - gravity * self.kind.mass(), torque: *torque };
        self.kind.project(&work.frames[self.body].r, &wrench, &[], &mut f);
        self.kind.add_quadratic_forces(&x.q[self.q()], &x.v[self.v()], 1.0, &mut f);
        f
    }

    #[inline(always)]
    fn balance(&self, x: &State, gravity: &Vec3, work: &mut Work) {
        let f = self.load(x, gravity, work);
        work.f[self.v()].copy_from_slice(&f);
    }

    /// f, and rhs = −(M a + f); gives the sum of its entries.
    #[inline(always)]
    fn residual(&self, x: &State, gravity: &Vec3, work: &mut Work, rhs: &mut [f64]) -> f64 {
        let (a, f) = (&x.a[self.v()], self.load(x, gravity, work));
        work.f[self.v()].copy_from_slice(&f);
        (0..NV).for_each(|k| rhs[k] = -f[k]);
        self.kind.add_mass_times(&x.q[self.q()], a, -1.0, rhs);
        rhs.iter().sum()
    }

    fn add_block(&self, x: &State, w: &BodyWeights, work: &Work, block: &mut [f64]) {
        let (block, turn) = (&mut block[..NV * NV], &work.turns[self.body]);
        self.kind.add_mass(&x.q[self.q()], w.mass, block);
        if w.inertia != [0.0; 2] {
            let at = BodyMotion { q: &x.q[self.q()], v: &x.v[self.v()], a: &x.a[self.v()], gravity: w.gravity };
            self.kind.add_inertia_tangent(&at, w.inertia, turn, block);
        }
        if w.turning != 0.0 {
            self.kind.add_turning(&(work.turning[self.body] * turn), w.turning, block);
        }
    }

    fn weigh(&self, q: &[f64], weights: &mut [f64]) {
        let mut sizes = [0.0; NV];
        self.kind.magnitudes(q, &mut sizes);
        lower(weights, sizes);
    }
}

/// Keeps the smaller of weights and inverse sizes.
pub(super) fn lower(weights: &mut [f64], sizes: impl IntoIterator<Item = f64>) {
    for (w, size) in weights.iter_mut().zip(sizes) {
        if *w * size > 1.0 {
            *w = 1.0 / size;
        }
    }
}
