//! Contact: bodies that touch, strike, slide and roll. A contact is a force between pairs of shapes that come and go ([`PairLaw`]): each touch of a
//! pair has a gap g, negative where the surfaces overlap, and exerts
//!
//! ```text
//! F = N(δ, δ̇) n − N φ(|v_t|) v_t,     δ = −g                                                                  (1)
//! ```
//!
//! at the contact point, on the body towards which n points, and the opposite on the other. Rooms: shapes as signed distances (`surface`, `shapes/`),
//! which pairs there are and where they touch (`pairs/`, `touch`), which of many are close (`many`, `candidates`), laws of the normal force, of friction and of
//! resistance to rolling (`law`, `elastic`, `friction`, `resistance`), which law holds for which pair (`laws`, `material`), wrenches and tangents (`load`).
//!
//! All of it is a function of the state, with exact derivatives: the curvature of the shapes and the dependence of friction on the normal force are
//! in the tangents.

mod candidates;
mod drag;
mod elastic;
mod friction;
mod law;
mod laws;
mod load;
mod many;
mod material;
mod pairs;
mod profile;
mod resistance;
mod shapes;
mod surface;
mod touch;
mod triangles;

pub use candidates::Grid;
pub use elastic::{Elastic, Function, Push, Table};
pub use friction::{Friction, Regularization};
pub use law::{Arrival, Damping, Normal, NormalLaw, SLOWEST, Stroke, damping_for};
pub use laws::{Given, Law, Loads, Origin};
pub use material::Material;
pub use profile::{Gear, Geneva, Piece, Profile, Sprocket, Teeth, Turn, cam, geneva_lock};
pub use resistance::Resistance;
pub use shapes::{
    Capsule, ContactPoint, Cuboid, Cylinder, Disk, Ellipsoid, HalfSpace, HeightField, HollowCylinder, HollowSphere, Hull, Mesh, SHAPES,
    Shape, Solid, Sphere, Torus,
};
pub use surface::Nearest;

use crate::bodies::{MarkerId, MarkerState};
use crate::expr::Side;
use crate::forces::geometry::{Half, Linearized, Motion};
use crate::forces::{Closing, Exchange, Overlap, Pair, PairLaw, PairStates, Press, StateSlopes, Tangent};
use crate::math::{Vec3, Vec6, stack};
use crate::measures::{Approach, Context, Memory, TouchId};
use laws::Laws;
use load::{BristleRates, Load, Past};
use many::Many;
use touch::{Relative, Touch};

/// Pairs have a place in the Newton matrix where they come closer than this part of their sizes.
const NEAR: f64 = 0.1;
/// Shapes that are as deep in each other as they are thick move on by this part of their thickness a step.
const DEEPEST: f64 = 0.1;
/// Shapes that are in each other by more than this part of the smaller one's size are hardly meant to be.
const OVERLAP: f64 = 0.1;
/// From so many pairs on those that are close are searched for by cells.
const MANY: usize = 200;
/// Of more pairs than this the room between them is not looked at one by one.
const FOLLOWED: usize = 2000;
/// Up to so many touches in a model are located in time, one by one: steps end where they begin and end.
const LOCATED: usize = 24;

/// Names and units of what a contact tells of itself.
const QUANTITIES: &[(&str, &str)] = &[
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

/// A shape on a body: in the frame of a marker.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The marker.
    pub marker: MarkerId,
    /// The shape.
    pub shape: Shape,
}

/// Whether steps end exactly where touches of a contact begin and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Location {
    /// Where there can be few.
    #[default]
    OfFew,
    /// Always, however many there can be.
    Always,
    /// Never: error control finds them.
    Never,
}

/// How far a shape reaches from its origin, what it feels with by itself, and its size; infinite where it has none.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    reach: f64,
    own: f64,
    size: f64,
}

impl Bounds {
    fn of(shape: &Shape) -> Self {
        Self { reach: shape.reach(), own: pairs::own_reach(shape), size: shape.size().unwrap_or(f64::INFINITY) }
    }

    /// Two shapes are near where they are apart by less.
    fn margin(&self, other: &Self) -> f64 {
        let margin = NEAR * self.size.min(other.size).min(self.reach.max(other.reach));
        if margin.is_finite() { margin } else { 0.0 }
    }
}

/// Contact between shapes of two groups.
#[derive(Debug, Clone)]
#[must_use = "a contact has to be added to a model"]
pub struct Contact {
    name: String,
    parts: Vec<Part>,
    /// How many of them are of group i; `None` if they touch each other.
    firsts: Option<usize>,
    markers: Vec<MarkerId>,
    bounds: Vec<Bounds>,
    /// Which pairs there are: the first feels the second.
    pairs: Vec<Pair>,
    /// Shapes that cannot touch.
    impossible: Option<Pair>,
    given: Given,
    /// What each shape is made of.
    materials: Vec<Option<Material>>,
    laws: Laws,
    /// How many touches there can be.
    touches: usize,
    /// Of its name, by which its touches are remembered.
    number: u64,
    /// Pairs with bristles, in order.
    states: Vec<PairStates>,
    location: Location,
    /// For a search by cells, where there are many pairs.
    many: Option<Many>,
}

/// A number made of a name (FNV-1a).
fn number(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

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
    /// Contact of every shape of group `i` with every shape of group `j`.
    pub fn new(name: &str, i: Vec<Part>, j: Vec<Part>, law: NormalLaw) -> Self {
        Self::between(name, i, j, Given { normal: Some(law), ..Given::default() })
    }

    /// Contact of shapes among each other.
    pub fn among(name: &str, parts: Vec<Part>, law: NormalLaw) -> Self {
        Self::within(name, parts, Given { normal: Some(law), ..Given::default() })
    }

    /// Contact of every shape of group `i` with every shape of group `j`, with laws that follow for each pair where they are not given.
    pub fn between(name: &str, i: Vec<Part>, j: Vec<Part>, given: Given) -> Self {
        let firsts = i.len();
        let parts: Vec<Part> = i.into_iter().chain(j).collect();
        let all = (0..firsts).flat_map(|a| (firsts..parts.len()).map(move |b| [a, b])).collect();
        Self::of_pairs(name, parts, Some(firsts), all, given)
    }

    /// The same of shapes among each other.
    pub fn within(name: &str, parts: Vec<Part>, given: Given) -> Self {
        let all = (0..parts.len()).flat_map(|a| (a + 1..parts.len()).map(move |b| [a, b])).collect();
        Self::of_pairs(name, parts, None, all, given)
    }

    fn of_pairs(name: &str, parts: Vec<Part>, firsts: Option<usize>, all: Vec<Pair>, given: Given) -> Self {
        let mut pairs = Vec::new();
        let mut impossible = None;
        for [a, b] in all {
            let [there, back] = pairs::directions(&parts[a].shape, &parts[b].shape);
            pairs.extend(there.then_some([a, b]));
            pairs.extend(back.then_some([b, a]));
            impossible = impossible.or((!there && !back).then_some([a, b]));
        }
        let markers = parts.iter().map(|part| part.marker).collect();
        let bounds = parts.iter().map(|part| Bounds::of(&part.shape)).collect();
        let (materials, laws) = (vec![None; parts.len()], Laws::default());
        Self {
            name: name.into(),
            parts,
            firsts,
            markers,
            bounds,
            pairs,
            impossible,
            given,
            materials,
            laws,
            touches: 0,
            location: Location::OfFew,
            number: number(name),
            states: Vec::new(),
            many: None,
        }
        .counted()
    }

    /// With friction.
    pub fn friction(mut self, friction: Friction) -> Self {
        self.given.friction = Some(friction);
        self.presumed()
    }

    /// With resistance to rolling and spinning.
    pub fn resistance(mut self, resistance: Resistance) -> Self {
        self.given.resistance = Some(resistance);
        self.presumed()
    }

    /// With shapes made of these materials.
    pub fn made_of(mut self, material: impl Fn(MarkerId) -> Option<Material>) -> Self {
        self.materials = self.markers.iter().map(|marker| material(*marker)).collect();
        self.presumed()
    }

    /// With the laws of shapes on bodies of a kilogram, until more is known.
    fn presumed(self) -> Self {
        self.settled(&Loads { mass: &|_| 1.0, gravity: 9.81, speed: 1.0 })
    }

    /// With the laws of shapes that carry these loads.
    pub fn settled(mut self, loads: &Loads) -> Self {
        self.laws = Laws::new(&self.given, &self.parts, &self.materials, &self.pairs, loads);
        self
    }

    /// With steps that end where touches begin and end, or not.
    pub fn located(mut self, location: Location) -> Self {
        self.location = location;
        self
    }

    /// As one of the contacts of a model with so many touches where there are few.
    pub fn among_touches(mut self, all: usize) -> Self {
        if self.location == Location::OfFew && all > LOCATED {
            self.location = Location::Never;
        }
        self
    }

    /// How many touches there can be.
    pub fn touches_at_most(&self) -> usize {
        self.touches
    }

    /// Whether steps end where touches begin and end.
    pub fn location(&self) -> Location {
        self.location
    }

    /// Without the pairs of markers for which this holds, such as those of the same body.
    pub fn without(mut self, excluded: impl Fn(MarkerId, MarkerId) -> bool) -> Self {
        let Self { pairs, markers, impossible, .. } = &mut self;
        let keeps = |[a, b]: &Pair| !excluded(markers[*a], markers[*b]);
        pairs.retain(keeps);
        *impossible = impossible.filter(keeps);
        self.counted()
    }

    fn counted(mut self) -> Self {
        self.touches = self.pairs.iter().map(|pair| self.touches_of(*pair)).sum();
        let radii: Vec<f64> = self.parts.iter().map(|part| part.shape.reach()).collect();
        self.many = (self.pairs.len() > MANY).then(|| Many::new(&radii, NEAR, &mut self.pairs));
        self.presumed()
    }

    /// How many touches of a pair are told apart.
    fn touches_of(&self, pair: Pair) -> usize {
        let (origin, [a, b]) = (MarkerState::identity(), pair.map(|k| &self.parts[k].shape));
        let mut count = 0;
        match self.tells_apart(pair) {
            0 => count = 1,
            _ => pairs::touches(a, b, &Relative { a: &origin, b: &origin }, |_| count += 1),
        }
        count
    }

    /// The shapes of group i, and those of group j; the latter are none where shapes touch each other.
    pub fn groups(&self) -> [&[Part]; 2] {
        let (i, j) = self.parts.split_at(self.firsts.unwrap_or(self.parts.len()));
        [i, j]
    }

    /// Whether two of its shapes may touch.
    pub fn has_pair(&self, a: MarkerId, b: MarkerId) -> bool {
        self.pairs.iter().any(|pair| {
            let markers = pair.map(|k| self.markers[k]);
            markers == [a, b] || markers == [b, a]
        })
    }

    /// What was given of its laws.
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// What a shape is made of.
    pub fn material(&self, marker: MarkerId) -> Option<&Material> {
        self.markers.iter().position(|m| *m == marker).and_then(|k| self.materials[k].as_ref())
    }

    /// What its shapes are made of.
    pub fn materials(&self) -> &[Option<Material>] {
        &self.materials
    }

    /// The laws of its pairs.
    pub fn laws(&self) -> &[Law] {
        self.laws.all()
    }

    /// The laws of its pairs, in words.
    pub fn laws_in_words(&self) -> String {
        self.laws.in_words()
    }

    fn relative<'a>(&self, [a, b]: Pair, ctx: &Context<'a>) -> Relative<'a> {
        Relative { a: &ctx.markers[self.markers[a].index()], b: &ctx.markers[self.markers[b].index()] }
    }

    /// Calls `each` with the touches of a pair.
    #[inline]
    fn touches(&self, pair: Pair, ctx: &Context, each: impl FnMut(Touch)) {
        let [a, b] = pair.map(|k| &self.parts[k].shape);
        pairs::touches(a, b, &self.relative(pair, ctx), each);
    }

    /// Calls `each` with the touches of a pair that are closed, the relative motion, and the number of the touch.
    #[inline]
    fn loads(&self, pair: Pair, ctx: &Context, mut each: impl FnMut(&Load, &Motion, u32)) {
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
    fn tells_apart(&self, pair: Pair) -> u32 {
        let [a, b] = pair.map(|k| &self.parts[k].shape);
        u32::from(!pairs::come_and_go(a, b))
    }

    /// Calls `each` with the touches of a pair that have a past, and their numbers: all of them, or, where they come and go, the deepest one, if there is
    /// any.
    fn kept(&self, pair: Pair, ctx: &Context, mut each: impl FnMut(Option<Touch>, u32)) {
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
    fn deflection(&self, pair: Pair, number: u32, at: &Relative, ctx: &Context) -> Vec3 {
        if self.states.is_empty() {
            return Vec3::zeros();
        }
        let Ok(k) = self.states.binary_search_by_key(&pair, |s| s.pair) else { return Vec3::zeros() };
        let first = self.states[k].first + 3 * number as usize;
        ctx.states.get(first..first + 3).map_or(Vec3::zeros(), |own| at.b.r * Vec3::new(own[0], own[1], own[2]))
    }

    /// With differential states for its bristles, which begin at this place among all; says how many there are.
    pub(crate) fn with_states(mut self, first: usize) -> (Self, usize) {
        let mut next = first;
        let mut states = Vec::new();
        for pair in &self.pairs {
            let Some(friction) = self.laws.of(*pair).friction.filter(Friction::has_bristles) else { continue };
            let count = 3 * self.touches_of(*pair);
            states.push(PairStates { pair: *pair, first: next, count, size: friction.fixed });
            next += count;
        }
        states.sort_unstable_by_key(|s| s.pair);
        self.states = states;
        (self, next - first)
    }

    /// The name of a touch of a pair.
    fn touch_id(&self, pair: Pair, number: u32) -> TouchId {
        (self.number, pair.map(|k| k as u32), number)
    }

    /// Whether the balls about two shapes, or a ball and a surface without bounds, come close.
    fn near(&self, pair: Pair, ctx: &Context) -> bool {
        let [a, b] = pair.map(|k| &self.bounds[k]);
        let (at, reach) = (self.relative(pair, ctx), a.own + a.margin(b));
        (at.a.p - at.b.p).norm_squared() <= (reach + b.reach).powi(2)
            && self.parts[pair[1]].shape.away(&at.seen_from_b(&Vec3::zeros())) <= reach
    }

    /// One bound for many shapes: the thinnest of them, and twice the fastest as seen from the middle of all velocities. Surfaces without bounds are
    /// seen as those of their bodies.
    fn clearance_of_all(&self, ctx: &Context, each: &mut dyn FnMut(f64, f64)) {
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
