//! Radau IIA: its orders on constrained spatial problems with fixed and random steps, references, events, dense output.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/builder.rs"]
mod builder;
#[path = "common/models.rs"]
mod models;
#[path = "common/oracle.rs"]
mod oracle;
#[path = "common/rig.rs"]
mod rig;
#[path = "common/walk.rs"]
mod walk;

use builder::Builder;
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::results::Results;
use models::*;
use std::sync::Arc;
use walk::walk;

fn run(system: &System, tolerance: f64, t_end: f64) -> Results {
    Simulation::new(system).method(Radau).tolerance(tolerance).record(Record::Ends).run(t_end).unwrap()
}

/// ground – ball – 1 – hinge – 2 – ball – 3 – cross – ground.
fn spatial_loop() -> Model {
    let mut m = Builder::new(31);
    let (one, two, three) = (m.body(), m.body(), m.body());
    m.joint("support", Arc::new(Spherical), one, BodyId::GROUND);
    m.joint("hinge", Arc::new(Revolute), two, one);
    m.joint("ball", Arc::new(Spherical), three, two);
    m.joint("cross", Arc::new(Universal), three, BodyId::GROUND);
    m.forces(two, BodyId::GROUND);
    m.model
}

/// Orders in q, v and λ between steps `h` and `h`/2, the method's own values, against a state at `t_end`.
fn orders(system: &System, expected: &State, formulation: Formulation, h: f64) -> [f64; 3] {
    let errors = |h: f64| {
        let [x, _] = walk(system, Arc::new(Radau), formulation, expected.t, || h);
        let mut moved = vec![0.0; system.nv()];
        system.difference(&expected.q, &x.q, &mut moved);
        [distance(&moved, &vec![0.0; moved.len()]), distance(&x.v, &expected.v), distance(&x.lambda, &expected.lambda)]
    };
    let (coarse, fine) = (errors(h), errors(0.5 * h));
    std::array::from_fn(|k| (coarse[k] / fine[k]).log2())
}

#[test]
fn orders_are_those_of_theory() {
    let (top, linkage) = (System::new(&heavy_top()).unwrap(), System::new(&spatial_loop()).unwrap());
    for (system, h) in [(&top, 2e-3), (&linkage, 1e-2)] {
        let expected = oracle::solve(system, &assemble(system).unwrap().state, 0.2, 1e-14);
        for (formulation, theory) in [(Formulation::Index2, [5.0, 5.0, 3.0]), (Formulation::Index3, [5.0, 3.0, 2.0])] {
            let found = orders(system, &expected, formulation, h);
            let good = found.iter().zip(theory).all(|(f, t)| (f - t).abs() < 0.35);
            assert!(good, "{} {formulation:?}: orders {found:?} instead of {theory:?}", system.name());
        }
    }
}

#[test]
fn random_steps_keep_the_order() {
    let system = System::new(&heavy_top()).unwrap();
    let expected = oracle::solve(&system, &assemble(&system).unwrap().state, 0.2, 1e-14);
    for formulation in [Formulation::Index2, Formulation::Index3] {
        let error = |h: f64| {
            let one = |seed: u64| {
                let mut random = Random::new(seed);
                let [x, _] = walk(&system, Arc::new(Radau), formulation, 0.2, || h * 2f64.powf(random.range(-0.5, 0.5)));
                distance(&x.q, &expected.q)
            };
            (0..4).map(one).sum::<f64>()
        };
        let order = (error(2e-3) / error(5e-4)).log2() / 2.0;
        assert!((order - 5.0).abs() < 0.3, "{formulation:?}: order {order}");
    }
}

#[test]
fn tops_agree_with_references() {
    let tops = reference("tops");
    let expected = numbers(&tops["cases"]["heavy_top_wz_4.61538"]["state"]);
    let system = System::new(&heavy_top()).unwrap();
    let found = top_errors(run(&system, 1e-12, 1.0).last().unwrap(), &expected);
    assert!(found[0] < 5e-10 && found[1] < 5e-10 && found[2] < 2e-9 && found[3] < 2e-9, "{found:?}");
    for (name, case) in tops["cases"].as_object().unwrap().iter().filter(|(name, _)| name.starts_with("free")) {
        let (moments, omega) = (numbers(&case["parameters"]["J"]), numbers(&case["parameters"]["Omega0"]));
        let expected = numbers(&case["state"]);
        let end = run(&System::new(&free_top(&moments, &omega)).unwrap(), 1e-12, 10.0);
        let x = end.last().unwrap();
        let sign = if distance(&x.q[3..], &expected[3..7]) > 1.0 { -1.0 } else { 1.0 };
        let attitude: Vec<f64> = x.q[3..].iter().map(|c| sign * c).collect();
        let errors = [distance(&attitude, &expected[3..7]), distance(&x.v[3..], &expected[..3])];
        assert!(errors.iter().all(|e| *e < 5e-11), "{name}: {errors:?}");
    }
}

#[test]
fn stiff_motion_is_solved_to_round_off() {
    let (q, v) = stiff_double_pendulum_end();
    let system = System::new(&stiff_double_pendulum()).unwrap();
    let mut last = f64::INFINITY;
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        let run = run(&system, tolerance, 2.0);
        let x = run.last().unwrap();
        let error = distance(&x.q, &q);
        assert!(error < (0.1 * last).max(5e-12), "at {tolerance:e}: {error:e} after {last:e}");
        assert!(distance(&x.v, &v) < 100.0 * error.max(1e-12), "{:e} beside {error:e}", distance(&x.v, &v));
        assert!(run.position_violation < 1e-10 && run.velocity_violation < 1e-8, "{:e}", run.position_violation);
        last = error;
    }
    assert!(last < 5e-12, "{last:e}");
}

#[test]
fn accelerations_are_fed_back_through_differential_states() {
    let mut model = Model::new("controlled spring-mass");
    let mass = model.add_body(Body::point_2d("mass", 1.0).at([5.0, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(ExpressionForce::vector("actuator", i, j, j, ["TANH(DIF(x)) - DX(mass)", "0", "0"]));
    model.add_state(Differential::new("x", "-0.1*DIF(x) - 1.4*ACCX(mass)", 0.0));
    let system = System::new(&model).unwrap();
    let expected = [-0.108_891_845_422_092_4, 0.012_641_312_917_356_57, -0.110_545_380_949_083_93];
    for formulation in [Formulation::Index2, Formulation::Index3] {
        let run = Simulation::new(&system).method(Radau).formulation(formulation).tolerance(1e-12).record(Record::Ends).run(20.0).unwrap();
        let x = run.last().unwrap();
        let error = distance(&[x.q[0], x.v[0], x.x[0]], &expected);
        assert!(error < 1e-11, "{formulation:?}: {error:e}");
    }
}

#[test]
fn redundant_constraints_do_not_matter() {
    let rigs = [(rig::four_bar_rigid([0.3, 0.4], [1.1, 0.7], 1.3, 0.0), 1e-9), (rig::door(0.0), 1e-9)];
    for (rig, bar) in rigs {
        let mut model = rig.model;
        model.set_gravity([1.0, -9.81, 0.5]);
        let system = System::new(&model).unwrap();
        let explicit = Simulation::new(&system).method(DormandPrince).tolerance(1e-11).record(Record::Ends).run(0.5).unwrap();
        for formulation in [Formulation::Index2, Formulation::Index3] {
            let run =
                Simulation::new(&system).method(Radau).formulation(formulation).tolerance(1e-11).record(Record::Ends).run(0.5).unwrap();
            let error = distance(&run.last().unwrap().q, &explicit.last().unwrap().q);
            assert!(error < bar, "{} {formulation:?}: {error:e} in {:?}", system.name(), run.statistics);
        }
    }
}

#[test]
fn energy_is_kept() {
    let mut m = Builder::new(5);
    let (one, two) = (m.body(), m.body());
    m.joint("support", Arc::new(Spherical), one, BodyId::GROUND);
    m.joint("hinge", Arc::new(Revolute), two, one);
    let system = System::new(&m.model).unwrap();
    let drift = |tolerance: f64| {
        let run = Simulation::new(&system).method(Radau).tolerance(tolerance).run(2.0).unwrap();
        let energy: Vec<f64> = run.samples.iter().map(|s| s.energy.total()).collect();
        energy.iter().fold(0.0_f64, |m, e| m.max((e - energy[0]).abs()))
    };
    let (loose, tight) = (drift(1e-6), drift(1e-11));
    assert!(loose < 1e-2 && tight < 1e-8, "{loose:e}, {tight:e}");
}

#[test]
fn events_are_located_within_long_steps() {
    let system = System::new(&pendulum()).unwrap();
    // A quarter of the period: K(sin 30°)/√g.
    let bottom = 1.685_750_354_812_596 / 9.81f64.sqrt();
    let event = Event::new("bottom", |x| x.q[0]).terminal();
    let run = Simulation::new(&system).method(Radau).tolerance(1e-11).event(event).record(Record::Ends).run(2.0).unwrap();
    assert!((run.events[0].t - bottom).abs() < 1e-11, "{:e}", run.events[0].t - bottom);
}

#[test]
fn dense_output_is_of_order_4() {
    let (system, data) = (System::new(&pendulum()).unwrap(), reference("pendulum"));
    let states: Vec<Vec<f64>> = data["states"].as_array().unwrap().iter().map(numbers).collect();
    let error = |h: f64| {
        let run = Simulation::new(&system).method(Radau).step(h).record(Record::Interval(0.5)).run(4.0).unwrap();
        let one = |(s, e): (&cardan::results::Sample, &Vec<f64>)| distance(&s.state.q, &e[2..4]);
        run.samples.iter().zip(&states).map(one).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(0.07), error(0.035));
    assert!((coarse / fine).log2() > 3.8 && fine < 1e-5, "{coarse:e} → {fine:e}");
}

/// Windows of bars of one length side by side: all bars fall in line when the rockers are horizontal, and the rows of n constraints with them.
fn windows(n: usize) -> Model {
    let mut model = Model::new("windows");
    model.set_gravity([0.0, -9.81, 0.0]);
    let upright = std::f64::consts::FRAC_PI_2;
    let mut rockers = Vec::new();
    for k in 0..=n {
        let body = Body::planar(&format!("rocker {k}"), 1.0, 1.0 / 12.0).at([k as f64, 0.5, 0.0]).turned(upright);
        let rocker = model.add_body(body.moving([0.5, 0.0, 0.0]).spinning([0.0, 0.0, -1.0]));
        let foot = model.add_marker(Marker::on(rocker).at([-0.5, 0.0, 0.0]));
        let ground = model.add_marker(Marker::on(BodyId::GROUND).at([k as f64, 0.0, 0.0]));
        model.add_joint(Joint::new(&format!("foot {k}"), Revolute, foot, ground));
        rockers.push(rocker);
    }
    for (k, ends) in rockers.windows(2).enumerate() {
        let body = Body::planar(&format!("coupler {k}"), 1.0, 1.0 / 12.0).at([k as f64 + 0.5, 1.0, 0.0]).moving([1.0, 0.0, 0.0]);
        let coupler = model.add_body(body);
        for (x, rocker) in [(-0.5, ends[0]), (0.5, ends[1])] {
            let (i, j) =
                (model.add_marker(Marker::on(coupler).at([x, 0.0, 0.0])), model.add_marker(Marker::on(rocker).at([0.5, 0.0, 0.0])));
            model.add_joint(Joint::new(&format!("pin {k} {x}"), Revolute, i, j));
        }
    }
    model
}

/// One degree of freedom, θ of all rockers: (m n + I_A (n + 1)) θ̈ = −(n + ½ (n + 1)) m g cos θ, with I_A = ⅓.
fn windows_angle(n: usize, t_end: f64) -> f64 {
    let (n, steps) = (n as f64, 200_000);
    let factor = 9.81 * (n + 0.5 * (n + 1.0)) / (n + (n + 1.0) / 3.0);
    let rate = |[angle, speed]: [f64; 2]| [speed, -factor * angle.cos()];
    let (h, mut y) = (t_end / f64::from(steps), [std::f64::consts::FRAC_PI_2, -1.0]);
    let moved = |y: [f64; 2], h: f64, k: [f64; 2]| [y[0] + h * k[0], y[1] + h * k[1]];
    for _ in 0..steps {
        let k1 = rate(y);
        let k2 = rate(moved(y, 0.5 * h, k1));
        let k3 = rate(moved(y, 0.5 * h, k2));
        let k4 = rate(moved(y, h, k3));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    y[0]
}

#[test]
fn steps_lead_through_configurations_where_many_rows_vanish() {
    for (n, t_end) in [(1, 6.0), (2, 6.0), (40, 2.0)] {
        let system = System::new(&windows(n)).unwrap();
        let results = run(&system, 1e-9, t_end);
        let expected = windows_angle(n, t_end);
        for k in 0..=n {
            let angle = results.last().unwrap().q[3 * k + 2];
            assert!((angle - expected).abs() < 1e-6, "rocker {k} of {n}: {angle} instead of {expected}");
        }
        assert!(results.statistics.failed <= 1, "{n}: {:?}", results.statistics);
    }
}
