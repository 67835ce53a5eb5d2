//! Where the pairs of a contact touch, what acts there, and what a touch has of its past.

use super::definition::{Contact, Part};
use super::load::{Load, Past};
use super::pairs;
use super::shapes::Solid;
use super::touch::{Relative, Touch};
use crate::forces::Pair;
use crate::forces::geometry::Motion;
use crate::math::Vec3;
use crate::measures::{Context, TouchId};

impl Contact {
    pub(super) fn relative<'a>(&self, [a, b]: Pair, ctx: &Context<'a>) -> Relative<'a> {
        Relative { a: &ctx.markers[self.markers[a].index()], b: &ctx.markers[self.markers[b].index()] }
    }

    /// Calls `each` with the touches of a pair.
    #[inline]
    pub(super) fn touches(&self, pair: Pair, ctx: &Context, each: impl FnMut(Touch)) {
        let [a, b] = pair.map(|k| &self.parts[k].shape);
        pairs::touches(a, b, &self.relative(pair, ctx), each);
    }

    /// Calls `each` with the touches of a pair that are closed, the relative motion, and the number of the touch.
    #[inline]
    pub(super) fn loads(&self, pair: Pair, ctx: &Context, mut each: impl FnMut(&Load, &Motion, u32)) {
        let at = self.relative(pair, ctx);
        let (motion, law) = (Motion::of(at.a, at.b), self.laws.of(pair));
        let (remembers, apart) = (law.normal.needs_arrival(), self.tells_apart(pair));
        let mut number = 0;
        self.touches(pair, ctx, |touch| {
            if touch.gap < 0.0 {
                let known = if remembers { ctx.memory.approach(self.touch_id(pair, number)) } else { None };
                let past = Past { arrival: known.map(|a| a.speed), deflection: self.deflection(pair, number, &at, ctx) };
                each(&Load::of(touch, law, &past, &motion, ctx.scratch), &motion, number);
            }
            number += apart;
        });
    }

    /// By how much the number of a touch is larger than that of the one before: touches of a pair that come and go share what they remember.
    #[inline]
    pub(super) fn tells_apart(&self, pair: Pair) -> u32 {
        let [a, b] = pair.map(|k| &self.parts[k].shape);
        u32::from(!pairs::come_and_go(a, b))
    }

    /// Calls `each` with the touches of a pair that have a past, and their numbers: all of them, or, where they come and go, the deepest one, if
    /// there is any.
    pub(super) fn kept(&self, pair: Pair, ctx: &Context, mut each: impl FnMut(Option<Touch>, u32)) {
        if self.tells_apart(pair) == 0 {
            let mut deepest: Option<Touch> = None;
            self.touches(pair, ctx, |touch| {
                if deepest.is_none_or(|d| touch.gap < d.gap) {
                    deepest = Some(touch);
                }
            });
            return each(deepest, 0);
        }
        let mut number = 0;
        self.touches(pair, ctx, |touch| {
            each(Some(touch), number);
            number += 1;
        });
    }

    /// How the bristles of a touch are bent, in world axes.
    #[inline]
    pub(super) fn deflection(&self, pair: Pair, number: u32, at: &Relative, ctx: &Context) -> Vec3 {
        if self.states.is_empty() {
            return Vec3::zeros();
        }
        let Ok(k) = self.states.binary_search_by_key(&pair, |s| s.pair) else { return Vec3::zeros() };
        let first = self.states[k].first + 3 * number as usize;
        ctx.states.get(first..first + 3).map_or(Vec3::zeros(), |own| at.b.r * Vec3::new(own[0], own[1], own[2]))
    }

    /// The name of a touch of a pair.
    pub(super) fn touch_id(&self, pair: Pair, number: u32) -> TouchId {
        (self.number, pair.map(|k| k as u32), number)
    }

    /// Whether the balls about two shapes, or a ball and a surface without bounds, come close.
    pub(super) fn near(&self, pair: Pair, ctx: &Context) -> bool {
        let [a, b] = pair.map(|k| &self.bounds[k]);
        let (at, reach) = (self.relative(pair, ctx), a.own + a.margin(b));
        (at.a.p - at.b.p).norm_squared() <= (reach + b.reach).powi(2)
            && self.parts[pair[1]].shape.away(&at.seen_from_b(&Vec3::zeros())) <= reach
    }

    /// One bound for many shapes: the thinnest of them, and twice the fastest as seen from the middle of all velocities. Surfaces without bounds are
    /// seen as those of their bodies.
    pub(super) fn clearance_of_all(&self, ctx: &Context, each: &mut dyn FnMut(f64, f64)) {
        let mut thickness = f64::INFINITY;
        let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for part in &self.parts {
            let (velocity, depth) = (ctx.marker(part.marker).v, part.shape.depth());
            thickness = if depth > 0.0 && part.shape.reach().is_finite() { thickness.min(depth) } else { thickness };
            (low, high) = (low.inf(&velocity), high.sup(&velocity));
        }
        let middle = (low + high) * 0.5;
        let speed = |part: &Part| {
            let (marker, reach) = (ctx.marker(part.marker), part.shape.reach());
            (marker.v - middle).norm() + if reach.is_finite() { marker.w.norm() * reach } else { 0.0 }
        };
        if thickness.is_finite() {
            each(thickness, 2.0 * self.parts.iter().map(speed).fold(0.0, f64::max));
        }
    }
}
