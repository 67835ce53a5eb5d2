//! Which shapes can touch, and where they do. A shape feels another by its balls (points, corners, round ends), by what of it is round everywhere
//! (ellipsoids, disks, the flat ends of cylinders) above flat and straight sides, and by the lines along which axes and edges cross; boxes feel each
//! other by their whole outlines. Where both have something to feel with, what the second feels is turned round.
//!
//! Several touches of a pair act as a sum, each with its own depth, a continuous function of the state: what lies on a line rests on its two ends, and
//! no touch wanders from one end to the other.

mod balls;
mod crossing;
mod curved;
mod features;
mod polyhedra;
mod profiles;
mod round;
mod rounds;
mod segments;
mod support;
mod wires;

use super::shapes::{Shape, Solid};
use super::touch::{Relative, Touch};
use crate::math::Vec3;

/// How one shape feels another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feeling {
    /// By its balls.
    Balls,
    /// By many balls: corners.
    Corners,
    /// By its balls, every face, edge and corner of the other by itself.
    Features,
    /// By what is round of it, above a curved surface.
    Curved,
    /// Corners of both.
    BothCorners,
    /// By what is round of it.
    Rounds,
    /// By its lowest points above a half space.
    Support,
    /// Balls of the first, rounds of the first, crossing lines, and what the second feels by its balls or rounds.
    Sides,
    /// Capsules.
    Segments,
    /// Boxes and hulls.
    Outlines,
    /// By its balls and rims, a profile.
    OnProfile,
    /// Profiles on half spaces and each other.
    Profiles,
}

/// How shape a feels shape b; `None` if it cannot.
fn feeling(a: &Shape, b: &Shape) -> Option<Feeling> {
    use Shape::{
        Capsule, ContactPoint, Cuboid, Cylinder, Disk, Ellipsoid, HalfSpace, HeightField, HollowCylinder, HollowSphere, Hull, Mesh,
        Profile, Sphere, Torus,
    };
    match (a, b) {
        (ContactPoint(_), ContactPoint(_)) => None,
        (ContactPoint(_) | Sphere(_) | Capsule(_) | Cylinder(_) | Disk(_), Profile(_)) => Some(Feeling::OnProfile),
        (Profile(_), HalfSpace(_) | Profile(_)) => Some(Feeling::Profiles),
        (Sphere(_) | Capsule(_), Mesh(_) | Hull(_)) => Some(Feeling::Features),
        (ContactPoint(_) | Sphere(_), _) => Some(Feeling::Balls),
        (Capsule(_), Capsule(_)) => Some(Feeling::Segments),
        (Cuboid(_) | Hull(_), Cuboid(_)) | (Hull(_), Hull(_)) => Some(Feeling::Outlines),
        (Cuboid(_) | Capsule(_), HalfSpace(_) | HollowSphere(_) | HollowCylinder(_) | HeightField(_)) => Some(Feeling::Balls),
        (Mesh(_) | Hull(_), HalfSpace(_) | HollowSphere(_) | HollowCylinder(_) | HeightField(_)) => Some(Feeling::Corners),
        (Mesh(_), Cuboid(_) | Hull(_)) => Some(Feeling::BothCorners),
        (Cylinder(_), HollowCylinder(_)) => Some(Feeling::Balls),
        (Cylinder(_) | Disk(_) | Torus(_) | Ellipsoid(_), HalfSpace(_)) => Some(Feeling::Support),
        (Cylinder(_) | Disk(_) | Torus(_) | Ellipsoid(_), HeightField(_)) => Some(Feeling::Curved),
        (Cylinder(_), Cuboid(_) | Cylinder(_) | Capsule(_)) | (Capsule(_), Cuboid(_)) => Some(Feeling::Sides),
        (Ellipsoid(_) | Disk(_), Cuboid(_) | Cylinder(_) | Capsule(_) | Ellipsoid(_)) | (Disk(_), Disk(_)) => Some(Feeling::Rounds),
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

/// The part of the angular velocity of a shape, in its own axes, by which its surface moves: spin about an axis of symmetry leaves it where it is.
pub fn turning(a: &Shape, w: &Vec3) -> f64 {
    match a {
        Shape::ContactPoint(_) | Shape::Sphere(_) => 0.0,
        Shape::Capsule(_) | Shape::Cylinder(_) | Shape::Disk(_) | Shape::Torus(_) => w.xy().norm(),
        _ => w.norm(),
    }
}

/// Whether touches of a pair come and go, as those with pieces of profiles and with edges do; others are always the same.
pub fn come_and_go(a: &Shape, b: &Shape) -> bool {
    use Feeling::{BothCorners, Corners, Features, OnProfile, Outlines, Profiles};
    matches!(feeling(a, b), Some(Outlines | Corners | Features | BothCorners | OnProfile | Profiles))
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

/// Whether shape a feels b, or b feels a; neither if they cannot touch.
pub fn directions(a: &Shape, b: &Shape) -> [bool; 2] {
    let there = feeling(a, b).is_some();
    [there, !there && feeling(b, a).is_some()]
}

/// Calls `each` with every touch that can be, in the same order at all times, whether the surfaces are apart or not; of those that come and go, with all
/// that carry or are near, or with one that is apart.
#[inline]
pub fn touches(a: &Shape, b: &Shape, at: &Relative, mut each: impl FnMut(Touch)) {
    match feeling(a, b) {
        Some(Feeling::Balls) => balls::touches(a, b, at, &mut each),
        Some(Feeling::Corners) => balls::few(a, b, at, &mut each),
        Some(Feeling::Features) => features::touches(a, b, at, &mut each),
        Some(Feeling::Curved) => curved::touches(a, b, at, &mut each),
        Some(Feeling::BothCorners) => {
            balls::few(a, b, at, &mut each);
            let (back, d) = (at.swapped(), at.a.p - at.b.p);
            balls::few(b, a, &back, &mut |touch| each(touch.felt_back(&d)));
        }
        Some(Feeling::Rounds) => round::touches(a, b, at, &mut each),
        Some(Feeling::Support) => support::touches(a, at, &mut each),
        Some(Feeling::Sides) => sides(a, b, at, &mut each),
        Some(Feeling::Segments) => segments::touches(a, b, at, &mut each),
        Some(Feeling::Outlines) => polyhedra::touches(a, b, at, &mut each),
        Some(Feeling::OnProfile) => {
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

/// What keeps the first from feeling the second: points need an inside that they are pushed out of.
pub fn mistake(a: &Shape, b: &Shape) -> Option<String> {
    let mesh = match (a, b) {
        (Shape::ContactPoint(_), Shape::Mesh(mesh)) | (Shape::Mesh(mesh), Shape::Cuboid(_) | Shape::Hull(_)) => mesh,
        _ => return None,
    };
    let why = mesh.open()?;
    let kinds = [a, b].map(Shape::kind_name);
    Some(format!("contact between {} and {} needs a closed mesh: {why}", kinds[0], kinds[1]))
}

/// Straight sides: what each feels of the other with its ends and corners, and where lines cross.
fn sides(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    ends(a, b, at, each);
    let (back, d) = (at.swapped(), at.a.p - at.b.p);
    ends(b, a, &back, &mut |touch| each(touch.felt_back(&d)));
    crossing::touches(a, b, at, each);
}

fn ends(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    match a {
        Shape::Cylinder(_) => round::touches(a, b, at, each),
        _ => balls::touches(a, b, at, each),
    }
}

/// What may stand in for a pair that is not there.
pub fn instead(a: &str, b: &str) -> String {
    match [a, b] {
        ["profile", other] | [other, "profile"] => {
            format!("profiles touch spheres, cylinders, capsules, half spaces and each other: use one for the {other}")
        }
        [
            "half-space" | "hollow-sphere" | "hollow-cylinder" | "height-field",
            "half-space" | "hollow-sphere" | "hollow-cylinder" | "height-field",
        ] => "one of them has to have an outside".into(),
        ["mesh", "mesh"] => "use hulls of convex parts for one of them".into(),
        ["point", "point"] => "points have no surface: use a sphere for one of them".into(),
        _ => format!("spheres touch both: use spheres where the {a} touches the {b}, or a half space for a flat side"),
    }
}
