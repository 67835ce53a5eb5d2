//! Radau IIA of order 5: collocation at three points of a step, the last one its end.
//!
//! ```text
//! T(δ_i) δ̇_i = v_i,    M v̇_i + f_i = 0,    Φ_i = 0,    ẋ_i = f_x,i        at t_n + c_i h,  i = 1, 2, 3                    (1)
//! ```
//!
//! with q = q_n ⊕ δ and δ, v, x polynomials of degree 3 (`stages`). Stiffly accurate and L-stable. Order in q, v, λ: 5, 5, 3 in the
//! stabilised index-2 formulation, which is the default; 5, 3, 2 with index 3. The three stages are solved as one real and one complex system
//! (`equations`, `newton`). The error is that of an embedded formula of order 3 (`error`): the solution itself is more accurate.
//! Reference: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.8 and VII.4; Hairer, Lubich, Roche, doi:10.1007/BFb0093947.

mod coupled;
mod dense;
mod equations;
mod error;
mod newton;
mod stages;
mod tableau;

use super::advance::{Advance, Estimate, Site};
use super::start::Change;
use super::{Formulation, Law, Method, Options, StepControl, StepError, chart};
use crate::newton::name;
use crate::system::{KktError, Rebuilds, State, System};
use error::{ErrorEstimate, Filter};
use newton::{Newton, Task};
use stages::Stages;
use tableau::{STAGES, Tableau};

/// Newton iterations take a larger ε than one-shot solves, as in `implicit`.
const NEWTON_REGULARIZATION: f64 = 100.0;
/// The embedded formula's order.
const EMBEDDED: usize = 3;
/// With redundant constraints steps may grow by this, however slow iterations are.
const REDUNDANT: f64 = 2.0;

/// An attempt that is this much shorter than the one before, from the same state, should have an error that is smaller by more than this.
const SHORTER: f64 = 0.6;
const SAME: f64 = 0.9;
/// Steps are guessed from the last one up to this many times its size: polynomials of shorter ones lead anywhere.
const FORESEEN: f64 = 10.0;
/// Steps that one matrix does not serve are made shorter so many times where their velocities are off. After that it is a singular
/// configuration, where errors of velocities show only round-off of positions.
const HOPELESS: usize = 2;
/// The most that round-off makes of velocities there, against their sizes; more is a step into another branch of the motion.
const NOISE: f64 = 1e-2;

/// Positions may leave what velocities make of them by this part of it.
const SHIFTED: f64 = 0.1;

/// Radau IIA with three stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Radau;

impl Method for Radau {
    fn name(&self) -> &'static str {
        "radau"
    }
    fn summary(&self) -> &'static str {
        "Radau IIA: order 5, for accurate and for stiff solutions"
    }
    fn order(&self) -> usize {
        5
    }
    fn at_work(&self, system: &System, options: &Options) -> Box<dyn Advance> {
        Box::new(Collocation::new(system, options))
    }
    fn formulations(&self) -> &'static [Formulation] {
        &[Formulation::Index2, Formulation::Index3]
    }
    fn damping(&self) -> String {
        "full (L-stable)".into()
    }
    fn share(&self, _: f64) -> f64 {
        0.3
    }
    fn control(&self) -> StepControl {
        StepControl::with(Law::Predictive)
    }
}

/// Radau IIA at work.
#[derive(Debug)]
struct Collocation {
    tableau: Tableau,
    newton: Newton,
    estimate: ErrorEstimate,
    /// Stages of the last accepted step, if there was one, and of the attempted one.
    last: Stages,
    tried: Stages,
    started: bool,
    /// How the error of the next attempt is filtered.
    filter: Filter,
    /// Attempts from here with matrices of all stages whose velocities were too far off.
    doubts: usize,
    /// When the last attempt began, its size and its error against the tolerance.
    before: Option<(f64, f64, f64)>,
    regularization: Vec<f64>,
}

impl Collocation {
    fn new(system: &System, options: &Options) -> Self {
        Self {
            tableau: Tableau::new(),
            newton: Newton::new(system, options.threads),
            estimate: ErrorEstimate::new(system),
            last: Stages::new(system),
            tried: Stages::new(system),
            started: false,
            filter: Filter::Twice,
            doubts: 0,
            before: None,
            regularization: Vec::new(),
        }
    }

    /// Solves for the stages; where the first guess leads nowhere, once more from uniform motion, then from the first guess with
    /// matrices of all stages.
    fn solve(&mut self, site: &mut Site, h: f64, allowed: f64) -> Result<(), StepError> {
        let Self { tableau, newton, last, tried, regularization, .. } = self;
        let (moving, states) = site.weights.split_at(site.system.nv());
        let sizes = super::Sizes { moving, rates: &site.rates, states };
        let task = Task { system: site.system, tableau, now: &site.now, options: &site.options, regularization, sizes, allowed };
        let continued = self.started && h <= FORESEEN * last.h;
        let guess = |tried: &mut Stages| match continued {
            true => tried.extrapolate(tableau, last, &site.now.x, h),
            false => tried.hold(tableau, &site.now.x, h),
        };
        guess(tried);
        let mut outcome = newton.solve(&task, tried, &mut site.next, &mut site.work);
        if matches!(outcome, Err(StepError::NotConverged { .. })) {
            tried.coast(tableau, &site.now.x, h);
            outcome = newton.solve(&task, tried, &mut site.next, &mut site.work);
        }
        if matches!(outcome, Err(StepError::NotConverged { .. } | StepError::Singular { .. })) {
            guess(tried);
            outcome = newton.solve_coupled(&task, tried, &mut site.next, &mut site.work);
        }
        outcome
    }

    /// The error of the attempted step against the tolerance.
    fn ratio(&mut self, site: &mut Site, tolerance: f64) -> Result<f64, StepError> {
        site.weigh();
        // In very short steps errors of velocities show only round-off of positions, divided by h.
        let known = site.sizes().round_off(self.tried.h) <= tolerance;
        let ratio = self.ratio_of(site, tolerance, known)?.max(self.leap(site, tolerance));
        let before = self.before.replace((site.now.x.t, self.tried.h, ratio));
        let shorter = before.is_some_and(|(t, h, error)| t == site.now.x.t && self.tried.h <= SHORTER * h && ratio > SAME * error);
        let inherits = site.options.formulation == Formulation::Index3 && site.system.rows() > 0;
        if inherits && shorter && ratio > 1.0 {
            // With index 3, violated velocities that shorter steps do not make smaller were there before the step.
            return Ok(self.ratio_of(site, tolerance, false)?.max(self.leap(site, tolerance)));
        }
        if !(known && self.newton.was_coupled && ratio > 1.0) {
            return Ok(ratio);
        }
        self.doubts += 1;
        let noise = self.doubts > HOPELESS && ratio * tolerance <= NOISE;
        if noise { self.ratio_of(site, tolerance, false) } else { Ok(ratio) }
    }

    /// By how much positions leave what velocities make of them, against a part of that and the tolerance: much where a step has leapt to
    /// another branch of the motion. Errors that satisfy the constraints know nothing of it in a mechanism that is driven throughout.
    fn leap(&self, site: &Site, tolerance: f64) -> f64 {
        let (h, moving) = (self.tried.h, site.sizes().moving);
        let (shifted, moved) = self.tried.shifted_and_moved(moving);
        h * shifted / (SHIFTED * h * moved + tolerance)
    }

    /// The same, with or without velocities.
    fn ratio_of(&mut self, site: &mut Site, tolerance: f64, velocities: bool) -> Result<f64, StepError> {
        let Self { tableau, newton, estimate, tried, regularization, filter, .. } = self;
        let (moving, states) = site.weights.split_at(site.system.nv());
        let sizes = super::Sizes { moving, rates: if velocities { &site.rates } else { &[] }, states };
        let task = Task { system: site.system, tableau, now: &site.now, options: &site.options, regularization, sizes, allowed: 0.0 };
        let ratio = estimate.estimate(&task, tried, &mut newton.equations, *filter, tolerance, &mut site.work);
        ratio.map_err(|error| name(&mut site.system.evaluate(&site.next.x, &mut site.work), error))
    }

    /// Writes the end of the step.
    fn finish(&mut self, site: &mut Site, h: f64) {
        let end = &self.tried.x[STAGES - 1];
        site.next.x.copy_from(end);
        site.next.x.t = site.now.x.t + h;
        site.next.u.copy_from_slice(&end.a);
        site.next.w.copy_from_slice(&end.x_dot);
        site.violation = self.newton.violation;
    }

    fn count(&mut self, site: &mut Site) {
        let s = &mut site.statistics;
        let equations = &mut self.newton.equations;
        s.newton_iterations += std::mem::take(&mut self.newton.iterations);
        s.evaluations += std::mem::take(&mut equations.evaluations);
        s.jacobians += std::mem::take(&mut equations.jacobians);
        s.factorizations = equations.factorizations();
        let Rebuilds { patterns, searches, .. } = equations.jacobian.rebuilds();
        (s.patterns, s.orders) = (patterns, searches);
    }
}

impl Advance for Collocation {
    fn start(&mut self, site: &mut Site, _h: f64) -> Result<(), KktError> {
        self.regularization = site.kkt.regularization.iter().map(|e| NEWTON_REGULARIZATION * e).collect();
        (self.started, self.filter) = (false, Filter::Twice);
        self.newton.reset();
        self.doubts = 0;
        Ok(())
    }

    fn attempt(&mut self, site: &mut Site, h: f64, tolerance: Option<f64>) -> Result<Option<Estimate>, StepError> {
        chart::check(site.system, &site.now.x.v, h)?;
        let solved = self.solve(site, h, tolerance.map_or(0.0, newton::allowed));
        self.count(site);
        solved?;
        self.finish(site, h);
        chart::check(site.system, &site.next.x.v, h)?;
        let Some(tolerance) = tolerance else { return Ok(None) };
        let ratio = self.ratio(site, tolerance)?;
        self.count(site);
        self.filter = if ratio > 1.0 { Filter::Twice } else { Filter::Once };
        // Redundant constraints contract at rates of their own, which shorter steps do not change.
        let least = if self.regularization.is_empty() { 0.0 } else { REDUNDANT };
        let next = ratio.max(self.newton.room().max(least).powi(-(EMBEDDED as i32) - 1));
        Ok(Some(Estimate { ratio, order: EMBEDDED, next: (next, EMBEDDED) }))
    }

    fn accept(&mut self, site: &mut Site) {
        std::mem::swap(&mut self.last, &mut self.tried);
        self.last.end_with_reactions(&site.now.x.lambda);
        self.started = true;
        self.doubts = 0;
    }

    fn failed(&mut self) {
        self.newton.reset();
        self.filter = Filter::Twice;
    }

    fn error_of(&self, site: &Site, entry: usize) -> f64 {
        let position = (self.estimate.error[entry] * site.weights[entry]).abs();
        position.max(site.sizes().of_rate(&self.estimate.error_v, entry))
    }

    fn first_step(&self, site: &Site, change: &Change, probe: f64, tolerance: f64) -> f64 {
        change.time_scale(site.sizes(), probe) * tolerance.powf(1.0 / (EMBEDDED as f64 + 1.0))
    }

    fn between(&self, site: &Site, t: f64) -> Option<State> {
        Some(dense::between(site.system, &self.tableau, &self.tried, &site.now, &site.next.x, t))
    }
}
