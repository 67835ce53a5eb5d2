//! Toys whose motion is known from elsewhere.

use super::part;
use cardan::contact::{Contact, Friction, HalfSpace, NormalLaw, Sphere};
use cardan::prelude::*;

const G: f64 = 9.81;

/// The top of Exudyn's example `tippeTop`: spheres of 0.2 and 0.04 m, their middles 0.04 and 0.28 m above the centre of mass, the inertia of a box.
fn tippe_top() -> System {
    let (mass, stiffness) = (0.01, 1e3);
    let mut model = Model::new("tippe top");
    model.set_gravity([0.0, 0.0, -G]);
    let inertia = Inertia::cuboid(mass, 0.4, 0.4, 0.48);
    let start = Body::rigid("top", mass, inertia).at([0.0, 0.0, 0.16 - mass * G / stiffness]).spinning([0.0, 0.4, 200.0]);
    let top = model.add_body(start);
    let surface = |model: &mut Model, radius: f64, height: f64| cardan::contact::Part {
        marker: model.add_marker(Marker::on(top).at([0.0, 0.0, height])),
        shape: Sphere { radius }.into(),
    };
    let own = vec![surface(&mut model, 0.2, 0.04), surface(&mut model, 0.04, 0.28)];
    let table = part(&mut model, BodyId::GROUND, HalfSpace);
    let law = NormalLaw::impact(stiffness, 1.0, 1.0, 1e-5);
    model.add_force(Contact::new("table", own, vec![table], law).friction(Friction::coulomb(0.4, 1e-3)));
    System::new(&model).unwrap()
}

/// How far upright it is, from 1 to −1, and how high its centre of mass is.
fn stands(x: &State) -> (f64, f64) {
    let q = Quat::new_normalize(cardan::math::Quaternion::new(x.q[3], x.q[4], x.q[5], x.q[6]));
    ((q * Vec3::z()).z, x.q[2])
}

#[test]
fn a_tippe_top_turns_over_and_goes_on_on_its_stem() {
    let results = Simulation::new(&tippe_top()).record(Record::Interval(1.0)).run(20.0).unwrap();
    let (begins, _) = stands(&results.samples[1].state);
    assert!(begins > 0.98, "{begins}");
    for sample in &results.samples[18..] {
        let (upright, height) = stands(&sample.state);
        assert!(upright < -0.97 && (height - 0.32).abs() < 0.01, "{upright}, {height} m high at {} s", sample.state.t);
    }
}
