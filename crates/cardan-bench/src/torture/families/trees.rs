//! Open mechanisms: random trees, chains, a light body between heavy ones.

use super::super::builder::{Builder, Room};
use super::super::loads;
use cardan::prelude::*;

/// Joins a body to another with a joint of any kind.
fn any_joint(b: &mut Builder, body: BodyId, parent: BodyId, at: Vec3) -> usize {
    if b.room == Room::Plane {
        return if b.once_in(4) { b.joint(Translational, body, parent, at) } else { b.joint(Revolute, body, parent, at) };
    }
    match b.random.bits() % 9 {
        0 => b.joint(Spherical, body, parent, at),
        1 => b.joint(Translational, body, parent, at),
        2 => b.joint(Cylindrical, body, parent, at),
        3 => b.joint(Universal, body, parent, at),
        4 => b.joint(Screw { pitch: 0.3 * b.size }, body, parent, at),
        5 => b.joint(ConstantVelocity, body, parent, at),
        6 => b.joint(Fixed, body, parent, at),
        _ => b.joint(Revolute, body, parent, at),
    }
}

/// A tree of up to six bodies; the first joint may be driven.
pub fn tree(b: &mut Builder) {
    let count = 1 + b.random.bits() % 6;
    let fast = b.decades(0.3, 5.0);
    for k in 0..count {
        let place = b.random.vector(1.5 * b.size);
        let share = b.decades(0.2, 5.0);
        let body = b.body(share, place, fast * 0.5, fast);
        let parent = match b.bodies.len() {
            1 => BodyId::GROUND,
            n => match b.random.bits() as usize % n {
                0 => BodyId::GROUND,
                p => b.bodies[p - 1].0,
            },
        };
        let at = (b.position(body) + b.position(parent)) * 0.5;
        let joint = if k == 0 { b.joint(Revolute, body, parent, at) } else { any_joint(b, body, parent, at) };
        if k == 0 && b.once_in(4) {
            let speed = b.rate() * b.decades(0.3, 3.0);
            loads::drive(b, joint, speed);
        }
    }
    loads::some(b);
}

/// A chain of up to 16 bodies, hanging or thrown, its end loaded.
pub fn chain(b: &mut Builder) {
    let count = 4 + b.random.bits() % 13;
    let link = b.size / count as f64;
    let straight = b.once_in(2);
    let mut parent = BodyId::GROUND;
    let mut end = Vec3::zeros();
    b.mass /= (count * count) as f64;
    b.t_end *= 0.5;
    for _ in 0..count {
        let direction = if straight { Vec3::x() } else { (Vec3::x() + b.random.vector(0.7)).normalize() };
        let direction = if b.room == Room::Plane { Vec3::new(direction.x, direction.y, 0.0).normalize() } else { direction };
        let middle = end + direction * (0.5 * link);
        let body = b.cube(b.mass, link).at(middle.into());
        let body = b.given(body, b.mass);
        if b.room == Room::Space && b.once_in(3) {
            b.joint(Spherical, body, parent, end);
        } else {
            b.joint_along(Revolute, body, parent, end, Quat::identity());
        }
        end += direction * link;
        parent = body;
    }
}

/// Two or three bodies whose masses are up to a million apart.
pub fn mass_ratio(b: &mut Builder) {
    let ratio = b.decades(1e2, 1e6);
    let count = 2 + b.random.bits() % 2;
    let light_first = b.once_in(2);
    let mut parent = BodyId::GROUND;
    let mut end = Vec3::zeros();
    for k in 0..count {
        let heavy = (k % 2 == 0) != light_first;
        let share = if heavy { 1.0 } else { 1.0 / ratio };
        let step = Vec3::new(b.random.range(0.3, 1.0), b.random.range(-0.5, 0.5), 0.0) * b.size;
        let body = b.body(share, end + step * 0.5, 0.3, 0.3);
        b.joint_along(Revolute, body, parent, end, Quat::identity());
        end += step;
        parent = body;
    }
}
