//! Whether a run can be believed: its balance of energy against works that are known, on every method; runs that blow up end with an
//! error, right ones without a word.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/models.rs"]
mod models;

use cardan::integrators::{LocalLinearization, Method};
use cardan::prelude::*;
use cardan::results::EnergyBalance;
use cardan::system::Through;
use models::*;
use std::sync::Arc;

fn adaptive() -> Vec<Arc<dyn Method>> {
    vec![
        Arc::new(Hht::default()),
        Arc::new(GeneralizedAlpha::default()),
        Arc::new(Bdf::default()),
        Arc::new(Radau),
        Arc::new(DormandPrince),
        Arc::new(LocalLinearization::default()),
    ]
}

/// A rotor on a hinge about z, with mass off its axis and no gravity.
fn rotor() -> (Model, JointId, [MarkerId; 2]) {
    let mut model = Model::new("rotor");
    let rotor = model.add_body(Body::rigid("rotor", 2.0, Inertia::cuboid(2.0, 0.3, 0.4, 0.1)).at([0.5, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(rotor).at([-0.5, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    let hinge = model.add_joint(Joint::new("hinge", Revolute, i, j));
    (model, hinge, [i, j])
}

/// About the hinge.
const ROTOR: f64 = 2.0 * (0.3 * 0.3 + 0.4 * 0.4) / 12.0 + 2.0 * 0.25;

fn balances(model: &Model, t_end: f64, check: impl Fn(&str, &EnergyBalance)) {
    let system = System::new(model).unwrap();
    for (method, tolerance) in adaptive().into_iter().flat_map(|m| [1e-4, 1e-6].map(|tolerance| (m.clone(), tolerance))) {
        let label = format!("{} with {} at {tolerance:e}", model.name(), method.name());
        let run = Simulation::new(&system).shared_method(method).tolerance(tolerance).record(Record::Interval(0.1)).run(t_end);
        let run = run.unwrap_or_else(|error| panic!("{label}: {error}"));
        let said = run.warnings.iter().find(|warning| warning.contains(" J ("));
        assert!(said.is_none(), "{label}: {said:?}, {:?}", run.energy);
        // Samples satisfy the velocity constraints; index-3 methods do so to their tolerance.
        let sampled = run.samples.last().unwrap().energy.total();
        assert!((run.energy.end - sampled).abs() < 3e-3 * run.energy.throughput, "{label}: {} and {sampled} J", run.energy.end);
        check(&label, &run.energy);
    }
}

fn close(label: &str, balance: &EnergyBalance, value: f64, expected: f64) {
    let allowed = 0.01 * balance.throughput + balance.uncertainty;
    assert!((value - expected).abs() < allowed, "{label}: {value} instead of {expected}, {balance:?}");
    assert!(balance.worst.energy.abs() < allowed && balance.uncertainty < allowed, "{label}: {balance:?}");
}

#[test]
fn a_motion_gives_what_a_rotor_has() {
    let (mut model, hinge, _) = rotor();
    model.add_constraint(Motion::rotation("drive", hinge, TimeFunction::new(|t| t * t * 1.5)));
    let energy = 0.5 * ROTOR * 36.0;
    balances(&model, 2.0, |label, b| {
        assert_eq!(b.largest(Through::Motion).unwrap().name, "drive");
        close(label, b, b.motions, energy);
        assert_eq!((b.loads, b.dissipated, b.jumps), (0.0, 0.0, 0.0));
    });
}

#[test]
fn a_motor_gives_what_a_bearing_takes_and_a_rotor_keeps() {
    let (mut model, _, [i, j]) = rotor();
    model.add_force(ExpressionForce::single("motor", i, j, Line::Rotation, "3 - 0.5*SIN(TIME)"));
    model.add_force(RotationalSpringDamper::new("bearing", i, j).damping(0.7));
    balances(&model, 3.0, |label, b| {
        assert!(b.loads > 1.0 && b.dissipated > 1.0, "{label}: {b:?}");
        close(label, b, b.loads - b.dissipated, b.end - b.start);
        assert_eq!(b.exchanged.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["bearing", "motor"]);
    });
}

#[test]
fn friction_takes_what_a_sliding_body_had() {
    let mut model = Model::new("slider");
    model.set_gravity([0.0, 0.0, -9.81]);
    let body = model.add_body(Body::rigid("body", 3.0, Inertia::ball(3.0, 0.1)).moving([2.0, 0.0, 0.0]));
    let axis = |marker: Marker| marker.z_along([1.0, 0.0, 0.0]);
    let (i, j) = (model.add_marker(axis(Marker::on(body))), model.add_marker(axis(Marker::on(BodyId::GROUND))));
    let slide = model.add_joint(Joint::new("slide", Translational, i, j));
    model.add_force(JointFriction::sliding("friction", slide, 0.3, 0.2).transition_speed(0.2));
    balances(&model, 1.5, |label, b| close(label, b, b.dissipated, 6.0 - b.end));
}

/// A point on a thread that is pulled in: rows that depend on time do work, whoever wrote them.
#[test]
fn a_thread_that_is_pulled_in_does_work() {
    let mut model = Model::new("thread");
    let point = model.add_body(Body::point("point", 1.5).at([1.0, 0.0, 0.0]).moving([0.0, 2.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(point)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_constraint(UserConstraint::new("thread", &[i, j], |m, t| {
        let d = m[0].position - m[1].position;
        d.dot(&d) - (t * t * -0.1 + 1.0).powi(2)
    }));
    model.add_constraint(UserConstraint::expression("plane", "DZ(point)"));
    // The angular momentum m r v = 3 stays; the thread comes in with 0.2 t.
    let (r, pull): (f64, f64) = (1.0 - 0.1 * 4.0, 0.4);
    let energy = 0.5 * 1.5 * ((2.0 / r).powi(2) + pull * pull) - 3.0;
    balances(&model, 2.0, |label, b| close(label, b, b.motions, energy));
}

#[test]
fn bounces_are_booked_apart() {
    let mut model = Model::new("ball");
    model.set_gravity([0.0, 0.0, -10.0]);
    model.add_body(Body::point("ball", 0.7).at([0.0, 0.0, 1.25]));
    let system = System::new(&model).unwrap();
    for method in adaptive() {
        let bounce = Event::new("bounce", |x| x.q[2]).direction(Direction::Falling).action(|x| x.v[2] *= -0.6);
        let run = Simulation::new(&system).shared_method(method).event(bounce).run(1.7).unwrap();
        let (lost, b) = (0.5 * 0.7 * 25.0 * (1.0 - 0.6_f64.powi(2 * run.events.len() as i32)), &run.energy);
        assert!((b.jumps + lost).abs() < 1e-3 && b.missing.abs() < 1e-3 && !b.is_conservative(), "{b:?}");
    }
}

#[test]
fn conservative_models_need_no_quadrature() {
    let system = System::new(&pendulum()).unwrap();
    let run = Simulation::new(&system).tolerance(1e-6).run(3.0).unwrap();
    let b = &run.energy;
    assert!(b.is_conservative() && b.uncertainty == 0.0 && b.missing == b.end - b.start, "{b:?}");
    assert!((b.worst.energy.abs() - run.energy_drift).abs() < 0.1 * run.energy_drift, "{b:?} {}", run.energy_drift);
}

/// A stiff spring with steps that explicit methods cannot make.
fn stiff() -> Model {
    let mut model = Model::new("stiff");
    let body = model.add_body(Body::point("body", 1.0).at([1.1, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(SpringDamper::new("spring", i, j).stiffness(1e4).free_length(1.0));
    model
}

#[test]
fn energy_out_of_nothing_ends_a_run() {
    let system = System::new(&stiff()).unwrap();
    let error = Simulation::new(&system).method(ExplicitEuler::default()).step(5e-3).run(10.0).unwrap_err();
    let SimulationError::Energy { t, gained, throughput, .. } = &error else { panic!("{error}") };
    assert!(*t < 0.5 && *gained > 0.9 * throughput && *throughput > 500.0, "{error}");
    assert!(error.results().unwrap().last().unwrap().t < *t, "{error}");
    assert!(error.to_string().contains("smaller steps"), "{error}");
}

#[test]
fn energy_that_a_method_damps_away_is_a_warning() {
    let system = System::new(&stiff()).unwrap();
    let run = Simulation::new(&system).method(Hht::default()).step(0.02).run(2.0).unwrap();
    assert!(run.energy.missing < -25.0 && run.warnings.len() == 1, "{:?}", run.energy);
    assert!(run.warnings[0].contains("numerical damping"), "{:?}", run.warnings);
}

/// With error control that is no choice of the user's: such a run once ended at rest, with success.
#[test]
fn energy_that_vanishes_under_error_control_ends_a_run() {
    let system = System::new(&stiff()).unwrap();
    for method in [Arc::new(Radau) as Arc<dyn Method>, Arc::new(Hht::default())] {
        let error = Simulation::new(&system).shared_method(method).tolerance(1e-2).run(300.0).unwrap_err();
        let SimulationError::EnergyLost { lost, throughput, .. } = &error else { panic!("{error}") };
        assert!((0.5..0.7).contains(&(lost / throughput)), "{error}");
        assert!(error.to_string().contains("tighten the tolerance"), "{error}");
    }
}

/// Nor is it one where a damper has taken the energy, however quickly.
#[test]
fn energy_that_a_damper_takes_is_not_lost() {
    for damping in [20.0, 2e3, 1e6] {
        let mut model = Model::new("damped");
        let body = model.add_body(Body::point("body", 1.0).at([1.1, 0.0, 0.0]).moving([30.0, 0.0, 0.0]));
        let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
        model.add_force(SpringDamper::new("spring", i, j).stiffness(1e4).damping(damping).free_length(1.0));
        let system = System::new(&model).unwrap();
        for method in adaptive().into_iter().filter(|m| m.name() != "dormand-prince" || damping < 1e5) {
            for tolerance in [1e-2, 1e-5] {
                let run = Simulation::new(&system).shared_method(method.clone()).tolerance(tolerance).run(3.0);
                assert!(run.is_ok(), "{} at {tolerance:e} with {damping}: {}", method.name(), run.unwrap_err());
            }
        }
    }
}

#[test]
fn a_sensor_that_is_no_number_is_named_once() {
    let mut model = pendulum();
    model.add_sensor(Sensor::new("root", "SQRT(0.5 - TIME)"));
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).record(Record::Interval(0.1)).run(1.0).unwrap();
    assert_eq!(run.warnings.len(), 1, "{:?}", run.warnings);
    assert!(run.warnings[0].contains("'root'") && run.warnings[0].contains("0.6"), "{:?}", run.warnings);
}

#[test]
fn pulses_shorter_than_given_steps_are_warned_of() {
    for (push, warned) in [
        ("1000*(STEP(TIME, 0.303, 0, 0.304, 1) - STEP(TIME, 0.305, 0, 0.306, 1))", true),
        ("50*EXP(-((TIME - 0.305)/0.001)**2)", true),
        ("STEP(TIME, 0.2, 0, 0.5, 1)*SIN(20*TIME)", false),
        ("IF(TIME - 0.3: 0, 0, 1)", false),
    ] {
        let mut model = Model::new("pushed");
        let body = model.add_body(Body::point("body", 2.0));
        let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
        model.add_force(ExpressionForce::vector("push", i, j, j, [push, "0", "0"]));
        let run = Simulation::new(&System::new(&model).unwrap()).method(Hht::default()).step(0.01).run(1.0).unwrap();
        let words = run.warnings.iter().any(|w| w.contains("pulses shorter than the steps") && w.contains("from t = 0.3"));
        assert_eq!(words, warned, "{push}: {:?}", run.warnings);
    }
}
