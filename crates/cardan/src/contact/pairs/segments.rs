//! Two capsules: the closest points of their segments x = p + σ e, with D n = x_a − x_b, c = e_a·e_b and σ moved by α and β:
//!
//! ```text
//! y = δ_a + α e_a − β e_b,   δn = (I − n nᵀ) y/D,   δ_a = δu + δψ × o                                           (1)
//! e_b·y = 0,   e_a·y + D n·(δψ × e_a) = 0          where the point of b, of a, is free                           (2)
//! ```
//!
//! A point at an end stays there. Parallel segments touch in the middle of where they overlap.

use crate::contact::shapes::{Capsule, Shape};
use crate::contact::touch::{Relative, Slopes, Touch};
use crate::math::{Mat3, Vec3, skew};

/// By so much of the squared length points are drawn to the middles of their segments; that decides where segments are parallel.
const DRAW: f64 = 1e-9;

/// Places on both segments, and which of them are free to move.
pub struct Closest {
    pub places: [f64; 2],
    free: [bool; 2],
}

/// The touch of two capsules.
pub fn touches(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    if let (Shape::Capsule(a), Shape::Capsule(b)) = (a, b) {
        each(touch(a, b, at));
    }
}

fn touch(a: &Capsule, b: &Capsule, at: &Relative) -> Touch {
    let [e_a, e_b] = [at.a, at.b].map(|m| m.r.column(2).into_owned());
    let between = at.a.p - at.b.p;
    let closest = closest([0.5 * a.length, 0.5 * b.length], &e_a, &e_b, &between);
    let [s, t] = closest.places;
    let apart = between + e_a * s - e_b * t;
    let distance = apart.norm();
    let n = if distance > 0.0 { apart / distance } else { e_a.cross(&e_b).try_normalize(0.0).unwrap_or(e_a.yzx()) };
    let gap = distance - a.radius - b.radius;
    let offset = e_a * s;
    let slide = slide(&closest, [&e_a, &e_b], &n, distance);
    let tangential = (Mat3::identity() - n * n.transpose()) / distance.max(f64::MIN_POSITIVE);
    let parts = |half: usize| {
        let carried = if half == 0 { Mat3::identity() } else { -skew(&offset) };
        let along = carried * 1.0 + e_a * slide[half][0] - e_b * slide[half][1];
        let normal = tangential * along;
        // r = o − ρ_a n − ½ g n.
        let by_gap = n * (n.transpose() * carried) * 0.5;
        let own = if half == 0 { Mat3::zeros() } else { carried };
        (normal, own + e_a * slide[half][0] - normal * (a.radius + 0.5 * gap) - by_gap)
    };
    let (by_u, by_psi) = (parts(0), parts(1));
    Touch::given(gap, n, offset - n * (a.radius + 0.5 * gap), Slopes { normal: [by_u.0, by_psi.0], arm: [by_u.1, by_psi.1] })
}

/// The closest points of segments of these half lengths whose middles are `between` apart.
pub fn closest(half: [f64; 2], e_a: &Vec3, e_b: &Vec3, between: &Vec3) -> Closest {
    let (c, d_a, d_b) = (e_a.dot(e_b), e_a.dot(between), e_b.dot(between));
    let drawn = 1.0 + DRAW;
    let s = ((c * d_b - drawn * d_a) / (drawn * drawn - c * c)).clamp(-half[0], half[0]);
    let t = (d_b + c * s).clamp(-half[1], half[1]);
    let s = (c * t - d_a).clamp(-half[0], half[0]);
    let free = [s.abs() < half[0], t.abs() < half[1]];
    Closest { places: [s, t], free }
}

type Row = nalgebra::RowVector3<f64>;

/// α and β (2) by δu and by δψ.
fn slide(closest: &Closest, e: [&Vec3; 2], n: &Vec3, distance: f64) -> [[Row; 2]; 2] {
    let [e_a, e_b] = e;
    let c = e_a.dot(e_b);
    let offset = skew(&(e_a * closest.places[0]));
    // Right-hand sides: e_b·δ_a, and −e_a·δ_a − D n·(δψ × e_a).
    let rows = [
        (e_b.transpose(), -e_a.transpose()),
        (-(e_b.transpose() * offset), e_a.transpose() * offset + n.transpose() * skew(e_a) * distance),
    ];
    rows.map(|(on_b, on_a)| match closest.free {
        [true, true] => {
            let alpha = (on_a + on_b * c) / (1.0 - c * c).max(DRAW);
            [alpha, on_b + alpha * c]
        }
        [true, false] => [on_a, Row::zeros()],
        [false, true] => [Row::zeros(), on_b],
        [false, false] => [Row::zeros(); 2],
    })
}
