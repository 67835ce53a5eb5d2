//! What is watched, so that a motion that is too fast for the step ends in an error and not in a wrong result. At the end of a step
//!
//! ```text
//! |Φ| ≤ limit,   h |Φ̇| ≤ limit,   h |ω| ≤ π/2 of every body,   E ≤ (a part of) the largest T so far                  (1)
//! E = Σ [T_{n+1} − T_n − h (P_n + P_{n+1})/2],   T = vᵀM v/2,   P = vᵀ(Q − Gᵀλ)                                      (2)
//! ```
//!
//! E is the energy that no force and no motion has brought, P with the work of prescribed motions in it. Beyond a quarter of a turn the
//! directions in which a body is held are others than those that the step was made with.

use crate::integrators::StepError;
use crate::integrators::advance::Site;
use crate::system::{CompiledBody, State, System, Work};
use std::f64::consts::FRAC_PI_2;

/// The part of the largest kinetic energy that may come from nowhere.
const ENERGY: f64 = 0.1;
/// Violations fall at least with this power of h.
const ORDER: f64 = 3.0;
/// A proposed step is so much smaller than that which would just do.
const CAUTION: f64 = 0.8;

/// The balance (2) so far: E, the largest T, and P.
#[derive(Debug, Clone, Copy, Default)]
struct Balance {
    created: f64,
    largest: f64,
    power: f64,
}

/// Watches steps.
#[derive(Debug, Default)]
pub(super) struct Guard {
    balance: Balance,
    /// With the attempted step.
    tried: Balance,
    momentum: Vec<f64>,
}

impl Guard {
    /// From this state on, whose forces were evaluated last.
    pub fn start(&mut self, system: &System, x: &State, work: &Work) {
        self.momentum.resize(system.nv(), 0.0);
        self.balance = Balance { created: 0.0, largest: self.kinetic(system, &x.v), power: power(x, work) };
    }

    /// The attempted step was taken.
    pub fn accept(&mut self) {
        self.balance = self.tried;
    }

    /// Whether the attempted step may be taken; forces and constraints were evaluated at its end, the violations are those of the site.
    pub fn check(&mut self, site: &Site, h: f64, limit: f64) -> Result<(), StepError> {
        let Site { system, next, now, work, violation, .. } = site;
        let v = &next.x.v;
        let turn = system.bodies().iter().map(|b| h * b.split_norms(&v[b.v()]).1).fold(0.0, f64::max);
        if turn > FRAC_PI_2 {
            return Err(turning(system, v, h));
        }
        if violation.0.max(h * violation.1) > limit {
            return Err(torn(site, h, limit));
        }
        let (before, after) = (self.kinetic(system, &now.x.v), self.kinetic(system, v));
        let power = power(&next.x, work);
        let created = self.balance.created + after - before - 0.5 * h * (self.balance.power + power);
        self.tried = Balance { created, largest: self.balance.largest.max(after), power };
        dbg_ratio(created / self.tried.largest);
        if created > ENERGY * self.tried.largest && std::env::var("RTDEBUG").is_err() { Err(runaway(system, v, &self.momentum, h, &self.tried)) } else { Ok(()) }
    }

    fn kinetic(&mut self, system: &System, v: &[f64]) -> f64 {
        self.momentum.fill(0.0);
        system.add_mass_times(v, 0.5, &mut self.momentum);
        self.momentum.iter().zip(v).map(|(p, v)| p * v).sum()
    }
}

pub static RATIO: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
pub static LOW: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
fn dbg_ratio(x: f64) {
    use std::sync::atomic::Ordering::Relaxed;
    if x > f64::from_bits(RATIO.load(Relaxed)) { RATIO.store(x.to_bits(), Relaxed) }
    if x < f64::from_bits(LOW.load(Relaxed)) { LOW.store(x.to_bits(), Relaxed) }
}

/// P, from f = Gᵀλ − Q.
fn power(x: &State, work: &Work) -> f64 {
    -work.f.iter().zip(&x.v).map(|(f, v)| f * v).sum::<f64>()
}

/// The body that turns most.
fn turning(system: &System, v: &[f64], h: f64) -> StepError {
    let turn = |b: &CompiledBody| h * b.split_norms(&v[b.v()]).1;
    let most = system.bodies().iter().max_by(|a, b| turn(a).total_cmp(&turn(b)));
    let (name, angle) = most.map_or((String::new(), 0.0), |b| (b.name.clone(), turn(b)));
    let what = format!("body '{name}' turns by {angle:.3} rad in one step");
    StepError::TooFast { element: name, what, h, step: CAUTION * h * FRAC_PI_2 / angle }
}

/// The constraint that is violated most.
fn torn(site: &Site, h: f64, limit: f64) -> StepError {
    let Site { system, work, violation, .. } = site;
    let by_position = violation.0 > limit;
    let rows = if by_position { &work.phi } else { &work.phi_dot };
    let holonomic = |row: &usize| !by_position || system.levels()[*row] == crate::constraints::Level::Position;
    let worst = (0..rows.len()).filter(holonomic).max_by(|a, b| rows[*a].abs().total_cmp(&rows[*b].abs())).unwrap_or(0);
    let (element, direction) = system.row_name(worst);
    let (size, by) = if by_position { (violation.0, "") } else { (h * violation.1, " in a step, by its velocity") };
    let what = format!("constraint '{element}' ({direction}) is violated by {size:.2e}{by}, more than {limit:.0e}");
    StepError::TooFast { element, what, h, step: CAUTION * h * (limit / size).powf(1.0 / ORDER) }
}

/// The body with most of the kinetic energy; `momentum` is M v/2.
fn runaway(system: &System, v: &[f64], momentum: &[f64], h: f64, balance: &Balance) -> StepError {
    let energy = |b: &CompiledBody| b.v().map(|k| momentum[k] * v[k]).sum::<f64>();
    let most = system.bodies().iter().max_by(|a, b| energy(a).total_cmp(&energy(b)));
    let name = most.map_or(String::new(), |b| b.name.clone());
    let what = format!(
        "steps have added {:.3e} J to motions of at most {:.3e} J, which no force has brought; body '{name}' has most of it",
        balance.created, balance.largest
    );
    StepError::TooFast { element: name, what, h, step: 0.5 * h }
}
