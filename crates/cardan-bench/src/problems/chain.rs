//! A chain of N links in space, let go from the horizontal: with hinges whose axes stand at +45° and −45° in turn, from rest; or
//! on ball joints, turning about the vertical so that no end is faster than 10 m/s. Long chains run shorter. Hinges may also be parallel or stand
//! anyhow, and universal and fixed joints take their place: the same chain whatever its directions. Or forces hold it together, all of whose
//! translations are equally stiff and little damped: then it does not matter whether a program measures them in axes that turn.

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

/// Stiffness and damping of what holds the ends of links together, N/m and N s/m.
const STIFFNESS: f64 = 1e5;
const DAMPING: f64 = 1.0;

/// Bushings in place of joints.
pub fn bushings(n: usize) -> Problem {
    soft(n, 2.0, 5e-3)
}

/// Bushings with a rotational stiffness (N m/rad) and damping (N m s/rad).
fn soft(n: usize, stiffness: f64, damping: f64) -> Problem {
    let six = |force: f64, torque: f64| [force, force, force, torque, torque, torque];
    hang(n, 0.0, |model, k, i, j| {
        let (i, j) = (model.add_marker(i), model.add_marker(j));
        let bushing = Bushing::new(&format!("bushing{k}"), i, j);
        model.add_force(bushing.diagonal_stiffness(six(STIFFNESS, stiffness)).diagonal_damping(six(DAMPING, damping)));
    })
}

/// Vector forces that are written as text in place of joints: bushings without torques.
pub fn expressions(n: usize) -> Problem {
    let chain = hang(n, 0.0, |model, k, i, j| {
        let (i, j) = (model.add_marker(i.named(&format!("i{k}"))), model.add_marker(j.named(&format!("j{k}"))));
        let law = |x: char| format!("-{STIFFNESS}*D{x}(i{k}, j{k}, j{k}) - {DAMPING}*V{x}(i{k}, j{k}, j{k}, j{k})");
        model.add_force(ExpressionForce::vector(&format!("force{k}"), i, j, j, ['X', 'Y', 'Z'].map(law)));
    });
    Problem { without_text: Some(soft(n, 0.0, 0.0).model), ..chain }
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
    Problem::new(model, observed, duration(n))
}

/// Long chains are there for their cost per step.
pub(super) fn duration(n: usize) -> f64 {
    match n {
        0..=300 => 1.0,
        301..=3000 => 0.1,
        _ => 0.02,
    }
}
