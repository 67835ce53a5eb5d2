//! Shapes that touch, and contacts.

use super::super::field::{Name, Named};
use super::super::tables::{
    self, ContactFriction, ContactLaw, ContactResistance, ContactShape, ForceFunction, ForceTable, HuntCrossley, Losses, Names,
    Restitution, Sections, Touching,
};
use super::bodies::turn;
use super::{Lifting, entry, function, profiles, unless_zero, vector};
use cardan::bodies::MarkerId;
use cardan::contact::{
    Arrival, Contact, Damping, Elastic, Friction, Given, Location, Material, NormalLaw, Part, Regularization, Resistance, Shape,
};
use cardan::forces::PairLaw;
use cardan::math::Vec3;

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
            let shape = touching(self.shape_of(k)?);
            let material = self.material_of(k).and_then(|material| self.materials().position(|m| m == material));
            let material = material.map(|number| material_name(number).as_str().into());
            let table = ContactShape { shape, material, position: vector(&m.position), orientation: turn(&m.orientation) };
            Some(entry(self.names.within(k), table))
        });
        Named(tables.collect())
    }

    /// What the shape in the frame of a marker is made of.
    fn material_of(&self, marker: usize) -> Option<Material> {
        let part = self.parts().find(|part| part.marker.index() == marker)?;
        self.model.contacts().iter().find_map(|contact| contact.material(part.marker)).copied()
    }

    /// All materials, in the order in which they appear.
    fn materials(&self) -> impl Iterator<Item = Material> {
        let mut seen: Vec<Material> = Vec::new();
        for material in self.model.contacts().iter().flat_map(Contact::materials).flatten() {
            if !seen.contains(material) {
                seen.push(*material);
            }
        }
        seen.into_iter()
    }

    pub(super) fn contacts(&self, out: &mut Sections, rust: &mut Vec<String>) {
        let materials = self.materials().enumerate().map(|(k, m)| entry(&material_name(k), material(&m)));
        out.materials = Named(materials.collect());
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
            i: Some(names(i)),
            j: (!j.is_empty()).then(|| names(j)),
            exclude: self.excluded(contact),
            law: law(contact.given()),
            friction: contact.given().friction.as_ref().map(friction),
            resistance: contact.given().resistance.as_ref().map(resistance),
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
        Shape::Profile(s) => Touching::Profile(profiles::profile(s)),
        Shape::Hull(s) => Touching::Hull(tables::Hull { points: triples(s.points()), file: None, scale: None }),
        Shape::Mesh(s) => {
            let (corners, triangles) = (triples(s.corners()), s.triangles().to_vec());
            Touching::Mesh(tables::TouchingMesh { corners, triangles, file: None, scale: None })
        }
        Shape::HeightField(s) => {
            let ([x, y], heights) = (s.extent(), s.heights().to_vec());
            Touching::HeightField(tables::HeightField { x, y, heights, file: None, scale: None })
        }
    }
}

fn triples(points: &[Vec3]) -> Vec<[f64; 3]> {
    points.iter().map(|x| [x.x, x.y, x.z]).collect()
}

fn material_name(number: usize) -> String {
    format!("material{}", number + 1)
}

fn material(m: &Material) -> tables::Material {
    tables::Material {
        youngs_modulus: m.youngs_modulus,
        poisson: Some(m.poissons_ratio),
        density: None,
        restitution: m.restitution,
        friction: m.friction.as_ref().map(friction),
    }
}

/// What is given of the normal force.
fn law(given: &Given) -> Option<ContactLaw> {
    match &given.normal {
        Some(law) => Some(normal(law)),
        None if given.restitution.is_none() && given.arrival.is_none() => None,
        None => {
            let left = Restitution { restitution: given.restitution, speed: given.arrival.and_then(speed) };
            Some(ContactLaw::HuntCrossley(HuntCrossley { left, ..HuntCrossley::default() }))
        }
    }
}

fn speed(arrival: Arrival) -> Option<f64> {
    if let Arrival::Given(speed) = arrival { Some(speed) } else { None }
}

fn normal(law: &NormalLaw) -> ContactLaw {
    let left = match law.damping {
        Damping::Proportional { restitution, arrival } => Restitution { restitution: Some(restitution), speed: speed(arrival) },
        Damping::None | Damping::Stepped { .. } => Restitution::default(),
    };
    let (damping, damping_depth) = match law.damping {
        Damping::Stepped { damping, depth } => (Some(damping), Some(depth)),
        Damping::None | Damping::Proportional { .. } => (None, None),
    };
    match &law.elastic {
        Elastic::Power { stiffness, exponent } if damping.is_some() => {
            ContactLaw::Impact(tables::Impact { stiffness: *stiffness, exponent: Some(*exponent), damping, depth: damping_depth })
        }
        Elastic::Power { stiffness, exponent } => {
            ContactLaw::HuntCrossley(HuntCrossley { left, stiffness: Some(*stiffness), exponent: Some(*exponent) })
        }
        Elastic::Table(table) => {
            let column = |k: usize| table.points().iter().map(|point| point[k]).collect();
            ContactLaw::Table(ForceTable { losses: Losses { left, damping, damping_depth }, depth: column(0), force: column(1) })
        }
        Elastic::Function(f) => {
            ContactLaw::Function(ForceFunction { losses: Losses { left, damping, damping_depth }, function: function(f.text()) })
        }
    }
}

fn resistance(r: &Resistance) -> ContactResistance {
    ContactResistance { rolling: unless_zero(r.rolling), spinning: unless_zero(r.spinning), transition_speed: Some(r.transition) }
}

fn friction(f: &Friction) -> ContactFriction {
    let (sliding_speed, bristles, bristle_damping) = match f.regularization {
        Regularization::Smooth { .. } => (None, None, None),
        Regularization::Stepped { friction, .. } => (Some(friction), None, None),
        Regularization::Bristles { deflection, damping, .. } => (None, Some(deflection), Some(damping)),
    };
    ContactFriction {
        dynamic: f.moving,
        static_coefficient: Some(f.fixed),
        transition_speed: Some(f.transition()),
        sliding_speed,
        viscous: unless_zero(f.viscous),
        bristles,
        bristle_damping,
    }
}
