//! Bodies that turn fast: any number of turns in a step or between samples is counted, in the plane and in space, with every method.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::constraints::joints::{JointId, JointType};
use cardan::integrators::{self, Method};
use cardan::prelude::*;
use std::sync::Arc;

/// Methods that choose their steps, with all their formulations.
fn adaptive() -> Vec<(Arc<dyn Method>, Formulation)> {
    let damped = |m: &Arc<dyn Method>, f: &Formulation| !(m.undamped() && *f == Formulation::Index3);
    let all = integrators::all().into_iter().filter(|m| m.adaptive());
    all.flat_map(|m| m.formulations().iter().filter(|f| damped(&m, f)).map(|f| (m.clone(), *f)).collect::<Vec<_>>()).collect()
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Space {
    Plane,
    Tilted,
}

/// A wheel on the ground that turns about its z axis, tilted in space, beginning with this angular velocity.
fn wheel(model: &mut Model, name: &str, space: Space, speed: f64, joint: impl JointType + 'static) -> (JointId, [MarkerId; 2]) {
    let tilt = if space == Space::Plane { Quat::identity() } else { Quat::from_euler_angles(0.4, 1.1, -0.3) };
    let body = match space {
        Space::Plane => Body::planar(name, 2.0, 0.1).spinning([0.0, 0.0, speed]),
        Space::Tilted => Body::rigid(name, 2.0, Inertia::cylinder(2.0, 0.3, 0.1)).oriented(tilt).spinning([0.0, 0.0, speed]),
    };
    let body = model.add_body(body);
    let i = model.add_marker(Marker::on(body).named(&format!("{name}_axis")));
    let j = model.add_marker(Marker::on(BodyId::GROUND).oriented(tilt).named(&format!("{name}_base")));
    model.add_sensor(Sensor::new(&format!("{name}_angle"), format!("AZ({name}_axis, {name}_base)")));
    model.add_sensor(Sensor::new(&format!("{name}_speed"), format!("WZ({name}_axis, {name}_base, {name}_base)")));
    (model.add_joint(Joint::new(&format!("{name}_hinge"), joint, i, j)), [i, j])
}

/// Every sample of a sensor against its closed form.
fn check(model: &Model, sensor: &str, expected: impl Fn(f64) -> f64, t_end: f64, interval: f64, what: &str) {
    check_recorded(model, sensor, expected, t_end, (&Record::Interval(interval), 2e-3), what);
}

fn check_recorded(model: &Model, sensor: &str, expected: impl Fn(f64) -> f64, t_end: f64, (record, bar): (&Record, f64), what: &str) {
    let system = System::new(model).unwrap();
    for (method, formulation) in adaptive() {
        let label = format!("{what}, {} {formulation:?}", method.name());
        let run = Simulation::new(&system).shared_method(method).formulation(formulation).record(record.clone()).run(t_end);
        let run = run.unwrap_or_else(|e| panic!("{label}: {e}"));
        let mut channels = Channels::new(&system);
        let k = channels.index(sensor).unwrap();
        let mut values = vec![0.0; channels.list().len()];
        for sample in &run.samples {
            channels.fill(&system, sample, &mut values);
            let value = values[k];
            let exact = expected(sample.state.t);
            let error = (value - exact).abs() / (1.0 + 0.1 * exact.abs());
            assert!(error < bar, "{label}: {sensor} at t = {} is {value}, not {exact} ({} steps)", sample.state.t, run.statistics.steps);
        }
    }
}

const SPACES: [Space; 2] = [Space::Plane, Space::Tilted];

#[test]
fn a_free_wheel_keeps_its_speed_and_counts_its_turns() {
    for space in SPACES {
        for (speed, t_end) in [(40.0, 10.0), (-40.0, 10.0), (4000.0, 0.5)] {
            let mut model = Model::new("wheel");
            wheel(&mut model, "wheel", space, speed, Revolute);
            let what = format!("{space:?} wheel at {speed} rad/s");
            for interval in [0.01, 0.37] {
                check(&model, "wheel_angle", |t| speed * t, t_end, interval * t_end, &what);
                check(&model, "wheel_speed", |_| speed, t_end, interval * t_end, &what);
            }
        }
    }
}

#[test]
fn gears_follow_a_motor_to_any_speed() {
    for space in SPACES {
        let mut model = Model::new("gears");
        let (first, [i, j]) = wheel(&mut model, "first", space, 0.0, Revolute);
        let (second, _) = wheel(&mut model, "second", space, 0.0, Revolute);
        model.add_constraint(Coupler::gear("mesh", first, 0.1, second, 0.3));
        model.add_force(ExpressionForce::single("motor", i, j, Line::Rotation, "4"));
        let inertia = if space == Space::Plane { 0.1 } else { 0.5 * 2.0 * 0.09 };
        let acceleration = 4.0 / (inertia * (1.0 + 1.0 / 9.0));
        check(&model, "first_angle", |t| 0.5 * acceleration * t * t, 5.0, 0.1, &format!("{space:?} gears"));
        check(&model, "second_angle", |t| -0.5 * acceleration * t * t / 3.0, 5.0, 0.1, &format!("{space:?} gears"));
    }
}

/// Methods of high order take such motions in a few steps without an error, but turns were once counted by a rule of order 2.
#[test]
fn turns_are_counted_where_nothing_but_their_number_bounds_the_step() {
    for space in SPACES {
        let inertia = if space == Space::Plane { 0.1 } else { 0.5 * 2.0 * 0.09 };
        for (torque, angle) in [
            ("400*(1 - TIME)", (|t| t * t / 2.0 - t * t * t / 6.0) as fn(f64) -> f64),
            ("400*TIME*(2 - TIME)", |t| t * t * t / 3.0 - t.powi(4) / 12.0),
        ] {
            let mut model = Model::new("wheel");
            let (_, [i, j]) = wheel(&mut model, "wheel", space, 0.0, Revolute);
            model.add_force(ExpressionForce::single("motor", i, j, Line::Rotation, torque));
            let what = format!("{space:?} wheel under {torque}");
            check_recorded(&model, "wheel_angle", |t| 400.0 / inertia * angle(t), 2.0, (&Record::Steps, 2e-3), &what);
        }
    }
}

/// A wheel on a soft spring, which reverses within steps that begin slowly: in space steps of more than half a turn were once taken for
/// shorter ones.
#[test]
fn a_wheel_on_a_spring_turns_many_times_and_comes_back() {
    for space in SPACES {
        let mut model = Model::new("wheel");
        let (_, [i, j]) = wheel(&mut model, "wheel", space, 500.0, Revolute);
        let inertia = if space == Space::Plane { 0.1 } else { 0.5 * 2.0 * 0.09 };
        model.add_force(RotationalSpringDamper::new("spring", i, j).stiffness(4.0 * inertia));
        let record = (&Record::Interval(0.05), 0.05);
        check_recorded(&model, "wheel_angle", |t| 250.0 * (2.0 * t).sin(), 12.0, record, &format!("{space:?} wheel on a spring"));
    }
}

#[test]
fn a_fixed_step_over_which_turns_could_be_miscounted_is_an_error() {
    let mut model = Model::new("wheel");
    let (_, [i, j]) = wheel(&mut model, "wheel", Space::Plane, 0.0, Revolute);
    model.add_force(ExpressionForce::single("motor", i, j, Line::Rotation, "400*(1 - TIME)"));
    let system = System::new(&model).unwrap();
    let run = |h: f64| Simulation::new(&system).method(Radau).step(h).run(2.0);
    assert!(run(0.1).is_ok());
    let error = run(0.5).unwrap_err().to_string();
    assert!(error.contains("the rotation of body 'wheel' in one step differs by 41.67 rad"), "{error}");
}

/// At tolerances below 1e-5 steps were once shortened until none was possible, because velocities violated the constraints from before the step.
#[test]
fn gears_run_at_any_tolerance_with_radau_in_index_3_form() {
    let mut model = Model::new("gears");
    let (first, [i, j]) = wheel(&mut model, "first", Space::Tilted, 0.0, Revolute);
    let (second, _) = wheel(&mut model, "second", Space::Tilted, 0.0, Revolute);
    model.add_constraint(Coupler::gear("mesh", first, 0.1, second, 0.3));
    model.add_force(ExpressionForce::single("motor", i, j, Line::Rotation, "4"));
    let system = System::new(&model).unwrap();
    for tolerance in [1e-6, 1.7e-6, 3e-6, 5e-6, 8e-6, 1e-5, 2e-5, 5e-5] {
        let run =
            Simulation::new(&system).method(Radau).formulation(Formulation::Index3).tolerance(tolerance).record(Record::Ends).run(5.0);
        let error = run.map(|run| (run.last().unwrap().v[5] - 200.0).abs());
        assert!(error.as_ref().is_ok_and(|error| *error < 0.1), "{tolerance:e}: {:?}", error.map_err(|e| e.to_string()));
    }
}

#[test]
fn a_fixed_step_that_turns_a_body_too_far_is_told_the_limit_that_is_held() {
    let mut model = Model::new("wheel");
    wheel(&mut model, "wheel", Space::Tilted, 100.0, Revolute);
    let system = System::new(&model).unwrap();
    let run = |h: f64| Simulation::new(&system).method(Radau).step(h).run(20.0 * h);
    assert!(run(0.0299).is_ok(), "2.99 rad a step are not too far");
    let error = run(0.031).unwrap_err().to_string();
    assert!(error.contains("'wheel' turns by 3.10 rad in one step, more than the 3 rad that this method can follow"), "{error}");
}
