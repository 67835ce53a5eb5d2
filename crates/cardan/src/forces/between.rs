//! Laws that need to know nothing but how their two markers stand and move. They act on marker i with a force F and a torque M in world axes,
//! at its origin, and on marker j with the reaction. Such laws can be evaluated from the frames of bodies (`system/flat`); what they have to
//! give as forces between markers follows.

use super::Tangent;
use super::geometry::{Linearized, Motion};
use crate::bodies::{MarkerId, MarkerState};
use crate::math::{Vec3, Vec6};
use crate::measures::Context;

/// A law between two markers.
pub(crate) trait Between {
    /// F and M.
    fn load(&self, i: &MarkerState, j: &MarkerState) -> (Vec3, Vec3);
    /// The same with their derivatives by the relative motion.
    fn linearize(&self, i: &MarkerState, motion: &Motion) -> Linearized;
    /// The potential energy, J, and the power that is dissipated, W.
    fn energies(&self, i: &MarkerState, j: &MarkerState) -> [f64; 2];
}

/// What acts on both markers: (F, M) and −(F, M + (p_i − p_j) × F).
#[inline]
pub fn wrenches(law: &impl Between, markers: [MarkerId; 2], ctx: &Context) -> [Vec6; 2] {
    let [i, j] = markers.map(|m| ctx.marker(m));
    let (force, torque) = law.load(i, j);
    Motion::of(i, j).wrenches(&force, &torque)
}

/// The same with the tangent.
#[inline]
pub fn wrenches_and_tangent(law: &impl Between, markers: [MarkerId; 2], ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
    let [i, j] = markers.map(|m| ctx.marker(m));
    let motion = Motion::of(i, j);
    let load = law.linearize(i, &motion);
    motion.write_tangent(&load, out);
    motion.wrenches(&load.force, &load.torque)
}

/// Potential energy and dissipated power.
pub fn energies(law: &impl Between, markers: [MarkerId; 2], ctx: &Context) -> [f64; 2] {
    let [i, j] = markers.map(|m| ctx.marker(m));
    law.energies(i, j)
}
