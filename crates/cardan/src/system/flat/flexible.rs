//! Flexible bodies, whose number of velocities is known when a model is compiled: the operations of `bodies` without arrays of fixed size.

use super::bodies::{BodyWeights, lower};
use crate::bodies::{BodyFrame, BodyMotion, Flexible, Kind, Wrench};
use crate::math::{Mat3, Vec3};
use crate::system::{CompiledBody, Placement, State, Work};
use std::ops::Range;

/// A flexible body, and where its coordinates and velocities are.
#[derive(Debug, Clone)]
pub(super) struct PlacedFlexible {
    pub kind: Flexible,
    pub body: usize,
    q: Range<usize>,
    v: Range<usize>,
}

impl PlacedFlexible {
    pub fn new(kind: Flexible, body: usize, at: &CompiledBody) -> Self {
        Self { kind, body, q: at.q(), v: at.v() }
    }

    pub fn q(&self) -> Range<usize> {
        self.q.clone()
    }

    pub fn v(&self) -> Range<usize> {
        self.v.clone()
    }

    /// The velocities of the frame.
    fn frame(&self) -> Range<usize> {
        self.v.start..self.v.start + 6
    }

    /// q, v, a; the frame first, then the elastic coordinates.
    pub fn place(&self, to: &Placement, x: &mut State) {
        to.rates(self.v(), &mut x.v, &mut x.a);
        let (q, frame) = (self.q(), self.frame());
        self.kind.retract_frame(to.chart, &to.q[q.clone()], &to.increment::<6>(frame.clone()), &mut x.q[q.clone()]);
        for (k, v) in (q.start + 7..q.end).zip(frame.end..) {
            x.q[k] = to.q[k] + to.increment::<1>(v..v + 1)[0];
        }
    }

    /// T.
    pub fn turn(&self, to: &Placement) -> Option<Mat3> {
        self.kind.retract_tangent(to.chart, &to.increment::<6>(self.frame()))
    }

    pub fn stand(&self, q: &[f64], v: &[f64], work: &mut Work) {
        work.frames[self.body] = BodyFrame::of(&self.kind, &q[self.q()], &v[self.v()]);
        work.wrenches[self.body] = Wrench::zero();
        work.modal[self.v()].fill(0.0);
    }

    /// out = f.
    fn load(&self, x: &State, gravity: &Vec3, frames: &[BodyFrame], (wrench, modal): (&Wrench, &[f64]), out: &mut [f64]) {
        let (q, v) = (&x.q[self.q()], &x.v[self.v()]);
        self.kind.project(&frames[self.body].r, wrench, modal, out);
        self.kind.add_weight(q, gravity, -1.0, out);
        self.kind.add_quadratic_forces(q, v, 1.0, out);
        self.kind.add_elastic_forces(q, v, 1.0, out);
    }

    pub fn balance(&self, x: &State, gravity: &Vec3, work: &mut Work) {
        let Work { frames, wrenches, modal, f, .. } = work;
        self.load(x, gravity, frames, (&wrenches[self.body], &modal[self.v()]), &mut f[self.v()]);
    }

    /// f, and rhs = −(M a + f); gives the sum of its entries.
    pub fn residual(&self, x: &State, gravity: &Vec3, work: &mut Work, rhs: &mut [f64]) -> f64 {
        self.balance(x, gravity, work);
        rhs.iter_mut().zip(&work.f[self.v()]).for_each(|(r, f)| *r = -f);
        self.kind.add_mass_times(&x.q[self.q()], &x.a[self.v()], -1.0, rhs);
        rhs.iter().sum()
    }

    pub fn add_block(&self, x: &State, w: &BodyWeights, work: &Work, block: &mut [f64]) {
        let (q, v) = (&x.q[self.q()], &x.v[self.v()]);
        let (block, turn) = (&mut block[..v.len() * v.len()], &work.turns[self.body]);
        self.kind.add_mass(q, w.mass, block);
        if w.inertia != [0.0; 2] {
            self.kind.add_inertia_tangent(&BodyMotion { q, v, a: &x.a[self.v()], gravity: w.gravity }, w.inertia, turn, block);
        }
        if w.elastic != [0.0; 2] {
            self.kind.add_elastic_tangent(q, v, w.elastic, block);
        }
    }

    pub fn weigh(&self, q: &[f64], weights: &mut [f64]) {
        lower(weights, self.kind.sizes(q));
    }
}
