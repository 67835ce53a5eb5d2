//! Friction that sticks, and resistance to rolling and spinning, against closed forms.

use super::{contact, part};
use super::sliding::{G, incline};
use cardan::contact::{Contact, Cuboid, Friction, HalfSpace, NormalLaw, Resistance, Sphere};
use cardan::prelude::*;

/// Bristles that give way at a micrometre.
fn bristles(fixed: f64, moving: f64) -> Friction {
    Friction::coulomb(moving, 1e-3).with_static(fixed).with_bristles(1e-6, 1e-3)
}

#[test]
fn a_block_with_bristles_rests_on_a_gentle_slope() {
    let system = incline(10f64.to_radians(), bristles(0.3, 0.3), 0.0);
    let results = Simulation::new(&system).record(Record::Interval(1.0)).run(100.0).unwrap();
    let place = |k: usize| results.samples[k].state.q[0];
    let last = results.samples.len() - 1;
    assert!(results.samples[last].state.t == 100.0 && place(1) > 0.0 && place(1) < 1e-6, "it gives way by {}", place(1));
    let crept = (1..=last).map(|k| (place(k) - place(1)).abs()).fold(0.0, f64::max);
    assert!(crept < 1e-9, "{crept:e}");
}

#[test]
fn a_block_with_bristles_slides_down_a_steep_slope() {
    let system = incline(30f64.to_radians(), bristles(0.3, 0.3), 0.0);
    let results = Simulation::new(&system).tolerance(1e-8).record(Record::Interval(0.5)).run(1.0).unwrap();
    let v = |k: usize| results.samples[k].state.v[0];
    // It begins to slide when its bristles give way, within a millisecond.
    assert!((v(2) - v(1) - 0.5 * 2.356287236662).abs() < 1e-6, "{} {}", v(1), v(2));
    assert!((v(2) - 2.356287236662).abs() < 2e-3, "{}", v(2));
}

/// It slides until v²/(2 (μ g cos α − g sin α)) and sticks there, with static friction that is larger.
#[test]
fn a_block_that_slides_comes_to_stick() {
    let (angle, mu) = (10f64.to_radians(), 0.3);
    let system = incline(angle, bristles(0.35, mu), 1.0);
    let slowing = G * (mu * angle.cos() - angle.sin());
    let results = Simulation::new(&system).tolerance(1e-8).record(Record::Interval(0.5)).run(10.0).unwrap();
    let place = |k: usize| results.samples[k].state.q[0];
    let last = results.samples.len() - 1;
    assert!((place(last) - 0.5 / slowing).abs() < 1e-4, "{} {}", place(last), 0.5 / slowing);
    let (stopped, crept) = (3, (4..=last).map(|k| (place(k) - place(3)).abs()).fold(0.0, f64::max));
    assert!(results.samples[stopped].state.t > 1.0 / slowing && crept < 1e-9, "{crept:e}");
}

/// A ball that lies on the floor, or moves over it.
fn ball(speed: f64, spin: [f64; 3], resistance: Resistance) -> System {
    let (radius, mass, stiffness) = (0.1, 1.0, 1e8);
    let mut model = Model::new("ball");
    model.set_gravity([0.0, 0.0, -G]);
    let start = Body::rigid("ball", mass, Inertia::ball(mass, radius)).at([0.0, 0.0, radius - mass * G / stiffness]);
    let body = model.add_body(start.moving([speed, 0.0, 0.0]).spinning(spin));
    let (i, j) = (part(&mut model, body, Sphere { radius }), part(&mut model, BodyId::GROUND, HalfSpace));
    let floor = Contact::new("floor", vec![i], vec![j], NormalLaw::elastic(stiffness, 1.0));
    model.add_force(floor.friction(Friction::coulomb(0.5, 1e-5)).resistance(resistance));
    System::new(&model).unwrap()
}

/// (7/5) m v̇ = −a m g/r.
#[test]
fn a_rolling_ball_is_stopped_by_rolling_resistance() {
    let (lever, speed, radius) = (2e-3, 1.0, 0.1);
    let system = ball(speed, [0.0, speed / radius, 0.0], Resistance { rolling: lever, spinning: 0.0, transition: 1e-4 });
    let slowing = 5.0 / 7.0 * lever * G / radius;
    let results = Simulation::new(&system).tolerance(1e-8).record(Record::Interval(0.5)).run(8.0).unwrap();
    for sample in &results.samples {
        let t = sample.state.t.min(speed / slowing);
        let expected = speed * t - 0.5 * slowing * t * t;
        assert!((sample.state.q[0] - expected).abs() < 1e-4 * (1.0 + expected), "{t}: {} {expected}", sample.state.q[0]);
    }
    assert!(results.samples.last().unwrap().state.v[0].abs() < 1e-4);
}

/// (2/5) m r² ω̇ = −b m g.
#[test]
fn a_spinning_ball_is_stopped_by_spinning_resistance() {
    let (lever, spin, radius) = (5e-4, 20.0, 0.1);
    let system = ball(0.0, [0.0, 0.0, spin], Resistance { rolling: 1e-3, spinning: lever, transition: 1e-3 });
    let slowing = 2.5 * lever * G / (radius * radius);
    let results = Simulation::new(&system).tolerance(1e-8).record(Record::Interval(1.0)).run(20.0).unwrap();
    for sample in &results.samples {
        let expected = (spin - slowing * sample.state.t).max(0.0);
        let got = sample.state.v[5];
        assert!((got - expected).abs() < 2e-3 && sample.state.v[0].abs() < 1e-6, "{}: {got} {expected}", sample.state.t);
    }
}

/// Bristles straighten when a block is lifted off, and do nothing there.
#[test]
fn bristles_that_touch_nothing_straighten() {
    let mut model = Model::new("hop");
    model.set_gravity([0.0, 0.0, 0.0]);
    let start = Body::rigid("ball", 1.0, Inertia::ball(1.0, 0.1)).at([0.0, 0.0, 0.1]).moving([4.0, 0.0, -1.0]);
    let body = model.add_body(start);
    let (i, j) = (part(&mut model, body, Sphere { radius: 0.1 }), part(&mut model, BodyId::GROUND, HalfSpace));
    let law = NormalLaw::elastic(1e7, 1.5).restitution_at_every_speed(0.9);
    model.add_force(Contact::new("floor", vec![i], vec![j], law).friction(bristles(0.4, 0.3)));
    let system = System::new(&model).unwrap();
    let results = Simulation::new(&system).record(Record::Interval(1e-4)).run(0.1).unwrap();
    let most = results.samples.iter().map(|s| s.state.x[0].abs()).fold(0.0, f64::max);
    let end = results.samples.last().unwrap();
    assert!(most > 0.29 && most < 0.41, "bent to {most}");
    assert!(end.state.q[2] > 0.1 && end.state.x.iter().all(|x| x.abs() < 1e-6), "{:?}", end.state.x);
    // An impact with sliding takes μ times the momentum.
    assert!((end.state.v[0] - (4.0 - 0.3 * 1.9)).abs() < 2e-3, "{}", end.state.v[0]);
}

/// Its gap is exactly zero, and stays it by round-off until it has moved by more than that.
#[test]
fn a_box_that_begins_exactly_on_the_floor_does_not_stay_there() {
    let mut model = Model::new("begin");
    model.set_gravity([4.365369541692819, 0.0, -8.785194862065419]);
    let size = Vec3::new(0.5361987487323691, 0.35746583248824604, 0.35746583248824604);
    let mass = 42.77557123852194;
    let body = Body::rigid("block", mass, Inertia::cuboid(mass, size.x, size.y, size.z)).at([0.0, 0.0, 0.5 * size.z]).moving([0.57, 0.0, 0.0]);
    let block = model.add_body(body);
    let law = NormalLaw::elastic(414857369.3464564, 1.0);
    let floor = contact(&mut model, (block, Cuboid { size }.into()), (BodyId::GROUND, HalfSpace.into()), law);
    model.add_force(floor.friction(Friction::coulomb(0.29, 2.4e-3).with_bristles(6e-5, 2.5e-4)));
    let system = System::new(&model).unwrap();
    let results = Simulation::new(&system).method(Radau).tolerance(1e-5).run(2e-4).unwrap();
    assert!(results.statistics.steps < 300, "{} steps", results.statistics.steps);
    assert!(results.samples.last().unwrap().state.q[2] < 0.5 * size.z - 1e-8);
}
