//! Accelerations and rates of states linearised, against differences of the accelerations themselves.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

mod common;

use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::{Kkt, KktError, Linearization, Variation, Work};
use common::differences::derivative;
use common::{Fixture, fixtures, random_state, random_vector};

/// a and ẋ at a state moved along a direction.
fn accelerations(system: &System, x: &State, direction: &Variation, s: f64) -> Vec<f64> {
    let mut y = x.clone();
    let delta: Vec<f64> = direction.q.iter().map(|d| s * d).collect();
    system.retract(&x.q, &delta, &mut y.q);
    y.v.iter_mut().zip(direction.v).for_each(|(v, d)| *v += s * d);
    y.x.iter_mut().zip(direction.x).for_each(|(x, d)| *x += s * d);
    y.t += s * direction.t;
    Kkt::new(system).accelerate(system, &mut y, &mut Work::new(system)).unwrap();
    y.a.into_iter().chain(y.x_dot).collect()
}

/// Compares the change along a direction; `None` where there are no accelerations.
fn check(system: &System, start: &State, direction: &Variation, label: &str) -> Option<()> {
    let (mut x, mut kkt, mut work) = (start.clone(), Kkt::new(system), Work::new(system));
    match kkt.accelerate(system, &mut x, &mut work) {
        Err(KktError::Singular { .. } | KktError::NotConverged { .. }) => return None,
        outcome => _ = outcome.unwrap(),
    }
    let size = x.a.iter().chain(&x.x_dot).fold(1.0_f64, |m, a| m.max(a.abs()));
    if size > 300.0 {
        return None;
    }
    let mut linearization = Linearization::new(system);
    linearization.update(system, &x, &kkt).unwrap();
    let mut exact = vec![0.0; system.nv() + system.nx()];
    let (a, x_dot) = exact.split_at_mut(system.nv());
    linearization.change(system, direction, [a, x_dot]).unwrap();
    let numeric = derivative(|s| accelerations(system, &x, direction, s));
    let size = numeric.iter().fold(size, |m, a| m.max(a.abs()));
    for (k, (e, n)) in exact.iter().zip(&numeric).enumerate() {
        assert!((e - n).abs() < 3e-8 * size * (1.0 + size / 100.0), "{label}: entry {k} is {e:.9e}, differences give {n:.9e}");
    }
    Some(())
}

fn check_all_parts(system: &System, x: &State, random: &mut Random, label: &str) -> usize {
    let zero = (vec![0.0; system.nv()], vec![0.0; system.nx()]);
    let (q, v) = (random_vector(random, system.nv(), 1.0), random_vector(random, system.nv(), 1.0));
    let states = random_vector(random, system.nx(), 1.0);
    let still = Variation { q: &zero.0, v: &zero.0, x: &zero.1, t: 0.0 };
    let directions = [
        ("q", Variation { q: &q, ..still }),
        ("v", Variation { v: &v, ..still }),
        ("x", Variation { x: &states, ..still }),
        ("t", Variation { t: 1.0, ..still }),
        ("all", Variation { q: &q, v: &v, x: &states, t: 0.7 }),
    ];
    directions.iter().filter_map(|(name, d)| check(system, x, d, &format!("{label}, {name}"))).count()
}

#[test]
fn accelerations_of_all_elements_are_linearised_exactly() {
    let mut solved = 0;
    for Fixture { label, system, mut random, .. } in fixtures().step_by(4) {
        let x = random_state(&system, &mut random);
        solved += check_all_parts(&system, &x, &mut random, &label);
    }
    assert!(solved > 1200, "only {solved} solved");
}

/// A pendulum with a force, states and a constraint that read time, reactions, accelerations and rates.
#[test]
fn states_and_expressions_are_linearised_exactly() {
    let mut model = Model::new("controlled pendulum");
    model.set_gravity([0.0, -9.81, 0.0]);
    let bob = model.add_body(Body::rigid("bob", 1.3, Inertia::cuboid(1.3, 0.3, 0.4, 0.2)).at([0.7, 0.1, 0.2]));
    let tip = model.add_marker(Marker::on(bob).at([0.3, 0.1, -0.2]).named("tip"));
    let pin = model.add_marker(Marker::on(bob).at([-0.7, 0.0, 0.0]));
    let ground = model.add_marker(Marker::on(BodyId::GROUND).at([0.0, 0.1, 0.2]).named("at"));
    model.add_joint(Joint::new("pivot", Spherical, pin, ground));
    model.add_constraint(UserConstraint::expression("held", "DX(tip, at)*SIN(TIME) + 0.2*DM(tip, at)*TIME + AZ(tip, at) - 0.3"));
    let push = ["2*DIF(filter)*COS(3*TIME)", "0.2*ACCX(tip) - VY(tip)*DY(tip)", "TIME^2"];
    model.add_force(ExpressionForce::vector("push", tip, ground, ground, push));
    model.add_state(Differential::new("filter", "5*(VX(tip) + 0.05*FZ(pivot) - DIF(filter)) + 0.1*ACCY(tip) + TIME", 0.2));
    model.add_state(Differential::new("integral", "DY(tip) - 0.3*DIF(filter)*DIF(integral) + 0.1*DIF1(filter)", 0.0));
    let system = System::new(&model).unwrap();
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let x = random_state(&system, &mut random);
        let checked = check_all_parts(&system, &x, &mut random, &format!("seed {seed}"));
        assert!(checked == 5 || seed > 3, "seed {seed}");
    }
}
