//! Cubic splines in the plane, twice continuously differentiable in u, the sum h of the distances between points p, so that points may be close here
//! and far there. With m = x″ at the points,
//!
//! ```text
//! h₋ m₋ + 2 (h₋ + h₊) m + h₊ m₊ = 6 ((p₊ − p)/h₊ − (p − p₋)/h₋)                                                (1)
//! x = p + u b + ½ u² m + u³ (m₊ − m)/(6 h),     b = (p₊ − p)/h − h (2 m + m₊)/6                                 (2)
//! m = 0   or   2 h₊ m + h₊ m₊ = 6 ((p₊ − p)/h₊ − t)          at a free end, at one with the direction t          (3)
//! ```
//!
//! Reference: de Boor, A Practical Guide to Splines, chapter IV, doi:10.1007/978-1-4612-6333-3.

use super::span::Vec2;

/// The system (1) is diagonally dominant by a factor of two: each sweep of Gauss and Seidel gains more than a bit.
const SWEEPS: usize = 60;

/// The cubics between points, in s = u/h: free at the ends, or in directions of unit length.
pub fn open(p: &[Vec2], ends: [Option<Vec2>; 2]) -> Vec<[Vec2; 4]> {
    let h: Vec<f64> = p.windows(2).map(|w| (w[1] - w[0]).norm()).collect();
    let last = h.len();
    let chord = |k: usize| (p[k + 1] - p[k]) / h[k];
    let mut m = vec![Vec2::zeros(); p.len()];
    for _ in 0..SWEEPS {
        for k in 1..last {
            let rhs = (chord(k) - chord(k - 1)) * 6.0;
            m[k] = (rhs - m[k - 1] * h[k - 1] - m[k + 1] * h[k]) / (2.0 * (h[k - 1] + h[k]));
        }
        m[0] = ends[0].map_or(Vec2::zeros(), |t| ((chord(0) - t) * (6.0 / h[0]) - m[1]) * 0.5);
        m[last] = ends[1].map_or(Vec2::zeros(), |t| ((t - chord(last - 1)) * (6.0 / h[last - 1]) - m[last - 1]) * 0.5);
    }
    (0..last).map(|k| cubic([p[k], p[k + 1]], [m[k], m[k + 1]], h[k])).collect()
}

/// The cubics through points and back to the first, which is not repeated.
pub fn closed(p: &[Vec2]) -> Vec<[Vec2; 4]> {
    let n = p.len();
    let h: Vec<f64> = (0..n).map(|k| (p[(k + 1) % n] - p[k]).norm()).collect();
    let chord = |k: usize| (p[(k + 1) % n] - p[k]) / h[k];
    let mut m = vec![Vec2::zeros(); n];
    for _ in 0..SWEEPS {
        for k in 0..n {
            let before = (k + n - 1) % n;
            let rhs = (chord(k) - chord(before)) * 6.0;
            m[k] = (rhs - m[before] * h[before] - m[(k + 1) % n] * h[k]) / (2.0 * (h[before] + h[k]));
        }
    }
    (0..n).map(|k| cubic([p[k], p[(k + 1) % n]], [m[k], m[(k + 1) % n]], h[k])).collect()
}

/// (2).
fn cubic(p: [Vec2; 2], m: [Vec2; 2], h: f64) -> [Vec2; 4] {
    let square = h * h;
    [p[0], p[1] - p[0] - (m[0] * 2.0 + m[1]) * (square / 6.0), m[0] * (0.5 * square), (m[1] - m[0]) * (square / 6.0)]
}
