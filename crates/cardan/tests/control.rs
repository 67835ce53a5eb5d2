//! Blocks, variables that are solved for, sampled controllers: values by hand, equivalent models, exact times, mistakes.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::control::KINDS;
use cardan::integrators::{Method, all, implicit};
use cardan::prelude::*;
use std::sync::Arc;

/// A mass at rest beside what the test adds.
fn beside(build: impl FnOnce(&mut Model)) -> Model {
    let mut model = Model::new("signals");
    model.add_body(Body::point("mass", 1.0));
    build(&mut model);
    model
}

/// The channels of some names at the end of a run, and at all samples.
fn run(model: &Model, tolerance: f64, t_end: f64, names: &[&str]) -> Vec<Vec<f64>> {
    let system = System::new(model).unwrap_or_else(|error| panic!("{error}"));
    let results = Simulation::new(&system).tolerance(tolerance).run(t_end).unwrap_or_else(|error| panic!("{error}"));
    channels(&system, &results, names)
}

fn channels(system: &System, results: &Results, names: &[&str]) -> Vec<Vec<f64>> {
    let mut channels = Channels::new(system);
    let mut row = vec![0.0; channels.list().len()];
    let places: Vec<usize> = names.iter().map(|name| channels.index(name).unwrap_or_else(|| panic!("no channel {name}"))).collect();
    let mut out = vec![Vec::new(); names.len()];
    for sample in &results.samples {
        channels.fill(system, sample, &mut row);
        out.iter_mut().zip(&places).for_each(|(list, place)| list.push(row[*place]));
    }
    out
}

/// The end value of a block of this kind fed with `input`.
fn answer(kind: &str, input: &str, t_end: f64, set: impl FnOnce(Block) -> Block) -> f64 {
    let model = beside(|m| m.add_block(set(Block::new(kind, "b").set("input", input))));
    *run(&model, 1e-8, t_end, &["b"])[0].last().unwrap()
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
}

#[test]
fn linear_blocks_answer_as_worked_out_by_hand() {
    close(answer("gain", "TIME", 2.0, |b| b.set("gain", -3.0)), -6.0, 1e-12, "gain");
    close(
        answer("transfer-function", "1", 1.0, |b| b.set("num", [2.0]).set("den", [0.5, 1.0])),
        2.0 - 2.0 * (-2.0_f64).exp(),
        1e-6,
        "first order",
    );
    let lead = answer("transfer-function", "1", 0.7, |b| b.set("num", [2.0, 1.0]).set("den", [1.0, 1.0]));
    close(lead, 1.0 + (-0.7_f64).exp(), 1e-6, "direct part");
    let second = answer("transfer-function", "1", 1.3, |b| b.set("num", [4.0]).set("den", [1.0, 0.0, 4.0]));
    close(second, 1.0 - 2.6_f64.cos(), 1e-5, "oscillator");
    close(answer("integrator", "COS(TIME)", 1.0, |b| b.set("initial", 2.0)), 2.0 + 1.0_f64.sin(), 5e-6, "integrator");
    let omega = 2.0 * std::f64::consts::PI;
    close(answer("low-pass", "1", 0.4, |b| b.set("frequency", 1.0)), 1.0 - (-0.4 * omega).exp(), 1e-6, "low-pass");
    close(answer("high-pass", "1", 0.4, |b| b.set("frequency", 1.0)), (-0.4 * omega).exp(), 1e-6, "high-pass");
    let settled = answer("notch", "SIN(2*PI*TIME)", 10.0, |b| b.set("frequency", 1.0).set("damping", 0.5));
    close(settled, 0.0, 1e-5, "notch");
    close(answer("delay", "SIN(3*TIME)", 5.0, |b| b.set("time", 0.4).set("order", 4.0)), (3.0_f64 * 4.6).sin(), 1e-3, "delay");
    close(answer("actuator", "5", 1.0, |b| b.set("time_constant", 0.5).set("upper", 2.0)), 2.0 - 2.0 * (-2.0_f64).exp(), 1e-6, "actuator");
}

#[test]
fn nonlinear_blocks_and_tables_answer_as_worked_out_by_hand() {
    let limits = |b: Block| b.set("lower", -1.0).set("upper", 2.0);
    for (u, clamped) in [(-3.0, -1.0), (0.5, 0.5), (7.0, 2.0)] {
        close(answer("saturation", &format!("{u}*TIME"), 1.0, limits), clamped, 1e-12, "saturation");
        close(answer("dead-zone", &format!("{u}*TIME"), 1.0, limits), u - clamped, 1e-12, "dead zone");
        let smooth = 0.5 + 1.5 * ((u - 0.5) / 1.5).tanh();
        close(answer("saturation", &format!("{u}*TIME"), 1.0, |b| limits(b).set("smooth", true)), smooth, 1e-12, "smooth");
    }
    close(answer("rate-limit", "10", 1.0, |b| b.set("rising", 3.0)), 3.0, 1e-6, "rate limit");
    let table = |b: Block| b.set("x", [0.0, 1.0, 3.0]).set("y", [0.0, 2.0, 0.0]);
    close(answer("lookup", "2*TIME", 1.0, table), 1.0, 1e-12, "lookup");
    close(answer("lookup", "9*TIME", 1.0, table), 0.0, 1e-12, "beyond the table");
    let plane = beside(|m| {
        let z = vec![vec![0.0, 4.0], vec![2.0, 6.0], vec![8.0, 0.0]];
        let block = Block::new("lookup-2d", "b").set("inputs", ["1.5", "0.25"]).set("x", [0.0, 1.0, 2.0]).set("y", [0.0, 1.0]);
        m.add_block(block.set("z", z));
    });
    close(run(&plane, 1e-6, 0.1, &["b"])[0][0], 0.5 * 3.0 + 0.5 * 6.0, 1e-12, "lookup-2d");
}

/// A relay with hysteresis on a sine: on at asin(0.5), off at π + asin(0.5), exactly.
#[test]
fn a_relay_switches_exactly_where_it_should_and_keeps_its_state_in_between() {
    let model = beside(|m| {
        m.add_block(Block::new("relay", "r").set("input", "SIN(TIME)").set("on_above", 0.5).set("off_below", -0.5).set("on", 2.0));
        m.add_state(Differential::new("integral", "VARVAL(r)", 0.0));
    });
    let system = System::new(&model).unwrap();
    for method in implicit().into_iter().filter(|m| !m.undamped()) {
        let results = Simulation::new(&system).shared_method(method.clone()).tolerance(1e-6).run(6.0).unwrap();
        let (on, off) = (0.5_f64.asin(), std::f64::consts::PI + 0.5_f64.asin());
        let times: Vec<f64> = results.events.iter().map(|e| e.t).collect();
        assert_eq!(times.len(), 2, "{}: {times:?}", method.name());
        assert!((times[0] - on).abs() < 1e-12 && (times[1] - off).abs() < 1e-12, "{}: {times:?}", method.name());
        assert!((results.last().unwrap().x[0] - 2.0 * (off - on)).abs() < 1e-9, "{}", method.name());
    }
}

/// y = 3 − 0.5 z, z = 2 y: y = 1.5; a loop that pushes a mass.
#[test]
fn loops_of_variables_are_solved_with_the_motion_in_every_method() {
    let mut model = beside(|m| {
        m.add_variable(Variable::new("y", "3 - 0.5*VARVAL(z) - 0.25*ACCX(mass)"));
        m.add_variable(Variable::new("z", "2*VARVAL(y)"));
    });
    let mass = BodyId::GROUND;
    let (i, j) = (model.add_marker(Marker::on(mass).named("g")), model.add_marker(Marker::on(mass)));
    assert_ne!(i, j);
    let mut moving = Model::new("pushed");
    let mass = moving.add_body(Body::point("mass", 1.0));
    let (i, j) = (moving.add_marker(Marker::on(mass)), moving.add_marker(Marker::on(BodyId::GROUND)));
    moving.add_variable(Variable::new("y", "3 - 0.5*VARVAL(z) - 0.25*ACCX(mass)"));
    moving.add_variable(Variable::new("z", "2*VARVAL(y)"));
    moving.add_force(ExpressionForce::vector("push", i, j, j, ["VARVAL(z)", "0", "0"]));
    let system = System::new(&moving).unwrap();
    // y = 3 − y − y/2 since a = 2 y.
    for method in all() {
        let results = Simulation::new(&system).shared_method(method.clone()).step(0.01).run(1.0).unwrap();
        let found = channels(&system, &results, &["y", "mass.acceleration.x"]);
        for (y, a) in found[0].iter().zip(&found[1]) {
            assert!((y - 1.2).abs() < 1e-9 && (a - 2.4).abs() < 1e-9, "{}: y {y}, a {a}", method.name());
        }
    }
}

#[test]
fn a_variable_may_be_solved_for_in_its_own_equation() {
    let model = beside(|m| m.add_variable(Variable::new("y", "COS(VARVAL(y)) + TIME").solved_from(0.5)));
    for y in run(&model, 1e-6, 0.1, &["y"])[0].iter().take(1) {
        close(*y, 0.739_085_133_215_160_6, 1e-12, "fixed point of the cosine");
    }
}

#[test]
fn a_loop_of_gain_one_is_named() {
    let model = beside(|m| {
        m.add_variable(Variable::new("a", "VARVAL(b) + 1"));
        m.add_variable(Variable::new("b", "VARVAL(a)"));
    });
    let error = assemble(&System::new(&model).unwrap()).unwrap_err().to_string();
    assert!(error.contains("the algebraic loop a → b → a") && error.contains("gain is 1"), "{error}");
}

/// ẋ³ + ẋ = −2 x, against the same rate from Cardano's formula; and one that says nothing about the rate.
#[test]
fn implicit_differential_equations_are_solved_for_the_rate() {
    let model = beside(|m| {
        m.add_state(Differential::implicit("x", "DIF1(x)**3 + DIF1(x) + 2*DIF(x)", 1.0));
        let root = "SQRT(VARVAL(p)**2 + 1/27)";
        m.add_variable(Variable::new("p", "DIF(y)"));
        m.add_state(Differential::new("y", format!("({root} - VARVAL(p))**(1/3) - ({root} + VARVAL(p))**(1/3)"), 1.0));
    });
    let found = run(&model, 1e-8, 1.0, &["x", "y"]);
    close(*found[0].last().unwrap(), *found[1].last().unwrap(), 1e-6, "x");
    let silent = beside(|m| m.add_state(Differential::implicit("x", "DIF(x) - TIME", 0.0)));
    let error = assemble(&System::new(&silent).unwrap()).unwrap_err().to_string();
    assert!(error.contains("the equation of state 'x' does not determine DIF1(x)"), "{error}");
}

#[test]
fn a_pid_controller_with_limits_winds_down_at_once() {
    let plant = |tracking: f64| {
        beside(|m| {
            let pid = Block::new("pid", "pid").set("input", "1 - y").set("kp", 2.0).set("ki", 4.0).set("kd", 0.1).set("filter_time", 0.01);
            m.add_block(pid.set("lower", -0.2).set("upper", 1.2).set("tracking_time", tracking));
            m.add_state(Differential::new("y", "VARVAL(pid) - DIF(y)", 0.0));
        })
    };
    let highest = |tracking| run(&plant(tracking), 1e-6, 12.0, &["y"])[0].iter().fold(0.0_f64, |m, y| m.max(*y));
    let (with, without) = (highest(0.1), highest(1e6));
    assert!(with < 1.03 && without > 1.1, "overshoot with {with}, without {without}");
    close(*run(&plant(0.1), 1e-6, 12.0, &["y"])[0].last().unwrap(), 1.0, 1e-3, "set point");
}

/// ẋ = −x + u with u = −x sampled every T: x_{k+1} = e^{−T} x_k − (1 − e^{−T}) x_k.
#[test]
fn sampled_feedback_is_exact_at_exact_times_in_every_method() {
    let model = beside(|m| {
        m.add_block(Block::new("hold", "u").set("input", "-x").set("sample_time", 0.1));
        m.add_state(Differential::new("x", "VARVAL(u) - DIF(x)", 1.0));
    });
    let system = System::new(&model).unwrap();
    let decay = 2.0 * (-0.1_f64).exp() - 1.0;
    for method in all() {
        let simulation = Simulation::new(&system).shared_method(method.clone());
        let simulation = if method.adaptive() && !method.undamped() { simulation.tolerance(1e-8) } else { simulation.step(1e-3) };
        let results = simulation.run(1.0).unwrap();
        let allowed = if method.order() == 1 { 1e-3 } else { 2e-6 };
        for k in 1..10 {
            let t = f64::from(k) * 0.1;
            let sample = results.samples.iter().find(|s| s.state.t == t);
            let x = sample.unwrap_or_else(|| panic!("{}: no sample at exactly {t}", method.name())).state.x[0];
            assert!((x - decay.powi(k)).abs() < allowed, "{} at {t}: {x} instead of {}", method.name(), decay.powi(k));
        }
    }
}

/// y[k] = 0.5 y[k−1] + u[k] as a transfer function and in state space, behind a hold of the same period.
#[test]
fn sampled_blocks_follow_their_difference_equations() {
    let model = beside(|m| {
        m.add_block(
            Block::new("discrete-transfer-function", "y")
                .set("input", "u")
                .set("num", [1.0, 0.0])
                .set("den", [1.0, -0.5])
                .set("sample_time", 0.1),
        );
        let (one, half) = (vec![vec![1.0]], vec![vec![0.5]]);
        let space = Block::new("discrete-state-space", "z")
            .set("inputs", ["u"])
            .set("a", half.clone())
            .set("b", half)
            .set("c", one.clone())
            .set("d", one);
        m.add_block(space.set("sample_time", 0.1));
        m.add_block(Block::new("hold", "u").set("input", "1 + TIME").set("sample_time", 0.1));
        let pid = Block::new("sampled-pid", "p").set("input", "1 + TIME").set("kp", 2.0).set("ki", 3.0).set("kd", 0.1);
        m.add_block(pid.set("sample_time", 0.1));
    });
    let system = System::new(&model).unwrap();
    let results = Simulation::new(&system).step(0.05).run(1.0).unwrap();
    let found = channels(&system, &results, &["time", "y", "z", "p"]);
    let (mut y, mut integral, mut last) = (0.0, 0.0, 0.0);
    for k in 0..10 {
        let u = 1.0 + f64::from(k) * 0.1;
        y = 0.5 * y + u;
        let p = 2.0 * u + integral + 0.1 * (u - last) / 0.1;
        (integral, last) = (integral + 0.1 * 3.0 * u, u);
        let at = found[0].iter().position(|t| (t - f64::from(k) * 0.1 - 0.05).abs() < 1e-9).unwrap();
        close(found[1][at], y, 1e-12, "transfer function");
        close(found[2][at], y, 1e-12, "state space");
        close(found[3][at], p, 1e-12, "pid");
    }
}

#[test]
fn mistakes_with_blocks_are_named() {
    let message = |block: Block| {
        let model = beside(|m| {
            m.add_block(block);
            m.add_sensor(Sensor::new("angle", "DX(mass)"));
        });
        System::new(&model).unwrap_err().to_string()
    };
    let unknown = message(Block::new("gain", "g").set("input", "angel").set("gain", 1.0));
    assert!(
        unknown.contains("block 'g', input") && unknown.contains("called angel") && unknown.contains("did you mean angle"),
        "{unknown}"
    );
    let loose = message(Block::new("gain", "g").set("gain", 1.0));
    assert!(loose.contains("block 'g': 'input' is not connected"), "{loose}");
    let kind = message(Block::new("gian", "g"));
    assert!(kind.contains("no kind of block 'gian'; did you mean 'gain'?"), "{kind}");
    let key = message(Block::new("pid", "g").set("input", "angle").set("kpp", 1.0));
    assert!(key.contains("no key 'kpp'; did you mean 'kp'?"), "{key}");
    let improper = message(Block::new("transfer-function", "g").set("input", "angle").set("num", [1.0, 0.0]).set("den", [1.0]));
    assert!(improper.contains("it is not proper"), "{improper}");
    let marker = message(Block::new("expression", "g").set("function", "DX(nobody)"));
    assert!(marker.contains("block 'g', function: there is no marker called nobody"), "{marker}");
    let word = message(Block::new("gain", "a b").set("input", "1").set("gain", 1.0));
    assert!(word.contains("block 'a b': its name must be one word"), "{word}");
}

/// Every kind has keys with words, and is known by its own name only once.
#[test]
fn every_block_is_described() {
    for (k, kind) in KINDS.iter().enumerate() {
        assert!(KINDS[..k].iter().all(|other| other.name != kind.name), "{}", kind.name);
        assert!(!kind.summary.is_empty() && kind.keys.iter().all(|key| !key.summary.is_empty()), "{}", kind.name);
    }
    let _: Vec<Arc<dyn Method>> = all();
}
