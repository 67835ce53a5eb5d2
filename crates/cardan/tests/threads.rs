//! Large systems give the same bits on one thread and on several.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::linear::Factor;
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::{Jacobian, Weights, Work};

/// Bodies, each hanging on those before it that `parents` names; the first one on the ground.
fn mechanism(n: usize, joint: fn(&str, MarkerId, MarkerId) -> Joint, parents: impl Fn(usize) -> Vec<usize>) -> Model {
    let mut random = Random::new(n as u64);
    let mut model = Model::new("mechanism");
    model.set_gravity([0.0, 0.0, -9.81]);
    let bodies: Vec<BodyId> = (0..n).map(|k| model.add_body(Body::rigid(&format!("b{k}"), 1.0, Inertia::ball(1.0, 0.3)))).collect();
    for k in 0..n {
        let parents = if k == 0 { vec![BodyId::GROUND] } else { parents(k).into_iter().map(|p| bodies[p]).collect() };
        for (l, parent) in parents.into_iter().enumerate() {
            let mut marker = |body: BodyId| {
                let place: [f64; 3] = std::array::from_fn(|_| random.range(-1.0, 1.0));
                model.add_marker(Marker::on(body).at(place).z_along(place))
            };
            let (i, j) = (marker(bodies[k]), marker(parent));
            model.add_joint(joint(&format!("j{k}_{l}"), i, j));
        }
    }
    model
}

fn revolute(name: &str, i: MarkerId, j: MarkerId) -> Joint {
    Joint::new(name, Revolute, i, j)
}

fn spherical(name: &str, i: MarkerId, j: MarkerId) -> Joint {
    Joint::new(name, Spherical, i, j)
}

#[test]
fn solutions_are_the_same_for_any_number_of_threads() {
    let grid = |k: usize| [(!k.is_multiple_of(32)).then(|| k - 1), k.checked_sub(32)].into_iter().flatten().collect();
    let models = [
        ("chain", mechanism(5000, revolute, |k| vec![k - 1])),
        ("tree", mechanism(5000, revolute, |k| vec![(k - 1) / 3])),
        ("grid", mechanism(1024, spherical, grid)),
    ];
    for (name, model) in models {
        let system = System::new(&model).unwrap();
        let (mut work, mut jacobian, mut x) = (Work::new(&system), Jacobian::new(&system), system.initial().clone());
        x.v.iter_mut().enumerate().for_each(|(k, v)| *v = (k as f64).sin());
        let mut at = system.evaluate(&x, &mut work);
        let weights = Weights { velocity: 1e-3, position: 1e-6, acceleration: 1.0, ..Weights::mass_only(&[]) };
        at.tangent(&weights, &mut jacobian);
        let matrix = jacobian.matrix();
        let solution = |threads: usize| -> Vec<u64> {
            let mut factor = Factor::new(matrix.pattern()).with_threads(threads);
            let b: Vec<f64> = (0..matrix.pattern().dimension()).map(|k| (1.3 * k as f64).cos()).collect();
            let (mut y, mut rest, mut sizes) = (b.clone(), b.clone(), b.clone());
            for _ in 0..2 {
                factor.refactor(matrix).unwrap();
                factor.solve_refined(matrix, &b, &mut y).unwrap();
            }
            let error = matrix.residual_and_error(&y, &b, &mut rest, &mut sizes);
            assert!(error < 1e-13 && factor.fallbacks() == 0, "{name}: {error:e}");
            y.iter().map(|y| y.to_bits()).collect()
        };
        let one = solution(1);
        assert!([2, 4].iter().all(|threads| solution(*threads) == one), "{name}");
    }
}

#[test]
fn runs_are_the_same_for_any_number_of_threads() {
    let mut model = Model::new("arms");
    model.set_gravity([0.0, 0.0, -9.81]);
    let y = [0.0, 1.0, 0.0];
    let hub = model.add_body(Body::rigid("hub", 10.0, Inertia::ball(10.0, 1.0)));
    let (i, j) = (model.add_marker(Marker::on(hub).z_along(y)), model.add_marker(Marker::on(BodyId::GROUND).z_along(y)));
    model.add_joint(Joint::new("hinge", Revolute, i, j));
    for arm in 0..25 {
        let mut end = model.add_marker(Marker::on(hub).at([0.0, f64::from(arm), 0.0]).z_along(y));
        for k in 0..100 {
            let place = [f64::from(k) + 0.5, f64::from(arm), 0.0];
            let link = model.add_body(Body::rigid(&format!("b{arm}_{k}"), 1.0, Inertia::cuboid(1.0, 1.0, 0.1, 0.1)).at(place));
            let i = model.add_marker(Marker::on(link).at([-0.5, 0.0, 0.0]).z_along(y));
            model.add_joint(Joint::new(&format!("j{arm}_{k}"), Revolute, i, end));
            end = model.add_marker(Marker::on(link).at([0.5, 0.0, 0.0]).z_along(y));
        }
    }
    let system = System::new(&model).unwrap();
    let last = |threads: usize| {
        let options = Options { threads, ..Options::default() };
        let results = Simulation::new(&system).options(options).step(1e-3).record(Record::Ends).run(0.02).unwrap();
        let x = results.last().unwrap();
        [&x.q, &x.v, &x.a, &x.lambda].map(|values| values.iter().map(|x| x.to_bits()).collect::<Vec<u64>>())
    };
    let one = last(1);
    assert!(last(2) == one && last(4) == one);
}
