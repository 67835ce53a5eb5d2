//! Switches. Stiction: a block on a belt sticks and slips at the instants of the piecewise solution in closed form, a block on a slope
//! rests. In real time switches act by level, and samples are taken at their times.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::integrators::real_time;
use cardan::prelude::*;

const MASS: f64 = 1.0;
const SPRING: f64 = 80.0;
const BELT: f64 = 0.2;
const STATIC: f64 = 6.0;
const DYNAMIC: f64 = 4.0;
const STIFFNESS: f64 = 2e4;
const DAMPING: f64 = 120.0;

/// A block with this speed on a slide along x, with this force beside the friction, whose speed is taken against a belt.
fn block(gravity: [f64; 3], speed: f64, initial: &str, belt: f64, force: &str) -> System {
    let mut model = Model::new("block");
    model.set_gravity(gravity);
    let body = model.add_body(Body::rigid("block", MASS, Inertia::ball(MASS, 0.1)).moving([speed, 0.0, 0.0]));
    let turned = |marker: Marker| marker.z_along([1.0, 0.0, 0.0]);
    let (i, j) = (model.add_marker(turned(Marker::on(body))), model.add_marker(turned(Marker::on(BodyId::GROUND))));
    model.add_joint(Joint::new("slide", Translational, i, j));
    let friction = Block::new("stiction", "friction").set("speed", format!("VX(block) - {belt}")).set("static", STATIC);
    model.add_block(friction.set("dynamic", DYNAMIC).set("stiffness", STIFFNESS).set("damping", DAMPING).set("initial", initial));
    model.add_force(ExpressionForce::single("forces", i, j, Line::Axis, format!("VARVAL(friction) + ({force})")));
    System::new(&model).unwrap()
}

/// Position and velocity of m ẍ + c ẋ + k x = a + b t, underdamped, after t.
fn linear([k, c]: [f64; 2], [a, b]: [f64; 2], [x, v]: [f64; 2], t: f64) -> [f64; 2] {
    let (slope, decay) = (b / k, 0.5 * c / MASS);
    let offset = (a - c * slope) / k;
    let w = (k / MASS - decay * decay).sqrt();
    let (p, q) = (x - offset, (v - slope + decay * (x - offset)) / w);
    let (sin, cos, e) = ((w * t).sin(), (w * t).cos(), (-decay * t).exp());
    [offset + slope * t + e * (p * cos + q * sin), slope + e * ((w * q - decay * p) * cos - (w * p + decay * q) * sin)]
}

/// The first zero of a function that is positive at first, by small steps and bisection.
fn first_zero(f: impl Fn(f64) -> f64) -> f64 {
    let step = 1e-4;
    let mut from = step;
    while f(from + step) > 0.0 {
        from += step;
    }
    let mut to = from + step;
    for _ in 0..80 {
        let middle = 0.5 * (from + to);
        if f(middle) > 0.0 { from = middle } else { to = middle }
    }
    0.5 * (from + to)
}

/// The instants at which the block on the belt breaks away (backwards) and sticks again, in turn.
fn instants(count: usize) -> Vec<f64> {
    let (mut t, mut x, mut bristle, mut out) = (0.0, [0.0, BELT], 0.0, Vec::new());
    while out.len() < count {
        // Stuck: z = bristle + x − x0 − belt t, and −(k z + c (ẋ − belt)) acts beside the spring.
        let stiff = [SPRING + STIFFNESS, DAMPING];
        let load = [STIFFNESS * (x[0] - bristle) + DAMPING * BELT, STIFFNESS * BELT];
        let stuck = |s: f64| linear(stiff, load, x, s);
        let leaves = first_zero(|s| STATIC + STIFFNESS * (bristle + stuck(s)[0] - x[0] - BELT * s));
        x = stuck(leaves);
        t += leaves;
        out.push(t);
        let slips = |s: f64| linear([SPRING, 0.0], [DYNAMIC, 0.0], x, s);
        let sticks = first_zero(|s| BELT - slips(s)[1]);
        x = slips(sticks);
        t += sticks;
        bristle = -DYNAMIC / STIFFNESS;
        out.push(t);
    }
    out
}

#[test]
fn a_block_on_a_belt_sticks_and_slips_exactly_when_it_should() {
    let system = block([0.0; 3], BELT, "stuck", BELT, &format!("-{SPRING}*DX(block)"));
    let run = Simulation::new(&system).method(Radau).tolerance(1e-10).record(Record::Ends).run(3.0).unwrap();
    let expected: Vec<f64> = instants(12).into_iter().filter(|t| *t < 3.0).collect();
    assert!(expected.len() >= 6, "{expected:?}");
    let found: Vec<(&str, f64)> = run.events.iter().map(|e| (e.name.as_str(), e.t)).collect();
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    let names = ["friction.slip_backward", "friction.stick_backward"];
    for (k, (event, t)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(event.0, names[k % 2]);
        assert!((event.1 - t).abs() <= 1e-8, "event {k} at {} instead of {t}", event.1);
    }
}

#[test]
fn a_block_on_a_slope_rests_below_the_angle_at_which_it_breaks_away_and_slides_above() {
    let gravity = |load: f64| [load / MASS, 0.0, -(9.81_f64.powi(2) - load * load).sqrt()];
    // Let go at once, the bristle would overshoot: the load comes within half a second.
    let load = 0.98 * STATIC;
    let rests = block(gravity(load), 0.0, "stuck", 0.0, &format!("-{load}*STEP(TIME, 0, 1, 0.5, 0)"));
    let run = Simulation::new(&rests).tolerance(1e-8).record(Record::Interval(1.0)).run(20.0).unwrap();
    assert!(run.events.is_empty() && run.samples.len() == 21);
    let at = |k: usize| run.samples[k].state.q[0];
    assert!((at(2) - load / STIFFNESS).abs() < 1e-3 * load / STIFFNESS, "{} instead of {}", at(2), load / STIFFNESS);
    assert!((at(20) - at(2)).abs() < 1e-9, "it creeps by {}", at(20) - at(2));
    let load = 1.05 * STATIC;
    let slides = block(gravity(load), 0.0, "stuck", 0.0, "0");
    let run = Simulation::new(&slides).method(Radau).tolerance(1e-9).record(Record::Ends).run(2.0).unwrap();
    let left = run.events.first().unwrap();
    assert_eq!((left.name.as_str(), run.events.len()), ("friction.slip_forward", 1));
    let end = run.last().unwrap();
    let expected = left.state.v[0] + (load - DYNAMIC) / MASS * (end.t - left.t);
    assert!((end.v[0] - expected).abs() < 1e-8, "{} instead of {expected}", end.v[0]);
}

#[test]
fn friction_brakes_a_block_until_it_rests() {
    let system = block([0.0; 3], 2.0, "forward", 0.0, "0");
    let run = Simulation::new(&system).method(Radau).tolerance(1e-9).record(Record::Ends).run(3.0).unwrap();
    assert_eq!(run.events.len(), 1);
    assert!((run.events[0].t - 2.0 * MASS / DYNAMIC).abs() < 1e-9, "{}", run.events[0].t);
    let (x, v) = (run.last().unwrap().q[0], run.last().unwrap().v[0]);
    let (way, bristle) = (0.5 * MASS * 4.0 / DYNAMIC, DYNAMIC / STIFFNESS);
    assert!(v.abs() < 1e-9 && (x - way + bristle).abs() < 1e-9, "at {x} with {v}");
}

#[test]
fn in_real_time_it_sticks_a_step_late_at_most() {
    let (system, h) = (block([0.0; 3], 2.0, "forward", 0.0, "0"), 1e-3);
    let mut run = RealTime::new(&system, LinearImplicitEuler::default(), h).unwrap();
    let (mut outputs, mut rests) = (vec![0.0; system.sensors().len()], None);
    for _ in 0..3000 {
        run.step(&[], &mut outputs).unwrap();
        let x = run.state();
        let stuck = x.inputs[0] == 0.0;
        rests = rests.or(stuck.then_some(x.t));
        assert!(rests.is_none() || stuck, "it breaks away again at {} s", x.t);
    }
    let (expected, x) = (2.0 * MASS / DYNAMIC, run.state());
    assert!((rests.unwrap() - expected).abs() < 2.5 * h, "it sticks at {rests:?}, not at {expected}");
    assert!(x.v[0].abs() < 1e-9 && (x.q[0] - 0.5).abs() < 5e-3, "at {} with {}", x.q[0], x.v[0]);
}

/// A model with a relay, a reset integrator and sampled blocks.
fn switching() -> Model {
    let mut m = Model::new("switching");
    m.add_body(Body::point("mass", 1.0));
    m.add_sensor(Sensor::new("wave", "SIN(TIME)"));
    m.add_block(Block::new("relay", "relay").set("input", "wave").set("on_above", 0.5).set("off_below", -0.5));
    m.add_block(Block::new("integrator", "clock").set("input", "1").set("reset", "SIN(TIME)"));
    m.add_block(Block::new("hold", "held").set("input", "TIME").set("sample_time", 0.1));
    m
}

#[test]
fn in_real_time_switches_act_by_level_and_samples_at_their_times() {
    let (model, h) = (switching(), 1e-3);
    let system = System::new(&model).unwrap();
    let names: Vec<&str> = system.sensors().iter().map(|s| s.name.as_str()).collect();
    let place = |name: &str| names.iter().position(|n| *n == name).unwrap();
    for method in real_time() {
        let mut run = RealTime::shared(&system, method, h).unwrap();
        let mut outputs = vec![0.0; names.len()];
        let (mut on, mut last) = (0.0, 0.0);
        for k in 1..=12000 {
            run.step(&[], &mut outputs).unwrap();
            // What was known where the step began.
            let began = f64::from(k - 1) * h;
            if began.sin() >= 0.5 {
                on = 1.0;
            } else if began.sin() <= -0.5 {
                on = 0.0;
            }
            if began.sin() >= 0.0 && (began - h).sin() < 0.0 && k > 1 {
                last = began;
            }
            assert_eq!(outputs[place("relay")], on, "at {began} s");
            let expected = [("clock", f64::from(k) * h - last), ("held", (began / 0.1 + 1e-6).floor() * 0.1)];
            for (name, expected) in expected {
                let found = outputs[place(name)];
                assert!((found - expected).abs() < 1e-9, "{name} at {began} s is {found}, not {expected}");
            }
        }
    }
}
