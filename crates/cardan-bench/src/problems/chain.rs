//! A chain of N links in space, let go from the horizontal: with hinges whose axes stand at +45° and −45° in turn, from rest; or
//! on ball joints, turning about the vertical so that no end is faster than 10 m/s. Long chains run shorter. Hinges may also be parallel or stand
//! anyhow, and universal and fixed joints take their place: the same chain whatever its directions.

use super::{Observed, Problem, link};
use cardan::math::random::Random;
use cardan::prelude::*;

/// Speed of the end of a long chain on ball joints, m/s.
const SPEED: f64 = 10.0;

pub fn revolute(n: usize) -> Problem {
    hang(n, 0.0, |model, k, i, j| {
        let axis = [0.0, 1.0, [1.0, -1.0][k % 2]];
        let (i, j) = (model.add_marker(i.z_along(axis)), model.add_marker(j.z_along(axis)));
        model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
    })
}

/// All hinges along the same slanting axis, so that the chain falls in a plane.
pub fn parallel(n: usize) -> Problem {
    hang(n, 0.0, |model, k, i, j| {
        let axis = [0.0, 1.0, 0.3];
        let (i, j) = (model.add_marker(i.z_along(axis)), model.add_marker(j.z_along(axis)));
        model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
    })
}

/// Every hinge along an axis of its own.
pub fn random(n: usize) -> Problem {
    let mut random = Random::new(1);
    hang(n, 0.0, |model, k, i, j| {
        let axis = std::array::from_fn(|_| random.range(-1.0, 1.0));
        let (i, j) = (model.add_marker(i.z_along(axis)), model.add_marker(j.z_along(axis)));
        model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
    })
}

pub fn universal(n: usize) -> Problem {
    hang(n, 0.0, |model, k, i, j| {
        let (i, j) = (model.add_marker(i.z_along([0.0, 1.0, 0.0])), model.add_marker(j.z_along([0.0, 0.0, 1.0])));
        model.add_joint(Joint::new(&format!("cross{k}"), Universal, i, j));
    })
}

/// Fixed joints, but for a hinge at the top.
pub fn fixed(n: usize) -> Problem {
    hang(n, 0.0, |model, k, i, j| {
        let axis = [0.0, 1.0, 0.0];
        let (i, j) = (model.add_marker(i.z_along(axis)), model.add_marker(j.z_along(axis)));
        let name = format!("weld{k}");
        model.add_joint(if k == 0 { Joint::new(&name, Revolute, i, j) } else { Joint::new(&name, Fixed, i, j) });
    })
}

/// Bushings in place of joints.
pub fn bushings(n: usize) -> Problem {
    hang(n, 0.0, |model, k, i, j| {
        let (i, j) = (model.add_marker(i), model.add_marker(j));
        let bushing = Bushing::new(&format!("bushing{k}"), i, j);
        let bushing = bushing.diagonal_stiffness([1e5, 1e5, 1e5, 2.0, 2.0, 2.0]).diagonal_damping([50.0, 50.0, 50.0, 5e-3, 5e-3, 5e-3]);
        model.add_force(bushing);
    })
}

/// The same for a whole second, however long it is.
pub fn revolute_second(n: usize) -> Problem {
    Problem { t_end: 1.0, ..revolute(n) }
}

pub fn spherical(n: usize) -> Problem {
    hang(n, 1.0_f64.min(SPEED / (n as f64 * link::LENGTH)), |model, k, i, j| {
        let (i, j) = (model.add_marker(i), model.add_marker(j));
        model.add_joint(Joint::new(&format!("ball{k}"), Spherical, i, j));
    })
}

fn hang(n: usize, turning: f64, mut join: impl FnMut(&mut Model, usize, Marker, Marker)) -> Problem {
    let mut model = Model::new("chain");
    model.set_gravity([0.0, 0.0, -9.81]);
    let half = 0.5 * link::LENGTH;
    let mut links = Vec::with_capacity(n);
    let mut end = Marker::on(BodyId::GROUND);
    for k in 0..n {
        let x = (k as f64 + 0.5) * link::LENGTH;
        let body = link::new(&format!("link{k}")).at([x, 0.0, 0.0]).moving([0.0, turning * x, 0.0]).spinning([0.0, 0.0, turning]);
        let body = model.add_body(body);
        join(&mut model, k, Marker::on(body).at([-half, 0.0, 0.0]), end);
        end = Marker::on(body).at([half, 0.0, 0.0]);
        links.push(body);
    }
    let observed = [10.min(n), n.div_ceil(2), n].map(|k| Observed::Position(links[k - 1])).to_vec();
    Problem { model, observed, t_end: duration(n) }
}

/// Long chains are there for their cost per step.
pub(super) fn duration(n: usize) -> f64 {
    match n {
        0..=300 => 1.0,
        301..=3000 => 0.1,
        _ => 0.02,
    }
}
