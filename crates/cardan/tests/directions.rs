//! Chains cost the same whatever the directions of their joints: the order of elimination, the size of the factors and the pivots do not
//! depend on how axes happen to stand.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::integrators::{Norm, Statistics, Stepper};
use cardan::linear::{BlockMatrix, Factor};
use cardan::math::random::Random;
use cardan::prelude::*;
use cardan::system::{Jacobian, Weights, Work};
use std::sync::Arc;

const H: f64 = 1e-3;

/// How the joints of a chain stand.
#[derive(Debug, Clone, Copy)]
enum Axes {
    Parallel([f64; 3]),
    Slanted,
    Random,
    Balls,
    Universals,
    Fixed,
}

const ALL: [Axes; 7] = [
    Axes::Parallel([0.0, 1.0, 0.0]),
    Axes::Parallel([0.3, 1.0, -0.7]),
    Axes::Slanted,
    Axes::Random,
    Axes::Balls,
    Axes::Universals,
    Axes::Fixed,
];

/// Links along a direction, from the ground on.
fn chain(links: usize, axes: Axes, along: [f64; 3]) -> Model {
    let at = |times: f64| along.map(|x| times * x);
    let mut model = Model::new("chain");
    model.set_gravity([0.0, 0.0, -9.81]);
    let (mut end, mut random) = (Marker::on(BodyId::GROUND), Random::new(3));
    for k in 0..links {
        let body = model.add_body(Body::rigid(&format!("b{k}"), 0.1, Inertia::cuboid(0.1, 0.1, 0.02, 0.02)).at(at(k as f64 + 0.5)));
        let axis = match axes {
            Axes::Parallel(axis) => axis,
            Axes::Slanted => [[0.0, 1.0, 1.0], [0.0, 1.0, -1.0]][k % 2],
            _ => std::array::from_fn(|_| random.range(-1.0, 1.0)),
        };
        // The axes of a universal joint stand across each other.
        let other = if matches!(axes, Axes::Universals) { [-axis[1], axis[0], 0.0] } else { axis };
        let (i, j) = (model.add_marker(Marker::on(body).at(at(-0.5)).z_along(axis)), model.add_marker(end.z_along(other)));
        let name = format!("j{k}");
        model.add_joint(match axes {
            Axes::Balls => Joint::new(&name, Spherical, i, j),
            Axes::Fixed => Joint::new(&name, Fixed, i, j),
            Axes::Universals => Joint::new(&name, Universal, i, j),
            _ => Joint::new(&name, Revolute, i, j),
        });
        end = Marker::on(body).at(at(0.5));
    }
    model
}

fn matrix(system: &System) -> BlockMatrix {
    let (mut work, mut jacobian, mut x) = (Work::new(system), Jacobian::new(system), system.initial().clone());
    x.v.iter_mut().enumerate().for_each(|(k, v)| *v = (k as f64).sin());
    let mut at = system.evaluate(&x, &mut work);
    let weights = Weights { velocity: 5e-4, position: 2.5e-7, acceleration: 1.0, ..Weights::mass_only(&[]) };
    at.tangent(&weights, &mut jacobian);
    jacobian.matrix().clone()
}

#[test]
fn factors_of_chains_have_the_same_size_a_link_and_lose_no_pivots() {
    for along in [[0.1, 0.0, 0.0], [0.08, 0.05, -0.03]] {
        for axes in ALL {
            let mut numbers = Vec::new();
            for links in [50, 1000, 3000] {
                let matrix = matrix(&System::new(&chain(links, axes, along)).unwrap());
                let mut factor = Factor::new(matrix.pattern());
                let b: Vec<f64> = (0..matrix.pattern().dimension()).map(|k| (1.3 * k as f64).cos()).collect();
                let [mut once, mut refined] = [b.clone(), b.clone()];
                factor.refactor(&matrix).unwrap();
                factor.solve(&mut once).unwrap();
                factor.solve_refined(&matrix, &b, &mut refined).unwrap();
                assert_eq!((factor.fallbacks(), factor.unplanned()), (0, 0), "{axes:?} along {along:?}, {links} links");
                numbers.push(factor.operations().unwrap().1 as f64 / links as f64);
                let size = refined.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
                let missing = once.iter().zip(&refined).fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()));
                assert!(missing < 1e-3 * size, "{axes:?} along {along:?}, {links} links: {:e}", missing / size);
            }
            assert!(numbers[2] / numbers[0] < 1.05, "numbers a link: {numbers:?}, {axes:?} along {along:?}");
        }
    }
}

fn run(system: &System, steps: usize) -> Statistics {
    let assembly = assemble(system).unwrap();
    let options = Options { norm: Norm::Paper, ..Options::default() };
    let method = Arc::new(GeneralizedAlpha::default());
    let mut stepper = Stepper::new(system, method, options, &assembly.state, &assembly.redundancy.regularization);
    stepper.start(&assembly.state, H).unwrap();
    for _ in 0..steps {
        stepper.attempt(H, None).unwrap();
        stepper.accept();
    }
    stepper.statistics()
}

#[test]
fn falling_chains_take_the_same_work_whatever_their_axes() {
    let work = |axes: Axes, links: usize| {
        let statistics = run(&System::new(&chain(links, axes, [0.1, 0.0, 0.0])).unwrap(), 60);
        (statistics.newton_iterations as f64 + 3.0 * statistics.jacobians as f64) / statistics.steps as f64
    };
    let of = [Axes::Parallel([0.0, 1.0, 0.0]), Axes::Parallel([0.0, 1.0, 0.4]), Axes::Slanted].map(|axes| work(axes, 1000));
    let (least, most) = of.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), w| (l.min(*w), m.max(*w)));
    assert!(most < 1.5 * least, "iterations a step, a Jacobian counted as three: {of:?}");
}
