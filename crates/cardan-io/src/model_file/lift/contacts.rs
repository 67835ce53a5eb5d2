//! Shapes that touch, and contacts.

use super::super::field::{Name, Named};
use super::super::tables::{self, ContactFriction, ContactLaw, ContactShape, HuntCrossley, Impact, Names, Sections, Touching};
use super::bodies::turn;
use super::{Lifting, entry, unless_zero, vector};
use cardan::bodies::MarkerId;
use cardan::contact::{Contact, Damping, Friction, Location, NormalLaw, Part, Regularization, Shape};
use cardan::forces::PairLaw;

impl Lifting<'_> {
    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.model.contacts().iter().flat_map(|contact| contact.groups().into_iter().flatten())
    }

    /// The shape that stands in the frame of a marker.
    pub(super) fn shape_of(&self, marker: usize) -> Option<&Shape> {
        self.parts().find(|part| part.marker.index() == marker).map(|part| &part.shape)
    }

    /// The shapes of a body.
    pub(super) fn shapes(&self, body: usize) -> Named<ContactShape> {
        let own = self.model.markers().iter().enumerate().filter(|(_, m)| m.body.index() == body);
        let tables = own.filter_map(|(k, m)| {
            let table =
                ContactShape { shape: touching(self.shape_of(k)?), position: vector(&m.position), orientation: turn(&m.orientation) };
            Some(entry(self.names.within(k), table))
        });
        Named(tables.collect())
    }

    pub(super) fn contacts(&self, out: &mut Sections, rust: &mut Vec<String>) {
        for contact in self.model.contacts() {
            let shared = contact.groups().into_iter().flatten().any(|part| self.shape_of(part.marker.index()) != Some(&part.shape));
            if shared {
                rust.push(format!("contact '{}', two of whose shapes share a marker,", contact.name()));
                continue;
            }
            out.contacts.0.push(entry(contact.name(), self.contact(contact)));
        }
    }

    fn contact(&self, contact: &Contact) -> tables::Contact {
        let [i, j] = contact.groups();
        let names = |parts: &[Part]| Names(parts.iter().map(|part| self.names.of(part.marker)).collect());
        tables::Contact {
            i: names(i),
            j: (!j.is_empty()).then(|| names(j)),
            exclude: self.excluded(contact),
            law: law(contact.law()),
            friction: contact.given_friction().map(friction),
            events: match contact.location() {
                Location::OfFew => None,
                Location::Always => Some(true),
                Location::Never => Some(false),
            },
        }
    }

    /// Pairs of shapes on different bodies that do not touch.
    fn excluded(&self, contact: &Contact) -> Vec<[Name; 2]> {
        let [i, j] = contact.groups();
        let pairs: Vec<[MarkerId; 2]> = match j.is_empty() {
            false => i.iter().flat_map(|a| j.iter().map(|b| [a.marker, b.marker])).collect(),
            true => (0..i.len()).flat_map(|a| (a + 1..i.len()).map(move |b| [i[a].marker, i[b].marker])).collect(),
        };
        let body = |marker: MarkerId| self.model.markers()[marker.index()].body;
        let without = pairs.into_iter().filter(|[a, b]| body(*a) != body(*b) && !contact.has_pair(*a, *b));
        without.map(|pair| pair.map(|marker| self.names.of(marker))).collect()
    }
}

fn touching(shape: &Shape) -> Touching {
    match shape {
        Shape::ContactPoint(_) => Touching::Point(tables::ContactPoint {}),
        Shape::Sphere(s) => Touching::Sphere(tables::Sphere { radius: s.radius }),
        Shape::HollowSphere(s) => Touching::HollowSphere(tables::Sphere { radius: s.radius }),
        Shape::HalfSpace(_) => Touching::HalfSpace(tables::HalfSpace {}),
        Shape::Cuboid(s) => Touching::Box(tables::BoxShape { size: s.size.into() }),
        Shape::Cylinder(s) => Touching::Cylinder(tables::Cylinder { radius: s.radius, length: s.length }),
        Shape::HollowCylinder(s) => Touching::HollowCylinder(tables::Cylinder { radius: s.radius, length: s.length }),
        Shape::Disk(s) => Touching::Disk(tables::Disk { radius: s.radius, edge: unless_zero(s.edge) }),
        Shape::Capsule(s) => Touching::Capsule(tables::Capsule { radius: s.radius, length: s.length }),
        Shape::Ellipsoid(s) => Touching::Ellipsoid(tables::Ellipsoid { semi_axes: s.semi_axes.into() }),
        Shape::Torus(s) => Touching::Torus(tables::Torus { radius: s.radius, tube: s.tube }),
    }
}

fn law(law: &NormalLaw) -> ContactLaw {
    let (stiffness, exponent) = (law.stiffness, Some(law.exponent));
    match law.damping {
        Damping::None => ContactLaw::HuntCrossley(HuntCrossley { stiffness, exponent, restitution: None, speed: None }),
        Damping::Stepped { damping, depth } => {
            ContactLaw::Impact(Impact { stiffness, exponent, damping: Some(damping), depth: Some(depth) })
        }
        Damping::Proportional { restitution, speed } => {
            ContactLaw::HuntCrossley(HuntCrossley { stiffness, exponent, restitution: Some(restitution), speed: Some(speed) })
        }
    }
}

fn friction(f: &Friction) -> ContactFriction {
    let sliding_speed = match f.regularization {
        Regularization::Smooth { .. } => None,
        Regularization::Stepped { friction, .. } => Some(friction),
    };
    ContactFriction {
        dynamic: f.moving,
        static_coefficient: Some(f.fixed),
        transition_speed: Some(f.transition()),
        sliding_speed,
        viscous: unless_zero(f.viscous),
    }
}
