//! Kinks: a ball on a stiff floor, stick and slip.

use crate::Scale::{Position, Velocity};
use crate::solve::solve;
use crate::{Case, check};
use cardan::forces::Line;
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// m ÿ = −m g + k max(0, −y)^e.
fn bounce(name: &'static str, k: f64, e: f64) -> Case {
    let mut model = Model::new(name);
    model.set_gravity([0.0, -9.81, 0.0]);
    let ball = model.add_body(Body::planar("ball", 1.0, 0.01).at([0.0, 0.5, 0.0]).moving([1.0, 0.0, 0.0]).spinning([0.0, 0.0, 3.0]));
    let (i, j) = (model.add_marker(Marker::on(ball)), model.add_marker(Marker::on(BodyId::GROUND)));
    let law = format!("IMPACT(DY(ball, ground), VY(ball, ground), 0, {k:e}, {e}, 0, 1e-4)");
    model.add_force(ExpressionForce::vector("floor", i, j, j, ["0".into(), law, "0".into()]));
    let motion = |_: f64, y: &[f64], d: &mut [f64]| (d[0], d[1]) = (y[1], -9.81 + k * (-y[0]).max(0.0).powf(e));
    let times = Case::times(1.5, 0.05);
    let rows = solve(motion, &[0.5, 0.0], &times, &[], 1e-6);
    let rows = rows.into_iter().zip(&times).map(|(y, t)| vec![*t, y[0], y[1], 3.0 * t, 1.0]).collect();
    let channels = vec![
        ("ball.position.x", Position(1.0)),
        ("ball.position.y", Position(0.5)),
        ("ball.velocity.y", Velocity(3.0)),
        ("ball.angle", Position(1.0)),
        ("ball.velocity.x", Velocity(3.0)),
    ];
    Case { name, model, t_end: 1.5, interval: 0.05, channels, rows, singular: false }
}

/// m ẍ = k (u t − x) − μ(ẋ) N, μ(v) = tanh(v/v_t) (μ_d + (μ_s − μ_d) exp(−(v/(10 v_t))²)).
fn stick_slip() -> Case {
    let (fixed, moving, slow, normal) = (0.4, 0.2, 1e-3, 10.0);
    let mut model = Model::new("stick-slip");
    let block = model.add_body(Body::rigid("block", 1.0, Inertia::ball(1.0, 0.1)));
    let along = Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    let (i, j) = (model.add_marker(Marker::on(block).oriented(along)), model.add_marker(Marker::on(BodyId::GROUND).oriented(along)));
    let slide = model.add_joint(Joint::new("slide", Translational, i, j));
    model.add_force(JointFriction::sliding("friction", slide, fixed, moving).transition_speed(slow).preload(normal));
    model.add_force(ExpressionForce::single("pull", i, j, Line::Axis, "100*(0.1*TIME - DX(block, ground))"));
    let friction = move |v: f64| (v / slow).tanh() * (moving + (fixed - moving) * (-(v / (10.0 * slow)).powi(2)).exp());
    let motion = move |t: f64, y: &[f64], d: &mut [f64]| (d[0], d[1]) = (y[1], 100.0 * (0.1 * t - y[0]) - friction(y[1]) * normal);
    let rows = solve(motion, &[0.0; 2], &Case::times(3.0, 0.02), &[], 1e-5);
    let channels = vec![("block.position.x", Position(0.3)), ("block.velocity.x", Velocity(0.4))];
    Case { name: "stick-slip", model, t_end: 3.0, interval: 0.02, channels, rows, singular: false }
}

#[test]
fn stiff_bounces() {
    check(vec![bounce("stiff bounce", 1e8, 1.5), bounce("hard linear bounce", 1e6, 1.0), bounce("soft bounce", 1e4, 2.2)]);
}

#[test]
fn stick_and_slip() {
    check(vec![stick_slip()]);
}
