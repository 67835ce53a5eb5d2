//! A contact as a force between pairs that come and go.

use super::candidates::Grid;
use super::definition::{Contact, LOCATED, Location};
use super::law::{Law, Material};
use super::load::{self, BristleRates};
use super::pairs;
use super::shapes::Solid;
use super::state::{ContactState, QUANTITIES};
use crate::bodies::MarkerId;
use crate::expr::Side;
use crate::forces::geometry::{Half, Linearized, Motion};
use crate::forces::{Closing, Exchange, Overlap, Pair, PairLaw, PairStates, Press, StateSlopes, Tangent};
use crate::math::{Vec3, Vec6, stack};
use crate::measures::{Approach, Context, Memory};

/// Shapes that are as deep in each other as they are thick move on by this part of their thickness a step.
const DEEPEST: f64 = 0.1;
/// Shapes that are in each other by more than this part of the smaller one's size are hardly meant to be.
const OVERLAP: f64 = 0.1;
/// Of more pairs than this the room between them is not looked at one by one.
const FOLLOWED: usize = 2000;

impl PairLaw for Contact {
    fn name(&self) -> &str {
        &self.name
    }
    fn markers(&self) -> &[MarkerId] {
        &self.markers
    }
    fn acting(&self, ctx: &Context, grid: &mut Grid, out: &mut Vec<Pair>) {
        match &self.many {
            None => out.extend(self.pairs.iter().filter(|pair| self.near(**pair, ctx))),
            Some(many) => {
                out.extend(self.pairs[..many.unbounded].iter().filter(|pair| self.near(**pair, ctx)));
                let centre = |k: usize| ctx.marker(self.markers[k]).p;
                many.near(centre, grid, |pair| out.extend(Some(pair).filter(|pair| self.near(*pair, ctx))));
            }
        }
    }
    fn wrench(&self, pair: Pair, ctx: &Context) -> [Vec6; 2] {
        let mut sum = [Vec6::zeros(); 2];
        self.loads(pair, ctx, |load, motion, _| {
            sum.iter_mut().zip(motion.wrenches(&load.force, &load.torque())).for_each(|(sum, w)| *sum += w);
        });
        sum
    }
    fn wrench_and_tangent(&self, pair: Pair, ctx: &Context, out: &mut Tangent) -> [Vec6; 2] {
        let (mut force, mut torque, mut by) = (Vec3::zeros(), Vec3::zeros(), [Half::zeros(); 4]);
        self.loads(pair, ctx, |load, _, _| {
            force += load.force;
            torque += load.torque();
            load.add_derivatives(&mut by);
        });
        let at = self.relative(pair, ctx);
        let motion = Motion::of(at.a, at.b);
        motion.write_tangent(&Linearized { force, torque, by }, out);
        motion.wrenches(&force, &torque)
    }
    fn potential(&self, pair: Pair, ctx: &Context) -> f64 {
        let (mut sum, law) = (0.0, self.laws.of(pair));
        self.touches(pair, ctx, |touch| sum += law.normal.potential(-touch.gap, ctx.scratch));
        sum
    }
    fn dissipation(&self, pair: Pair, ctx: &Context) -> f64 {
        let mut sum = 0.0;
        self.loads(pair, ctx, |load, _, _| sum += load.dissipation());
        sum
    }
    fn exchange(&self) -> Exchange {
        if self.laws.all().iter().any(Law::loses) { Exchange::Dissipated } else { Exchange::Stored }
    }
    fn quantities(&self) -> &'static [(&'static str, &'static str)] {
        QUANTITIES
    }
    fn tell(&self, acting: &[Pair], ctx: &Context, out: &mut [f64]) {
        let ContactState { gap, depth, touching, sticking, slip, normal, friction, point, force, power } = self.state(acting, ctx);
        let [touching, sticking] = [touching, sticking].map(|count| count as f64);
        let values = [gap, depth, touching, sticking, slip, normal, friction, point.x, point.y, point.z, force.x, force.y, force.z, power];
        out.copy_from_slice(&values);
    }
    fn overlap(&self, acting: &[Pair], ctx: &Context) -> Option<Overlap> {
        let mut deepest: Option<Overlap> = None;
        for pair in acting {
            let sizes = pair.iter().filter_map(|k| self.parts[*k].shape.size());
            let size = sizes.fold(f64::INFINITY, f64::min);
            self.touches(*pair, ctx, |touch| {
                let depth = -touch.gap;
                if depth > OVERLAP * size && deepest.is_none_or(|d| depth > d.depth) {
                    deepest = Some(Overlap { markers: pair.map(|k| self.markers[k]), depth });
                }
            });
        }
        deepest
    }
    fn pair_states(&self) -> &[PairStates] {
        &self.states
    }
    fn for_states(&self, of: &PairStates, ctx: &Context, each: &mut dyn FnMut(StateSlopes)) {
        let (at, law) = (self.relative(of.pair, ctx), self.laws.of(of.pair));
        let (motion, turn) = (Motion::of(at.a, at.b), at.b.r);
        let Some(friction) = &law.friction else { return };
        let mut tangent = Tangent::zero();
        self.kept(of.pair, ctx, |touch, number| {
            let deflection = self.deflection(of.pair, number, &at, ctx);
            let BristleRates { rate, by, own } = BristleRates::of(touch.as_ref(), friction, deflection, &motion);
            motion.write_tangent(&Linearized { force: Vec3::zeros(), torque: Vec3::zeros(), by }, &mut tangent);
            for axis in turn.column_iter().map(|axis| axis.into_owned()) {
                let row = stack(axis, Vec3::zeros());
                let (by_pose, by_twist) = (tangent.position.map(|m| m.tr_mul(&row)), tangent.velocity.map(|m| m.tr_mul(&row)));
                let mut wrench = Vec6::zeros();
                self.loads(of.pair, ctx, |load, _, own| wrench += if own == number { load.by_deflection(&axis) } else { Vec6::zeros() });
                each(StateSlopes { rate: axis.dot(&rate), by_pose, by_twist, own, wrench });
            }
        });
    }
    fn remembers(&self) -> bool {
        self.laws.all().iter().any(|law| law.normal.needs_arrival())
    }
    fn remember(&self, acting: &[Pair], ctx: &Context, memory: &mut Memory) {
        let h = ctx.t - ctx.memory.t();
        for pair in if self.has_sides() { &self.pairs } else { acting } {
            let at = self.relative(*pair, ctx);
            let motion = Motion::of(at.a, at.b);
            self.kept(*pair, ctx, |touch, number| {
                let (id, gap) = (self.touch_id(*pair, number), touch.map_or(f64::INFINITY, |touch| touch.gap));
                let speed = touch.map_or(0.0, |touch| -touch.rate(&motion));
                let fresh = Approach { id, gap, speed: if gap < 0.0 { speed.max(0.0) } else { speed } };
                memory.keep_approach(ctx.memory.approach(id).map_or(fresh, |known| known.after(h, gap, speed)));
            });
        }
    }
    fn has_sides(&self) -> bool {
        match self.location {
            Location::OfFew => self.touches <= LOCATED,
            Location::Always => true,
            Location::Never => false,
        }
    }
    /// Apart or touching; and while touching, stuck or sliding. Touches that come and go have one side together.
    fn sides(&self, ctx: &Context, out: &mut Vec<Side>) {
        for pair in &self.pairs {
            let at = self.relative(*pair, ctx);
            let (motion, law) = (Motion::of(at.a, at.b), self.laws.of(*pair));
            let [a, b] = pair.map(|k| &self.parts[k].shape);
            if pairs::come_and_go(a, b) {
                let mut gap = f64::INFINITY;
                self.touches(*pair, ctx, |touch| gap = gap.min(touch.gap));
                out.push(Side::of_sign(gap));
                continue;
            }
            self.touches(*pair, ctx, |touch| {
                out.push(Side::of_sign(touch.gap));
                if let Some(friction) = law.friction.filter(|f| !f.has_bristles()) {
                    let sticks = Side::of_saturation(load::sliding(&touch, &motion).norm() / friction.transition());
                    out.push(if touch.gap < 0.0 { sticks } else { Side::unknown() });
                }
            });
        }
    }
    fn closings(&self, acting: &[Pair], ctx: &Context, each: &mut dyn FnMut(Closing)) {
        for pair in acting {
            let at = self.relative(*pair, ctx);
            let (motion, law) = (Motion::of(at.a, at.b), self.laws.of(*pair));
            self.kept(*pair, ctx, |touch, number| {
                let Some(touch) = touch else { return };
                let stored = law.normal.potential(-touch.gap, ctx.scratch);
                let along = motion.wrenches(&touch.normal, &touch.arm.cross(&touch.normal));
                each(Closing { pair: *pair, place: number, gap: touch.gap, rate: touch.rate(&motion), stored, along });
            });
        }
    }
    fn presses(&self, acting: &[Pair], ctx: &Context, each: &mut dyn FnMut(Press)) {
        for pair in acting {
            let ([a, b], at) = (*pair, self.relative(*pair, ctx));
            let (pair, sign, back) = if a < b { ([a, b], 1.0, 0) } else { ([b, a], -1.0, 1) };
            self.loads([a, b], ctx, |load, _, number| {
                let (normal, friction) = ((load.force - load.friction) * sign, load.friction * sign);
                each(Press { pair, place: 2 * number + back, point: at.a.p + load.arm(), normal, friction });
            });
        }
    }
    fn duration(&self, mass: f64, touch: &Closing, ctx: &Context) -> f64 {
        self.laws.of(touch.pair).normal.duration(mass, -touch.gap, touch.rate, ctx.scratch)
    }
    fn clearances(&self, ctx: &Context, each: &mut dyn FnMut(f64, f64)) {
        if self.pairs.len() > FOLLOWED {
            return self.clearance_of_all(ctx, each);
        }
        for pair in &self.pairs {
            let [a, b] = pair.map(|k| &self.parts[k].shape);
            let thickness = pairs::own_depth(a, b) + b.depth();
            // What has no thickness has no inside in which it could be felt.
            if thickness.is_finite() && thickness > 0.0 {
                let at = self.relative(*pair, ctx);
                let motion = Motion::of(at.a, at.b);
                // Surfaces, where they are near, or the balls about them.
                let reach = pairs::own_reach(a);
                let mut gap = b.away(&at.seen_from_b(&Vec3::zeros())) - reach;
                if gap < reach {
                    gap = pairs::clear(a, b, &at);
                }
                each((gap + thickness).max(DEEPEST * thickness), motion.v.norm() + pairs::turning(a, &at.a.r.tr_mul(&motion.w)) * reach);
            }
        }
    }
    fn mistake(&self) -> Option<String> {
        let of_shape = self.parts.iter().find_map(|part| Some((part.shape.kind_name(), part.shape.mistake()?)));
        if let Some((kind, mistake)) = of_shape {
            return Some(format!("{kind}: {mistake}"));
        }
        if let Some([a, b]) = self.impossible {
            let [a, b] = [a, b].map(|k| self.parts[k].shape.kind_name());
            return Some(format!("there is no contact between {a} and {b}; {}", pairs::instead(a, b)));
        }
        if let Some(mistake) = self.pairs.iter().find_map(|pair| pairs::mistake(&self.parts[pair[0]].shape, &self.parts[pair[1]].shape)) {
            return Some(mistake);
        }
        if self.pairs.is_empty() {
            return Some("it has no pair of shapes on two different bodies".into());
        }
        let of_material = self.materials.iter().flatten().find_map(Material::mistake);
        of_material.or_else(|| self.laws.all().iter().find_map(Law::mistake))
    }
}
