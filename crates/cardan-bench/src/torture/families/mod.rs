//! Families of random mechanisms, one file a group.

mod linkages;
mod singles;
mod stiff;
mod touches;
mod trains;
mod trees;

use super::builder::Builder;
use super::{Mechanism, loads};

/// A family: its name and what builds it.
type Family = (&'static str, fn(&mut Builder));

/// All families; a seed takes one after the other.
pub const FAMILIES: &[Family] = &[
    ("tree", trees::tree),
    ("four-bar", linkages::four_bar),
    ("gears", trains::gears),
    ("chain", trees::chain),
    ("slider-crank", linkages::slider_crank),
    ("bounce", singles::bounce),
    ("bump", stiff::bump),
    ("rack-and-screw", trains::rack_and_screw),
    ("spinner", singles::spinner),
    ("loop", linkages::spatial_loop),
    ("beams", stiff::beams),
    ("flat four-bar", linkages::flat_four_bar),
    ("servo", singles::servo),
    ("mass ratio", trees::mass_ratio),
    ("governor", linkages::governor),
    ("slide", singles::stick_slip),
];

/// Families with contact, which seeds from [`TOUCHING`] on take one after the other.
pub const TOUCHES: &[Family] =
    &[("fall", touches::fall), ("slope", touches::slope), ("strike", touches::strike), ("hammer", touches::hammer)];

/// The first seed of a mechanism with contact.
pub const TOUCHING: u64 = 1_000_000;

/// The mechanism of a seed; `nudge` changes its initial velocities, gravity and functions of time by this part of their usual sizes.
pub fn mechanism(seed: u64, nudge: f64) -> Mechanism {
    let families = if seed < TOUCHING { FAMILIES } else { TOUCHES };
    let (name, build) = families[(seed % families.len() as u64) as usize];
    let mut builder = Builder::new(seed, nudge);
    build(&mut builder);
    if seed < TOUCHING && builder.once_in(2) {
        loads::some(&mut builder);
    }
    builder.finish(seed, name)
}
