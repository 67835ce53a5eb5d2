//! Choice of the step size from the error estimate, after the papers' summary of key formulas:
//!
//! ```text
//! √Θ = C h² ‖u_{n+1} − u_n‖ / ε       (‖·‖ the weighted root mean square)                        (36a, 47a)
//! accept iff Θ ≤ 1,     h_new = s h / Θ^{1/6},   s = 0.9                                            (36c–d, 47c–d)
//! ```
//!
//! for methods of order 2; of order p, e = √Θ is raised to 1/(p + 1).
//!
//! The change of h in one step is limited. What else there is to it depends on the method ([`Law`]):
//!
//! ```text
//! h_new = s h min(e_n^{-1/(p+1)},  h_n/h_{n−1} (e_{n−1}/e_n²)^{1/(p+1)})                            predictive, Gustafsson
//! h_new = s h e_n^{−k} e_{n−1}^{b},   k = 1/(p + 1) − 0.75 b,  b = 0.04                              proportional and integral
//! ```
//!
//! References: Hairer, Wanner, Solving Ordinary Differential Equations II, IV.2 and IV.8.

use super::advance::Estimate;

/// Safety factor s.
const SAFETY: f64 = 0.9;
/// Limits of the change in one step.
const LIMITS: (f64, f64) = (0.2, 2.0);
/// The highest change of methods whose steps may change freely.
const FREE: f64 = 8.0;
/// Increases below this factor are not worth a new Jacobian.
const WORTHWHILE: f64 = 1.1;
/// The same where a Jacobian is two matrices.
const WORTHWHILE_TWICE: f64 = 1.2;

/// Steps that h is kept after a change before it grows again (unless it may double).
const SETTLE: usize = 3;
/// b of the proportional and integral law.
const INTEGRAL: f64 = 0.04;

/// How the next step follows from the errors of the last ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Law {
    /// From the last error. Small increases are not made, and after a change h is kept for a few steps before it grows again: every
    /// change of h stirs up the multipliers of an index-3 method, which looks like error, and costs a Jacobian.
    #[default]
    Settling,
    /// From the last error and how it has grown; small increases are not made.
    Predictive,
    /// From the last two errors, smoothly: for explicit methods.
    ProportionalIntegral,
}

/// The step-size controller.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepControl {
    law: Law,
    rejected_before: bool,
    /// Accepted steps since h last changed.
    steady: usize,
    /// Size and error of the last accepted step.
    last: Option<(f64, f64)>,
}

impl StepControl {
    /// With this law.
    pub fn new(law: Law) -> Self {
        Self { law, ..Self::default() }
    }

    /// The next step size after a step of size `h` with this error; says whether the step is accepted.
    pub fn decide(&mut self, h: f64, estimate: Estimate) -> (bool, f64) {
        let accepted = estimate.ratio <= 1.0;
        let (ratio, order) = if accepted { estimate.next } else { (estimate.ratio, estimate.order) };
        let highest = match self.law {
            _ if self.rejected_before => 1.0,
            Law::Settling => LIMITS.1,
            Law::Predictive | Law::ProportionalIntegral => FREE,
        };
        let mut factor = self.wanted(h, ratio, 1.0 / (order as f64 + 1.0), accepted).clamp(LIMITS.0, highest);
        if accepted && factor > 1.0 && self.kept(factor) {
            factor = 1.0;
        }
        self.steady = if factor == 1.0 { self.steady + 1 } else { 0 };
        self.rejected_before = !accepted;
        if accepted {
            self.last = Some((h, ratio));
        }
        (accepted, h * factor)
    }

    /// By which factor h is to change.
    fn wanted(&self, h: f64, ratio: f64, exponent: f64, accepted: bool) -> f64 {
        let plain = SAFETY / ratio.powf(exponent).max(1e-10);
        let Some((last_h, last)) = self.last.filter(|_| accepted) else { return plain };
        match self.law {
            Law::Settling => plain,
            Law::Predictive => plain.min(SAFETY * h / last_h * (last.max(1e-2) / ratio.max(1e-10).powi(2)).powf(exponent)),
            Law::ProportionalIntegral => {
                SAFETY * last.max(1e-4).powf(INTEGRAL) / ratio.powf(exponent - 0.75 * INTEGRAL).max(1e-10)
            }
        }
    }

    /// Whether h is kept although it could grow by this factor.
    fn kept(&self, factor: f64) -> bool {
        match self.law {
            Law::Settling => factor < WORTHWHILE || (self.steady < SETTLE && factor < LIMITS.1),
            Law::Predictive => factor < WORTHWHILE_TWICE,
            Law::ProportionalIntegral => false,
        }
    }

    /// The step size after the corrector failed.
    pub fn after_failure(&mut self, h: f64) -> f64 {
        self.rejected_before = true;
        self.last = None;
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
}
