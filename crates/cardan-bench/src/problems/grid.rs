//! A net in space: m × m square meshes of links on ball joints, 2 m (m + 1) links, every mesh a closed loop. It lies flat, is held
//! at one corner and let go. At a node, all links are joined to the first of them. A ladder is a net of 1 × m meshes, 3 m + 1 links.

use super::{Observed, Problem, link};
use cardan::math::Quat;
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// The net with about n links.
pub fn grid(n: usize) -> Problem {
    let m = (1..).take_while(|m| 2 * m * (m + 1) <= n + n / 20).last().unwrap_or(1);
    meshes([m, m], if n > 300 { 0.1 } else { 0.3 })
}

/// The ladder with about n links.
pub fn ladder(n: usize) -> Problem {
    meshes([n.saturating_sub(1).div_ceil(3), 1], if n > 300 { 0.1 } else { 0.3 })
}

fn meshes([long, wide]: [usize; 2], t_end: f64) -> Problem {
    let mut net = Net::new([long, wide]);
    for a in 0..=long.max(wide) {
        for b in 0..long.max(wide) {
            if a <= wide && b < long {
                net.add([b, a], Along::X);
            }
            if a <= long && b < wide {
                net.add([a, b], Along::Y);
            }
        }
    }
    let count = net.links.len();
    let observed = [count / 2, count - 1].map(|k| Observed::Position(net.links[k])).to_vec();
    Problem::new(net.model, observed, t_end)
}

#[derive(Clone, Copy)]
enum Along {
    X,
    Y,
}

/// A net under construction.
struct Net {
    model: Model,
    links: Vec<BodyId>,
    /// The marker at which the first link meets each node.
    nodes: Vec<Option<MarkerId>>,
    side: usize,
}

impl Net {
    fn new([long, wide]: [usize; 2]) -> Self {
        let mut model = Model::new("grid");
        model.set_gravity([0.0, 0.0, -9.81]);
        let mut nodes = vec![None; (long + 1) * (wide + 1)];
        nodes[0] = Some(model.add_marker(Marker::on(BodyId::GROUND)));
        Self { model, links: Vec::new(), nodes, side: long + 1 }
    }

    /// Adds the link that starts at a node and joins both its ends to what is there.
    fn add(&mut self, node: [usize; 2], along: Along) {
        let half = 0.5 * link::LENGTH;
        let corner = node.map(|k| k as f64 * link::LENGTH);
        let (center, angle, next) = match along {
            Along::X => ([corner[0] + half, corner[1], 0.0], 0.0, [node[0] + 1, node[1]]),
            Along::Y => ([corner[0], corner[1] + half, 0.0], FRAC_PI_2, [node[0], node[1] + 1]),
        };
        let body = link::new(&format!("link{}", self.links.len())).at(center);
        let body = self.model.add_body(body.oriented(Quat::from_axis_angle(&Vec3::z_axis(), angle)));
        self.join(node, body, -half);
        self.join(next, body, half);
        self.links.push(body);
    }

    fn join(&mut self, node: [usize; 2], body: BodyId, at: f64) {
        let end = self.model.add_marker(Marker::on(body).at([at, 0.0, 0.0]));
        match self.nodes[node[0] + self.side * node[1]] {
            Some(there) => {
                let name = format!("ball{}", self.model.joints().len());
                self.model.add_joint(Joint::new(&name, Spherical, end, there));
            }
            ref mut empty => *empty = Some(end),
        }
    }
}
