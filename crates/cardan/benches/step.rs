//! Time of a step of generalized-α with h = 1 ms, after a hundred steps: `cargo bench -p cardan --bench step`. The argument
//! `count MECHANISM N STEPS` makes that many steps and nothing else, for profilers.

#![allow(clippy::unwrap_used, reason = "a benchmark may stop at what it did not expect")]

use cardan::integrators::Stepper;
use cardan::model::classics;
use cardan::prelude::*;
use divan::Bencher;
use std::sync::Arc;

const H: f64 = 1e-3;

const CASES: [(&str, usize); 12] = [
    ("pendulum", 1),
    ("rod", 1),
    ("revolute", 10),
    ("revolute", 100),
    ("revolute", 1000),
    ("revolute", 10_000),
    ("spherical", 100),
    ("spherical", 1000),
    ("spherical", 10_000),
    ("bushing", 1000),
    ("net", 900),
    ("frame", 100),
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

/// A chain that starts horizontally, its hinges tilted in turn so that it leaves the plane, or held together by bushings.
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
        match kind {
            "revolute" => _ = model.add_joint(Joint::new(&name, Revolute, i, j)),
            "spherical" => _ = model.add_joint(Joint::new(&name, Spherical, i, j)),
            _ => model.add_force(bushing(&name, i, j)),
        }
        before = Marker::on(link).at([0.05, 0.0, 0.0]);
    }
    model
}

fn bushing(name: &str, i: MarkerId, j: MarkerId) -> Bushing {
    let (stiffness, damping) = ([1e5, 1e5, 1e5, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 5e-3, 5e-3, 5e-3]);
    Bushing::new(name, i, j).diagonal_stiffness(stiffness).diagonal_damping(damping)
}

/// Places of a square grid with about so many, and the pairs of neighbours.
fn grid(n: usize) -> (Vec<[f64; 3]>, Vec<[usize; 2]>) {
    let m = n.isqrt();
    let places = (0..m * m).map(|k| [0.1 * (k / m) as f64, 0.1 * (k % m) as f64, 0.0]).collect();
    let along = (m..m * m).map(|k| [k, k - m]);
    let across = (0..m * m).filter(|k| k % m > 0).map(|k| [k, k - 1]);
    (places, along.chain(across).collect())
}

/// Point masses on spring-dampers, or small bodies on steel beams, held at one corner and let go.
fn net(kind: &str, n: usize) -> Model {
    let mut model = Model::new("net");
    model.set_gravity([0.0, 0.0, -9.81]);
    let (places, pairs) = grid(n);
    let mut bodies = Vec::new();
    for (k, at) in places.iter().enumerate() {
        let name = format!("node {k}");
        let body = if kind == "net" { Body::point(&name, 0.01) } else { Body::rigid(&name, 0.05, Inertia::principal(2e-6, 2e-6, 2e-6)) };
        bodies.push(if k == 0 { BodyId::GROUND } else { model.add_body(body.at(*at)) });
    }
    for [k, l] in pairs {
        let name = format!("force {k} {l}");
        let along: Vec3 = (Vec3::from(places[k]) - Vec3::from(places[l])) / 0.1;
        let turned = Quat::from_axis_angle(&Vec3::z_axis(), along.y.atan2(along.x));
        let [i, j] = [k, l].map(|k| model.add_marker(Marker::on(bodies[k]).oriented(turned)));
        if kind == "net" {
            model.add_force(SpringDamper::new(&name, i, j).stiffness(500.0).damping(0.05).free_length(0.1));
        } else {
            model.add_force(Beam::new(&name, i, j, 0.1, Section::round(0.003, 2.1e11, 0.3)));
        }
    }
    model
}

fn system(kind: &str, n: usize) -> System {
    let model = match kind {
        "pendulum" => pendulum(),
        "rod" => classics::pendulum(),
        "net" | "frame" => net(kind, n),
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
