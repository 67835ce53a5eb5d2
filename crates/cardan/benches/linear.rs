//! Time of the factorisation and of a solution with it, for matrices as a Newton iteration makes them: `cargo bench -p cardan --bench linear`.

#![allow(clippy::unwrap_used, reason = "a benchmark may stop at what it did not expect")]

use cardan::linear::{BlockMatrix, Factor};
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::{Jacobian, Weights, Work};
use divan::Bencher;

const KINDS: [(&str, usize); 10] = [
    ("pendulum", 1),
    ("pendulum", 2),
    ("pendulum", 4),
    ("chain", 2),
    ("chain", 10),
    ("chain", 100),
    ("chain", 1000),
    ("chain", 10_000),
    ("tree", 1000),
    ("grid", 1024),
];

fn main() {
    divan::main();
}

/// Bodies and the joints to those before them.
fn mechanism(kind: &str, n: usize) -> Model {
    let mut random = Random::new(n as u64);
    let mut model = Model::new(kind);
    let width = (n as f64).sqrt() as usize;
    let parents = |k: usize| match kind {
        "tree" => vec![k.checked_sub(1).map(|k| k / 3)],
        "grid" if k == 0 => vec![None],
        "grid" => [(!k.is_multiple_of(width)).then(|| k - 1), k.checked_sub(width)].into_iter().flatten().map(Some).collect(),
        _ => vec![k.checked_sub(1)],
    };
    let bodies: Vec<BodyId> = (0..n)
        .map(|k| {
            let name = format!("b{k}");
            model.add_body(if kind == "pendulum" {
                Body::planar(&name, 1.0, 0.1)
            } else {
                Body::rigid(&name, 1.0, Inertia::ball(1.0, 0.3))
            })
        })
        .collect();
    for k in 0..n {
        for (l, parent) in parents(k).into_iter().enumerate() {
            let mut marker = |body: BodyId| {
                let mut place: [f64; 3] = std::array::from_fn(|_| random.range(-1.0, 1.0));
                if kind == "pendulum" {
                    place[2] = 0.0;
                    return model.add_marker(Marker::on(body).at(place));
                }
                model.add_marker(Marker::on(body).at(place).z_along(place))
            };
            let (i, j) = (marker(bodies[k]), marker(parent.map_or(BodyId::GROUND, |p| bodies[p])));
            let name = format!("j{k}_{l}");
            model.add_joint(if kind == "grid" { Joint::new(&name, Spherical, i, j) } else { Joint::new(&name, Revolute, i, j) });
        }
    }
    model
}

/// The matrix of a Newton iteration, and a first factorisation.
fn matrix((kind, n): (&str, usize)) -> (BlockMatrix, Factor) {
    let system = System::new(&mechanism(kind, n)).unwrap();
    let mut work = Work::new(&system);
    let mut x = system.initial().clone();
    x.v.iter_mut().enumerate().for_each(|(k, v)| *v = (k as f64).sin());
    let mut at = system.evaluate(&x, &mut work);
    let mut jacobian = Jacobian::new(&system);
    let weights = Weights { velocity: 1e-3, position: 1e-6, acceleration: 1.0, ..Weights::mass_only(&[]) };
    at.tangent(&weights, &mut jacobian);
    let matrix = jacobian.matrix().clone();
    let mut factor = Factor::new(matrix.pattern());
    factor.refactor(&matrix).unwrap();
    (matrix, factor)
}

#[divan::bench(args = KINDS)]
fn first(bencher: Bencher, kind: (&str, usize)) {
    let (matrix, _) = matrix(kind);
    bencher.bench_local(|| Factor::new(matrix.pattern()).refactor(&matrix).unwrap());
}

#[divan::bench(args = KINDS)]
fn refactor(bencher: Bencher, kind: (&str, usize)) {
    let (matrix, mut factor) = matrix(kind);
    bencher.counter(divan::counter::ItemsCount::new(kind.1)).bench_local(|| factor.refactor(&matrix).unwrap());
}

#[divan::bench(args = KINDS)]
fn solve(bencher: Bencher, kind: (&str, usize)) {
    let (matrix, mut factor) = matrix(kind);
    let mut x = vec![1.0; matrix.pattern().dimension()];
    bencher.counter(divan::counter::ItemsCount::new(kind.1)).bench_local(|| {
        x.fill(1.0);
        factor.solve(&mut x).unwrap();
    });
}
