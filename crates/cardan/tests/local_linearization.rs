//! Local linearization: exact where the equations are linear, of order 4 or 2 elsewhere; its error estimate, dense output, step control,
//! events, projection, and the way large systems are solved.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/models.rs"]
mod models;

use cardan::integrators::{ErrorPer, Law, LocalLinearization, Method, Parameter, Projection, Stepper};
use cardan::math::random::Random;
use cardan::prelude::*;
use models::*;
use std::sync::Arc;

fn method() -> LocalLinearization {
    LocalLinearization::default()
}

fn of_order(order: usize) -> LocalLinearization {
    LocalLinearization { order: Some(order), ..method() }
}

/// Runs to `t_end` with the given step sizes.
fn walk(system: &System, method: LocalLinearization, t_end: f64, mut size: impl FnMut() -> f64) -> State {
    let start = assemble(system).unwrap().state;
    let mut stepper = Stepper::new(system, Arc::new(method), Options::default(), &start, &[]);
    stepper.start(&start, size()).unwrap();
    loop {
        let (left, h) = (t_end - stepper.now().t, size());
        let last = h > left * (1.0 - 1e-9);
        stepper.attempt(if last { left } else { h }, None).unwrap();
        stepper.accept();
        if last {
            return stepper.now().clone();
        }
    }
}

fn gap(a: &State, b: &State) -> f64 {
    distance(&a.q, &b.q).max(distance(&a.v, &b.v)).max(distance(&a.x, &b.x))
}

/// Point masses on a line with springs and dampers between them, and a force on the last.
fn chain(count: usize, stiffness: f64, push: &str) -> Model {
    let mut model = Model::new("chain");
    let mut before = model.add_marker(Marker::on(BodyId::GROUND).named("wall"));
    let mut last = "wall".to_string();
    for k in 0..count {
        let body =
            model.add_body(Body::point(&format!("mass{k}"), 1.0 + 0.1 * k as f64).at([0.1 * k as f64, 0.0, 0.0]).moving([0.3, 0.0, 0.1]));
        let marker = model.add_marker(Marker::on(body).named(&format!("m{k}")));
        let law = |axis: &str| format!("-{stiffness}*D{axis}(m{k}, {last}) - 0.4*V{axis}(m{k}, {last})");
        model.add_force(ExpressionForce::vector(&format!("spring{k}"), marker, before, before, [law("X"), law("Y"), law("Z")]));
        (before, last) = (marker, format!("m{k}"));
    }
    let ground = model.add_marker(Marker::on(BodyId::GROUND));
    model.add_force(ExpressionForce::vector("push", before, ground, ground, [push, "0", "0"]));
    model.add_state(Differential::new("filter", format!("3*(DX({last}) - DIF(filter)) + TIME"), 0.2));
    model
}

#[test]
fn linear_systems_are_solved_exactly_whatever_the_step() {
    for stiffness in [2.0, 1e4] {
        let system = System::new(&chain(3, stiffness, "1.5 - 0.7*TIME")).unwrap();
        let [one, many] = [2.0, 0.0137].map(|h| walk(&system, method(), 2.0, || h));
        assert!(gap(&one, &many) < 1e-11, "{stiffness}: {:.1e}", gap(&one, &many));
    }
    let system = System::new(&chain(3, 2.0, "SIN(3*TIME)")).unwrap();
    for order in [2, 4] {
        let error = |h: f64| gap(&walk(&system, of_order(order), 2.0, || h), &walk(&system, method(), 2.0, || 1e-3));
        let observed = (error(0.1) / error(0.05)).log2();
        assert!((observed - order as f64).abs() < 0.1, "a force that bends in time is followed with order {order}, not {observed:.2}");
    }
}

/// A damped oscillator against its formula, over many periods in one step.
#[test]
fn one_step_spans_many_periods() {
    let mut model = Model::new("oscillator");
    let body = model.add_body(Body::point_2d("mass", 2.0).at([0.5, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(body).named("i")), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(ExpressionForce::vector("spring", i, j, j, ["-2e6*DX(i) - 8*VX(i)", "0", "0"]));
    let system = System::new(&model).unwrap();
    let end = walk(&system, method(), 0.5, || 0.5);
    let (decay, omega) = (2.0_f64, (1e6_f64 - 4.0).sqrt());
    let exact = 0.5 * (-decay * 0.5_f64).exp() * ((omega * 0.5).cos() + decay / omega * (omega * 0.5).sin());
    assert!((end.q[0] - exact).abs() < 1e-12, "{} instead of {exact}", end.q[0]);
}

fn heavy_top_errors(method: LocalLinearization, size: impl FnMut() -> f64) -> [f64; 7] {
    let system = System::new(&heavy_top()).unwrap();
    let expected = numbers(&reference("tops")["cases"]["heavy_top_wz_4.61538"]["state"]);
    top_errors(&walk(&system, method, 1.0, size), &expected)
}

#[test]
fn heavy_top_is_of_its_order_in_everything() {
    for (order, h, close) in [(2, 1e-3, 0.12), (4, 5e-4, 0.15)] {
        for projection in [Projection::On, Projection::Off] {
            let run = |h: f64| heavy_top_errors(LocalLinearization { projection, ..of_order(order) }, || h);
            let (coarse, fine) = (run(h), run(0.5 * h));
            for (k, (c, f)) in coarse.iter().zip(&fine).enumerate() {
                let observed = (c / f).log2();
                let what = format!("{projection:?}, quantity {k}: order {observed:.3} instead of {order} ({c:.2e} → {f:.2e})");
                assert!((observed - order as f64).abs() < close, "{what}");
            }
        }
        let random = |h: f64| {
            let mut random = Random::new(4);
            heavy_top_errors(of_order(order), || h * 2f64.powf(random.range(-0.5, 0.5)))
        };
        let (coarse, fine) = (random(h), random(0.25 * h));
        let observed = (coarse[0] / fine[0]).log2() / 2.0;
        assert!((observed - order as f64).abs() < 0.2, "random steps: order {observed:.2}");
    }
}

/// A spatial four-bar: a crank and a rocker on skew axes, joined by a coupler with a spherical and a universal joint, the crank driven by a
/// spring and the rocker by a motion-like push in time.
fn spatial_four_bar() -> Model {
    let mut model = Model::new("spatial four-bar");
    model.set_gravity([0.0, 0.0, -9.81]);
    let rod = |name: &str| Body::rigid(name, 1.0, Inertia::cuboid(1.0, 0.4, 0.3, 0.2));
    let crank = model.add_body(rod("crank").at([0.0, 0.2, 0.0]));
    let coupler = model.add_body(rod("coupler").at([0.5, 0.4, 0.2]));
    let rocker = model.add_body(rod("rocker").at([1.0, 0.2, 0.4]));
    let mut pin = |one: BodyId, at: [f64; 3], other: BodyId, there: [f64; 3], z: [f64; 3]| {
        let i = model.add_marker(Marker::on(one).at(at).z_along(z));
        (i, model.add_marker(Marker::on(other).at(there).z_along(z)))
    };
    let a = pin(crank, [0.0, -0.2, 0.0], BodyId::GROUND, [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let b = pin(coupler, [-0.5, 0.0, -0.2], crank, [0.0, 0.2, 0.0], [0.0, 0.0, 1.0]);
    let c = pin(coupler, [0.5, 0.0, 0.2], rocker, [0.0, 0.2, 0.0], [0.0, 0.0, 1.0]);
    let d = pin(rocker, [0.0, -0.2, 0.0], BodyId::GROUND, [1.0, 0.0, 0.4], [1.0, 0.0, 0.0]);
    model.add_joint(Joint::new("A", Revolute, a.0, a.1));
    model.add_joint(Joint::new("B", Spherical, b.0, b.1));
    model.add_joint(Joint::new("C", Spherical, c.0, c.1));
    model.add_joint(Joint::new("D", Revolute, d.0, d.1));
    model.add_force(RotationalSpringDamper::new("spring", a.0, a.1).stiffness(40.0).damping(0.3).free_angle(0.4));
    model
}

#[test]
fn a_spatial_four_bar_is_of_its_order_and_its_constraints_hold() {
    let system = System::new(&spatial_four_bar()).unwrap();
    let fine = walk(&system, method(), 0.5, || 2.5e-4);
    for order in [2, 4] {
        let error = |h: f64| gap(&walk(&system, of_order(order), 0.5, || h), &fine);
        let observed = (error(8e-3) / error(4e-3)).log2();
        assert!((observed - order as f64).abs() < 0.15, "order {observed:.2} instead of {order}");
        let run = |projection: Projection| {
            let method = LocalLinearization { projection, ..of_order(order) };
            system.violation(&walk(&system, method, 0.5, || 4e-3), &mut cardan::system::Work::new(&system))
        };
        let (kept, drifting) = (run(Projection::On), run(Projection::Off));
        assert!(kept.0 < 1e-13 && kept.1 < 1e-12, "{kept:?}");
        assert!(drifting.0 > 1e-9 && drifting.0 < 1e-3, "{drifting:?}");
    }
}

/// The estimate falls with one order more than that of the formula it is the error of: with order 4 the one of order 3 within it.
#[test]
fn the_error_estimate_is_the_local_error() {
    let system = System::new(&spatial_four_bar()).unwrap();
    let start = assemble(&system).unwrap().state;
    let before = walk(&system, method(), 0.2, || 1e-3);
    for (order, estimated) in [(2, 3.0), (4, 4.0)] {
        let estimate = |h: f64| {
            let mut stepper = Stepper::new(&system, Arc::new(of_order(order)), Options::default(), &start, &[]);
            stepper.start(&before, h).unwrap();
            // With looser tolerances the turns of a step say more than its error.
            stepper.attempt(h, Some(1e-6)).unwrap().unwrap().ratio
        };
        let observed = (estimate(4e-3) / estimate(2e-3)).log2();
        assert!((observed - estimated).abs() < 0.1, "order {observed:.2}");
    }
}

/// States within one step, on the constraints, against small steps to there; with a loop, and with stiff springs.
#[test]
fn the_dense_output_has_the_order_of_the_steps() {
    for (model, h) in [(spatial_four_bar(), 8e-3), (links(3), 8e-3), (stiff_double_pendulum(), 2e-5)] {
        let system = System::new(&model).unwrap();
        let start = assemble(&system).unwrap().state;
        let largest = |h: f64| {
            let mut stepper = Stepper::new(&system, Arc::new(method()), Options::default(), &start, &[]);
            stepper.start(&start, h).unwrap();
            stepper.attempt(h, None).unwrap();
            let error = |part: f64| {
                let t = start.t + part * h;
                let mut x = stepper.between(t).unwrap();
                stepper.project(&mut x).unwrap();
                gap(&x, &walk(&system, method(), t, || h / 40.0))
            };
            [0.1, 0.3, 0.5, 0.8, 1.0].map(error).into_iter().fold(0.0, f64::max)
        };
        let (coarse, fine) = (largest(h), largest(0.5 * h));
        assert!((coarse / fine).log2() > 3.8, "{}: {coarse:.1e} → {fine:.1e}", model.name());
    }
}

/// What the linear equations miss is accelerations too: those of the dense output meet the ones at the ends of the step.
#[test]
fn accelerations_within_a_step_are_those_of_the_equations() {
    let system = System::new(&spatial_four_bar()).unwrap();
    let start = assemble(&system).unwrap().state;
    let gaps = |h: f64| {
        let mut stepper = Stepper::new(&system, Arc::new(method()), Options::default(), &start, &[]);
        stepper.start(&start, h).unwrap();
        stepper.attempt(h, None).unwrap();
        let error = |part: f64| {
            let x = stepper.between(start.t + part * h).unwrap();
            let (mut exact, mut work) = (x.clone(), cardan::system::Work::new(&system));
            cardan::system::Kkt::new(&system).accelerate(&system, &mut exact, &mut work).unwrap();
            distance(&x.a, &exact.a)
        };
        [0.0, 0.4, 1.0].map(error)
    };
    let (coarse, fine) = (gaps(8e-3), gaps(4e-3));
    assert!(coarse[0] < 1e-9, "{:.1e}", coarse[0]);
    for (coarse, fine) in coarse.iter().zip(&fine).skip(1) {
        assert!((coarse / fine).log2() > 3.5, "{coarse:.1e} → {fine:.1e}");
    }
}

#[test]
fn adaptive_runs_keep_their_tolerance() {
    let system = System::new(&heavy_top()).unwrap();
    let expected = numbers(&reference("tops")["cases"]["heavy_top_wz_4.61538"]["state"]);
    let laws = [(Law::Elementary, ErrorPer::Step), (Law::ProportionalIntegral, ErrorPer::UnitStep)];
    for ((control, error), order) in laws.into_iter().flat_map(|law| [(law, 2), (law, 4)]) {
        let method = LocalLinearization { control, error, ..of_order(order) };
        let run = |tolerance: f64| {
            let results = Simulation::new(&system).method(method).tolerance(tolerance).record(Record::Ends).run(1.0).unwrap();
            (top_errors(results.last().unwrap(), &expected)[0], results.statistics)
        };
        let runs = [1e-2, 1e-3, 1e-4].map(run);
        for pair in runs.windows(2) {
            assert!(pair[1].0 < 0.4 * pair[0].0, "{control:?}, order {order}: {:.1e} → {:.1e}", pair[0].0, pair[1].0);
            assert!(pair[1].1.steps > pair[0].1.steps);
        }
        assert!(runs[2].1.rejected < runs[2].1.steps / 5, "{:?}", runs[2].1);
    }
}

/// A mass on a stiff one-sided spring: free flight, contact, flight; with any step the same events, to round-off.
#[test]
fn events_at_corners_are_located_exactly() {
    let mut model = Model::new("ball");
    model.set_gravity([0.0, -9.81, 0.0]);
    let ball = model.add_body(Body::point_2d("ball", 1.0).at([0.0, 1.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(ball).named("i")), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(ExpressionForce::vector("contact", i, j, j, ["0", "MAX(0, -1e5*DY(i))", "0"]));
    let system = System::new(&model).unwrap();
    let (g, k) = (9.81_f64, 1e5_f64);
    let fall = (2.0 / g).sqrt();
    // Contact: y = (g/k)(1 − cos ωt) − (v/ω) sin ωt, left where it returns to zero.
    let (omega, v) = (k.sqrt(), g * fall);
    let contact = (std::f64::consts::TAU - 2.0 * (v * omega / g).atan()) / omega;
    for h in [0.01, 1e-3] {
        let event = Event::new("touch", |x| x.q[1]);
        let results = Simulation::new(&system).method(method()).step(h).event(event).run(2.0).unwrap();
        let times: Vec<f64> = results.events.iter().map(|e| e.t).collect();
        let expected = [fall, fall + contact, 3.0 * fall + contact, 3.0 * fall + 2.0 * contact];
        for (t, e) in times.iter().zip(expected) {
            assert!((t - e).abs() < 1e-12, "step {h}: {times:?} instead of {expected:?}");
        }
        assert!(times.len() >= 4);
    }
}

/// Hinged links.
fn links(count: usize) -> Model {
    let mut model = Model::new("links");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut before = Marker::on(BodyId::GROUND);
    for k in 0..count {
        let link =
            model.add_body(Body::rigid(&format!("link{k}"), 1.0, Inertia::cuboid(1.0, 1.0, 0.1, 0.2)).at([k as f64 + 0.5, 0.0, 0.0]));
        let z = [0.1 * k as f64, 1.0, 0.0];
        let (i, j) = (model.add_marker(Marker::on(link).at([-0.5, 0.0, 0.0]).z_along(z)), model.add_marker(before.z_along(z)));
        model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
        model.add_force(RotationalSpringDamper::new(&format!("spring{k}"), i, j).stiffness(300.0).damping(0.5));
        before = Marker::on(link).at([0.5, 0.0, 0.0]);
    }
    model
}

#[test]
fn products_give_what_the_dense_matrix_gives() {
    let system = System::new(&links(6)).unwrap();
    for order in [2, 4] {
        let run = |dense: usize| walk(&system, LocalLinearization { dense, ..of_order(order) }, 0.1, || 5e-3);
        let (matrix, products) = (run(1000), run(0));
        assert!(gap(&matrix, &products) < 1e-7 * (1.0 + distance(&matrix.v, &[0.0; 36])), "{:.1e}", gap(&matrix, &products));
    }
    let large = System::new(&links(40)).unwrap();
    let results = Simulation::new(&large).method(method()).tolerance(1e-4).run(0.02).unwrap();
    assert!(results.statistics.steps < 100, "{:?}", results.statistics);
}

/// Parallel hinges in space hold some directions twice.
#[test]
fn redundant_constraints_are_followed() {
    let mut model = Model::new("parallelogram");
    model.set_gravity([0.0, -9.81, 0.0]);
    let bar = |name: &str, at: [f64; 3]| Body::rigid(name, 1.0, Inertia::cuboid(1.0, 0.3, 0.2, 0.1)).at(at);
    let left = model.add_body(bar("left", [0.0, -0.5, 0.0]));
    let right = model.add_body(bar("right", [1.0, -0.5, 0.0]));
    let table = model.add_body(bar("table", [0.5, -1.0, 0.0]).spinning([0.0, 0.0, 0.0]).moving([2.0, 0.0, 0.0]));
    let mut hinge = |name: &str, one: (BodyId, [f64; 3]), other: (BodyId, [f64; 3])| {
        let [i, j] = [one, other].map(|(body, at)| model.add_marker(Marker::on(body).at(at)));
        model.add_joint(Joint::new(name, Revolute, i, j));
    };
    hinge("A", (left, [0.0, 0.5, 0.0]), (BodyId::GROUND, [0.0, 0.0, 0.0]));
    hinge("B", (right, [0.0, 0.5, 0.0]), (BodyId::GROUND, [1.0, 0.0, 0.0]));
    hinge("C", (table, [-0.5, 0.0, 0.0]), (left, [0.0, -0.5, 0.0]));
    hinge("D", (table, [0.5, 0.0, 0.0]), (right, [0.0, -0.5, 0.0]));
    let system = System::new(&model).unwrap();
    for order in [2, 4] {
        let run = |h: f64| Simulation::new(&system).method(of_order(order)).step(h).record(Record::Ends).run(1.0).unwrap();
        let (coarse, fine, finest) = (run(0.02), run(0.01), run(1e-3));
        let error = |r: &Results| gap(r.last().unwrap(), finest.last().unwrap());
        let observed = (error(&coarse) / error(&fine)).log2();
        assert!((observed - order as f64).abs() < 0.2, "order {observed:.2} instead of {order}");
        assert!(coarse.position_violation < 1e-11, "{:.1e}", coarse.position_violation);
    }
}

#[test]
fn parameters_are_known_by_name() {
    let word = |name: &str, value: &str| method().with(name, Parameter::Word(value)).map(|m| format!("{m:?}"));
    assert!(word("control", "pi").unwrap().contains("ProportionalIntegral"));
    assert!(word("error", "unit-step").unwrap().contains("UnitStep"));
    assert!(word("projection", "off").unwrap().contains("Off"));
    assert!(word("projection", "sometimes").is_none() && word("alpha", "on").is_none());
    assert!(method().with("control", Parameter::Number(1.0)).is_none());
    let order = |order: f64| method().with("order", Parameter::Number(order));
    assert_eq!(order(2.0).unwrap().order(), 2);
    assert!(order(3.0).unwrap().mistake().unwrap().contains("2 or 4") && order(2.5).is_none());
    assert!([method(), of_order(2), of_order(4)].iter().all(|m| m.mistake().is_none()));
}

/// In the norm of papers the default is the method of the paper, to the last digit.
#[test]
fn the_default_order_is_4_and_that_of_the_paper_in_its_norm() {
    let system = System::new(&spatial_four_bar()).unwrap();
    let end = |method: LocalLinearization, norm: Norm| {
        Simulation::new(&system).method(method).norm(norm).tolerance(1e-4).record(Record::Ends).run(0.1).unwrap().last().unwrap().clone()
    };
    assert_eq!(end(method(), Norm::Motion), end(of_order(4), Norm::Motion));
    assert_eq!(end(method(), Norm::Paper), end(of_order(2), Norm::Paper));
    assert_ne!(end(of_order(4), Norm::Paper), end(of_order(2), Norm::Paper));
}
