//! Closed mechanisms: four-bars, slider-cranks, a spatial loop, a governor. In space the planar ones have redundant joints.

use super::super::builder::{Builder, Room};
use super::super::loads;
use cardan::prelude::*;
use std::f64::consts::PI;

/// A bar from one point to another.
fn bar(b: &mut Builder, from: Vec3, to: Vec3) -> BodyId {
    let (middle, d) = ((from + to) * 0.5, to - from);
    let (mass, length) = (b.mass * d.norm() / b.size, d.norm());
    let angle = d.y.atan2(d.x);
    let name = b.name("bar");
    let body = match b.room {
        Room::Plane => Body::planar(&name, mass, mass * length * length / 12.0).turned(angle),
        Room::Space => {
            let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
            Body::rigid(&name, mass, Inertia::cuboid(mass, length, 0.1 * length, 0.1 * length)).oriented(turn)
        }
    };
    b.given(body.at(middle.into()), mass)
}

fn hinge(b: &mut Builder, one: BodyId, other: BodyId, at: Vec3) -> usize {
    b.joint_along(Revolute, one, other, at, Quat::identity())
}

/// Where circles about two points meet, on the upper side.
fn meet(a: Vec3, ra: f64, c: Vec3, rc: f64) -> Vec3 {
    let d = (c - a).norm();
    let along = (ra * ra - rc * rc + d * d) / (2.0 * d);
    let up = (ra * ra - along * along).max(0.0).sqrt();
    let x = (c - a) / d;
    a + x * along + Vec3::new(-x.y, x.x, 0.0) * up
}

/// Gravity in the plane of a linkage, also in space.
fn in_plane(b: &mut Builder) {
    if b.room == Room::Space {
        let g = b.model.gravity();
        b.model.set_gravity([0.0, g.z, 0.0]);
    }
}

/// A crank-rocker, driven, with a torque, or swinging freely.
pub fn four_bar(b: &mut Builder) {
    in_plane(b);
    let l = b.size;
    let start = b.random.range(-PI, PI);
    let (crank, base) = (l * b.random.range(0.2, 0.35), l);
    let (coupler, rocker) = (l * b.random.range(0.8, 1.0), l * b.random.range(0.55, 0.8));
    let (o, d) = (Vec3::zeros(), Vec3::x() * base);
    let p = Vec3::new(start.cos(), start.sin(), 0.0) * crank;
    let c = meet(p, coupler, d, rocker);
    let (first, second, third) = (bar(b, o, p), bar(b, p, c), bar(b, d, c));
    let drive = hinge(b, first, BodyId::GROUND, o);
    hinge(b, second, first, p);
    hinge(b, third, second, c);
    hinge(b, third, BodyId::GROUND, d);
    match b.random.bits() % 3 {
        0 => {
            let speed = b.rate() * b.decades(0.5, 10.0);
            loads::drive(b, drive, speed);
        }
        1 => loads::some(b),
        _ => {}
    }
}

/// Four-bars that pass, or nearly pass, positions where all bars lie on a line.
pub fn flat_four_bar(b: &mut Builder) {
    in_plane(b);
    let l = b.size;
    let crank = l * b.random.range(0.3, 0.6);
    let start = b.pick(&[0.3, 1.0, PI - 0.5, 0.02, 1e-4]);
    // Zero is a parallelogram or a deltoid, which has flat positions; otherwise it nearly has.
    let miss = b.pick(&[0.0, 1e-6, 1e-3, 0.02, -0.02]) * l;
    let p = Vec3::new(start.cos(), start.sin(), 0.0) * crank;
    let d = Vec3::x() * l;
    let c = p + Vec3::x() * l;
    let c = if miss == 0.0 { c } else { meet(p, l + miss, d, crank) };
    let (first, second, third) = (bar(b, Vec3::zeros(), p), bar(b, p, c), bar(b, d, c));
    let drive = hinge(b, first, BodyId::GROUND, Vec3::zeros());
    hinge(b, second, first, p);
    hinge(b, third, second, c);
    hinge(b, third, BodyId::GROUND, d);
    if b.once_in(3) {
        let speed = b.rate();
        loads::drive(b, drive, speed);
    }
}

/// A slider-crank; the slider may rub, the crank may run fast.
pub fn slider_crank(b: &mut Builder) {
    in_plane(b);
    let (crank, rod) = (b.size * b.random.range(0.2, 0.4), b.size * b.random.range(0.7, 1.2));
    let start = b.random.range(-PI, PI);
    let p = Vec3::new(start.cos(), start.sin(), 0.0) * crank;
    let x = p.x + (rod * rod - p.y * p.y).sqrt();
    let pin = Vec3::new(x, 0.0, 0.0);
    let (first, second) = (bar(b, Vec3::zeros(), p), bar(b, p, pin));
    let slider = b.cube(b.mass, 0.2 * b.size).at(pin.into());
    let slider = b.given(slider, b.mass);
    let drive = hinge(b, first, BodyId::GROUND, Vec3::zeros());
    hinge(b, second, first, p);
    hinge(b, slider, second, pin);
    let along_x = Quat::from_axis_angle(&Vec3::y_axis(), PI / 2.0);
    b.joint_along(Translational, slider, BodyId::GROUND, pin, along_x);
    if b.once_in(2) {
        let speed = b.rate() * b.decades(0.5, 20.0);
        loads::drive(b, drive, speed);
    } else {
        loads::some(b);
    }
}

/// ground – spherical – 1 – any – 2 – spherical – 3 – universal – ground.
pub fn spatial_loop(b: &mut Builder) {
    b.room = Room::Space;
    let bodies: Vec<BodyId> = (0..3)
        .map(|_| {
            let place = b.random.vector(b.size);
            b.body(1.0, place, 0.5, 0.8)
        })
        .collect();
    let between = |b: &mut Builder, one: BodyId, other: BodyId| (b.position(one) + b.position(other)) * 0.5 + b.random.vector(0.3 * b.size);
    let at = between(b, bodies[0], BodyId::GROUND);
    b.joint(Spherical, bodies[0], BodyId::GROUND, at);
    let at = between(b, bodies[1], bodies[0]);
    match b.random.bits() % 3 {
        0 => b.joint(Revolute, bodies[1], bodies[0], at),
        1 => b.joint(Cylindrical, bodies[1], bodies[0], at),
        _ => b.joint(Translational, bodies[1], bodies[0], at),
    };
    let at = between(b, bodies[2], bodies[1]);
    b.joint(Spherical, bodies[2], bodies[1], at);
    let at = between(b, bodies[2], BodyId::GROUND);
    b.joint(Universal, bodies[2], BodyId::GROUND, at);
}

/// A spinning shaft with two arms, rods and a sleeve on a spring and damper.
pub fn governor(b: &mut Builder) {
    b.room = Room::Space;
    let (l, m) = (b.size, b.mass);
    let speed = b.rate() * b.decades(1.0, 8.0);
    let shaft = b.cube(m * 5.0, 0.3 * l).spinning([0.0, 0.0, speed]);
    let shaft = b.given(shaft, m * 5.0);
    b.joint_along(Revolute, shaft, BodyId::GROUND, Vec3::zeros(), Quat::identity());
    let sleeve = b.cube(m, 0.2 * l).at([0.0, 0.0, -l]).spinning([0.0, 0.0, speed]);
    let sleeve = b.given(sleeve, m);
    b.joint_along(Translational, sleeve, shaft, Vec3::new(0.0, 0.0, -l), Quat::identity());
    let about_y = Quat::from_axis_angle(&Vec3::x_axis(), -PI / 2.0);
    let angle: f64 = b.random.range(0.5, 0.9);
    let arm = 0.5 * l / angle.cos();
    for side in [1.0, -1.0] {
        let tip = Vec3::new(side * arm * angle.sin(), 0.0, -0.5 * l);
        let velocity = [0.0, speed * tip.x, 0.0];
        let ball = b.cube(m, 0.2 * l).at(tip.into()).moving(velocity).spinning([0.0, 0.0, speed]);
        let ball = b.given(ball, m);
        b.joint_along(Revolute, ball, shaft, Vec3::zeros(), about_y);
        let (name, (i, _), (j, _)) =
            (b.name("rod"), b.marker(ball, tip, Quat::identity()), b.marker(sleeve, Vec3::new(0.0, 0.0, -l), Quat::identity()));
        b.model.add_joint(Joint::new(&name, Rod { length: arm }, i, j));
    }
    let [(i, _), (j, _)] = b.pair(sleeve, shaft, Vec3::zeros(), Vec3::new(0.0, 0.0, -l));
    let k = m * b.rate().powi(2) * b.decades(3.0, 300.0);
    let damping = (k * m).sqrt() * b.decades(0.01, 1.0);
    b.model.add_force(SpringDamper::new("governor spring", i, j).stiffness(k).damping(damping).free_length(l));
    b.fastest = b.fastest.max(2.0 * speed);
}
