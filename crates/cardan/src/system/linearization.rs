//! Accelerations linearised: how a, λ and ẋ change with q, v, x, t and inputs.
//!
//! The equations of motion, the constraints of accelerations and the rates of states hold along with the change, so
//!
//! ```text
//! [ M + f_a  Gᵀ − Q_λ  −Q_ẋ ] (δa)      (K δq + C δv − Q_x δx + f_t δt)
//! [ G        −ε         0   ] (δλ)  = − (δ(G a + bias)                )                                      (1)
//! [ rows of states           ] (δẋ)      (∂(ẋ − f) by q, v, x and t    )
//! ```
//!
//! with K, C from the weighted tangent. G a + bias is Φ̈ along the path that q, v and a begin; with the varied paths of the markers
//! ([`crate::bodies::MarkerPath`]) its change is an exact third derivative ([`crate::constraints::Constraint::change`]).

use super::evaluate::Loads;
use super::{Evaluated, Jacobian, State, System, Weights, Work};
use crate::bodies::{BodyPath, MarkerPath};
use crate::constraints::{Constraint, Paths};
use crate::math::jet::JetVec3;
use crate::math::{Jet, Vec6};
use crate::measures::{Context, Frame};
use crate::system::{Kkt, KktError};
use nalgebra::Matrix3;

/// A direction in which a state changes: q ⊕ δq, v + δv, x + δx, t + δt.
#[derive(Debug, Clone, Copy)]
pub struct Variation<'a> {
    /// δq.
    pub q: &'a [f64],
    /// δv.
    pub v: &'a [f64],
    /// δx of the differential states.
    pub x: &'a [f64],
    /// δt.
    pub t: f64,
}

/// The equations linearised at a state, with all that this takes: whatever is done elsewhere in the meantime, it stays what it is.
#[derive(Debug)]
pub struct Linearization {
    /// The state, what was found there, and the factors of (1).
    x: State,
    work: Work,
    kkt: Kkt,
    /// K, with −Q_x, and C.
    tangents: Jacobian,
    /// f_t and −∂f/∂t of the states.
    explicit: Vec<f64>,
    direction: Vec<f64>,
    rhs: Vec<f64>,
    solution: Vec<f64>,
    frames: Vec<Frame<Jet>>,
    spins: Vec<JetVec3>,
}

impl Linearization {
    /// For this system.
    pub fn new(system: &System) -> Self {
        let n = system.unknowns();
        let most = system.constraints.iter().map(|c| c.element.markers().len()).max().unwrap_or(0);
        let still = Frame { position: JetVec3::zeros(), rotation: Matrix3::zeros() };
        Self {
            x: system.initial.clone(),
            work: Work::new(system),
            kkt: Kkt::new(system),
            tangents: Jacobian::several(system, 2),
            explicit: vec![0.0; system.nv + system.nx()],
            direction: vec![0.0; n],
            rhs: vec![0.0; n],
            solution: vec![0.0; n],
            frames: vec![still; most],
            spins: vec![JetVec3::zeros(); most],
        }
    }

    /// Linearises at a state whose a, λ and ẋ are consistent, with the ε and the order of elimination of these one-shot solves.
    pub fn update(&mut self, system: &System, x: &State, like: &Kkt) -> Result<(), KktError> {
        self.x.copy_from(x);
        self.kkt.regularization.clone_from(&like.regularization);
        self.kkt.order_like(like);
        let mut at = system.evaluate(&self.x, &mut self.work);
        let none = Weights { mass: 0.0, state_rate: 0.0, ..Weights::mass_only(&[]) };
        let weights = [Weights { position: 1.0, state: 1.0, ..none }, Weights { velocity: 1.0, ..none }];
        at.tangents(&weights, &mut self.tangents);
        at.explicit_rates(&mut self.explicit);
        self.kkt.factor_accelerations(&mut at)
    }

    /// The state that was linearised at.
    pub fn state(&self) -> &State {
        &self.x
    }

    /// δa and δẋ for a change of the state (1).
    pub fn change(&mut self, system: &System, variation: &Variation, out: [&mut [f64]; 2]) -> Result<(), KktError> {
        let (nv, states) = (system.nv, system.nv + system.rows);
        self.direction.fill(0.0);
        self.rhs.fill(0.0);
        self.direction[..nv].copy_from_slice(variation.q);
        self.direction[states..].copy_from_slice(variation.x);
        self.tangents.matrix_of(0).residual(&self.direction, &self.rhs, &mut self.solution);
        self.direction[..nv].copy_from_slice(variation.v);
        self.direction[states..].fill(0.0);
        self.tangents.matrix_of(1).residual(&self.direction, &self.solution, &mut self.rhs);
        if variation.t != 0.0 {
            let own = (0..nv).chain(states..self.rhs.len());
            own.zip(&self.explicit).for_each(|(k, e)| self.rhs[k] -= variation.t * e);
        }
        self.constraint_changes(system, variation);
        self.solve(system, out)
    }

    /// δa and δẋ when an input changes by one, all else being held (1).
    pub fn input_change(&mut self, system: &System, input: usize, out: [&mut [f64]; 2]) -> Result<(), KktError> {
        self.rhs.fill(0.0);
        let (f, rest) = self.rhs.split_at_mut(system.nv);
        let mut at = Evaluated { system, x: &self.x, work: &mut self.work };
        at.input_slopes(input, f, &mut rest[system.rows..]);
        f.iter_mut().for_each(|f| *f = -*f);
        self.solve(system, out)
    }

    /// The solution of (1).
    fn solve(&mut self, system: &System, [a, x_dot]: [&mut [f64]; 2]) -> Result<(), KktError> {
        let mut at = Evaluated { system, x: &self.x, work: &mut self.work };
        self.kkt.solve_for(&self.rhs, &mut self.solution, &mut at)?;
        a.copy_from_slice(&self.solution[..system.nv]);
        x_dot.copy_from_slice(&self.solution[system.nv + system.rows..]);
        Ok(())
    }

    /// −δ(G a + bias) of all rows.
    fn constraint_changes(&mut self, system: &System, variation: &Variation) {
        let (x, work) = (&self.x, &self.work);
        let ctx = Context { t: x.t, markers: &work.markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch: &work.scratch };
        let time = Jet { path: [x.t, 1.0, 0.0], varied: [variation.t, 0.0, 0.0] };
        for constraint in &system.constraints {
            let markers = constraint.element.markers();
            let bodies = markers.iter().filter_map(|m| system.carrier(*m)).map(|b| system.bodies[b].v());
            let still = |mut b: std::ops::Range<usize>| b.all(|k| variation.q[k] == 0.0 && variation.v[k] == 0.0);
            let first = system.nv + constraint.first_row;
            let rows = first..first + constraint.element.rows();
            if variation.t == 0.0 && bodies.clone().all(still) {
                self.rhs[rows].fill(0.0);
                continue;
            }
            for (k, marker) in markers.iter().enumerate() {
                (self.frames[k], self.spins[k]) = system.marker_path(marker.index(), x, variation, work);
            }
            let paths = Paths { frames: &self.frames[..markers.len()], spins: &self.spins[..markers.len()], time };
            for (r, value) in self.rhs[rows].iter_mut().enumerate() {
                *value = -constraint.element.change(&ctx, r, &paths);
            }
        }
    }
}

impl System {
    /// A marker and its angular velocity along the varied path of its body.
    fn marker_path(&self, marker: usize, x: &State, variation: &Variation, work: &Work) -> (Frame<Jet>, JetVec3) {
        let path = match self.attached(marker, &work.frames, &work.deformed) {
            None => self.markers[marker].attachment.standing_path(),
            Some((b, attached)) => {
                let own = self.bodies[b].v();
                attached.path(&BodyPath { a: &x.a[own.clone()], q: &variation.q[own.clone()], v: &variation.v[own] })
            }
        };
        let MarkerPath { position, rotation, spin } = path;
        (Frame { position, rotation }, spin)
    }
}

impl Evaluated<'_> {
    /// Changes with time alone: f_t of the bodies, −∂f/∂t of the states.
    fn explicit_rates(&mut self, out: &mut [f64]) {
        let (system, x) = (self.system, self.x);
        let (f, rates) = out.split_at_mut(system.nv);
        self.time_slopes(f, rates);
        rates.iter_mut().for_each(|r| *r = -*r);
        let Work { frames, deformed, modal, wrenches, markers, gradient, gradient_t, acting, expressions, scratch, .. } = &mut *self.work;
        let mut loads = Loads { system, frames, deformed, wrenches, modal };
        let ctx = Context { t: x.t, markers, memory: &x.memory, states: &x.x, lambda: &x.lambda, scratch };
        let laws = system.by_markers.iter().map(|k| &system.forces[*k]);
        system.for_actions(laws, acting, &expressions.wrenches, |action| loads.add_wrenches(action.markers(), &action.rate(&ctx)));
        for constraint in system.by_rows.iter().map(|k| &system.constraints[*k]) {
            let element = &constraint.element;
            let n = element.markers().len();
            for row in 0..element.rows() {
                gradient[..n].fill(Vec6::zeros());
                gradient_t[..n].fill(Vec6::zeros());
                element.evaluate(&ctx, row, &mut gradient[..n], &mut gradient_t[..n]);
                for (marker, g) in element.markers().iter().zip(&gradient_t[..n]) {
                    loads.add(marker.index(), g, x.lambda[constraint.first_row + row]);
                }
            }
        }
        system.flat.bodies.project(frames, wrenches, modal, f);
    }
}
