//! A profile cut into spans and joints, ready for questions. With c a point of the plane, a span has the foot of c where c lies between the normals at
//! its ends; the end of one span and the beginning of the next are one test, so that exactly one of them has it:
//!
//! ```text
//! (c − v)·t_out ≥ 0  at its beginning,    (c − v)·t_in < 0  at its end v                                         (1)
//! ```
//!
//! A convex corner fills the cone (c − v)·t_in ≥ 0 > (c − v)·t_out. At a concave one both spans go on, beyond their ends, as the corner's point: a
//! circle there touches both, and leaves one of them smoothly as it moves away on the other. Outside all that is near counts; inside the solid only the
//! nearest does, as inside of all other shapes.

use super::span::{Ball, Bend, Span, Vec2, cross, outward};
use crate::contact::surface::NearestInPlane;
use std::ops::Range;

/// Concave corners that turn by less are joints that coordinates have not met exactly.
const SMOOTH: f64 = 0.01;
/// So do convex ones, where nothing is gained by a vertex.
const EXACT: f64 = 1e-9;
/// Sides face away from each other where the product of their normals is less.
const OPPOSITE: f64 = -0.5;
/// Features that are looked at together.
const TOGETHER: usize = 8;

/// How the spans beside a joint go over into each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Smooth,
    Convex,
    Concave,
}

/// When a joint carries what is flat. A line rests on both its ends; a convex curve rolls, and a line beside it begins where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    Never,
    /// Between lines.
    Always,
    /// Between convex curves: while the normal is in the cone.
    Cone,
    /// A convex curve, then a line: once the curve has rolled to its end.
    After,
    /// A line, then a convex curve.
    Before,
}

/// Where one span ends and the next begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    pub point: Vec2,
    /// t at the end of the one and at the beginning of the other.
    pub tangents: [Vec2; 2],
    pub kind: Kind,
    pub rest: Rest,
}

impl Joint {
    /// Between two spans; at the end of an open profile there is but one, and the other is taken to turn into the solid.
    fn between(before: Option<&Span>, after: Option<&Span>) -> Option<Self> {
        let (t_in, t_out) = match (before, after) {
            (Some(a), Some(b)) => (a.tangents[1], b.tangents[0]),
            (Some(a), None) => (a.tangents[1], -outward(&a.tangents[1])),
            (None, Some(b)) => (outward(&b.tangents[0]), b.tangents[0]),
            (None, None) => return None,
        };
        let point = after.map(|b| b.ends[0]).or(before.map(|a| a.ends[1]))?;
        let turn = cross(&t_in, &t_out).atan2(t_in.dot(&t_out));
        let kind = if (-SMOOTH..EXACT).contains(&turn) {
            Kind::Smooth
        } else if turn > 0.0 {
            Kind::Convex
        } else {
            Kind::Concave
        };
        let tangents = if kind == Kind::Smooth { [(t_in + t_out).normalize(); 2] } else { [t_in, t_out] };
        let rolls = [before, after].map(|span| span.is_some_and(|s| s.bend == Bend::Convex));
        let rest = match (kind, rolls) {
            (Kind::Concave, _) | (Kind::Smooth, [true, true] | [false, false]) => Rest::Never,
            (Kind::Convex, [false, false]) => Rest::Always,
            (Kind::Convex, [true, true]) => Rest::Cone,
            (_, [true, false]) => Rest::After,
            (_, [false, true]) => Rest::Before,
        };
        Some(Self { point, tangents, kind, rest })
    }

    /// Whether the joint is what touches a surface with the normal n, given in the axes of the profile and pointing at it.
    pub fn touches(&self, n: &Vec2, flat: bool) -> bool {
        let [falling, rising] = [n.dot(&self.tangents[0]) <= 0.0, n.dot(&self.tangents[1]) > 0.0];
        match self.rest {
            _ if !flat => self.kind == Kind::Convex && falling && rising,
            Rest::Never => false,
            Rest::Always => n.dot(&(outward(&self.tangents[0]) + outward(&self.tangents[1]))) < 0.0,
            Rest::Cone => falling && rising,
            Rest::After => falling,
            Rest::Before => rising,
        }
    }
}

/// What a profile is felt by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Span(usize),
    Joint(usize),
}

/// Where a point is beside a span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beside {
    Before,
    Within,
    After,
}

/// Some features and a ball about them.
#[derive(Debug, Clone, PartialEq)]
struct Group {
    ball: Ball,
    features: Range<usize>,
}

/// Spans and joints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Form {
    pub spans: Vec<Span>,
    /// Joint k is where span k begins.
    pub joints: Vec<Joint>,
    features: Vec<Feature>,
    groups: Vec<Group>,
    /// The radius of a circle about the origin that holds it all.
    pub reach: f64,
    /// Half of the smallest thickness.
    pub depth: f64,
}

impl Form {
    pub fn new(spans: Vec<Span>, closed: bool) -> Self {
        let (n, last) = (spans.len(), spans.len().saturating_sub(1));
        let count = if closed { n } else { n + 1 };
        let before = |k: usize| if k > 0 { spans.get(k - 1) } else { spans.get(last).filter(|_| closed) };
        let joints: Vec<Joint> = (0..count).filter_map(|k| Joint::between(before(k), spans.get(k))).collect();
        let mut features = Vec::new();
        for k in 0..count {
            let felt = joints.get(k).is_some_and(|joint| joint.kind != Kind::Smooth || joint.rest != Rest::Never);
            features.extend(felt.then_some(Feature::Joint(k)));
            features.extend((k < n).then_some(Feature::Span(k)));
        }
        let mut form = Self { spans, joints, features, groups: Vec::new(), reach: 0.0, depth: f64::INFINITY };
        form.groups = (0..form.features.len().div_ceil(TOGETHER)).map(|k| form.group(k)).collect();
        form.reach = form.spans.iter().flat_map(|s| s.looks(16).chain([s.ends[1]])).map(|p| p.norm()).fold(0.0, f64::max);
        form.depth = form.half_thickness();
        form
    }

    fn group(&self, k: usize) -> Group {
        let features = TOGETHER * k..(TOGETHER * (k + 1)).min(self.features.len());
        let balls = self.features[features.clone()].iter().map(|f| self.ball(*f));
        let about = Ball::about(balls.clone().map(|b| b.center));
        let radius = balls.map(|b| (b.center - about.center).norm() + b.radius).fold(0.0, f64::max);
        Group { ball: Ball { radius, ..about }, features }
    }

    pub fn ball(&self, feature: Feature) -> Ball {
        match feature {
            Feature::Span(k) => self.spans[k].ball,
            Feature::Joint(k) => Ball { center: self.joints[k].point, radius: 0.0 },
        }
    }

    /// The joint where a span ends.
    pub fn end(&self, span: usize) -> &Joint {
        &self.joints[(span + 1) % self.joints.len()]
    }

    /// (1).
    #[inline]
    pub fn beside(&self, span: usize, c: &Vec2) -> Beside {
        let (begin, end) = (&self.joints[span], self.end(span));
        if (c - begin.point).dot(&begin.tangents[1]) < 0.0 {
            Beside::Before
        } else if (c - end.point).dot(&end.tangents[0]) < 0.0 {
            Beside::Within
        } else {
            Beside::After
        }
    }

    /// Calls `each` with the features that are no farther from a point than `reach`, and may be a few that are.
    #[inline]
    pub fn close(&self, c: &Vec2, reach: f64, mut each: impl FnMut(Feature)) {
        for group in self.groups.iter().filter(|group| group.ball.within(c, reach)) {
            for feature in self.features[group.features.clone()].iter().filter(|f| self.ball(**f).within(c, reach)) {
                each(*feature);
            }
        }
    }

    /// Calls `each` with the distances of a point from a feature.
    #[inline]
    fn distances(&self, feature: Feature, c: &Vec2, mut each: impl FnMut(NearestInPlane)) {
        match feature {
            Feature::Span(k) => {
                if self.beside(k, c) == Beside::Within {
                    self.spans[k].foot(c).into_iter().for_each(each);
                }
            }
            Feature::Joint(k) => {
                let Joint { point, tangents: [t_in, t_out], kind, .. } = &self.joints[k];
                let x = c - point;
                let [beyond, ahead] = [x.dot(t_in) >= 0.0, x.dot(t_out) < 0.0];
                let above = [t_in, t_out].map(|t| x.dot(&outward(t)) > 0.0);
                match kind {
                    Kind::Convex if beyond && ahead => each(NearestInPlane::rounded(x, 0.0)),
                    Kind::Concave => {
                        let tails = usize::from(beyond && above[0]) + usize::from(ahead && above[1]);
                        (0..tails).for_each(|_| each(NearestInPlane::rounded(x, 0.0)));
                        if tails == 0 && beyond && ahead {
                            each(NearestInPlane::rounded(x, 0.0).inside_out());
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Calls `each` with what is near a point: outside everything that is no farther than `reach`, inside the nearest.
    #[inline]
    pub fn nearby(&self, c: &Vec2, reach: f64, mut each: impl FnMut(Feature, NearestInPlane)) {
        let mut outside = f64::INFINITY;
        let mut inside: Option<(Feature, NearestInPlane)> = None;
        self.close(c, reach, |feature| {
            self.distances(feature, c, |at| {
                if at.distance >= 0.0 {
                    outside = outside.min(at.distance);
                    each(feature, at);
                } else if inside.is_none_or(|(_, other)| at.distance > other.distance) {
                    inside = Some((feature, at));
                }
            });
        });
        if let Some((feature, at)) = inside.filter(|(_, at)| -at.distance < outside) {
            each(feature, at);
        }
    }

    /// The nearest of all; `None` behind the ends of an open profile.
    pub fn nearest(&self, c: &Vec2) -> Option<NearestInPlane> {
        let mut best: Option<NearestInPlane> = None;
        for group in &self.groups {
            if best.is_some_and(|best| !group.ball.within(c, best.distance.abs())) {
                continue;
            }
            for feature in &self.features[group.features.clone()] {
                self.distances(*feature, c, |at| {
                    if best.is_none_or(|best| at.distance.abs() < best.distance.abs()) {
                        best = Some(at);
                    }
                });
            }
        }
        best
    }

    /// The radius of the smallest circle inside the solid that touches it in the middle of a span and on a side that faces away from there; infinite if
    /// there is no other side. Circles that touch p from inside, with the outward normal n, and q, have the radius |q − p|²/(2 (p − q)·n).
    fn half_thickness(&self) -> f64 {
        let chords = self.chords(6);
        let mut least = f64::INFINITY;
        for span in &self.spans {
            let [x, dx, _] = span.at(0.5);
            let n = outward(&dx.normalize());
            for (_, [p, q]) in &chords {
                let (u, apart) = (q - p, x - p);
                let facing = outward(&u).dot(&n) < OPPOSITE * u.norm();
                if facing && apart.dot(&n) > 0.0 {
                    least = least.min(0.5 * apart.norm_squared() / apart.dot(&n));
                }
            }
        }
        least
    }

    /// Short lines along the spans, each with the span's number.
    pub fn chords(&self, count: usize) -> Vec<(usize, [Vec2; 2])> {
        let mut out = Vec::new();
        for (k, span) in self.spans.iter().enumerate() {
            let points: Vec<Vec2> = span.looks(count).chain([span.ends[1]]).collect();
            out.extend(points.windows(2).map(|w| (k, [w[0], w[1]])));
        }
        out
    }
}
