//! The past of a backward differentiation formula: the last values of q, v and x, newest first, with Lagrange's formulas for the
//! polynomial through them. Attitudes are treated as plain quaternions: polynomials of them leave the unit sphere by no more than
//! the formula's error.

use super::Change;
use crate::bodies::Chart;
use crate::math::Vec3;
use crate::math::lagrange;
use crate::newton::Point;
use crate::system::System;

/// Values that are kept: an order more than the highest has needs two more.
pub const KEPT: usize = 7;

/// One time of the past.
#[derive(Debug, Clone)]
struct Past {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    x: Vec<f64>,
}

/// Which of the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Positions,
    Velocities,
    States,
}

/// The last values, newest first.
#[derive(Debug)]
pub struct History {
    past: [Past; KEPT],
    known: usize,
}

impl History {
    /// An empty history.
    pub fn new(system: &System) -> Self {
        let empty = Past { t: 0.0, q: vec![0.0; system.nq()], v: vec![0.0; system.nv()], x: vec![0.0; system.nx()] };
        Self { past: std::array::from_fn(|_| empty.clone()), known: 0 }
    }

    /// How many values are known.
    pub fn known(&self) -> usize {
        self.known
    }

    /// The time of value `j`.
    pub fn time(&self, j: usize) -> f64 {
        self.past[j].t
    }

    fn times(&self) -> [f64; KEPT] {
        std::array::from_fn(|j| self.past[j].t)
    }

    /// Adds a point.
    pub fn push(&mut self, point: &Point) {
        self.past.rotate_right(1);
        let newest = &mut self.past[0];
        newest.t = point.x.t;
        newest.q.copy_from_slice(&point.x.q);
        newest.v.copy_from_slice(&point.x.v);
        newest.x.copy_from_slice(&point.x.x);
        self.known = (self.known + 1).min(KEPT);
    }

    /// Starts at a point, with values before it by Taylor's formula: with s = −h, −2h and `change` = h times the third derivatives,
    ///
    /// ```text
    /// δ = s v + ½ s² v̇ + s³/6 v̈ + s³/12 [v, v̇],    v + s v̇ + ½ s² v̈,    [v, v̇] = ω × ω̇ for rotations, 0 otherwise
    /// ```
    ///
    /// Without `change` only one value, by the velocities alone.
    pub fn start(&mut self, system: &System, now: &Point, h: f64, change: Option<&Change>) {
        self.known = 0;
        let zeros = vec![0.0; system.nv().max(system.nx())];
        let (a, x_dot) = change.map_or((&zeros[..], &zeros[..]), |c| (&c.a, &c.x_dot));
        let count = if change.is_some() { 2 } else { 1 };
        for j in (1..=count).rev() {
            let mut before = now.clone();
            let s = -h * j as f64;
            let (second, third) = if change.is_some() { (0.5 * s * s, s * s * s / 6.0 / h) } else { (0.0, 0.0) };
            let mut delta = zeros[..system.nv()].to_vec();
            for i in 0..system.nv() {
                delta[i] = s * now.x.v[i] + second * now.x.a[i] + third * a[i];
                before.x.v[i] += if change.is_some() { s * now.x.a[i] + 0.5 * s * s / h * a[i] } else { 0.0 };
            }
            if change.is_some() {
                add_brackets(system, now, s, &mut delta);
            }
            system.retract_by(Chart::Exponential, &now.x.q, &delta, &mut before.x.q);
            for i in 0..system.nx() {
                before.x.x[i] += s * now.x.x_dot[i] + 0.5 * s * s / h * x_dot[i];
            }
            before.x.t += s;
            self.push(&before);
        }
        self.push(now);
    }

    /// out = Σ factors_j (value j).
    pub fn combine(&self, which: Which, factors: &[f64], out: &mut [f64]) {
        let values = |j: usize| match which {
            Which::Positions => &self.past[j].q[..],
            Which::Velocities => &self.past[j].v[..],
            Which::States => &self.past[j].x[..],
        };
        let n = out.len();
        let first = &values(0)[..n];
        (0..n).for_each(|i| out[i] = factors[0] * first[i]);
        for (j, factor) in factors.iter().enumerate().skip(1) {
            let value = &values(j)[..n];
            (0..n).for_each(|i| out[i] += factor * value[i]);
        }
    }

    /// The factors by which the polynomial of degree `order` through the last values is evaluated at `t`.
    pub fn extrapolation(&self, order: usize, t: f64) -> [f64; KEPT] {
        lagrange::factors(&self.times(), order + 1, t)
    }

    /// The derivative at `t` of the polynomial through a value there and the last `order` ones: the factor of the new value, and
    /// those of the old ones.
    pub fn derivative(&self, order: usize, t: f64) -> (f64, [f64; KEPT]) {
        let new = (0..order).map(|i| 1.0 / (t - self.time(i))).sum();
        let mut factors = lagrange::factors(&self.times(), order, t);
        (0..order).for_each(|j| factors[j] /= self.time(j) - t);
        (new, factors)
    }
}

fn add_brackets(system: &System, now: &Point, s: f64, delta: &mut [f64]) {
    for k in system.attitudes() {
        let at = |x: &[f64]| Vec3::new(x[k], x[k + 1], x[k + 2]);
        let bracket = at(&now.x.v).cross(&at(&now.x.a)) * (s * s * s / 12.0);
        (0..3).for_each(|i| delta[k + i] += bracket[i]);
    }
}
