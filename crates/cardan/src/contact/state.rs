//! What a contact does as a whole, and its channels.

use super::definition::Contact;
use super::pairs;
use crate::forces::Pair;
use crate::math::Vec3;
use crate::measures::Context;

/// Names and units of what a contact tells of itself.
pub(super) const QUANTITIES: &[(&str, &str)] = &[
    ("gap", "m"),
    ("depth", "m"),
    ("touching", "1"),
    ("sticking", "1"),
    ("slip", "m/s"),
    ("normal", "N"),
    ("friction", "N"),
    ("point.x", "m"),
    ("point.y", "m"),
    ("point.z", "m"),
    ("force.x", "N"),
    ("force.y", "N"),
    ("force.z", "N"),
    ("power", "W"),
];
/// What a contact does at a state, as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContactState {
    /// The smallest gap, m, or somewhat less where nothing is near; of very many pairs that of those that are near, infinite if none is.
    pub gap: f64,
    /// The largest depth, m; zero if nothing touches.
    pub depth: f64,
    /// Number of touches that carry force.
    pub touching: usize,
    /// Number of those that slide more slowly than the transition speed of their friction.
    pub sticking: usize,
    /// The largest sliding speed of those that carry force, m/s.
    pub slip: f64,
    /// Sum of the normal forces, N.
    pub normal: f64,
    /// Sum of the magnitudes of the friction forces, N.
    pub friction: f64,
    /// The centre of the normal forces, in the world, m; the origin if there are none.
    pub point: Vec3,
    /// Force on the shapes of group i, in the world, N.
    pub force: Vec3,
    /// Power lost, W.
    pub power: f64,
}
impl Contact {
    /// What it does as a whole, by the pairs that are near.
    pub fn state(&self, acting: &[Pair], ctx: &Context) -> ContactState {
        let mut sum = ContactState { gap: f64::INFINITY, ..ContactState::default() };
        for pair in acting {
            self.touches(*pair, ctx, |touch| sum.gap = sum.gap.min(touch.gap));
            let (sign, origin) = (if pair[0] < pair[1] { 1.0 } else { -1.0 }, self.relative(*pair, ctx).a.p);
            let transition = self.laws.of(*pair).friction.map_or(0.0, |friction| friction.transition());
            self.loads(*pair, ctx, |load, _, _| {
                if load.normal.force > 0.0 {
                    let slip = load.sliding().norm();
                    sum.touching += 1;
                    sum.sticking += usize::from(slip < transition);
                    sum.slip = sum.slip.max(slip);
                }
                sum.normal += load.pressure;
                sum.friction += load.friction.norm();
                sum.point += (origin + load.arm()) * load.pressure;
                sum.force += load.force * sign;
                sum.power += load.dissipation();
            });
        }
        if sum.gap.is_infinite() && self.many.is_none() {
            let clear = |pair: &Pair| pairs::clear(&self.parts[pair[0]].shape, &self.parts[pair[1]].shape, &self.relative(*pair, ctx));
            sum.gap = self.pairs.iter().map(clear).fold(f64::INFINITY, f64::min);
        }
        sum.depth = (-sum.gap).max(0.0);
        sum.point = if sum.normal > 0.0 { sum.point / sum.normal } else { Vec3::zeros() };
        sum
    }
}
