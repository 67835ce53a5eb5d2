//! Whether a run can be believed: the balance of energy as it goes (`analysis/audit.rs`), and sensors that are no numbers.
//!
//! What is missing is judged against the throughput. Energy that appears out of nothing, or that is gone without a damper, load or motion that
//! has taken it, ends a run once it is most of all there is: nothing that is computed from there on has a meaning. With steps of a given size
//! losses never do, since the damping of a method is chosen with its step. Less than that is a warning. Energies as small as the tolerance
//! allows errors to be are not worth a word:
//!
//! ```text
//! ε Σ |Q_i| at coordinates off by ε,     ½ Σ M_ii (ε/h)²                                                        (1)
//! ```
//!
//! with the tolerance ε and the mean step h.

use super::Run;
use crate::analysis::audit::SAFETY;
use crate::analysis::hints::Steps;
use crate::analysis::simulation::Size;
use crate::analysis::simulation_error::Failure;
use crate::results::{EnergyBalance, Results};
use crate::system::{State, System, Work};

/// A run ends where more than this part of the throughput has come out of nothing: with error control, and with given steps.
const RUNAWAY: [f64; 2] = [0.5, 0.9];
/// And where more than this part is gone.
const LOST: [f64; 2] = [0.5, f64::INFINITY];
/// At so many looks in a row: what the first steps are about is not known yet, and coarse ones begin with an error of their own size.
const PATIENCE: usize = 10;
/// Parts of the throughput that are worth a warning: energy that appears, and energy that is lost.
const GAIN: f64 = 0.02;
const LOSS: f64 = 0.05;

/// Where more than this part of the throughput is missing, and the work of loads is not known any better, steps do not follow the loads.
const UNKNOWN: f64 = 0.5;

/// Energies that errors of the size of the tolerance have (1).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Negligible {
    position: f64,
    /// Kinetic energy where all velocities are 1.
    unit: f64,
    tolerance: f64,
}

impl Negligible {
    fn new(system: &System, x: &State, tolerance: f64, work: &mut Work) -> Self {
        let ones = State { v: vec![1.0; system.nv()], ..x.clone() };
        let position = [tolerance, -tolerance].map(|offset| {
            let mut moved = State { v: vec![0.0; system.nv()], lambda: vec![0.0; system.rows()], ..x.clone() };
            system.retract(&x.q, &vec![offset; system.nv()], &mut moved.q);
            tolerance * system.evaluate(&moved, work).f().iter().filter(|f| f.is_finite()).map(|f| f.abs()).sum::<f64>()
        });
        Self { position: position[0].max(position[1]), unit: system.energy(&ones, work).kinetic, tolerance }
    }

    /// With this mean step.
    fn energy(&self, h: f64) -> f64 {
        let speed = if h > 0.0 { self.tolerance / h } else { 0.0 };
        self.position + self.unit * speed * speed
    }
}

impl Run<'_, '_, '_> {
    /// Keeps the books over the attempted step; fails where energy came out of nothing or vanished.
    pub(super) fn audit_step(&mut self) -> Result<(), Failure> {
        if self.audit.is_closed() {
            self.audit.open(self.stepper.now());
        }
        let (t, next) = (self.stepper.now().t, self.stepper.next().t);
        let parts = self.audit.parts();
        for part in 1..parts {
            let x = self.interpolated(t + (next - t) * part as f64 / parts as f64);
            self.audit.note(&x);
        }
        if !self.audit.is_due(next - t) {
            return Ok(());
        }
        self.audit.balance(self.stepper.next());
        self.judge(next)
    }

    /// Fails where too much energy has been missing for some time.
    fn judge(&mut self, t: f64) -> Result<(), Failure> {
        let throughput = self.audit.throughput() + self.negligible_energy();
        let steps = self.simulation.size.steps();
        let fixed = usize::from(steps == Steps::Fixed);
        let [gained, lost] = self.audit.for_sure();
        let missing = if gained > RUNAWAY[fixed] * throughput {
            gained
        } else if lost > LOST[fixed] * throughput {
            -lost
        } else {
            self.excesses = 0;
            return Ok(());
        };
        self.excesses += 1;
        self.audit.look_closely();
        if self.excesses < PATIENCE { Ok(()) } else { Err(Failure::Energy(t, [missing, throughput], steps)) }
    }

    /// Fails where a run ends with too much energy missing, however short it has been.
    pub(super) fn judge_end(&mut self) -> Result<(), Failure> {
        if self.excesses == 0 || self.stepper.statistics().steps < PATIENCE {
            return Ok(());
        }
        self.excesses = PATIENCE;
        let now = self.stepper.now();
        self.audit.balance(now);
        self.judge(now.t)
    }

    /// Closes the books before the run goes on from a state, with what that changes at once.
    pub(super) fn close_books(&mut self, x: &State) {
        self.audit.close(self.stepper.now(), x);
        if self.negligible.tolerance == 0.0 {
            let tolerance = if let Size::Controlled(tolerance) = self.simulation.size { tolerance } else { 1e-6 };
            self.negligible = Negligible::new(self.simulation.system, x, tolerance, self.watch.get_mut());
        }
    }

    /// Hands the books over, with a warning if something is missing.
    pub(super) fn finish_books(self, results: &mut Results) {
        let negligible = self.negligible_energy();
        results.statistics = self.statistics();
        results.statistics.factorizations += self.finishing.factorizations();
        results.energy = self.audit.finish(self.stepper.now());
        results.contacts = self.touches.finish(&self.simulation.system.exchangers(), &results.energy);
        results.warnings.extend(warning(&results.energy, negligible));
        results.warnings.extend(self.timetable.warning());
    }

    fn negligible_energy(&self) -> f64 {
        let steps = self.stepper.statistics().steps.max(1);
        self.negligible.energy(self.stepper.now().t / steps as f64)
    }

    /// Warns of sensors whose values are no numbers, once each.
    pub(super) fn check_sensors(&mut self, x: &State, results: &mut Results) {
        let system = self.simulation.system;
        if self.sensed.is_empty() {
            return;
        }
        let known: Vec<bool> = self.sensed.iter().map(|value| value.is_finite()).collect();
        system.sense(x, self.watch.get_mut(), &mut self.sensed);
        for (k, sensor) in system.sensors().iter().enumerate() {
            if !known[k] {
                self.sensed[k] = f64::NAN;
            } else if !self.sensed[k].is_finite() {
                results.warnings.push(format!("sensor '{}' has no finite value at t = {} s, the first time of it", sensor.name, x.t));
            }
        }
    }
}

/// What should be said about a balance.
fn warning(balance: &EnergyBalance, negligible: f64) -> Option<String> {
    let throughput = balance.throughput + negligible;
    let worst = balance.worst;
    let missing = worst.energy.abs() - SAFETY * balance.uncertainty;
    let most = if worst.energy > 0.0 { GAIN } else { LOSS };
    let unknown = worst.energy.abs().min(SAFETY * balance.uncertainty) > UNKNOWN * throughput;
    if !unknown && (missing.is_nan() || missing <= most * throughput) {
        return None;
    }
    let (amount, part, t) = (worst.energy.abs(), 100.0 * worst.energy.abs() / balance.throughput, worst.t);
    let words = if worst.energy > 0.0 {
        "came out of nothing: steps too long for what happens there? Tighten the tolerance and compare"
    } else {
        "is gone that no damper, load or motion has taken: numerical damping, or motion faster than the steps. Tighten the tolerance and compare"
    };
    Some(format!("at t = {t:.6} s {amount:.3e} J ({part:.1} % of all there was) {words}"))
}
