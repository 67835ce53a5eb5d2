//! Nothing passes through anything else: fast small balls at a thin plate, with every method at coarse and fine tolerances.

use super::part;
use cardan::contact::{Contact, Cuboid, NormalLaw, Sphere};
use cardan::integrators::{Method, all};
use cardan::math::random::Random;
use cardan::prelude::*;
use std::sync::Arc;

/// A ball of 1 mm that flies towards a plate of 0.1 mm, held in the air, and what the shot takes, s.
fn shot(random: &mut Random) -> (System, f64, f64) {
    let mut model = Model::new("shot");
    let (radius, mass) = (0.5e-3, 4e-6);
    let speed = 10f64.powf(random.range(0.0, 3.0));
    let tilt = Quat::from_scaled_axis(Vec3::new(random.range(-0.9, 0.9), random.range(-0.9, 0.9), 0.0));
    let direction = tilt * Vec3::new(0.0, 0.0, -1.0);
    let distance = 10f64.powf(random.range(-2.0, 0.0));
    let start = Vec3::new(0.0, 0.0, 2.0 * radius) - direction * distance;
    let ball = Body::rigid("ball", mass, Inertia::ball(mass, radius)).at(start.into()).moving((direction * speed).into());
    let ball = model.add_body(ball);
    let (i, j) = (part(&mut model, ball, Sphere { radius }), part(&mut model, BodyId::GROUND, Cuboid { size: Vec3::new(9.0, 9.0, 1e-4) }));
    model.add_force(Contact::new("plate", vec![i], vec![j], NormalLaw::elastic(1e9, 1.0)));
    (System::new(&model).unwrap(), 2.0 * distance / speed, -direction.z * speed)
}

fn methods() -> Vec<Arc<dyn Method>> {
    all().into_iter().filter(|m| m.adaptive()).collect()
}

#[test]
fn no_shot_passes_a_thin_plate() {
    shoot(5, 200);
}

/// As many as asked for by `CARDAN_SHOTS`, from the random numbers of `CARDAN_SEED`.
#[test]
#[ignore = "takes minutes"]
fn no_shot_of_very_many_passes_a_thin_plate() {
    let given = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    shoot(given("CARDAN_SEED").unwrap_or(6), given("CARDAN_SHOTS").unwrap_or(20_000) as usize);
}

fn shoot(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let methods = methods();
    for k in 0..count {
        let (system, t_end, normal) = shot(&mut random);
        let method = methods[k % methods.len()].clone();
        let tolerance = 10f64.powi(-3 - (k / methods.len() % 7) as i32);
        let run = Simulation::new(&system).shared_method(method.clone()).tolerance(tolerance).run(t_end);
        let results = run.unwrap_or_else(|e| panic!("shot {k} with {} at {tolerance}: {e}", method.name()));
        let end = &results.samples.last().unwrap().state;
        assert!(end.q[2] > 0.0, "shot {k} with {} at {tolerance} went through: {}", method.name(), end.q[2]);
        let part = end.v[2] / normal;
        assert!(part > 0.3 && part < 1.5, "shot {k} with {} at {tolerance}: {part} of its speed", method.name());
    }
}

/// A step of fixed size that would do so is an error that names the contact.
#[test]
fn a_fixed_step_that_is_too_long_is_an_error() {
    let (system, t_end, _) = shot(&mut Random::new(2));
    let error = Simulation::new(&system).step(0.3 * t_end).run(t_end).unwrap_err().to_string();
    assert!(error.contains("plate") && error.contains("pass through"), "{error}");
}
