//! One step of any method as equations in u, λ and w. What is known before the step, marked with a hat, and a few coefficients are all
//! that tells one method from another (δ̂, û and â in `system/placement`):
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
use crate::math::{add_weighing, is_finite, scaled, weighted_rms_of_difference};
use crate::system::{Evaluated, Hats, Placement, State, System, Weights, Work};

/// Violations at velocity level weigh less: they are not divided by h² when the next step starts from them.
const LENIENT: f64 = 0.2;

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

/// What is known of differential states (1).
#[derive(Debug)]
pub struct Known {
    /// x̂.
    pub x: Vec<f64>,
    /// x̂̇.
    pub x_dot: Vec<f64>,
}

impl Known {
    /// Nothing yet.
    pub fn new(system: &System) -> Self {
        let states = vec![0.0; system.nx()];
        Self { x: states.clone(), x_dot: states }
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
    /// δ̂, û and â.
    pub hats: Hats,
    /// By how much the local error of q changes with u.
    pub error: f64,
    /// How increments turn bodies.
    pub chart: Chart,
}

/// What the corrector needs to know about a step.
pub struct Step<'a> {
    pub coefficients: Coefficients,
    pub known: &'a Known,
    /// q̂ and v̂.
    pub base: [&'a [f64]; 2],
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

    /// Adds changes of u and w; gives their size: the larger of both, those of w being counted by how much they move x against q.
    pub fn add(&self, [du, dw]: [&[f64]; 2], [u, w]: [&mut [f64]; 2]) -> f64 {
        let size = add_weighing(u, du, self.weights);
        if dw.is_empty() {
            return size;
        }
        size.max(self.coefficients.state / self.c_q() * add_weighing(w, dw, self.state_weights))
    }

    /// What round-off of the coordinates is in u.
    pub fn round_off(&self) -> f64 {
        4.0 * f64::EPSILON / self.c_q()
    }

    /// By how much u may still be off when Newton's method stops: round-off at least, and a hundredth of it for those who ask for more.
    pub fn allowed(&self, options: &Options, [u, w]: [&[f64]; 2]) -> f64 {
        let Some(accuracy) = self.accuracy else {
            let moved = weighted_rms_of_difference(u, &self.from.u, self.weights);
            let states = weighted_rms_of_difference(w, &self.from.w, self.state_weights);
            let change = moved.max(self.coefficients.state / self.c_q() * states);
            let least = (1e6 * options.newton_tolerance).clamp(0.01, 1.0);
            return (options.newton_tolerance * change).max(least * self.round_off());
        };
        accuracy.max(self.round_off())
    }

    /// q, v, a from u, x and ẋ from w (1).
    pub fn place(&self, system: &System, position_shift: &[f64], to: &mut Point) {
        self.place_states(&to.w, &mut to.x);
        system.place(&self.placement(&to.u, position_shift), &mut to.x);
    }

    /// The same, everything evaluated there, and the right-hand side (2); gives the largest violation of the constraints as well, or nothing
    /// where a number is not finite.
    pub fn residual<'a>(
        &self,
        system: &'a System,
        [u, w, position_shift]: [&[f64]; 3],
        x: &'a mut State,
        work: &'a mut Work,
        rhs: &mut [f64],
    ) -> (Evaluated<'a>, Option<f64>) {
        let (dynamics, rest) = rhs.split_at_mut(system.nv());
        let (constraints, states) = rest.split_at_mut(system.rows());
        self.place_states(w, x);
        let (at, finite) = system.place_and_evaluate(&self.placement(u, position_shift), x, work, dynamics);
        for ((r, f), x_dot) in states.iter_mut().zip(at.rates()).zip(&at.state().x_dot) {
            *r = f - x_dot;
        }
        let violation = self.constraint_rows(&at, constraints);
        (at, violation.filter(|_| finite && (states.is_empty() || is_finite(states))))
    }

    /// Weights of the Newton matrix at u.
    pub fn tangent_weights<'b>(&'b self, u: &'b [f64], position_shift: &'b [f64]) -> Weights<'b> {
        let c = &self.coefficients;
        Weights {
            mass: c.acceleration,
            acceleration: c.acceleration,
            velocity: c.velocity,
            position: c.position,
            state: c.state,
            state_rate: c.state_rate,
            placed: Some(self.placement(u, position_shift)),
            regularization: self.regularization,
            reactions: None,
        }
    }

    /// What u means for the bodies (1).
    fn placement<'b>(&'b self, u: &'b [f64], position_shift: &'b [f64]) -> Placement<'b> {
        let c = &self.coefficients;
        Placement {
            chart: c.chart,
            coefficients: [c.position, c.velocity, c.acceleration],
            q: self.base[0],
            hats: c.hats,
            v: self.base[1],
            before: [&self.from.u, &self.from.x.a],
            u,
            shift: (self.formulation == Formulation::Index2).then_some(position_shift),
        }
    }

    fn place_states(&self, w: &[f64], x: &mut State) {
        let (c, known) = (&self.coefficients, self.known);
        for i in 0..w.len() {
            x.x[i] = known.x[i] + c.state * w[i];
            x.x_dot[i] = known.x_dot[i] + c.state_rate * w[i];
        }
    }

    /// The rows of constraints in (2); gives their largest violation, or nothing where a number is not finite.
    fn constraint_rows(&self, at: &Evaluated, rows: &mut [f64]) -> Option<f64> {
        let system = at.system();
        let (position, velocity) = (-1.0 / self.c_q(), -1.0 / self.c_v());
        if system.is_holonomic() && self.formulation == Formulation::Index3 {
            return scaled(at.phi(), position, rows).map(|largest| largest / self.sizes[0]);
        }
        for ((r, phi), level) in rows.iter_mut().zip(at.phi()).zip(system.levels()) {
            *r = phi * if *level == Level::Position { position } else { velocity };
        }
        let finite = is_finite(rows) && (self.formulation == Formulation::Index3 || is_finite(at.phi_dot()));
        finite.then(|| self.violation(at))
    }

    /// Largest violation of the constraints that must hold, relative to the size of coordinates or velocities.
    fn violation(&self, at: &Evaluated) -> f64 {
        let (mut position, mut velocity) = (0.0_f64, 0.0_f64);
        for (row, level) in at.system().levels().iter().enumerate() {
            if *level == Level::Position {
                position = position.max(at.phi()[row].abs());
            }
            if *level == Level::Velocity || self.formulation == Formulation::Index2 {
                velocity = velocity.max(at.phi_dot()[row].abs());
            }
        }
        let [q, v] = self.sizes;
        (position / q).max(LENIENT * velocity / v)
    }
}
