//! Motions from constraints alone, against closed formulas.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::{KinematicsError, kinematics};
use cardan::prelude::*;

const SPEED: f64 = 3.0;

/// A crank driven at constant speed, a rod, and a slider along x.
fn slider_crank(crank: f64, rod: f64) -> Model {
    let mut model = Model::new("slider-crank");
    model.set_gravity([0.0, -9.81, 0.0]);
    let bodies = [("crank", 0.5 * crank), ("rod", crank + 0.5 * rod), ("slider", crank + rod)]
        .map(|(name, x)| model.add_body(Body::rigid(name, 1.5, Inertia::principal(0.01, 0.02, 0.03)).at([x, 0.0, 0.0])));
    let mut pin = |name: &str, [a, b]: [(BodyId, f64); 2]| {
        let [i, j] = [a, b].map(|(body, x)| model.add_marker(Marker::on(body).at([x, 0.0, 0.0])));
        model.add_joint(Joint::new(name, Revolute, i, j))
    };
    let bearing = pin("bearing", [(bodies[0], -0.5 * crank), (BodyId::GROUND, 0.0)]);
    pin("crank pin", [(bodies[1], -0.5 * rod), (bodies[0], 0.5 * crank)]);
    pin("gudgeon pin", [(bodies[2], 0.0), (bodies[1], 0.5 * rod)]);
    let x = [1.0, 0.0, 0.0];
    let (i, j) = (model.add_marker(Marker::on(bodies[2]).z_along(x)), model.add_marker(Marker::on(BodyId::GROUND).z_along(x)));
    model.add_joint(Joint::new("slide", Translational, i, j));
    model.add_constraint(Motion::rotation("drive", bearing, TimeFunction::new(|t: Dual| t * SPEED)));
    model
}

#[test]
fn a_driven_slider_crank_moves_as_its_formula_says() {
    let (r, l) = (0.2, 0.5);
    let system = System::new(&slider_crank(r, l)).unwrap();
    let times: Vec<f64> = (0..=60).map(|k| 0.05 * f64::from(k)).collect();
    let results = kinematics(&system, &times).unwrap();
    assert_eq!(results.times(), times);
    let slider = system.body("slider").unwrap();
    for sample in &results.samples {
        let x = &sample.state;
        let (s, c) = (SPEED * x.t).sin_cos();
        let root = (l * l - r * r * s * s).sqrt();
        // x, and its derivatives by the angle.
        let first = -r * s - r * r * s * c / root;
        let second = -r * c - r * r * ((c * c - s * s) / root + (r * s * c).powi(2) / root.powi(3));
        let expected = [r * c + root, first * SPEED, second * SPEED * SPEED];
        let found = [x.q[slider.q0], x.v[slider.v0], x.a[slider.v0]];
        for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!((found - expected).abs() < 1e-11, "derivative {k} at {} s: {found} against {expected}", x.t);
        }
    }
    assert!(results.position_violation < 1e-13);
}

#[test]
fn the_motor_does_the_work() {
    // Simpson's rule on its power against the change of energy, over half a turn and a quarter.
    let system = System::new(&slider_crank(0.2, 0.5)).unwrap();
    let turn = std::f64::consts::TAU / SPEED;
    let row = system.reaction_rows("drive").unwrap().start;
    let half: Vec<f64> = (0..=200).map(|k| turn * f64::from(k) / 400.0).collect();
    let results = kinematics(&system, &half).unwrap();
    let powers: Vec<f64> = results.series(|x| -x.lambda[row] * SPEED);
    let simpson: f64 = (0..100).map(|k| powers[2 * k] + 4.0 * powers[2 * k + 1] + powers[2 * k + 2]).sum::<f64>() * turn / 1200.0;
    let gained = results.samples[200].energy.total() - results.samples[0].energy.total();
    assert!((simpson - gained).abs() < 1e-7, "{simpson} against {gained}");
    let quarter = results.samples[100].energy.total() - results.samples[0].energy.total();
    let simpson: f64 = (0..50).map(|k| powers[2 * k] + 4.0 * powers[2 * k + 1] + powers[2 * k + 2]).sum::<f64>() * turn / 1200.0;
    assert!((simpson - quarter).abs() < 1e-7 && quarter.abs() > 0.1, "{simpson} against {quarter}");
}

#[test]
fn a_mechanism_that_locks_says_where_and_when() {
    let (r, l) = (0.5, 0.3);
    let system = System::new(&slider_crank(r, l)).unwrap();
    let times: Vec<f64> = (0..=40).map(|k| 0.02 * f64::from(k)).collect();
    let error = kinematics(&system, &times).unwrap_err();
    let KinematicsError::Locked { t, results, .. } = &error else { panic!("{error}") };
    let expected = (l / r).asin() / SPEED;
    assert!((t - expected).abs() < 2e-4, "{t} against {expected}: {error}");
    assert_eq!(results.samples.len(), (expected / 0.02) as usize + 1);
    let text = error.to_string();
    assert!(["slide", "gudgeon pin", "drive", "crank pin", "bearing"].iter().any(|joint| text.contains(joint)), "{text}");
}

#[test]
fn degrees_of_freedom_that_are_left_are_named() {
    let mut model = slider_crank(0.2, 0.5);
    let body = model.add_body(Body::rigid("flap", 1.0, Inertia::ball(1.0, 0.1)));
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("flap hinge", Universal, i, j));
    let error = kinematics(&System::new(&model).unwrap(), &[0.0, 1.0]).unwrap_err();
    let KinematicsError::Free { count, bodies } = &error else { panic!("{error}") };
    assert_eq!((*count, bodies.as_slice()), (2, &["flap".to_string()][..]));
    let wrong = kinematics(&System::new(&slider_crank(0.2, 0.5)).unwrap(), &[0.0, 1.0, 0.5]).unwrap_err();
    assert!(matches!(wrong, KinematicsError::Times(_)));
}
