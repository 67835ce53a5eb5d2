//! One step of any method as equations in u, λ and w (equation 1 of the room),
//!
//! ```text
//! q = q_n ⊕ (h v_n + h² (½ − β) u_n + βh² (u + w))                                                   (1)
//! v = v_n + h ((1 − γ) u_n + γ u),      a = â + c_a u                                                (2)
//! rhs = −(M a + f − m (M a + f)_n,  Φ/(βh²),  ẋ − f_x)     rows of velocity level: (A v + b)/(γh)    (3)
//! ```
//!
//! with f = Gᵀλ − Q, differential states x as in `states`, and w in (1) the position correction of the index-2 formulation, zero otherwise.

use super::Scheme;
use crate::constraints::Level;
use crate::math::weighted_rms;
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
    /// f = Gᵀλ − Q.
    pub f: Vec<f64>,
    /// Scheme and h of the step that led here; `None` at a start.
    pub step: Option<(Scheme, f64)>,
}

/// What the corrector needs to know about a step.
pub struct Step<'a> {
    pub scheme: Scheme,
    pub h: f64,
    pub from: &'a Point,
    pub weights: &'a [f64],
    /// Sizes of the differential states.
    pub state_weights: &'a [f64],
    pub regularization: &'a [f64],
    /// C h²/(c ε) for error-controlled steps; `None` for fixed ones.
    pub accuracy: Option<f64>,
}

impl Step<'_> {
    /// βh², by which u moves q.
    pub fn c_q(&self) -> f64 {
        self.scheme.beta * self.h * self.h
    }

    /// γh, by which u moves v.
    pub fn c_v(&self) -> f64 {
        self.scheme.gamma * self.h
    }

    /// θh, by which w moves x.
    pub fn c_x(&self) -> f64 {
        self.scheme.states.theta * self.h
    }

    /// The size of changes of u and w: the larger of both, changes of w being counted by how much they move x against q.
    pub fn size(&self, u: &[f64], w: &[f64]) -> f64 {
        weighted_rms(u, self.weights).max(self.c_x() / self.c_q() * weighted_rms(w, self.state_weights))
    }

    /// The part of the increment (1) that is known before the step.
    pub fn base(&self, base: &mut [f64]) {
        let (h, s, from) = (self.h, &self.scheme, self.from);
        for i in 0..base.len() {
            base[i] = h * from.x.v[i] + h * h * (0.5 - s.beta) * from.u[i];
        }
    }

    /// q, v, a from u (1, 2), x and ẋ from w; `increment` is what q is moved by.
    pub fn place(&self, system: &System, base: &[f64], position_shift: &[f64], increment: &mut [f64], to: &mut Point) {
        let (h, s, from) = (self.h, &self.scheme, self.from);
        let c_q = self.c_q();
        for i in 0..to.u.len() {
            increment[i] = base[i] + c_q * (to.u[i] + position_shift[i]);
            to.x.v[i] = from.x.v[i] + h * ((1.0 - s.gamma) * from.u[i] + s.gamma * to.u[i]);
            to.x.a[i] = s.of_auxiliary * from.u[i] + s.of_acceleration * from.x.a[i] + s.acceleration * to.u[i];
        }
        system.retract(&from.x.q, increment, &mut to.x.q);
        for i in 0..to.w.len() {
            let known = (from.x.x[i], from.x.x_dot[i], from.w[i]);
            (to.x.x[i], to.x.x_dot[i]) = s.states.place(h, known, to.w[i]);
        }
    }

    /// The right-hand side (3), at a point whose evaluation is in `work`.
    pub fn residual(&self, system: &System, to: &Point, work: &Work, rhs: &mut [f64]) {
        let (s, nv) = (&self.scheme, system.nv());
        let (dynamics, rest) = rhs.split_at_mut(nv);
        let (constraints, states) = rest.split_at_mut(system.rows());
        for i in 0..nv {
            dynamics[i] = s.memory * self.from.f[i] - work.f[i];
        }
        system.add_mass_times(&to.x.a, -1.0, dynamics);
        if s.memory != 0.0 {
            system.add_mass_times(&self.from.x.a, s.memory, dynamics);
        }
        for (row, level) in system.levels().iter().enumerate() {
            let scale = if *level == Level::Position { self.c_q() } else { self.c_v() };
            constraints[row] = -work.phi[row] / scale;
        }
        for ((r, f), x_dot) in states.iter_mut().zip(&work.rates).zip(&to.x.x_dot) {
            *r = f - x_dot;
        }
    }
}
