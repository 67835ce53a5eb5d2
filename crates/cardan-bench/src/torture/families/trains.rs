//! Drive trains: shafts with gears, racks and screws, from slow to very fast, driven by a motion or a torque.

use super::super::builder::{Builder, Room, number};
use super::super::loads::{self, couple};
use cardan::forces::Line;
use cardan::prelude::*;
use std::f64::consts::PI;

/// A wheel on its own axle, which is along z.
fn wheel(b: &mut Builder, at: Vec3, radius: f64, spin: f64) -> (BodyId, usize) {
    let (name, mass) = (b.name("wheel"), b.mass);
    let body = match b.room {
        Room::Plane => Body::planar(&name, mass, 0.5 * mass * radius * radius),
        Room::Space => Body::rigid(&name, mass, Inertia::cylinder(mass, radius, 0.2 * radius)),
    };
    let wheel = b.given(body.at(at.into()).spinning([0.0, 0.0, spin]), mass);
    let axle = b.joint_along(Revolute, wheel, BodyId::GROUND, at, Quat::identity());
    (wheel, axle)
}

/// A run short enough for at most some thousand radians.
fn shorten(b: &mut Builder, speed: f64) {
    b.t_end = b.t_end.min(1500.0 / speed);
    b.fastest = b.fastest.max(speed);
}

/// Starts a wheel by a motion, a torque, or lets it run.
fn power(b: &mut Builder, axle: usize, radius: f64, speed: f64) {
    match b.random.bits() % 3 {
        0 => loads::drive(b, axle, speed),
        1 => {
            let torque = 0.5 * b.mass * radius * radius * speed / b.t_end;
            let (function, name) = (loads::of_time(b, torque), b.name("motor"));
            let [i, j] = b.joints[axle].markers;
            b.model.add_force(ExpressionForce::single(&name, i, j, Line::Rotation, function));
        }
        _ => {}
    }
}

/// Two to four gears in mesh, a torsional spring or drag on the last.
pub fn gears(b: &mut Builder) {
    let speed = b.decades(3.0, 4000.0);
    shorten(b, 3.0 * speed);
    let count = 2 + b.random.bits() % 3;
    let mut radius = 0.3 * b.size;
    let mut x = 0.0;
    let mut spin = speed;
    let (_, first) = wheel(b, Vec3::zeros(), radius, spin);
    let start = (first, radius);
    let mut last = first;
    for _ in 1..count {
        let next = b.size * b.random.range(0.15, 0.5);
        x += radius + next;
        spin *= -radius / next;
        let (_, axle) = wheel(b, Vec3::new(x, 0.0, 0.0), next, spin);
        b.fastest = b.fastest.max(spin.abs());
        couple(b, (last, Coordinate::Rotation, radius), (axle, Coordinate::Rotation, next));
        (last, radius) = (axle, next);
    }
    power(b, start.0, start.1, speed);
    let (joint, inertia) = (b.joints[last].clone(), 0.5 * b.mass * radius * radius);
    let name = b.name("drag");
    let [i, j] = joint.markers;
    if b.once_in(2) {
        let drag = number(inertia / b.t_end);
        b.model.add_force(ExpressionForce::single(
            &name,
            i,
            j,
            Line::Rotation,
            format!("-{drag}*WZ({}, {}, {})", joint.i, joint.j, joint.j),
        ));
    } else {
        let stiffness = inertia * (speed / b.decades(3.0, 300.0)).powi(2);
        b.model.add_force(RotationalSpringDamper::new(&name, i, j).stiffness(stiffness));
    }
}

/// A pinion moves a rack, or a nut turns a screw.
pub fn rack_and_screw(b: &mut Builder) {
    let speed = b.decades(3.0, 2000.0);
    shorten(b, speed);
    let radius = 0.2 * b.size;
    let (_, axle) = wheel(b, Vec3::zeros(), radius, speed);
    let at = Vec3::new(0.0, -radius, 0.0);
    let along_x = Quat::from_axis_angle(&Vec3::y_axis(), PI / 2.0);
    let mass = b.mass * b.decades(0.1, 10.0);
    let rack = b.cube(mass, radius).at(at.into()).moving([radius * speed, 0.0, 0.0]);
    let rack = b.given(rack, mass);
    let slide = b.joint_along(Translational, rack, BodyId::GROUND, at, along_x);
    couple(b, (slide, Coordinate::Translation, 1.0), (axle, Coordinate::Rotation, -radius));
    if b.room == Room::Space {
        screw(b, speed);
    }
    power(b, axle, radius, speed);
}

/// A nut on a screw, turning about z.
fn screw(b: &mut Builder, speed: f64) {
    let pitch = b.size * b.decades(0.01, 0.3);
    let at = Vec3::new(2.0 * b.size, 0.0, 0.0);
    let mass = b.mass;
    let nut =
        b.cube(mass, 0.2 * b.size).at(at.into()).spinning([0.0, 0.0, 0.5 * speed]).moving([0.0, 0.0, 0.5 * speed * pitch / (2.0 * PI)]);
    let nut = b.given(nut, mass);
    b.joint_along(Screw { pitch }, nut, BodyId::GROUND, at, Quat::identity());
}
