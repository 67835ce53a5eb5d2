//! Time of a step of generalized-α with h = 1 ms, after a hundred steps: `cargo bench -p cardan --bench step`. The argument
//! `count MECHANISM N STEPS` makes that many steps and nothing else, for profilers.

#![allow(clippy::unwrap_used, reason = "a benchmark may stop at what it did not expect")]

use cardan::integrators::Stepper;
use cardan::model::classics;
use cardan::prelude::*;
use divan::Bencher;
use std::sync::Arc;

const H: f64 = 1e-3;

const CASES: [(&str, usize); 9] = [
    ("pendulum", 1),
    ("rod", 1),
    ("revolute", 10),
    ("revolute", 100),
    ("revolute", 1000),
    ("revolute", 10_000),
    ("spherical", 100),
    ("spherical", 1000),
    ("spherical", 10_000),
];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.iter().position(|a| a == "count") {
        Some(k) => count(&arguments[k + 1], arguments[k + 2].parse().unwrap(), arguments[k + 3].parse().unwrap()),
        None => divan::main(),
    }
}

fn pendulum() -> Model {
    let mut model = Model::new("pendulum");
    model.set_gravity([0.0, -9.81, 0.0]);
    let bar = model.add_body(Body::planar("bar", 1.0, 0.1).at([0.5, 0.0, 0.0]));
    let (i, j) = (model.add_marker(Marker::on(bar).at([-0.5, 0.0, 0.0])), model.add_marker(Marker::on(BodyId::GROUND)));
    model.add_joint(Joint::new("hinge", Revolute, i, j));
    model
}

/// A chain that starts horizontally, its hinges tilted in turn so that it leaves the plane.
fn chain(kind: &str, n: usize) -> Model {
    let mut model = Model::new("chain");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut before = Marker::on(BodyId::GROUND);
    for k in 0..n {
        let inertia = Inertia::cuboid(0.1, 0.1, 0.02, 0.03);
        let link = model.add_body(Body::rigid(&format!("link {k}"), 0.1, inertia).at([0.1 * k as f64 + 0.05, 0.0, 0.0]));
        let axis = [0.0, 1.0, if k.is_multiple_of(2) { 0.0 } else { 0.3 }];
        let (i, j) = (Marker::on(link).at([-0.05, 0.0, 0.0]).z_along(axis), before.z_along(axis));
        let (i, j) = (model.add_marker(i), model.add_marker(j));
        let name = format!("joint {k}");
        model.add_joint(if kind == "revolute" { Joint::new(&name, Revolute, i, j) } else { Joint::new(&name, Spherical, i, j) });
        before = Marker::on(link).at([0.05, 0.0, 0.0]);
    }
    model
}

fn system(kind: &str, n: usize) -> System {
    let model = match kind {
        "pendulum" => pendulum(),
        "rod" => classics::pendulum(),
        _ => chain(kind, n),
    };
    System::new(&model).unwrap()
}

fn stepper(system: &System) -> Stepper<'_> {
    let assembly = assemble(system).unwrap();
    let method = Arc::new(GeneralizedAlpha::default());
    let mut stepper = Stepper::new(system, method, Options::default(), &assembly.state, &assembly.redundancy.regularization);
    stepper.start(&assembly.state, H).unwrap();
    stepper
}

fn advance(stepper: &mut Stepper) {
    stepper.attempt(H, None).unwrap();
    stepper.accept();
}

#[divan::bench(args = CASES, sample_count = 200, sample_size = 1)]
fn step(bencher: Bencher, (kind, n): (&str, usize)) {
    let system = system(kind, n);
    let mut stepper = stepper(&system);
    (0..100).for_each(|_| advance(&mut stepper));
    bencher.counter(n).bench_local(|| advance(&mut stepper));
}

fn count(kind: &str, n: usize, steps: usize) {
    let system = system(kind, n);
    let mut stepper = stepper(&system);
    (0..steps).for_each(|_| advance(&mut stepper));
    let s = stepper.statistics();
    println!("{steps} steps, {} iterations, {} evaluations, {} Jacobians", s.newton_iterations, s.evaluations, s.jacobians);
}
