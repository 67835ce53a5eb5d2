//! Integrals of quantities that are known one time after another, at times that are not evenly spaced.
//!
//! ```text
//! ∫ p dt over an interval of length h ≈ h (p_k + p_{k+1})/2 − h³/6 · p[…]                                          (1)
//! ```
//!
//! with p[…] the mean of the second divided differences over the interval and its neighbour on either side: exact for quadratic p, and of
//! order 4 where intervals are equal. The first term alone is the trapezoidal rule; the second one tells how well the
//! integral is known. Intervals of very different lengths are no neighbours: differences over a short one are mostly round-off.
//! Reference: Davis, Rabinowitz, Methods of Numerical Integration, section 2.3 (overlapping parabolas).

/// Neighbouring intervals differ by less than this factor.
const RATIO: f64 = 10.0;

/// The intervals that all integrals share.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Intervals {
    t: f64,
    /// Length of the last interval; zero at the start.
    last: f64,
    nodes: usize,
}

/// The part of a new node that all integrals share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    /// Its length and that of the one before.
    lengths: [f64; 2],
    /// How many intervals before it are neighbours: none, one, more.
    before: usize,
}

impl Intervals {
    /// Whether there is no node yet.
    pub fn is_empty(&self) -> bool {
        self.nodes == 0
    }

    /// The last node.
    pub fn end(&self) -> f64 {
        self.t
    }

    /// Starts anew at a time.
    pub fn start(&mut self, t: f64) {
        *self = Self { t, last: 0.0, nodes: 1 };
    }

    /// Ends here: the next node is the first one of others.
    pub fn stop(&mut self) {
        self.nodes = 0;
    }

    /// The interval up to a time.
    pub fn add(&mut self, t: f64) -> Interval {
        let h = t - self.t;
        if self.nodes > 1 && !(self.last < RATIO * h && h < RATIO * self.last) {
            self.nodes = 1;
        }
        let interval = Interval { lengths: [h, self.last], before: self.nodes - 1 };
        *self = Self { t, last: h, nodes: self.nodes + 1 };
        interval
    }
}

/// One integral (1).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Integral {
    p: f64,
    slope: f64,
    second: f64,
    trapezoidal: f64,
    /// The second terms of (1) up to the last interval, and that of the last one as far as it is known.
    correction: f64,
    pending: f64,
}

impl Integral {
    /// The first value after a start.
    pub fn start(&mut self, p: f64) {
        self.correction += std::mem::take(&mut self.pending);
        self.p = p;
    }

    /// The value at the end of an interval. Says how far the trapezoidal rule may be off where there is no neighbour to tell: by all of the
    /// change, as where a stiff damper takes at once what it was given at the start.
    pub fn add(&mut self, interval: Interval, p: f64) -> f64 {
        let Interval { lengths: [h, last], before } = interval;
        self.trapezoidal += 0.5 * h * (p + self.p);
        let doubt = if before == 0 { 0.5 * h * (p - self.p).abs() } else { 0.0 };
        let slope = (p - self.p) / h;
        if before == 0 {
            self.correction += std::mem::take(&mut self.pending);
        } else {
            let second = (slope - self.slope) / (h + last);
            let mean = if before == 1 { second } else { 0.5 * (second + self.second) };
            self.correction -= last.powi(3) / 6.0 * mean;
            self.pending = -h.powi(3) / 6.0 * second;
            self.second = second;
        }
        (self.slope, self.p) = (slope, p);
        doubt
    }

    /// The integral.
    pub fn value(&self) -> f64 {
        self.trapezoidal + self.correction()
    }

    /// Its difference from the trapezoidal rule.
    pub fn correction(&self) -> f64 {
        self.correction + self.pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integrated(times: &[f64], p: impl Fn(f64) -> f64) -> Integral {
        let (mut intervals, mut integral) = (Intervals::default(), Integral::default());
        intervals.start(times[0]);
        integral.start(p(times[0]));
        for t in &times[1..] {
            let interval = intervals.add(*t);
            integral.add(interval, p(*t));
        }
        integral
    }

    #[test]
    fn quadratic_powers_are_integrated_exactly_over_uneven_intervals() {
        let value = integrated(&[0.0, 0.3, 0.4, 0.9, 1.1, 2.0], |t| 3.0 * t * t - 2.0 * t + 1.0).value();
        assert!((value - 6.0).abs() < 1e-14, "{value}");
    }

    #[test]
    fn the_order_is_four_over_equal_intervals_and_the_correction_is_the_error_of_the_trapezoidal_rule() {
        let run = |n: usize| integrated(&(0..=n).map(|k| k as f64 / n as f64).collect::<Vec<_>>(), f64::exp);
        let error = |n: usize| (run(n).value() - (1f64.exp() - 1.0)).abs();
        assert!(error(20) / error(40) > 13.0, "{:e} {:e}", error(20), error(40));
        let trapezoidal = (run(40).value() - run(40).correction() - (1f64.exp() - 1.0)).abs();
        assert!((run(40).correction().abs() / trapezoidal - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_tiny_interval_does_not_blow_up_noise() {
        let value = integrated(&[0.0, 1.0, 1.0 + 1e-9, 2.0, 3.0], |t| 1.0 + 1e-6 * (1e9 * t).sin()).value();
        assert!((value - 3.0).abs() < 1e-5, "{value}");
    }
}
