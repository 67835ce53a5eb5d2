//! Motions given by a velocity or an acceleration, against closed formulas, with every method.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::{equilibrium, kinematics};
use cardan::integrators;
use cardan::prelude::*;
use std::f64::consts::TAU;

/// Where the arm stands at the start.
const START: f64 = 0.7;

/// A spatial arm on a hinge, turned by 0.7 rad, and a carriage on a slide, placed 0.3 m along it.
fn machine(drive: impl Fn(cardan::constraints::JointId) -> Motion, push: impl Fn(cardan::constraints::JointId) -> Motion) -> System {
    let mut model = Model::new("machine");
    model.set_gravity([0.0, -9.81, 0.0]);
    let turn = Quat::from_axis_angle(&Vec3::z_axis(), START);
    let center = turn * Vec3::new(0.4, 0.0, 0.0);
    let arm = Body::rigid("arm", 2.0, Inertia::principal(0.01, 0.1, 0.1)).at(center.into()).oriented(turn);
    let (arm, cart) = (model.add_body(arm), model.add_body(Body::rigid("cart", 1.0, Inertia::ball(1.0, 0.1)).at([0.0, 1.0, 0.3])));
    let (i, j) = (model.add_marker(Marker::on(arm).at([-0.4, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    let hinge = model.add_joint(Joint::new("hinge", Revolute, i, j));
    let (i, j) = (model.add_marker(Marker::on(cart)), model.add_marker(Marker::on(BodyId::GROUND).at([0.0, 1.0, 0.0])));
    let slide = model.add_joint(Joint::new("slide", Translational, i, j));
    model.add_constraint(drive(hinge));
    model.add_constraint(push(slide));
    System::new(&model).unwrap()
}

/// A motor at 60 rpm, and a carriage that is accelerated at 0.4 m/s² (1 − cos 5t) from 0.1 m/s on.
fn driven() -> System {
    machine(
        |hinge| Motion::rotation("drive", hinge, TimeFunction::expression("60 rpm")).of_velocity(),
        |slide| Motion::translation("push", slide, TimeFunction::expression("0.4 m/s^2*(1 - COS(5*TIME))")).of_acceleration(0.1),
    )
}

/// Angle of the arm and place of the carriage, their velocities and accelerations.
fn expected(t: f64) -> [[f64; 3]; 2] {
    let (s, c) = (5.0 * t).sin_cos();
    let place = 0.3 + 0.1 * t + 0.2 * t * t + 0.4 * (c - 1.0) / 25.0;
    [[START + TAU * t, TAU, 0.0], [place, 0.1 + 0.4 * (t - s / 5.0), 0.4 * (1.0 - c)]]
}

fn found(system: &System, x: &State) -> [[f64; 3]; 2] {
    let (arm, cart) = (system.body("arm").unwrap(), system.body("cart").unwrap());
    let q = &x.q[arm.q0 + 3..];
    let angle = 2.0 * q[3].atan2(q[0]);
    [[angle, x.v[arm.v0 + 5], x.a[arm.v0 + 5]], [x.q[cart.q0 + 2], x.v[cart.v0 + 2], x.a[cart.v0 + 2]]]
}

#[track_caller]
fn compare(system: &System, x: &State, what: &str, [place, speed]: [f64; 2]) {
    let (found, expected) = (found(system, x), expected(x.t));
    let off = (0.5 * (found[0][0] - expected[0][0])).sin().abs();
    assert!(off < place, "{what} at {} s: the angle is off by {off:.1e}", x.t);
    let pairs = [(found[1][0], expected[1][0], place), (found[0][1], expected[0][1], speed), (found[1][1], expected[1][1], speed)];
    for (k, (found, expected, bar)) in pairs.into_iter().enumerate() {
        assert!((found - expected).abs() < bar, "{what} at {} s, {k}: {found} against {expected}", x.t);
    }
}

#[test]
fn every_method_follows_velocities_and_accelerations() {
    let system = driven();
    for method in integrators::all() {
        for formulation in method.formulations() {
            let what = format!("{} in {}", method.name(), formulation.name());
            let run = Simulation::new(&system).shared_method(method.clone()).formulation(*formulation).step(2e-3).run(1.3);
            let run = run.unwrap_or_else(|e| panic!("{what}: {e}"));
            let (place, speed) = (run.position_violation.max(1e-6), run.velocity_violation.max(1e-6));
            assert!(place < 1e-2 && speed < 0.2, "{what}: {place} {speed}");
            compare(&system, run.last().unwrap(), &what, [2.0 * place, 2.0 * speed.max(1e-3)]);
        }
    }
}

#[test]
fn kinematics_statics_and_real_time_do() {
    let system = driven();
    let times: Vec<f64> = (0..=20).map(|k| 0.1 * f64::from(k)).collect();
    for sample in &kinematics(&system, &times).unwrap().samples {
        compare(&system, &sample.state, "kinematics", [1e-11, 1e-11]);
        let (found, expected) = (found(&system, &sample.state), expected(sample.state.t));
        assert!((found[1][2] - expected[1][2]).abs() < 1e-11 && (found[0][2] - expected[0][2]).abs() < 1e-9);
    }
    // At rest the machine is held where it stands.
    let rest = equilibrium(&system).unwrap();
    let [arm, cart] = found(&system, &rest.state);
    assert!((arm[0] - START).abs() < 1e-9 && (cart[0] - 0.3).abs() < 1e-9);
    let mut run = RealTime::new(&system, LinearImplicitEuler::default(), 1e-3).unwrap();
    (0..1000).for_each(|_| run.step(&[], &mut []).unwrap());
    compare(&system, run.state(), "real time", [1e-5, 1e-2]);
}

#[test]
fn a_displacement_to_start_from_moves_the_bodies_there() {
    let system = machine(
        |hinge| Motion::rotation("drive", hinge, TimeFunction::new(|t: Dual| t * 2.0)).of_velocity().starting_at(0.5),
        |slide| Motion::translation("push", slide, 0.0).of_acceleration(-0.2).starting_at(0.25),
    );
    let results = kinematics(&system, &[0.0, 0.5, 1.0]).unwrap();
    for sample in &results.samples {
        let (t, [arm, cart]) = (sample.state.t, found(&system, &sample.state));
        assert!((arm[0] - (0.5 + t * t)).abs() < 1e-11 && (cart[0] - (0.25 - 0.2 * t)).abs() < 1e-11, "{t}");
    }
}

#[test]
fn a_velocity_that_jumps_gives_a_displacement_with_a_corner() {
    let system = machine(
        |hinge| Motion::rotation("drive", hinge, TimeFunction::expression("IF(TIME - 0.503: 0, 0, 30 deg/s)")).of_velocity(),
        |slide| Motion::translation("push", slide, TimeFunction::expression("STEP(TIME, 0, 0, 1, 0.2 m/s)")).of_velocity(),
    );
    let times: Vec<f64> = (0..=12).map(|k| 0.1 * f64::from(k)).collect();
    for sample in &kinematics(&system, &times).unwrap().samples {
        let (t, [arm, cart]) = (sample.state.t, found(&system, &sample.state));
        let turned = 30.0_f64.to_radians() * (t - 0.503).max(0.0);
        assert!((arm[0] - START - turned).abs() < 1e-10, "{t}: {}", arm[0] - START - turned);
        let s = t.min(1.0);
        let way = 0.2 * (s.powi(3) - 0.5 * s.powi(4) + (t - s));
        assert!((cart[0] - 0.3 - way).abs() < 1e-11, "{t}");
    }
}

/// A blow of velocity for a hundredth of a millisecond, between times that no grid hits.
#[test]
fn short_pulses_of_velocity_count() {
    let pulse = "IF(TIME - 0.44713: 0, 0, IF(TIME - 0.44714: 2e4, 2e4, 0))";
    let system = machine(
        |hinge| Motion::rotation("drive", hinge, TimeFunction::expression(format!("{pulse} * 1 rad/s"))).of_velocity(),
        |slide| Motion::translation("push", slide, TimeFunction::expression(format!("{pulse} * 1 m/s^2"))).of_acceleration(0.1),
    );
    for sample in &kinematics(&system, &[0.0, 0.4, 0.5, 1.3]).unwrap().samples {
        let (t, [arm, cart]) = (sample.state.t, found(&system, &sample.state));
        let after = f64::from(u8::from(t > 0.45));
        assert!((arm[0] - START - 0.2 * after).abs() < 1e-9, "{t}: {}", arm[0] - START);
        assert!((cart[0] - 0.3 - 0.1 * t - 0.2 * after * (t - 0.447_135)).abs() < 1e-9, "{t}: {}", cart[0]);
    }
}

/// Jumps at a multiple of the fixed step, and steps of no length, were once passed over.
#[test]
fn positions_that_jump_are_refused_by_every_method() {
    for function in ["IF(TIME - 1: 0, 0, 0.3)", "STEP(TIME, 1, 0, 1, 0.3)", "0.3*AINT(TIME/0.7)", "0.2*SIGN(1, SIN(5*TIME))"] {
        let system = machine(
            |hinge| Motion::rotation("drive", hinge, TimeFunction::expression(function)),
            |slide| Motion::translation("push", slide, TimeFunction::expression("0")),
        );
        for method in integrators::all() {
            let free = Simulation::new(&system).shared_method(method.clone());
            let adaptive = method.adaptive() && !method.undamped();
            let runs = [adaptive.then(|| free.run(2.0)), Some(Simulation::new(&system).shared_method(method.clone()).step(1e-3).run(2.0))];
            for error in runs.into_iter().flatten().map(|run| run.map(|_| ()).unwrap_err().to_string()) {
                assert!(error.contains("the position that 'drive' prescribes jumps"), "{} with {function}: {error}", method.name());
            }
        }
    }
}

/// As a force it is a jump like any other.
#[test]
fn a_step_of_no_length_is_a_jump() {
    let mut model = Model::new("pushed");
    let body = model.add_body(Body::point("body", 2.0));
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(ExpressionForce::vector("push", i, j, j, ["STEP(TIME, 0.3, 0, 0.3, 4)", "HAVSIN(TIME, 0.3, 1, 0.3, 4) - 4", "0"]));
    let run = Simulation::new(&System::new(&model).unwrap()).run(1.0).unwrap();
    let v = &run.last().unwrap().v;
    assert!((v[0] - 1.4).abs() < 1e-9 && (v[1] + 0.45).abs() < 1e-9, "{v:?}");
}
