//! Friction: creeping, sliding, rolling, against closed forms.

use super::{contact, part};
use cardan::contact::{Contact, Cuboid, Friction, HalfSpace, NormalLaw, Sphere};
use cardan::prelude::*;

pub const G: f64 = 9.81;

/// A box of 1 kg that rests on a plane with this slope, gravity turned instead of the plane.
pub fn incline(angle: f64, friction: Friction, speed: f64) -> System {
    let mut model = Model::new("incline");
    model.set_gravity([G * angle.sin(), 0.0, -G * angle.cos()]);
    let (stiffness, size) = (1e6, Vec3::new(0.4, 0.3, 0.02));
    // Four corners carry it, as deep as it sinks in.
    let depth = G * angle.cos() / 4.0 / stiffness;
    let start = Body::rigid("block", 1.0, Inertia::cuboid(1.0, size.x, size.y, size.z))
        .at([0.0, 0.0, 0.5 * size.z - depth])
        .moving([speed, 0.0, 0.0]);
    let block = model.add_body(start);
    let law = NormalLaw::elastic(stiffness, 1.0).restitution(0.1, 0.1);
    let plane = contact(&mut model, (block, Cuboid { size }.into()), (BodyId::GROUND, HalfSpace.into()), law).friction(friction);
    model.add_force(plane);
    System::new(&model).unwrap()
}

#[test]
fn a_block_on_a_gentle_slope_creeps_as_its_friction_says() {
    for (friction, factor) in [(Friction::coulomb(0.3, 1e-3), 0.674231705554), (Friction::stepped(0.3, 0.2, 1e-3, 2e-3), 0.415800288972)] {
        let system = incline(10f64.to_radians(), friction, 0.0);
        for (tolerance, bar) in [(None, 1e-3), (Some(1e-9), 1e-6)] {
            let simulation = Simulation::new(&system);
            let simulation = if let Some(tolerance) = tolerance { simulation.tolerance(tolerance) } else { simulation };
            let results = simulation.run(2.0).unwrap();
            let speed = results.samples.last().unwrap().state.v[0];
            assert!((speed - factor * 1e-3).abs() < bar * 1e-3, "{friction:?} at {tolerance:?}: {speed}");
        }
    }
}

#[test]
fn a_block_on_a_steep_slope_accelerates() {
    let system = incline(30f64.to_radians(), Friction::coulomb(0.3, 1e-6), 0.0);
    let results = Simulation::new(&system).tolerance(1e-8).run(1.0).unwrap();
    let x = results.samples.last().unwrap().state.q[0];
    assert!((x - 1.178143618331).abs() < 2e-5, "{x}");
}

#[test]
fn a_sliding_box_comes_to_rest() {
    let system = incline(0.0, Friction::coulomb(0.5, 1e-5), 5.0);
    let results = Simulation::new(&system).tolerance(1e-7).run(1.2).unwrap();
    let x = results.samples.last().unwrap().state.q[0];
    assert!((x - 2.548419979613).abs() < 1e-4, "{x}");
}

/// With μ = 0.2 and 1 m/s a ball rolls after 2 v/(7 μ g), with 5/7 of its speed.
#[test]
fn a_sliding_ball_begins_to_roll() {
    let (radius, mass, stiffness) = (0.1, 1.0, 1e7);
    let mut model = Model::new("bowling");
    model.set_gravity([0.0, 0.0, -G]);
    let start =
        Body::rigid("ball", mass, Inertia::ball(mass, radius)).at([0.0, 0.0, radius - mass * G / stiffness]).moving([1.0, 0.0, 0.0]);
    let ball = model.add_body(start);
    let (i, j) = (part(&mut model, ball, Sphere { radius }), part(&mut model, BodyId::GROUND, HalfSpace));
    let lane = Contact::new("lane", vec![i], vec![j], NormalLaw::elastic(stiffness, 1.0)).friction(Friction::coulomb(0.2, 1e-5));
    model.add_force(lane);
    let system = System::new(&model).unwrap();
    let results = Simulation::new(&system).tolerance(1e-8).run(0.5).unwrap();
    let end = results.samples.last().unwrap();
    let rolling = 0.124820570430 + 5.0 / 7.0 * (0.5 - 0.145623998835);
    assert!((end.state.v[0] - 5.0 / 7.0).abs() < 1e-5, "{}", end.state.v[0]);
    assert!((end.state.q[0] - rolling).abs() < 1e-5, "{} {rolling}", end.state.q[0]);
}

/// Of a box that slides, then rests on its four corners.
#[test]
fn channels_tell_depth_slip_and_where_the_force_is() {
    let system = incline(0.0, Friction::coulomb(0.5, 1e-4), 1.0);
    let results = Simulation::new(&system).tolerance(1e-7).run(0.4).unwrap();
    let channel = |name: &str| results.channel(&system, &format!("contact.{name}")).unwrap();
    let near = |name: &str, first: f64, last: f64, bar: f64| {
        let values = channel(name);
        let (a, b) = (values[0], values[values.len() - 1]);
        assert!((a - first).abs() < bar && (b - last).abs() < bar, "{name}: {a} and {b}, not {first} and {last}");
    };
    near("depth", G / 4e6, G / 4e6, 1e-7);
    near("touching", 4.0, 4.0, 0.1);
    near("sticking", 0.0, 4.0, 0.1);
    near("slip", 1.0, 0.0, 1e-4);
    near("normal", G, G, 0.02);
    near("friction", 0.5 * G, 0.0, 0.02);
    let end = results.samples.last().unwrap().state.q[0];
    near("point.x", 0.0, end, 1e-3);
    near("point.y", 0.0, 0.0, 1e-6);
}
