//! Contact of many bodies, and for a long time: energy is kept, and the work of a step grows with the number of bodies only. The full problems
//! are tests that are not run by themselves: `cargo test --workspace --test contacts -- --ignored --nocapture` tells what they take.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::prelude::*;
use cardan_bench::measure::{Outcome, Settings, Steps, measure};
use cardan_bench::problems::problem;
use cardan_bench::reference::distance;

/// The mean squared error of the energy at the ends of steps, most of which are within impacts, J².
fn energy_error(n: usize, tolerance: f64, t_end: f64) -> (f64, Results) {
    let system = System::new(&problem("bouncing", n).unwrap().model).unwrap();
    let results = Simulation::new(&system).method(DormandPrince).tolerance(tolerance).record(Record::Steps).run(t_end).unwrap();
    let start = results.samples[0].energy.total();
    let squares: Vec<f64> = results.samples.iter().map(|s| (s.energy.total() - start).powi(2)).collect();
    (squares.iter().sum::<f64>() / squares.len() as f64, results)
}

#[test]
fn bouncing_balls_keep_their_energy() {
    let (error, results) = energy_error(4, 1e-11, 3.2);
    assert_eq!(results.statistics.contacts, 8, "two bounces of four balls");
    assert!(error < 1e-10, "{error:e} J²");
}

#[test]
#[ignore = "the whole problem"]
fn forty_nine_balls_bounce_for_twenty_seconds() {
    for tolerance in [1e-9, 1e-10, 1e-11, 1e-12] {
        let (error, results) = energy_error(49, tolerance, 20.0);
        let steps = Steps::Controlled(tolerance);
        let taken = measure(&problem("bouncing", 49).unwrap(), &settings("dormand-prince", steps, None)).unwrap();
        println!("at {tolerance:e}: {error:.2e} J², {:.3} s, {:?}", taken.cpu_s, results.statistics);
        assert!(tolerance > 1.1e-11 || error < 1e-8);
    }
}

fn settings(method: &str, steps: Steps, end: Option<f64>) -> Settings {
    Settings { method: method.into(), parameters: Vec::new(), formulation: Formulation::default(), steps, end, repeat: 1 }
}

/// The change of energy of a cradle of five against the energy with which it is let go, and how many touches there were.
fn cradle(tolerance: f64, t_end: f64) -> (f64, Results) {
    let system = System::new(&problem("cradle", 5).unwrap().model).unwrap();
    let results = Simulation::new(&system).method(DormandPrince).tolerance(tolerance).record(Record::Ends).run(t_end).unwrap();
    let let_go = 0.032882 * 9.81 * 0.12 * (1.0 - 30f64.to_radians().cos());
    (results.energy_drift / let_go, results)
}

#[test]
fn a_cradle_keeps_its_energy() {
    let (drift, results) = cradle(1e-12, 0.5);
    assert!(results.statistics.contacts >= 8, "{:?}", results.statistics);
    assert!(drift < 1e-8, "{drift:e}");
}

#[test]
#[ignore = "the whole problem"]
fn a_cradle_keeps_its_energy_through_a_thousand_touches() {
    let (drift, results) = cradle(1e-12, 40.0);
    println!("{drift:.2e} of the energy, {:?}", results.statistics);
    assert!(results.statistics.contacts >= 1000 && drift < 1e-8);
}

fn spheres(n: usize, method: &str, tolerance: f64, end: f64) -> Outcome {
    measure(&problem("spheres", n).unwrap(), &settings(method, Steps::Controlled(tolerance), Some(end))).unwrap()
}

#[test]
fn methods_agree_on_spheres_that_strike_each_other() {
    let [a, b] = ["dormand-prince", "radau"].map(|method| spheres(80, method, 1e-9, 0.03).observed);
    assert!(distance(&a, &b) < 1e-5, "{:e}", distance(&a, &b));
}

#[test]
#[ignore = "the whole problem"]
fn five_hundred_spheres_fly_into_a_bowl() {
    for n in [100, 500, 1000] {
        for (method, tolerance) in [("dormand-prince", 1e-5), ("hht", 1e-5), ("radau", 1e-5)] {
            let taken = spheres(n, method, tolerance, 0.1);
            let [step, drift] = [taken.cpu_s / taken.steps as f64, taken.energy_drift.unwrap()];
            println!(
                "{n} {method} {tolerance:e}: {} steps of {:.3} ms, {:.2} s, energy to {drift:.1e} J",
                taken.steps,
                1e3 * step,
                taken.cpu_s
            );
        }
    }
}
