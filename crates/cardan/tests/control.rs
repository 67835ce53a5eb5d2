//! Blocks, variables that are solved for, sampled controllers: values by hand, equivalent models, exact times, mistakes.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::control::KINDS;
use cardan::integrators::{Method, Stepper, all, implicit};
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
}

/// The controlled spring-mass of Brüls and Arnold, written in three ways.
fn spring_masses() -> [Model; 3] {
    let on_rail = {
        let mut model = Model::new("joint and blocks");
        let mass = model.add_body(Body::rigid("mass", 1.0, Inertia::ball(1.0, 0.1)).at([5.0, 0.0, 0.0]));
        let axis = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
        let i = model.add_marker(Marker::on(mass).oriented(axis).named("slide"));
        let j = model.add_marker(Marker::on(BodyId::GROUND).oriented(axis).named("guide"));
        model.add_joint(Joint::new("rail", Translational, i, j));
        model.add_sensor(Sensor::new("acceleration", "ACCX(mass)"));
        let filter = Block::new("state-space", "desired").set("inputs", ["acceleration"]).set("a", vec![vec![-0.1]]);
        model.add_block(filter.set("b", vec![vec![-1.4]]).set("c", vec![vec![1.0]]));
        model
            .add_block(Block::new("saturation", "actual").set("input", "desired").set("lower", -1.0).set("upper", 1.0).set("smooth", true));
        model.add_force(ExpressionForce::vector("actuator", i, j, i, ["0", "0", "VARVAL(actual) - DX(mass)"]));
        model
    };
    let point = |name: &str, force: &str, rate: &str| {
        let mut model = Model::new(name);
        let mass = model.add_body(Body::point_2d("mass", 1.0).at([5.0, 0.0, 0.0]));
        let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
        model.add_force(ExpressionForce::vector("actuator", i, j, j, [force, "0", "0"]));
        model.add_state(Differential::new("x", rate, 0.0));
        model
    };
    let mut loops = point("expressions", "VARVAL(actual) - DX(mass)", "-0.1*DIF(x) - 1.4*VARVAL(a)");
    loops.add_variable(Variable::new("a", "ACCX(mass)"));
    loops.add_variable(Variable::new("actual", "TANH(DIF(x))").solved_from(0.0));
    let raw = point("equations", "TANH(DIF(x)) - DX(mass)", "-0.1*DIF(x) + 1.4*DX(mass) - 1.4*TANH(DIF(x))");
    [on_rail, loops, raw]
}

fn controller(x: &State, system: &System) -> f64 {
    x.x[system.state("x").or_else(|| system.state("desired.x1")).unwrap()]
}

#[test]
fn joints_and_blocks_expressions_and_equations_give_the_same_digits() {
    let ends = spring_masses().map(|model| {
        let system = System::new(&model).unwrap();
        let results = Simulation::new(&system).method(GeneralizedAlpha { rho: 0.8 }).step(0.05).run(5.0).unwrap();
        let x = results.last().unwrap();
        [x.q[0], x.v[0], controller(x, &system)]
    });
    for other in &ends[1..] {
        for (a, b) in ends[0].iter().zip(other) {
            assert!((a - b).abs() < 1e-10, "{ends:?}");
        }
    }
}

/// Errors fall with the tolerance along a straight line in logarithms, up to a factor of three.
#[test]
fn errors_of_a_controlled_model_fall_steadily_with_the_tolerance() {
    let [model, _, _] = spring_masses();
    let system = System::new(&model).unwrap();
    let methods: [Arc<dyn Method>; 2] = [Arc::new(Hht::default()), Arc::new(GeneralizedAlpha { rho: 0.8 })];
    for method in methods {
        let tolerances = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7];
        let errors = tolerances.map(|tolerance| {
            let simulation = Simulation::new(&system).shared_method(method.clone()).tolerance(tolerance).record(Record::Ends);
            (simulation.run(5.0).unwrap().last().unwrap().q[0] / -0.566_053_023_185_347 - 1.0).abs()
        });
        let (x, y) = (tolerances.map(f64::log10), errors.map(f64::log10));
        let (mx, my) = (x.iter().sum::<f64>() / 5.0, y.iter().sum::<f64>() / 5.0);
        let slope = x.iter().zip(&y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / x.iter().map(|x| (x - mx).powi(2)).sum::<f64>();
        for (x, y) in x.iter().zip(&y) {
            let off = (y - my - slope * (x - mx)).abs();
            assert!(off < 3.0_f64.log10(), "{}: {errors:?}, off by {}", method.name(), 10.0_f64.powf(off));
        }
        assert!(slope > 0.5, "{}: slope {slope}, {errors:?}", method.name());
    }
}

/// A platform on a swinging arm: its own acceleration and the force of its joint are fed back through filters to a force on it.
fn platform() -> Model {
    let mut model = Model::new("platform");
    model.set_gravity([0.0, 0.0, -9.81]);
    let arm = model.add_body(Body::rigid("arm", 2.0, Inertia::cuboid(2.0, 1.0, 0.1, 0.1)).at([0.5, 0.0, 0.0]));
    let platform =
        model.add_body(Body::rigid("platform", 5.0, Inertia::cuboid(5.0, 0.6, 0.6, 0.1)).at([1.0, 0.0, -0.3]).spinning([0.3, 0.0, 0.0]));
    let turned = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    let root = model.add_marker(Marker::on(BodyId::GROUND).oriented(turned).named("root"));
    let foot = model.add_marker(Marker::on(arm).at([-0.5, 0.0, 0.0]).oriented(turned).named("foot"));
    let tip = model.add_marker(Marker::on(arm).at([0.5, 0.0, 0.0]).named("tip"));
    let top = model.add_marker(Marker::on(platform).at([0.0, 0.0, 0.3]).named("top"));
    model.add_joint(Joint::new("hinge", Revolute, foot, root));
    model.add_joint(Joint::new("ball", Spherical, top, tip));
    let centre = model.add_marker(Marker::on(platform).named("centre"));
    let ground = model.add_marker(Marker::on(BodyId::GROUND).named("sky"));
    model.add_sensor(Sensor::new("shake", "ACCZ(centre)"));
    model.add_sensor(Sensor::new("load", "FZ(ball)"));
    model.add_block(Block::new("transfer-function", "speed").set("input", "shake").set("num", [1.0]).set("den", [1.0, 0.5]));
    model.add_block(Block::new("low-pass", "felt").set("input", "load").set("frequency", 2.0));
    model.add_block(Block::new("expression", "skyhook").set("function", "-20*speed - 0.3*felt - 0.2*shake"));
    model.add_force(ExpressionForce::vector("actuator", centre, ground, ground, ["0", "0", "VARVAL(skyhook)"]));
    let spring = ["-30*AX(platform)", "-30*AY(platform)", "0"];
    model.add_force(ExpressionForce::vector("pull", centre, ground, ground, spring));
    model
}

#[test]
fn acceleration_and_reaction_feedback_keep_order_two_in_accelerations_and_reactions() {
    let system = System::new(&platform()).unwrap();
    let end = |h: f64| {
        let start = assemble(&system).unwrap().state;
        let mut stepper = Stepper::new(&system, Arc::new(GeneralizedAlpha { rho: 0.8 }), Options::default(), &start, &[]);
        stepper.start(&start, h).unwrap();
        for _ in 0..(0.5 / h).round() as usize {
            stepper.attempt(h, None).unwrap();
            stepper.accept();
        }
        (stepper.now().a.clone(), stepper.now().lambda.clone())
    };
    let gap = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    let [a, b, c] = [0.004, 0.002, 0.001].map(end);
    for (what, first, second) in [("a", gap(&a.0, &b.0), gap(&b.0, &c.0)), ("λ", gap(&a.1, &b.1), gap(&b.1, &c.1))] {
        let order = (first / second).log2();
        assert!((order - 2.0).abs() < 0.1, "order {order:.3} in {what}");
    }
}

/// A sensor with noise is the same for the same seed, another for another, and has its deviation.
#[test]
fn noise_of_sensors_is_seeded_and_held() {
    let measured = |seed: u64| {
        let model = beside(|m| {
            let clock = cardan::control::Clock { period: 0.01, offset: 0.0 };
            let errors = cardan::model::SensorErrors { bias: 3.0, noise: 0.5, seed, clock: Some(clock) };
            m.add_sensor(Sensor::new("s", "0").errors(errors));
            m.add_block(Block::new("gain", "g").set("input", "s").set("gain", 2.0));
        });
        let system = System::new(&model).unwrap();
        let results = Simulation::new(&system).step(0.01).run(20.0).unwrap();
        channels(&system, &results, &["s", "g"])
    };
    let [first, again, other] = [measured(1), measured(1), measured(2)];
    assert!(first == again && first != other);
    assert!(first[0].iter().zip(&first[1]).all(|(s, g)| *g == 2.0 * s));
    let n = first[0].len() as f64;
    let mean = first[0].iter().sum::<f64>() / n;
    let deviation = (first[0].iter().map(|s| (s - mean).powi(2)).sum::<f64>() / n).sqrt();
    assert!((mean - 3.0).abs() < 0.05 && (deviation - 0.5).abs() < 0.05, "mean {mean}, deviation {deviation}");
}

/// Limits that are located, and an integrator that is reset, both at the instant they should.
#[test]
fn kinks_and_resets_are_located() {
    let model = beside(|m| {
        m.add_block(Block::new("saturation", "s").set("input", "2*TIME").set("lower", -1.0).set("upper", 1.0).set("locate", true));
        m.add_block(Block::new("integrator", "i").set("input", "1").set("reset", "TIME - 0.7").set("initial", 0.25));
    });
    let system = System::new(&model).unwrap();
    let results = Simulation::new(&system).tolerance(1e-6).run(1.0).unwrap();
    let times: Vec<(&str, f64)> = results.events.iter().map(|e| (e.name.as_str(), e.t)).collect();
    assert!(times.len() == 2 && times[0].0 == "s.upper" && times[1].0 == "i.reset", "{times:?}");
    assert!((times[0].1 - 0.5).abs() < 1e-12 && (times[1].1 - 0.7).abs() < 1e-12, "{times:?}");
    let end = channels(&system, &results, &["i"])[0].last().copied().unwrap();
    close(end, 0.25 + 0.3, 1e-9, "integral after its reset");
}

/// A cylinder against a blocked piston fills until its force is that of the supply pressure.
#[test]
fn a_hydraulic_cylinder_reaches_the_force_of_its_supply() {
    let model = beside(|m| {
        let block =
            Block::new("hydraulic-cylinder", "h").set("valve", "1").set("position", "0.1").set("speed", "0").set("areas", [2e-3, 1e-3]);
        let block = block.set("stroke", 0.2).set("dead_volume", 1e-5).set("bulk_modulus", 1.4e9).set("supply", 1e7).set("flow_gain", 1e-7);
        m.add_block(block);
    });
    let found = run(&model, 1e-5, 1.0, &["h"]);
    close(found[0][0], 0.5e7 * 1e-3, 1e-6, "at the start");
    close(*found[0].last().unwrap(), 2e4, 20.0, "at the end");
}

/// A pendulum on a turning arm, held upright by a controller that is sampled at 1 kHz, through a motor with inductance.
fn furuta() -> Model {
    let mut model = Model::new("furuta");
    model.set_gravity([0.0, 0.0, -9.81]);
    let start: f64 = 0.14;
    let arm = model.add_body(Body::rigid("arm", 0.3, Inertia::ball(0.3, 0.158)));
    let place = [0.2, -0.15 * start.sin(), 0.15 * start.cos()];
    let body = Body::rigid("pendulum", 0.1, Inertia::cuboid(0.1, 0.01, 0.01, 0.3)).at(place);
    let pendulum = model.add_body(body.oriented(Quat::from_axis_angle(&Vec3::x_axis(), start)));
    let shaft = model.add_marker(Marker::on(BodyId::GROUND).named("shaft"));
    let hub = model.add_marker(Marker::on(arm).named("hub"));
    let tip = model.add_marker(Marker::on(arm).at([0.2, 0.0, 0.0]).z_along([1.0, 0.0, 0.0]).named("tip"));
    let hinge = model.add_marker(Marker::on(pendulum).at([0.0, 0.0, -0.15]).z_along([1.0, 0.0, 0.0]).named("hinge"));
    model.add_joint(Joint::new("bearing", Revolute, hub, shaft));
    model.add_joint(Joint::new("pin", Revolute, hinge, tip));
    for (name, function) in [("theta", "AZ(hub, shaft)"), ("alpha", "AZ(hinge, tip)")] {
        model.add_sensor(Sensor::new(name, function));
        let rate = function.replace("AZ", "WZ").replace(')', &format!(", {})", if name == "theta" { "shaft" } else { "tip" }));
        model.add_sensor(Sensor::new(&format!("{name}_rate"), rate));
    }
    let pid = |name: &str, of: &str, kp: f64, ki: f64, kd: f64| {
        let block = Block::new("sampled-pid", name).set("input", of).set("rate", format!("{of}_rate")).set("kp", kp).set("ki", ki);
        block.set("kd", kd).set("sample_time", 1e-3)
    };
    model.add_block(pid("balance", "alpha", -99.96, 0.0, -12.43));
    model.add_block(pid("centre", "theta", 9.85, 0.5, 6.0));
    model.add_block(Block::new("saturation", "voltage").set("input", "balance + centre").set("lower", -12.0).set("upper", 12.0));
    let motor = Block::new("dc-motor", "motor").set("voltage", "voltage").set("speed", "theta_rate").set("resistance", 2.6);
    model.add_block(motor.set("inductance", 1.8e-3).set("torque_constant", 0.05));
    model.add_force(ExpressionForce::single("drive", hub, shaft, Line::Rotation, "VARVAL(motor)"));
    model
}

#[test]
fn a_sampled_controller_balances_a_pendulum_in_space_as_a_method_of_high_order_says() {
    let system = System::new(&furuta()).unwrap();
    let run = |method: Arc<dyn Method>, tolerance: f64, t_end: f64| {
        let results = Simulation::new(&system).shared_method(method).tolerance(tolerance).record(Record::Ends).run(t_end).unwrap();
        channels(&system, &results, &["theta", "alpha", "voltage"]).iter().map(|c| *c.last().unwrap()).collect::<Vec<_>>()
    };
    let (found, expected) = (run(Arc::new(GeneralizedAlpha::default()), 1e-7, 0.5), run(Arc::new(Radau), 1e-9, 0.5));
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{found} instead of {expected}");
    }
    let late = run(Arc::new(Hht::default()), 1e-5, 3.0);
    assert!(late[0].abs() < 0.05 && late[1].abs() < 0.005, "{late:?}");
}

/// The pressure behind which root(p) = r, with the smoothing of a damper's reservoir.
fn pressure(r: f64, reservoir: f64) -> f64 {
    let fourth = r.powi(4);
    (0.5 * (fourth + (fourth * fourth + 4.0 * fourth * (1e-2 * reservoir).powi(2)).sqrt())).sqrt()
}

#[test]
fn a_hydraulic_damper_has_the_pressures_of_its_flows() {
    let (a1, a2, p0, q, qc, u) = (5e-4, 9e-4, 5e5, 4e-7, 3e-6, 0.4);
    for v in [0.3_f64, -0.3] {
        let block = Block::new("hydraulic-damper", "d").set("valve", u).set("length", 0.1).set("speed", v).set("areas", [a1, a2]);
        let block = block.set("stroke", 0.2).set("dead_volume", 1e-5).set("bulk_modulus", 1e9).set("reservoir", p0);
        let model = beside(|m| m.add_block(block.set("flow_gain", q).set("check_gain", qc)));
        let found: Vec<f64> = run(&model, 1e-6, 0.5, &["d.p1", "d.p2", "d"]).iter().map(|list| *list.last().unwrap()).collect();
        let (p1, p2) = if v > 0.0 {
            (p0 + pressure(a1 * v / (q * u), p0), p0 - pressure(a2 * v / qc, p0))
        } else {
            let p1 = p0 + pressure((a2 - a1) * -v / (q * u), p0);
            (p1, p1 + pressure(a2 * -v / qc, p0))
        };
        close(found[0], p1, 1e-3 * p1, "rebound");
        close(found[1], p2, 1e-3 * p2, "compression");
        close(found[2], a2 * p2 - a1 * p1, 1.0, "force");
    }
}

#[test]
fn a_name_of_both_a_parameter_and_a_signal_is_a_mistake() {
    let model = beside(|m| {
        m.set_parameter("valve", 0.005);
        m.add_variable(Variable::new("valve", "TIME"));
        m.add_block(Block::new("gain", "g").set("input", "2*valve").set("gain", 1.0));
    });
    let error = System::new(&model).unwrap_err().to_string();
    assert!(error.contains("valve is a parameter or constant and a signal at once"), "{error}");
}
