//! Sampled blocks and sensors: exact times, values held in between.

use crate::*;
use cardan::integrators::{Method, all};
use std::sync::Arc;

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
