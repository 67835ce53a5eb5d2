//! Cubic spline curves through points of R³, natural or closed.
//!
//! On the segment between knots k and k+1 (unit parameter length, ξ ∈ [0, 1]):
//!
//! ```text
//! r(k + ξ) = p_k + b ξ + c ξ² + d ξ³                                              (1)
//! ```
//!
//! with second derivatives m_k continuous: m_{k−1} + 4 m_k + m_{k+1} = 6 (p_{k+1} − 2 p_k + p_{k−1})              (2)

use super::{Number, Vec3};
use nalgebra::Vector3;

/// A point farther from the curve than this part of a segment may belong elsewhere.
const FAR: f64 = 0.1;
/// Looks at a segment in a search over the whole curve.
const LOOKS: usize = 8;
/// Squared distances within this factor of the smallest are alike.
const ALIKE: f64 = 4.0;
/// So are those below this part of a segment's.
const NOTHING: f64 = 1e-12;
/// Most iterations for a nearest point.
const MOST: usize = 20;

/// A twice continuously differentiable curve; the parameter runs from 0 to [`Curve::length`].
#[derive(Debug, Clone)]
pub struct Curve {
    points: Vec<Vec3>,
    segments: Vec<[Vec3; 4]>,
    closed: bool,
}

impl Curve {
    /// The natural cubic spline through the points (at least two).
    pub fn open(points: &[Vec3]) -> Option<Self> {
        if points.len() < 2 {
            return None;
        }
        let n = points.len();
        let mut m = vec![Vec3::zeros(); n];
        let (mut c, mut d) = (vec![0.0; n], vec![Vec3::zeros(); n]);
        for k in 1..n - 1 {
            let rhs = (points[k + 1] - points[k] * 2.0 + points[k - 1]) * 6.0;
            let pivot = 4.0 - c[k - 1];
            c[k] = 1.0 / pivot;
            d[k] = (rhs - d[k - 1]) / pivot;
        }
        for k in (1..n - 1).rev() {
            m[k] = d[k] - m[k + 1] * c[k];
        }
        Some(Self {
            points: points.to_vec(),
            segments: (0..n - 1).map(|k| segment(points[k], points[k + 1], m[k], m[k + 1])).collect(),
            closed: false,
        })
    }

    /// The periodic cubic spline through the points (at least three, the first not repeated).
    pub fn closed(points: &[Vec3]) -> Option<Self> {
        let n = points.len();
        if n < 3 {
            return None;
        }
        let rhs = |k: usize| (points[(k + 1) % n] - points[k] * 2.0 + points[(k + n - 1) % n]) * 6.0;
        // The cyclic system (2) is diagonally dominant: Gauss–Seidel gains a digit every other sweep.
        let mut m = vec![Vec3::zeros(); n];
        for _ in 0..80 {
            for k in 0..n {
                m[k] = (rhs(k) - m[(k + n - 1) % n] - m[(k + 1) % n]) / 4.0;
            }
        }
        Some(Self {
            points: points.to_vec(),
            segments: (0..n).map(|k| segment(points[k], points[(k + 1) % n], m[k], m[(k + 1) % n])).collect(),
            closed: true,
        })
    }

    /// The points it runs through.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Whether it returns to its first point.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The end of the parameter range.
    pub fn length(&self) -> f64 {
        self.segments.len() as f64
    }

    /// Position and first three derivatives at the parameter `s` (extended beyond the ends of an open curve).
    pub fn derivatives(&self, s: f64) -> [Vec3; 4] {
        let ([p, b, c, d], x) = self.locate(s);
        [p + (b + (c + d * x) * x) * x, b + (c * 2.0 + d * (3.0 * x)) * x, c * 2.0 + d * (6.0 * x), d * 6.0]
    }

    /// Position and tangent for a parameter with derivatives.
    pub fn varied<T: Number>(&self, s: T) -> [Vector3<T>; 2] {
        let (coefficients, x0) = self.locate(s.value());
        let [p, b, c, d] = coefficients.map(|k| k.map(T::constant));
        let x = s.at(x0);
        [p + (b + (c + d * x) * x) * x, b + (c * T::constant(2.0) + d * (x * T::constant(3.0))) * x]
    }

    /// The parameter of the point nearest to `p`, searching the whole curve.
    pub fn nearest(&self, p: &Vec3) -> f64 {
        self.nearest_like(p, 0.0)
    }

    /// The parameter of the point of the curve that `p` has come to, where it was expected at another parameter: the nearest point close by, in
    /// the parameter, to what was expected. Only where that is no point of the curve but far from `p`, the whole curve is searched, and
    /// another point is taken if it is less than half as far.
    pub fn follow(&self, p: &Vec3, expected: f64) -> f64 {
        let Some(s) = self.refine(p, expected).0 else { return self.nearest_like(p, expected) };
        let [r, d, ..] = self.derivatives(s);
        let distance = (p - r).norm_squared();
        if distance <= FAR * FAR * d.norm_squared() {
            return s;
        }
        let other = self.nearest_like(p, expected);
        if 4.0 * self.distance_squared(p, other) < distance { other } else { s }
    }

    /// The nearest point of the whole curve; of several that are about as near, the one with the parameter nearest to what is expected. The
    /// parameter of a closed curve has the turns that bring it there.
    fn nearest_like(&self, p: &Vec3, expected: f64) -> f64 {
        let count = LOOKS * self.segments.len();
        let place = |k: usize| k as f64 / LOOKS as f64;
        let look = |k: usize| self.distance_squared(p, place(k));
        let low = |k: &usize| (*k == 0 || look(*k) <= look(*k - 1)) && (*k == count || look(*k) <= look(*k + 1));
        let refined = |k: usize| self.refine(p, place(k)).0.unwrap_or(place(k));
        let found = || (0..=count).filter(low).map(refined).map(|s| (self.with_turns(s, expected), self.distance_squared(p, s)));
        let best = found().fold(f64::INFINITY, |m, (_, distance)| m.min(distance));
        let alike = |(s, distance): &(f64, f64)| *distance <= ALIKE * best + NOTHING * self.derivatives(*s)[1].norm_squared();
        let alike = found().filter(alike).map(|(s, _)| s);
        alike.min_by(|a, b| (a - expected).abs().total_cmp(&(b - expected).abs())).unwrap_or(expected)
    }

    fn with_turns(&self, s: f64, expected: f64) -> f64 {
        if self.closed { s + self.length() * ((expected - s) / self.length()).round() } else { s }
    }

    fn distance_squared(&self, p: &Vec3, s: f64) -> f64 {
        (self.derivatives(s)[0] - p).norm_squared()
    }

    /// The parameter of a nearest point, by Newton's method on (p − r)·r′ = 0 from a start nearby, and the number of iterations; no parameter
    /// where these do not settle. A step with the exact slope leaves its square; what is left after a small one is round-off.
    fn refine(&self, p: &Vec3, start: f64) -> (Option<f64>, usize) {
        let mut s = start;
        for iteration in 1..=MOST {
            let [r, d, dd, _] = self.derivatives(s);
            let e = p - r;
            let (slope, least) = (d.norm_squared() - e.dot(&dd), 0.2 * d.norm_squared());
            let step = (e.dot(&d) / slope.max(least)).clamp(-0.5, 0.5);
            s += step;
            let enough = if slope > least { 1e-9 } else { 1e-15 };
            if step.abs() < enough * (1.0 + s.abs()) {
                return (Some(s), iteration);
            }
        }
        (None, MOST)
    }

    fn locate(&self, s: f64) -> ([Vec3; 4], f64) {
        let n = self.segments.len();
        let s = if self.closed { s.rem_euclid(n as f64) } else { s };
        let k = if s.is_finite() { (s.floor().max(0.0) as usize).min(n - 1) } else { 0 };
        (self.segments[k], s - k as f64)
    }
}

fn segment(p0: Vec3, p1: Vec3, m0: Vec3, m1: Vec3) -> [Vec3; 4] {
    [p0, p1 - p0 - (m0 * 2.0 + m1) / 6.0, m0 / 2.0, (m1 - m0) / 6.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(n: usize) -> Vec<Vec3> {
        (0..n).map(|k| std::f64::consts::TAU * k as f64 / n as f64).map(|a| Vec3::new(a.cos(), a.sin(), 0.0)).collect()
    }

    #[test]
    fn passes_through_points_and_is_smooth() {
        for curve in [Curve::open(&circle(7)).unwrap(), Curve::closed(&circle(7)).unwrap()] {
            for (k, p) in circle(7).iter().enumerate() {
                assert!((curve.derivatives(k as f64)[0] - p).norm() < 1e-14);
            }
            for k in 1..6 {
                let (a, b) = (curve.derivatives(k as f64 - 1e-9), curve.derivatives(k as f64 + 1e-9));
                assert!((0..3).all(|i| (a[i] - b[i]).norm() < 1e-6));
            }
        }
        assert!(Curve::open(&circle(1)).is_none() && Curve::closed(&circle(2)).is_none());
    }

    #[test]
    fn closed_circle_is_round_and_nearest_is_normal() {
        let curve = Curve::closed(&circle(40)).unwrap();
        for k in 0..100 {
            assert!((curve.derivatives(0.4 * f64::from(k))[0].norm() - 1.0).abs() < 1e-5);
        }
        let p = Vec3::new(-0.3, 1.2, 0.4);
        let [r, d, ..] = curve.derivatives(curve.nearest(&p));
        assert!((p - r).dot(&d).abs() < 1e-14);
    }

    #[test]
    fn dual_tangent_is_the_derivative() {
        let curve = Curve::closed(&circle(9)).unwrap();
        let [r, d] = curve.varied(crate::math::Dual::seeded(3.3, 1.0, 1.0));
        let exact = curve.derivatives(3.3);
        for k in 0..3 {
            assert!((r[k].e1 - d[k].v).abs() < 1e-14 && (r[k].e12 - exact[2][k]).abs() < 1e-13);
        }
    }

    #[test]
    fn nearby_points_take_few_iterations() {
        let curve = Curve::closed(&circle(12)).unwrap();
        for k in 0..200 {
            let s = 0.0613 * f64::from(k);
            let p = curve.derivatives(s)[0] * (1.0 + 1e-4 * f64::from(k % 3));
            for (off, most) in [(0.0, 2), (1e-4, 3), (0.05, 4), (0.4, 6)] {
                let (found, iterations) = curve.refine(&p, s + off);
                assert!(iterations <= most, "{iterations} from {off} off");
                let [r, d, ..] = curve.derivatives(found.unwrap());
                assert!((p - r).dot(&d).abs() < 1e-15, "{s} {off}: {:e}", (p - r).dot(&d));
            }
        }
    }

    /// A figure of eight, whose strands cross where s is a quarter and three quarters of its length.
    fn eight() -> Curve {
        let angle = |k: i32| std::f64::consts::TAU * f64::from(k) / 40.0;
        Curve::closed(&(0..40).map(angle).map(|a| Vec3::new(a.cos(), (2.0 * a).sin(), 0.0)).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_point_stays_on_its_strand_through_a_crossing() {
        let curve = eight();
        for (step, turns) in [(0.05, 3.0), (0.9, 3.0), (-2.3, -5.0)] {
            let (mut s, mut known) = (0.3, 0.3);
            while (s - turns * curve.length()) * f64::signum(step) < 0.0 {
                // The point is off the curve by as much as a Newton iteration may be, and is expected a little elsewhere.
                s += step;
                let p = curve.derivatives(s)[0] + Vec3::new(2e-4, -1e-4, 0.0);
                known = curve.follow(&p, known + 1.1 * step);
                assert!((known - s).abs() < 0.01, "{s}: {known}");
            }
        }
    }

    #[test]
    fn a_point_that_is_expected_far_away_is_found_with_its_turns() {
        let curve = eight();
        for (s, expected) in [(3.3, 8.0), (5.0, 83.0), (22.7, 27.0)] {
            let found = curve.follow(&curve.derivatives(s)[0], expected);
            let turns = ((found - s) / curve.length()).round();
            assert!((found - s - turns * curve.length()).abs() < 1e-12 && (found - expected).abs() < 0.5 * curve.length(), "{found}");
        }
        // At the crossing both strands are as near, and what is expected decides.
        let crossing = curve.derivatives(10.0)[0];
        assert!((curve.nearest_like(&crossing, 12.0) - 10.0).abs() < 1e-12);
        assert!((curve.nearest_like(&crossing, 27.0) - 30.0).abs() < 1e-12);
    }

    /// Two strands that run beside each other at a hundredth of the distance between knots.
    #[test]
    fn strands_side_by_side_are_not_mistaken_for_each_other() {
        let lane = |y: f64| move |k: i32| Vec3::new(f64::from(k), y, 0.0);
        let points: Vec<Vec3> = (0..9).map(lane(0.0)).chain((0..9).rev().map(lane(0.01))).collect();
        let curve = Curve::open(&points).unwrap();
        for k in 0..60 {
            let s = 1.0 + 0.1 * f64::from(k);
            let there = curve.derivatives(s)[0] + Vec3::new(0.0, 0.008, 0.0);
            assert!((curve.follow(&there, s + 0.3) - s).abs() < 0.05, "{s}");
        }
    }
}
