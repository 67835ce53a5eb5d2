//! Inputs that depend on time alone, after a pause, or for a moment only.

use crate::Scale::{Position, Velocity};
use crate::solve::{solve, step5, step5_rate};
use crate::{Case, check};
use cardan::forces::Line;
use cardan::prelude::*;

/// A body on a slide along z; its joint and markers.
fn slider(model: &mut Model, name: &str, mass: f64, height: f64) -> (JointId, [MarkerId; 2]) {
    let body = model.add_body(Body::rigid(name, mass, Inertia::ball(mass, 0.1)).at([0.0, 0.0, height]));
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND).at([0.0, 0.0, height])));
    (model.add_joint(Joint::new(&format!("{name} slide"), Translational, i, j)), [i, j])
}

/// A quarter of a car at rest; after five seconds the road rises by 5 cm and falls again within 0.4 s.
fn bump() -> Case {
    let mut model = Model::new("bump");
    let (_, [wheel, ground]) = slider(&mut model, "wheel", 40.0, 0.0);
    let (_, [car, _]) = slider(&mut model, "car", 300.0, 1.0);
    model.add_force(SpringDamper::new("suspension", car, wheel).stiffness(2e4).damping(1500.0).free_length(1.0));
    let road = "0.05*(STEP5(TIME, 5, 0, 5.2, 1) - STEP5(TIME, 5.2, 0, 5.4, 1))";
    model.add_force(ExpressionForce::single("tyre", wheel, ground, Line::Axis, format!("2e5*({road} - DZ(wheel, ground))")));
    let motion = |t: f64, y: &[f64], d: &mut [f64]| {
        let road = 0.05 * (step5(t, 5.0, 5.2) - step5(t, 5.2, 5.4));
        let suspension = 2e4 * (y[1] - y[0]) + 1500.0 * (y[3] - y[2]);
        (d[0], d[1]) = (y[2], y[3]);
        (d[2], d[3]) = ((2e5 * (road - y[0]) + suspension) / 40.0, -suspension / 300.0);
    };
    let rows = solve(motion, &[0.0; 4], &Case::times(10.0, 0.05), &[5.0, 5.2, 5.4], 1e-4);
    let rows = rows.into_iter().map(|y| vec![y[0], 1.0 + y[1], y[2], y[3]]).collect();
    let channels = vec![
        ("wheel.position.z", Position(0.05)),
        ("car.position.z", Position(0.05)),
        ("wheel.velocity.z", Velocity(0.5)),
        ("car.velocity.z", Velocity(0.5)),
    ];
    Case { name: "bump after a pause", model, t_end: 10.0, interval: 0.05, channels, rows, singular: false }
}

/// A motion that does nothing but move by 10 cm and back after five seconds; a mass on a spring feels it.
fn pulse_motion() -> Case {
    let mut model = Model::new("pulse");
    let (slide, [base, _]) = slider(&mut model, "base", 1.0, 0.0);
    let function = "0.1*(STEP5(TIME, 5, 0, 5.05, 1) - STEP5(TIME, 5.05, 0, 5.1, 1))";
    model.add_constraint(Motion::translation("shaker", slide, TimeFunction::expression(function)));
    let (_, [mass, _]) = slider(&mut model, "mass", 1.0, 0.5);
    model.add_force(SpringDamper::new("spring", mass, base).stiffness(400.0).damping(1.0).free_length(0.5));
    let base = |t: f64| 0.1 * (step5(t, 5.0, 5.05) - step5(t, 5.05, 5.1));
    let rate = |t: f64| 0.1 * (step5_rate(t, 5.0, 5.05) - step5_rate(t, 5.05, 5.1));
    let motion = |t: f64, y: &[f64], d: &mut [f64]| (d[0], d[1]) = (y[1], 400.0 * (base(t) - y[0]) + rate(t) - y[1]);
    let times = Case::times(8.0, 0.02);
    let rows = solve(motion, &[0.0; 2], &times, &[5.0, 5.05, 5.1], 1e-4);
    let rows = rows.into_iter().zip(&times).map(|(y, t)| vec![base(*t), rate(*t), 0.5 + y[0], y[1]]).collect();
    let channels = vec![
        ("base.position.z", Position(0.1)),
        ("base.velocity.z", Velocity(3.0)),
        ("mass.position.z", Position(0.1)),
        ("mass.velocity.z", Velocity(1.0)),
    ];
    Case { name: "pulse of a motion", model, t_end: 8.0, interval: 0.02, channels, rows, singular: false }
}

/// A mass at rest is pushed with 1000 N for a millisecond: 1 m/s after it.
fn short_push(name: &'static str, function: &str, middle: f64) -> Case {
    let mut model = Model::new(name);
    let (_, [i, j]) = slider(&mut model, "mass", 1.0, 0.0);
    model.add_force(ExpressionForce::single("push", i, j, Line::Axis, function));
    let rows = Case::times(5.0, 0.05).into_iter().map(|t| if t <= 3.0 { vec![0.0, 0.0] } else { vec![t - middle, 1.0] }).collect();
    let channels = vec![("mass.position.z", Position(1.0)), ("mass.velocity.z", Velocity(1.0))];
    Case { name, model, t_end: 5.0, interval: 0.05, channels, rows, singular: false }
}

#[test]
fn bumps_and_pulses() {
    check(vec![
        bump(),
        pulse_motion(),
        short_push("push for 1 ms by STEP", "2000*(STEP(TIME, 3, 0, 3.0005, 1) - STEP(TIME, 3.0005, 0, 3.001, 1))", 3.0005),
        short_push("push for 1 ms by IF", "1000*IF(TIME - 3: 0, 0, 1)*IF(TIME - 3.001: 1, 1, 0)", 3.0005),
        short_push("push for 1 ms by EXP", "1000/0.7*EXP(-((TIME - 3.025)/0.000394933)**2)", 3.025),
    ]);
}
