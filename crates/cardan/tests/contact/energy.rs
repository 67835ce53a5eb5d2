//! Every law in impacts of bodies that come somehow: what is lost is what was dissipated.

use super::{part, tangents};
use cardan::contact::{Contact, Cuboid, HalfSpace};
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::results::Sample;

/// A box that turns as it falls on its corners.
fn thrown(random: &mut Random, contact: impl Fn(&mut Model, BodyId) -> Contact) -> System {
    let mut model = Model::new("thrown");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut start = Body::rigid("box", 1.3, Inertia::cuboid(1.3, 0.4, 0.3, 0.2)).oriented(random.rotation()).at([0.0, 0.0, 0.28]);
    start = start.moving([random.range(-2.0, 2.0), random.range(-2.0, 2.0), -3.0]).spinning(random.vector(4.0).into());
    let body = model.add_body(start);
    let contact = contact(&mut model, body);
    model.add_force(contact);
    System::new(&model).unwrap()
}

#[test]
fn the_balance_of_energy_closes_through_random_impacts_with_every_law() {
    let mut random = Random::new(21);
    for (k, given) in tangents::laws().into_iter().enumerate() {
        for _ in 0..3 {
            let system = thrown(&mut random, |model, body| {
                let (i, j) = (part(model, body, Cuboid { size: Vec3::new(0.4, 0.3, 0.2) }), part(model, BodyId::GROUND, HalfSpace));
                // Stiffer than in tests of tangents: some centimetres deep.
                Contact::between("floor", vec![i], vec![j], tangents::stiffer(&given))
            });
            let sampling = 1e-5;
            let run = Simulation::new(&system).method(Radau).tolerance(1e-9).record(Record::Interval(sampling));
            let results = run.run(0.3).unwrap();
            let stored = |s: &Sample| s.energy.kinetic + s.energy.potential;
            let (first, last) = (&results.samples[0], results.samples.last().unwrap());
            let powers = results
                .samples
                .windows(2)
                .map(|w| 0.5 * (w[1].state.t - w[0].state.t) * (w[0].energy.dissipation + w[1].energy.dissipation));
            let (lost, dissipated) = (stored(first) - stored(last), powers.sum::<f64>());
            let throughput = first.energy.kinetic;
            assert!(results.samples.iter().any(|s| s.energy.dissipation.abs() > 1.0) || k == 0, "law {k} loses nothing");
            assert!((lost - dissipated).abs() < 1e-6 * throughput, "law {k}: lost {lost}, dissipated {dissipated}, of {throughput}");
        }
    }
}
