//! What blocks answer, worked out by hand; what is said when one is wrong.

use crate::*;
use cardan::control::KINDS;
use cardan::integrators::implicit;

/// The end value of a block of this kind fed with `input`.
fn answer(kind: &str, input: &str, t_end: f64, set: impl FnOnce(Block) -> Block) -> f64 {
    let model = beside(|m| m.add_block(set(Block::new(kind, "b").set("input", input))));
    *run(&model, 1e-9, t_end, &["b"])[0].last().unwrap()
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
