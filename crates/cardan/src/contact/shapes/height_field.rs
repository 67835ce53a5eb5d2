//! Height field: all that is below z = f(x, y), a surface through heights on an even grid. f is a cubic spline along x and along y, so that slopes and
//! curvatures are continuous; beyond the grid it goes on straight. From the nearest point y of the surface to a point x
//!
//! ```text
//! (ξ − x, η − y) + (f − z) ∇f = 0                                                                             (1)
//! n = (−∇f, 1)/m,   m = √(1 + |∇f|²),   S = −P ∇∇f P/m,   H = (I + d S)⁻¹ S                                      (2)
//! ```

use super::Solid;
use crate::contact::surface::Nearest;
use crate::math::{Mat3, Vec3};
use nalgebra::{Matrix2, Vector2};
use std::sync::Arc;

/// Most iterations of Newton's method.
const MOST: usize = 50;
/// How many grid lines on both sides are looked at for where to begin.
const WINDOW: usize = 6;

/// Ground, roads, cams: heights on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightField {
    x: [f64; 2],
    y: [f64; 2],
    heights: Arc<Vec<Vec<f64>>>,
    /// f, ∂f/∂x, ∂f/∂y and ∂²f/∂x∂y at the grid points.
    nodes: Arc<Vec<Vec<[f64; 4]>>>,
}

/// f with its first and second derivatives.
struct Height {
    f: f64,
    slope: Vector2<f64>,
    bend: Matrix2<f64>,
}

impl HeightField {
    /// `heights[i][j]`, m, at x_i and y_j, evenly from the first to the second of `x` and of `y`, m.
    pub fn new(x: [f64; 2], y: [f64; 2], heights: Vec<Vec<f64>>) -> Self {
        let mut field = Self { x, y, heights: Arc::new(heights), nodes: Arc::default() };
        if field.mistake().is_none() {
            field.nodes = Arc::new(field.slopes());
        }
        field
    }

    /// First and last x and y, m.
    pub fn extent(&self) -> [[f64; 2]; 2] {
        [self.x, self.y]
    }

    /// The heights, m.
    pub fn heights(&self) -> &[Vec<f64>] {
        &self.heights
    }

    fn steps(&self) -> [f64; 2] {
        let (rows, columns) = (self.heights.len(), self.heights.first().map_or(0, Vec::len));
        [(self.x[1] - self.x[0]) / (rows as f64 - 1.0), (self.y[1] - self.y[0]) / (columns as f64 - 1.0)]
    }

    fn slopes(&self) -> Vec<Vec<[f64; 4]>> {
        let [dx, dy] = self.steps();
        let (rows, columns) = (self.heights.len(), self.heights[0].len());
        let along_x = |z: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            (0..columns).map(|j| natural(&(0..rows).map(|i| z(i, j)).collect::<Vec<_>>(), dx)).collect()
        };
        let along_y = |z: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            (0..rows).map(|i| natural(&(0..columns).map(|j| z(i, j)).collect::<Vec<_>>(), dy)).collect()
        };
        let by_x = along_x(&|i, j| self.heights[i][j]);
        let by_y = along_y(&|i, j| self.heights[i][j]);
        let by_both = along_y(&|i, j| by_x[j][i]);
        (0..rows).map(|i| (0..columns).map(|j| [self.heights[i][j], by_x[j][i], by_y[i][j], by_both[i][j]]).collect()).collect()
    }

    fn at(&self, p: &Vector2<f64>) -> Height {
        let [dx, dy] = self.steps();
        let (i, along) = basis(p.x - self.x[0], dx, self.nodes.len());
        let (j, across) = basis(p.y - self.y[0], dy, self.nodes[0].len());
        let mut sums = [[0.0; 3]; 3];
        for (a, b) in (0..2).flat_map(|a| [(a, 0), (a, 1)]) {
            let [f, by_x, by_y, by_both] = self.nodes[i + a][j + b];
            for (k, l) in [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2)] {
                let ([v, s], [w, t]) = (along[k][a], across[l][b]);
                sums[k][l] += f * v * w + by_x * s * w + by_y * v * t + by_both * s * t;
            }
        }
        Height {
            f: sums[0][0],
            slope: Vector2::new(sums[1][0], sums[0][1]),
            bend: Matrix2::new(sums[2][0], sums[1][1], sums[1][1], sums[0][2]),
        }
    }

    /// Of the places about a point the nearest one: below it, or a grid point.
    fn start(&self, x: &Vec3) -> Vector2<f64> {
        let below = x.xy();
        let [dx, dy] = self.steps();
        let mut best = ((x.z - self.at(&below).f).abs(), below);
        let window = |from: f64, step: f64, count: usize, reach: f64| {
            let middle = (from / step).round().clamp(0.0, count as f64 - 1.0) as usize;
            let beside = ((reach / step).ceil() as usize).min(WINDOW);
            (middle.saturating_sub(beside), (middle + beside).min(count - 1))
        };
        let rows = window(x.x - self.x[0], dx, self.nodes.len(), best.0);
        let columns = window(x.y - self.y[0], dy, self.nodes[0].len(), best.0);
        for i in rows.0..=rows.1 {
            for j in columns.0..=columns.1 {
                let p = Vector2::new(self.x[0] + i as f64 * dx, self.y[0] + j as f64 * dy);
                let distance = Vec3::new(p.x - x.x, p.y - x.y, self.nodes[i][j][0] - x.z).norm();
                if distance < best.0 {
                    best = (distance, p);
                }
            }
        }
        best.1
    }

    /// Newton's method for (1), down the squared distance.
    fn foot(&self, x: &Vec3) -> Vector2<f64> {
        let mut p = self.start(x);
        let square = |p: &Vector2<f64>, f: f64| (p - x.xy()).norm_squared() + (f - x.z) * (f - x.z);
        let mut here = self.at(&p);
        for _ in 0..MOST {
            let rise = here.f - x.z;
            let gradient = p - x.xy() + here.slope * rise;
            let plain = Matrix2::identity() + here.slope * here.slope.transpose();
            let whole = plain + here.bend * rise;
            let matrix = if whole.determinant() > 0.0 && whole.trace() > 0.0 { whole } else { plain };
            let Some(step) = matrix.try_inverse().map(|inverse| -(inverse * gradient)) else { break };
            let mut part = 1.0;
            let mut next = p + step;
            let mut there = self.at(&next);
            // Close to the foot squares of distances differ by round-off alone.
            let before = square(&p, here.f) * (1.0 + 8.0 * f64::EPSILON);
            while square(&next, there.f) > before && part > 1e-6 {
                part *= 0.5;
                next = p + step * part;
                there = self.at(&next);
            }
            (p, here) = (next, there);
            if step.norm() <= 1e-15 * (1.0 + p.norm()) {
                break;
            }
        }
        p
    }
}

/// The cell of a coordinate, and of both of its ends the weights of value and slope, with their first and second derivatives; straight beyond the grid.
fn basis(s: f64, step: f64, count: usize) -> (usize, [[[f64; 2]; 2]; 3]) {
    let cell = (s / step).floor().clamp(0.0, count as f64 - 2.0);
    let t = s / step - cell;
    let h = step;
    let weights = if t < 0.0 {
        [[[1.0, t * h], [0.0, 0.0]], [[0.0, 1.0], [0.0, 0.0]], [[0.0; 2]; 2]]
    } else if t > 1.0 {
        [[[0.0, 0.0], [1.0, (t - 1.0) * h]], [[0.0, 0.0], [0.0, 1.0]], [[0.0; 2]; 2]]
    } else {
        let u = 1.0 - t;
        [
            [[u * u * (1.0 + 2.0 * t), h * t * u * u], [t * t * (3.0 - 2.0 * t), -h * t * t * u]],
            [[-6.0 * t * u / h, u * (1.0 - 3.0 * t)], [6.0 * t * u / h, t * (3.0 * t - 2.0)]],
            [[(12.0 * t - 6.0) / (h * h), (6.0 * t - 4.0) / h], [(6.0 - 12.0 * t) / (h * h), (6.0 * t - 2.0) / h]],
        ]
    };
    (cell as usize, weights)
}

/// Slopes of the natural cubic spline through values a step apart.
fn natural(z: &[f64], step: f64) -> Vec<f64> {
    let n = z.len();
    let inner = |k: usize| k > 0 && k + 1 < n;
    let right = |k: usize| 3.0 * (z[(k + 1).min(n - 1)] - z[k.saturating_sub(1)]) / step;
    let (mut factor, mut out) = (vec![0.0; n], vec![0.0; n]);
    for k in 0..n {
        let pivot = if inner(k) { 4.0 } else { 2.0 } - if k > 0 { factor[k - 1] } else { 0.0 };
        factor[k] = 1.0 / pivot;
        out[k] = (right(k) - if k > 0 { out[k - 1] } else { 0.0 }) / pivot;
    }
    for k in (0..n - 1).rev() {
        out[k] -= factor[k] * out[k + 1];
    }
    out
}

impl Solid for HeightField {
    fn nearest(&self, x: &Vec3) -> Nearest {
        if self.nodes.is_empty() {
            return Nearest::flat(f64::INFINITY, Vec3::z());
        }
        let foot = self.foot(x);
        let Height { f, slope, bend } = self.at(&foot);
        let gradient = Vec3::new(-slope.x, -slope.y, 1.0);
        let size = gradient.norm();
        let normal = gradient / size;
        let distance = normal.dot(&(x - Vec3::new(foot.x, foot.y, f)));
        let tangential = Mat3::identity() - normal * normal.transpose();
        let mut second = Mat3::zeros();
        second.fixed_view_mut::<2, 2>(0, 0).copy_from(&-bend);
        let curvature = tangential * second * tangential / size;
        let bend = (Mat3::identity() + curvature * distance).try_inverse().map_or(curvature, |inverse| inverse * curvature);
        Nearest { distance, normal, bend }
    }
    fn reach(&self) -> f64 {
        f64::INFINITY
    }
    fn depth(&self) -> f64 {
        f64::INFINITY
    }
    fn size(&self) -> Option<f64> {
        let [dx, dy] = self.steps();
        Some(dx.min(dy))
    }
    fn mistake(&self) -> Option<String> {
        let columns = self.heights.first().map_or(0, Vec::len);
        if self.heights.len() < 2 || columns < 2 {
            return Some("it needs at least two rows of two heights".into());
        }
        if let Some(row) = self.heights.iter().position(|row| row.len() != columns) {
            return Some(format!("row {} has {} heights, the first one {columns}", row + 1, self.heights[row].len()));
        }
        if let Some(row) = self.heights.iter().position(|row| row.iter().any(|z| !z.is_finite())) {
            return Some(format!("row {} has a height that is not finite", row + 1));
        }
        let rising = |range: [f64; 2]| range[1] > range[0] && range.iter().all(|x| x.is_finite());
        (!(rising(self.x) && rising(self.y)))
            .then(|| format!("x and y must go from less to more, they go over {:?} and {:?}", self.x, self.y))
    }
}
