//! A curve x(s) fixed to body a, from the origin of its marker, where it is closest to a surface of b with distance d and derivatives n, H:
//!
//! ```text
//! n·x′ = 0,    g = d,    r = x − ½ g n                                                                          (1)
//! δs (n·x″ + x′ᵀH x′) = −n·(δψ × x′) − x′ᵀH δ_x,    δn = H (δ_x + x′ δs),    δ_x = δu + δψ × x                    (2)
//! ```
//!
//! and where an edge of b, a line along the unit vector z, is closest to it. With e = P (x − w) leading from the edge, P = I − z zᵀ, y = P x′, the
//! normal n is on the line of e, across the curve, and stays defined where both meet:
//!
//! ```text
//! e·y = 0,    g = e·n,    δs (y·y + e·x″) = −y·δ_x − e·(δψ × x′)                                                 (3)
//! δn = −y (n·(δψ × x′) + n·x″ δs)/(y·y)                                                                         (4)
//! ```
//!
//! In both, δr = x′ δs + δψ × x − ½ n (n·δ_x) − ½ g δn.

use crate::contact::surface::Nearest;
use crate::contact::touch::{Slopes, Touch};
use crate::math::{Mat3, Vec3, skew};

type Row = nalgebra::RowVector3<f64>;

/// x, x′ and x″, in world axes.
pub struct Wire {
    pub x: Vec3,
    pub dx: Vec3,
    pub ddx: Vec3,
}

impl Wire {
    /// (2).
    pub fn on_surface(&self, at: &Nearest) -> Touch {
        let (n, bent) = (at.normal, at.bend * self.dx);
        let share = -1.0 / (n.dot(&self.ddx) + self.dx.dot(&bent));
        let sliding = [bent.transpose() * share, (self.dx.cross(&n).transpose() - bent.transpose() * skew(&self.x)) * share];
        let carried = self.carried();
        let turning = [0, 1].map(|half| at.bend * (carried[half] + self.dx * sliding[half]));
        self.touch(at.distance, n, sliding, turning)
    }

    /// (3) and (4), with the gap and the normal.
    pub fn on_edge(&self, gap: f64, n: &Vec3, z: &Vec3) -> Touch {
        let y = self.dx - z * z.dot(&self.dx);
        let e = n * gap;
        let square = y.norm_squared();
        let share = -1.0 / (square + e.dot(&self.ddx));
        let sliding = [y.transpose() * share, (self.dx.cross(&e).transpose() - y.transpose() * skew(&self.x)) * share];
        let by_turn = [Row::zeros(), self.dx.cross(n).transpose()];
        let turning = [0, 1].map(|half| -y * (by_turn[half] + sliding[half] * n.dot(&self.ddx)) / square);
        self.touch(gap, *n, sliding, turning)
    }

    /// δ_x by δu and δψ.
    fn carried(&self) -> [Mat3; 2] {
        [Mat3::identity(), -skew(&self.x)]
    }

    fn touch(&self, gap: f64, n: Vec3, sliding: [Row; 2], turning: [Mat3; 2]) -> Touch {
        let carried = self.carried();
        let arm = [0, 1].map(|half| {
            let own = if half == 0 { Mat3::zeros() } else { carried[half] };
            own + self.dx * sliding[half] - n * (n.transpose() * carried[half]) * 0.5 - turning[half] * (0.5 * gap)
        });
        Touch::given(gap, n, self.x - n * (0.5 * gap), Slopes { normal: turning, arm })
    }
}
