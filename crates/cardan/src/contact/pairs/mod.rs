//! Which shapes can touch, and where they do. Shape a feels shape b by balls (points, corners, round ends) or by the points of a that are lowest
//! above b; a pair in which each has something to feel with that the other does not replace (two boxes) feels both ways.
//!
//! Several touches of a pair act as a sum, each with its own depth.

mod balls;
mod profiles;
mod rounds;
mod segments;
mod support;
mod wires;

use super::shapes::{Shape, Solid};
use super::touch::{Relative, Touch};

/// How one shape feels another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feeling {
    Balls,
    Segments,
    Support,
    Rounds,
    Profiles,
}

/// How shape a feels shape b; `None` if it cannot.
fn feeling(a: &Shape, b: &Shape) -> Option<Feeling> {
    use Shape::{
        Capsule, ContactPoint, Cuboid, Cylinder, Disk, Ellipsoid, HalfSpace, HollowCylinder, HollowSphere, Profile, Sphere, Torus,
    };
    match (a, b) {
        (ContactPoint(_), ContactPoint(_)) => None,
        (ContactPoint(_) | Sphere(_) | Capsule(_) | Cylinder(_) | Disk(_), Profile(_)) => Some(Feeling::Rounds),
        (Profile(_), HalfSpace(_) | Profile(_)) => Some(Feeling::Profiles),
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
pub fn own_depth(a: &Shape, b: &Shape) -> f64 {
    match (a, b) {
        (Shape::Sphere(s), _) => s.radius,
        (Shape::Capsule(s), _) => s.radius,
        (Shape::Cylinder(s), Shape::Profile(_)) => s.radius,
        (Shape::Disk(s), Shape::Profile(_)) => s.radius,
        (Shape::Profile(s), _) => s.sound(),
        _ => 0.0,
    }
}

/// The radius of a ball about the origin that holds all that shape a feels with.
pub fn own_reach(a: &Shape) -> f64 {
    if let Shape::Profile(a) = a { a.radius() } else { a.reach() }
}

/// Whether touches of a pair come and go, as those with the pieces of profiles do; others are always the same.
pub fn come_and_go(a: &Shape, b: &Shape) -> bool {
    matches!((a, b), (Shape::Profile(_), _) | (_, Shape::Profile(_)))
}

/// The gap of a pair, or less.
pub fn clear(a: &Shape, b: &Shape, at: &Relative) -> f64 {
    let mut gap = match (a, b) {
        (Shape::Profile(a), Shape::Profile(b)) => profiles::sound(a, b),
        (_, Shape::Profile(b)) => return rounds::clear(a, b, at),
        _ => f64::INFINITY,
    };
    touches(a, b, at, |touch| gap = gap.min(touch.gap));
    gap
}

/// Whether shape a feels b, and b feels a; neither if they cannot touch.
pub fn directions(a: &Shape, b: &Shape) -> [bool; 2] {
    let both = matches!((a, b), (Shape::Cuboid(_), Shape::Cuboid(_)));
    match (feeling(a, b).is_some(), feeling(b, a).is_some()) {
        (true, there) => [true, there && both],
        (false, there) => [false, there],
    }
}

/// Calls `each` with every touch that can be, in the same order at all times, whether the surfaces are apart or not; of those that come and go, with all
/// that are near.
#[inline]
pub fn touches(a: &Shape, b: &Shape, at: &Relative, mut each: impl FnMut(Touch)) {
    match feeling(a, b) {
        Some(Feeling::Balls) => balls::touches(a, b, at, &mut each),
        Some(Feeling::Segments) => segments::touches(a, b, at, &mut each),
        Some(Feeling::Support) => support::touches(a, at, &mut each),
        Some(Feeling::Rounds) => {
            if let Shape::Profile(b) = b {
                rounds::touches(a, b, at, &mut each);
            }
        }
        Some(Feeling::Profiles) => match (a, b) {
            (Shape::Profile(a), Shape::Profile(b)) => profiles::touches(a, b, at, &mut each),
            (Shape::Profile(a), _) => profiles::on_plane(a, at, &mut each),
            _ => {}
        },
        None => {}
    }
}

/// What may stand in for a pair that is not there.
pub fn instead(a: &str, b: &str) -> String {
    match [a, b] {
        ["profile", other] | [other, "profile"] => {
            format!("profiles touch spheres, cylinders, capsules, half spaces and each other: use one for the {other}")
        }
        ["half-space" | "hollow-sphere" | "hollow-cylinder", "half-space" | "hollow-sphere" | "hollow-cylinder"] => {
            "one of them has to have an outside".into()
        }
        ["point", "point"] => "points have no surface: use a sphere for one of them".into(),
        _ => format!("spheres touch both: use spheres where the {a} touches the {b}, or a half space for a flat side"),
    }
}
