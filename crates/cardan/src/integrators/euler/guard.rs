//! What is watched, so that a motion that is too fast for the step ends in an error and not in a wrong result. At the end of a step
//!
//! ```text
//! |Φ| ≤ limit,   h |Φ̇| ≤ limit,   h |ω| ≤ π/2 of every body,   E ≤ a part of the energies of the motion               (1)
//! E = T + V − (T + V)₀ − Σ [h (P_n + P_{n+1})/2 + Δ·Q̄]                                                                (2)
//! ```
//!
//! E is the energy that no force and no prescribed motion has brought: V is the potential of gravity and springs, P the power of motions and
//! of applied forces, Δ·Q̄ the work of forces that change sides over the way of the step (`mean`). What dampers take out is left out of it:
//! it can only make less of T + V. A mean of E over some steps is compared, as E wavers where oscillations are not resolved.
//!
//! Where all forces depend on positions alone and nothing is driven, E should be nothing; a little more or less of it than a hundredth of the
//! range of the kinetic energy ends the run. In all other systems E must not be half as large as the motion, by its kinetic energy or by the
//! work that was brought: dampers, friction and controllers make it no measure of accuracy. Forces that change sides are watched by what is
//! not known of their work in steps in which they do, in all systems.
//!
//! Beyond a quarter of a turn the directions in which a body is held are others than those that the step was made with.

use super::mean::Mean;
use crate::constraints::Level;
use crate::integrators::StepError;
use crate::integrators::advance::Site;
use crate::system::{CompiledBody, Exchanger, State, System, Work};
use std::f64::consts::FRAC_PI_2;

/// The part of the energies of a motion that E may be, and that of systems that act by positions alone.
const ENERGY: [f64; 2] = [0.5, 0.01];
/// Where a body spins fast its kinetic energy hardly changes: the range of it is at least this part of it.
const RANGE: f64 = 0.01;
/// Round-off of the energies in a range of them.
const ROUND_OFF: f64 = 1e-10;
/// Steps for a mean of E, and before it is looked at: where a motion begins there is hardly any energy to compare it with.
const GRACE: u32 = 100;
/// Violations fall at least with this power of h.
const ORDER: f64 = 3.0;
/// A proposed step is so much smaller than that which would just do.
const CAUTION: f64 = 0.8;

/// Watches steps.
#[derive(Debug, Default)]
pub(super) struct Guard {
    /// Whether all forces depend on positions alone.
    by_positions: bool,
    feeders: Vec<Exchanger>,
    powers: Vec<f64>,
    /// (T + V)₀.
    start: f64,
    /// The sum of (2), the power at the end of the last step, the mean of E, and the work that is not known; then those of the attempted step.
    books: [f64; 4],
    tried: [f64; 4],
    /// Steps taken.
    steps: u32,
    /// The least and the largest T, and the same of the sum of (2).
    kinetic: [f64; 2],
    brought: [f64; 2],
    momentum: Vec<f64>,
}

impl Guard {
    /// From this state on; `switching` where there is no mean of forces that change sides.
    pub fn start(&mut self, system: &System, x: &State, work: &mut Work, switching: bool) {
        let (feeders, energy) = (system.feeders(switching), system.energy(x, work));
        *self = Self {
            by_positions: system.acts_by_positions(),
            powers: vec![0.0; feeders.len()],
            feeders,
            start: energy.total(),
            kinetic: [energy.kinetic; 2],
            momentum: vec![0.0; system.nv()],
            ..Self::default()
        };
        self.books[1] = self.power_at(system, x, work);
    }

    /// The attempted step was taken.
    pub fn accept(&mut self) {
        self.books = self.tried;
        self.steps = self.steps.saturating_add(1);
    }

    /// Whether the attempted step may be taken; the violations of the site are those at its end.
    /// `switching` are those that change sides.
    pub fn check(&mut self, site: &mut Site, h: f64, limit: f64, switching: Option<&Mean>) -> Result<(), StepError> {
        let v = &site.next.x.v;
        let turn = site.system.bodies().iter().map(|b| h * b.shape.split_norms(&v[b.v()]).1).fold(0.0, f64::max);
        if turn > FRAC_PI_2 {
            return Err(turning(site.system, v, h));
        }
        if site.violation.0.max(h * site.violation.1) > limit {
            return Err(torn(site, h, limit));
        }
        let Site { system, next, work, .. } = site;
        let (energy, power) = (system.energy(&next.x, work), self.power_at(system, &next.x, work));
        let changing = switching.and_then(|mean| Some((mean.name(system)?, mean.missing)));
        let [mut brought, last_power, mut mean, mut unknown] = self.books;
        brought += 0.5 * h * (last_power + power) + switching.map_or(0.0, Mean::brought);
        unknown += changing.map_or(0.0, |(_, missing)| missing);
        widen(&mut self.kinetic, energy.kinetic);
        widen(&mut self.brought, brought);
        let range = self.range(energy.potential.abs());
        if let Some((name, _)) = changing.filter(|_| unknown.abs() > ENERGY[1] * range) {
            return Err(abrupt(name, unknown, h, range));
        }
        let created = energy.total() - self.start - brought;
        let counted = if self.by_positions { created.abs() } else { created.max(0.0) };
        mean += (counted - mean) / f64::from(GRACE);
        self.tried = [brought, power, mean, unknown];
        if self.steps >= GRACE && mean > ENERGY[usize::from(self.by_positions)] * range {
            self.momentum.fill(0.0);
            system.add_mass_times(&next.x.q, &next.x.v, 0.5, &mut self.momentum);
            return Err(runaway(system, &next.x.v, &self.momentum, h, [mean.copysign(created), range]));
        }
        Ok(())
    }

    /// The energies of the motion.
    fn range(&self, potential: f64) -> f64 {
        let [least, most] = self.kinetic;
        let own = if self.by_positions { (most - least).max(RANGE * most) } else { most.max(self.brought[1] - self.brought[0]) };
        own.max(ROUND_OFF * potential)
    }

    /// The power of motions and applied forces at a state.
    fn power_at(&mut self, system: &System, x: &State, work: &mut Work) -> f64 {
        if self.feeders.is_empty() {
            return 0.0;
        }
        system.powers(&self.feeders, x, work, &mut self.powers);
        self.powers.iter().sum()
    }
}

fn widen([least, most]: &mut [f64; 2], value: f64) {
    (*least, *most) = (least.min(value), most.max(value));
}

/// The body that turns most.
fn turning(system: &System, v: &[f64], h: f64) -> StepError {
    let turn = |b: &CompiledBody| h * b.shape.split_norms(&v[b.v()]).1;
    let most = system.bodies().iter().max_by(|a, b| turn(a).total_cmp(&turn(b)));
    let (name, angle) = most.map_or((String::new(), 0.0), |b| (b.name.clone(), turn(b)));
    let what = format!("body '{name}' turns by {angle:.3} rad in one step");
    StepError::TooFast { element: name, what, h, step: CAUTION * h * FRAC_PI_2 / angle }
}

/// The constraint that is violated most.
fn torn(site: &mut Site, h: f64, limit: f64) -> StepError {
    let Site { system, next, work, violation, .. } = site;
    let by_position = violation.0 > limit;
    let at = system.evaluate(&next.x, work);
    let rows = if by_position { at.phi() } else { at.phi_dot() };
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
    let [done, moved, of] = if created > 0.0 { ["added", "brought", "to"] } else { ["lost", "taken", "of"] };
    let what = format!(
        "steps have {done} {:.2e} J, which no force has {moved}, {of} a motion of {range:.2e} J; body '{name}' is the most energetic",
        created.abs()
    );
    StepError::TooFast { element: name, what, h, step: 0.5 * h }
}

/// A force whose change within the step is not followed.
fn abrupt(name: &str, missing: f64, h: f64, range: f64) -> StepError {
    let what = format!(
        "force '{name}' sets in or ends too abruptly, its work is known to {:.2e} J only in a motion of {range:.2e} J",
        missing.abs()
    );
    StepError::TooFast { element: name.into(), what, h, step: 0.5 * h }
}
