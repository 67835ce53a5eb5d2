//! Order of convergence against reference solutions: fixed, random and error-controlled steps.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/models.rs"]
mod models;
#[path = "common/walk.rs"]
mod walk;

use cardan::integrators::{LocalLinearization, Method};
use cardan::math::random::Random;
use cardan::prelude::*;
use models::*;
use std::sync::Arc;
use walk::walk;

fn assert_order(coarse: &[f64], fine: &[f64], expected: f64, tolerance: f64, what: &str) {
    for (k, (c, f)) in coarse.iter().zip(fine).enumerate() {
        let order = (c / f).log2();
        assert!((order - expected).abs() < tolerance, "{what}, quantity {k}: order {order:.3} ({c:.3e} → {f:.3e})");
    }
}

fn heavy_top_reference() -> Vec<f64> {
    numbers(&reference("tops")["cases"]["heavy_top_wz_4.61538"]["state"])
}

#[test]
fn heavy_top_with_fixed_steps_is_of_order_2_in_everything() {
    let system = System::new(&heavy_top()).unwrap();
    let expected = heavy_top_reference();
    for formulation in [Formulation::Index3, Formulation::Index2] {
        let run = |h: f64| walk(&system, Arc::new(GeneralizedAlpha::default()), formulation, 1.0, || h).map(|x| top_errors(&x, &expected));
        let (coarse, fine) = (run(5e-4), run(2.5e-4));
        assert_order(&coarse[0], &fine[0], 2.0, 0.05, "the method's own values");
        assert_order(&coarse[1], &fine[1], 2.0, 0.05, "reported values");
    }
}

#[test]
fn heavy_top_is_of_order_2_for_all_damping() {
    let system = System::new(&heavy_top()).unwrap();
    let expected = heavy_top_reference();
    let alphas = [-1.0 / 3.0, -0.1, -0.05, 0.0].map(|alpha| Arc::new(Hht { alpha }) as Arc<dyn Method>);
    let radii = [0.25, 0.5, 0.75, 0.9, 1.0].map(|rho| Arc::new(GeneralizedAlpha::new(rho)) as Arc<dyn Method>);
    for method in alphas.iter().chain(&radii) {
        for formulation in [Formulation::Index3, Formulation::Index2] {
            if method.undamped() && formulation == Formulation::Index3 {
                continue;
            }
            let run = |h: f64| top_errors(&walk(&system, method.clone(), formulation, 1.0, || h)[1], &expected);
            assert_order(&run(2e-4), &run(1e-4), 2.0, 0.05, &format!("{method:?} {formulation:?}"));
        }
    }
}

#[test]
fn heavy_top_multipliers_are_of_order_2_from_the_first_step() {
    let system = System::new(&heavy_top()).unwrap();
    let error = |h: f64, steps: usize| {
        let t = h * steps as f64;
        let fine = walk(&system, Arc::new(GeneralizedAlpha::default()), Formulation::Index2, t, || h / 200.0);
        let own = walk(&system, Arc::new(GeneralizedAlpha::default()), Formulation::Index3, t, || h);
        distance(&own[0].lambda, &fine[1].lambda)
    };
    for steps in [1, 2, 3, 8] {
        let (coarse, fine) = (error(4e-4, steps), error(2e-4, steps));
        assert!((coarse / fine).log2() > 1.9, "after {steps} steps: {coarse:.3e} → {fine:.3e}");
    }
}

#[test]
fn heavy_top_with_random_steps_keeps_order_2() {
    let system = System::new(&heavy_top()).unwrap();
    let expected = heavy_top_reference();
    for method in [Arc::new(GeneralizedAlpha::default()) as Arc<dyn Method>, Arc::new(Hht::default())] {
        let run = |h: f64| {
            let mut mean = [0.0; 7];
            for seed in 0..4 {
                let mut random = Random::new(seed);
                let [_, reported] = walk(&system, method.clone(), Formulation::Index3, 1.0, || h * 2f64.powf(random.range(-0.5, 0.5)));
                for (m, e) in mean.iter_mut().zip(top_errors(&reported, &expected)) {
                    *m += e / 4.0;
                }
            }
            mean
        };
        let (coarse, fine) = (run(4e-4), run(5e-5));
        for (k, (c, f)) in coarse.iter().zip(&fine).enumerate() {
            let order = (c / f).log2() / 3.0;
            assert!((order - 2.0).abs() < 0.12, "{}, quantity {k}: order {order:.3} ({c:.3e} → {f:.3e})", method.name());
        }
    }
}

#[test]
fn heavy_top_with_tight_tolerance() {
    let system = System::new(&heavy_top()).unwrap();
    let run = Simulation::new(&system).method(GeneralizedAlpha::default()).tolerance(2e-12).record(Record::Ends).run(1.0).unwrap();
    let errors = top_errors(run.last().unwrap(), &heavy_top_reference());
    assert!(errors[0] < 1e-6 && errors[1] < 1e-6, "{errors:?} in {:?}", run.statistics);
    assert!(run.position_violation < 1e-13);
}

#[test]
fn free_tops_are_of_order_2() {
    let tops = reference("tops");
    for (name, case) in tops["cases"].as_object().unwrap().iter().filter(|(name, _)| name.starts_with("free")) {
        let (moments, omega) = (numbers(&case["parameters"]["J"]), numbers(&case["parameters"]["Omega0"]));
        let expected = numbers(&case["state"]);
        let system = System::new(&free_top(&moments, &omega)).unwrap();
        let momentum = system.momentum(system.initial()).angular;
        for method in cardan::integrators::implicit().into_iter().filter(|m| m.order() == 2) {
            let errors = |h: f64| {
                let [_, x] = walk(&system, method.clone(), Formulation::Index3, 10.0, || h);
                let sign = if distance(&x.q[3..], &expected[3..7]) > 1.0 { -1.0 } else { 1.0 };
                let attitude: Vec<f64> = x.q[3..].iter().map(|c| sign * c).collect();
                let drift = (system.momentum(&x).angular - momentum).norm();
                [distance(&attitude, &expected[3..7]), distance(&x.v[3..], &expected[..3]), drift]
            };
            assert_order(&errors(0.005), &errors(0.0025), 2.0, 0.1, &format!("{name} with {}", method.name()));
        }
    }
}

#[test]
fn attitude_stays_orthonormal_over_a_million_steps() {
    let system = System::new(&free_top(&[1.0, 2.0, 3.0], &[0.01, 2.0, 0.01])).unwrap();
    let [x, _] = walk(&system, Arc::new(GeneralizedAlpha::default()), Formulation::Index3, 1e5, || 0.1);
    let norm: f64 = x.q[3..].iter().map(|c| c * c).sum::<f64>().sqrt();
    assert!((norm - 1.0).abs() < 1e-14, "|quaternion| = {norm}");
}

#[test]
fn controlled_error_falls_with_the_tolerance() {
    let system = System::new(&stiff_double_pendulum()).unwrap();
    let (q, v) = stiff_double_pendulum_end();
    for method in [Arc::new(Hht::default()) as Arc<dyn Method>, Arc::new(GeneralizedAlpha::default())] {
        for formulation in [Formulation::Index3, Formulation::Index2] {
            let (mut constants, mut last) = (Vec::new(), f64::INFINITY);
            for k in 0..=12 {
                let tolerance = 10f64.powf(-3.0 - 0.5 * f64::from(k));
                let simulation = Simulation::new(&system).shared_method(method.clone()).formulation(formulation);
                let run = simulation.tolerance(tolerance).record(Record::Ends).run(2.0).unwrap();
                let x = run.last().unwrap();
                let error = distance(&x.q, &q).max(distance(&x.v, &v));
                assert!(error < last, "{} {formulation:?} at {tolerance:e}: {error:e} after {last:e}", method.name());
                assert!(run.position_violation < 1e-12, "{:e}", run.position_violation);
                assert!(formulation == Formulation::Index3 || run.velocity_violation < 1e-10, "{:e}", run.velocity_violation);
                constants.push(error / tolerance.powf(2.0 / 3.0));
                last = error;
            }
            let middle = constants.iter().map(|c| c.ln()).sum::<f64>() / constants.len() as f64;
            let within = constants.iter().all(|c| (c.ln() - middle).abs() < 3f64.ln());
            assert!(within, "{} {formulation:?}: error / tol^(2/3) = {constants:?}", method.name());
        }
    }
}

#[test]
fn newmark_without_damping_is_of_second_order_on_constraints() {
    let system = System::new(&pendulum()).unwrap();
    let end = numbers(reference("pendulum")["states"].as_array().unwrap().last().unwrap());
    let errors = |k: i32| {
        let run = Simulation::new(&system).method(Newmark::default()).step(0.5f64.powi(k)).record(Record::Ends).run(4.0).unwrap();
        let x = run.last().unwrap();
        (distance(&x.q, &end[2..4]), distance(&x.v, &end[4..6]))
    };
    let (coarse, fine) = (errors(9), errors(10));
    assert!((fine.0 / 1.762e-5 - 1.0).abs() < 0.01 && (fine.1 / 5.74e-5 - 1.0).abs() < 0.01, "{fine:?}");
    assert!((coarse.0 / fine.0 - 4.0).abs() < 0.02, "ratio in q {}", coarse.0 / fine.0);
    assert!((coarse.1 / fine.1 - 4.0).abs() < 0.02, "ratio in v {}", coarse.1 / fine.1);
}

#[test]
fn local_linearization_is_of_its_order_on_constraints() {
    let system = System::new(&pendulum()).unwrap();
    let end = numbers(reference("pendulum")["states"].as_array().unwrap().last().unwrap());
    for (order, k, close) in [(2, 8, 0.1), (4, 7, 0.15)] {
        let method = LocalLinearization { order: Some(order), ..LocalLinearization::default() };
        let errors = |k: i32| {
            let [x, _] = walk(&system, Arc::new(method), Formulation::Index1, 4.0, || 0.5f64.powi(k));
            [distance(&x.q, &end[2..4]), distance(&x.v, &end[4..6])]
        };
        assert_eq!(method.order(), order);
        assert_order(&errors(k), &errors(k + 1), order as f64, close, &format!("order {order}"));
    }
}
