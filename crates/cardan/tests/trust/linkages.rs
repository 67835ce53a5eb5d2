//! Closed mechanisms: a driven slider-crank, a parallelogram through its flat positions.

use crate::Scale::{Position, Velocity};
use crate::solve::solve;
use crate::{Case, check};
use cardan::constraints::joints::JointType;
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// Where bodies move.
#[derive(Clone, Copy, PartialEq)]
enum Room {
    Plane,
    Space,
}

fn bar(model: &mut Model, room: Room, name: &str, from: Vec3, to: Vec3) -> BodyId {
    let (d, middle) = (to - from, (from + to) * 0.5);
    let (length, angle) = (d.norm(), d.y.atan2(d.x));
    let body = match room {
        Room::Plane => Body::planar(name, 1.0, length * length / 12.0).turned(angle),
        Room::Space => {
            let inertia = Inertia::principal(0.01 * length * length, length * length / 12.0, length * length / 12.0);
            Body::rigid(name, 1.0, inertia).oriented(Quat::from_axis_angle(&Vec3::z_axis(), angle))
        }
    };
    model.add_body(body.at(middle.into()))
}

/// A joint at a point of the world, its axes turned like this.
pub fn joint(model: &mut Model, name: &str, kind: impl JointType + 'static, a: BodyId, b: BodyId, at: Vec3, turn: Quat) -> JointId {
    let mut marker = |body: BodyId| {
        let on = &model.bodies()[body.index()];
        let attitude =
            if body == BodyId::GROUND { Quat::identity() } else { on.orientation * Quat::from_axis_angle(&Vec3::z_axis(), on.angle) };
        let origin = if body == BodyId::GROUND { Vec3::zeros() } else { on.position };
        let marker = Marker::on(body).at((attitude.inverse() * (at - origin)).into()).oriented(attitude.inverse() * turn);
        model.add_marker(marker)
    };
    let (i, j) = (marker(a), marker(b));
    model.add_joint(Joint::new(name, kind, i, j))
}

/// x = r cos ωt + √(l² − r² sin² ωt).
fn slider_crank(name: &'static str, room: Room) -> Case {
    let (r, l, w) = (0.1, 0.3, 40.0);
    let mut model = Model::new(name);
    model.set_gravity([0.0, -9.81, 0.0]);
    let (o, p, s) = (Vec3::zeros(), Vec3::x() * r, Vec3::x() * (r + l));
    let (crank, rod) = (bar(&mut model, room, "crank", o, p), bar(&mut model, room, "rod", p, s));
    let slider = match room {
        Room::Plane => Body::planar("slider", 0.5, 1e-3),
        Room::Space => Body::rigid("slider", 0.5, Inertia::ball(0.5, 0.05)),
    };
    let slider = model.add_body(slider.at(s.into()));
    let straight = Quat::identity();
    let axle = joint(&mut model, "a", Revolute, crank, BodyId::GROUND, o, straight);
    joint(&mut model, "b", Revolute, rod, crank, p, straight);
    joint(&mut model, "c", Revolute, slider, rod, s, straight);
    joint(&mut model, "d", Translational, slider, BodyId::GROUND, s, Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2));
    model.add_constraint(Motion::rotation("motor", axle, TimeFunction::expression("40*TIME")));
    model.add_sensor(Sensor::new("turned", "AZ(crank, ground)"));
    let truth = |t: f64| {
        let (sin, cos) = (w * t).sin_cos();
        let root = (l * l - r * r * sin * sin).sqrt();
        let tilt = -r * w * cos / root;
        vec![w * t, r * cos + root, -r * w * sin - r * r * sin * cos * w / root, r * cos + 0.5 * root, 0.5 * r * sin, tilt]
    };
    let channels = vec![
        ("turned", Position(1.0)),
        ("slider.position.x", Position(0.4)),
        ("slider.velocity.x", Velocity(4.0)),
        ("rod.position.x", Position(0.4)),
        ("rod.position.y", Position(0.4)),
        ("rod.angular_velocity.z", Velocity(40.0)),
    ];
    let rows = Case::times(1.95, 0.013).into_iter().map(truth).collect();
    Case { name, model, t_end: 1.95, interval: 0.013, channels, rows, singular: false }
}

/// Cranks of length a, a coupler of length 1, all of mass 1; falls through θ = 0, where all bars lie on a line.
/// (2/3 + 1) a θ̈ = −2 g cos θ.
fn parallelogram(name: &'static str, room: Room) -> Case {
    let (a, g, start) = (0.5, 9.81, 1.0_f64);
    let mut model = Model::new(name);
    model.set_gravity([0.0, -g, 0.0]);
    let tip = Vec3::new(start.cos(), start.sin(), 0.0) * a;
    let (o, d) = (Vec3::zeros(), Vec3::x());
    let left = bar(&mut model, room, "left", o, tip);
    let coupler = bar(&mut model, room, "coupler", tip, d + tip);
    let right = bar(&mut model, room, "right", d, d + tip);
    let straight = Quat::identity();
    joint(&mut model, "a", Revolute, left, BodyId::GROUND, o, straight);
    joint(&mut model, "b", Revolute, coupler, left, tip, straight);
    joint(&mut model, "c", Revolute, coupler, right, d + tip, straight);
    joint(&mut model, "d", Revolute, right, BodyId::GROUND, d, straight);
    let motion = |_: f64, y: &[f64], d: &mut [f64]| (d[0], d[1]) = (y[1], -2.0 * g * y[0].cos() / (5.0 / 3.0 * a));
    let rows = solve(motion, &[start, 0.0], &Case::times(2.0, 0.02), &[], 1e-4);
    let at = |y: Vec<f64>| {
        let (sin, cos) = y[0].sin_cos();
        vec![0.5 + a * cos, a * sin, -a * sin * y[1], a * cos * y[1], 0.5 * a * sin, 1.0 + 0.5 * a * cos, y[1], 0.0]
    };
    let channels = vec![
        ("coupler.position.x", Position(1.5)),
        ("coupler.position.y", Position(1.5)),
        ("coupler.velocity.x", Velocity(4.0)),
        ("coupler.velocity.y", Velocity(4.0)),
        ("left.position.y", Position(1.5)),
        ("right.position.x", Position(1.5)),
        ("right.angular_velocity.z", Velocity(8.0)),
        ("coupler.angular_velocity.z", Velocity(8.0)),
    ];
    Case { name, model, t_end: 2.0, interval: 0.02, channels, rows: rows.into_iter().map(at).collect(), singular: true }
}

#[test]
fn driven_linkages() {
    check(vec![slider_crank("planar slider-crank", Room::Plane), slider_crank("slider-crank", Room::Space)]);
}

#[test]
fn singular_four_bars() {
    check(vec![parallelogram("planar parallelogram", Room::Plane), parallelogram("parallelogram", Room::Space)]);
}
