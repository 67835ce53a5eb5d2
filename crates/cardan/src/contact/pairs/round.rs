//! What is round everywhere against flat and straight sides: ellipsoids, disks and the flat circles at the ends of cylinders (all of them ellipsoids with
//! a round edge, see `support`) above boxes, cylinders, capsules, ellipsoids and disks. With h_a and h_b the support functions of both, c from the centre
//! of b to that of a, and n from b to a, the gap is the largest separation along any direction,
//!
//! ```text
//! g = max s(n),     s(n) = n·c − h_a(−n) − h_b(n),     |n| = 1                                                 (1)
//! ```
//!
//! the distance of the surfaces outside, and the depth along the shortest way out inside. There x_a + c − x_b = g n for the points x = ∇h of both
//! surfaces. Of b, a sharp core is Σ s_k |n_k|: where n_k = 0 its point is free between −s_k and s_k, which is a side or an edge; so n leaves zero only
//! when the point of a is beyond them. A sharp disk about z is flat at n = ±z. With S = ∇∇h and P on the directions across n that are free,
//!
//! ```text
//! K = (P (S_a + S_b + g I) P)⁺,   r = r_a − ½ g n                                                              (2)
//! δn = K (δu + δψ × r_a + S_a (δψ × n)),   δr_a = δψ × r_a + S_a (δψ × n − δn)                                    (3)
//! ```
//!
//! The same K makes the steps of Newton's method for (1).

use super::support::Round;
use crate::contact::shapes::Shape;
use crate::contact::touch::{Relative, Slopes, Touch};
use crate::math::{Mat3, Vec3, skew};

/// Most iterations; a few suffice, more where thin edges meet.
const MOST: usize = 60;
/// Where the points are across n, by the size of the bodies, at the end.
const CLOSE: f64 = 1e-14;
/// The longest step of n.
const LONGEST: f64 = 0.7;

/// What is felt: a box, a sharp disk about z and an ellipsoid with a round edge, added up.
struct Felt {
    /// s.
    half: Vec3,
    /// Radius of the sharp disk.
    disk: f64,
    round: Round,
}

/// Points of both surfaces for a direction, with S and g.
struct Ends {
    /// x_a.
    own: Vec3,
    /// What leads from the point of b to that of a.
    apart: Vec3,
    /// S_a and S_b.
    bends: [Mat3; 2],
    gap: f64,
    /// Directions in which n is zero and stays so.
    held: [bool; 3],
}

/// Touches of the rounds of a with b.
pub fn touches(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    let Some(felt) = Felt::of(b) else { return };
    Round::each(a, |round| each(touch(&round, &felt, at)));
}

impl Felt {
    fn of(shape: &Shape) -> Option<Self> {
        let (mut half, mut disk, mut round) = (Vec3::zeros(), 0.0, Round::point(0.0));
        match shape {
            Shape::Cuboid(s) => half = 0.5 * s.size,
            Shape::Cylinder(s) => (half.z, disk) = (0.5 * s.length, s.radius),
            Shape::Capsule(s) => (half.z, round.edge) = (0.5 * s.length, s.radius),
            Shape::Ellipsoid(_) | Shape::Disk(_) => Round::each(shape, |r| round = r),
            _ => return None,
        }
        Some(Self { half, disk, round })
    }

    /// The point of what is round of it, and S_b.
    fn point(&self, n: &Vec3) -> (Vec3, Mat3) {
        let (mut x, mut bend) = self.round.point_and_bend(n, &self.round.squares());
        let radial = n.x.hypot(n.y);
        if self.disk > 0.0 && radial > 0.0 {
            let e = Vec3::new(n.x / radial, n.y / radial, 0.0);
            let around = Vec3::new(-e.y, e.x, 0.0);
            x += e * self.disk;
            bend += around * around.transpose() * (self.disk / radial);
        }
        (x, bend)
    }
}

/// Both in the axes of b.
struct Problem<'a> {
    round: &'a Round,
    felt: &'a Felt,
    /// A of a (see `support`) and c.
    matrix: Mat3,
    centre: Vec3,
}

impl Problem<'_> {
    fn ends(&self, n: &Vec3) -> Ends {
        let (own, bend) = self.round.point_and_bend(&-n, &self.matrix);
        let (other, felt_bend) = self.felt.point(n);
        let mut apart = self.centre + own - other;
        let mut held = [false; 3];
        if self.on_disk(n, &apart) {
            (apart.x, apart.y, held[0], held[1]) = (0.0, 0.0, true, true);
        }
        for k in 0..3 {
            let half = self.felt.half[k];
            held[k] = held[k] || (half > 0.0 && n[k] == 0.0 && apart[k].abs() <= half);
            let side = if n[k] == 0.0 { apart[k] } else { n[k] };
            apart[k] = if held[k] { 0.0 } else { apart[k] - if half > 0.0 { half.copysign(side) } else { 0.0 } };
        }
        Ends { own, apart, bends: [bend, felt_bend], gap: n.dot(&apart), held }
    }

    /// Whether the point of a is above the flat side of a sharp disk.
    fn on_disk(&self, n: &Vec3, apart: &Vec3) -> bool {
        self.felt.disk > 0.0 && n.x == 0.0 && n.y == 0.0 && apart.x.hypot(apart.y) <= self.felt.disk
    }

    /// Of a few directions that with the largest separation.
    fn start(&self) -> Vec3 {
        let axes = (0..3).flat_map(|k| [Vec3::ith(k, 1.0), Vec3::ith(k, -1.0)]);
        let towards = self.centre.try_normalize(0.0);
        let beyond = Vec3::from_fn(|k, _| self.centre[k] - self.centre[k].clamp(-self.felt.half[k], self.felt.half[k])).try_normalize(0.0);
        let all = axes.chain(towards).chain(beyond).map(|n| (n, self.ends(&n).gap));
        all.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Vec3::z(), |best| best.0)
    }

    /// n of (1).
    fn solve(&self) -> (Vec3, Ends) {
        let size = self.centre.norm() + self.felt.half.norm() + self.felt.disk + self.round.semi_axes.max();
        let mut n = self.start();
        let mut ends = self.ends(&n);
        for _ in 0..MOST {
            let across = free_part(&(ends.apart - n * ends.gap), &ends.held);
            if across.norm() <= CLOSE * size {
                break;
            }
            let ahead = stiffness(&n, &ends);
            let newton = ahead.inverse * across;
            let plain = across / (ends.bends[0].norm() + ends.bends[1].norm() + ends.gap.abs());
            let step = if ahead.definite { newton } else { plain };
            let step = step * (LONGEST / step.norm()).min(1.0);
            let Some((next, there)) = self.advance(&n, &ends, &step) else { break };
            (n, ends) = (next, there);
        }
        (n, ends)
    }

    /// A part of a step that enlarges the separation; numbers of n that would change their sign stop at zero.
    fn advance(&self, n: &Vec3, ends: &Ends, step: &Vec3) -> Option<(Vec3, Ends)> {
        let mut part = 1.0_f64;
        for _ in 0..40 {
            let sharp = |k: &usize| self.felt.half[*k] > 0.0 && n[*k] != 0.0 && (n[*k] + part * step[*k]) * n[*k] < 0.0;
            let first = (0..3).filter(sharp).min_by(|a, b| (n[*a] / step[*a]).abs().total_cmp(&(n[*b] / step[*b]).abs()));
            let mut next = n + step * first.map_or(part, |k| (n[k] / step[k]).abs().min(part));
            if let Some(k) = first {
                next[k] = 0.0;
            }
            let next = next.normalize();
            let there = self.ends(&next);
            let rounding = 4.0 * f64::EPSILON * (self.centre.norm() + there.gap.abs());
            if there.gap >= ends.gap - rounding {
                return Some((next, there));
            }
            part *= 0.5;
        }
        None
    }
}

fn free_part(x: &Vec3, held: &[bool; 3]) -> Vec3 {
    Vec3::from_fn(|k, _| if held[k] { 0.0 } else { x[k] })
}

/// K of (2), and whether what it inverts is positive.
struct Stiffness {
    inverse: Mat3,
    definite: bool,
}

fn stiffness(n: &Vec3, ends: &Ends) -> Stiffness {
    let whole = ends.bends[0] + ends.bends[1] + Mat3::identity() * ends.gap;
    let [s, t] = directions(n, &ends.held);
    let (ss, st, tt) = (s.dot(&(whole * s)), s.dot(&(whole * t)), t.dot(&(whole * t)));
    if t == Vec3::zeros() {
        let inverse = if ss == 0.0 { Mat3::zeros() } else { s * s.transpose() / ss };
        return Stiffness { inverse, definite: ss > 0.0 };
    }
    let det = ss * tt - st * st;
    let inverse = (s * s.transpose() * tt + t * t.transpose() * ss - (s * t.transpose() + t * s.transpose()) * st) / det;
    Stiffness { inverse, definite: ss + tt > 0.0 && det > 0.0 }
}

/// Directions across n that are free: two, one and a zero, or none.
fn directions(n: &Vec3, held: &[bool; 3]) -> [Vec3; 2] {
    match held.iter().filter(|h| **h).count() {
        0 => {
            let s = n.cross(&Vec3::ith(n.iamin(), 1.0)).normalize();
            [s, n.cross(&s)]
        }
        1 => {
            let k = held.iter().position(|h| *h).unwrap_or(0);
            [Vec3::ith(k, 1.0).cross(n), Vec3::zeros()]
        }
        _ => [Vec3::zeros(); 2],
    }
}

fn touch(round: &Round, felt: &Felt, at: &Relative) -> Touch {
    let turn = at.b.r.tr_mul(&at.a.r);
    let offset = at.a.r.column(2) * round.height;
    let problem = Problem { round, felt, matrix: turn * round.squares() * turn.transpose(), centre: at.seen_from_b(&offset) };
    let (n, ends) = problem.solve();
    touch_at(at, &offset, &ends.own, &n, ends.gap, [&stiffness(&n, &ends).inverse, &ends.bends[0]])
}

/// The touch where the point of a, from the centre of its round which is at `offset`, has this normal, with K and S_a of (3); in the axes of b.
pub fn touch_at(at: &Relative, offset: &Vec3, own: &Vec3, n: &Vec3, gap: f64, [k, bend]: [&Mat3; 2]) -> Touch {
    let to_world = |m: &Mat3| at.b.r * m * at.b.r.transpose();
    let (n, own, k, bend) = (at.b.r * n, offset + at.b.r * own, to_world(k), to_world(bend));
    // δψ × x = −x̂ δψ.
    let turned = -skew(&own) - bend * skew(&n);
    let normal = [k, k * turned];
    let halfway = |carried: Mat3, normal: &Mat3| (n * (n.transpose() * carried) + normal * gap) * 0.5;
    let by_u = -bend * normal[0] - halfway(Mat3::identity(), &normal[0]);
    let by_psi = turned - bend * normal[1] - halfway(-skew(&own), &normal[1]);
    Touch::given(gap, n, own - n * (0.5 * gap), Slopes { normal, arm: [by_u, by_psi] })
}
