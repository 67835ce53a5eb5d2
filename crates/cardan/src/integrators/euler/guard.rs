//! What is watched, so that a motion that is too fast for the step ends in an error and not in a wrong result. At the end of a step
//!
//! ```text
//! |Φ| ≤ limit,   h |Φ̇| ≤ limit,   h |ω| ≤ π/2 of every body,   E ≤ a part of the larger of max T and max W            (1)
//! E = Σ [T_{n+1} − T_n + Δᵀ(f_n + f_{n+1})/2] − h vᵀf/2,   T = vᵀM v/2,   f = Gᵀλ − Q,   q_{n+1} = q_n ⊕ Δ               (2)
//! ```
//!
//! E is the energy that no force and no prescribed motion has brought: work is counted along the way Δ that the bodies were moved. The last
//! term is that part of the error of a symplectic step which comes and goes with the motion (it is nothing on average, and of order h). W is
//! the largest range of the work on one velocity, so that machines which move slowly against strong springs are measured by these. Beyond a
//! quarter of a turn the directions in which a body is held are others than those that the step was made with.

use super::settings::Jacobian;
use crate::constraints::Level;
use crate::integrators::StepError;
use crate::integrators::advance::Site;
use crate::system::{CompiledBody, State, System, Work};
use std::f64::consts::FRAC_PI_2;

/// The part of the energies of a motion that may come from nowhere. It is no measure of accuracy: with controllers, contacts and springs that
/// a step does not resolve E wavers, but it does not stay above.
const ENERGY: f64 = 0.5;
/// Steps for which E must stay above: where a motion begins there is hardly any energy to compare it with.
const GRACE: usize = 100;
/// Violations fall at least with this power of h.
const ORDER: f64 = 3.0;
/// A proposed step is so much smaller than that which would just do.
const CAUTION: f64 = 0.8;

/// Watches steps.
#[derive(Debug, Default)]
pub(super) struct Guard {
    /// The sum of (2), with and without the attempted step.
    created: f64,
    tried: f64,
    /// The largest T.
    largest: f64,
    /// For how many steps E has been above its limit.
    above: usize,
    /// f at the start and at the end of the attempted step.
    start: Vec<f64>,
    end: Vec<f64>,
    /// Work on every velocity, and its extremes.
    work: Vec<[f64; 3]>,
    way: Vec<f64>,
    momentum: Vec<f64>,
}

impl Guard {
    /// From this state on, whose forces were evaluated last.
    pub fn start(&mut self, system: &System, x: &State, work: &Work) {
        let n = system.nv();
        let zeros = || vec![0.0; n];
        *self = Self { start: work.f.clone(), end: zeros(), work: vec![[0.0; 3]; n], way: zeros(), momentum: zeros(), ..Self::default() };
        self.largest = self.kinetic(system, &x.v);
    }

    /// The attempted step was taken.
    pub fn accept(&mut self) {
        self.created = self.tried;
        std::mem::swap(&mut self.start, &mut self.end);
    }

    /// Whether the attempted step may be taken; forces and constraints were evaluated at its end, the violations are those of the site.
    /// `loads` are the forces at its start without reactions.
    pub fn check(&mut self, site: &Site, h: f64, limit: f64, loads: &[f64], jacobian: Option<Jacobian>) -> Result<(), StepError> {
        let Site { system, next, now, work, violation, .. } = site;
        let v = &next.x.v;
        let turn = system.bodies().iter().map(|b| h * b.split_norms(&v[b.v()]).1).fold(0.0, f64::max);
        if turn > FRAC_PI_2 {
            return Err(turning(system, v, h));
        }
        if violation.0.max(h * violation.1) > limit {
            return Err(torn(site, h, limit));
        }
        system.difference(&now.x.q, &next.x.q, &mut self.way);
        self.end.copy_from_slice(&work.f);
        self.count_work(loads);
        let (before, after) = (self.kinetic(system, &now.x.v), self.kinetic(system, v));
        let done: f64 = self.way.iter().zip(self.start.iter().zip(&self.end)).map(|(d, (f, g))| 0.5 * d * (f + g)).sum();
        self.tried = self.created + after - before + done;
        self.largest = self.largest.max(after);
        let symplectic = jacobian == Some(Jacobian::Symplectic);
        let fleeting = if symplectic { -0.5 * h * dot(v, &self.end) } else { 0.0 };
        let range = self.work.iter().map(|w| w[2] - w[1]).fold(self.largest, f64::max);
        let created = self.tried + fleeting;
        self.above = if created > ENERGY * range { self.above + 1 } else { 0 };
        if self.above > GRACE { Err(runaway(system, v, &self.momentum, h, [created, range])) } else { Ok(()) }
    }

    /// The work of the loads on every velocity. A step that is not taken is counted, too: it ends the run, or is made again.
    fn count_work(&mut self, loads: &[f64]) {
        for ([sum, least, most], (d, load)) in self.work.iter_mut().zip(self.way.iter().zip(loads)) {
            *sum += d * load;
            *least = least.min(*sum);
            *most = most.max(*sum);
        }
    }

    fn kinetic(&mut self, system: &System, v: &[f64]) -> f64 {
        self.momentum.fill(0.0);
        system.add_mass_times(v, 0.5, &mut self.momentum);
        dot(v, &self.momentum)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
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
    let holonomic = |row: &usize| !by_position || system.levels()[*row] == Level::Position;
    let worst = (0..rows.len()).filter(holonomic).max_by(|a, b| rows[*a].abs().total_cmp(&rows[*b].abs())).unwrap_or(0);
    let (element, direction) = system.row_name(worst);
    let (size, by) = if by_position { (violation.0, "") } else { (h * violation.1, " in a step, by its velocity") };
    let what = format!("constraint '{element}' ({direction}) is violated by {size:.2e}{by}, more than {limit:.0e}");
    StepError::TooFast { element, what, h, step: CAUTION * h * (limit / size).powf(1.0 / ORDER) }
}

/// The body with most of the kinetic energy; `momentum` is M v/2.
fn runaway(system: &System, v: &[f64], momentum: &[f64], h: f64, [created, range]: [f64; 2]) -> StepError {
    let energy = |b: &CompiledBody| b.v().map(|k| momentum[k] * v[k]).sum::<f64>();
    let most = system.bodies().iter().max_by(|a, b| energy(a).total_cmp(&energy(b)));
    let name = most.map_or(String::new(), |b| b.name.clone());
    let what = format!(
        "steps have added {created:.2e} J, which no force has brought, to a motion of {range:.2e} J; body '{name}' is the most energetic"
    );
    StepError::TooFast { element: name, what, h, step: 0.5 * h }
}
