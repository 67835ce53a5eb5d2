//! N four-bar windows side by side (IFToMM benchmark A02): 2N + 1 bars of 1 m and 1 kg, the rockers upright, the upper bars moving
//! with 1 m/s. One degree of freedom, except twice a turn, where all bars lie on one line. Made of spatial bodies, the same
//! mechanism has redundant constraints. The exact motion is that of the rockers' common angle θ,
//!
//! ```text
//! ((N+1)/3 + N) m l² θ̈ = −((N+1)/2 + N) m g l cos θ
//! ```

use super::{Observed, Problem};
use cardan::math::Quat;
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_2;

const INERTIA: f64 = 1.0 / 12.0;

#[derive(Clone, Copy)]
enum Space {
    Planar,
    Spatial,
}

pub fn planar(n: usize) -> Problem {
    Problem { t_end: if n > 100 { 1.0 } else { 10.0 }, ..windows(n, Space::Planar) }
}

pub fn spatial(n: usize) -> Problem {
    Problem { t_end: if n > 10 { 0.2 } else { 1.0 }, ..windows(n, Space::Spatial) }
}

fn windows(n: usize, space: Space) -> Problem {
    let mut model = Model::new("four-bars");
    model.set_gravity([0.0, -9.81, 0.0]);
    let rockers: Vec<BodyId> = (0..=n).map(|k| rocker(&mut model, k, space)).collect();
    let couplers: Vec<BodyId> = (1..=n).map(|k| coupler(&mut model, k, space)).collect();
    for (k, rocker) in rockers.iter().enumerate() {
        pin(&mut model, &format!("a{k}"), (*rocker, -0.5), (BodyId::GROUND, k as f64));
    }
    for (k, coupler) in couplers.iter().enumerate() {
        pin(&mut model, &format!("b{k}"), (*coupler, -0.5), (rockers[k], 0.5));
        pin(&mut model, &format!("c{k}"), (*coupler, 0.5), (rockers[k + 1], 0.5));
    }
    Problem::new(model, vec![Observed::Position(couplers[0])], 10.0)
}

fn bar(name: &str, space: Space) -> Body {
    match space {
        Space::Planar => Body::planar(name, 1.0, INERTIA),
        Space::Spatial => Body::rigid(name, 1.0, Inertia::principal(1e-3, INERTIA, INERTIA)),
    }
}

fn rocker(model: &mut Model, k: usize, space: Space) -> BodyId {
    let bar = bar(&format!("rocker{k}"), space).at([k as f64, 0.5, 0.0]).moving([0.5, 0.0, 0.0]).spinning([0.0, 0.0, -1.0]);
    model.add_body(match space {
        Space::Planar => bar.turned(FRAC_PI_2),
        Space::Spatial => bar.oriented(Quat::from_axis_angle(&Vec3::z_axis(), FRAC_PI_2)),
    })
}

fn coupler(model: &mut Model, k: usize, space: Space) -> BodyId {
    model.add_body(bar(&format!("coupler{k}"), space).at([k as f64 - 0.5, 1.0, 0.0]).moving([1.0, 0.0, 0.0]))
}

/// A hinge about z between places along the x axes of two bodies.
fn pin(model: &mut Model, name: &str, (i, at_i): (BodyId, f64), (j, at_j): (BodyId, f64)) {
    let i = model.add_marker(Marker::on(i).at([at_i, 0.0, 0.0]));
    let j = model.add_marker(Marker::on(j).at([at_j, 0.0, 0.0]));
    model.add_joint(Joint::new(name, Revolute, i, j));
}
