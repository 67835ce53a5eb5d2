//! Bodies on forces alone: a frame of beams, and a net of springs.

use super::{Observed, Problem};
use cardan::forces::{Beam, Section, SpringDamper};
use cardan::math::Quat;
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

/// Distance of neighbours, m.
const MESH: f64 = 0.1;

/// What the frame is struck with: speed a distance from the clamped side, 1/s. Deflections stay so small that it does not matter in which axes
/// a program measures the forces of a beam, and beams are not damped, because programs differ in the rates of their deformations.
const STRIKE: f64 = 0.05;

/// A frame of about n nodes, twice as long as wide, clamped along one short side and struck across: small bodies on steel beams.
pub fn frame(n: usize) -> Problem {
    let wide = (1..).take_while(|w| 2 * w * w <= n).last().unwrap_or(1);
    let long = 2 * wide;
    let mut model = Model::new("frame");
    let section = Section::round(0.003, 2.1e11, 0.3);
    let mut nodes = Vec::new();
    for a in 0..long {
        for b in 0..wide {
            let at = [(a as f64 + 1.0) * MESH, b as f64 * MESH, 0.0];
            let body = Body::rigid(&format!("node{a}.{b}"), 0.05, Inertia::principal(2e-6, 2e-6, 2e-6));
            nodes.push(model.add_body(body.at(at).moving([0.0, 0.0, STRIKE * at[0]])));
        }
    }
    let node = |a: usize, b: usize| nodes[a * wide + b];
    let mut beam = |name: String, from: Marker, to: BodyId, angle: f64| {
        let turned = Quat::from_axis_angle(&Vec3::z_axis(), angle);
        let (j, i) = (model.add_marker(from.oriented(turned)), model.add_marker(Marker::on(to).oriented(turned)));
        model.add_force(Beam::new(&name, i, j, MESH, section));
    };
    for a in 0..long {
        for b in 0..wide {
            let before = if a == 0 { Marker::on(BodyId::GROUND).at([0.0, b as f64 * MESH, 0.0]) } else { Marker::on(node(a - 1, b)) };
            beam(format!("along{a}.{b}"), before, node(a, b), 0.0);
            if b > 0 {
                beam(format!("across{a}.{b}"), Marker::on(node(a, b - 1)), node(a, b), FRAC_PI_2);
            }
        }
    }
    let observed = vec![Observed::Position(node(long - 1, 0)), Observed::Position(node(long / 2, wide / 2))];
    Problem::new(model, observed, 0.1)
}

/// A net of m × m point masses, m² about n, on spring-dampers between neighbours, held at two corners and let go.
pub fn net(n: usize) -> Problem {
    let m = (1..).take_while(|m| m * m <= n).last().unwrap_or(1);
    let mut model = Model::new("net");
    model.set_gravity([0.0, 0.0, -9.81]);
    let mut markers = Vec::new();
    let mut bodies = Vec::new();
    for a in 0..m {
        for b in 0..m {
            let at = [a as f64 * MESH, b as f64 * MESH, 0.0];
            let held = a == 0 && (b == 0 || b == m - 1);
            let marker = if held {
                Marker::on(BodyId::GROUND).at(at)
            } else {
                bodies.push(model.add_body(Body::point(&format!("mass{a}.{b}"), 0.01).at(at)));
                Marker::on(bodies[bodies.len() - 1])
            };
            markers.push(model.add_marker(marker));
        }
    }
    let mut spring = |name: String, i: usize, j: usize| {
        model.add_force(SpringDamper::new(&name, markers[i], markers[j]).stiffness(500.0).damping(0.05).free_length(MESH));
    };
    for a in 0..m {
        for b in 0..m {
            if a > 0 {
                spring(format!("along{a}.{b}"), a * m + b, (a - 1) * m + b);
            }
            if b > 0 {
                spring(format!("across{a}.{b}"), a * m + b, a * m + b - 1);
            }
        }
    }
    let observed = vec![Observed::Position(bodies[bodies.len() - 1]), Observed::Position(bodies[bodies.len() / 2])];
    Problem::new(model, observed, 0.3)
}
