//! Ideal rods: rigid bodies without inertia about their own axis. They are given a trace of it (`bodies/rigid.rs`). Where joints hold the
//! rotation about that axis, nobody can tell; where they do not, the rotation is free, and any torque about it spins the body up. With e
//! the rotation about the axis as one more row,
//!
//! ```text
//! rank [G; e] = rank G        the joints hold it                                                       (1)
//! ```

use super::redundancy::Redundancy;
use crate::bodies::Shape;
use crate::linear::rank::{BLOCK, analyze};
use crate::system::{State, System, Work};

/// A warning for each ideal rod whose rotation about its axis is free.
pub(super) fn warnings(system: &System, x: &State, redundancy: &Redundancy, work: &mut Work) -> Vec<String> {
    let rods: Vec<_> = system.bodies().iter().enumerate().filter_map(|(b, body)| Some((b, body, axis(&body.shape)?))).collect();
    if rods.is_empty() {
        return Vec::new();
    }
    let rows = system.without_units(system.gradient(x, work));
    let free = |(b, _, axis): &(usize, _, crate::math::Vec3)| {
        let mut more = rows.clone();
        let mut row = [0.0; BLOCK];
        row[3..].copy_from_slice(axis.as_slice());
        more.rows.push(vec![(*b, row)]);
        analyze(&more).rank > redundancy.rank
    };
    let sentence = |name: &str, axis: &crate::math::Vec3| {
        let [x, y, z] = [axis.x, axis.y, axis.z].map(|c| (c * 1e3).round() / 1e3 + 0.0);
        format!(
            "body '{name}' has no inertia about its axis ({x}, {y}, {z}), and no joint holds its rotation about it: it turns with a \
             {:.0e}th of its largest moment of inertia, and a torque about that axis would spin it up without limit. That does no harm \
             where no torque acts so; else give it the inertia of its thickness, or a joint that holds it, such as a universal joint",
            1.0 / crate::bodies::TRACE
        )
    };
    rods.iter().filter(|rod| free(rod)).map(|(_, body, axis)| sentence(&body.name, axis)).collect()
}

/// The axis of an ideal rod.
fn axis(shape: &Shape) -> Option<crate::math::Vec3> {
    if let Shape::Rigid(rigid) = shape { rigid.idle_axis() } else { None }
}
