//! What is round against a profile: balls, points, the ends of capsules; and cylinders and disks about an axis along that of the profile, felt in their
//! middle plane as circles. They touch every span with a foot below their centre and every corner with a normal there.

use crate::contact::profile::{Profile, extruded};
use crate::contact::shapes::Shape;
use crate::contact::touch::{Relative, Touch};
use crate::math::Vec3;

/// A ball, or a circle, with half of its width.
struct Round {
    offset: Vec3,
    radius: f64,
    half_width: f64,
}

#[inline]
fn rounds(a: &Shape, mut each: impl FnMut(Round)) {
    let mut round = |z: f64, radius: f64, half_width: f64| each(Round { offset: Vec3::new(0.0, 0.0, z), radius, half_width });
    match a {
        Shape::ContactPoint(_) => round(0.0, 0.0, 0.0),
        Shape::Sphere(s) => round(0.0, s.radius, 0.0),
        Shape::Capsule(s) => [-0.5, 0.5].iter().for_each(|end| round(end * s.length, s.radius, 0.0)),
        Shape::Cylinder(s) => round(0.0, s.radius, 0.5 * s.length),
        Shape::Disk(s) => round(0.0, s.radius, s.edge),
        _ => {}
    }
}

/// The touches of the rounds of a with a profile.
#[inline]
pub fn touches(a: &Shape, b: &Profile, at: &Relative, each: &mut impl FnMut(Touch)) {
    rounds(a, |Round { offset, radius, half_width }| {
        let offset = at.a.r * offset;
        let x = at.seen_from_b(&offset);
        b.form().nearby(&x.xy(), radius + b.sound(), |_, flat| {
            if let Some(nearest) = extruded(&flat, x.z, b.half_width(half_width)) {
                each(Touch::of_ball(offset, radius, &nearest.turned(&at.b.r)));
            }
        });
    });
}

/// The gap, or less.
pub fn clear(a: &Shape, b: &Profile, at: &Relative) -> f64 {
    let mut least = f64::INFINITY;
    rounds(a, |Round { offset, radius, half_width }| {
        let x = at.seen_from_b(&(at.a.r * offset));
        let flat = b.form().nearest(&x.xy()).map_or(f64::INFINITY, |at| at.distance);
        let beyond = x.z.abs() - b.half_width(half_width);
        least = least.min(if beyond > 0.0 { flat.max(0.0).hypot(beyond) } else { flat } - radius);
    });
    least
}
