//! Intervals: between which values an operation stays while its operands stay within theirs.
//!
//! ```text
//! φ([a, b]) ⊇ { φ(x) : a ≤ x ≤ b }                                                                            (1)
//! ```
//!
//! so that nothing a function does between two times can be missed, however short it is. Bounds may be wider than need be where a value
//! enters an expression more than once; they shrink with the intervals. Round-off is not looked after: bounds are for finding, not for proving.
//! Reference: Moore, Kearfott, Cloud, Introduction to Interval Analysis, SIAM 2009, doi:10.1137/1.9780898717716.

use super::primitives::{Binary, Unary};
use super::spline::Curve;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// All numbers from `low` to `high`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// Every number.
    pub const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub fn new(low: f64, high: f64) -> Self {
        if low.is_nan() || high.is_nan() { Self::ALL } else { Self { low, high } }
    }

    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    pub fn is_point(self) -> bool {
        self.low == self.high
    }

    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// The smallest interval with both.
    pub fn hull(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    fn of(values: &[f64]) -> Self {
        if values.iter().any(|x| x.is_nan()) {
            return Self::ALL;
        }
        Self::new(values.iter().copied().fold(f64::INFINITY, f64::min), values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    /// Under a function that rises or falls all the way.
    fn monotone(self, f: impl Fn(f64) -> f64) -> Self {
        Self::of(&[f(self.low), f(self.high)])
    }

    fn neg(self) -> Self {
        Self::new(-self.high, -self.low)
    }

    /// Of a wave of amplitude 1 with its crests at `crest` + 2πk.
    fn wave(self, crest: f64, f: impl Fn(f64) -> f64) -> Self {
        if self.high - self.low >= TAU {
            return Self::new(-1.0, 1.0);
        }
        let passes = |at: f64| ((self.high - at) / TAU).floor() >= ((self.low - at) / TAU).ceil();
        let ends = self.monotone(f);
        Self::new(if passes(crest + PI) { -1.0 } else { ends.low }, if passes(crest) { 1.0 } else { ends.high })
    }

    /// Of a function that falls up to zero and rises from there on.
    fn bowl(self, f: impl Fn(f64) -> f64) -> Self {
        let ends = self.monotone(&f);
        if self.contains(0.0) { Self::new(f(0.0), ends.high) } else { ends }
    }

    /// Whether it is true, false or either.
    fn truth(holds: bool, fails: bool) -> Self {
        match (holds, fails) {
            (true, _) => Self::point(1.0),
            (_, true) => Self::point(0.0),
            _ => Self::new(0.0, 1.0),
        }
    }

    /// Of a spline, from its values at the ends and at the knots and extrema between.
    pub fn spline(self, curve: &Curve, order: u8) -> Self {
        if !(self.low.is_finite() && self.high.is_finite()) {
            return Self::ALL;
        }
        let (low, high) = curve.bounds(order, self.low, self.high);
        Self::new(low, high)
    }
}

impl Unary {
    /// Equation (1).
    pub fn interval(self, x: Interval) -> Interval {
        let any = x.low == f64::NEG_INFINITY || x.high == f64::INFINITY;
        match self {
            Self::Neg => x.neg(),
            Self::Not => Interval::truth(x == Interval::point(0.0), !x.contains(0.0)),
            Self::Sin | Self::Cos if any => Interval::new(-1.0, 1.0),
            Self::Sin => x.wave(FRAC_PI_2, f64::sin),
            Self::Cos => x.wave(0.0, f64::cos),
            Self::Tan if any || ((x.high + FRAC_PI_2) / PI).floor() != ((x.low + FRAC_PI_2) / PI).floor() => Interval::ALL,
            Self::Cosh => x.bowl(f64::cosh),
            Self::Abs => x.bowl(f64::abs),
            Self::Asin | Self::Acos if x.low < -1.0 || x.high > 1.0 => Interval::ALL,
            Self::Ln | Self::Log10 | Self::Sqrt if x.low < 0.0 => Interval::ALL,
            _ => x.monotone(|x| self.jet(x).v),
        }
    }
}

impl Binary {
    /// Equation (1).
    pub fn interval(self, x: Interval, y: Interval) -> Interval {
        let corners = |f: &dyn Fn(f64, f64) -> f64| Interval::of(&[f(x.low, y.low), f(x.low, y.high), f(x.high, y.low), f(x.high, y.high)]);
        match self {
            Self::Add => Interval::new(x.low + y.low, x.high + y.high),
            Self::Sub => Interval::new(x.low - y.high, x.high - y.low),
            Self::Mul => corners(&product),
            Self::Div if y.contains(0.0) => Interval::ALL,
            Self::Div => corners(&|x, y| x / y),
            Self::Pow => power(x, y),
            Self::Rem => remainder(x, y),
            Self::Atan2 if y.low <= 0.0 && x.contains(0.0) => Interval::new(-PI, PI),
            Self::Atan2 => corners(&f64::atan2),
            Self::Min => Interval::new(x.low.min(y.low), x.high.min(y.high)),
            Self::Max => Interval::new(x.low.max(y.low), x.high.max(y.high)),
            Self::Less => Interval::truth(x.high < y.low, x.low >= y.high),
            Self::LessEqual => Interval::truth(x.high <= y.low, x.low > y.high),
            Self::Equal => Interval::truth(x.is_point() && x == y, x.high < y.low || y.high < x.low),
            Self::NotEqual => Interval::truth(x.high < y.low || y.high < x.low, x.is_point() && x == y),
            Self::And => Interval::truth(!x.contains(0.0) && !y.contains(0.0), x == Interval::point(0.0) || y == Interval::point(0.0)),
            Self::Or => Interval::truth(!x.contains(0.0) || !y.contains(0.0), x == Interval::point(0.0) && y == Interval::point(0.0)),
        }
    }
}

/// x·y with 0·∞ = 0, as bounds want it.
fn product(x: f64, y: f64) -> f64 {
    if x == 0.0 || y == 0.0 { 0.0 } else { x * y }
}

fn power(x: Interval, y: Interval) -> Interval {
    let whole = y.is_point() && y.low.fract() == 0.0;
    let n = y.low;
    match () {
        () if whole && n % 2.0 == 0.0 && n >= 0.0 => x.bowl(|x| x.powf(n)),
        () if whole && n >= 0.0 => x.monotone(|x| x.powf(n)),
        () if x.low > 0.0 || (x.low == 0.0 && y.low >= 0.0) => {
            Interval::of(&[x.low.powf(y.low), x.low.powf(y.high), x.high.powf(y.low), x.high.powf(y.high)])
        }
        () => Interval::ALL,
    }
}

fn remainder(x: Interval, y: Interval) -> Interval {
    let turns = |x: f64| (x / y.low).trunc();
    if y.is_point() && y.low != 0.0 && turns(x.low) == turns(x.high) {
        return x.monotone(|x| x % y.low);
    }
    let most = y.low.abs().max(y.high.abs());
    Interval::new(if x.low < 0.0 { -most } else { 0.0 }, if x.high > 0.0 { most } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    const UNARY: [Unary; 18] = [
        Unary::Neg,
        Unary::Not,
        Unary::Sin,
        Unary::Cos,
        Unary::Tan,
        Unary::Asin,
        Unary::Acos,
        Unary::Atan,
        Unary::Sinh,
        Unary::Cosh,
        Unary::Tanh,
        Unary::Exp,
        Unary::Ln,
        Unary::Log10,
        Unary::Sqrt,
        Unary::Abs,
        Unary::Aint,
        Unary::Anint,
    ];
    const BINARY: [Binary; 15] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::Pow,
        Binary::Rem,
        Binary::Atan2,
        Binary::Min,
        Binary::Max,
        Binary::Less,
        Binary::LessEqual,
        Binary::Equal,
        Binary::NotEqual,
        Binary::And,
        Binary::Or,
    ];

    fn inside(random: &mut Random, i: Interval) -> f64 {
        if i.is_point() { i.low } else { random.range(i.low, i.high) }
    }

    fn some(random: &mut Random) -> Interval {
        let (a, b) = (random.range(-4.0, 4.0), random.range(-4.0, 4.0));
        match random.range(0.0, 4.0) as usize {
            0 => Interval::point(a.round()),
            1 => Interval::point(a),
            _ => Interval::new(a.min(b), a.max(b)),
        }
    }

    #[test]
    fn no_value_is_outside() {
        let mut random = Random::new(5);
        for _ in 0..4000 {
            let (x, y) = (some(&mut random), some(&mut random));
            let (a, b) = (inside(&mut random, x), inside(&mut random, y));
            let within = |value: f64, bounds: Interval| {
                let slack = 1e-12 * (1.0 + value.abs());
                value.is_nan() || bounds.contains(value) || (bounds.low - slack <= value && value <= bounds.high + slack)
            };
            for f in UNARY {
                assert!(within(f.jet(a).v, f.interval(x)), "{f:?} of {a} in {x:?}: {} not in {:?}", f.jet(a).v, f.interval(x));
            }
            for f in BINARY {
                let (value, bounds) = (f.jet(a, b).v, f.interval(x, y));
                assert!(within(value, bounds), "{f:?} of {a}, {b} in {x:?}, {y:?}: {value} not in {bounds:?}");
            }
        }
    }

    #[test]
    fn bounds_are_close_where_nothing_enters_twice() {
        assert_eq!(Unary::Sin.interval(Interval::new(0.1, 0.2)), Interval::new(0.1f64.sin(), 0.2f64.sin()));
        assert_eq!(Unary::Cos.interval(Interval::new(-0.1, 0.2)).high, 1.0);
        assert_eq!(Binary::Pow.interval(Interval::new(-3.0, 2.0), Interval::point(2.0)), Interval::new(0.0, 9.0));
        assert_eq!(Binary::Rem.interval(Interval::new(7.0, 7.5), Interval::point(3.0)), Interval::new(1.0, 1.5));
    }
}
