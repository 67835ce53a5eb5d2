//! Ideal rods: rigid bodies without inertia about their own axis. They are given a trace of it (`bodies/rigid.rs`). Where joints hold the
//! rotation about that axis, nobody can tell; where they do not, the rotation is free, and any torque about it spins the body up. With e
//! the rotation about the axis as one more row,
//!
//! ```text
//! rank [G; e] = rank G        the joints hold it                                                       (1)
//! ```

use crate::bodies::{Shape, TRACE};
use crate::linear::rank::{BLOCK, analyze};
use crate::math::Vec3;
use crate::system::{State, System, Work};
use std::collections::HashSet;

/// At most this many bodies are named.
const SAID: usize = 6;

/// A warning for each ideal rod whose rotation about its axis is free.
pub(super) fn warnings(system: &System, x: &State, work: &mut Work) -> Vec<String> {
    let rods: Vec<_> = system.bodies().iter().enumerate().filter_map(|(b, body)| Some((b, body, axis(&body.shape)?))).collect();
    if rods.is_empty() {
        return Vec::new();
    }
    let mut rows = system.without_units(system.gradient(x, work));
    let first = rows.rows.len();
    for (b, _, axis) in &rods {
        let mut row = [0.0; BLOCK];
        row[3..].copy_from_slice(axis.as_slice());
        rows.rows.push(vec![(system.first_block(*b), row)]);
    }
    // Of rows that block the same, the later ones are called redundant: those of rotations that the constraints hold.
    let held: HashSet<usize> = analyze(&rows).redundant.iter().map(|r| r.row).collect();
    let free = rods.iter().enumerate().filter(|(k, _)| !held.contains(&(first + k))).map(|(_, (_, body, axis))| (&body.name, axis));
    let mut all: Vec<String> = free.map(|(name, axis)| sentence(name, axis)).collect();
    if let Some(more) = all.len().checked_sub(SAID).filter(|more| *more > 0) {
        all.truncate(SAID);
        all.push(format!("{more} more bodies have no inertia about their axis, and no joint holds their rotation about it"));
    }
    all
}

fn sentence(name: &str, axis: &Vec3) -> String {
    let [x, y, z] = [axis.x, axis.y, axis.z].map(|c| (c * 1e3).round() / 1e3 + 0.0);
    format!(
        "body '{name}' has no inertia about its axis ({x}, {y}, {z}), and no joint holds its rotation about it: it turns with {TRACE:.0e} of its \
         largest moment of inertia, and a torque about that axis would spin it up without limit. That does no harm where no torque acts so; \
         else give it the inertia of its thickness, or a joint that holds it, such as a universal joint"
    )
}

/// The axis of an ideal rod.
fn axis(shape: &Shape) -> Option<Vec3> {
    if let Shape::Rigid(rigid) = shape { rigid.idle_axis() } else { None }
}
