//! Large models that move violently in a small part: the Jacobian is renewed there, and the rest is left as it is.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::integrators::{Options, Statistics};
use cardan::prelude::*;

/// A straight chain whose hinges have two directions by turns, held at one link by a wall, where the weight of the others pulls.
fn chain(links: usize, wall_at: usize) -> Model {
    let mut model = Model::new("chain");
    model.set_gravity([0.0, 0.0, -9.81]);
    let axis = |k: usize| if k.is_multiple_of(2) { [0.0, 1.0, 0.0] } else { [0.0, 1.0, 1.0] };
    let link =
        |k: usize| Body::rigid(&format!("link {k}"), 0.1, Inertia::cuboid(0.1, 0.1, 0.02, 0.02)).at([0.1 * k as f64 + 0.05, 0.0, 0.0]);
    let bodies: Vec<BodyId> = (0..links).map(|k| model.add_body(link(k))).collect();
    let mut hinge = |name: String, one: Marker, other: Marker, axis: [f64; 3]| {
        let (i, j) = (model.add_marker(one.z_along(axis)), model.add_marker(other.z_along(axis)));
        model.add_joint(Joint::new(&name, Revolute, i, j));
    };
    for k in 1..links {
        let (i, j) = (Marker::on(bodies[k]).at([-0.05, 0.0, 0.0]), Marker::on(bodies[k - 1]).at([0.05, 0.0, 0.0]));
        hinge(format!("hinge {k}"), i, j, axis(k));
    }
    let place = [0.1 * wall_at as f64, 0.0, 0.0];
    hinge("wall".into(), Marker::on(bodies[wall_at]).at([-0.05, 0.0, 0.0]), Marker::on(BodyId::GROUND).at(place), axis(0));
    model
}

fn run(system: &System, newton_tolerance: f64) -> (State, Statistics) {
    let options = Options { newton_tolerance, ..Options::default() };
    let simulation = Simulation::new(system).method(GeneralizedAlpha::default()).options(options).step(1e-3).record(Record::Ends);
    let run = simulation.run(0.1).unwrap();
    (run.last().unwrap().clone(), run.statistics)
}

/// A chain with a force between two of its first links that follows their filtered distance.
fn driven(links: usize) -> Model {
    let mut model = chain(links, 0);
    let [first, second] = [1, 6].map(|k| {
        // Hinge k has its first marker on link k.
        let body = model.markers()[2 * (k - 1)].body;
        model.add_marker(Marker::on(body).named(&format!("m{k}")))
    });
    model.add_state(Differential::new("filter", "50*(DM(m1, m6) - DIF(filter))", 0.5));
    model.add_force(ExpressionForce::single("pull", first, second, Line::Between, "5*DIF(filter) - 2*DM(m1, m6)"));
    model
}

#[test]
fn expressions_and_states_may_be_in_a_violent_part() {
    let system = System::new(&driven(600)).unwrap();
    let (x, Statistics { steps, jacobians, .. }) = run(&system, Options::default().newton_tolerance);
    assert!(jacobians as f64 <= 0.15 * steps as f64, "{jacobians} Jacobians in {steps} steps");
    let (exact, _) = run(&system, 1e-12);
    let error = x.q.iter().zip(&exact.q).chain(x.x.iter().zip(&exact.x)).fold(0.0, |error: f64, (a, b)| error.max((a - b).abs()));
    assert!(error < 1e-8, "{error:e}");
}

#[test]
fn violent_parts_do_not_make_work_for_the_rest() {
    // The wall in the middle asks for another order of elimination than its end.
    for wall_at in [0, 300] {
        let system = System::new(&chain(600, wall_at)).unwrap();
        let (x, statistics) = run(&system, Options::default().newton_tolerance);
        let Statistics { steps, newton_iterations, jacobians, .. } = statistics;
        assert!(newton_iterations as f64 <= 1.6 * steps as f64, "{newton_iterations} iterations in {steps} steps");
        assert!(jacobians as f64 <= 0.15 * steps as f64, "{jacobians} Jacobians in {steps} steps");
        let (exact, _) = run(&system, 1e-12);
        let error = x.q.iter().zip(&exact.q).fold(0.0, |error: f64, (a, b)| error.max((a - b).abs()));
        assert!(error < 1e-8, "{error:e}");
    }
}
