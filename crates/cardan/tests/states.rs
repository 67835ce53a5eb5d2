//! Differential states: the controlled spring-mass of Brüls and Arnold, order of convergence, error control, equivalent models.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::integrators::{Method, Norm, Stepper, implicit};
use cardan::prelude::*;
use std::sync::Arc;

/// m q̈ + k q = tanh(x), ẋ = −σ x − b q̈: acceleration feedback through a saturated actuator.
fn spring_mass() -> System {
    let mut model = Model::new("controlled spring-mass");
    let mass = model.add_body(Body::point_2d("mass", 1.0).at([5.0, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(ExpressionForce::vector("actuator", i, j, j, ["TANH(VARVAL(command)) - DX(mass)", "0", "0"]));
    model.add_variable(Variable::new("command", "DIF(x)"));
    model.add_state(Differential::new("x", "-0.1*DIF(x) - 1.4*ACCX(mass)", 0.0));
    System::new(&model).unwrap()
}

/// q and x at t = 5 with these step sizes in turn, from a₀ and w₀ as the paper starts.
fn spring_mass_at_5(sizes: &[f64]) -> [f64; 2] {
    let system = spring_mass();
    let options = Options { startup: Startup::Consistent, ..Options::default() };
    let start = assemble(&system).unwrap().state;
    assert!((start.a[0] + 5.0).abs() < 1e-12 && (start.x_dot[0] - 7.0).abs() < 1e-12);
    let mut stepper = Stepper::new(&system, Arc::new(GeneralizedAlpha::new(0.8)), options, &start, &[]);
    stepper.start(&start, sizes[0]).unwrap();
    let steps = (5.0 / sizes.iter().sum::<f64>()).round() as usize * sizes.len();
    for k in 0..steps {
        stepper.attempt(sizes[k % sizes.len()], None).unwrap();
        stepper.accept();
    }
    assert!((stepper.now().t - 5.0).abs() < 1e-10);
    [(stepper.now().q[0] / -0.566_053_023_185_347 - 1.0).abs(), (stepper.now().x[0] / -3.340_324_670_314_635 - 1.0).abs()]
}

#[test]
fn the_controlled_spring_mass_has_the_errors_of_an_independent_program() {
    let expected = [
        ([0.1, 0.006792050362134241, 0.0024926565565987924], "fixed"),
        ([0.05, 0.001711248322359545, 0.0006251057374270572], "fixed"),
        ([0.025, 0.0004284859864424425, 0.00015642711026118148], "fixed"),
        ([0.1, 0.0024644515942065584, 0.0009189289468151077], "alternating"),
        ([0.05, 0.0006285527806837471, 0.00023137465526258707], "alternating"),
        ([0.025, 0.0001584540658901131, 5.822372309320804e-05], "alternating"),
    ];
    for ([h, q, x], steps) in expected {
        let found = if steps == "fixed" { spring_mass_at_5(&[h]) } else { spring_mass_at_5(&[0.3 * h, 0.7 * h]) };
        for (found, expected) in found.iter().zip([q, x]) {
            assert!((found / expected - 1.0).abs() < 0.01, "{steps} {h}: {found:e} instead of {expected:e}");
        }
    }
    let errors = [0.05, 0.025].map(|h| spring_mass_at_5(&[h]));
    for k in 0..2 {
        let order = (errors[0][k] / errors[1][k]).log2();
        assert!((order - 2.0).abs() < 0.02, "order {order}");
    }
}

#[test]
fn states_may_be_damped_more_than_the_motion() {
    let mut model = Model::new("stiff state");
    model.add_body(Body::planar("disk", 1.0, 0.1));
    model.add_state(Differential::new("x", "-1e9*DIF(x)", 1.0));
    let system = System::new(&model).unwrap();
    let left = |rho_states| {
        let method = GeneralizedAlpha { rho: 0.8, rho_states };
        fixed(&system, Arc::new(method), Formulation::Default, 0.1, 2.0).x[0].abs()
    };
    assert!(left(None) > 1e-3 && left(Some(0.8)) == left(None), "{}", left(None));
    assert!(left(Some(0.0)) < 1e-6, "{}", left(Some(0.0)));
}

/// A spinning body on a spherical joint, pushed by a filtered measurement of its own motion and reaction.
fn controlled_top(gain: f64) -> Model {
    let mut model = Model::new("controlled top");
    model.set_gravity([0.0, 0.0, -9.81]);
    let body = Body::rigid("top", 2.0, Inertia::cuboid(2.0, 0.3, 0.4, 0.2)).at([0.5, 0.1, -0.6]).spinning([0.5, 2.0, 3.0]);
    let top = model.add_body(body);
    let (i, j) = (model.add_marker(Marker::on(top).at([-0.5, -0.1, 0.6])), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("pivot", Spherical, i, j));
    let tip = model.add_marker(Marker::on(top).at([0.0, 0.0, -0.3]).named("tip"));
    model.set_parameter("gain", gain);
    let push = ["-gain*DIF(filter)", "gain*DIF(integral)", "-0.2*DIF1(filter)"];
    model.add_force(ExpressionForce::vector("push", tip, j, j, push));
    model.add_state(Differential::new("filter", "5*(VX(tip) + 0.05*FZ(pivot) - DIF(filter)) + 0.1*ACCY(tip)", 0.2));
    model.add_state(Differential::new("integral", "DY(tip) - 0.3*DIF(filter)", 0.0));
    model
}

fn fixed(system: &System, method: Arc<dyn Method>, formulation: Formulation, h: f64, t: f64) -> State {
    let simulation = Simulation::new(system).shared_method(method).formulation(formulation).step(h).record(Record::Ends);
    simulation.run(t).unwrap().last().unwrap().clone()
}

fn gap(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

#[test]
fn states_fed_back_into_a_constrained_mechanism_keep_the_order_of_the_method() {
    let system = System::new(&controlled_top(3.0)).unwrap();
    let methods: [Arc<dyn Method>; 3] = [Arc::new(Hht::default()), Arc::new(GeneralizedAlpha::default()), Arc::new(Newmark::new(0.6))];
    for method in methods {
        for formulation in [Formulation::Index3, Formulation::Index2] {
            let [a, b, c] = [0.004, 0.002, 0.001].map(|h| fixed(&system, method.clone(), formulation, h, 1.0));
            for part in [|x: &State| x.q.clone(), |x: &State| x.v.clone(), |x: &State| x.x.clone(), |x: &State| x.x_dot.clone()] {
                let order = (gap(&part(&a), &part(&b)) / gap(&part(&b), &part(&c))).log2();
                let expected = method.order() as f64;
                assert!((order - expected).abs() < 0.15, "{} {formulation:?}: order {order:.3}, expected {expected}", method.name());
            }
        }
    }
}

#[test]
fn the_error_falls_with_the_tolerance() {
    let system = System::new(&controlled_top(3.0)).unwrap();
    let exact = Simulation::new(&system).method(Radau).tolerance(1e-9).record(Record::Ends).run(1.0).unwrap().last().unwrap().x.clone();
    for method in implicit().into_iter().filter(|m| m.name() != "newmark") {
        let run = |tolerance: f64| {
            let simulation = Simulation::new(&system).shared_method(method.clone()).tolerance(tolerance).record(Record::Ends);
            simulation.run(1.0).unwrap_or_else(|error| panic!("{} at {tolerance:e}: {error}", method.name())).last().unwrap().x.clone()
        };
        let tolerances = [1e-4, 1e-5, 1e-6, 1e-7];
        let errors = tolerances.map(|tolerance| gap(&run(tolerance), &exact));
        // What is a quarter of the tolerance or less need not fall as quickly.
        let falls = |k: usize| errors[k] < 0.4 * errors[k - 1] || errors[k] < 0.25 * tolerances[k] && errors[k] < errors[k - 1];
        assert!((1..4).all(falls) && errors[3] < 1e-4, "{}: {errors:?}", method.name());
    }
}

/// States without any motion: ẋ = ω y, ẏ = −ω x from (0, 1), so that x = sin ωt.
#[test]
fn states_alone_are_controlled_by_their_own_error() {
    let mut model = Model::new("circle");
    let mass = model.add_body(Body::point("mass", 1.0));
    let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("weld", Spherical, i, j));
    model.add_state(Differential::new("x", "20*DIF(y)", 0.0));
    model.add_state(Differential::new("y", "-20*DIF(x)", 1.0));
    let system = System::new(&model).unwrap();
    for method in implicit().into_iter().filter(|m| m.name() != "newmark") {
        let run = |tolerance: f64| {
            let simulation = Simulation::new(&system).shared_method(method.clone()).tolerance(tolerance).record(Record::Interval(0.01));
            let results = simulation.run(1.0).unwrap();
            results.samples.iter().fold(0.0_f64, |m, s| m.max((s.state.x[0] - (20.0 * s.state.t).sin()).abs()))
        };
        let errors = [1e-5, 1e-6, 1e-7].map(run);
        assert!(errors[0] < 0.1 && errors.windows(2).all(|e| e[1] < 0.3 * e[0]), "{}: {errors:?}", method.name());
    }
}

/// The integral of the velocity is the position: with the trapezoidal rule to round-off.
#[test]
fn integral_feedback_of_velocity_is_a_spring() {
    let pulled = |function: &str| {
        let mut model = Model::new("integral");
        model.set_gravity([0.0, 0.0, -9.81]);
        let bob = model.add_body(Body::rigid("bob", 1.0, Inertia::ball(1.0, 0.2)).at([0.3, 0.0, -1.0]).moving([0.0, 1.0, 0.0]));
        let (i, j) = (model.add_marker(Marker::on(bob)), model.add_marker(Marker::on(BodyId::GROUND)));
        model.add_force(ExpressionForce::vector("pull", i, j, j, [&format!("-30*{function} - 0.5*VX(bob)"), "-20*DY(bob)", "-20*DZ(bob)"]));
        model.add_state(Differential::new("integral", "VX(bob)", 0.3));
        System::new(&model).unwrap()
    };
    let end = |function: &str| fixed(&pulled(function), Arc::new(Newmark::default()), Formulation::Index3, 0.01, 3.0);
    let (by_state, by_spring) = (end("DIF(integral)"), end("DX(bob)"));
    assert!(gap(&by_state.q, &by_spring.q) < 1e-10, "{:e}", gap(&by_state.q, &by_spring.q));
    assert!((by_state.x[0] - by_state.q[0]).abs() < 1e-10);
}

#[test]
fn sensors_events_channels_and_dense_output_see_states() {
    let mut model = Model::new("decay");
    model.add_body(Body::point("mass", 1.0));
    model.add_state(Differential::new("level", "-2*DIF(level)", 1.0));
    model.add_state(Differential::new("rate", "DIF1(level) - DIF(rate)", 0.0));
    model.add_sensor(Sensor::new("slope", "DIF1(level)"));
    let half = ModelEvent::new("half", "DIF(level) - 0.5").direction(Direction::Falling);
    model.add_event(half);
    let system = System::new(&model).unwrap();
    let simulation = Simulation::new(&system).tolerance(1e-8).record(Record::Interval(0.25));
    let results = simulation.run(1.0).unwrap();
    assert!((results.events[0].t - 0.5 * 2.0_f64.ln()).abs() < 1e-5, "{}", results.events[0].t);
    let mut channels = Channels::new(&system);
    let mut row = vec![0.0; channels.list().len()];
    for sample in &results.samples {
        channels.fill(&system, sample, &mut row);
        let t = sample.state.t;
        let exact = (-2.0 * t).exp();
        assert!((row[channels.index("level").unwrap()] - exact).abs() < 2e-5);
        assert!((row[channels.index("slope").unwrap()] + 2.0 * exact).abs() < 4e-5);
        assert!((row[channels.index("rate").unwrap()] - 2.0 * (exact - (-t).exp())).abs() < 2e-5);
    }
}

#[test]
fn mistakes_with_states_are_named() {
    let message = |build: &dyn Fn(&mut Model)| {
        let mut model = Model::new("mistake");
        let mass = model.add_body(Body::point("mass", 1.0));
        model.add_marker(Marker::on(mass).named("tip"));
        model.add_state(Differential::new("level", "-DIF(level)", 1.0));
        build(&mut model);
        System::new(&model).unwrap_err().to_string()
    };
    let unknown = message(&|m| m.add_state(Differential::new("y", "DIF(levl)", 0.0)));
    assert!(
        unknown.contains("state 'y'") && unknown.contains("no differential state called levl") && unknown.contains("level"),
        "{unknown}"
    );
    let twice = message(&|m| m.add_state(Differential::new("level", "0", 0.0)));
    assert!(twice.contains("two state elements called 'level'"), "{twice}");
    let infinite = message(&|m| m.add_state(Differential::new("y", "0", f64::NAN)));
    assert!(infinite.contains("state 'y': its initial value"), "{infinite}");
    let constraint = message(&|m| m.add_constraint(UserConstraint::expression("c", "DX(mass) - DIF(level)")));
    assert!(constraint.contains("DIF(level) is a differential state"), "{constraint}");
    let mut model = Model::new("fault");
    model.add_body(Body::point("mass", 1.0));
    model.add_state(Differential::new("y", "SQRT(DIF(y))", -1.0));
    let fault = assemble(&System::new(&model).unwrap()).unwrap_err().to_string();
    assert!(fault.contains("state 'y': square root of a negative number"), "{fault}");
}

/// A model of one state beside a mass at rest.
fn lonely(function: &str, initial: f64) -> System {
    let mut model = Model::new("lonely");
    model.add_body(Body::point("mass", 1.0));
    model.add_state(Differential::new("x", function, initial));
    System::new(&model).unwrap()
}

#[test]
fn a_stiff_state_is_followed_with_large_steps_after_its_transient() {
    let system = lonely("1E6*(SIN(TIME) - DIF(x))", 1.0);
    for method in implicit().into_iter().filter(|m| !m.undamped()) {
        let results = Simulation::new(&system).shared_method(method.clone()).tolerance(1e-5).record(Record::Ends).run(2.0).unwrap();
        let (error, steps) = ((results.last().unwrap().x[0] - 2.0_f64.sin()).abs(), results.statistics.steps);
        assert!(error < 1e-4 && steps < 500, "{}: error {error:e} after {steps} steps", method.name());
    }
}

#[test]
fn a_jump_in_a_rate_costs_small_steps_and_no_accuracy() {
    let system = lonely("IF(TIME - 0.5: 0, 1, 1)", 0.0);
    for method in implicit().into_iter().filter(|m| !m.undamped()) {
        let results = Simulation::new(&system).shared_method(method.clone()).tolerance(1e-6).record(Record::Ends).run(1.0).unwrap();
        let (error, steps) = ((results.last().unwrap().x[0] - 0.5).abs(), results.statistics.steps);
        assert!(error < 1e-5 && steps < 300, "{}: error {error:e} after {steps} steps", method.name());
    }
}

/// What a state's error is estimated from stands for another instant when the step changes; this must not look like error.
#[test]
fn steps_that_grow_with_a_decaying_state_are_not_rejected() {
    let system = lonely("2*(1 - DIF(x))", 0.0);
    let methods: [Arc<dyn Method>; 2] = [Arc::new(Hht::default()), Arc::new(GeneralizedAlpha::default())];
    for method in methods {
        let simulation = Simulation::new(&system).shared_method(method.clone()).norm(Norm::Paper).tolerance(1e-8);
        let results = simulation.record(Record::Ends).run(1.0).unwrap();
        let (error, statistics) = ((results.last().unwrap().x[0] - 1.0 + (-2.0_f64).exp()).abs(), results.statistics);
        let (steps, rejected) = (statistics.steps, statistics.rejected);
        assert!(error < 5e-6 && steps < 500 && rejected < 10, "{}: error {error:e}, {steps} steps, {rejected} rejected", method.name());
    }
}
