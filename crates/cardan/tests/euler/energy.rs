//! Energy over many steps of a millisecond: bounces, stops, spinning bodies and springs keep it, or the run ends in an error that says why.

use crate::*;
use cardan::integrators::StepError;
use cardan::system::Work;

/// A ball that falls from 1 m on a floor with force F(depth) = k depth^e and damping c.
fn ball(k: f64, e: f64, c: f64) -> Model {
    let mut model = Model::new("ball");
    model.set_gravity([0.0, -9.81, 0.0]);
    let ball = model.add_body(Body::point("ball", 1.0).at([0.0, 1.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(ball)), model.add_marker(Marker::on(BodyId::GROUND)));
    let law = format!("IMPACT(DY(ball), VY(ball), 0, {k:e}, {e}, {c}, 0.001)");
    model.add_force(ExpressionForce::vector("floor", i, j, j, ["0", &law, "0"]));
    model
}

/// A rod that swings against a wall below its pivot.
fn stopped_rod(k: f64) -> Model {
    let mut model = Model::new("rod");
    model.set_gravity([0.0, -9.81, 0.0]);
    let rod = model.add_body(Body::rigid("rod", 1.0, Inertia::principal(1e-3, 1.0 / 12.0, 1.0 / 12.0)).at([0.5, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(rod).at([-0.5, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    let centre = model.add_marker(Marker::on(rod));
    model.add_joint(Joint::new("pivot", Revolute, i, j));
    model.add_force(ExpressionForce::vector("stop", centre, j, j, [&format!("MAX(0, -{k:e}*DX(rod))"), "0", "0"]));
    model
}

/// Kinetic energy and that of gravity where no force but gravity acts, from the first such moment on: the largest change of it, as a part of
/// the largest kinetic energy.
fn change(model: &Model, free: impl Fn(&State) -> bool, seconds: f64) -> f64 {
    let system = System::new(model).unwrap();
    let mut run = RealTime::new(&system, LinearImplicitEuler::default(), 1e-3).unwrap();
    let (mut work, mut kinetic, mut worst) = (Work::new(&system), 0.0_f64, 0.0_f64);
    let start = system.energy(run.state(), &mut work).total();
    for _ in 0..(seconds * 1e3) as usize {
        run.step(&[], &mut []).unwrap();
        let energy = system.energy(run.state(), &mut work);
        kinetic = kinetic.max(energy.kinetic);
        if free(run.state()) {
            worst = worst.max((energy.total() - start).abs());
        }
    }
    worst / kinetic
}

/// The first error within so many seconds.
fn error(model: &Model, method: Arc<dyn Method>, seconds: f64) -> String {
    let system = System::new(model).unwrap();
    let mut run = match RealTime::shared(&system, method, 1e-3) {
        Ok(run) => run,
        Err(error) => return error.to_string(),
    };
    let error = (0..(seconds * 1e3) as usize).find_map(|_| run.step(&[], &mut []).err());
    let Some(cardan::analysis::RealTimeError::Step { error: StepError::TooFast { step, .. }, .. }) = &error else { panic!("{error:?}") };
    assert!(*step > 0.0 && *step < 1e-3);
    error.unwrap().to_string()
}

#[test]
fn a_ball_bounces_as_high_as_before() {
    for (k, e) in [(1e4, 1.0), (1e5, 1.0), (1e6, 1.0), (1e7, 1.5), (1e8, 2.2)] {
        let change = change(&ball(k, e, 0.0), |x| x.q[1] > 0.0, 10.0);
        assert!(change < 1e-3, "{k:e}, {e}: {change:e}");
    }
}

#[test]
fn a_rod_swings_back_from_a_stop_as_far_as_before() {
    let change = change(&stopped_rod(1e5), |x| x.q[0] > 0.0, 10.0);
    assert!(change < 1e-3, "{change:e}");
}

#[test]
fn a_damped_ball_comes_to_rest() {
    let system = System::new(&ball(1e5, 1.5, 100.0)).unwrap();
    let mut run = RealTime::new(&system, LinearImplicitEuler::default(), 1e-3).unwrap();
    (0..10_000).for_each(|_| run.step(&[], &mut []).unwrap());
    let depth = (9.81_f64 / 1e5).powf(1.0 / 1.5);
    assert!((run.state().q[1] + depth).abs() < 1e-6 && run.state().v[1].abs() < 1e-6, "{:?}", run.state());
}

#[test]
fn a_contact_shorter_than_a_step_is_named() {
    for damping in [0.0, 10.0] {
        let text = error(&ball(1e10, 1.0, damping), Arc::new(LinearImplicitEuler::default()), 1.0);
        assert!(text.contains("force 'floor' sets in or ends too abruptly"), "{text}");
    }
}

/// A mass on a spring that is stretched by 1 cm.
fn spring(k: f64) -> Model {
    let mut model = Model::new("spring");
    let ball = model.add_body(Body::point("ball", 1.0).at([1.01, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(ball)), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_force(SpringDamper::new("spring", i, j).stiffness(k).free_length(1.0));
    model
}

#[test]
fn an_oscillation_that_steps_do_not_follow_is_an_error() {
    assert!(change(&spring(1e3), |x| (x.q[0] - 1.0).abs() < 1e9, 10.0) < 1e-2);
    for k in [1e7, 1e9] {
        let text = error(&spring(k), Arc::new(LinearImplicitEuler::default()), 1.0);
        assert!(text.contains("which no force has") && text.contains("body 'ball'"), "{text}");
    }
}

#[test]
fn a_free_body_keeps_energy_and_angular_momentum_while_it_tumbles() {
    let mut model = Model::new("box");
    model.add_body(Body::rigid("box", 1.0, Inertia::principal(0.01, 0.02, 0.03)).spinning([1.0, 50.0, 0.5]));
    let system = System::new(&model).unwrap();
    let mut run = RealTime::new(&system, LinearImplicitEuler::default(), 1e-3).unwrap();
    let mut work = Work::new(&system);
    let (energy, momentum) = (system.energy(run.state(), &mut work).total(), system.momentum(run.state()).angular);
    let mut tumbled = false;
    for _ in 0..10_000 {
        run.step(&[], &mut []).unwrap();
        tumbled |= run.state().v[4] < -40.0;
        let change = system.energy(run.state(), &mut work).total() / energy - 1.0;
        let turned = (system.momentum(run.state()).angular - momentum).norm() / momentum.norm();
        assert!(change.abs() < 1e-6 && turned < 1e-2, "{change:e}, {turned:e} at {} s", run.state().t);
    }
    assert!(tumbled);
}

#[test]
fn methods_that_drive_a_pendulum_end_in_an_error() {
    for method in [Arc::new(ExplicitEuler::default()) as Arc<dyn Method>, Arc::new(HalfExplicitEuler::default())] {
        let text = error(&stopped_rod(0.0), method, 100.0);
        assert!(text.contains("steps have added") && text.contains("body 'rod'"), "{text}");
    }
}
