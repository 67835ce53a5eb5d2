//! Where two lines cross: the axis of a cylinder or capsule and that of another, or the edge of a box. Of segments with ends, at the distance D from
//! each other, and round surfaces of radius R about them, R the sum of both,
//!
//! ```text
//! p = R − D,     δ = p Π f(p_e/p),     f(s) = 1 − max(0, s)²                                                   (1)
//! ```
//!
//! where p_e is the depth of each of the four ends against the other segment. What lies on an end is felt there; the crossing carries the rest. So δ
//! fades where the closest points come to an end, and where the segments are parallel, when two ends are as deep as anything between them.
//!
//! With e_a, e_b along the lines, d = e_a × e_b and w from the middle of b to that of a, the lines are |w·d|/|d| apart, and closest at
//!
//! ```text
//! σ = −w·(e_b × d)/|d|²     along a                                                                            (2)
//! ```

use super::segments::closest;
use crate::contact::shapes::{Capsule, Cuboid, Cylinder, Shape};
use crate::contact::touch::{Relative, Touch};
use crate::math::taylor::Moving;
use crate::math::{Number, Taylor, Vec3};
use nalgebra::Vector3;

/// This part of R keeps the root of D² away from zero.
const TINY: f64 = 1e-9;

/// A segment in the frame of its shape, with a round surface about it.
struct Line {
    middle: Vec3,
    along: Vec3,
    half: f64,
    radius: f64,
}

/// Its middle and direction, as they move.
struct Placed<T: Number> {
    middle: Vector3<T>,
    along: Vector3<T>,
    half: f64,
}

/// The touches of the lines of a with those of b.
pub fn touches(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    lines(a, |a| lines(b, |b| each(touch(a, b, at))));
}

fn lines(shape: &Shape, mut each: impl FnMut(&Line)) {
    let mut axis = |length: f64, radius: f64| each(&Line { middle: Vec3::zeros(), along: Vec3::z(), half: 0.5 * length, radius });
    match shape {
        Shape::Cylinder(Cylinder { radius, length }) => axis(*length, *radius),
        Shape::Capsule(Capsule { radius, length }) => axis(*length, *radius),
        Shape::Cuboid(Cuboid { size }) => {
            for edge in 0..12 {
                let (axis, side) = (edge / 4, |bit: usize| if edge >> bit & 1 == 0 { -0.5 } else { 0.5 });
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut middle = Vec3::zeros();
                (middle[next], middle[last]) = (side(0) * size[next], side(1) * size[last]);
                each(&Line { middle, along: Vec3::ith(axis, 1.0), half: 0.5 * size[axis], radius: 0.0 });
            }
        }
        _ => {}
    }
}

/// Both lines, seen from the origin of b.
fn placed<T: Moving>(a: &Line, b: &Line, at: &Relative) -> [Placed<T>; 2] {
    let p = at.a.p - at.b.p;
    let [of_a, of_b] = [at.a.r, at.b.r];
    [
        Placed { middle: T::carried(&p, &(of_a * a.middle)), along: T::turning(&(of_a * a.along)), half: a.half },
        Placed { middle: T::fixed(&(of_b * b.middle)), along: T::fixed(&(of_b * b.along)), half: b.half },
    ]
}

fn touch(a: &Line, b: &Line, at: &Relative) -> Touch {
    let reach = a.radius + b.radius;
    let [of_a, of_b] = placed::<f64>(a, b, at);
    let apart = of_a.middle - of_b.middle;
    let [s, t] = closest([a.half, b.half], &of_a.along, &of_b.along, &apart).places;
    let depth = reach - (apart + of_a.along * s - of_b.along * t).norm();
    let inner = s.abs() < a.half && t.abs() < b.half;
    if depth <= 0.0 || !inner {
        return Touch::apart((-depth).max(0.0));
    }
    let free = of_a.along.cross(&of_b.along).norm_squared() > f64::EPSILON;
    if !free || own_depth(depth, reach, &[of_a, of_b]) <= 0.0 {
        return Touch::apart(0.0);
    }
    fading(a, b, at)
}

/// (1) where the lines cross between their ends.
fn fading(a: &Line, b: &Line, at: &Relative) -> Touch {
    let reach = a.radius + b.radius;
    let both = placed::<Taylor>(a, b, at);
    let [of_a, of_b] = &both;
    let w = of_a.middle - of_b.middle;
    let d = of_a.along.cross(&of_b.along);
    let size = d.dot(&d);
    let across = w.dot(&d) / Number::sqrt(size);
    let side = if across.v < 0.0 { -1.0 } else { 1.0 };
    let normal = d * (Taylor::constant(side) / Number::sqrt(size));
    let depth = Taylor::constant(reach) - across * Taylor::constant(side);
    let along = -w.dot(&of_b.along.cross(&d)) / size;
    let own = own_depth(depth, reach, &both);
    let halfway = Taylor::constant(a.radius) - depth * Taylor::constant(0.5);
    let arm = Taylor::turning(&(at.a.r * a.middle)) + of_a.along * along - normal * halfway;
    Touch::of_gap(&-own, &arm)
}

/// δ of (1).
fn own_depth<T: Moving>(depth: T, reach: f64, lines: &[Placed<T>; 2]) -> T {
    let mut own = depth;
    for (line, other) in [(0, 1), (1, 0)] {
        let (line, other) = (&lines[line], &lines[other]);
        for end in [-line.half, line.half] {
            let point = line.middle + line.along * T::constant(end);
            let end_depth = T::constant(reach) - distance(&point, other, TINY * reach);
            if end_depth.value() > 0.0 {
                let part = end_depth / depth;
                own *= if part.value() < 1.0 { T::one() - part * part } else { T::zero() };
            }
        }
    }
    own
}

/// The distance of a point from a segment.
fn distance<T: Moving>(point: &Vector3<T>, line: &Placed<T>, tiny: f64) -> T {
    let x = point - line.middle;
    let along = x.dot(&line.along);
    let square = if along.value().abs() < line.half {
        x.dot(&x) - along * along
    } else {
        let beyond = x - line.along * T::constant(line.half.copysign(along.value()));
        beyond.dot(&beyond)
    };
    Number::sqrt(square + T::constant(tiny * tiny))
}
