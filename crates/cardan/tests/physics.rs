//! Closed-form answers: friction on an incline, shafts and screws, rolling, the knife edge.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::prelude::*;
use std::f64::consts::{FRAC_PI_2, PI};

const G: f64 = 9.81;

fn about(axis: [f64; 3], angle: f64) -> Quat {
    Quat::from_axis_angle(&cardan::math::UnitVec3::new_normalize(axis.into()), angle)
}

/// A block on a slide that falls at this angle, with friction from the slide's own reaction.
fn incline(angle: f64) -> Model {
    let mut model = Model::new("incline");
    model.set_gravity([0.0, 0.0, -G]);
    let block = model.add_body(Body::rigid("block", 2.0, Inertia::cuboid(2.0, 0.2, 0.2, 0.2)));
    let down = [angle.cos(), 0.0, -angle.sin()];
    let (i, j) = (model.add_marker(Marker::on(block).z_along(down)), model.add_marker(Marker::on(BodyId::GROUND).z_along(down)));
    let slide = model.add_joint(Joint::new("slide", Translational, i, j));
    model.add_force(JointFriction::sliding("friction", slide, 0.5, 0.4).transition_speed(1e-4));
    model
}

#[test]
fn friction_holds_below_its_angle_and_slides_above() {
    for (angle, slides) in [(0.3_f64, false), (0.7, true)] {
        let system = System::new(&incline(angle)).unwrap();
        for formulation in [Formulation::Index3, Formulation::Index2] {
            let run = Simulation::new(&system).formulation(formulation).tolerance(1e-7).record(Record::Ends).run(1.0).unwrap();
            let x = run.last().unwrap();
            let distance = x.q[0] / angle.cos();
            if slides {
                let expected = 0.5 * G * (angle.sin() - 0.4 * angle.cos());
                assert!((distance / expected - 1.0).abs() < 2e-3, "{distance} against {expected}");
            } else {
                assert!(distance.abs() < 1e-4, "it creeps {distance} m");
                let normal = x.lambda[0].hypot(x.lambda[1]);
                assert!((normal - 2.0 * G * angle.cos()).abs() < 1e-6, "{normal}");
            }
        }
    }
}

/// Two shafts meeting at the origin under a bend, the first driven; returns the angle of the second after the run.
fn driven_shafts(joint: impl cardan::constraints::JointType + 'static, bend: f64, turn: f64) -> f64 {
    let mut model = Model::new("shafts");
    let tilt = about([0.0, 1.0, 0.0], bend);
    let inertia = || Inertia::cylinder(1.0, 0.1, 0.5);
    let first = model.add_body(Body::rigid("first", 1.0, inertia()));
    let second = model.add_body(Body::rigid("second", 1.0, inertia()).oriented(tilt));
    let (a, b) = (model.add_marker(Marker::on(first)), model.add_marker(Marker::on(second)));
    let ground = model.add_marker(Marker::on(BodyId::GROUND));
    let bearing = model.add_marker(Marker::on(BodyId::GROUND).oriented(tilt));
    let drive = model.add_joint(Joint::new("drive shaft", Revolute, a, ground));
    model.add_joint(Joint::new("bearing", Cylindrical, b, bearing));
    model.add_joint(Joint::new("coupling", joint, a, b));
    model.add_constraint(Motion::rotation("motor", drive, TimeFunction::new(move |t| t * turn)));
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).method(GeneralizedAlpha::default()).step(1e-3).record(Record::Ends).run(1.0).unwrap();
    let q = &run.last().unwrap().q[7..];
    let attitude = Quat::from_quaternion(cardan::math::Quaternion::new(q[3], q[4], q[5], q[6]));
    let relative = tilt.inverse() * attitude;
    2.0 * relative.k.atan2(relative.w)
}

#[test]
fn a_universal_joint_turns_unevenly_and_a_homokinetic_one_evenly() {
    for turn in [0.4_f64, 1.1, 2.3] {
        let bend = 0.5;
        // x of the first shaft stays perpendicular to y of the second, the bend is about y: tan θ₂ = tan θ₁ / cos(bend).
        let output = driven_shafts(Universal, bend, turn);
        let expected = turn.sin().atan2(turn.cos() * f64::cos(bend));
        assert!((output - expected).sin().abs() < 1e-9, "turn {turn}: {output} against {expected}");
        let even = driven_shafts(ConstantVelocity, bend, turn);
        assert!((even - turn).sin().abs() < 1e-9, "turn {turn}: {even}");
    }
}

#[test]
fn a_driven_screw_advances_by_its_pitch() {
    let mut model = Model::new("screw");
    let nut = model.add_body(Body::rigid("nut", 1.0, Inertia::cuboid(1.0, 0.1, 0.1, 0.1)));
    let (i, j) = (model.add_marker(Marker::on(nut)), model.add_marker(Marker::on(BodyId::GROUND)));
    let screw = model.add_joint(Joint::new("screw", Screw { pitch: 0.02 }, i, j));
    model.add_constraint(Motion::rotation("motor", screw, TimeFunction::new(|t| t * t * (10.0 * PI))));
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).method(Hht::default()).step(1e-3).record(Record::Ends).run(2.0).unwrap();
    // 40π rad are twenty turns, counted through.
    assert!((run.last().unwrap().q[2] - 20.0 * 0.02).abs() < 1e-12, "{}", run.last().unwrap().q[2]);
}

#[test]
fn a_disk_rolls_down_at_two_thirds_of_the_slope() {
    let (angle, radius) = (0.4_f64, 0.25);
    let mut model = Model::new("rolling down");
    model.set_gravity([G * angle.sin(), 0.0, -G * angle.cos()]);
    let upright = about([1.0, 0.0, 0.0], FRAC_PI_2);
    let disk = model.add_body(Body::rigid("disk", 3.0, Inertia::cylinder(3.0, radius, 1e-4)).at([0.0, 0.0, radius]).oriented(upright));
    let (center, plane) = (model.add_marker(Marker::on(disk)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_constraint(RollingDisk::new("rolling", center, plane, radius));
    let system = System::new(&model).unwrap();
    assert_eq!(assemble(&system).unwrap().redundancy.degrees_of_freedom, 3);
    let run = Simulation::new(&system).method(GeneralizedAlpha::default()).step(1e-3).record(Record::Ends).run(1.0).unwrap();
    let expected = 0.5 * (2.0 / 3.0) * G * angle.sin();
    assert!((run.last().unwrap().q[0] - expected).abs() < 1e-9, "{} against {expected}", run.last().unwrap().q[0]);
}

#[test]
fn a_skate_on_a_slope_runs_along_a_cycloid() {
    let (pull, omega) = (3.0, 2.0);
    let mut model = Model::new("skate");
    model.set_gravity([pull, 0.0, 0.0]);
    let skate = model.add_body(Body::planar("skate", 1.5, 0.2).spinning([0.0, 0.0, omega]));
    let (blade, ice) = (model.add_marker(Marker::on(skate)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_constraint(KnifeEdge::new("blade", blade, ice));
    let system = System::new(&model).unwrap();
    let error = |h: f64| {
        let run = Simulation::new(&system).method(GeneralizedAlpha::default()).step(h).record(Record::Ends).run(3.0).unwrap();
        let (x, phase, size) = (run.last().unwrap(), omega * 3.0, pull / (2.0 * omega * omega));
        (x.q[0] - size * phase.sin().powi(2)).hypot(x.q[1] - size * (phase - 0.5 * (2.0 * phase).sin()))
    };
    let (coarse, fine) = (error(0.01), error(0.005));
    assert!(fine < 1e-4 && (coarse / fine).log2() > 1.9, "{coarse:e} {fine:e}");
}
