//! A profile a on a plane, and on another profile. Profile a is felt by the curve in its middle plane; b is extruded along its axis z, so that axes need
//! not be exactly parallel. They touch where the distance from a span of b is smallest along the curve of a. With F(s) = n·x′ the slope of the distance,
//!
//! ```text
//! F(0) ≤ 0 < F(1)                     on a curved span of a                                                     (1)
//! n·t_in ≤ 0 < n·t_out                on a convex corner of a                                                   (2)
//! ```
//!
//! and where convex corners of b touch spans of a. What is flat rests on both its ends, as a box does on its corners.

use super::wires::Wire;
use crate::contact::profile::extruded;
use crate::contact::profile::{Bend, Beside, Feature, Form, Profile, Vec2, outward};
use crate::contact::surface::{Nearest, NearestInPlane};
use crate::contact::touch::{Relative, Touch};
use crate::math::{Mat3, Vec3};

/// Most iterations for a root.
const MOST: usize = 40;
/// Planes that are closer than this to the axis do not feel a profile.
const ACROSS: f64 = 1e-6;

/// The place of a root of F in [0, 1], by Newton's method between bounds; F rises there.
fn root(mut slope: impl FnMut(f64) -> Option<[f64; 2]>) -> Option<f64> {
    let (mut low, mut high, mut s) = (0.0, 1.0, 0.5);
    for _ in 0..MOST {
        let [f, df] = slope(s)?;
        if f > 0.0 {
            high = s
        } else {
            low = s
        }
        let next = s - f / df;
        let next = if df > 0.0 && (low..=high).contains(&next) { next } else { 0.5 * (low + high) };
        let step = (next - s).abs();
        s = next;
        if step < 1e-14 || (step < 1e-8 && df > 0.0) {
            break;
        }
    }
    Some(s)
}

/// The curve of a profile at a place, in world axes.
fn wire(a: &Form, span: usize, s: f64, at: &Relative) -> Wire {
    let [x, dx, ddx] = a.spans[span].at(s).map(|v| at.a.r * Vec3::new(v.x, v.y, 0.0));
    Wire { x, dx, ddx }
}

/// The touches of a profile with the half space of b: its lowest points.
pub fn on_plane(a: &Profile, at: &Relative, each: &mut impl FnMut(Touch)) {
    let n = at.b.r.column(2).into_owned();
    let own = at.a.r.tr_mul(&n).xy();
    let form = a.form();
    if own.norm() < ACROSS {
        return;
    }
    let surface = |x: &Vec3| Nearest::flat(n.dot(&(at.a.p + x - at.b.p)), n);
    for (k, span) in form.spans.iter().enumerate().filter(|(_, span)| span.bend == Bend::Convex) {
        let ends = [own.dot(&form.joints[k].tangents[1]), own.dot(&form.end(k).tangents[0])];
        if ends[0] <= 0.0 && ends[1] > 0.0 {
            let lowest = root(|s| {
                let [_, dx, ddx] = span.at(s);
                Some([own.dot(&dx), own.dot(&ddx)])
            });
            let wire = wire(form, k, lowest.unwrap_or(0.5), at);
            each(wire.on_surface(&surface(&wire.x)));
        }
    }
    for joint in form.joints.iter().filter(|joint| joint.touches(&own, true)) {
        let x = at.a.r * Vec3::new(joint.point.x, joint.point.y, 0.0);
        each(Touch::of_ball(x, 0.0, &surface(&x)));
    }
}

/// Two profiles, with what their points and directions are in each other's axes.
struct Both<'a> {
    a: &'a Profile,
    b: &'a Profile,
    at: &'a Relative<'a>,
    /// Of b as seen from a, transposed: from the axes of a to those of b.
    turn: Mat3,
    /// The origin of a as seen from b.
    shift: Vec3,
    /// Touches are deeper nowhere.
    limit: f64,
}

/// The gap is at least this where no touch is found.
pub fn sound(a: &Profile, b: &Profile) -> f64 {
    a.sound() + b.sound()
}

/// The touches of two profiles.
pub fn touches(a: &Profile, b: &Profile, at: &Relative, each: &mut impl FnMut(Touch)) {
    let both = Both { a, b, at, turn: at.b.r.tr_mul(&at.a.r), shift: at.b.r.tr_mul(&(at.a.p - at.b.p)), limit: sound(a, b) };
    both.touches(each);
}

impl Both<'_> {
    fn touches(&self, each: &mut impl FnMut(Touch)) {
        let [a, b] = [self.a.form(), self.b.form()];
        let middle = self.seen_from_b(&Vec2::zeros());
        if middle.xy().norm() > a.reach + b.reach + self.limit {
            return;
        }
        a.close(&self.seen_from_a(&Vec2::zeros()).xy(), b.reach + self.limit, |feature| match feature {
            Feature::Joint(k) => self.corner_of_a(k, each),
            Feature::Span(k) => {
                let ball = a.ball(feature);
                b.close(&self.seen_from_b(&ball.center).xy(), ball.radius + self.limit, |other| {
                    if let Feature::Span(other) = other {
                        self.spans(k, other).into_iter().for_each(&mut *each);
                    }
                });
            }
        });
        b.close(&middle.xy(), a.reach + self.limit, |feature| {
            if let Feature::Joint(k) = feature {
                self.corner_of_b(k, each);
            }
        });
    }

    fn seen_from_b(&self, x: &Vec2) -> Vec3 {
        self.shift + self.turn * Vec3::new(x.x, x.y, 0.0)
    }

    fn seen_from_a(&self, x: &Vec2) -> Vec3 {
        self.turn.tr_mul(&(Vec3::new(x.x, x.y, 0.0) - self.shift))
    }

    /// A direction in the plane of b, in that of a.
    fn turned_to_a(&self, n: &Vec2) -> Vec2 {
        self.turn.tr_mul(&Vec3::new(n.x, n.y, 0.0)).xy()
    }

    /// Whether both are beside each other at this height above the plane of b.
    fn overlaps(&self, z: f64) -> bool {
        z.abs() <= self.b.half_width(self.a.half_width(0.0))
    }

    /// A surface of b in the world.
    fn surface(&self, flat: &NearestInPlane) -> Option<Nearest> {
        Some(extruded(flat, 0.0, 0.0)?.turned(&self.at.b.r))
    }

    /// (2): a corner of a on spans of b.
    fn corner_of_a(&self, k: usize, each: &mut impl FnMut(Touch)) {
        let joint = &self.a.form().joints[k];
        let x = self.seen_from_b(&joint.point);
        if !self.overlaps(x.z) {
            return;
        }
        let b = self.b.form();
        b.nearby(&x.xy(), self.limit, |feature, flat| {
            let Feature::Span(span) = feature else { return };
            let touches = joint.touches(&self.turned_to_a(&flat.normal), b.spans[span].bend == Bend::Straight);
            if let Some(surface) = self.surface(&flat).filter(|_| touches) {
                each(Touch::of_ball(self.at.a.r * Vec3::new(joint.point.x, joint.point.y, 0.0), 0.0, &surface));
            }
        });
    }

    /// (1): a span of a on a span of b.
    fn spans(&self, k: usize, other: usize) -> Option<Touch> {
        let [a, b] = [self.a.form(), self.b.form()];
        let span = &a.spans[k];
        if span.bend == Bend::Straight && b.spans[other].bend == Bend::Straight {
            return None;
        }
        let [begin, end] = [&a.joints[k], a.end(k)];
        let slope_at = |p: &Vec2, t: &Vec2| {
            let (at, _) = self.distance(other, &self.seen_from_b(p).xy())?;
            Some(self.turned_to_a(&at.normal).dot(t))
        };
        if slope_at(&begin.point, &begin.tangents[1])? > 0.0 || slope_at(&end.point, &end.tangents[0])? <= 0.0 {
            return None;
        }
        let s = root(|s| {
            let [x, dx, ddx] = span.at(s);
            let (at, _) = self.distance(other, &self.seen_from_b(&x).xy())?;
            let [dx, ddx] = [dx, ddx].map(|v| (self.turn * Vec3::new(v.x, v.y, 0.0)).xy());
            Some([at.normal.dot(&dx), at.normal.dot(&ddx) + dx.dot(&(at.bend * dx))])
        })?;
        let [x, dx, _] = span.at(s);
        let place = self.seen_from_b(&x);
        let (flat, beside) = self.distance(other, &place.xy())?;
        let facing = self.turned_to_a(&flat.normal).dot(&outward(&dx)) < 0.0;
        if beside != Beside::Within || !facing || flat.distance < -self.limit || !self.overlaps(place.z) {
            return None;
        }
        Some(wire(a, k, s, self.at).on_surface(&self.surface(&flat)?))
    }

    /// The distance from a span of b, or from the tangents at its ends.
    fn distance(&self, span: usize, c: &Vec2) -> Option<(NearestInPlane, Beside)> {
        let b = self.b.form();
        let beside = b.beside(span, c);
        let at = match beside {
            Beside::Before => b.spans[span].flat(c, 0),
            Beside::Within => b.spans[span].foot(c)?,
            Beside::After => b.spans[span].flat(c, 1),
        };
        Some((at, beside))
    }

    /// A corner of b on spans of a.
    fn corner_of_b(&self, k: usize, each: &mut impl FnMut(Touch)) {
        let [a, b] = [self.a.form(), self.b.form()];
        let joint = &b.joints[k];
        let seen = self.seen_from_a(&joint.point);
        a.nearby(&seen.xy(), self.limit, |feature, flat| {
            let Feature::Span(span) = feature else { return };
            let n = (self.turn * Vec3::new(flat.normal.x, flat.normal.y, 0.0)).xy();
            if joint.touches(&n, a.spans[span].bend == Bend::Straight) {
                self.edge(&joint.point, span, &seen.xy()).into_iter().for_each(&mut *each);
            }
        });
    }

    /// An edge of b at a point of its plane, on a span of a; it is known where about.
    fn edge(&self, w: &Vec2, span: usize, about: &Vec2) -> Option<Touch> {
        let curve = &self.a.form().spans[span];
        let mut s = curve.place(about)?;
        let mut place = Vec3::zeros();
        let mut along = Vec2::zeros();
        for _ in 0..MOST {
            let [x, dx, ddx] = curve.at(s);
            place = self.seen_from_b(&x);
            let [dx, ddx] = [dx, ddx].map(|v| (self.turn * Vec3::new(v.x, v.y, 0.0)).xy());
            let e = place.xy() - w;
            let step = e.dot(&dx) / (dx.norm_squared() + e.dot(&ddx));
            along = dx;
            s -= step;
            if step.abs() < 1e-12 {
                break;
            }
        }
        if !self.overlaps(place.z) {
            return None;
        }
        // Into the solid of a: to the left of its curve, seen from its own side.
        let inwards = -outward(&along.normalize()) * 1.0_f64.copysign(self.turn[(2, 2)]);
        let gap = (place.xy() - w).dot(&inwards);
        let n = self.at.b.r * Vec3::new(inwards.x, inwards.y, 0.0);
        Some(wire(self.a.form(), span, s, self.at).on_edge(gap, &n, &self.at.b.r.column(2).into_owned()))
    }
}
