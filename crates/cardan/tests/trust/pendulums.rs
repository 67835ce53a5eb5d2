//! Chains of rods under gravity, in the plane and in space: a long one, and two links whose masses are a million apart.
//!
//! With angles θ_i against the vertical, lengths l_i, masses m_i, centres of mass in the middle and μ_i the mass below link i:
//!
//! ```text
//! Σ_j M_ij (θ̈_j cos(θ_i − θ_j) + θ̇_j² sin(θ_i − θ_j)) = −g l_i (m_i/2 + μ_i) sin θ_i
//! M_ij = l_i l_j (m_j/2 + μ_j)  for i < j,     M_ii = l_i² (m_i/3 + μ_i)
//! ```

use crate::Scale::{Position, Velocity};
use crate::solve::{linear, solve};
use crate::{Case, check};
use cardan::prelude::*;

const G: f64 = 9.81;

/// Where bodies move.
#[derive(Clone, Copy, PartialEq)]
enum Room {
    Plane,
    Space,
}

fn model(room: Room, links: &[(f64, f64)], start: f64) -> Model {
    let mut model = Model::new("chain");
    model.set_gravity([0.0, -G, 0.0]);
    let direction = Vec3::new(start.sin(), -start.cos(), 0.0);
    let (mut end, mut parent) = (Vec3::zeros(), None);
    for (k, (mass, length)) in links.iter().enumerate() {
        let name = format!("link{k}");
        let angle = start - std::f64::consts::FRAC_PI_2;
        let inertia = mass * length * length / 12.0;
        let body = match room {
            Room::Plane => Body::planar(&name, *mass, inertia).turned(angle),
            Room::Space => {
                let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
                Body::rigid(&name, *mass, Inertia::principal(0.1 * inertia, inertia, inertia)).oriented(turn)
            }
        };
        let body = model.add_body(body.at((end + direction * (0.5 * length)).into()));
        let i = model.add_marker(Marker::on(body).at([-0.5 * length, 0.0, 0.0]));
        let j = match parent {
            None => model.add_marker(Marker::on(BodyId::GROUND)),
            Some((body, length)) => model.add_marker(Marker::on(body).at([0.5f64 * length, 0.0, 0.0])),
        };
        model.add_joint(Joint::new(&format!("hinge{k}"), Revolute, i, j));
        end += direction * *length;
        parent = Some((body, *length));
    }
    model
}

fn motion(links: &[(f64, f64)], y: &[f64], d: &mut [f64]) {
    let n = links.len();
    let below: Vec<f64> = (0..n).map(|i| links[i + 1..].iter().map(|l| l.0).sum()).collect();
    let (mut a, mut b) = (vec![vec![0.0; n]; n], vec![0.0; n]);
    for i in 0..n {
        let (mass, length) = links[i];
        b[i] = -G * length * (0.5 * mass + below[i]) * y[i].sin();
        for j in 0..n {
            let last = i.max(j);
            let part = if i == j { links[i].0 / 3.0 } else { 0.5 * links[last].0 };
            let m = length * links[j].1 * (part + below[last]);
            a[i][j] = m * (y[i] - y[j]).cos();
            b[i] -= m * (y[i] - y[j]).sin() * y[n + j].powi(2);
        }
    }
    d[..n].copy_from_slice(&y[n..]);
    d[n..].copy_from_slice(&linear(a, b));
}

/// Positions and velocities of the first and of the last link.
fn pendulum(name: &'static str, room: Room, links: &[(f64, f64)], last: [&'static str; 5], t_end: f64, h: f64) -> Case {
    let (n, start) = (links.len(), 0.8);
    let interval = t_end / 50.0;
    let from: Vec<f64> = (0..2 * n).map(|k| if k < n { start } else { 0.0 }).collect();
    let rows = solve(|_, y, d| motion(links, y, d), &from, &Case::times(t_end, interval), &[], h);
    let at = |y: Vec<f64>| {
        let (mut x, mut v) = (Vec3::zeros(), Vec3::zeros());
        let mut first = 0.0;
        for k in 0..n {
            let (sin, cos) = y[k].sin_cos();
            let (along, across) = (Vec3::new(sin, -cos, 0.0) * links[k].1, Vec3::new(cos, sin, 0.0) * (links[k].1 * y[n + k]));
            let part = if k + 1 == n { 0.5 } else { 1.0 };
            x += along * part;
            v += across * part;
            if k == 0 {
                first = 0.5 * links[0].1 * sin;
            }
        }
        vec![x.x, x.y, v.x, v.y, y[2 * n - 1], first]
    };
    let (length, speed) = (links.iter().map(|l| l.1).sum::<f64>(), 2.0 * (G * links.iter().map(|l| l.1).sum::<f64>()).sqrt());
    let fastest = rows.iter().map(|y| y[2 * n - 1].abs()).fold(0.0, f64::max);
    let mut channels: Vec<_> =
        last[..4].iter().map(|name| (*name, if name.contains("position") { Position(length) } else { Velocity(speed) })).collect();
    channels.push((last[4], Velocity(fastest)));
    channels.push(("link0.position.x", Position(length)));
    Case { name, model: model(room, links, start), t_end, interval, channels, rows: rows.into_iter().map(at).collect(), singular: false }
}

const SECOND: [&str; 5] = ["link1.position.x", "link1.position.y", "link1.velocity.x", "link1.velocity.y", "link1.angular_velocity.z"];
const TENTH: [&str; 5] = ["link9.position.x", "link9.position.y", "link9.velocity.x", "link9.velocity.y", "link9.angular_velocity.z"];

#[test]
fn masses_a_million_apart() {
    check(vec![
        pendulum("heavy below light", Room::Plane, &[(1e-3, 0.5), (1e3, 0.7)], SECOND, 2.0, 1e-4),
        pendulum("light below heavy", Room::Space, &[(1e3, 0.5), (1e-3, 0.7)], SECOND, 2.0, 1e-4),
        pendulum("small pendulum", Room::Space, &[(1e-5, 4e-3), (1e-6, 6e-3)], SECOND, 0.2, 1e-5),
        pendulum("large pendulum", Room::Plane, &[(100.0, 8.0), (50.0, 12.0)], SECOND, 10.0, 1e-3),
    ]);
}

#[test]
fn long_chains() {
    check(vec![
        pendulum("planar chain", Room::Plane, &[(0.2, 0.1); 10], TENTH, 1.0, 1e-4),
        pendulum("chain", Room::Space, &[(0.2, 0.1); 10], TENTH, 1.0, 1e-4),
    ]);
}
