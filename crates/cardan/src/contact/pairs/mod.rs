//! Which shapes can touch, and where they do. Shape a feels shape b by balls (points, corners, round ends) or by the points of a that are lowest
//! above b; a pair in which each has something to feel with that the other does not replace (two boxes) feels both ways.
//!
//! Several touches of a pair act as a sum, each with its own depth.

mod balls;
mod segments;
mod support;

use super::shapes::Shape;
use super::touch::{Relative, Touch};

/// How one shape feels another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feeling {
    Balls,
    Segments,
    Support,
}

/// How shape a feels shape b; `None` if it cannot.
fn feeling(a: &Shape, b: &Shape) -> Option<Feeling> {
    use Shape::{Capsule, ContactPoint, Cuboid, Cylinder, Disk, Ellipsoid, HalfSpace, HollowCylinder, HollowSphere, Sphere, Torus};
    match (a, b) {
        (ContactPoint(_), ContactPoint(_)) => None,
        (ContactPoint(_) | Sphere(_), _) => Some(Feeling::Balls),
        (Capsule(_), Capsule(_)) => Some(Feeling::Segments),
        (Cuboid(_), HalfSpace(_) | HollowSphere(_) | Cuboid(_)) => Some(Feeling::Balls),
        (Capsule(_), HalfSpace(_) | HollowSphere(_) | HollowCylinder(_)) => Some(Feeling::Balls),
        (Cylinder(_), HollowCylinder(_)) => Some(Feeling::Balls),
        (Cylinder(_) | Disk(_) | Torus(_) | Ellipsoid(_), HalfSpace(_)) => Some(Feeling::Support),
        _ => None,
    }
}

/// The depth of what shape a feels with: that of its balls; corners and edges have none.
pub fn own_depth(a: &Shape) -> f64 {
    match a {
        Shape::Sphere(s) => s.radius,
        Shape::Capsule(s) => s.radius,
        _ => 0.0,
    }
}

/// Whether shape a feels b, and b feels a; neither if they cannot touch.
pub fn directions(a: &Shape, b: &Shape) -> [bool; 2] {
    let both = matches!((a, b), (Shape::Cuboid(_), Shape::Cuboid(_)));
    match (feeling(a, b).is_some(), feeling(b, a).is_some()) {
        (true, there) => [true, there && both],
        (false, there) => [false, there],
    }
}

/// Calls `each` with every touch that can be, in the same order at all times, whether the surfaces are apart or not.
#[inline]
pub fn touches(a: &Shape, b: &Shape, at: &Relative, mut each: impl FnMut(Touch)) {
    match feeling(a, b) {
        Some(Feeling::Balls) => balls::touches(a, b, at, &mut each),
        Some(Feeling::Segments) => segments::touches(a, b, at, &mut each),
        Some(Feeling::Support) => support::touches(a, at, &mut each),
        None => {}
    }
}

/// What may stand in for a pair that is not there.
pub fn instead(a: &str, b: &str) -> String {
    match [a, b] {
        ["half-space" | "hollow-sphere" | "hollow-cylinder", "half-space" | "hollow-sphere" | "hollow-cylinder"] => {
            "one of them has to have an outside".into()
        }
        ["point", "point"] => "points have no surface: use a sphere for one of them".into(),
        _ => format!("spheres touch both: use spheres where the {a} touches the {b}, or a half space for a flat side"),
    }
}
