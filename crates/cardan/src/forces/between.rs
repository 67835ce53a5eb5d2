//! Laws that need to know nothing but how their two markers stand and move. They act on marker i with a force F and a torque M in world axes,
//! at its origin, and on marker j with the reaction. Such laws can be evaluated from the frames of bodies (`system/flat`); what they have to
//! give as forces between markers follows.

use super::Tangent;
use super::geometry::Motion;
use crate::bodies::{MarkerId, MarkerState};
use crate::math::{Vec3, Vec6};
use crate::measures::Context;

/// A law between two markers.
pub(crate) trait Between {
    /// F and M.
    fn load(&self, i: &MarkerState, j: &MarkerState) -> (Vec3, Vec3);
    /// The same, and the tangent of (F, M) in `out`, whatever was there before.
    fn load_and_tangent(&self, i: &MarkerState, j: &MarkerState, out: &mut Tangent) -> (Vec3, Vec3);
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
    let (force, torque) = law.load_and_tangent(i, j, out);
    Motion::of(i, j).wrenches(&force, &torque)
}
