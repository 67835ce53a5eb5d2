//! Factors of large Newton matrices in single precision: rough solutions, exact results.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::integrators::{Norm, Statistics, Stepper};
use cardan::linear::{BlockMatrix, Factor};
use cardan::prelude::*;
use cardan::system::{Weights, Work};
use std::sync::Arc;

/// Large enough for single precision.
const BODIES: usize = 3000;
const H: f64 = 1e-3;

/// A tree of links on hinges at ±45°, with these masses in turn.
fn tree(masses: [f64; 2]) -> Model {
    let mut model = Model::new("tree");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut ends: Vec<(BodyId, f64)> = vec![(BodyId::GROUND, 0.0)];
    for k in 0..BODIES {
        let (parent, x) = ends[k.div_ceil(2)];
        let mass = masses[k % 2];
        let body = model.add_body(Body::rigid(&format!("b{k}"), mass, Inertia::cuboid(mass, 0.1, 0.02, 0.02)).at([x + 0.05, 0.0, 0.0]));
        let axis = [0.0, 1.0, [1.0, -1.0][k % 2]];
        let at = if k == 0 { 0.0 } else { 0.05 };
        let i = model.add_marker(Marker::on(body).at([-0.05, 0.0, 0.0]).z_along(axis));
        let j = model.add_marker(Marker::on(parent).at([at, 0.0, 0.0]).z_along(axis));
        model.add_joint(Joint::new(&format!("j{k}"), Revolute, i, j));
        ends.push((body, x + 0.1));
    }
    model
}

/// A chain of links on hinges, straight, but along no axis of the world: heavy along the chain, light across it.
fn slanting_chain(bodies: usize) -> Model {
    let along = [0.08, 0.05, -0.03];
    let at = |times: f64| along.map(|x| times * x);
    let mut model = Model::new("chain");
    let mut end = Marker::on(BodyId::GROUND);
    for k in 0..bodies {
        let body = model.add_body(Body::rigid(&format!("b{k}"), 0.1, Inertia::cuboid(0.1, 0.1, 0.02, 0.02)).at(at(k as f64 + 0.5)));
        let axis = [[0.0, 1.0, 1.0], [1.0, -1.0, 0.0]][k % 2];
        let (i, j) = (model.add_marker(Marker::on(body).at(at(-0.5)).z_along(axis)), model.add_marker(end.z_along(axis)));
        model.add_joint(Joint::new(&format!("j{k}"), Revolute, i, j));
        end = Marker::on(body).at(at(0.5));
    }
    model
}

fn matrix(system: &System, speed: f64) -> BlockMatrix {
    let (mut work, mut matrix, mut x) = (Work::new(system), system.matrix(), system.initial().clone());
    x.v.iter_mut().enumerate().for_each(|(k, v)| *v = speed * (k as f64).sin());
    system.evaluate(&x, &mut work);
    let weights = Weights { velocity: 5e-4, position: 2.5e-7, acceleration: 1.0, ..Weights::mass_only(&[]) };
    system.tangent(&x, &weights, &mut work, &mut matrix);
    matrix
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
}

#[test]
fn rough_solutions_have_some_digits_and_refinement_brings_the_others() {
    let system = System::new(&tree([0.1, 0.1])).unwrap();
    let matrix = matrix(&system, 1.0);
    let b: Vec<f64> = (0..matrix.pattern().dimension()).map(|k| (1.3 * k as f64).cos()).collect();
    let mut exact = b.clone();
    let mut factor = Factor::new(matrix.pattern());
    factor.refactor(&matrix).unwrap();
    factor.solve_refined(&matrix, &b, &mut exact).unwrap();
    assert!(!factor.is_rough());
    let size = exact.iter().fold(0.0, |most, x| f64::max(most, x.abs()));

    let rough = |threads: usize| {
        let mut factor = Factor::new(matrix.pattern()).with_threads(threads).rough(matrix.pattern());
        factor.refactor(&matrix).unwrap();
        assert!(factor.is_rough());
        let [mut once, mut refined] = [b.clone(), b.clone()];
        factor.solve(&mut once).unwrap();
        factor.solve_refined(&matrix, &b, &mut refined).unwrap();
        (once, refined)
    };
    let (once, refined) = rough(1);
    assert!((1e-9..1e-3).contains(&(difference(&once, &exact) / size)), "{:e}", difference(&once, &exact) / size);
    assert!(difference(&refined, &exact) <= 1e-10 * size, "{:e}", difference(&refined, &exact) / size);
    assert!(rough(2) == (once, refined), "the same bits on two threads");
}

#[test]
fn long_chains_are_eliminated_like_short_ones_and_rough_solutions_of_them_have_digits() {
    let mut numbers = Vec::new();
    for bodies in [50, BODIES] {
        let matrix = matrix(&System::new(&slanting_chain(bodies)).unwrap(), 1.0);
        let mut factor = Factor::new(matrix.pattern()).rough(matrix.pattern());
        factor.refactor(&matrix).unwrap();
        numbers.push(factor.operations().unwrap().1 as f64 / bodies as f64);
        let b: Vec<f64> = (0..matrix.pattern().dimension()).map(|k| (1.3 * k as f64).cos()).collect();
        let [mut once, mut refined] = [b.clone(), b.clone()];
        factor.solve(&mut once).unwrap();
        factor.solve_refined(&matrix, &b, &mut refined).unwrap();
        assert!(factor.is_rough() == (bodies == BODIES) && factor.fallbacks() == 0);
        let size = refined.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
        assert!(difference(&once, &refined) < 1e-3 * size, "{:e}", difference(&once, &refined) / size);
    }
    assert!((numbers[1] / numbers[0] - 1.0).abs() < 0.03, "numbers a link: {numbers:?}");
}

#[test]
fn rough_factors_can_be_renewed_in_part_and_refused() {
    let system = System::new(&tree([0.1, 0.1])).unwrap();
    let (old, new) = (matrix(&system, 1.0), matrix(&system, 3.0));
    let blocks = old.pattern().block_rows();
    let b: Vec<f64> = (0..old.pattern().dimension()).map(|k| (0.7 * k as f64).sin()).collect();
    let solution = |factor: &mut Factor| {
        let mut x = b.clone();
        factor.solve(&mut x).unwrap();
        x
    };
    let mut factor = Factor::new(old.pattern()).rough(old.pattern());
    factor.refactor(&old).unwrap();
    assert_eq!(factor.mark(&mut vec![true; blocks]), Some(1.0));
    factor.refactor_marked(&new).unwrap();
    let renewed = solution(&mut factor);
    factor.refactor(&new).unwrap();
    assert!(renewed == solution(&mut factor), "a part that is the whole");

    let mut some = vec![false; blocks];
    some[5] = true;
    assert!(factor.mark(&mut some).unwrap() < 0.1);
    factor.refactor_marked(&new).unwrap();
    let size = renewed.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
    let change = difference(&solution(&mut factor), &renewed) / size;
    assert!(change < 1e-3, "the rest is read from its rough factors: {change:e}");

    factor.refuse_rough();
    factor.refactor(&new).unwrap();
    assert!(!factor.is_rough() && difference(&solution(&mut factor), &renewed) < 1e-3 * size);
}

fn run(system: &System, steps: usize, newton_tolerance: f64) -> (State, Statistics) {
    let assembly = assemble(system).unwrap();
    let options = Options { newton_tolerance, norm: Norm::Paper, ..Options::default() };
    let method = Arc::new(GeneralizedAlpha::default());
    let mut stepper = Stepper::new(system, method, options, &assembly.state, &assembly.redundancy.regularization);
    stepper.start(&assembly.state, H).unwrap();
    for _ in 0..steps {
        stepper.attempt(H, None).unwrap();
        stepper.accept();
    }
    (stepper.now().clone(), stepper.statistics())
}

#[test]
fn steps_of_large_models_are_solved_to_the_same_accuracy_with_the_work_of_small_ones() {
    // Equal masses, and masses that seven digits are too few for.
    for (masses, most) in [([0.1, 0.1], 2.5), ([1e3, 1e-5], 4.0)] {
        let system = System::new(&tree(masses)).unwrap();
        let (x, statistics) = run(&system, 20, Options::default().newton_tolerance);
        let (exact, _) = run(&system, 20, 1e-12);
        let iterations = statistics.newton_iterations as f64 / statistics.steps as f64;
        assert!(iterations <= most, "{iterations} iterations a step for masses of {masses:?}");
        assert!(difference(&x.q, &exact.q) < 1e-8, "{:e} for masses of {masses:?}", difference(&x.q, &exact.q));
    }
}
