//! Dormand and Prince's method: order on constrained spatial problems, projection, references, dense output, events.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/builder.rs"]
mod builder;
#[path = "common/models.rs"]
mod models;
#[path = "common/walk.rs"]
mod walk;

use builder::Builder;
use cardan::integrators::Norm;
use cardan::math::random::Random;
use cardan::prelude::*;
use models::*;
use std::sync::Arc;
use walk::walk;

fn random_tree() -> Model {
    let mut m = Builder::new(41);
    let (one, two) = (m.body(), m.body());
    m.joint("support", Arc::new(Spherical), one, BodyId::GROUND);
    m.joint("sleeve", Arc::new(Cylindrical), two, one);
    m.forces(two, BodyId::GROUND);
    m.model
}

fn accurate(system: &System, t_end: f64) -> State {
    let run = Simulation::new(system).method(Radau).norm(Norm::Paper).tolerance(1e-13).record(Record::Ends).run(t_end).unwrap();
    run.last().unwrap().clone()
}

#[test]
fn order_5_with_fixed_and_random_steps() {
    for (model, h) in [(heavy_top(), 1e-3), (random_tree(), 1e-2)] {
        let system = System::new(&model).unwrap();
        let expected = accurate(&system, 0.2);
        for spread in [0.0, 0.5] {
            let errors = |h: f64| {
                let mut random = Random::new(3);
                let [x, _] =
                    walk(&system, Arc::new(DormandPrince), Formulation::Index1, 0.2, || h * 2f64.powf(random.range(-spread, spread)));
                [distance(&x.q, &expected.q), distance(&x.v, &expected.v), distance(&x.lambda, &expected.lambda)]
            };
            let (coarse, fine) = (errors(h), errors(0.25 * h));
            for k in 0..3 {
                let order = (coarse[k] / fine[k]).log2() / 2.0;
                assert!((order - 5.0).abs() < 0.4, "{}, spread {spread}, quantity {k}: order {order}", model.name());
            }
        }
    }
}

#[test]
fn the_heavy_top_agrees_with_its_reference_on_the_constraints() {
    let system = System::new(&heavy_top()).unwrap();
    let expected = numbers(&reference("tops")["cases"]["heavy_top_wz_4.61538"]["state"]);
    let run = Simulation::new(&system).method(DormandPrince).tolerance(1e-12).record(Record::Ends).run(1.0).unwrap();
    let found = top_errors(run.last().unwrap(), &expected);
    assert!(found[..4].iter().all(|e| *e < 1e-9), "{found:?}");
    assert!(run.position_violation < 1e-14 && run.velocity_violation < 1e-12, "{:e} {:e}", run.position_violation, run.velocity_violation);
}

#[test]
fn dense_output_is_of_order_4_and_events_are_exact() {
    let (system, data) = (System::new(&pendulum()).unwrap(), reference("pendulum"));
    let states: Vec<Vec<f64>> = data["states"].as_array().unwrap().iter().map(numbers).collect();
    let error = |h: f64| {
        let run = Simulation::new(&system).method(DormandPrince).step(h).record(Record::Interval(0.5)).run(4.0).unwrap();
        let one = |(s, e): (&cardan::results::Sample, &Vec<f64>)| distance(&s.state.q, &e[2..4]);
        run.samples.iter().zip(&states).map(one).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(0.07), error(0.035));
    assert!((coarse / fine).log2() > 3.8 && fine < 1e-4, "{coarse:e} → {fine:e}");
    let bottom = 1.685_750_354_812_596 / 9.81f64.sqrt();
    let event = Event::new("bottom", |x| x.q[0]).terminal();
    let run = Simulation::new(&system).method(DormandPrince).tolerance(1e-11).event(event).record(Record::Ends).run(2.0).unwrap();
    assert!((run.events[0].t - bottom).abs() < 1e-10, "{:e}", run.events[0].t - bottom);
}

#[test]
fn a_stiff_model_with_too_large_steps_is_told_so() {
    let system = System::new(&stiff_double_pendulum()).unwrap();
    let error = Simulation::new(&system).method(DormandPrince).step(1e-3).record(Record::Ends).run(2.0).unwrap_err();
    assert!(error.to_string().contains("explicit"), "{error}");
}
