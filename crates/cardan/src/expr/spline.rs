//! Splines through tabulated points (x_i, y_i), i = 0 … n.
//!
//! With h_i = x_{i+1} − x_i, m_i = (y_{i+1} − y_i)/h_i, slopes s_i at the points and t = x − x_i:
//!
//! ```text
//! y = y_i + s_i t + (3 m_i − 2 s_i − s_{i+1})/h_i t² + (s_i + s_{i+1} − 2 m_i)/h_i² t³          (1)
//! linear  s_i = s_{i+1} = m_i in each interval
//! cubic   h_i s_{i−1} + 2 (h_{i−1} + h_i) s_i + h_{i−1} s_{i+1} = 3 (h_i m_{i−1} + h_{i−1} m_i),
//!         2 s_0 + s_1 = 3 m_0,   s_{n−1} + 2 s_n = 3 m_{n−1}      (y″ continuous, 0 at the ends)  (2)
//! Akima   s_i = (w₁ m_{i−1} + w₂ m_i)/(w₁ + w₂),   w₁ = |m_{i+1} − m_i|,  w₂ = |m_{i−1} − m_{i−2}|,
//!         the mean where both are 0;   m_{−1} = 2 m_0 − m_1, and so on beyond the ends            (3)
//! ```
//!
//! Outside the table y goes on straight with the slope at the end, or stays at its last value.
//! Reference: Akima, J. ACM 17 (1970) 589–602, doi:10.1145/321607.321609.

use super::primitives::Jet1;
use crate::units::Dimension;

/// How a curve is laid through points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Akima's: local, little overshoot, continuous slope.
    Akima,
    /// Natural cubic: continuous curvature.
    Cubic,
    /// Straight between points.
    Linear,
}

/// What is wrong with a table of points.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SplineError {
    /// Not as many y as x.
    #[error("the spline has {x} values of x but {y} of y")]
    Lengths {
        /// How many x.
        x: usize,
        /// How many y.
        y: usize,
    },
    /// Too few points.
    #[error("a spline needs at least two points, this one has {0}")]
    TooFew(usize),
    /// A value is infinite or undefined.
    #[error("point {0} of the spline is not finite")]
    NotFinite(usize),
    /// The x do not increase.
    #[error("the x of a spline must increase, that of point {0} does not")]
    NotIncreasing(usize),
}

/// How a curve goes on outside its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extrapolation {
    /// Straight, with the slope at the end.
    #[default]
    Linear,
    /// At the last value.
    Constant,
}

/// A table of points. The function that reads it (AKISPL, CUBSPL, LINSPL) decides how the curve is laid.
#[derive(Debug, Clone, PartialEq)]
pub struct Spline {
    x: Vec<f64>,
    y: Vec<f64>,
    extrapolation: Extrapolation,
    dimensions: [Option<Dimension>; 2],
}

impl Spline {
    /// A table; x must increase.
    pub fn new(x: &[f64], y: &[f64]) -> Result<Self, SplineError> {
        check(x, y)?;
        Ok(Self { x: x.to_vec(), y: y.to_vec(), extrapolation: Extrapolation::Linear, dimensions: [None; 2] })
    }

    /// Going on like this outside the table.
    pub fn extrapolated(mut self, extrapolation: Extrapolation) -> Self {
        self.extrapolation = extrapolation;
        self
    }

    /// With these dimensions of x and y, where they are known.
    pub fn of(mut self, dimensions: [Option<Dimension>; 2]) -> Self {
        self.dimensions = dimensions;
        self
    }

    /// The dimensions of x and y, where they are known.
    pub fn dimensions(&self) -> [Option<Dimension>; 2] {
        self.dimensions
    }

    /// The x of the points.
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// The y of the points.
    pub fn y(&self) -> &[f64] {
        &self.y
    }

    /// How it goes on outside the table.
    pub fn extrapolation(&self) -> Extrapolation {
        self.extrapolation
    }

    /// The curve through the points.
    pub fn curve(&self, method: Method) -> Curve {
        let (x, y) = (&self.x, &self.y);
        let h: Vec<f64> = x.windows(2).map(|w| w[1] - w[0]).collect();
        let m: Vec<f64> = y.windows(2).zip(&h).map(|(w, h)| (w[1] - w[0]) / h).collect();
        let slopes = match method {
            Method::Linear => Vec::new(),
            Method::Cubic => natural_slopes(&h, &m),
            Method::Akima => akima_slopes(&m),
        };
        let piece = |i: usize| {
            let (s, t) = if method == Method::Linear { (m[i], m[i]) } else { (slopes[i], slopes[i + 1]) };
            [y[i], s, (3.0 * m[i] - 2.0 * s - t) / h[i], (s + t - 2.0 * m[i]) / (h[i] * h[i])]
        };
        let last = h.len();
        let pieces: Vec<[f64; 4]> = (0..last).map(piece).collect();
        let slope = |slope: f64| if self.extrapolation == Extrapolation::Linear { slope } else { 0.0 };
        let before = [y[0], slope(pieces[0][1])];
        let after = [y[last], slope(slopes.last().copied().unwrap_or(m[last - 1]))];
        Curve { x: x.clone(), pieces, before, after }
    }
}

/// A function y(x) through the points of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    /// Powers of t in each interval (equation 1).
    pieces: Vec<[f64; 4]>,
    /// Value at the first and last point, and the slope beyond.
    before: [f64; 2],
    after: [f64; 2],
}

impl Curve {
    /// y, y′, y″ and y‴ at x.
    pub fn derivatives(&self, x: f64) -> [f64; 4] {
        let last = self.pieces.len();
        if x < self.x[0] {
            let [y, s] = self.before;
            return [y + s * (x - self.x[0]), s, 0.0, 0.0];
        }
        if x >= self.x[last] {
            let [y, s] = self.after;
            return [y + s * (x - self.x[last]), s, 0.0, 0.0];
        }
        let i = self.x.partition_point(|&knot| knot <= x).saturating_sub(1).min(last - 1);
        let (t, [a, b, c, d]) = (x - self.x[i], self.pieces[i]);
        [a + t * (b + t * (c + t * d)), b + t * (2.0 * c + 3.0 * t * d), 2.0 * c + 6.0 * t * d, 6.0 * d]
    }

    /// The knots.
    pub(super) fn knots(&self) -> &[f64] {
        &self.x
    }

    /// Between which values the derivative of the given order stays from x = `low` to `high`: those at the ends, at the knots between and
    /// where the curve turns between them.
    pub(super) fn bounds(&self, order: u8, low: f64, high: f64) -> (f64, f64) {
        let (first, last) = (self.x.partition_point(|x| *x <= low), self.x.partition_point(|x| *x < high));
        let mut bounds = (f64::INFINITY, f64::NEG_INFINITY);
        let mut include = |x: f64| {
            let y = self.jet(order, x).v;
            bounds = (bounds.0.min(y), bounds.1.max(y));
        };
        [low, high].into_iter().for_each(&mut include);
        for knot in self.x.get(first..last).unwrap_or_default() {
            // A derivative may jump there.
            include(*knot);
            include(knot.next_down());
        }
        for k in first.saturating_sub(1)..last.min(self.pieces.len()) {
            for t in turning(self.pieces[k], order) {
                let x = self.x[k] + t;
                if low < x && x < high && x < self.x[k + 1] && t > 0.0 {
                    include(x);
                }
            }
        }
        bounds
    }

    /// The derivative of the given order with its own first two derivatives.
    pub(super) fn jet(&self, order: u8, x: f64) -> Jet1 {
        let y = self.derivatives(x);
        let at = |k: u8| y.get(usize::from(k)).copied().unwrap_or(0.0);
        Jet1 { v: at(order), d: at(order.saturating_add(1)), dd: at(order.saturating_add(2)) }
    }
}

/// Where the derivative of the given order of a + b t + c t² + d t³ has its extrema.
fn turning([_, b, c, d]: [f64; 4], order: u8) -> [f64; 2] {
    match order {
        0 => {
            let root = (c * c - 3.0 * b * d).max(0.0).sqrt();
            [(-c + root) / (3.0 * d), if d == 0.0 { -b / (2.0 * c) } else { (-c - root) / (3.0 * d) }]
        }
        1 => [-c / (3.0 * d), f64::NAN],
        _ => [f64::NAN; 2],
    }
}

fn check(x: &[f64], y: &[f64]) -> Result<(), SplineError> {
    if x.len() != y.len() {
        return Err(SplineError::Lengths { x: x.len(), y: y.len() });
    }
    if x.len() < 2 {
        return Err(SplineError::TooFew(x.len()));
    }
    if let Some(k) = (0..x.len()).find(|&k| !x[k].is_finite() || !y[k].is_finite()) {
        return Err(SplineError::NotFinite(k));
    }
    match (1..x.len()).find(|&k| x[k] <= x[k - 1]) {
        Some(k) => Err(SplineError::NotIncreasing(k)),
        None => Ok(()),
    }
}

/// Equation 2, a tridiagonal system solved by elimination.
fn natural_slopes(h: &[f64], m: &[f64]) -> Vec<f64> {
    let n = h.len();
    let row = |i: usize| match i {
        0 => [0.0, 2.0, 1.0, 3.0 * m[0]],
        i if i == n => [1.0, 2.0, 0.0, 3.0 * m[n - 1]],
        i => [h[i], 2.0 * (h[i - 1] + h[i]), h[i - 1], 3.0 * (h[i] * m[i - 1] + h[i - 1] * m[i])],
    };
    let (mut upper, mut s) = (vec![0.0; n + 1], vec![0.0; n + 1]);
    for i in 0..=n {
        let [a, b, c, r] = row(i);
        let (before, known) = if i == 0 { (0.0, 0.0) } else { (upper[i - 1], s[i - 1]) };
        let pivot = b - a * before;
        upper[i] = c / pivot;
        s[i] = (r - a * known) / pivot;
    }
    for i in (0..n).rev() {
        s[i] -= upper[i] * s[i + 1];
    }
    s
}

/// Equation 3.
fn akima_slopes(m: &[f64]) -> Vec<f64> {
    let n = m.len();
    let (first, last) = (m[0] - m[1.min(n - 1)], m[n - 1] - m[n.saturating_sub(2)]);
    let mut all = vec![m[0] + 2.0 * first, m[0] + first];
    all.extend_from_slice(m);
    all.extend([m[n - 1] + last, m[n - 1] + 2.0 * last]);
    let slope = |w: &[f64]| {
        let (after, before) = ((w[3] - w[2]).abs(), (w[1] - w[0]).abs());
        if after + before == 0.0 { 0.5 * (w[1] + w[2]) } else { (after * w[1] + before * w[2]) / (after + before) }
    };
    all.windows(4).map(slope).collect()
}
