//! A binary tree of N links in space, let go from rest. The two children of a link hang at its end on hinges at ±45° of their own
//! axes, one along its direction, the other across it.

use super::{Observed, Problem, chain, link};
use cardan::math::Quat;
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// A link that others may hang on.
#[derive(Clone, Copy)]
struct Branch {
    body: BodyId,
    /// Where its far end is, in the world.
    end: Vec3,
    /// Its direction in the plane, rad.
    heading: f64,
}

pub fn tree(n: usize) -> Problem {
    let mut model = Model::new("tree");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut branches: Vec<Branch> = Vec::with_capacity(n);
    for k in 0..n {
        let parent = k.checked_sub(1).map(|k| branches[k / 2]);
        branches.push(grow(&mut model, k, parent));
    }
    let observed = [10.min(n), n.div_ceil(2), n].map(|k| Observed::Position(branches[k - 1].body)).to_vec();
    Problem::new(model, observed, 0.3_f64.min(chain::duration(n)))
}

fn grow(model: &mut Model, k: usize, parent: Option<Branch>) -> Branch {
    let half = 0.5 * link::LENGTH;
    let (start, before) = parent.map_or((Vec3::zeros(), 0.0), |p| (p.end, p.heading));
    let (turn, side) = [(0.0, 1.0), (FRAC_PI_2, -1.0)][k % 2];
    let heading = before + turn;
    let along = Vec3::new(heading.cos(), heading.sin(), 0.0);
    let turned = |angle| Quat::from_axis_angle(&Vec3::z_axis(), angle);
    let body = link::new(&format!("link{k}")).at((start + along * half).into()).oriented(turned(heading));
    let body = model.add_body(body);
    let i = Marker::on(body).at([-half, 0.0, 0.0]).z_along([0.0, 1.0, side]);
    let j = parent.map_or(Marker::on(BodyId::GROUND), |p| Marker::on(p.body).at([half, 0.0, 0.0]));
    let j = j.oriented(turned(turn) * i.orientation);
    let (i, j) = (model.add_marker(i), model.add_marker(j));
    model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
    Branch { body, end: start + along * link::LENGTH, heading }
}
