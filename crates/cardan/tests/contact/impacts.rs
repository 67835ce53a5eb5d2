//! Impacts: what comes out of them, against formulas and independent integrations.

use super::{contact, part};
use cardan::contact::{Contact, HalfSpace, Material, NormalLaw, Sphere};
use cardan::prelude::*;

/// How closely a run is asked for, and how close it has to be.
const SETTINGS: [(Option<f64>, f64); 2] = [(None, 1e-3), (Some(1e-10), 1e-6)];

fn simulation(system: &System, tolerance: Option<f64>) -> Simulation<'_> {
    let simulation = Simulation::new(system);
    match tolerance {
        Some(tolerance) => simulation.tolerance(tolerance),
        None => simulation,
    }
}

/// A ball over a floor, its lowest point at this height.
fn drop(height: f64, speed: f64, law: NormalLaw, radius: f64, mass: f64, gravity: f64) -> System {
    let mut model = Model::new("drop");
    model.set_gravity([0.0, 0.0, -gravity]);
    let start = Body::rigid("ball", mass, Inertia::ball(mass, radius)).at([0.0, 0.0, radius + height]).moving([0.0, 0.0, -speed]);
    let ball = model.add_body(start);
    let floor = contact(&mut model, (ball, Sphere { radius }.into()), (BodyId::GROUND, HalfSpace.into()), law);
    model.add_force(floor);
    model.add_event(ModelEvent::new("deepest", "VZ(ball)"));
    System::new(&model).unwrap()
}

/// The speed with which a ball that is off the floor again left it, by its energy.
fn rebound(results: &Results, mass: f64, radius: f64, gravity: f64) -> f64 {
    let last = results.samples.last().unwrap();
    let height = last.state.q[2] - radius;
    assert!(height > 0.0, "still in contact at {height}");
    (2.0 * last.energy.kinetic / mass + 2.0 * gravity * height).sqrt()
}

#[test]
fn balls_dropped_from_a_metre_rebound_as_computed_independently() {
    let arrival = (2.0_f64 * 9.81).sqrt();
    let cases = [
        ("IMPACT with exponent 2.2", NormalLaw::impact(1e5 * 1e3_f64.powf(2.2), 2.2, 1e4, 1e-4), 0.1551956303),
        ("IMPACT with exponent 1.5", NormalLaw::impact(1e8, 1.5, 1e3, 1e-4), 0.4938670835),
        ("linear with stepped damping", NormalLaw::impact(1e6, 1.0, 300.0, 1e-4), 0.65099747),
        ("Hunt and Crossley", NormalLaw::elastic(1e8, 1.5).restitution(0.8, arrival), 0.79948376),
        ("linear", NormalLaw::elastic(1e6, 1.0), 1.0),
    ];
    for (name, law, reference) in cases {
        for (tolerance, bar) in SETTINGS {
            let system = drop(1.0, 0.0, law.clone(), 0.05, 1.0, 9.81);
            let results = simulation(&system, tolerance).record(Record::Interval(1e-2)).run(0.51).unwrap();
            let got = rebound(&results, 1.0, 0.05, 9.81) / arrival;
            assert!((got - reference).abs() < bar, "{name} at {tolerance:?}: {got}, not {reference}");
        }
    }
}

#[test]
fn restitution_is_what_was_asked_for() {
    for exponent in [1.0, 1.5] {
        for asked in [0.1, 0.3, 0.5, 0.7, 0.8, 0.9] {
            for (tolerance, bar) in SETTINGS {
                let law = NormalLaw::elastic(1e8, exponent).restitution(asked, 1.0);
                let system = drop(0.01, 1.0, law, 0.05, 1.0, 0.0);
                let results = simulation(&system, tolerance).record(Record::Interval(5e-2)).run(0.2).unwrap();
                let got = rebound(&results, 1.0, 0.05, 0.0);
                assert!((got - asked).abs() < bar, "exponent {exponent}, {asked} at {tolerance:?}: {got}");
            }
        }
    }
}

/// Duration, depth and peak force of Hertz' theory.
#[test]
fn a_steel_ball_on_steel_is_that_of_hertz() {
    let steel = Material::elastic(210e9, 0.3);
    let (radius, mass) = (10e-3, 0.03288200311);
    let law = NormalLaw::hertz([steel; 2], 1.0 / radius);
    let system = drop(1e-3, 1.0, law.clone(), radius, mass, 0.0);
    for (tolerance, bar) in [(None, 1e-3), (Some(1e-11), 1e-6)] {
        let results = simulation(&system, tolerance).record(Record::Interval(1e-4)).run(2e-3).unwrap();
        let deepest = results.events.iter().find(|e| e.name == "deepest").unwrap();
        let depth = radius - deepest.state.q[2];
        let duration = 2.0 * (deepest.t - 1e-3);
        assert!((depth / 2.34807872873e-5 - 1.0).abs() < bar, "{tolerance:?}: depth {depth}");
        assert!((duration / 6.91104185312e-5 - 1.0).abs() < bar, "{tolerance:?}: duration {duration}");
        assert!((1.53846153846e10 * depth.powf(1.5) / 1750.4738398 - 1.0).abs() < bar, "{tolerance:?}");
        assert!((rebound(&results, mass, radius, 0.0) - 1.0).abs() < bar, "{tolerance:?}");
    }
}

/// Equal balls in a row that touch, the first with speed 1: what they end with does not depend on size, mass or stiffness.
#[test]
fn touching_balls_pass_on_their_momentum() {
    let known = [vec![-0.070952354, 0.076403039, 0.994549315], vec![-0.071085017, -0.030273764, -0.014463629, 0.127044986, 0.988777424]];
    for expected in known {
        let mut model = Model::new("row");
        let mut parts = Vec::new();
        for k in 0..expected.len() {
            let name = format!("ball{k}");
            let body = Body::rigid(&name, 0.5, Inertia::ball(0.5, 0.1)).at([0.2 * k as f64, 0.0, 0.0]);
            let body = model.add_body(if k == 0 { body.moving([1.0, 0.0, 0.0]) } else { body });
            parts.push(part(&mut model, body, Sphere { radius: 0.1 }));
        }
        model.add_force(Contact::among("balls", parts, NormalLaw::elastic(1e7, 1.5)));
        let system = System::new(&model).unwrap();
        for (tolerance, bar) in [(None, 1e-3), (Some(1e-11), 1e-7)] {
            let results = simulation(&system, tolerance).run(0.05).unwrap();
            let end = results.samples.last().unwrap();
            for (k, v) in expected.iter().enumerate() {
                let got = end.state.v[6 * k];
                assert!((got - v).abs() < bar, "{} balls at {tolerance:?}, ball {k}: {got}, not {v}", expected.len());
            }
        }
    }
}

/// Whatever the speed with which a ball comes, it leaves with the part that was asked for.
#[test]
fn restitution_holds_for_every_speed() {
    for asked in [0.1, 0.3, 0.5, 0.7, 0.9] {
        for speed in [0.01, 0.1, 1.0, 10.0] {
            for (tolerance, bar) in SETTINGS {
                let law = NormalLaw::elastic(1e8, 1.5).restitution_at_every_speed(asked);
                let system = drop(0.01 * speed, speed, law, 0.05, 1.0, 0.0);
                let results = simulation(&system, tolerance).record(Record::Interval(5e-2)).run(0.2).unwrap();
                let got = rebound(&results, 1.0, 0.05, 0.0) / speed;
                assert!((got - asked).abs() < bar, "{asked} at {speed} m/s and {tolerance:?}: {got}");
            }
        }
    }
}

/// After n bounces rⁿ of the speed is left, however much it slows down.
#[test]
fn bounces_follow_each_other_with_powers_of_the_restitution() {
    let (asked, bounces): (f64, i32) = (0.6, 7);
    let law = NormalLaw::elastic(1e9, 1.5).restitution_at_every_speed(asked);
    for (tolerance, bar) in [(None, 4e-3), (Some(1e-10), 2e-5)] {
        // Between two walls, without gravity: each bounce is one at another speed.
        let mut model = Model::new("between walls");
        let (radius, room) = (0.05, 0.02);
        let start = Body::rigid("ball", 1.0, Inertia::ball(1.0, radius)).at([0.0, 0.0, radius + 0.5 * room]).moving([0.0, 0.0, -1.0]);
        let ball = model.add_body(start);
        let own = part(&mut model, ball, Sphere { radius });
        let floor = part(&mut model, BodyId::GROUND, HalfSpace);
        let top = Marker::on(BodyId::GROUND).at([0.0, 0.0, 2.0 * radius + room]).z_along([0.0, 0.0, -1.0]);
        let ceiling = cardan::contact::Part { marker: model.add_marker(top), shape: HalfSpace.into() };
        model.add_force(Contact::new("walls", vec![own], vec![floor, ceiling], law.clone()));
        let system = System::new(&model).unwrap();
        let end = 0.5 * room + (1..bounces).map(|k| room / asked.powi(k)).sum::<f64>() + 0.5 * room / asked.powi(bounces);
        let results = simulation(&system, tolerance).run(end).unwrap();
        let got = results.samples.last().unwrap().state.v[2].abs();
        assert!((got / asked.powi(bounces) - 1.0).abs() < bar, "{tolerance:?}: {got}, not {}", asked.powi(bounces));
    }
}
