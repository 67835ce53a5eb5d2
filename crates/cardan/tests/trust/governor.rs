//! A governor: a shaft, two balls on arms of length a at the angle β, rods of length a to a sleeve on a spring and a damper.
//!
//! ```text
//! T = ½ A β̇² + ½ B φ̇²,   A = 2 m a² + 2 J + 4 M a² sin² β,   B = 2 m a² sin² β + 2 J + J_s
//! s = 2 a cos β,   V = −2 (m + M) g a cos β + ½ k (s − s₀)²,   B φ̇ is constant
//! ```

use crate::Scale::{Position, Velocity};
use crate::linkages::joint;
use crate::solve::solve;
use crate::{Case, check};
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

const A: f64 = 0.2;
const BALL: f64 = 1.0;
const SLEEVE: f64 = 2.0;
const J: f64 = 4e-3;
/// Of the shaft, and of the sleeve.
const J_SHAFT: f64 = 0.01;
const G: f64 = 9.81;
const STIFFNESS: f64 = 2000.0;
const DAMPING: f64 = 30.0;
const FREE: f64 = 0.35;
const START: f64 = 0.6;
const SPIN: f64 = 12.0;

fn model() -> Model {
    let mut model = Model::new("governor");
    model.set_gravity([0.0, 0.0, -G]);
    let spinning = |name: &str, mass: f64, j: f64| Body::rigid(name, mass, Inertia::principal(j, j, j)).spinning([0.0, 0.0, SPIN]);
    let shaft = model.add_body(spinning("shaft", 1.0, J_SHAFT));
    let low = Vec3::new(0.0, 0.0, -2.0 * A * START.cos());
    let sleeve = model.add_body(spinning("sleeve", SLEEVE, J_SHAFT).at(low.into()));
    joint(&mut model, "axle", Revolute, shaft, BodyId::GROUND, Vec3::zeros(), Quat::identity());
    joint(&mut model, "slide", Translational, sleeve, shaft, low, Quat::identity());
    let about_y = Quat::from_axis_angle(&Vec3::x_axis(), -FRAC_PI_2);
    for (side, name) in [(1.0, "one"), (-1.0, "two")] {
        let tip = Vec3::new(side * A * START.sin(), 0.0, -A * START.cos());
        let ball = model.add_body(spinning(name, BALL, J).at(tip.into()).moving([0.0, tip.x * SPIN, 0.0]));
        joint(&mut model, &format!("hinge {name}"), Revolute, ball, shaft, Vec3::zeros(), about_y);
        let (i, j) = (model.add_marker(Marker::on(ball)), model.add_marker(Marker::on(sleeve)));
        model.add_joint(Joint::new(&format!("rod {name}"), Rod { length: A }, i, j));
    }
    let (i, j) = (model.add_marker(Marker::on(sleeve)), model.add_marker(Marker::on(shaft)));
    model.add_force(SpringDamper::new("spring", i, j).stiffness(STIFFNESS).damping(DAMPING).free_length(FREE));
    model.add_sensor(Sensor::new("turned", "AZ(shaft, ground)"));
    model
}

/// β, β̇, φ, φ̇.
fn motion(_: f64, y: &[f64], d: &mut [f64]) {
    let (rate, w) = (y[1], y[3]);
    let (sin, cos) = y[0].sin_cos();
    let (a, half_a) = (2.0 * BALL * A * A + 2.0 * J + 4.0 * SLEEVE * A * A * sin * sin, 4.0 * SLEEVE * A * A * sin * cos);
    let (b, b_beta) = (2.0 * BALL * A * A * sin * sin + 2.0 * (J + J_SHAFT), 4.0 * BALL * A * A * sin * cos);
    let (s, s_beta) = (2.0 * A * cos, -2.0 * A * sin);
    let force = 2.0 * (BALL + SLEEVE) * G * A * sin + (STIFFNESS * (s - FREE) + DAMPING * s_beta * rate) * s_beta;
    (d[0], d[2]) = (rate, w);
    d[1] = (0.5 * b_beta * w * w - half_a * rate * rate - force) / a;
    d[3] = -b_beta * rate * w / b;
}

fn governor() -> Case {
    let rows = solve(motion, &[START, 0.0, 0.0, SPIN], &Case::times(3.0, 0.02), &[], 1e-4);
    let at = |y: Vec<f64>| {
        let (sin, cos) = y[0].sin_cos();
        let x = A * sin;
        vec![y[2], y[3], -2.0 * A * cos, 2.0 * A * sin * y[1], x * y[2].cos(), x * y[2].sin(), -A * cos, A * sin * y[1]]
    };
    let channels = vec![
        ("turned", Position(1.0)),
        ("shaft.angular_velocity.z", Velocity(15.0)),
        ("sleeve.position.z", Position(0.4)),
        ("sleeve.velocity.z", Velocity(1.0)),
        ("one.position.x", Position(0.4)),
        ("one.position.y", Position(0.4)),
        ("one.position.z", Position(0.4)),
        ("one.velocity.z", Velocity(1.0)),
    ];
    Case {
        name: "governor",
        model: model(),
        t_end: 3.0,
        interval: 0.02,
        channels,
        rows: rows.into_iter().map(at).collect(),
        singular: false,
    }
}

#[test]
fn governors() {
    check(vec![governor()]);
}
