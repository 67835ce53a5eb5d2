//! The convergence tables of Gavrea, Negrut, Potra (IMECE2005-81770), recomputed.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/models.rs"]
mod models;

use cardan::prelude::*;
use models::*;

/// Errors in q and v at the end of a run with fixed steps.
fn errors(system: &System, newmark: Newmark, options: Options, h: f64, t_end: f64, q: &[f64], v: &[f64]) -> (f64, f64) {
    let run = Simulation::new(system).method(newmark).options(options).step(h).record(Record::Ends).run(t_end).unwrap();
    let x = run.last().unwrap();
    (distance(&x.q, q), distance(&x.v, v))
}

fn tabled(iterations: usize) -> Options {
    Options { iterations: Iterations::Fixed(iterations), predictor_degree: 0, ..Options::default() }
}

/// A number with three significant digits, as printed in the tables.
fn three_digits(x: f64) -> String {
    format!("{x:.2e}")
}

fn pendulum_end() -> (Vec<f64>, Vec<f64>) {
    let end = numbers(reference("pendulum")["states"].as_array().unwrap().last().unwrap());
    (end[2..4].to_vec(), end[4..6].to_vec())
}

fn check_pendulum_table(gamma: f64, table: [(f64, f64); 8]) {
    let system = System::new(&pendulum()).unwrap();
    let (q, v) = pendulum_end();
    for (k, (dq, dv)) in (4..).zip(table) {
        let own = errors(&system, Newmark::new(gamma), tabled(1), 0.5f64.powi(k), 4.0, &q, &v);
        assert_eq!(three_digits(own.0), three_digits(dq), "Δq at h = 2^-{k}: {own:?}");
        assert_eq!(three_digits(own.1), three_digits(dv), "Δv at h = 2^-{k}: {own:?}");
    }
}

#[test]
fn table_1_pendulum_without_damping() {
    let table = [
        (7.72e-2, 7.46e-1),
        (1.49e-2, 2.94e-2),
        (4.48e-3, 1.10e-2),
        (1.13e-3, 3.42e-3),
        (2.82e-4, 9.02e-4),
        (7.05e-5, 2.29e-4),
        (1.76e-5, 5.73e-5),
        (4.41e-6, 1.44e-5),
    ];
    check_pendulum_table(0.5, table);
}

#[test]
fn table_2_pendulum_with_damping() {
    let table = [
        (1.56e-1, 1.13e0),
        (6.21e-2, 7.38e-1),
        (2.26e-2, 4.27e-1),
        (8.19e-3, 2.31e-1),
        (3.15e-3, 1.20e-1),
        (1.31e-3, 6.12e-2),
        (5.88e-4, 3.09e-2),
        (2.77e-4, 1.55e-2),
    ];
    check_pendulum_table(0.75, table);
}

#[test]
fn pendulum_with_converged_newton() {
    let system = System::new(&pendulum()).unwrap();
    let (q, v) = pendulum_end();
    let run = |k: i32| errors(&system, Newmark::default(), Options::default(), 0.5f64.powi(k), 4.0, &q, &v);
    let (coarse, fine) = (run(9), run(10));
    assert!((fine.0 / 1.762e-5 - 1.0).abs() < 0.01 && (fine.1 / 5.74e-5 - 1.0).abs() < 0.01, "{fine:?}");
    assert!((coarse.0 / fine.0 - 4.0).abs() < 0.02, "ratio in q {}", coarse.0 / fine.0);
    assert!((coarse.1 / fine.1 - 4.0).abs() < 0.02, "ratio in v {}", coarse.1 / fine.1);
}

#[test]
fn table_3_stiff_double_pendulum() {
    let system = System::new(&stiff_double_pendulum()).unwrap();
    let (q, v) = stiff_double_pendulum_end();
    let table = [(7.76e-2, 1.59e-1), (1.26e-2, 9.39e-2), (5.85e-3, 4.82e-2), (2.82e-3, 2.44e-2), (1.39e-3, 1.23e-2), (6.85e-4, 6.16e-3)];
    for (k, (dq, dv)) in (9..).zip(table) {
        let own = errors(&system, Newmark::new(0.75), tabled(3), 0.5f64.powi(k), 2.0, &q, &v);
        assert!((own.0 / dq - 1.0).abs() < 0.005, "Δq at h = 2^-{k}: {} against {dq}", own.0);
        assert!((own.1 / dv - 1.0).abs() < 0.005, "Δv at h = 2^-{k}: {} against {dv}", own.1);
    }
}
