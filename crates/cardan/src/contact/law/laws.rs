//! The laws of a contact, pair by pair. What is given holds for all of its pairs; what is left open follows from the materials and sizes of the two
//! shapes of a pair, and where there is no material from the load that they are likely to carry:
//!
//! ```text
//! by material   k = 4/3 E*/√κ,   κ the sum of both curvatures 1/R (mean ones), or 1/s where that is no more than zero; s the smaller size    (1)
//! else          k (0.001 s)^1.5 = F,   F = m g, or m v²/s without gravity; m the lighter body                                                (2)
//! ```
//!
//! with the exponent 3/2. The restitution is ½ at every speed where nobody says otherwise, and there is no friction.
//!
//! Laws are made when a model is compiled. Shapes alike in all that matters are of one kind, and each two kinds have one law in a table.

use super::{Arrival, Damping, Elastic, Friction, Material, NormalLaw, Resistance, SLOWEST};
use crate::bodies::MarkerId;
use crate::contact::Part;
use crate::contact::shapes::{Shape, Solid};
use crate::forces::Pair;
use std::collections::HashMap;

/// Static loads sink in by this part of the smaller shape's size.
const SINKING: f64 = 1e-3;
/// The exponent of laws that follow from materials and loads.
const EXPONENT: f64 = 1.5;
/// The restitution where nothing is said of it.
const RESTITUTION: f64 = 0.5;
/// The size of what has none, m.
const SIZE: f64 = 0.1;
/// No law.
const NONE: u32 = u32::MAX;

/// What two surfaces do to each other where they touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    /// The normal force.
    pub normal: NormalLaw,
    /// Friction against sliding.
    pub friction: Option<Friction>,
    /// Resistance to rolling and spinning.
    pub resistance: Option<Resistance>,
    /// Where the normal force comes from.
    pub origin: Origin,
}

impl Law {
    /// Whether it loses energy.
    pub fn loses(&self) -> bool {
        self.friction.is_some() || self.resistance.is_some() || self.normal.loses()
    }

    /// What is wrong with it, if anything.
    pub fn mistake(&self) -> Option<String> {
        let of_friction = || self.friction.as_ref().and_then(Friction::mistake);
        self.normal.mistake().or_else(of_friction).or_else(|| self.resistance.as_ref().and_then(Resistance::mistake))
    }
}

/// Where the stiffness of a pair comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// It was given.
    Given,
    /// From the materials (1).
    Material,
    /// From the load (2).
    Load,
}

/// What is said of the laws of a contact as a whole.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    /// The normal force, if it does not follow from materials and loads.
    pub normal: Option<NormalLaw>,
    /// The restitution of laws that do.
    pub restitution: Option<f64>,
    /// The speed at which it holds.
    pub arrival: Option<Arrival>,
    /// Friction, if it does not follow from materials.
    pub friction: Option<Friction>,
    /// Resistance to rolling and spinning.
    pub resistance: Option<Resistance>,
}

/// What presses shapes together, as far as a model tells.
pub struct Loads<'a> {
    /// The mass of the body that carries a marker, kg; infinite for the ground.
    pub mass: &'a dyn Fn(MarkerId) -> f64,
    /// g, m/s².
    pub gravity: f64,
    /// v, a speed with which they may move, m/s.
    pub speed: f64,
}

impl Loads<'_> {
    /// F of (2), N.
    fn of(&self, masses: [f64; 2], size: f64) -> f64 {
        let lighter = masses.into_iter().filter(|m| m.is_finite() && *m > 0.0).fold(f64::INFINITY, f64::min);
        let mass = if lighter.is_finite() { lighter } else { 1.0 };
        mass * if self.gravity > 0.0 { self.gravity } else { self.speed * self.speed / size }
    }
}

/// The laws of all pairs.
#[derive(Debug, Clone, Default)]
pub struct Laws {
    all: Vec<Law>,
    /// The kinds of all shapes, how many there are, and which law each two of them have; nothing where there is one law.
    kinds: Vec<u32>,
    count: usize,
    table: Vec<u32>,
}

/// What a shape brings into a law.
struct Side<'a> {
    shape: &'a Shape,
    material: Material,
    mass: f64,
}

impl Laws {
    /// For these pairs of shapes.
    pub fn new(given: &Given, parts: &[Part], materials: &[Option<Material>], pairs: &[Pair], loads: &Loads) -> Self {
        if let Some(normal) = given.normal.clone().filter(|_| materials.iter().all(Option::is_none)) {
            let lightest = parts.iter().map(|part| (loads.mass)(part.marker)).fold(f64::INFINITY, f64::min);
            let normal = normal.under(loads.of([lightest; 2], SIZE), loads.gravity);
            let law = Law { normal, friction: given.friction, resistance: given.resistance, origin: Origin::Given };
            return Self { all: vec![law], kinds: Vec::new(), count: 1, table: Vec::new() };
        }
        let mut distinct: Vec<Material> = Vec::new();
        let mut known: HashMap<[u64; 4], u32> = HashMap::new();
        let mut sides: Vec<Side> = Vec::new();
        let mut kinds = Vec::with_capacity(parts.len());
        for (part, material) in parts.iter().zip(materials) {
            let (material, mass) = (material.unwrap_or_default(), (loads.mass)(part.marker));
            let made_of = distinct.iter().position(|m| *m == material).unwrap_or_else(|| {
                distinct.push(material);
                distinct.len() - 1
            });
            let key = [curvature(&part.shape).to_bits(), part.shape.size().unwrap_or(0.0).to_bits(), mass.to_bits(), made_of as u64];
            kinds.push(*known.entry(key).or_insert_with(|| {
                sides.push(Side { shape: &part.shape, material, mass });
                sides.len() as u32 - 1
            }));
        }
        let count = sides.len();
        let (mut all, mut table) = (Vec::new(), vec![NONE; count * count]);
        for [a, b] in pairs.iter().map(|pair| pair.map(|k| kinds[k] as usize)) {
            if table[a * count + b] == NONE {
                let law = all.len() as u32;
                all.push(law_of(given, [&sides[a], &sides[b]], loads));
                (table[a * count + b], table[b * count + a]) = (law, law);
            }
        }
        Self { all, kinds, count, table }
    }

    /// The law of a pair.
    #[inline]
    pub fn of(&self, [a, b]: Pair) -> &Law {
        let law = if self.table.is_empty() { 0 } else { self.table[self.kinds[a] as usize * self.count + self.kinds[b] as usize] };
        &self.all[law as usize]
    }

    /// All laws.
    pub fn all(&self) -> &[Law] {
        &self.all
    }
}

fn law_of(given: &Given, [a, b]: [&Side; 2], loads: &Loads) -> Law {
    let materials = [&a.material, &b.material];
    let (normal, origin) = match &given.normal {
        Some(normal) => (normal.clone(), Origin::Given),
        None => open_law(given, [a, b], loads),
    };
    let normal = normal.under(loads.of([a.mass, b.mass], SIZE), loads.gravity);
    Law { normal, friction: given.friction.or_else(|| Material::friction_of(materials)), resistance: given.resistance, origin }
}

/// (1) or (2).
fn open_law(given: &Given, [a, b]: [&Side; 2], loads: &Loads) -> (NormalLaw, Origin) {
    let materials = [&a.material, &b.material];
    let sizes = a.shape.size().into_iter().chain(b.shape.size());
    let size = sizes.fold(f64::INFINITY, f64::min);
    let size = if size.is_finite() { size } else { SIZE };
    let (law, origin) = if Material::compliance_of(materials).is_some() {
        let sum = curvature(a.shape) + curvature(b.shape);
        (NormalLaw::hertz([a.material, b.material], if sum > 0.0 { sum } else { 1.0 / size }), Origin::Material)
    } else {
        let stiffness = loads.of([a.mass, b.mass], size) / (SINKING * size).powf(EXPONENT);
        (NormalLaw::elastic(stiffness, EXPONENT), Origin::Load)
    };
    let restitution = given.restitution.or_else(|| Material::restitution_of(materials)).unwrap_or(RESTITUTION);
    let arrival = given.arrival.unwrap_or(Arrival::Own { slowest: SLOWEST });
    (law.returning(restitution, arrival), origin)
}

/// The mean curvature 1/R where a shape is touched, 1/m, as far as one number can tell; negative in hollows.
fn curvature(shape: &Shape) -> f64 {
    match shape {
        Shape::HalfSpace(_) => 0.0,
        Shape::HollowSphere(s) => -1.0 / s.radius,
        Shape::Cylinder(s) => 0.5 / s.radius,
        Shape::HollowCylinder(s) => -0.5 / s.radius,
        Shape::Torus(s) => 0.5 / s.tube + 0.5 / (s.radius + s.tube),
        other => other.size().map_or(0.0, |size| 1.0 / size),
    }
}

/// The smallest and the largest of some numbers, as text.
fn range(numbers: impl Iterator<Item = f64> + Clone) -> String {
    let (low, high) = (numbers.clone().fold(f64::INFINITY, f64::min), numbers.fold(f64::NEG_INFINITY, f64::max));
    let text =
        |x: f64| if (1e-3..1e5).contains(&x.abs()) || x == 0.0 { format!("{}", (x * 1e4).round() / 1e4) } else { format!("{x:.3e}") };
    if text(low) == text(high) { text(low) } else { format!("{} to {}", text(low), text(high)) }
}

impl Laws {
    /// What the laws are, in words.
    pub fn in_words(&self) -> String {
        [self.stiffness_in_words(), self.damping_in_words(), self.friction_in_words()].join(", ")
    }

    fn stiffness_in_words(&self) -> String {
        let power = |law: &Law| match law.normal.elastic {
            Elastic::Power { stiffness, exponent } => Some((stiffness, exponent, law.origin)),
            Elastic::Table(_) | Elastic::Function(_) => None,
        };
        let powers: Vec<_> = self.all.iter().filter_map(power).collect();
        let Some((_, exponent, _)) = powers.first() else { return "a force by depth as given".into() };
        let mut origins: Vec<Origin> = powers.iter().map(|p| p.2).collect();
        origins.sort_unstable();
        origins.dedup();
        let words = origins.iter().map(|origin| match origin {
            Origin::Given => "as given",
            Origin::Material => "by material and curvature",
            Origin::Load => "by default, a static load sinking 0.1 % of the size",
        });
        let words: Vec<&str> = words.collect();
        format!("stiffness {} N/m^{exponent} ({})", range(powers.iter().map(|p| p.0)), words.join("; "))
    }

    fn damping_in_words(&self) -> String {
        let returned: Vec<f64> = self
            .all
            .iter()
            .filter_map(|law| match law.normal.damping {
                Damping::Proportional { restitution, .. } => Some(restitution),
                Damping::None => Some(1.0),
                Damping::Stepped { .. } => None,
            })
            .collect();
        if returned.len() < self.all.len() { "damping as given".into() } else { format!("restitution {}", range(returned.iter().copied())) }
    }

    fn friction_in_words(&self) -> String {
        let coefficients = self.all.iter().map(|law| law.friction.map_or(0.0, |f| f.moving));
        if coefficients.clone().all(|mu| mu == 0.0) { "no friction".into() } else { format!("friction {}", range(coefficients)) }
    }
}
