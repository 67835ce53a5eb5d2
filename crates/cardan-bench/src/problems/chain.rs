//! A chain of N links in space, let go from the horizontal: with hinges whose axes stand at +45° and −45° in turn, from rest; or
//! on ball joints, turning about the vertical so that no end is faster than 10 m/s. Long chains run shorter.

use super::{Observed, Problem, link};
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
