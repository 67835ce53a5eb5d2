//! Steps in real time: operations, constraints of all kinds, inputs and outputs, refusals.

use crate::*;
use cardan::integrators::{Constraints, EulerSettings, Jacobian, ProjectionMatrix};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn the_number_of_operations_is_known_before() {
    let calls = Arc::new(AtomicUsize::new(0));
    let mut model = Model::new("counted");
    let a = model.add_body(Body::planar("a", 1.0, 0.1).at([1.0, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(a).at([-1.0, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    let (tip, away) = (model.add_marker(Marker::on(a)), model.add_marker(Marker::on(BodyId::GROUND).at([0.0, 3.0, 0.0])));
    model.add_joint(Joint::new("pin", Revolute, i, j));
    let counted = calls.clone();
    model.add_force(SingleForce::new("spring", tip, away, Line::Between, move |_, s, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        -s
    }));
    model.mark_implicit("spring");
    let system = System::new(&model).unwrap();
    let start = assemble(&system).unwrap().state;
    for (name, method) in all() {
        for (count, matrix) in [(1.0, "start"), (3.0, "start"), (2.0, "predicted")] {
            let method = method.with("projections", Parameter::Number(count)).unwrap();
            let method = set(method, &[("projection_matrix", matrix)]);
            let operations = method.operations(&system, &[]).unwrap();
            let implicit = method.name() == "euler-linear-implicit";
            let mut stepper = Stepper::new(&system, method, Options::default(), &start, &[]);
            stepper.start(&start, 1e-3).unwrap();
            for _ in 0..3 {
                let (before, factored) = (calls.load(Ordering::Relaxed), stepper.statistics().factorizations);
                stepper.attempt(1e-3, None).unwrap();
                // A matrix with derivatives of forces asks for the force with its tangent; there are two, or one without slope and motion (J3).
                let tangents = match implicit {
                    false => 0,
                    true if name.starts_with("J3") => 1,
                    true => 2,
                };
                assert_eq!(calls.load(Ordering::Relaxed) - before, operations.evaluations + tangents, "{name}: evaluations");
                assert_eq!(stepper.statistics().factorizations - factored, operations.factorizations, "{name}: factorisations");
                stepper.accept();
            }
        }
    }
}

/// A body held by three hinges in a line, two more than it needs.
fn door() -> Model {
    let mut model = Model::new("door");
    model.set_gravity([0.0, -9.81, -2.0]);
    let door = model.add_body(Body::rigid("door", 3.0, Inertia::cuboid(3.0, 1.0, 0.1, 2.0)).at([0.5, 0.0, 0.0]));
    for (k, z) in [-0.8, 0.0, 0.8].into_iter().enumerate() {
        let i = model.add_marker(Marker::on(door).at([-0.5, 0.0, z]));
        let j = model.add_marker(Marker::on(BodyId::GROUND).at([0.0, 0.0, z]));
        model.add_joint(Joint::new(&format!("hinge {k}"), Revolute, i, j));
    }
    model
}

#[test]
fn redundant_constraints_are_kept_as_well_as_others() {
    let system = System::new(&door()).unwrap();
    let assembly = assemble(&system).unwrap();
    assert!(!assembly.redundancy.regularization.is_empty());
    let expected = exact_end(&system, 1.0);
    for (name, method) in all() {
        let end = walk(&system, method.clone(), 1.0, || 1e-3);
        assert!(distance(&end.q, &expected.q) < 0.02, "{name}: {:e}", distance(&end.q, &expected.q));
        let mut run = RealTime::shared(&system, method, 1e-3).unwrap();
        (0..1000).for_each(|_| run.step(&[], &mut []).unwrap());
        let (position, velocity) = run.violation();
        let allowed = match name.split(", ").last().unwrap() {
            "index1" => (0.1, 0.1),
            "index2" => (0.1, 1e-9),
            "baumgarte1" | "baumgarte2" => (1e-4, 0.1),
            _ => (1e-7, 1e-9),
        };
        assert!(position < allowed.0 && velocity < allowed.1, "{name}: {position:e}, {velocity:e}");
    }
}

#[test]
fn nonholonomic_constraints_hold() {
    let mut model = Model::new("skate");
    model.set_gravity([0.0, -1.0, 0.0]);
    let skate = Body::planar("skate", 1.0, 0.2).moving([1.0, 0.0, 0.0]).spinning([0.0, 0.0, 1.0]);
    let skate = model.add_body(skate);
    let (blade, ice) = (model.add_marker(Marker::on(skate)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_constraint(KnifeEdge::new("edge", blade, ice));
    let system = System::new(&model).unwrap();
    let expected = exact_end(&system, 1.0);
    for (name, method) in all() {
        let mut run = RealTime::shared(&system, method, 1e-3).unwrap();
        (0..1000).for_each(|_| run.step(&[], &mut []).unwrap());
        let error = distance(&run.state().q, &expected.q);
        assert!(error < 5e-3, "{name}: {error:e}");
        let allowed = if name.ends_with("index1") || name.ends_with("baumgarte1") { 5e-3 } else { 1e-13 };
        assert!(run.violation().1 < allowed, "{name}: {:e}", run.violation().1);
    }
}

#[test]
fn inputs_are_held_and_outputs_are_sensors() {
    let mut model = Model::new("cart");
    let cart = model.add_body(Body::point("cart", 2.0));
    let (i, j) = (model.add_marker(Marker::on(cart)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_input("push", 4.0);
    model.add_force(ExpressionForce::vector("motor", i, j, j, ["INPUT(Push)", "0", "0"]));
    model.add_sensor(Sensor::new("speed", "VX(cart)"));
    model.add_sensor(Sensor::new("force", "2*INPUT(push)"));
    let system = System::new(&model).unwrap();
    assert_eq!(system.inputs(), ["push"]);
    let offline = Simulation::new(&system).tolerance(1e-6).record(Record::Ends).run(1.0).unwrap();
    assert!((offline.last().unwrap().v[0] - 2.0).abs() < 1e-6, "the initial value, where nobody sets it");
    let mut run = RealTime::new(&system, LinearImplicitEuler::default(), 1e-2).unwrap();
    let mut outputs = [0.0; 2];
    for k in 0..100 {
        run.step(&[if k < 50 { 6.0 } else { -2.0 }], &mut outputs).unwrap();
    }
    assert!((outputs[0] - 1.0).abs() < 1e-12 && outputs[1] == -4.0, "{outputs:?}");
    assert_eq!(run.step(&[], &mut outputs).unwrap_err().to_string(), "the model has 1 inputs, 0 were given");
    assert_eq!(run.step(&[0.0], &mut []).unwrap_err().to_string(), "the model has 2 outputs, 0 were given");
}

#[test]
fn steps_in_real_time_are_those_of_a_simulation() {
    let system = System::new(&spatial_four_bar()).unwrap();
    let run = Simulation::new(&system).method(LinearImplicitEuler::default()).step(1e-3).record(Record::Ends).run(0.1).unwrap();
    let mut real = RealTime::new(&system, LinearImplicitEuler::default(), 1e-3).unwrap();
    (0..100).for_each(|_| real.step(&[], &mut []).unwrap());
    assert!(distance(&run.last().unwrap().q, &real.state().q) < 1e-13);
    assert!(run.position_violation < 1e-6 && run.position_violation > 0.0);
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let system = System::new(&pendulum()).unwrap();
    let message = |run: Result<RealTime, SimulationError>| run.err().unwrap().to_string();
    let text = message(RealTime::new(&system, Hht::default(), 1e-3));
    assert!(text.contains("hht iterates") && text.contains("euler-linear-implicit"), "{text}");
    assert!(message(RealTime::new(&system, ExplicitEuler::default(), 0.0)).contains("step must be positive"));
    let settings = EulerSettings::new(Some(Jacobian::Exact), Constraints::Ggl);
    let text = message(RealTime::new(&system, LinearImplicitEuler(settings), 1e-3));
    assert!(text.contains("use J2"), "{text}");
    let settings = EulerSettings::new(None, Constraints::Ggl);
    let text = message(RealTime::new(&system, ExplicitEuler(settings), 1e-3));
    assert!(text.contains("euler-explicit meets constraints as index1, baumgarte1, projection, not as ggl"), "{text}");
    let settings = EulerSettings::new(Some(Jacobian::Symplectic), Constraints::Ggl);
    assert!(message(RealTime::new(&system, LinearImplicitEuler(settings), 1e-3)).contains("or J2"));
    let settings = EulerSettings { projections: 0, projection_matrix: ProjectionMatrix::Start, ..LinearImplicitEuler::default().0 };
    assert!(message(RealTime::new(&system, LinearImplicitEuler(settings), 1e-3)).contains("give 1 to 20"));
    let controlled = Simulation::new(&system).method(LinearImplicitEuler::default()).tolerance(1e-4).run(1.0).unwrap_err();
    assert!(controlled.to_string().contains("give it a fixed step instead of a tolerance"), "{controlled}");
    assert!(LinearImplicitEuler::default().with("jacobian", Parameter::Word("J4")).is_none());
    let mut unknown = pendulum();
    unknown.mark_implicit("sprong");
    assert!(System::new(&unknown).unwrap_err().to_string().contains("marked to be implicit, but is not in the model"));
    let mut driven = pendulum();
    driven.add_input("u", 0.0);
    driven.add_constraint(UserConstraint::expression("c", "DX(bob) - INPUT(u)"));
    assert!(System::new(&driven).unwrap_err().to_string().contains("is an input: it jumps"));
    driven = pendulum();
    driven.add_sensor(Sensor::new("s", "INPUT(nothing)"));
    assert!(System::new(&driven).unwrap_err().to_string().contains("there is no input called nothing"));
}

#[test]
fn a_run_that_blows_up_says_so() {
    let system = System::new(&stiff_double_pendulum()).unwrap();
    let mut run = RealTime::new(&system, ExplicitEuler::default(), 1e-3).unwrap();
    let error = (0..10_000).find_map(|_| run.step(&[], &mut []).err()).unwrap();
    assert!(error.to_string().contains("too fast for steps of 0.001 s"), "{error}");
}

#[test]
fn a_jacobian_or_a_treatment_of_constraints_alone_is_no_mistake() {
    for parameter in
        [("jacobian", "J2"), ("jacobian", "exact"), ("jacobian", "symplectic"), ("constraints", "ggl"), ("constraints", "index1")]
    {
        let method = set(Arc::new(LinearImplicitEuler::default()), &[parameter]);
        assert_eq!(method.mistake(), None, "{parameter:?}");
    }
}

/// A rotor on a shaft that is driven at this speed, rad/s.
fn rotor(speed: f64) -> Model {
    let mut model = Model::new("rotor");
    let rotor = model.add_body(Body::rigid("rotor", 1.0, Inertia::principal(0.1, 0.1, 0.2)).spinning([0.0, 0.0, speed]));
    let (i, j) = (model.add_marker(Marker::on(rotor)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("bearing", Revolute, i, j));
    model
}

#[test]
fn a_body_that_turns_too_far_in_a_step_is_named_with_a_step_that_does() {
    let system = System::new(&rotor(2000.0)).unwrap();
    let error = RealTime::new(&system, LinearImplicitEuler::default(), 1e-3).err().unwrap().to_string();
    assert!(error.contains("body 'rotor' turns by 2.000 rad in one step"), "{error}");
    let mut run = RealTime::new(&system, LinearImplicitEuler::default(), 6e-4).unwrap();
    (0..1000).for_each(|_| run.step(&[], &mut []).unwrap());
    assert!(run.worst_violation().0 < 1e-12);
}
