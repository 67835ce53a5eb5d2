//! Balls of a shape against the surface of another: its origin, its corners, its round ends.

use crate::contact::shapes::{Shape, Solid};
use crate::contact::touch::{Relative, Touch};
use crate::math::Vec3;

/// The touches of the balls of a with b.
#[inline]
pub fn touches(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    let mut ball = |offset: Vec3, radius: f64| {
        let offset = at.a.r * offset;
        let nearest = b.nearest(&at.seen_from_b(&offset)).turned(&at.b.r);
        each(Touch::of_ball(offset, radius, &nearest));
    };
    match a {
        Shape::ContactPoint(_) => ball(Vec3::zeros(), 0.0),
        Shape::Sphere(s) => ball(Vec3::zeros(), s.radius),
        Shape::Capsule(s) => [-0.5, 0.5].iter().for_each(|end| ball(Vec3::new(0.0, 0.0, end * s.length), s.radius)),
        Shape::Cylinder(s) => [-0.5, 0.5].iter().for_each(|end| ball(Vec3::new(0.0, 0.0, end * s.length), s.radius)),
        Shape::Cuboid(s) => {
            let side = |k: usize, axis: usize| if k >> axis & 1 == 0 { -0.5 } else { 0.5 };
            (0..8).for_each(|k| ball(Vec3::from_fn(|axis, _| side(k, axis) * s.size[axis]), 0.0));
        }
        _ => {}
    }
}
