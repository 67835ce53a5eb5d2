//! What is reported is controlled: velocities as well as positions, at steps and between them, and through singular configurations.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "common/builder.rs"]
mod builder;

use builder::Builder;
use cardan::integrators::Method;
use cardan::prelude::*;
use std::sync::Arc;

/// The methods that control their error.
fn adaptive() -> impl Iterator<Item = Arc<dyn Method>> {
    cardan::integrators::all().into_iter().filter(|m| m.adaptive() && !m.undamped())
}

/// Windows of four bars of 1 m and 1 kg side by side, turned by an angle; every bar lies on one line at zero.
fn windows(count: usize, angle: f64, speed: f64) -> Model {
    let (c, s, inertia) = (angle.cos(), angle.sin(), 1.0 / 12.0);
    let mut model = Model::new("windows");
    model.set_gravity([0.0, -9.81, 0.0]);
    let bar = |name: String, at: [f64; 2], v: [f64; 2], angle: f64, omega: f64| {
        Body::planar(&name, 1.0, inertia).at([at[0], at[1], 0.0]).turned(angle).moving([v[0], v[1], 0.0]).spinning([0.0, 0.0, omega])
    };
    let rocker = |k: usize| bar(format!("rocker {k}"), [k as f64 + 0.5 * c, 0.5 * s], [0.5 * speed * s, -0.5 * speed * c], angle, -speed);
    let coupler = |k: usize| bar(format!("coupler {k}"), [k as f64 - 0.5 + c, s], [speed * s, -speed * c], 0.0, 0.0);
    let rockers: Vec<BodyId> = (0..=count).map(|k| model.add_body(rocker(k))).collect();
    let couplers: Vec<BodyId> = (1..=count).map(|k| model.add_body(coupler(k))).collect();
    let mut hinge = |name: String, a: (BodyId, f64), b: (BodyId, f64)| {
        let [i, j] = [a, b].map(|(body, x)| model.add_marker(Marker::on(body).at([x, 0.0, 0.0])));
        model.add_joint(Joint::new(&name, Revolute, i, j));
    };
    for (k, rocker) in rockers.iter().enumerate() {
        hinge(format!("a{k}"), (*rocker, -0.5), (BodyId::GROUND, k as f64));
    }
    for (k, coupler) in couplers.iter().enumerate() {
        hinge(format!("b{k}"), (*coupler, -0.5), (rockers[k], 0.5));
        hinge(format!("c{k}"), (*coupler, 0.5), (rockers[k + 1], 0.5));
    }
    model
}

fn energy_range(run: &Results) -> f64 {
    run.samples.iter().map(|s| (s.energy.total() - run.samples[0].energy.total()).abs()).fold(0.0, f64::max)
}

/// The motion passes the flat position several times; its kinetic energy is up to 60 J.
#[test]
fn radau_passes_singular_configurations() {
    let system = System::new(&windows(2, std::f64::consts::FRAC_PI_2, 1.0)).unwrap();
    for formulation in [Formulation::Index2, Formulation::Index3] {
        let simulation = || Simulation::new(&system).method(Radau).formulation(formulation);
        for (h, most) in [(3e-2, 3e-3), (1e-2, 1e-5)] {
            let run = simulation().step(h).run(4.0).unwrap();
            assert!(energy_range(&run) < most, "{formulation:?}, h = {h}: {:e} J", energy_range(&run));
        }
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            let run = simulation().tolerance(tolerance).run(4.0).unwrap();
            let (drift, most) = (energy_range(&run), 300.0 * tolerance);
            assert!(drift < most, "{formulation:?} at {tolerance:e}: {drift:e} J");
        }
    }
}

/// Whatever the start is close to: either the motion is right or there is an error; 10 J are exchanged.
#[test]
fn no_method_makes_energy_beside_singular_configurations() {
    for angle in [1e-2, 1e-5] {
        let system = System::new(&windows(1, angle, 0.1)).unwrap();
        for method in adaptive() {
            if let Ok(run) = Simulation::new(&system).shared_method(method.clone()).tolerance(1e-4).run(1.0) {
                let drift = energy_range(&run);
                assert!(drift < 0.3, "{} from {angle}: {drift} J", method.name());
            }
        }
    }
}

/// A crank that turns once a second, a coupler and a rocker.
#[test]
fn velocities_between_steps_satisfy_the_constraints() {
    let mut m = Builder::new(3);
    let (one, two, three) = (m.body(), m.body(), m.body());
    let crank = m.joint("crank", Arc::new(Revolute), one, BodyId::GROUND);
    m.joint("ball", Arc::new(Spherical), two, one);
    m.joint("cross", Arc::new(Universal), three, two);
    m.joint("rocker", Arc::new(Revolute), three, BodyId::GROUND);
    m.model.add_constraint(Motion::rotation("drive", crank, TimeFunction::expression("0.3*SIN(6*TIME)")));
    let system = System::new(&m.model).unwrap();
    let mut work = cardan::system::Work::new(&system);
    for method in adaptive() {
        let run = Simulation::new(&system).shared_method(method.clone()).tolerance(1e-5).record(Record::Interval(7e-3)).run(1.0).unwrap();
        let worst = run.samples.iter().skip(1).map(|s| system.violation(&s.state, &mut work).1).fold(0.0, f64::max);
        assert!(worst < 1e-8 && run.velocity_violation >= worst, "{}: {worst:e} beside {:e}", method.name(), run.velocity_violation);
    }
}

/// At 1e-5 velocities are right to a thousandth or so.
#[test]
fn velocities_follow_the_tolerance() {
    let mut m = Builder::new(8);
    let (one, two) = (m.body(), m.body());
    m.joint("support", Arc::new(Universal), one, BodyId::GROUND);
    m.joint("hinge", Arc::new(Revolute), two, one);
    m.forces(two, BodyId::GROUND);
    let system = System::new(&m.model).unwrap();
    let run = |method: Arc<dyn Method>, tolerance: f64| {
        Simulation::new(&system).shared_method(method).tolerance(tolerance).record(Record::Interval(0.05)).run(2.0).unwrap()
    };
    let exact = run(Arc::new(Radau), 1e-11);
    let speed = exact.samples.iter().flat_map(|s| s.state.v.iter()).fold(0.0_f64, |m, v| m.max(v.abs()));
    for method in adaptive() {
        let found = run(method.clone(), 1e-5);
        let off = |(a, b): (&Sample, &Sample)| a.state.v.iter().zip(&b.state.v).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let worst = found.samples.iter().zip(&exact.samples).map(off).fold(0.0, f64::max) / speed;
        assert!(worst < 1e-2, "{}: {worst:e}", method.name());
    }
}

#[test]
fn backward_differentiation_follows_a_steel_beam() {
    let mut model = Model::new("beam");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mass = model.add_body(Body::rigid("mass", 1.0, Inertia::principal(0.01, 0.02, 0.015)).at([1.0, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(mass)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(Beam::new("beam", i, j, 1.0, Section::round(0.01, 2.1e11, 0.3)).damping_ratio(1e-4));
    let system = System::new(&model).unwrap();
    for formulation in [Formulation::Index2, Formulation::Index3] {
        let run = Simulation::new(&system).method(Bdf::default()).formulation(formulation).tolerance(1e-6).run(1.0).unwrap();
        assert!(run.statistics.steps < 3000, "{formulation:?}: {:?}", run.statistics);
    }
}

#[test]
fn the_energy_of_a_very_hard_bounce_is_neither_damped_away_nor_made() {
    let mut model = Model::new("hard bounce");
    model.set_gravity([0.0, -9.81, 0.0]);
    let ball = model.add_body(Body::planar("ball", 1.0, 0.01).at([0.0, 1.0, 0.0]).moving([0.3, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(ball)), model.add_marker(Marker::on(BodyId::GROUND)));
    let law = "IMPACT(DY(ball, ground), VY(ball, ground), 0, 1e10, 1, 0, 1e-6)";
    model.add_force(ExpressionForce::vector("floor", i, j, j, ["0", law, "0"]));
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).record(Record::Interval(0.4)).run(4.0).unwrap();
    let energies = run.samples.iter().map(|s| s.energy.kinetic + s.energy.potential);
    let worst = energies.fold(0.0_f64, |m, e| m.max((e - 9.855).abs()));
    assert!(worst < 1e-3 * 9.855, "off by {worst:e} J");
}

/// Newton's method fails on a step that is to end just where the floor is struck; a step across the strike threw the ball up with nine times
/// its energy.
#[test]
fn a_strike_on_which_newton_fails_is_not_stepped_across() {
    let mut model = Model::new("bounce");
    model.set_gravity([0.0, 0.0, -9.81]);
    let inertia = Inertia::principal(0.14872285053425424, 0.14872285053425424, 0.14872285053425424);
    let ball = Body::rigid("ball", 84.78794977820111, inertia).at([0.0, 0.0, 0.23190880887673465]);
    let ball = model.add_body(ball.moving([0.6729603314595402, 0.0, 0.0]).spinning([0.0, 0.0, 8.746429358227157]));
    let (i, j) = (model.add_marker(Marker::on(ball)), model.add_marker(Marker::on(BodyId::GROUND)));
    let law = "IMPACT(DZ(ball, ground), VZ(ball, ground), 0, 4.2521384635613346e9, 1, 3.6844967046145764e4, 5.129409986613819e-5)";
    model.add_force(ExpressionForce::vector("floor", i, j, j, ["0", "0", law]));
    let system = System::new(&model).unwrap();
    let run = Simulation::new(&system).record(Record::Interval(0.2372165256322524)).run(4.744330512645048).unwrap();
    let height = |s: &Sample| s.state.q[2] + s.state.v[2] * s.state.v[2] / (2.0 * 9.81);
    let heights: Vec<f64> = run.samples.iter().map(height).collect();
    assert!(heights.windows(2).all(|h| h[1] < h[0] + 1e-6), "{heights:?}");
}
