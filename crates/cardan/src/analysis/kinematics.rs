//! Kinematics: the motion of a mechanism that is driven in all its degrees of freedom, from its constraints alone,
//!
//! ```text
//! Φ(q, t) = 0,    G v = −Φ_t,    G a = −bias,    Gᵀλ = Q − M a                                             (1)
//! ```
//!
//! at given times; the reactions λ are what drives and guides it (inverse dynamics). From one time to the next positions are predicted by
//! velocities and accelerations; where they cannot be closed from there, the way is halved, so that a mechanism stays on its branch.

use super::assembly_error::list;
use super::positions::{Positions, Stuck};
use super::{AssemblyError, Redundancy, assemble, conflict};
use crate::math::max_abs;
use crate::math::random::Random;
use crate::results::{Keep, Results, Sample};
use crate::system::{Kkt, KktError, State, System, Work};
use thiserror::Error;

/// Why a motion could not be computed from constraints alone.
#[derive(Debug, Error)]
pub enum KinematicsError {
    /// The mechanism cannot be assembled.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// The times make no sense.
    #[error("{0}")]
    Times(String),
    /// Something is not driven.
    #[error(
        "{count} degree(s) of freedom are left, of {}: kinematics needs a motion for each of them. Add motions, or run the dynamics instead",
        list(bodies)
    )]
    Free {
        /// How many.
        count: usize,
        /// The bodies that can still move.
        bodies: Vec<String>,
    },
    /// Differential states need an integration over time.
    #[error("the model has differential states ('{state}' is the first): only a run of the dynamics follows them")]
    States {
        /// The first one.
        state: String,
    },
    /// Positions cannot be closed.
    #[error("the mechanism locks at t = {t:.6} s, on the way to {to:.6} s: {error}")]
    Locked {
        /// The last time at which it could be closed, s.
        t: f64,
        /// Where it was to go, s.
        to: f64,
        /// The joints that do not fit.
        error: AssemblyError,
        /// What was computed before.
        results: Box<Results>,
    },
    /// Velocities or accelerations could not be computed.
    #[error("velocities or accelerations at t = {t:.6} s could not be computed: {error}")]
    Solve {
        /// When.
        t: f64,
        /// Why.
        error: KktError,
        /// What was computed before.
        results: Box<Results>,
    },
}

impl KinematicsError {
    /// What was computed before the failure.
    pub fn results(&self) -> Option<&Results> {
        match self {
            KinematicsError::Locked { results, .. } | KinematicsError::Solve { results, .. } => Some(results),
            _ => None,
        }
    }
}

/// A part of the way that is this small is not halved again.
const SMALLEST: f64 = 1.0 / 4096.0;
/// A predicted turn larger than this, rad, is made in parts.
const LARGEST_TURN: f64 = 0.5;
const ITERATIONS: usize = 25;
/// Shares this small of a random velocity are none.
const STILL: f64 = 1e-7;

/// The motion at these times, which ascend from 0 or later.
pub fn kinematics(system: &System, times: &[f64]) -> Result<Results, KinematicsError> {
    if let Some(state) = system.state_names().next() {
        return Err(KinematicsError::States { state: state.into() });
    }
    if times.windows(2).any(|t| t[1] <= t[0]) || times.iter().any(|t| !(t.is_finite() && *t >= 0.0)) {
        return Err(KinematicsError::Times("the times must ascend, and none may be negative".into()));
    }
    let assembly = assemble(system)?;
    let mut walk = Walk { system, x: assembly.state, kkt: Kkt::new(system), work: Work::new(system), redundancy: assembly.redundancy };
    if walk.redundancy.degrees_of_freedom > 0 {
        return Err(KinematicsError::Free { count: walk.redundancy.degrees_of_freedom, bodies: walk.free() });
    }
    let warnings = assembly.displaced.into_iter().chain(assembly.warnings).collect();
    let mut results = Results { warnings, ..Results::default() };
    results.non_unique_reactions.clone_from(&walk.redundancy.non_unique_rows);
    for t in times {
        if let Err(failure) = walk.to(*t) {
            return Err(failure.with(results));
        }
        walk.sample(&mut results);
    }
    Ok(results)
}

/// A failure before the results are attached.
enum Failure {
    Locked(f64, f64, AssemblyError),
    Solve(f64, KktError),
}

impl Failure {
    fn with(self, results: Results) -> KinematicsError {
        let results = Box::new(results);
        match self {
            Failure::Locked(t, to, error) => KinematicsError::Locked { t, to, error, results },
            Failure::Solve(t, error) => KinematicsError::Solve { t, error, results },
        }
    }
}

/// The mechanism on its way.
struct Walk<'s> {
    system: &'s System,
    x: State,
    kkt: Kkt,
    work: Work,
    redundancy: Redundancy,
}

impl Walk<'_> {
    /// Goes to a time, in parts where that is needed.
    fn to(&mut self, t: f64) -> Result<(), Failure> {
        let whole = t - self.x.t;
        while self.x.t < t {
            let mut part = (t - self.x.t).min(self.longest());
            loop {
                let arrival = if part >= t - self.x.t { t } else { self.x.t + part };
                match self.step(arrival)? {
                    Ok(()) => break,
                    Err(error) if part <= SMALLEST * whole => return Err(Failure::Locked(self.x.t, t, error)),
                    Err(_) => part *= 0.5,
                }
            }
        }
        Ok(())
    }

    /// The time in which no body turns too far.
    fn longest(&self) -> f64 {
        LARGEST_TURN / self.system.largest_turn(&self.x.v)
    }

    /// Goes to a time at once; the inner error says which joints stay open.
    fn step(&mut self, t: f64) -> Result<Result<(), AssemblyError>, Failure> {
        let (system, h, start) = (self.system, t - self.x.t, self.x.clone());
        let delta: Vec<f64> = start.v.iter().zip(&start.a).map(|(v, a)| h * v + 0.5 * h * h * a).collect();
        system.retract(&start.q, &delta, &mut self.x.q);
        self.x.t = t;
        let floor = if self.redundancy.redundant.is_empty() { 0.0 } else { 1e-10 };
        let closed = Positions::new(system, &mut self.kkt, &mut self.work, floor, ITERATIONS).project(&mut self.x);
        match closed {
            Ok(()) => {}
            Err(Stuck::Failed(error)) => return Err(Failure::Solve(t, error)),
            Err(Stuck::Apart { gaps }) => {
                self.x = start;
                return Ok(Err(conflict::positions(system, &gaps)));
            }
        }
        system.remember(&mut self.x, &mut self.work);
        self.kkt.regularization.clone_from(&self.redundancy.regularization);
        let solved = self.kkt.project_and_accelerate(system, &mut self.x, &mut self.work);
        solved.map_err(|error| Failure::Solve(t, error)).map(|_| Ok(()))
    }

    fn sample(&mut self, results: &mut Results) {
        let system = self.system;
        if !self.redundancy.redundant.is_empty() && !system.forces_feel_reactions() {
            Redundancy::new(system, &self.x, &mut self.work).minimize(&mut self.x.lambda);
        }
        let (position, velocity) = system.violation(&self.x, &mut self.work);
        results.position_violation = results.position_violation.max(position);
        results.velocity_violation = results.velocity_violation.max(velocity);
        let (energy, momentum) = (system.energy(&self.x, &mut self.work), system.momentum(&self.x));
        results.add(Sample { state: self.x.clone(), energy, momentum }, Keep::All);
    }

    /// The bodies that the constraints leave free: those that a random velocity still moves when it is projected on the constraints.
    fn free(&mut self) -> Vec<String> {
        let (system, mut random) = (self.system, Random::new(3));
        let mut x = self.x.clone();
        x.v.fill(0.0);
        x.lambda.fill(0.0);
        let driven = system.evaluate(&x, &mut self.work).phi_dot().to_vec();
        x.v.iter_mut().for_each(|v| *v = random.range(-1.0, 1.0));
        self.kkt.regularization.clone_from(&self.redundancy.regularization);
        for _ in 0..3 {
            let mut at = system.evaluate(&x, &mut self.work);
            let rows: Vec<f64> = driven.iter().zip(at.phi_dot()).map(|(d, p)| d - p).collect();
            let Ok(step) = self.kkt.correction(&mut at, &rows) else { break };
            x.v.iter_mut().zip(step).for_each(|(v, d)| *v += d);
        }
        system.bodies().iter().filter(|b| max_abs(&x.v[b.v()]) > STILL).map(|b| b.name.clone()).collect()
    }
}
