//! Fast rotation: wheels, gears, a rack, a screw, a rocket.

use crate::Scale::{Position, Velocity};
use crate::solve::solve;
use crate::{Case, check};
use cardan::forces::Line;
use cardan::prelude::*;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Closed forms at the samples.
fn rows(t_end: f64, interval: f64, f: impl Fn(f64) -> Vec<f64>) -> Vec<Vec<f64>> {
    Case::times(t_end, interval).into_iter().map(f).collect()
}

/// A wheel on an axle along z; its joint.
fn wheel(model: &mut Model, name: &str, inertia: f64, at: [f64; 3], spin: f64) -> JointId {
    let body = Body::rigid(name, 1.0, Inertia::principal(inertia, inertia, inertia)).at(at).spinning([0.0, 0.0, spin]);
    let body = model.add_body(body);
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND).at(at)));
    model.add_sensor(Sensor::new(&format!("{name} angle"), format!("AZ({name}, ground)")));
    model.add_joint(Joint::new(&format!("{name} axle"), Revolute, i, j))
}

fn torque(model: &mut Model, body: &str, function: &str) {
    let place = model.bodies().iter().position(|b| b.name == body).unwrap();
    let joint = model.joints().iter().find(|j| model.markers()[j.i.index()].body.index() == place).unwrap().clone();
    model.add_force(ExpressionForce::single("torque", joint.i, joint.j, Line::Rotation, function));
}

fn planar_wheel(name: &'static str, speed: f64, t_end: f64) -> Case {
    let mut model = Model::new(name);
    let body = model.add_body(Body::planar("wheel", 1.0, 0.01).spinning([0.0, 0.0, speed]));
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("axle", Revolute, i, j));
    model.add_sensor(Sensor::new("turned", "AZ(wheel, ground)"));
    let channels = vec![("wheel.angle", Position(1.0)), ("turned", Position(1.0)), ("wheel.angular_velocity.z", Velocity(speed))];
    let interval = t_end / 200.0;
    Case { name, model, t_end, interval, channels, rows: rows(t_end, interval, |t| vec![speed * t, speed * t, speed]), singular: false }
}

fn spatial_wheel(name: &'static str, speed: f64, t_end: f64) -> Case {
    let mut model = Model::new(name);
    wheel(&mut model, "wheel", 0.01, [0.0; 3], speed);
    let channels = vec![
        ("wheel angle", Position(1.0)),
        ("wheel.orientation.w", Position(1.0)),
        ("wheel.orientation.z", Position(1.0)),
        ("wheel.angular_velocity.z", Velocity(speed)),
    ];
    let interval = t_end / 200.0;
    let truth = |t: f64| vec![speed * t, (0.5 * speed * t).cos(), (0.5 * speed * t).sin(), speed];
    Case { name, model, t_end, interval, channels, rows: rows(t_end, interval, truth), singular: false }
}

/// A torque of 5 N m on the first of two gears; (J₁ + (r₁/r₂)² J₂) θ̈₁ = 5.
fn gear_train() -> Case {
    let mut model = Model::new("gear train");
    let first = wheel(&mut model, "first", 0.02, [0.0; 3], 0.0);
    let second = wheel(&mut model, "second", 0.005, [0.3, 0.0, 0.0], 0.0);
    model.add_constraint(Coupler::gear("mesh", first, 0.2, second, 0.1));
    torque(&mut model, "first", "5");
    let a = 5.0 / (0.02 + 4.0 * 0.005);
    let channels = vec![
        ("first angle", Position(1.0)),
        ("second angle", Position(1.0)),
        ("first.angular_velocity.z", Velocity(250.0)),
        ("second.angular_velocity.z", Velocity(500.0)),
    ];
    let truth = |t: f64| vec![0.5 * a * t * t, -a * t * t, a * t, -2.0 * a * t];
    Case { name: "gear train", model, t_end: 2.0, interval: 0.02, channels, rows: rows(2.0, 0.02, truth), singular: false }
}

fn motor_with_gears() -> Case {
    let mut model = Model::new("motor");
    let first = wheel(&mut model, "first", 0.02, [0.0; 3], 0.0);
    let second = wheel(&mut model, "second", 0.005, [0.3, 0.0, 0.0], 0.0);
    model.add_constraint(Coupler::gear("mesh", first, 0.2, second, 0.1));
    model.add_constraint(Motion::rotation("motor", first, TimeFunction::expression("300*TIME")));
    let channels = vec![
        ("first angle", Position(1.0)),
        ("second angle", Position(1.0)),
        ("first.angular_velocity.z", Velocity(300.0)),
        ("second.angular_velocity.z", Velocity(600.0)),
    ];
    let truth = |t: f64| vec![300.0 * t, -600.0 * t, 300.0, -600.0];
    Case { name: "motor with gears", model, t_end: 3.0, interval: 0.05, channels, rows: rows(3.0, 0.05, truth), singular: false }
}

fn rack() -> Case {
    let mut model = Model::new("rack");
    let pinion = wheel(&mut model, "pinion", 0.02, [0.0; 3], 0.0);
    let body = model.add_body(Body::rigid("rack", 2.0, Inertia::ball(2.0, 0.1)).at([0.0, -0.1, 0.0]));
    let along = Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    let i = model.add_marker(Marker::on(body).oriented(along));
    let j = model.add_marker(Marker::on(BodyId::GROUND).at([0.0, -0.1, 0.0]).oriented(along));
    let slide = model.add_joint(Joint::new("slide", Translational, i, j));
    model.add_constraint(Coupler::rack_and_pinion("mesh", slide, pinion, 0.1));
    torque(&mut model, "pinion", "4");
    // J + m r² = 0.04: θ̈ = 100.
    let channels = vec![
        ("pinion angle", Position(1.0)),
        ("rack.position.x", Position(1.0)),
        ("rack.velocity.x", Velocity(20.0)),
        ("pinion.angular_velocity.z", Velocity(200.0)),
    ];
    let truth = |t: f64| vec![50.0 * t * t, 5.0 * t * t, 10.0 * t, 100.0 * t];
    Case { name: "rack", model, t_end: 2.0, interval: 0.02, channels, rows: rows(2.0, 0.02, truth), singular: false }
}

fn screw() -> Case {
    let mut model = Model::new("screw");
    let (pitch, mass, inertia, load) = (0.01, 3.0, 0.002, 0.1);
    let nut = model.add_body(Body::rigid("nut", mass, Inertia::principal(inertia, inertia, inertia)));
    let (i, j) = (model.add_marker(Marker::on(nut)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("thread", Screw { pitch }, i, j));
    model.add_sensor(Sensor::new("turned", "AZ(nut, ground)"));
    torque(&mut model, "nut", "0.1");
    let lead = pitch / TAU;
    let a = load / (inertia + mass * lead * lead);
    let channels = vec![
        ("turned", Position(1.0)),
        ("nut.position.z", Position(0.2)),
        ("nut.velocity.z", Velocity(0.3)),
        ("nut.angular_velocity.z", Velocity(200.0)),
    ];
    let truth = move |t: f64| vec![0.5 * a * t * t, 0.5 * lead * a * t * t, lead * a * t, a * t];
    Case { name: "screw", model, t_end: 4.0, interval: 0.05, channels, rows: rows(4.0, 0.05, truth), singular: false }
}

/// Free, symmetric about its axis, spinning, with a thrust along the axis and a mass that stays: J ω̇ = −ω × J ω, q̇ = ½ q ω, m v̇ = R F.
fn rocket() -> Case {
    let mut model = Model::new("rocket");
    let (mass, side, axial, thrust, spin, wobble) = (10.0, 2.0, 0.3, 300.0, 60.0, 1.5);
    let body = Body::rigid("rocket", mass, Inertia::principal(side, side, axial)).spinning([wobble, 0.0, spin]);
    let body = model.add_body(body);
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(ExpressionForce::vector("thrust", i, j, i, ["0", "0", "300"]));
    let ratio = (side - axial) / side;
    let motion = move |_: f64, y: &[f64], d: &mut [f64]| {
        let (w, q) = (&y[10..13], &y[6..10]);
        let axis = [2.0 * (q[1] * q[3] + q[0] * q[2]), 2.0 * (q[2] * q[3] - q[0] * q[1]), 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2])];
        (0..3).for_each(|k| (d[k], d[3 + k]) = (y[3 + k], thrust / mass * axis[k]));
        d[6] = -0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
        d[7] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
        d[8] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
        d[9] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
        (d[10], d[11], d[12]) = (ratio * w[1] * w[2], -ratio * w[0] * w[2], 0.0);
    };
    let start = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, wobble, 0.0, spin];
    let full = solve(motion, &start, &Case::times(5.0, 0.05), &[], 1e-4);
    let channels = vec![
        ("rocket.position.x", Position(100.0)),
        ("rocket.position.y", Position(100.0)),
        ("rocket.position.z", Position(100.0)),
        ("rocket.velocity.x", Velocity(100.0)),
        ("rocket.velocity.y", Velocity(100.0)),
        ("rocket.velocity.z", Velocity(100.0)),
        ("rocket.orientation.w", Position(1.0)),
        ("rocket.orientation.x", Position(1.0)),
        ("rocket.orientation.y", Position(1.0)),
        ("rocket.orientation.z", Position(1.0)),
    ];
    let rows = full.into_iter().map(|y| y[..10].to_vec()).collect();
    Case { name: "rocket", model, t_end: 5.0, interval: 0.05, channels, rows, singular: false }
}

#[test]
fn wheels() {
    check(vec![
        planar_wheel("planar wheel at 40", 40.0, 10.0),
        planar_wheel("planar wheel at 4000", 4000.0, 1.0),
        spatial_wheel("wheel at 40", 40.0, 10.0),
        spatial_wheel("wheel at 4000", 4000.0, 1.0),
    ]);
}

#[test]
fn gears_racks_and_screws() {
    check(vec![gear_train(), motor_with_gears(), rack(), screw()]);
}

#[test]
fn spinning_rocket() {
    check(vec![rocket()]);
}
