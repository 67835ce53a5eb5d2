//! Balls of a shape against the surface of another: its origin, its corners, its round ends.

use crate::contact::shapes::{Shape, Solid};
use crate::contact::touch::{Relative, Touch};
use crate::math::Vec3;

/// The touches of the balls of a with b.
#[inline]
pub fn touches(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    self::each(a, |offset, radius| {
        let offset = at.a.r * offset;
        let nearest = b.nearest(&at.seen_from_b(&offset)).turned(&at.b.r);
        each(Touch::of_ball(offset, radius, &nearest));
    });
}

/// Calls `ball` with the centres and radii of the balls of a shape.
#[inline]
pub fn each(shape: &Shape, mut ball: impl FnMut(Vec3, f64)) {
    match shape {
        Shape::ContactPoint(_) => ball(Vec3::zeros(), 0.0),
        Shape::Sphere(s) => ball(Vec3::zeros(), s.radius),
        Shape::Capsule(s) => [-0.5, 0.5].iter().for_each(|end| ball(Vec3::new(0.0, 0.0, end * s.length), s.radius)),
        Shape::Cylinder(s) => [-0.5, 0.5].iter().for_each(|end| ball(Vec3::new(0.0, 0.0, end * s.length), s.radius)),
        Shape::Cuboid(s) => {
            let side = |k: usize, axis: usize| if k >> axis & 1 == 0 { -0.5 } else { 0.5 };
            (0..8).for_each(|k| ball(Vec3::from_fn(|axis, _| side(k, axis) * s.size[axis]), 0.0));
        }
        Shape::Hull(s) => s.surface().into_iter().flat_map(|s| &s.corners).for_each(|x| ball(*x, 0.0)),
        Shape::Mesh(s) => s.surface().into_iter().flat_map(|s| &s.corners).for_each(|x| ball(*x, 0.0)),
        _ => {}
    }
}

/// Those of many balls that carry, or the nearest one.
pub fn few(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    let (mut nearest, mut none): (Option<Touch>, bool) = (None, true);
    touches(a, b, at, &mut |touch| {
        if touch.gap < 0.0 {
            none = false;
            each(touch);
        } else if nearest.as_ref().is_none_or(|least| touch.gap < least.gap) {
            nearest = Some(touch);
        }
    });
    if none {
        nearest.into_iter().for_each(each);
    }
}
