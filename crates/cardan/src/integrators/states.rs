//! Differential states in a step: with an unknown w for each, as u is for velocities,
//!
//! ```text
//! x_{n+1} = x_n + h ((1 − θ) w_n + θ w_{n+1}),     ẋ_{n+1} = A w_n + B ẋ_n + R w_{n+1},     ẋ_{n+1} = f_{n+1}      (1)
//! ```
//!
//! A + B + R = 1. For equal steps w_n = ẋ + κ h ẍ + μ h² x⃛ at t_n, and comparing Taylor series in (1) gives
//!
//! ```text
//! κ = (1 − R)/(A + R),     μ = (½ − R (½ + κ))/(A + R)                                                            (2)
//! local error in x:   (θ + κ − ½) h Δw + C h Δ²w,     C = μ + θ (½ + κ) − 1/6                                      (3)
//! ```
//!
//! with the first and second differences of w. The first term vanishes for methods of order 2. Where steps change, w_n stands for the rate at
//! t_n + o_n with
//!
//! ```text
//! o_{n+1} = ((1 − R) h − A o_n)/R                                                                                  (4)
//! ```
//!
//! and its slope is that over the times between: a change of h would otherwise look like a bend of w, of order h in place of h².

/// The numbers of (1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StateScheme {
    /// θ.
    pub theta: f64,
    /// R = ∂ẋ/∂w.
    pub rate: f64,
    /// A.
    pub of_auxiliary: f64,
    /// B.
    pub of_rate: f64,
}

impl StateScheme {
    /// κ: w_n stands for the rate at t_n + κ h (2).
    pub fn offset(&self) -> f64 {
        (1.0 - self.rate) / (self.of_auxiliary + self.rate)
    }

    /// How far after the end of a step of size h its w stands (4), if the one before stood `offset` after the start.
    pub fn next_offset(&self, h: f64, offset: f64) -> f64 {
        ((1.0 - self.rate) * h - self.of_auxiliary * offset) / self.rate
    }

    /// The factors of h Δw and h Δ²w in the local error (3).
    pub fn error_constants(&self) -> [f64; 2] {
        let kappa = self.offset();
        let mu = (0.5 - self.rate * (0.5 + kappa)) / (self.of_auxiliary + self.rate);
        [self.theta + kappa - 0.5, mu + self.theta * (0.5 + kappa) - 1.0 / 6.0]
    }

    /// The parts of x and ẋ that do not depend on w, from x, ẋ and w before the step (1).
    pub fn known(&self, h: f64, from: (f64, f64, f64)) -> (f64, f64) {
        let (x, x_dot, w0) = from;
        (x + h * (1.0 - self.theta) * w0, self.of_auxiliary * w0 + self.of_rate * x_dot)
    }
}

#[cfg(test)]
mod tests {
    use crate::integrators::{GeneralizedAlpha, Hht, Method, Newmark, NewmarkType, StateScheme, StepRatio};

    /// The error of one step along x = t³, from w as equation 2 has it, is what equation 3 says.
    #[test]
    fn the_local_error_of_a_cubic_is_as_predicted() {
        check(&Newmark::default());
        check(&Hht::default());
        check(&GeneralizedAlpha::default());
    }

    fn check<M: NewmarkType + Method>(method: &M) {
        let h = 0.1_f64;
        let s: StateScheme = method.scheme(StepRatio::FIRST).states;
        let kappa = s.offset();
        let mu = (0.5 - s.rate * (0.5 + kappa)) / (s.of_auxiliary + s.rate);
        let w = |t: f64| 3.0 * t * t + kappa * h * 6.0 * t + mu * h * h * 6.0;
        let (t, from) = (1.0_f64, (1.0, 3.0, w(1.0)));
        let next = t + h;
        let (x, x_dot) = s.known(h, from);
        let (x, x_dot) = (x + s.theta * h * w(next), x_dot + s.rate * w(next));
        assert!((x_dot - 3.0 * next * next).abs() < 1e-12, "{}: rate", method.name());
        let [first, second] = s.error_constants();
        let predicted = first * h * (w(next) - w(t)) + second * h * (w(next) - 2.0 * w(t) + w(t - h));
        assert!((x - next.powi(3) - predicted).abs() < 1e-12, "{}: value", method.name());
        assert!((first == 0.0 || first.abs() < 1e-15) == (method.order() == 2), "{}: order", method.name());
    }
}
