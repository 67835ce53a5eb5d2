//! Spans, the short curves that a profile is cut into: lines, arcs of a quarter of a turn at most, and cubics that bend to one side only. With
//! x(s), 0 ≤ s ≤ 1, the solid on the left, t = x′/|x′| and n = (t_y, −t_x) the outward normal, a point c has its foot at
//!
//! ```text
//! (c − x)·x′ = 0,   d = (c − x)·n,   H = κ/(1 + κ d) t tᵀ,   κ = x′ × x″/|x′|³                                  (1)
//! ```
//!
//! κ is positive where the span is convex. An arc about m of signed radius ρ = 1/κ has d = ± |c − m| − ρ with the sign of ρ.

use super::involute::Involute;
use crate::contact::surface::NearestInPlane;
use nalgebra::{Matrix2, Vector2};

pub type Vec2 = Vector2<f64>;

/// Most iterations for a foot.
const MOST: usize = 30;
/// What turns by less along its length is straight.
const STRAIGHT: f64 = 1e-9;
/// Curves turn by no more than this on one span.
pub const WIDEST: f64 = std::f64::consts::FRAC_PI_2;

/// To which side a span bends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bend {
    Straight,
    Convex,
    Concave,
}

/// x(s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Curve {
    Line,
    /// About a point, with a signed radius, from an angle on through another.
    Arc {
        center: Vec2,
        radius: f64,
        from: f64,
        sweep: f64,
    },
    /// c₀ + c₁ s + c₂ s² + c₃ s³.
    Cubic([Vec2; 4]),
    Involute(Involute),
}

/// A ball in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ball {
    pub center: Vec2,
    pub radius: f64,
}

impl Ball {
    /// About points.
    pub fn about(points: impl Iterator<Item = Vec2> + Clone) -> Self {
        let (low, high) =
            points.clone().fold((Vec2::repeat(f64::INFINITY), Vec2::repeat(f64::NEG_INFINITY)), |(l, h), p| (l.inf(&p), h.sup(&p)));
        let center = 0.5 * (low + high);
        Self { center, radius: points.map(|p| (p - center).norm()).fold(0.0, f64::max) }
    }

    /// Whether a point is closer to it than so.
    #[inline]
    pub fn within(&self, c: &Vec2, reach: f64) -> bool {
        let reach = self.radius + reach;
        (c - self.center).norm_squared() <= reach * reach
    }
}

/// A span.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    pub curve: Curve,
    pub ends: [Vec2; 2],
    /// t at both ends.
    pub tangents: [Vec2; 2],
    pub bend: Bend,
    pub ball: Ball,
    /// Which piece of the profile it is of.
    pub piece: usize,
}

/// The outward normal beside a direction.
#[inline]
pub fn outward(t: &Vec2) -> Vec2 {
    Vec2::new(t.y, -t.x)
}

#[inline]
pub fn cross(a: &Vec2, b: &Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

impl Span {
    pub fn line(from: Vec2, to: Vec2, piece: usize) -> Self {
        let t = (to - from).normalize();
        let ball = Ball::about([from, to].into_iter());
        Self { curve: Curve::Line, ends: [from, to], tangents: [t, t], bend: Bend::Straight, ball, piece }
    }

    /// An arc between two points on it.
    pub fn arc(center: Vec2, ends: [Vec2; 2], from: f64, sweep: f64, piece: usize) -> Self {
        let radius = 0.5 * ((ends[0] - center).norm() + (ends[1] - center).norm()) * sweep.signum();
        let tangents = [from, from + sweep].map(|angle| Vec2::new(-angle.sin(), angle.cos()) * sweep.signum());
        let bend = if sweep > 0.0 { Bend::Convex } else { Bend::Concave };
        Self::curved(Curve::Arc { center, radius, from, sweep }, ends, tangents, bend, piece)
    }

    /// An involute between two points on it.
    pub fn involute(curve: Involute, ends: [Vec2; 2], piece: usize) -> Self {
        let bend = if curve.is_convex() { Bend::Convex } else { Bend::Concave };
        let tangents = [0.0, 1.0].map(|s| curve.at(s)[1].normalize());
        Self::curved(Curve::Involute(curve), ends, tangents, bend, piece)
    }

    /// A cubic, cut where it changes the side to which it bends, and until it turns little.
    pub fn cubic(c: [Vec2; 4], piece: usize, out: &mut Vec<Self>) {
        let (k0, k1, k2) = (2.0 * cross(&c[1], &c[2]), 6.0 * cross(&c[1], &c[3]), 6.0 * cross(&c[2], &c[3]));
        let size = c[1].norm_squared();
        let mut cuts = vec![0.0];
        let root = (k1 * k1 - 4.0 * k0 * k2).max(0.0).sqrt();
        // Both roots without cancellation.
        let q = -0.5 * (k1 + root.copysign(k1));
        let mut roots = [if k2.abs() > STRAIGHT * size { q / k2 } else { -1.0 }, if q.abs() > STRAIGHT * size { k0 / q } else { -1.0 }];
        roots.sort_by(f64::total_cmp);
        let real = k1 * k1 > 4.0 * k0 * k2;
        cuts.extend(roots.into_iter().filter(|s| real && (1e-3..0.999).contains(s)));
        cuts.push(1.0);
        for pair in cuts.windows(2) {
            Self::gentle(part(&c, pair[0], pair[1]), piece, out);
        }
    }

    /// Halved until it turns little.
    fn gentle(c: [Vec2; 4], piece: usize, out: &mut Vec<Self>) {
        let at = |s: f64| Curve::Cubic(c).at(&[c[0], c[0]], s);
        let tangents = [at(0.0)[1].normalize(), at(1.0)[1].normalize()];
        let turn = cross(&tangents[0], &tangents[1]).atan2(tangents[0].dot(&tangents[1]));
        if turn.abs() > 0.5 * WIDEST && out.len() < 100_000 {
            Self::gentle(part(&c, 0.0, 0.5), piece, out);
            return Self::gentle(part(&c, 0.5, 1.0), piece, out);
        }
        let middle = at(0.5);
        let bend = if turn.abs() < STRAIGHT {
            Bend::Straight
        } else if cross(&middle[1], &middle[2]) > 0.0 {
            Bend::Convex
        } else {
            Bend::Concave
        };
        out.push(Self::curved(Curve::Cubic(c), [c[0], at(1.0)[0]], tangents, bend, piece));
    }

    fn curved(curve: Curve, ends: [Vec2; 2], tangents: [Vec2; 2], bend: Bend, piece: usize) -> Self {
        let looks = (0..=16).map(|k| curve.at(&ends, f64::from(k) / 16.0)[0]);
        let ball = Ball::about(looks);
        // Between looks the curve may bulge a little.
        let ball = Ball { radius: 1.01 * ball.radius, ..ball };
        Self { curve, ends, tangents, bend, ball, piece }
    }

    /// x, x′ and x″.
    pub fn at(&self, s: f64) -> [Vec2; 3] {
        self.curve.at(&self.ends, s)
    }

    /// The place of the foot (1) of a point that has one on the span.
    pub fn place(&self, c: &Vec2) -> Option<f64> {
        match &self.curve {
            Curve::Line => {
                let along = self.ends[1] - self.ends[0];
                Some((c - self.ends[0]).dot(&along) / along.norm_squared())
            }
            Curve::Arc { center, from, sweep, radius } => {
                let (sin, cos) = (from + 0.5 * sweep).sin_cos();
                let (x, middle) = (c - center, Vec2::new(cos, sin));
                Some(0.5 + cross(&middle, &x).atan2(middle.dot(&x)) / sweep).filter(|_| radius.is_finite())
            }
            Curve::Cubic(_) => self.place_on_cubic(c),
            Curve::Involute(curve) => curve.place(c),
        }
    }

    fn place_on_cubic(&self, c: &Vec2) -> Option<f64> {
        let along = self.ends[1] - self.ends[0];
        let mut s = ((c - self.ends[0]).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        for _ in 0..MOST {
            let [x, dx, ddx] = self.at(s);
            let e = c - x;
            let (slope, least) = (dx.norm_squared() - e.dot(&ddx), 0.05 * dx.norm_squared());
            let next = (s + e.dot(&dx) / slope.max(least)).clamp(-0.05, 1.05);
            let step = (next - s).abs();
            s = next;
            if step < 1e-15 || (step < 1e-9 && slope > least) {
                // Beyond the centre of curvature there is no nearest point.
                return (slope > 0.0).then_some(s);
            }
        }
        None
    }

    /// The distance (1) of a point that has its foot on the span.
    #[inline]
    pub fn foot(&self, c: &Vec2) -> Option<NearestInPlane> {
        match &self.curve {
            Curve::Line => Some(self.flat(c, 0)),
            Curve::Arc { center, radius, .. } => {
                let at = NearestInPlane::rounded(c - center, radius.abs());
                Some(if *radius > 0.0 { at } else { at.inside_out() })
            }
            Curve::Involute(curve) => curve.foot(c),
            Curve::Cubic(_) => {
                let [x, dx, ddx] = self.at(self.place_on_cubic(c)?);
                let speed = dx.norm();
                let (t, curvature) = (dx / speed, cross(&dx, &ddx) / (speed * speed * speed));
                let normal = outward(&t);
                let distance = (c - x).dot(&normal);
                Some(NearestInPlane { distance, normal, bend: t * t.transpose() * (curvature / (1.0 + curvature * distance)) })
            }
        }
    }

    /// The distance from the tangent at an end.
    #[inline]
    pub fn flat(&self, c: &Vec2, end: usize) -> NearestInPlane {
        let normal = outward(&self.tangents[end]);
        NearestInPlane { distance: (c - self.ends[end]).dot(&normal), normal, bend: Matrix2::zeros() }
    }

    /// Places that a line from end to end through which follows the span, without the last.
    pub fn looks(&self, count: usize) -> impl Iterator<Item = Vec2> + '_ {
        let count = if self.bend == Bend::Straight { 1 } else { count };
        (0..count).map(move |k| self.at(k as f64 / count as f64)[0])
    }
}

impl Curve {
    fn at(&self, ends: &[Vec2; 2], s: f64) -> [Vec2; 3] {
        match self {
            Curve::Line => [ends[0] + (ends[1] - ends[0]) * s, ends[1] - ends[0], Vec2::zeros()],
            Curve::Arc { center, radius, from, sweep } => {
                let (sin, cos) = (from + s * sweep).sin_cos();
                let r = Vec2::new(cos, sin) * radius.abs();
                [center + r, Vec2::new(-r.y, r.x) * *sweep, r * (-sweep * sweep)]
            }
            Curve::Involute(curve) => curve.at(s),
            Curve::Cubic([p, b, c, d]) => [p + (b + (c + d * s) * s) * s, b + (c * 2.0 + d * (3.0 * s)) * s, c * 2.0 + d * (6.0 * s)],
        }
    }
}

/// A cubic from one place to another, as a cubic.
fn part(c: &[Vec2; 4], from: f64, to: f64) -> [Vec2; 4] {
    let (s, h) = (from, to - from);
    let [p, b, cc, d] = *c;
    [p + (b + (cc + d * s) * s) * s, (b + (cc * 2.0 + d * (3.0 * s)) * s) * h, (cc + d * (3.0 * s)) * (h * h), d * (h * h * h)]
}
