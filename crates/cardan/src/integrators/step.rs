//! One step of any method as equations in u, λ and w. What is known before the step, marked with a hat, and a few coefficients are all
//! that tells one method from another:
//!
//! ```text
//! q = q̂ ⊕ (δ̂ + c_q (u + s)),    v = v̂ + c_v (u + û),    a = â + c_a u,    x = x̂ + c_x w,    ẋ = x̂̇ + c_ẋ w     (1)
//! rhs = −(M a + f,  Φ/c_q,  ẋ − f_x)        rows of velocity level: (A v + b)/c_v                               (2)
//! ```
//!
//! with f = Gᵀλ − Q, differential states x, and s the position correction of the index-2 formulation, zero otherwise.

use super::{Formulation, Options};
use crate::bodies::Chart;
use crate::constraints::Level;
use crate::math::{is_finite, weighted_rms, weighted_rms_of_difference};
use crate::system::{State, System, Work};

/// What a method carries from one step to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The state; a and λ are the method's own.
    pub x: State,
    /// The acceleration-like variable u.
    pub u: Vec<f64>,
    /// The rate-like variable w of differential states.
    pub w: Vec<f64>,
}

/// The parts of (1) with a hat.
#[derive(Debug)]
pub struct Known {
    /// q̂.
    pub q: Vec<f64>,
    /// δ̂.
    pub increment: Vec<f64>,
    /// v̂.
    pub v: Vec<f64>,
    /// û: accelerations are added before they are multiplied by h, which is one rounding less.
    pub u: Vec<f64>,
    /// â.
    pub a: Vec<f64>,
    /// x̂.
    pub x: Vec<f64>,
    /// x̂̇.
    pub x_dot: Vec<f64>,
}

impl Known {
    /// Nothing yet.
    pub fn new(system: &System) -> Self {
        let (moving, states) = (vec![0.0; system.nv()], vec![0.0; system.nx()]);
        let increment = moving.clone();
        Self { q: vec![0.0; system.nq()], increment, v: moving.clone(), u: moving.clone(), a: moving, x: states.clone(), x_dot: states }
    }
}

/// The coefficients of (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// c_q.
    pub position: f64,
    /// c_v.
    pub velocity: f64,
    /// c_a.
    pub acceleration: f64,
    /// c_x.
    pub state: f64,
    /// c_ẋ.
    pub state_rate: f64,
    /// By how much the local error of q changes with u.
    pub error: f64,
    /// How increments turn bodies.
    pub chart: Chart,
}

/// What the corrector needs to know about a step.
pub struct Step<'a> {
    pub coefficients: Coefficients,
    pub known: &'a Known,
    /// 1/Y of the coordinates behind u.
    pub weights: &'a [f64],
    /// 1/Y of the differential states.
    pub state_weights: &'a [f64],
    pub regularization: &'a [f64],
    /// The point the step starts from.
    pub from: &'a Point,
    /// By how much u may still be off; `None` for fixed steps, where it is a part of u − u_n.
    pub accuracy: Option<f64>,
    pub formulation: Formulation,
    /// Sizes of the coordinates and of the velocities, for round-off.
    pub sizes: [f64; 2],
}

impl Step<'_> {
    /// c_q, by which u moves q.
    pub fn c_q(&self) -> f64 {
        self.coefficients.position
    }

    /// c_v, by which u moves v.
    pub fn c_v(&self) -> f64 {
        self.coefficients.velocity
    }

    /// The size of changes of u and w: the larger of both, changes of w being counted by how much they move x against q.
    pub fn size(&self, u: &[f64], w: &[f64]) -> f64 {
        let size = weighted_rms(u, self.weights);
        if w.is_empty() { size } else { size.max(self.coefficients.state / self.c_q() * weighted_rms(w, self.state_weights)) }
    }

    /// What round-off of the coordinates is in u.
    pub fn round_off(&self) -> f64 {
        4.0 * f64::EPSILON / self.c_q()
    }

    /// By how much u may still be off when Newton's method stops: round-off at least, and a hundredth of it for those who ask for more.
    pub fn allowed(&self, options: &Options, to: &Point) -> f64 {
        let Some(accuracy) = self.accuracy else {
            let moved = weighted_rms_of_difference(&to.u, &self.from.u, self.weights);
            let states = weighted_rms_of_difference(&to.w, &self.from.w, self.state_weights);
            let change = moved.max(self.coefficients.state / self.c_q() * states);
            let least = (1e6 * options.newton_tolerance).clamp(0.01, 1.0);
            return (options.newton_tolerance * change).max(least * self.round_off());
        };
        accuracy.max(self.round_off())
    }

    /// q, v, a from u, x and ẋ from w (1); `increment` is what q̂ is moved by.
    pub fn place(&self, system: &System, position_shift: &[f64], increment: &mut [f64], to: &mut Point) {
        let (c, known) = (&self.coefficients, self.known);
        let n = to.u.len();
        let (u, moved, base) = (&to.u[..n], &mut increment[..n], &known.increment[..n]);
        if self.formulation == Formulation::Index2 {
            let shift = &position_shift[..n];
            (0..n).for_each(|i| moved[i] = base[i] + c.position * (u[i] + shift[i]));
        } else {
            (0..n).for_each(|i| moved[i] = base[i] + c.position * u[i]);
        }
        let (v, v0, u0) = (&mut to.x.v[..n], &known.v[..n], &known.u[..n]);
        (0..n).for_each(|i| v[i] = v0[i] + c.velocity * (u[i] + u0[i]));
        let (a, a0) = (&mut to.x.a[..n], &known.a[..n]);
        (0..n).for_each(|i| a[i] = a0[i] + c.acceleration * u[i]);
        system.retract_by(c.chart, &known.q, increment, &mut to.x.q);
        for i in 0..to.w.len() {
            to.x.x[i] = known.x[i] + c.state * to.w[i];
            to.x.x_dot[i] = known.x_dot[i] + c.state_rate * to.w[i];
        }
    }

    /// The right-hand side (2), at a point whose evaluation is in `work`; says whether all of it is finite.
    pub fn residual(&self, system: &System, to: &Point, work: &Work, rhs: &mut [f64]) -> bool {
        let nv = system.nv();
        let (dynamics, rest) = rhs.split_at_mut(nv);
        let (constraints, states) = rest.split_at_mut(system.rows());
        dynamics.iter_mut().zip(&work.f).for_each(|(r, f)| *r = -f);
        system.add_mass_times(&to.x.a, -1.0, dynamics);
        let (position, velocity) = (-1.0 / self.c_q(), -1.0 / self.c_v());
        if system.is_holonomic() {
            constraints.iter_mut().zip(&work.phi).for_each(|(r, phi)| *r = phi * position);
        } else {
            for ((r, phi), level) in constraints.iter_mut().zip(&work.phi).zip(system.levels()) {
                *r = phi * if *level == Level::Position { position } else { velocity };
            }
        }
        for ((r, f), x_dot) in states.iter_mut().zip(&work.rates).zip(&to.x.x_dot) {
            *r = f - x_dot;
        }
        is_finite(rhs) && (self.formulation == Formulation::Index3 || is_finite(&work.phi_dot))
    }
}
