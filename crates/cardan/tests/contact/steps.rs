//! How steps go through impacts, with methods of every order at coarse tolerances.

use super::{contact, part};
use cardan::contact::{Contact, Cuboid, Friction, HalfSpace, Location, NormalLaw, Sphere};
use cardan::integrators::{Method, all};
use cardan::prelude::*;
use std::sync::Arc;

const RADIUS: f64 = 0.05;
const RESTITUTION: f64 = 0.8;

/// A ball that flies at a floor with 1 m/s, and loses a fifth of its speed there.
fn strike(location: Location) -> System {
    let mut model = Model::new("strike");
    let start = Body::rigid("ball", 1.0, Inertia::ball(1.0, RADIUS)).at([0.0, 0.0, RADIUS + 0.01]).moving([0.0, 0.0, -1.0]);
    let ball = model.add_body(start);
    let law = NormalLaw::elastic(1e8, 1.5).restitution(RESTITUTION, 1.0);
    let floor = contact(&mut model, (ball, Sphere { radius: RADIUS }.into()), (BodyId::GROUND, HalfSpace.into()), law);
    model.add_force(floor.located(location));
    System::new(&model).unwrap()
}

fn adaptive() -> Vec<Arc<dyn Method>> {
    all().into_iter().filter(|m| m.adaptive()).collect()
}

/// The speed after the strike, and how the run went.
fn after(system: &System, method: Arc<dyn Method>, tolerance: f64, steps: Option<f64>) -> (f64, Results) {
    let simulation = Simulation::new(system).shared_method(method).tolerance(tolerance).record(Record::Ends);
    let simulation = match steps {
        Some(steps) => simulation.contact_steps(steps),
        None => simulation,
    };
    let results = simulation.run(0.03).unwrap();
    (results.last().unwrap().v[2], results)
}

#[test]
fn every_method_returns_the_speed_that_was_asked_for_at_its_defaults() {
    for location in [Location::OfFew, Location::Never] {
        let system = strike(location);
        for method in adaptive() {
            let (got, results) = after(&system, method.clone(), 1e-5, None);
            assert!((got - RESTITUTION).abs() < 1e-3, "{} with {location:?}: {got}", method.name());
            assert_eq!(results.statistics.contacts, 1, "{} with {location:?}", method.name());
        }
    }
}

#[test]
fn a_coarse_tolerance_does_not_lose_an_impact() {
    for location in [Location::OfFew, Location::Never] {
        let system = strike(location);
        for method in adaptive() {
            let (got, _) = after(&system, method.clone(), 1e-3, None);
            assert!((got - RESTITUTION).abs() < 4e-3, "{} with {location:?}: {got}", method.name());
        }
    }
}

#[test]
fn more_steps_in_an_impact_make_it_more_exact() {
    let system = strike(Location::OfFew);
    let methods: [Arc<dyn Method>; 2] = [Arc::new(Newmark::default()), Arc::new(GeneralizedAlpha::default())];
    for method in methods {
        let error = |steps: f64| (after(&system, method.clone(), 1e-2, Some(steps)).0 - RESTITUTION).abs();
        let errors = [error(10.0), error(40.0), error(160.0)];
        assert!(errors[1] < 0.2 * errors[0] && errors[2] < 0.2 * errors[1], "{}: {errors:?}", method.name());
    }
}

/// What rests takes long steps: its contact swings no more.
#[test]
fn what_rests_does_not_shorten_steps() {
    let mut model = Model::new("rest");
    model.set_gravity([0.0, 0.0, -9.81]);
    let ball = model.add_body(Body::rigid("ball", 1.0, Inertia::ball(1.0, RADIUS)).at([0.0, 0.0, RADIUS]));
    let law = NormalLaw::elastic(1e6, 1.0).restitution(0.3, 0.01);
    let floor = contact(&mut model, (ball, Sphere { radius: RADIUS }.into()), (BodyId::GROUND, HalfSpace.into()), law);
    model.add_force(floor);
    let system = System::new(&model).unwrap();
    let results = Simulation::new(&system).method(Hht::default()).record(Record::Ends).run(100.0).unwrap();
    assert!((results.last().unwrap().q[2] - RADIUS + 9.81e-6).abs() < 1e-9);
    assert!(results.statistics.steps < 5000, "{:?}", results.statistics);
}

/// Many small impacts beside a large motion are left to error control.
#[test]
fn rattling_beside_a_large_motion_does_not_shorten_steps() {
    let mut model = Model::new("rattle");
    model.set_gravity([0.0, 0.0, -9.81]);
    model.add_body(Body::rigid("train", 1e5, Inertia::ball(1e5, 1.0)).moving([20.0, 0.0, 0.0]));
    let floor = part(&mut model, BodyId::GROUND, HalfSpace);
    let balls: Vec<_> = (0..30)
        .map(|k| {
            let body =
                Body::rigid(&format!("ball{k}"), 0.01, Inertia::ball(0.01, 5e-3)).at([0.02 * k as f64, 0.0, 5.2e-3 + 1e-5 * k as f64]);
            let body = model.add_body(body);
            part(&mut model, body, Sphere { radius: 5e-3 })
        })
        .collect();
    model.add_force(Contact::new("floor", balls, vec![floor], NormalLaw::elastic(1e6, 1.5).restitution(0.5, 0.1)));
    let system = System::new(&model).unwrap();
    let results = Simulation::new(&system).method(Hht::default()).record(Record::Ends).run(0.1).unwrap();
    assert_eq!((results.statistics.capped, results.statistics.rejected_by_contacts), (0, 0));
    assert!(results.statistics.contacts >= 30, "{:?}", results.statistics);
}

/// Ten blocks in a row on a floor, joined by springs; the last one is pulled to and fro, so that each sticks and slides.
fn row() -> System {
    let mut model = Model::new("row");
    model.set_gravity([0.0, 0.0, -9.81]);
    let edge = 0.1;
    let side = 0.01;
    let (mut blocks, mut last) = (Vec::new(), model.add_marker(Marker::on(BodyId::GROUND)));
    for k in 1..=10 {
        let body =
            Body::rigid(&format!("block{k}"), 1.0, Inertia::principal(side, side, side)).at([0.2 * f64::from(k), 0.0, 0.5 * edge - 1e-6]);
        let body = model.add_body(body);
        blocks.push(part(&mut model, body, Cuboid { size: Vec3::repeat(edge) }));
        let own = model.add_marker(Marker::on(body));
        model.add_force(SpringDamper::new(&format!("spring{k}"), own, last).stiffness(200.0).damping(0.1));
        last = own;
    }
    let ground = model.add_marker(Marker::on(BodyId::GROUND));
    let pull = ["20*SIN(6*TIME) + 8*SIN(37*TIME)", "0", "0"];
    model.add_force(ExpressionForce::vector("pull", last, ground, ground, pull));
    let floor = part(&mut model, BodyId::GROUND, HalfSpace);
    let law = NormalLaw::impact(1e6, 1.5, 100.0, 1e-4);
    model.add_force(Contact::new("floor", blocks, vec![floor], law).friction(Friction::coulomb(0.5, 1e-4)));
    System::new(&model).unwrap()
}

#[test]
fn friction_that_flips_does_not_keep_newtons_method_from_its_end() {
    let system = row();
    let run = Simulation::new(&system).method(Hht::default()).tolerance(1e-4).norm(Norm::Paper).record(Record::Ends).run(1.0).unwrap();
    let of_a_step = run.statistics.newton_iterations as f64 / run.statistics.steps as f64;
    // Corrections between both directions of sliding take the same many times, where they are not shortened.
    assert!(of_a_step < 20.0, "{of_a_step} iterations a step");
}

#[test]
fn what_rests_is_no_impact() {
    let mut model = Model::new("rest");
    model.set_gravity([0.0, 0.0, -9.81]);
    // k δ = m g.
    let ball = model.add_body(Body::rigid("ball", 1.0, Inertia::ball(1.0, RADIUS)).at([0.0, 0.0, RADIUS - 9.81e-4 + 1e-9]));
    let law = NormalLaw::elastic(1e4, 1.0);
    let floor = contact(&mut model, (ball, Sphere { radius: RADIUS }.into()), (BodyId::GROUND, HalfSpace.into()), law);
    model.add_force(floor);
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).method(Hht::default()).tolerance(1e-5).run(1.0).unwrap();
    assert_eq!(run.statistics.capped, 0, "steps are held to the duration of an impact");
}
