//! Choice of the step size from the error estimate, after the papers' summary of key formulas:
//!
//! ```text
//! √Θ = C h² ‖u_{n+1} − u_n‖ / ε       (‖·‖ the weighted root mean square)                        (36a, 47a)
//! accept iff Θ ≤ 1,     h_new = s h / Θ^{1/6},   s = 0.9                                            (36c–d, 47c–d)
//! ```
//!
//! for methods of order 2; of order p, √Θ is raised to 1/(p + 1).
//!
//! The change of h in one step is limited. Methods that pay nothing for a change of h take it as it comes, or smoothed by the error before
//! (a proportional and integral controller),
//!
//! ```text
//! h_new = h (s/Θ)^{k_I} (Θ_before/Θ)^{k_P},   k_I = 0.3/(p + 1), k_P = 0.4/(p + 1) on √Θ                             (1)
//! ```
//!
//! after Gustafsson, doi:10.1145/210232.210242, as long as errors are not far below the tolerance, or where the error has grown as it may
//! grow on, by his predictive controller,
//!
//! ```text
//! h_new = s h min(Θ^{−1/(2p+2)},  h_n/h_{n−1} (Θ_before/Θ²)^{1/(2p+2)})                                              (2)
//! ```
//!
//! For the others, small increases are not made, and after a change h is kept for a few steps before it
//! grows again: every change of h stirs up the multipliers of an index-3 method, which looks like error, and costs a Jacobian.

use super::advance::Estimate;

/// Safety factor s.
const SAFETY: f64 = 0.9;
/// Limits of the change in one step.
const LIMITS: (f64, f64) = (0.2, 2.0);
/// The highest change of controllers that know the error before.
const LEAP: f64 = 8.0;
/// Errors below this part of the tolerance call for larger steps rather than for smooth ones.
const FAR: f64 = 1e-2;
/// Increases below this factor are not worth a new Jacobian.
const WORTHWHILE: f64 = 1.1;
/// The same where a Jacobian is two matrices.
const WORTHWHILE_TWICE: f64 = 1.2;

/// Steps that h is kept after a change before it grows again (unless it may double).
const SETTLE: usize = 3;

/// How steps follow from errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Law {
    /// Changes are rare.
    #[default]
    Steady,
    /// The formula as it is.
    Elementary,
    /// With the error before (1).
    ProportionalIntegral,
    /// With the growth of the error (2); small increases are not made.
    Predictive,
}

/// The step-size controller.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepControl {
    law: Law,
    /// √Θ of the last accepted step, and its size.
    before: Option<(f64, f64)>,
    rejected_before: bool,
    /// Accepted steps since h last changed.
    steady: usize,
}

impl StepControl {
    /// With this law.
    pub fn with(law: Law) -> Self {
        Self { law, ..Self::default() }
    }

    /// The next step size after a step of size `h` with this error; says whether the step is accepted.
    pub fn decide(&mut self, h: f64, estimate: Estimate) -> (bool, f64) {
        let accepted = estimate.ratio <= 1.0;
        let (ratio, order) = if accepted { estimate.next } else { (estimate.ratio, estimate.order) };
        let wanted = self.wanted(h, ratio, order as f64 + 1.0, accepted);
        let highest = match self.law {
            _ if self.rejected_before => 1.0,
            Law::Predictive | Law::ProportionalIntegral => LEAP,
            _ => LIMITS.1,
        };
        let mut factor = wanted.clamp(LIMITS.0, highest);
        if accepted && factor > 1.0 && self.kept(factor) {
            factor = 1.0;
        }
        self.steady = if factor == 1.0 { self.steady + 1 } else { 0 };
        self.rejected_before = !accepted;
        (accepted, h * factor)
    }

    /// The change of h before it is limited; the error falls as h^k.
    fn wanted(&mut self, h: f64, ratio: f64, k: f64, accepted: bool) -> f64 {
        let before = if accepted { self.before.replace((ratio, h)) } else { None };
        let elementary = SAFETY / ratio.powf(1.0 / k).max(1e-10);
        let ratio = ratio.max(1e-10);
        match (self.law, before) {
            (Law::ProportionalIntegral, Some((before, _))) if ratio > FAR => {
                (SAFETY / ratio).powf(0.3 / k) * (before.max(1e-10) / ratio).powf(0.4 / k)
            }
            (Law::Predictive, Some((before, last))) => {
                elementary.min(SAFETY * h / last * (before.max(1e-2) / (ratio * ratio)).powf(1.0 / k))
            }
            _ => elementary,
        }
    }

    /// Whether h is kept although it could grow by this factor.
    fn kept(&self, factor: f64) -> bool {
        match self.law {
            Law::Steady => factor < WORTHWHILE || (self.steady < SETTLE && factor < LIMITS.1),
            Law::Predictive => factor < WORTHWHILE_TWICE,
            Law::Elementary | Law::ProportionalIntegral => false,
        }
    }

    /// The step size after the corrector failed.
    pub fn after_failure(&mut self, h: f64) -> f64 {
        (self.rejected_before, self.before) = (true, None);
        0.25 * h
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_the_formula_within_its_limits() {
        let mut control = StepControl::default();
        let mut decide = |h: f64, ratio: f64| control.decide(h, Estimate { ratio, order: 2, next: (ratio, 2) });
        for _ in 0..3 {
            assert_eq!(decide(0.1, 0.5), (true, 0.1), "kept until it has settled");
        }
        let (accepted, h) = decide(0.1, 0.5);
        assert!(accepted && (h - 0.1 * 0.9 / 0.5_f64.cbrt()).abs() < 1e-15);
        assert_eq!(decide(0.1, 1e-9), (true, 0.2), "doubling is not put off");
        let (accepted, h) = decide(0.1, 8.0);
        assert!(!accepted && (h - 0.045).abs() < 1e-15);
        assert_eq!(decide(0.1, 1e-9), (true, 0.1), "no growth right after a rejection");
        assert_eq!(decide(0.1, 0.6), (true, 0.1), "small growth is not made");
    }

    #[test]
    fn other_laws_follow_their_formulas_at_once() {
        let estimate = |ratio: f64| Estimate { ratio, order: 1, next: (ratio, 1) };
        let mut elementary = StepControl::with(Law::Elementary);
        assert!((elementary.decide(0.1, estimate(0.8)).1 - 0.1 * 0.9 / 0.8_f64.sqrt()).abs() < 1e-15);
        let mut smoothed = StepControl::with(Law::ProportionalIntegral);
        smoothed.decide(0.1, estimate(0.5));
        let expected = 0.1 * (0.9_f64 / 0.8).powf(0.15) * (0.5_f64 / 0.8).powf(0.2);
        assert!((smoothed.decide(0.1, estimate(0.8)).1 - expected).abs() < 1e-15);
        assert!((smoothed.decide(0.1, estimate(0.0081)).1 - 0.8).abs() < 1e-15, "far below the tolerance, and within limits");
        let mut predictive = StepControl::with(Law::Predictive);
        assert!((predictive.decide(0.1, estimate(0.04)).1 - 0.45).abs() < 1e-15, "the first step knows no growth");
        assert!((predictive.decide(0.2, estimate(0.2)).1 - 0.36).abs() < 1e-15, "the error grows with h");
        let expected = 0.18 * (0.2_f64 / 0.49).sqrt();
        assert!((predictive.decide(0.2, estimate(0.7)).1 - expected).abs() < 1e-15, "it has grown without");
    }
}
