//! Statics: where a mechanism rests, motions being held as they are at t = 0,
//!
//! ```text
//! Gᵀλ − Q(q, 0, 0, λ, x, 0) = 0,    Φ(q, 0) = 0,    f(q, 0, 0, λ, x, 0) = 0                               (1)
//! ```
//!
//! Each step solves the linear equations of (1) with a part of the mass in their matrix,
//!
//! ```text
//! [ K + σ M   Gᵀ   −Q_x     ] (δq)       (Gᵀλ − Q)
//! [ G         −ε    0       ] (δλ)  =  − (Φ      )                                                        (2)
//! [ −f_q      −f_λ  √σ − f_x ] (δx)       (−f     )
//! ```
//!
//! which is a step of the flow M q̇ = Q − Gᵀλ, ẋ = f: from far away it leads downhill, to a place that is stable, and as the residual falls
//! σ goes to zero and the step becomes Newton's. A step that would lead uphill is taken again with more mass. Rows of velocity level
//! (rolling) let bodies move as they do in motion, A δq = 0, and have reactions. A mechanism that is given exactly where it balances stays
//! there, stable or not; [`super::modes()`] tell.
//!
//! Kelley and Keyes 1998, doi:10.1137/S0036142996304796, on such continuation.

use super::assemble::assemble;
use super::assembly_error::list;
use super::changes::{Moved, movements};
use super::{AssemblyError, Redundancy};
use crate::constraints::Level;
use crate::math::max_abs;
use crate::math::random::Random;
use crate::system::{Jacobian, KktError, State, System, Weights, Work};
use thiserror::Error;

/// Why no equilibrium was found.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum StaticsError {
    /// The mechanism cannot be assembled.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// An element gave NaN or infinity.
    #[error("statics failed: {0}")]
    NotFinite(KktError),
    /// Something moves on and on.
    #[error(
        "no equilibrium was found: after {iterations} steps the {balance} of '{body}' is off by {residual:.3e}, and {} still moved. \
         Nothing holds them in some direction? Add a spring, a joint or ground contact there",
        list(moving)
    )]
    NotFound {
        /// Steps taken.
        iterations: usize,
        /// The body with the largest residual.
        body: String,
        /// Its equation.
        balance: String,
        /// The residual there, N or N m.
        residual: f64,
        /// The bodies that moved most in the last step.
        moving: Vec<String>,
    },
}

/// A mechanism at rest.
#[derive(Debug, Clone)]
pub struct Equilibrium {
    /// q, λ and x with v = 0, a = 0, ẋ = 0.
    pub state: State,
    /// The bodies that moved, from where they were given.
    pub moved: Vec<Moved>,
    /// Steps taken.
    pub iterations: usize,
    /// Largest force or moment that is not balanced, N or N m.
    pub residual: f64,
    /// Bodies that can move without any force to bring them back: the equilibrium is one of many.
    pub free: Vec<String>,
    /// Rows whose multipliers are not unique because constraints are redundant: the smallest ones are given.
    pub non_unique_reactions: Vec<usize>,
    /// What the user should know about the mechanism as it was assembled.
    pub warnings: Vec<String>,
}

/// Steps that are taken at most.
const STEPS: usize = 2000;
/// No body turns further in one step, rad, nor moves further against the extent of the model.
const LARGEST_TURN: f64 = 0.5;
const LARGEST_SHIFT: f64 = 0.5;
/// Mass in the matrix that shows motions without stiffness, against the largest stiffness per mass.
const SOFT: f64 = 1e-11;
/// Keeps what expressions owe to reactions in the matrix, but nothing of what they owe to accelerations.
const REACTIONS: f64 = f64::MIN_POSITIVE;

/// Finds the equilibrium that a mechanism comes to rest in from where it is given.
pub fn equilibrium(system: &System) -> Result<Equilibrium, StaticsError> {
    let assembly = assemble(system)?;
    let mut search = Search::new(system, assembly.state, &assembly.redundancy);
    let iterations = search.run()?;
    let Search { mut x, mut work, .. } = search;
    let redundancy = Redundancy::new(system, &x, &mut work);
    if !system.forces_feel_reactions() {
        redundancy.minimize(&mut x.lambda);
    }
    let mut search = Search::new(system, x, &redundancy);
    search.evaluate()?;
    let (residual, free) = (max_abs(&search.work.f), search.free());
    let moved = movements(system, &system.initial().q, &search.x.q);
    let non_unique_reactions = redundancy.non_unique_rows;
    let warnings = assembly.displaced.into_iter().chain(assembly.warnings).collect();
    Ok(Equilibrium { state: search.x, moved, iterations, residual, free, non_unique_reactions, warnings })
}

/// A search under way.
struct Search<'s> {
    system: &'s System,
    x: State,
    work: Work,
    jacobian: Jacobian,
    rhs: Vec<f64>,
    step: Vec<f64>,
    epsilon: Vec<f64>,
    sigma: f64,
    /// The largest force seen.
    scale: f64,
    extent: f64,
}

impl<'s> Search<'s> {
    fn new(system: &'s System, mut x: State, redundancy: &Redundancy) -> Self {
        let (n, mut work) = (system.unknowns(), Work::new(system));
        x.v.fill(0.0);
        x.a.fill(0.0);
        x.x_dot.fill(0.0);
        system.kinematics(&x.q, &x.v, &mut work);
        let extent = system.extent(&work);
        let epsilon = redundancy.regularization.clone();
        Self {
            system,
            x,
            work,
            jacobian: Jacobian::new(system),
            rhs: vec![0.0; n],
            step: vec![0.0; n],
            epsilon,
            sigma: 0.0,
            scale: 0.0,
            extent,
        }
    }

    /// Steps until the residual is down at round-off; their number.
    fn run(&mut self) -> Result<usize, StaticsError> {
        self.begin()?;
        let mut size = self.evaluate()?;
        let mut last = f64::INFINITY;
        for iteration in 0..STEPS {
            if size <= 1e-15 || (size < 1e-11 && size >= 0.3 * last) {
                return Ok(iteration);
            }
            let before = (self.x.clone(), size);
            match self.attempt(size)? {
                Some(reached) => {
                    last = size;
                    size = reached;
                    self.sigma *= (reached / before.1).clamp(0.01, 0.5);
                }
                None => {
                    self.x = before.0;
                    self.sigma *= 4.0;
                    self.evaluate()?;
                }
            }
            if !self.sigma.is_finite() {
                break;
            }
        }
        if size < 1e-9 { Ok(STEPS) } else { Err(self.not_found()) }
    }

    /// The mass with which the first step would move bodies by a tenth of what is allowed.
    fn begin(&mut self) -> Result<(), StaticsError> {
        let lambda = std::mem::take(&mut self.x.lambda);
        self.x.lambda = vec![0.0; lambda.len()];
        self.evaluate()?;
        let acceleration = self.system.free_acceleration(&self.work.f);
        self.x.lambda = lambda;
        self.sigma = 10.0 * acceleration / (LARGEST_TURN.min(LARGEST_SHIFT * self.extent));
        self.sigma = self.sigma.max(1e-6);
        Ok(())
    }

    /// Evaluates the residual; its size against the largest force seen, the extent and the states.
    fn evaluate(&mut self) -> Result<f64, StaticsError> {
        self.system.evaluate(&self.x, &mut self.work);
        let work = &self.work;
        self.scale = self.scale.max(max_abs(&work.f)).max(max_abs(&self.x.lambda));
        let forces = if self.scale > 0.0 { max_abs(&work.f) / self.scale } else { 0.0 };
        let size = forces + max_abs(&self.gaps()) / self.extent + max_abs(&work.rates) / (1.0 + max_abs(&self.x.x));
        if size.is_finite() {
            return Ok(size);
        }
        let fault = self.system.find_non_finite(&self.x, &mut self.work).unwrap_or_else(|| "the state is not finite".into());
        Err(StaticsError::NotFinite(KktError::NotFinite { fault }))
    }

    /// Φ of rows of position level.
    fn gaps(&self) -> Vec<f64> {
        self.work.phi.iter().zip(self.system.levels()).map(|(p, level)| if *level == Level::Position { *p } else { 0.0 }).collect()
    }

    fn factored(&mut self, sigma: f64) -> bool {
        let weights = Weights {
            mass: sigma,
            acceleration: REACTIONS,
            position: 1.0,
            state: 1.0,
            state_rate: sigma.sqrt(),
            ..Weights::mass_only(&self.epsilon)
        };
        self.system.tangent(&self.x, &weights, &mut self.work, &mut self.jacobian);
        self.jacobian.factor().is_ok()
    }

    /// One step (2) from a state that was evaluated last; the size of the residual there, or `None` if the step is no good.
    fn attempt(&mut self, size: f64) -> Result<Option<f64>, StaticsError> {
        let (system, nv) = (self.system, self.system.nv());
        let states = nv + system.rows();
        let right = self.work.f.iter().map(|f| -f).chain(self.gaps().into_iter().map(|p| -p)).chain(self.work.rates.iter().copied());
        self.rhs = right.collect();
        if !self.factored(self.sigma) || self.jacobian.solve_refined(&self.rhs, &mut self.step).is_err() {
            return Ok(None);
        }
        if size > 1e-7 && self.curvature() < 0.0 {
            return Ok(None);
        }
        let delta = &self.step[..nv];
        let (turn, shift) = (system.largest_turn(delta), system.largest_displacement(delta));
        let part = (LARGEST_TURN / turn).min(LARGEST_SHIFT * self.extent / shift).min(1.0);
        let delta: Vec<f64> = delta.iter().map(|d| part * d).collect();
        let q = self.x.q.clone();
        system.retract(&q, &delta, &mut self.x.q);
        self.x.lambda.iter_mut().zip(&self.step[nv..states]).for_each(|(l, d)| *l += d);
        self.x.x.iter_mut().zip(&self.step[states..]).for_each(|(x, d)| *x += part * d);
        system.remember(&mut self.x, &mut self.work);
        let reached = self.evaluate().unwrap_or(f64::INFINITY);
        let allowed = if part < 1.0 { 100.0 } else { 5.0 };
        Ok((reached <= allowed * size).then_some(reached))
    }

    /// δqᵀ (K + σ M) δq of the step, from (2): where it is negative, the step leads uphill.
    fn curvature(&self) -> f64 {
        let (nv, states) = (self.system.nv(), self.system.nv() + self.system.rows());
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&self.step[..nv], &self.rhs[..nv]) - dot(&self.step[nv..states], &self.rhs[nv..states])
    }

    /// The bodies that a random push moves far, where there is hardly any mass to hold them.
    fn free(&mut self) -> Vec<String> {
        let (system, nv) = (self.system, self.system.nv());
        if nv == 0 || !self.factored(1.0) {
            return Vec::new();
        }
        let mut random = Random::new(5);
        let push: Vec<f64> = (0..nv).map(|_| random.range(-1.0, 1.0)).collect();
        let sigma = SOFT * self.stiffness_per_mass(&push);
        self.rhs.fill(0.0);
        system.add_mass_times(&self.x.q, &push, 1.0, &mut self.rhs[..nv]);
        if !self.factored(sigma) || self.jacobian.solve_refined(&self.rhs, &mut self.step).is_err() {
            return Vec::new();
        }
        let moved: Vec<f64> = self.step[..nv].iter().map(|d| d * sigma).collect();
        system.bodies().iter().filter(|b| max_abs(&moved[b.v()]) > 1e-3).map(|b| b.name.clone()).collect()
    }

    /// The largest acceleration that the stiffness in the matrix, with one times the mass, gives for a displacement; one if there is none.
    fn stiffness_per_mass(&mut self, displacement: &[f64]) -> f64 {
        let (nv, n) = (self.system.nv(), self.rhs.len());
        let (zero, mut all, mut forces) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        all[..nv].copy_from_slice(displacement);
        self.jacobian.residual(&all, &zero, &mut forces);
        self.system.add_mass_times(&self.x.q, displacement, 1.0, &mut forces[..nv]);
        let largest = self.system.free_acceleration(&forces[..nv]);
        if largest > 0.0 { largest } else { 1.0 }
    }

    fn not_found(&self) -> StaticsError {
        let (system, f) = (self.system, &self.work.f);
        let worst = (0..f.len()).max_by(|a, b| f[*a].abs().total_cmp(&f[*b].abs())).unwrap_or(0);
        let (body, balance) = system.balance_name(worst);
        let sizes: Vec<f64> = system.bodies().iter().map(|b| max_abs(&self.step[b.v()])).collect();
        let most = max_abs(&sizes);
        let moving = system.bodies().iter().zip(&sizes).filter(|(_, s)| **s > 0.1 * most).map(|(b, _)| b.name.clone()).collect();
        StaticsError::NotFound { iterations: STEPS, body, balance, residual: f[worst].abs(), moving }
    }
}
