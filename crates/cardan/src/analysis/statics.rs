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
//! which is a step of the flow M q̇ = Q − Gᵀλ, ẋ = f: from far away it leads downhill, to a place that is stable, and as the residual falls σ goes
//! to next to nothing and the step becomes Newton's; so much stays that what nothing holds is not moved by round-off. A step that would lead uphill
//! is taken again with more mass, and so is one that ends so deep in a contact that forces are many times what they were; none is so long that
//! shapes could pass through each other. Friction against sliding holds nothing where nothing moves: what nothing else keeps in place is not at
//! rest. Rows of velocity level (rolling) let bodies move as they do in motion, A δq = 0, and have reactions. A mechanism that is given exactly
//! where it balances stays there, stable or not; [`super::modes()`] tell.
//!
//! Kelley and Keyes 1998, doi:10.1137/S0036142996304796, on such continuation.

use super::assemble::assemble;
use super::assembly_error::list;
use super::changes::{Moved, movements};
use super::{AssemblyError, Redundancy};
use crate::constraints::Level;
use crate::forces::Clearance;
use crate::math::max_abs;
use crate::math::random::Random;
use crate::system::{Evaluated, Jacobian, KktError, State, System, Weights, Work};
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
         Nothing holds them in some direction? Add a spring, a joint or ground contact there; friction holds nothing at rest",
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
/// The part of the way to something behind that a step may go.
const CLEAR: f64 = 0.8;
/// Mass in the matrix that shows motions without stiffness, against the largest stiffness per mass.
const SOFT: f64 = 1e-11;
/// Keeps what expressions owe to reactions in the matrix, but nothing of what they owe to accelerations.
const REACTIONS: f64 = f64::MIN_POSITIVE;

/// Finds the equilibrium that a mechanism comes to rest in from where it is given.
pub fn equilibrium(system: &System) -> Result<Equilibrium, StaticsError> {
    let assembly = assemble(system)?;
    let (mut work, mut x) = (Work::new(system), at_rest(assembly.state));
    let mut search = Search::new(system, &x, &assembly.redundancy, &mut work);
    let iterations = search.run(&mut x, &mut work)?;
    let redundancy = Redundancy::new(system, &x, &mut work);
    if !system.forces_feel_reactions() {
        redundancy.minimize(&mut x.lambda);
    }
    let mut search = Search::new(system, &x, &redundancy, &mut work);
    let (mut at, _) = search.look(&x, &mut work)?;
    let (residual, free) = (max_abs(at.f()), search.free(&mut at));
    let moved = movements(system, &system.initial().q, &x.q);
    let non_unique_reactions = redundancy.non_unique_rows;
    let warnings = assembly.displaced.into_iter().chain(assembly.warnings).collect();
    Ok(Equilibrium { state: x, moved, iterations, residual, free, non_unique_reactions, warnings })
}

/// A state without motion.
fn at_rest(mut x: State) -> State {
    x.v.fill(0.0);
    x.a.fill(0.0);
    x.x_dot.fill(0.0);
    x
}

/// A search under way.
struct Search<'s> {
    system: &'s System,
    jacobian: Jacobian,
    rhs: Vec<f64>,
    step: Vec<f64>,
    epsilon: Vec<f64>,
    sigma: f64,
    /// The smallest σ: with less, what nothing holds would be moved by round-off.
    least: f64,
    /// The largest force that acts where the search begins, reactions left out, or the largest weight.
    loads: f64,
    extent: f64,
    clearances: Vec<Clearance>,
}

impl<'s> Search<'s> {
    fn new(system: &'s System, x: &State, redundancy: &Redundancy, work: &mut Work) -> Self {
        let n = system.unknowns();
        Self {
            system,
            jacobian: Jacobian::new(system),
            rhs: vec![0.0; n],
            step: vec![0.0; n],
            epsilon: redundancy.regularization.clone(),
            sigma: 0.0,
            least: 0.0,
            loads: 0.0,
            extent: system.extent(x, work),
            clearances: Vec::new(),
        }
    }

    /// Steps until the residual is down at round-off; their number.
    fn run(&mut self, x: &mut State, work: &mut Work) -> Result<usize, StaticsError> {
        self.begin(x, work)?;
        let (mut at, mut size) = self.look(x, work)?;
        let mut last = f64::INFINITY;
        for iteration in 0..STEPS {
            if size <= 1e-15 || (size < 1e-11 && size >= 0.3 * last) {
                return Ok(iteration);
            }
            let before = at.state().clone();
            let part = self.solve(&mut at, size);
            let part = part.map(|part| self.clear(part, &before, work));
            if let Some(part) = part {
                self.advance(part, x, work);
            }
            match part.and_then(|part| self.reached(part, size, x, work)) {
                Some((there, reached)) => {
                    self.sigma = (self.sigma * (reached / size).clamp(0.01, 0.5)).max(self.least);
                    (at, last, size) = (there, size, reached);
                }
                None => {
                    *x = before;
                    self.sigma *= 4.0;
                    (at, _) = self.look(x, work)?;
                }
            }
            if !self.sigma.is_finite() {
                break;
            }
        }
        if size < 1e-9 { Ok(STEPS) } else { Err(self.not_found(&at)) }
    }

    /// The loads, and the mass with which the first step would move bodies by a tenth of what is allowed.
    fn begin(&mut self, x: &State, work: &mut Work) -> Result<(), StaticsError> {
        let unloaded = State { lambda: vec![0.0; x.lambda.len()], ..x.clone() };
        let (mut at, _) = self.look(&unloaded, work)?;
        // Where the search begins at rest, loads balance each other already.
        self.loads = max_abs(at.f()).max(self.system.largest_weight());
        if self.factored(&mut at, 1.0) {
            self.least = SOFT * self.stiffness_per_mass(&unloaded, &push(self.system.nv()));
        }
        let acceleration = self.system.free_acceleration(at.f());
        self.sigma = 10.0 * acceleration / (LARGEST_TURN.min(LARGEST_SHIFT * self.extent));
        self.sigma = self.sigma.max(1e-6);
        Ok(())
    }

    /// Evaluates the residual; gives its size against the largest forces, the extent and the states as well.
    fn look<'a>(&mut self, x: &'a State, work: &'a mut Work) -> Result<(Evaluated<'a>, f64), StaticsError>
    where
        's: 'a,
    {
        let mut at = self.system.evaluate(x, work);
        let size = self.size(&at);
        if size.is_finite() {
            return Ok((at, size));
        }
        let fault = at.find_non_finite().unwrap_or_else(|| "the state is not finite".into());
        Err(StaticsError::NotFinite(KktError::NotFinite { fault }))
    }

    /// The residual against the largest of loads and reactions, the extent and the states. Forces that a step on the way has brought up are no
    /// measure: what is small beside them may be far from balance.
    fn size(&self, at: &Evaluated) -> f64 {
        let largest = self.loads.max(max_abs(&at.state().lambda));
        let forces = max_abs(at.f()) / if largest > 0.0 { largest } else { 1.0 };
        forces + max_abs(&gaps(at)) / self.extent + max_abs(at.rates()) / (1.0 + max_abs(&at.state().x))
    }

    /// As much of a part of the step as leaves shapes on the sides of each other where they are: for velocities that lead through the step in 1 s,
    /// that is the time in which none passes another.
    fn clear(&mut self, part: f64, from: &State, work: &mut Work) -> f64 {
        if self.system.pair_forces().is_empty() {
            return part;
        }
        let moving = State { v: self.step[..self.system.nv()].to_vec(), ..from.clone() };
        let mut clearances = std::mem::take(&mut self.clearances);
        self.system.clearances(&moving, work, &mut clearances);
        let clear = clearances.iter().map(|c| CLEAR * c.distance / c.speed).fold(part, f64::min);
        self.clearances = clearances;
        clear
    }

    fn factored(&mut self, at: &mut Evaluated, sigma: f64) -> bool {
        let weights = Weights {
            mass: sigma,
            acceleration: REACTIONS,
            position: 1.0,
            state: 1.0,
            state_rate: sigma.sqrt(),
            ..Weights::mass_only(&self.epsilon)
        };
        at.tangent(&weights, &mut self.jacobian);
        self.jacobian.factor().is_ok()
    }

    /// The step (2) from a state with a residual of this size; gives the part of it to be taken, or `None` if it is no good.
    fn solve(&mut self, at: &mut Evaluated, size: f64) -> Option<f64> {
        let right = at.f().iter().map(|f| -f).chain(gaps(at).into_iter().map(|p| -p)).chain(at.rates().iter().copied());
        self.rhs = right.collect();
        if !self.factored(at, self.sigma) || self.jacobian.solve_refined(&self.rhs, &mut self.step).is_err() {
            return None;
        }
        if size > 1e-7 && self.curvature() < 0.0 {
            return None;
        }
        let delta = &self.step[..self.system.nv()];
        let (turn, shift) = (self.system.largest_turn(delta), self.system.largest_displacement(delta));
        Some((LARGEST_TURN / turn).min(LARGEST_SHIFT * self.extent / shift).min(1.0))
    }

    /// Takes this part of the step.
    fn advance(&self, part: f64, x: &mut State, work: &mut Work) {
        let (nv, states) = (self.system.nv(), self.system.nv() + self.system.rows());
        let delta: Vec<f64> = self.step[..nv].iter().map(|d| part * d).collect();
        let q = x.q.clone();
        self.system.retract(&q, &delta, &mut x.q);
        x.lambda.iter_mut().zip(&self.step[nv..states]).for_each(|(l, d)| *l += d);
        x.x.iter_mut().zip(&self.step[states..]).for_each(|(x, d)| *x += part * d);
        self.system.remember(x, work);
    }

    /// What is reached with a part of a step from a residual of this size; `None` if it is no good.
    fn reached<'a>(&mut self, part: f64, size: f64, x: &'a State, work: &'a mut Work) -> Option<(Evaluated<'a>, f64)>
    where
        's: 'a,
    {
        let allowed = if part < 1.0 { 100.0 } else { 5.0 };
        self.look(x, work).ok().filter(|(_, reached)| *reached <= allowed * size)
    }

    /// δqᵀ (K + σ M) δq of the step, from (2): where it is negative, the step leads uphill.
    fn curvature(&self) -> f64 {
        let (nv, states) = (self.system.nv(), self.system.nv() + self.system.rows());
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&self.step[..nv], &self.rhs[..nv]) - dot(&self.step[nv..states], &self.rhs[nv..states])
    }

    /// The bodies that a random push moves far, where there is hardly any mass to hold them.
    fn free(&mut self, at: &mut Evaluated) -> Vec<String> {
        let (system, nv) = (self.system, self.system.nv());
        if nv == 0 || !self.factored(at, 1.0) {
            return Vec::new();
        }
        let push = push(nv);
        let (q, sigma) = (&at.state().q, SOFT * self.stiffness_per_mass(at.state(), &push));
        self.rhs.fill(0.0);
        system.add_mass_times(q, &push, 1.0, &mut self.rhs[..nv]);
        if !self.factored(at, sigma) || self.jacobian.solve_refined(&self.rhs, &mut self.step).is_err() {
            return Vec::new();
        }
        let moved: Vec<f64> = self.step[..nv].iter().map(|d| d * sigma).collect();
        system.bodies().iter().filter(|b| max_abs(&moved[b.v()]) > 1e-3).map(|b| b.name.clone()).collect()
    }

    /// The largest acceleration that the stiffness in the matrix, with one times the mass, gives for a displacement; one if there is none.
    fn stiffness_per_mass(&mut self, x: &State, displacement: &[f64]) -> f64 {
        let (nv, n) = (self.system.nv(), self.rhs.len());
        let (zero, mut all, mut forces) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        all[..nv].copy_from_slice(displacement);
        self.jacobian.residual(&all, &zero, &mut forces);
        self.system.add_mass_times(&x.q, displacement, 1.0, &mut forces[..nv]);
        let largest = self.system.free_acceleration(&forces[..nv]);
        if largest > 0.0 { largest } else { 1.0 }
    }

    fn not_found(&self, at: &Evaluated) -> StaticsError {
        let (system, f) = (self.system, at.f());
        let worst = (0..f.len()).max_by(|a, b| f[*a].abs().total_cmp(&f[*b].abs())).unwrap_or(0);
        let (body, balance) = system.balance_name(worst);
        let sizes: Vec<f64> = system.bodies().iter().map(|b| max_abs(&self.step[b.v()])).collect();
        let most = max_abs(&sizes);
        let moving = system.bodies().iter().zip(&sizes).filter(|(_, s)| **s > 0.1 * most).map(|(b, _)| b.name.clone()).collect();
        StaticsError::NotFound { iterations: STEPS, body, balance, residual: f[worst].abs(), moving }
    }
}

/// A random displacement.
fn push(nv: usize) -> Vec<f64> {
    let mut random = Random::new(5);
    (0..nv).map(|_| random.range(-1.0, 1.0)).collect()
}

/// Φ of rows of position level.
fn gaps(at: &Evaluated) -> Vec<f64> {
    at.phi().iter().zip(at.system().levels()).map(|(p, level)| if *level == Level::Position { *p } else { 0.0 }).collect()
}
