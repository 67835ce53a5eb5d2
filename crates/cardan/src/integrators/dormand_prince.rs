//! Dormand and Prince's explicit method of order 5, on accelerations that satisfy the constraints (index 1).
//!
//! ```text
//! δ̇ = T⁻¹(δ) v,    v̇ = a(q_n ⊕ δ, v, x, t),    ẋ = f_x                                                               (1)
//! y_i = y_n + h Σ_{j<i} a_ij k_j,      error = h Σ e_j k_j  of order 4                                                (2)
//! ```
//!
//! with δ the increment in the chart at q_n. The end of a step is projected onto the constraints, positions first, then velocities, with
//! the matrix of the stage before, which is close by. Redundant rows are left out until then, as long as the end of the step
//! satisfies them. k₇ is taken there, and is k₁ of the next step. Dense output is the method's own of order 4.
//! Reference: Dormand, Prince, J. Comput. Appl. Math. 6 (1980), doi:10.1016/0771-050X(80)90013-3; dense output: Hairer, Nørsett, Wanner, Solving
//! Ordinary Differential Equations I, II.6.

use super::advance::{Advance, Estimate, Site};
use super::start::Change;
use super::{Formulation, Law, Method, Options, Solves, StepControl, StepError, chart};
use crate::math::{largest, weighted_rms};
use crate::system::{KktError, State, System};

/// Number of stages.
const STAGES: usize = 7;
/// Where the stages are.
const C: [f64; STAGES] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];
/// a_ij.
const A: [[f64; STAGES - 1]; STAGES] = [
    [0.0; 6],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// e_j.
const E: [f64; STAGES] = [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
/// Of the dense output.
const D: [f64; STAGES] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];
/// The error falls with this order, plus one.
const EMBEDDED: usize = 4;

/// Dormand and Prince's method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DormandPrince;

impl Method for DormandPrince {
    fn name(&self) -> &'static str {
        "dormand-prince"
    }
    fn summary(&self) -> &'static str {
        "Dormand–Prince: order 5, explicit with projection, for smooth motions without stiff forces"
    }
    fn order(&self) -> usize {
        5
    }
    fn at_work(&self, system: &System, _: &Options) -> Box<dyn Advance> {
        Box::new(Explicit::new(system))
    }
    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index1]
    }
    fn solves(&self) -> Solves {
        Solves::Accelerations
    }
    fn damping(&self) -> String {
        "little".into()
    }
    fn share(&self, _: f64) -> f64 {
        0.3
    }
    fn control(&self) -> StepControl {
        StepControl::with(Law::ProportionalIntegral)
    }
}

/// Derivatives (1) at a stage.
#[derive(Debug, Clone)]
struct Slope {
    delta: Vec<f64>,
    v: Vec<f64>,
    x: Vec<f64>,
}

/// The method at work.
#[derive(Debug)]
struct Explicit {
    attitudes: Vec<usize>,
    k: [Slope; STAGES],
    /// δ at the end of the attempted step, and elsewhere in it.
    end: Vec<f64>,
    delta: Vec<f64>,
    /// Errors of the attempted step: of positions, then of differential states; and of velocities.
    error: Vec<f64>,
    error_v: Vec<f64>,
    tried: f64,
}

impl Explicit {
    fn new(system: &System) -> Self {
        let moving = vec![0.0; system.nv()];
        let slope = Slope { delta: moving.clone(), v: moving.clone(), x: vec![0.0; system.nx()] };
        Self {
            attitudes: system.attitudes().collect(),
            k: std::array::from_fn(|_| slope.clone()),
            end: moving.clone(),
            error_v: moving.clone(),
            delta: moving,
            error: vec![0.0; system.nv() + system.nx()],
            tried: 0.0,
        }
    }

    /// All stages after the first; with all rows throughout where the step fails without the redundant ones.
    fn stages(&mut self, site: &mut Site, h: f64) -> Result<(), KktError> {
        let fewer = site.kkt.leave_out_redundant(site.system, &site.now.x, &mut site.work);
        let done = (1..STAGES).try_for_each(|i| self.stage(site, i, h));
        if done.is_ok() || !fewer {
            return done;
        }
        site.kkt.refuse_choice();
        (1..STAGES).try_for_each(|i| self.stage(site, i, h))
    }

    /// Stage `i` (2) in `site.next`, with its slope.
    fn stage(&mut self, site: &mut Site, i: usize, h: f64) -> Result<(), KktError> {
        let (now, next) = (&site.now.x, &mut site.next.x);
        let (used, factors) = (&self.k[..i], A[i].map(|a| h * a));
        for k in 0..now.v.len() {
            self.delta[k] = sum(&factors, used, |s| s.delta[k]);
            next.v[k] = now.v[k] + sum(&factors, used, |s| s.v[k]);
        }
        for k in 0..now.x.len() {
            next.x[k] = now.x[k] + sum(&factors, used, |s| s.x[k]);
        }
        site.system.retract(&now.q, &self.delta, &mut next.q);
        next.t = now.t + C[i] * h;
        // Redundant constraints are redundant only where they hold.
        let (end, projected) = (i == STAGES - 1, site.system.rows() > 0);
        if projected && (end || !site.kkt.is_regular()) {
            site.kkt.project_nearby(site.system, next, &mut site.work)?;
            site.system.difference(&now.q, &next.q, &mut self.delta);
        }
        if end {
            site.kkt.use_all_rows();
        }
        site.statistics.evaluations += 1;
        site.violation = site.kkt.accelerate(site.system, next, &mut site.work)?;
        let slope = &mut self.k[i];
        slope.delta.copy_from_slice(&next.v);
        chart::rates(&self.attitudes, &self.delta, &mut slope.delta);
        slope.v.copy_from_slice(&next.a);
        slope.x.copy_from_slice(&next.x_dot);
        Ok(())
    }

    /// The size of the error (2).
    fn estimate(&mut self, site: &Site, h: f64) -> f64 {
        let nv = site.system.nv();
        let (moved, changed) = self.error.split_at_mut(nv);
        moved.iter_mut().enumerate().for_each(|(k, e)| *e = h * sum(&E, &self.k, |s| s.delta[k]));
        changed.iter_mut().enumerate().for_each(|(k, e)| *e = h * sum(&E, &self.k, |s| s.x[k]));
        self.error_v.iter_mut().enumerate().for_each(|(k, e)| *e = h * sum(&E, &self.k, |s| s.v[k]));
        let sizes = site.sizes();
        weighted_rms(moved, sizes.moving).max(weighted_rms(changed, sizes.states)).max(sizes.of_rates(&self.error_v))
    }

    /// Dense output of one quantity at the part `s` of the step, which changes by `change` over all of it.
    fn within(&self, s: f64, change: f64, slope: impl Fn(&Slope) -> f64) -> f64 {
        let h = self.tried;
        let second = h * slope(&self.k[0]) - change;
        let third = change - h * slope(&self.k[STAGES - 1]) - second;
        let fourth = h * sum(&D, &self.k, &slope);
        s * (change + (1.0 - s) * (second + s * (third + (1.0 - s) * fourth)))
    }
}

impl Advance for Explicit {
    fn start(&mut self, _: &mut Site, _h: f64) -> Result<(), KktError> {
        Ok(())
    }

    fn attempt(&mut self, site: &mut Site, h: f64, tolerance: Option<f64>) -> Result<Option<Estimate>, StepError> {
        chart::check(site.system, &site.now.x.v, h)?;
        self.tried = h;
        let (now, first) = (&site.now.x, &mut self.k[0]);
        first.delta.copy_from_slice(&now.v);
        first.v.copy_from_slice(&now.a);
        first.x.copy_from_slice(&now.x_dot);
        site.next.x.memory.copy_from(&now.memory);
        let done = self.stages(site, h);
        done.map_err(|error| runaway(&site.next.x).or_else(|| leap(site, h)).unwrap_or_else(|| error.into()))?;
        if let Some(error) = runaway(&site.next.x) {
            return Err(error);
        }
        // The rotation (1) of the projected end is known up to half a turn.
        chart::check(site.system, &site.next.x.v, h)?;
        self.end.copy_from_slice(&self.delta);
        site.next.x.t = site.now.x.t + h;
        site.next.u.copy_from_slice(&site.next.x.a);
        site.next.w.copy_from_slice(&site.next.x.x_dot);
        let Some(tolerance) = tolerance else { return Ok(None) };
        site.weigh();
        let ratio = self.estimate(site, h) / tolerance;
        Ok(Some(Estimate { ratio, order: EMBEDDED, next: (ratio, EMBEDDED) }))
    }

    fn error_of(&self, site: &Site, entry: usize) -> f64 {
        let sizes = site.sizes();
        (self.error[entry] * site.weights[entry]).abs().max(sizes.of_rate(&self.error_v, entry))
    }

    fn first_step(&self, site: &Site, change: &Change, probe: f64, tolerance: f64) -> f64 {
        change.time_scale(site.sizes(), probe) * tolerance.powf(1.0 / (EMBEDDED as f64 + 1.0))
    }

    fn between(&self, site: &Site, t: f64) -> Option<State> {
        let (now, next) = (&site.now.x, &site.next.x);
        let s = (t - now.t) / self.tried;
        let (mut out, mut delta) = (next.clone(), self.end.clone());
        for k in 0..now.v.len() {
            delta[k] = self.within(s, self.end[k], |slope| slope.delta[k]);
            out.v[k] = now.v[k] + self.within(s, next.v[k] - now.v[k], |slope| slope.v[k]);
            out.a[k] = (1.0 - s) * now.a[k] + s * next.a[k];
        }
        site.system.retract(&now.q, &delta, &mut out.q);
        for k in 0..now.x.len() {
            out.x[k] = now.x[k] + self.within(s, next.x[k] - now.x[k], |slope| slope.x[k]);
            out.x_dot[k] = (1.0 - s) * now.x_dot[k] + s * next.x_dot[k];
        }
        for (l, (a, b)) in out.lambda.iter_mut().zip(now.lambda.iter().zip(&next.lambda)) {
            *l = (1.0 - s) * a + s * b;
        }
        out.t = t;
        Some(out)
    }
}

/// Velocities this many times larger than the accelerations at the start of a step account for are no motion.
const LEAP: f64 = 10.0;
/// Velocities (m/s, rad/s) and accelerations beyond these are no motion.
const FASTEST: f64 = 1e12;
const RUNAWAY: f64 = 1e100;

/// The failure of a state that has grown beyond all bounds.
fn runaway(x: &State) -> Option<StepError> {
    let bounded = x.is_finite() && largest(&x.v) < FASTEST && largest(&x.a) < RUNAWAY;
    (!bounded).then(without_bound)
}

/// A stage that cannot be completed because velocities have leapt far beyond what accelerations make of them.
fn leap(site: &Site, h: f64) -> Option<StepError> {
    let (now, next) = (&site.now.x, &site.next.x);
    (largest(&next.v) > LEAP * (largest(&now.v) + h * largest(&now.a))).then(without_bound)
}

fn without_bound() -> StepError {
    let fault = "the motion grows without bound: the step is too large for an explicit method and the stiffest force of the model";
    StepError::NotFinite { fault: fault.into() }
}

/// Σ f_j (value of slope j).
fn sum(factors: &[f64], slopes: &[Slope], value: impl Fn(&Slope) -> f64) -> f64 {
    factors.iter().zip(slopes).map(|(f, s)| f * value(s)).sum()
}
