//! A contact: shapes of two groups, which pairs of them touch and by which laws, and how it is put together.

use super::law::{Friction, Given, Law, Laws, Loads, Material, NormalLaw, Resistance};
use super::many::Many;
use super::pairs;
use super::shapes::{Shape, Solid};
use super::touch::Relative;
use crate::bodies::{MarkerId, MarkerState};
use crate::forces::{Pair, PairStates};

/// Pairs have a place in the Newton matrix where they come closer than this part of their sizes.
const NEAR: f64 = 0.1;
/// From so many pairs on those that are close are searched for by cells.
const MANY: usize = 200;
/// Up to so many touches in a model are located in time, one by one: steps end where they begin and end.
pub(super) const LOCATED: usize = 24;

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
pub(super) struct Bounds {
    pub(super) reach: f64,
    pub(super) own: f64,
    pub(super) size: f64,
}

impl Bounds {
    fn of(shape: &Shape) -> Self {
        Self { reach: shape.reach(), own: pairs::own_reach(shape), size: shape.size().unwrap_or(f64::INFINITY) }
    }

    /// Two shapes are near where they are apart by less.
    pub(super) fn margin(&self, other: &Self) -> f64 {
        let margin = NEAR * self.size.min(other.size).min(self.reach.max(other.reach));
        if margin.is_finite() { margin } else { 0.0 }
    }
}

/// Contact between shapes of two groups.
#[derive(Debug, Clone)]
#[must_use = "a contact has to be added to a model"]
pub struct Contact {
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
    /// How many of them are of group i; `None` if they touch each other.
    pub(super) firsts: Option<usize>,
    pub(super) markers: Vec<MarkerId>,
    pub(super) bounds: Vec<Bounds>,
    /// Which pairs there are: the first feels the second.
    pub(super) pairs: Vec<Pair>,
    /// Shapes that cannot touch.
    pub(super) impossible: Option<Pair>,
    pub(super) given: Given,
    /// What each shape is made of.
    pub(super) materials: Vec<Option<Material>>,
    pub(super) laws: Laws,
    /// How many touches there can be.
    pub(super) touches: usize,
    /// Of its name, by which its touches are remembered.
    pub(super) number: u64,
    /// Pairs with bristles, in order.
    pub(super) states: Vec<PairStates>,
    pub(super) location: Location,
    /// For a search by cells, where there are many pairs.
    pub(super) many: Option<Many>,
}

/// A number made of a name (FNV-1a).
fn number(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
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
    pub(super) fn touches_of(&self, pair: Pair) -> usize {
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
}
