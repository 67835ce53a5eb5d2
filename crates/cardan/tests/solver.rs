//! The factorisation of large systems: residuals on chains, trees and grids with loops, light beside heavy bodies, stiff couplings,
//! redundant constraints.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::linear::Factor;
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::{Jacobian, Weights, Work};

/// Bodies on a grid; body k hangs on those that `parents` names, by joints that alternate between two types.
fn mechanism(n: usize, mass_ratio: f64, stiffness: f64, parents: impl Fn(usize) -> Vec<Option<usize>>) -> Model {
    let mut random = Random::new(n as u64);
    let mut model = Model::new("mechanism");
    let bodies: Vec<BodyId> = (0..n)
        .map(|k| {
            let mass = if k % 2 == 0 { 1.0 } else { mass_ratio };
            let place: [f64; 3] = std::array::from_fn(|_| random.range(-3.0, 3.0));
            model.add_body(Body::rigid(&format!("b{k}"), mass, Inertia::ball(mass, 0.3)).at(place))
        })
        .collect();
    for k in 0..n {
        for (l, parent) in parents(k).into_iter().enumerate() {
            let mut marker = |body: BodyId| {
                let place: [f64; 3] = std::array::from_fn(|_| random.range(-1.0, 1.0));
                model.add_marker(Marker::on(body).at(place).z_along(place))
            };
            let (i, j) = (marker(bodies[k]), marker(parent.map_or(BodyId::GROUND, |p| bodies[p])));
            let name = format!("j{k}_{l}");
            let joint = if l == 0 && k % 3 != 0 { Joint::new(&name, Revolute, i, j) } else { Joint::new(&name, Spherical, i, j) };
            model.add_joint(joint);
            if stiffness > 0.0 {
                model.add_force(Bushing::new(&format!("s{k}_{l}"), i, j).diagonal_stiffness([stiffness; 6]));
            }
        }
    }
    model
}

/// Bodies at these places, joined in pairs (or with the ground) halfway between them, or where the third number of a link says.
fn frame(places: &[[f64; 3]], links: &[(usize, Option<usize>, [f64; 3])], joint: fn(&str, MarkerId, MarkerId) -> Joint) -> Model {
    let mut model = Model::new("frame");
    let add = |(k, place): (usize, &[f64; 3])| model.add_body(Body::rigid(&format!("b{k}"), 1.0, Inertia::ball(1.0, 0.3)).at(*place));
    let bodies: Vec<BodyId> = places.iter().enumerate().map(add).collect();
    for (l, (a, b, point)) in links.iter().enumerate() {
        let local = |k: usize| std::array::from_fn::<f64, 3, _>(|c| point[c] - places[k][c]);
        let i = model.add_marker(Marker::on(bodies[*a]).at(local(*a)));
        let j = b.map_or_else(|| Marker::on(BodyId::GROUND).at(*point), |b| Marker::on(bodies[b]).at(local(b)));
        let j = model.add_marker(j);
        model.add_joint(joint(&format!("j{l}"), i, j));
    }
    model
}

#[test]
fn bodies_that_only_springs_join_are_apart_in_the_matrix_of_masses() {
    let (mut model, n) = (Model::new("net"), 15);
    let ball = |k: usize| Body::point(&format!("b{k}"), 0.1).at([(k % n) as f64, (k / n) as f64, 0.0]);
    let masses: Vec<BodyId> = (0..n * n).map(|k| model.add_body(ball(k))).collect();
    for k in 0..n * n {
        for other in [(k % n + 1 < n).then_some(k + 1), (k + n < n * n).then_some(k + n)].into_iter().flatten() {
            let (i, j) = (model.add_marker(Marker::on(masses[k])), model.add_marker(Marker::on(masses[other])));
            model.add_force(SpringDamper::new(&format!("s{k}-{other}"), i, j).stiffness(100.0).damping(1.0));
        }
    }
    let system = System::new(&model).unwrap();
    let mut work = Work::new(&system);
    let mut at = system.evaluate(system.initial(), &mut work);
    let numbers = [Jacobian::of_masses(&system), Jacobian::new(&system)].map(|mut jacobian| {
        at.tangent(&Weights::mass_only(&[]), &mut jacobian);
        jacobian.factor().unwrap();
        jacobian.operations().unwrap().1
    });
    assert_eq!(numbers[0], 9 * n * n);
    assert!(numbers[1] > 10 * numbers[0], "{numbers:?}");
}

/// The residual of a solve relative to the size of the terms in it.
fn residual(model: &Model, weights: &Weights) -> f64 {
    solved(model, weights).0
}

/// That residual, and how often the blocks did not suffice.
fn solved(model: &Model, weights: &Weights) -> (f64, usize) {
    let system = System::new(model).unwrap();
    let mut work = Work::new(&system);
    let mut x = system.initial().clone();
    x.v.iter_mut().enumerate().for_each(|(k, v)| *v = (k as f64).sin());
    let mut at = system.evaluate(&x, &mut work);
    let mut jacobian = Jacobian::new(&system);
    at.tangent(weights, &mut jacobian);
    let matrix = jacobian.matrix();
    let n = matrix.pattern().dimension();
    let mut factor = Factor::new(matrix.pattern());
    factor.refactor(matrix).unwrap();
    let b: Vec<f64> = (0..n).map(|k| (1.3 * k as f64).cos()).collect();
    let (mut y, mut rest) = (vec![0.0; n], vec![0.0; n]);
    factor.solve_refined(matrix, &b, &mut y).unwrap();
    matrix.residual(&y, &b, &mut rest);
    let largest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    (largest(&rest) / (largest(&y) * largest(&matrix.values)), factor.fallbacks())
}

fn chain(k: usize) -> Vec<Option<usize>> {
    vec![k.checked_sub(1)]
}

fn tree(k: usize) -> Vec<Option<usize>> {
    vec![k.checked_sub(1).map(|k| k / 3)]
}

/// Every third body closes a loop.
fn loops(k: usize) -> Vec<Option<usize>> {
    if k % 3 == 2 && k > 5 { vec![k.checked_sub(1), Some(k - 5)] } else { chain(k) }
}

#[test]
fn solves_chains_trees_and_loops() {
    let newton = Weights { mass: 1.0, velocity: 1e-3, position: 1e-6, acceleration: 1.0, ..Weights::mass_only(&[]) };
    for (name, parents) in [("chain", chain as fn(usize) -> _), ("tree", tree), ("loops", loops)] {
        for (mass_ratio, stiffness) in [(1.0, 0.0), (1e-8, 0.0), (1e4, 1e9)] {
            for weights in [Weights::mass_only(&[]), newton] {
                let error = residual(&mechanism(60, mass_ratio, stiffness, parents), &weights);
                assert!(error < 1e-13, "{name}, masses 1:{mass_ratio:e}, stiffness {stiffness:e}: {error:e}");
            }
        }
    }
}

/// (M Gᵀ; G 0) where a system starts.
fn with_masses(system: &System) -> Jacobian {
    let (mut work, mut jacobian) = (Work::new(system), Jacobian::new(system));
    system.evaluate(system.initial(), &mut work).tangent(&Weights::mass_only(&[]), &mut jacobian);
    jacobian
}

#[test]
fn redundant_rows_are_singular_unless_regularised() {
    let twice = |k: usize| vec![k.checked_sub(1); 1 + usize::from(k == 20)];
    let mut model = mechanism(40, 1.0, 0.0, twice);
    let (i, j) = (model.joints()[20].i, model.joints()[20].j);
    model.add_joint(Joint::new("again", Spherical, i, j));
    let system = System::new(&model).unwrap();
    let jacobian = with_masses(&system);
    let matrix = jacobian.matrix();
    let mut factor = Factor::new(matrix.pattern());
    let n = matrix.pattern().dimension();
    let solved = factor.refactor(matrix).and_then(|()| factor.solve(&mut vec![1.0; n]));
    assert!(solved.is_err(), "a singular matrix was solved");
    let error = residual(&model, &Weights::mass_only(&vec![1e-8; system.rows()]));
    assert!(error < 1e-13, "{error:e}");
}

#[test]
fn grids_need_no_pivoting_between_blocks() {
    const WIDTH: usize = 16;
    let place = |k: usize| [(k % WIDTH) as f64, (k / WIDTH) as f64, 0.3 * (1.7 * k as f64).sin()];
    let places: Vec<[f64; 3]> = (0..WIDTH * WIDTH).map(place).collect();
    let middle = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|c| 0.5 * (a[c] + b[c]) + 0.1 * (a[c] + 2.0 * b[c]).sin());
    let mut links = vec![(0, None, [-0.5, 0.0, 0.0])];
    for k in 1..places.len() {
        let neighbours = [(k % WIDTH != 0).then(|| k - 1), k.checked_sub(WIDTH)];
        links.extend(neighbours.into_iter().flatten().map(|n| (k, Some(n), middle(places[k], places[n]))));
    }
    let model = frame(&places, &links, |name, i, j| Joint::new(name, Spherical, i, j));
    let (error, fallbacks) = solved(&model, &Weights::mass_only(&[]));
    assert!(error < 1e-13 && fallbacks == 0, "{error:e}, {fallbacks}");
}

#[test]
fn four_bars_with_redundant_hinges_need_no_pivoting_between_blocks() {
    const BARS: usize = 40;
    let rockers = (0..=BARS).map(|k| [k as f64, 0.5, 0.0]);
    let places: Vec<[f64; 3]> = rockers.chain((0..BARS).map(|k| [k as f64 + 0.5, 1.0, 0.0])).collect();
    let mut links: Vec<_> = (0..=BARS).map(|k| (k, None, [k as f64, 0.0, 0.0])).collect();
    for k in 0..BARS {
        let coupler = BARS + 1 + k;
        links.extend([(coupler, Some(k), [k as f64, 1.0, 0.0]), (coupler, Some(k + 1), [k as f64 + 1.0, 1.0, 0.0])]);
    }
    let model = frame(&places, &links, |name, i, j| Joint::new(name, Revolute, i, j));
    let rows = System::new(&model).unwrap().rows();
    for epsilon in [1e-8, 1e-6] {
        let (error, fallbacks) = solved(&model, &Weights::mass_only(&vec![epsilon; rows]));
        assert!(error < 1e-13 && fallbacks == 0, "{error:e}, {fallbacks}");
    }
}

#[test]
fn refinement_stops_when_there_is_nothing_to_refine() {
    let system = System::new(&mechanism(5, 1.0, 0.0, |_| vec![])).unwrap();
    let jacobian = with_masses(&system);
    let matrix = jacobian.matrix();
    let mut factor = Factor::new(matrix.pattern());
    factor.refactor(matrix).unwrap();
    let n = matrix.pattern().dimension();
    factor.solve_refined(matrix, &vec![1.0; n], &mut vec![0.0; n]).unwrap();
    assert_eq!(factor.rounds(), 0);
}
