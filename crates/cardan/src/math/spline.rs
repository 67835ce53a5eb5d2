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

    /// Position and first two derivatives at the parameter `s` (extended beyond the ends of an open curve).
    pub fn derivatives(&self, s: f64) -> [Vec3; 3] {
        let ([p, b, c, d], x) = self.locate(s);
        [p + (b + (c + d * x) * x) * x, b + (c * 2.0 + d * (3.0 * x)) * x, c * 2.0 + d * (6.0 * x)]
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
        let count = 8 * self.segments.len();
        let distance = |s: f64| (self.derivatives(s)[0] - p).norm_squared();
        let start = (0..=count).map(|k| k as f64 / 8.0).min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or(0.0);
        self.refine(p, start)
    }

    /// The parameter of the nearest point, by Newton's method on (p − r)·r′ = 0 from a start nearby.
    pub fn refine(&self, p: &Vec3, start: f64) -> f64 {
        let mut s = start;
        for _ in 0..20 {
            let [r, d, dd] = self.derivatives(s);
            let e = p - r;
            let slope = (d.norm_squared() - e.dot(&dd)).max(0.2 * d.norm_squared());
            let step = (e.dot(&d) / slope).clamp(-0.5, 0.5);
            s += step;
            if step.abs() < 1e-15 * (1.0 + s.abs()) {
                break;
            }
        }
        s
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
        let [r, d, _] = curve.derivatives(curve.nearest(&p));
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
}
