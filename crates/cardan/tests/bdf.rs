//! Backward differentiation formulas: their order, on a constrained spatial problem and on a stiff one, and what they cost.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/models.rs"]
mod models;

use cardan::prelude::*;
use cardan::results::Results;
use models::*;

fn run(model: &Model, method: Bdf, formulation: Formulation, tolerance: f64, t_end: f64) -> Results {
    let system = System::new(model).unwrap();
    let simulation = Simulation::new(&system).method(method).formulation(formulation).tolerance(tolerance).record(Record::Ends);
    simulation.run(t_end).unwrap()
}

/// Steps and error in position and attitude of the heavy top.
fn heavy_top_run(formulation: Formulation, tolerance: f64) -> (f64, f64) {
    let expected = numbers(&reference("tops")["cases"]["heavy_top_wz_4.61538"]["state"]);
    let run = run(&heavy_top(), Bdf::default(), formulation, tolerance, 1.0);
    let errors = top_errors(run.last().unwrap(), &expected);
    (run.statistics.steps as f64, errors[0].max(errors[1]))
}

#[test]
fn smooth_motion_is_integrated_with_order_5() {
    for formulation in [Formulation::Index3, Formulation::Index2] {
        let ((some, coarse), (many, fine)) = (heavy_top_run(formulation, 1e-8), heavy_top_run(formulation, 1e-11));
        let order = (coarse / fine).ln() / (many / some).ln();
        assert!(order > 4.2, "{formulation:?}: {coarse:e} in {some} steps, {fine:e} in {many}: order {order}");
        assert!(fine < 2e-7, "{formulation:?}: {fine:e}");
    }
}

#[test]
fn each_order_is_what_it_says_with_fixed_steps() {
    let system = System::new(&heavy_top()).unwrap();
    let expected = run(&heavy_top(), Bdf::default(), Formulation::Index3, 1e-12, 0.25);
    for (max_order, h) in [(1, 2e-5), (2, 2e-4), (3, 4e-4)] {
        let error = |h: f64| {
            let run = Simulation::new(&system).method(Bdf { max_order }).step(h).record(Record::Ends).run(0.25).unwrap();
            distance(&run.last().unwrap().q, &expected.last().unwrap().q)
        };
        let order = (error(h) / error(0.5 * h)).log2();
        assert!((order - max_order as f64).abs() < 0.25, "order {max_order}: {order}");
    }
}

#[test]
fn stiff_motion_follows_the_tolerance() {
    let (q, _) = stiff_double_pendulum_end();
    for formulation in [Formulation::Index3, Formulation::Index2] {
        let mut last = f64::INFINITY;
        for tolerance in [1e-5, 1e-7, 1e-9] {
            let run = run(&stiff_double_pendulum(), Bdf::default(), formulation, tolerance, 2.0);
            let error = distance(&run.last().unwrap().q, &q);
            assert!(error < 0.2 * last, "{formulation:?} at {tolerance:e}: {error:e} after {last:e}");
            assert!(run.position_violation < 1e-12, "{:e}", run.position_violation);
            last = error;
        }
        assert!(last < 1e-6, "{formulation:?}: {last:e}");
    }
}

/// How much of its energy a ball has gained in so many seconds over a stiff floor, m ÿ = −m g + k max(0, −y)^e.
fn gained_in_strikes(k: f64, e: f64, tolerance: f64, t_end: f64) -> f64 {
    let mut model = Model::new("strikes");
    model.set_gravity([0.0, 0.0, -9.81]);
    let ball = model.add_body(Body::rigid("ball", 1.0, Inertia::ball(1.0, 0.1)).at([0.0, 0.0, 1.0]).moving([1.0, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(ball)), model.add_marker(Marker::on(BodyId::GROUND)));
    let law = format!("IMPACT(DZ(ball, ground), VZ(ball, ground), 0, {k:e}, {e}, 0, 1e-4)");
    model.add_force(ExpressionForce::vector("floor", i, j, j, ["0".into(), "0".into(), law]));
    let run = run(&model, Bdf::default(), Formulation::Default, tolerance, t_end);
    let end = run.last().unwrap();
    (end.q[2] + 0.5 * end.v[2].powi(2) / 9.81 + k / (e + 1.0) / 9.81 * (-end.q[2]).max(0.0).powf(e + 1.0)) - 1.0
}

#[test]
fn strikes_whose_force_rises_smoothly_cost_no_more_than_their_tolerance() {
    for (e, tolerance, most) in [(1.0, 1e-7, 2.5e-5), (2.2, 1e-7, 2.5e-5), (2.2, 1e-5, 1e-3)] {
        let k = if e == 1.0 { 8e5 } else { 1e10 };
        let gained = (0..6).map(|n| gained_in_strikes(k, e, tolerance, 8.9 + 0.02 * f64::from(n)));
        let worst = gained.fold(0.0_f64, |worst, gain| worst.max(gain.abs()));
        assert!(worst < most, "k = {k:e}, e = {e} at {tolerance:e}: {worst:e}");
    }
}

#[test]
fn orders_that_do_not_exist_are_refused() {
    let system = System::new(&heavy_top()).unwrap();
    for max_order in [0, 6] {
        let error = Simulation::new(&system).method(Bdf { max_order }).run(1.0).unwrap_err();
        assert!(error.to_string().contains("between 1 and 5"), "{error}");
    }
}
