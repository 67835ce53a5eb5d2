//! Resistance to rolling and to turning about the normal: where surfaces are flattened, the normal force moves ahead of a rolling body, and friction in
//! the flat spot has a torque about the normal. With the relative angular velocity ω = ω_t + ω_n n,
//!
//! ```text
//! T = −N (a ω_t/√(|ω_t|² + ω₀²) + b ω_n n/√(ω_n² + ω₀²))                                                        (1)
//! ```
//!
//! a and b are lengths: the lever of the rolling resistance, and the lever of friction about the normal (μ times two thirds of the radius of a flat spot that
//! is evenly pressed). Below ω₀ what rolls or spins creeps instead of standing still.

/// Resistance to rolling and spinning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resistance {
    /// a, m.
    pub rolling: f64,
    /// b, m.
    pub spinning: f64,
    /// ω₀, rad/s.
    pub transition: f64,
}

impl Resistance {
    /// 1/√(s + ω₀²) with s the square of an angular velocity, and its slope.
    #[inline]
    pub fn at(&self, s: f64) -> (f64, f64) {
        let square = s + self.transition * self.transition;
        let value = 1.0 / square.sqrt();
        (value, -0.5 * value / square)
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        let Self { rolling, spinning, transition } = self;
        if !(*rolling >= 0.0 && *spinning >= 0.0 && rolling.is_finite() && spinning.is_finite()) {
            return Some(format!("levers of rolling and spinning resistance must not be negative, they are {rolling} and {spinning}"));
        }
        (!(*transition > 0.0 && transition.is_finite()))
            .then(|| format!("the angular velocity below which rolling creeps must be positive, it is {transition}"))
    }
}
