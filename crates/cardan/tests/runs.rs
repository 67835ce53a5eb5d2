//! Runs as a user makes them: dense output, events, energy, momentum, failures.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/models.rs"]
mod models;

use cardan::forces::Relative;
use cardan::prelude::*;
use models::*;

fn methods() -> Vec<std::sync::Arc<dyn cardan::integrators::Method>> {
    vec![std::sync::Arc::new(Hht::default()), std::sync::Arc::new(GeneralizedAlpha::default())]
}

/// A ball thrown upwards.
fn ball() -> Model {
    let mut model = Model::new("ball");
    model.set_gravity([0.0, 0.0, -9.81]);
    model.add_body(Body::point("ball", 0.7).at([0.0, 0.0, 1.0]).moving([1.0, 0.0, 3.0]));
    model
}

#[test]
fn dense_output_meets_the_interval_and_the_solution() {
    let file = reference("pendulum");
    let system = System::new(&pendulum()).unwrap();
    for method in methods() {
        let simulation = Simulation::new(&system).shared_method(method).tolerance(1e-11).record(Record::Interval(0.5));
        let run = simulation.run(4.0).unwrap();
        assert_eq!(run.samples.len(), 9);
        for (sample, expected) in run.samples.iter().zip(file["states"].as_array().unwrap()) {
            let e = numbers(expected);
            let x = &sample.state;
            assert!(distance(&x.q, &e[2..4]) < 1e-6 && distance(&x.v, &e[4..6]) < 1e-5, "t = {}", x.t);
            assert!(distance(&x.a, &e[6..8]) < 1e-4, "t = {}: {:?}", x.t, x.a);
            // λ of the rod is the force in it: L times the multiplier of x² + y² − L² doubled.
            assert!((x.lambda[0] - 2.0 * e[8]).abs() < 1e-4);
        }
    }
}

#[test]
fn steps_end_at_the_times_to_record() {
    let system = System::new(&pendulum()).unwrap();
    let times = [0.0, 1e-6, 0.1, 0.30000001, 1.0];
    let run = |simulation: Simulation| simulation.record(Record::Times(times.to_vec())).run(1.5).unwrap();
    let fixed = run(Simulation::new(&system).step(0.007));
    let bdf = run(Simulation::new(&system).method(Bdf::default()).tolerance(1e-8));
    let radau = run(Simulation::new(&system).method(Radau).tolerance(1e-10));
    for (results, close) in [(&fixed, 1e-2), (&bdf, 1e-5), (&radau, 1e-8)] {
        assert_eq!(results.times(), [0.0, 1e-6, 0.1, 0.30000001, 1.0, 1.5]);
        for (sample, t) in results.samples.iter().zip(times) {
            let exact = Simulation::new(&system).method(Radau).tolerance(1e-11).record(Record::Ends).run(t.max(1e-12)).unwrap();
            let error = distance(&sample.state.q, &exact.last().unwrap().q);
            assert!(error < close, "t = {t}: {error:e}");
        }
    }
}

#[test]
fn the_record_answers_for_any_time() {
    let file = reference("pendulum");
    let system = System::new(&pendulum()).unwrap();
    let run = Simulation::new(&system).method(GeneralizedAlpha::default()).tolerance(1e-9).run(4.0).unwrap();
    for (t, expected) in numbers(&file["sample_times"]).iter().zip(file["states"].as_array().unwrap()) {
        let (x, e) = (run.at(&system, *t).unwrap(), numbers(expected));
        assert!(distance(&x.q, &e[2..4]) < 3e-5 && distance(&x.v, &e[4..6]) < 3e-4, "t = {t}: {:?}", x.q);
    }
    assert!(run.at(&system, -0.1).is_none() && run.at(&system, 4.1).is_none());
}

#[test]
fn dense_output_follows_rotations() {
    let system = System::new(&free_top(&[1.0, 2.0, 3.0], &[0.5, 1.5, -0.7])).unwrap();
    let run = |h: f64| Simulation::new(&system).method(GeneralizedAlpha::default()).step(h).run(1.0).unwrap();
    let fine = run(1e-4);
    let error = |h: f64| {
        let coarse = run(h);
        let (a, b) = (&coarse.samples[3].state, &coarse.samples[4].state);
        let t = a.t + 0.4 * h;
        let between = cardan::results::interpolate(&system, a, b, t);
        let exact = &fine.samples[(t / 1e-4).round() as usize].state;
        (distance(&between.q, &exact.q), distance(&between.v, &exact.v))
    };
    let ((q0, v0), (q1, v1)) = (error(0.1), error(0.05));
    assert!(q0 / q1 > 3.5 && v0 / v1 > 3.5, "order at least 2: {q0:e} {q1:e} {v0:e} {v1:e}");
}

#[test]
fn events_are_found_at_their_exact_times() {
    let system = System::new(&ball()).unwrap();
    let top = 3.0 / 9.81;
    let landing = (3.0 + (9.0_f64 + 2.0 * 9.81).sqrt()) / 9.81;
    for step in [None, Some(0.037)] {
        for method in methods() {
            let mut simulation = Simulation::new(&system).shared_method(method);
            if let Some(h) = step {
                simulation = simulation.step(h);
            }
            let run = simulation
                .event(Event::new("top", |x| x.v[2]).direction(Direction::Falling))
                .event(Event::new("never", |x| x.v[2] - 1.0).direction(Direction::Rising))
                .event(Event::new("landing", |x| x.q[2]).direction(Direction::Falling).terminal())
                .run(10.0)
                .unwrap();
            let found: Vec<&str> = run.events.iter().map(|e| e.name.as_str()).collect();
            assert_eq!(found, ["top", "landing"]);
            assert!((run.events[0].t - top).abs() < 1e-14, "{:e}", run.events[0].t - top);
            assert!((run.events[1].t - landing).abs() < 1e-14, "{:e}", run.events[1].t - landing);
            assert_eq!(run.last().unwrap().t, run.events[1].t, "a terminal event ends the run");
        }
    }
}

#[test]
fn events_close_together_come_in_order() {
    let system = System::new(&ball()).unwrap();
    // All within one step of 0.2 s; two at the same instant.
    let run = Simulation::new(&system)
        .step(0.2)
        .event(Event::new("third", |x| x.t - 0.13))
        .event(Event::new("first", |x| x.t - 0.11))
        .event(Event::new("second", |x| x.t - 0.12))
        .event(Event::new("also third", |x| 0.13 - x.t))
        .event(Event::new("at the start", |x| x.t))
        .event(Event::new("falling only", |x| x.t - 0.15).direction(Direction::Falling))
        .run(1.0)
        .unwrap();
    let names: Vec<&str> = run.events.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names[..2], ["first", "second"]);
    assert!(names[2..].contains(&"third") && names[2..].contains(&"also third") && names.len() == 4, "{names:?}");
    for (event, t) in run.events.iter().zip([0.11, 0.12, 0.13, 0.13]) {
        assert!((event.t - t).abs() < 1e-14, "{} at {}", event.name, event.t);
    }
    assert_eq!(run.last().unwrap().t, 1.0);
}

#[test]
fn crossing_and_coming_back_within_a_step_is_seen() {
    let system = System::new(&ball()).unwrap();
    // Above 1.4 m for 0.2 s around the top, within one step of 0.5 s.
    let crossings = |direction| {
        let event = Event::new("height", |x| x.q[2] - 1.4).direction(direction);
        let run = Simulation::new(&system).step(0.5).event(event).run(1.0).unwrap();
        run.events.iter().map(|e| e.t).collect::<Vec<_>>()
    };
    let half = (9.0 - 2.0 * 9.81 * 0.4_f64).sqrt() / 9.81;
    let (up, down) = (3.0 / 9.81 - half, 3.0 / 9.81 + half);
    for (direction, expected) in [(Direction::Any, vec![up, down]), (Direction::Rising, vec![up]), (Direction::Falling, vec![down])] {
        let found = crossings(direction);
        assert!(
            found.len() == expected.len() && found.iter().zip(&expected).all(|(f, e)| (f - e).abs() < 1e-13),
            "{direction:?}: {found:?}"
        );
    }
}

#[test]
fn a_bouncing_ball_bounces() {
    let system = System::new(&ball()).unwrap();
    let run = Simulation::new(&system)
        .event(Event::new("bounce", |x| x.q[2]).direction(Direction::Falling).action(|x| x.v[2] = -x.v[2]))
        .run(4.0)
        .unwrap();
    let first = (3.0 + (9.0_f64 + 2.0 * 9.81).sqrt()) / 9.81;
    let period = 2.0 * (9.0_f64 + 2.0 * 9.81).sqrt() / 9.81;
    let count = ((4.0 - first) / period).floor() as usize + 1;
    assert_eq!(run.events.len(), count);
    for (k, event) in run.events.iter().enumerate() {
        assert!((event.t - first - k as f64 * period).abs() < 1e-12, "bounce {k}");
    }
    assert!(run.energy_drift < 1e-11, "{:e}", run.energy_drift);
}

#[test]
fn events_that_accumulate_end_the_run_with_a_message() {
    let system = System::new(&ball()).unwrap();
    // Half the speed after every bounce: infinitely many bounces in finite time.
    let bounce = Event::new("bounce", |x| x.q[2]).direction(Direction::Falling).action(|x| x.v[2] *= -0.5);
    let error = Simulation::new(&system).event(bounce).run(4.0).unwrap_err();
    let first = (3.0 + (9.0_f64 + 2.0 * 9.81).sqrt()) / 9.81;
    let end = first + 2.0 * (9.0_f64 + 2.0 * 9.81).sqrt() / 9.81;
    assert!((error.results().unwrap().last().unwrap().t - end).abs() < 1e-6, "{error}");
    assert!(error.to_string().contains("bounce"), "{error}");
}

#[test]
fn events_that_are_only_recorded_never_end_a_run() {
    let system = System::new(&ball()).unwrap();
    let hover = Event::new("hover", |x| (1e7 * x.t).sin() * 1e-16);
    let run = Simulation::new(&system).event(hover).run(0.5).unwrap();
    assert!((run.last().unwrap().t - 0.5).abs() < 1e-12 && run.events.len() < 10_000, "{} events", run.events.len());
    assert!(run.warnings.iter().any(|w| w.contains("hover")), "{:?}", run.warnings);
}

#[test]
fn events_of_constrained_motion_satisfy_the_constraints() {
    let system = System::new(&pendulum()).unwrap();
    let run = Simulation::new(&system).tolerance(1e-8).event(Event::new("lowest", |x| x.q[0])).run(4.0).unwrap();
    assert!(run.events.len() >= 3);
    let mut work = cardan::system::Work::new(&system);
    for event in &run.events {
        assert!(event.state.q[0].abs() < 1e-15, "{:e}", event.state.q[0]);
        assert!(system.violation(&event.state, &mut work).0 < 1e-13);
    }
    let half_period = run.events[1].t - run.events[0].t;
    assert!((half_period - (run.events[2].t - run.events[1].t)).abs() < 1e-4);
}

#[test]
fn energy_is_kept_without_damping() {
    let system = System::new(&heavy_top()).unwrap();
    let run = Simulation::new(&system).method(GeneralizedAlpha::new(1.0)).formulation(Formulation::Index2).step(1e-4).run(0.2).unwrap();
    let total = run.samples[0].energy.total();
    assert!(run.energy_drift < 1e-5 * total, "{:e} of {total}", run.energy_drift);
}

#[test]
fn free_bodies_keep_their_momentum() {
    let mut model = Model::new("two bodies in space");
    let a = model.add_body(Body::rigid("a", 2.0, Inertia::cuboid(2.0, 0.3, 0.5, 0.7)).spinning([1.0, 2.0, 3.0]));
    let b = model.add_body(Body::rigid("b", 1.0, Inertia::ball(1.0, 0.4)).at([1.0, 0.2, 0.0]).moving([0.0, 1.0, 0.5]));
    let i = model.add_marker(Marker::on(a).at([0.4, 0.0, 0.1]));
    let j = model.add_marker(Marker::on(b).at([-0.6, 0.2, 0.1]));
    model.add_joint(Joint::new("ball joint", Spherical, i, j));
    model.add_force(
        Bushing::new("bushing", i, j).diagonal_stiffness([0.0, 0.0, 0.0, 5.0, 4.0, 3.0]).diagonal_damping([0.0, 0.0, 0.0, 0.1, 0.2, 0.1]),
    );
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).method(GeneralizedAlpha::default()).step(1e-3).run(1.0).unwrap();
    let (first, last) = (&run.samples[0].momentum, &run.samples.last().unwrap().momentum);
    assert!((first.linear - last.linear).norm() < 1e-12);
    assert!((first.angular - last.angular).norm() < 1e-3 * first.angular.norm());
    // The energy lost is the integral of the dissipated power (trapezoidal rule over the samples).
    let lost = run.samples[0].energy.total() - run.samples.last().unwrap().energy.total();
    let dissipated: f64 =
        run.samples.windows(2).map(|w| 0.5 * (w[0].energy.dissipation + w[1].energy.dissipation) * (w[1].state.t - w[0].state.t)).sum();
    assert!(dissipated > 0.01 && (lost / dissipated - 1.0).abs() < 1e-3, "{lost} lost, {dissipated} dissipated");
}

#[test]
fn a_function_that_fails_is_named_and_the_record_is_kept() {
    let mut model = pendulum();
    let bob = model.add_marker(Marker::on(BodyId::GROUND));
    let tip = model.add_marker(Marker::on(bob_of(&model)));
    model.add_force(VectorForce::new("broken wind", tip, bob, |k| {
        cardan::math::dual::DualVec3::new((0.5 - k.time).sqrt(), 0.0.into(), 0.0.into())
    }));
    let system = System::new(&model).unwrap();
    for simulation in [Simulation::new(&system).step(0.01), Simulation::new(&system).tolerance(1e-6)] {
        let error = simulation.run(1.0).unwrap_err();
        let text = error.to_string();
        assert!(text.contains("broken wind") && text.contains("not finite"), "{text}");
        let kept = error.results().unwrap();
        assert!((kept.last().unwrap().t - 0.5).abs() < 0.02, "kept up to {}", kept.last().unwrap().t);
    }
}

fn bob_of(model: &Model) -> BodyId {
    model.markers()[0].body
}

#[test]
fn functions_that_fail_are_named() {
    let mut model = pendulum();
    let (tip, ground) = (model.add_marker(Marker::on(bob_of(&model))), model.add_marker(Marker::on(BodyId::GROUND)));
    let nothing = |_: &Relative| cardan::math::dual::DualVec3::from_element(Dual::constant(0.0).recip());
    model.add_force(VectorForce::new("infinite push", tip, ground, nothing));
    let text = Simulation::new(&System::new(&model).unwrap()).run(1.0).unwrap_err().to_string();
    assert!(text.contains("infinite push"), "{text}");

    let system = System::new(&ball()).unwrap();
    let text = Simulation::new(&system).event(Event::new("root of height", |x| x.q[2].sqrt())).run(2.0).unwrap_err().to_string();
    assert!(text.contains("root of height") && text.contains("not finite"), "{text}");

    let mut model = Model::new("driven");
    let body = model.add_body(Body::rigid("wheel", 1.0, Inertia::ball(1.0, 0.2)));
    let (i, j) = (model.add_marker(Marker::on(body)), model.add_marker(Marker::on(BodyId::GROUND)));
    let hinge = model.add_joint(Joint::new("hinge", Revolute, i, j));
    model.add_constraint(Motion::rotation("bad motor", hinge, TimeFunction::new(|t| (t - 1.0).sqrt())));
    let text = Simulation::new(&System::new(&model).unwrap()).run(1.0).unwrap_err().to_string();
    assert!(text.contains("bad motor"), "{text}");
}

#[test]
fn markers_must_be_finite() {
    let mut model = pendulum();
    model.add_marker(Marker::on(BodyId::GROUND).at([0.0, f64::NAN, 0.0]).named("nowhere"));
    assert!(System::new(&model).unwrap_err().to_string().contains("nowhere"));
}

#[test]
fn senseless_settings_are_refused() {
    let system = System::new(&pendulum()).unwrap();
    let refused = |s: Simulation, t: f64, word: &str| {
        let text = s.run(t).unwrap_err().to_string();
        assert!(text.contains(word), "{text}");
    };
    refused(Simulation::new(&system).method(Hht { alpha: 0.1 }), 1.0, "α");
    refused(Simulation::new(&system).method(Newmark { gamma: 0.5, beta: 0.2 }), 1.0, "β");
    refused(Simulation::new(&system).method(Newmark::new(0.4)), 1.0, "γ");
    refused(Simulation::new(&system).method(GeneralizedAlpha::new(1.2)), 1.0, "ρ");
    refused(Simulation::new(&system).step(0.0), 1.0, "step");
    refused(Simulation::new(&system).tolerance(f64::NAN), 1.0, "tolerance");
    refused(Simulation::new(&system), -1.0, "end time");
    refused(Simulation::new(&system).method(Newmark::default()), 1.0, "damping");
    refused(Simulation::new(&system).options(Options { iterations: Iterations::Fixed(2), ..Options::default() }), 1.0, "Newton");
    refused(Simulation::new(&system).options(Options { threads: 0, ..Options::default() }), 1.0, "threads");
}
