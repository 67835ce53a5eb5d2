//! Shapes that touch, and contacts between them.

use super::super::field::{Name, Named};
use super::super::problem::{Problem, Span};
use super::super::tables::{Contact, ContactFriction, ContactLaw, ContactShape, Names, Touching};
use super::Lowering;
use cardan::bodies::{BodyId, MarkerId};
use cardan::contact::{self, Friction, Location, Material, NormalLaw, Part, Shape, Solid};
use cardan::forces::PairLaw;
use cardan::math::{Quat, Vec3};

/// Where nothing else is said: e, the speed of restitution (m/s), the transition speed (m/s), ν.
const EXPONENT: f64 = 1.5;
const SPEED: f64 = 1.0;
const TRANSITION: f64 = 1e-3;
const POISSON: f64 = 0.3;

impl Lowering<'_> {
    /// The shapes of a body, each with a marker of its own.
    pub(super) fn add_shapes(&mut self, body: BodyId, shapes: &Named<ContactShape>) {
        for entry in &shapes.0 {
            let ContactShape { shape, position, orientation } = &entry.value;
            let shape = solid(shape);
            if let Some(mistake) = shape.mistake() {
                self.problem::<()>(&entry.span, format!("shape '{}': {mistake}", entry.name), "this shape");
                continue;
            }
            let orientation = orientation.as_ref().map_or(Quat::identity(), |t| t.rotation);
            let position = Vec3::from(position.unwrap_or_default());
            let Some(marker) = self.add_marker(&entry.name, &entry.span, body, position, orientation) else { continue };
            let name = format!("{}.{}", self.model.bodies()[body.index()].name, entry.name);
            self.shapes.push((name, Part { marker, shape }));
        }
    }

    pub(super) fn contact(&mut self, name: &str, span: &Span, t: &Contact) -> Option<()> {
        self.place("force", name, span)?;
        let law = self.law(name, span, &t.law);
        let i = self.parts(&t.i);
        let contact = match &t.j {
            Some(j) => {
                let j = self.parts(j);
                contact::Contact::new(name, i?, j?, law?)
            }
            None => contact::Contact::among(name, i?, law?),
        };
        let contact = match &t.friction {
            Some(table) => contact.friction(friction(table)),
            None => contact,
        };
        let contact = match t.events {
            Some(true) => contact.located(Location::Always),
            Some(false) => contact.located(Location::Never),
            None => contact,
        };
        let contact = self.without_excluded(contact, &t.exclude)?;
        self.model.add_force(contact);
        let added = self.model.contacts().last()?;
        match added.mistake() {
            Some(mistake) => self.problem(span, format!("contact '{name}': {mistake}"), "this contact"),
            None => Some(()),
        }
    }

    fn law(&mut self, name: &str, span: &Span, table: &ContactLaw) -> Option<NormalLaw> {
        let left = |law: NormalLaw, restitution: Option<f64>, speed: Option<f64>| match restitution {
            Some(restitution) => law.restitution(restitution, speed.unwrap_or(SPEED)),
            None => law,
        };
        Some(match table {
            ContactLaw::Impact(t) => match (t.damping, t.depth) {
                (None, _) => NormalLaw::elastic(t.stiffness, t.exponent.unwrap_or(EXPONENT)),
                (Some(damping), Some(depth)) => NormalLaw::impact(t.stiffness, t.exponent.unwrap_or(EXPONENT), damping, depth),
                (Some(_), None) => {
                    return self.problem(span, format!("contact '{name}': damping sets in over a depth"), "needs 'depth' in its law");
                }
            },
            ContactLaw::HuntCrossley(t) => left(NormalLaw::elastic(t.stiffness, t.exponent.unwrap_or(EXPONENT)), t.restitution, t.speed),
            ContactLaw::Hertz(t) => {
                let material = Material { youngs_modulus: t.youngs_modulus, poissons_ratio: t.poisson.unwrap_or(POISSON) };
                left(NormalLaw::hertz([material; 2], 1.0 / t.radius), t.restitution, t.speed)
            }
        })
    }

    /// The shapes that names with `*` stand for.
    fn parts(&mut self, names: &Names) -> Option<Vec<Part>> {
        let mut all: Vec<usize> = Vec::new();
        for name in &names.0 {
            let found: Vec<usize> = (0..self.shapes.len()).filter(|k| matches(&name.text, &self.shapes[*k].0)).collect();
            if found.is_empty() {
                return self.unknown_shape(name);
            }
            all.extend(found.iter().filter(|k| !all.contains(k)).copied().collect::<Vec<_>>());
        }
        Some(all.into_iter().map(|k| self.shapes[k].1.clone()).collect())
    }

    fn unknown_shape<T>(&mut self, name: &Name) -> Option<T> {
        if !self.broken.covers(&name.text) && self.is_news(&name.span, "not known") {
            let known: Vec<&str> = self.shapes.iter().map(|(name, _)| name.as_str()).collect();
            let problem = Problem::new(name.span.clone(), format!("there is no shape '{}'", name.text), "not known");
            self.problems.push(match known.is_empty() {
                true => problem.note("shapes are given in [bodies.NAME.shapes]"),
                false => problem.suggest_or_list(&name.text, &known),
            });
        }
        None
    }

    /// Without the pairs that are named, by shape or by body.
    fn without_excluded(&mut self, contact: contact::Contact, exclude: &[[Name; 2]]) -> Option<contact::Contact> {
        let shapes = &self.shapes;
        let named =
            |pattern: &str, full: &str| matches(pattern, full) || full.rsplit_once('.').is_some_and(|(body, _)| matches(pattern, body));
        let nothing = exclude.iter().flatten().find(|name| !shapes.iter().any(|(full, _)| named(&name.text, full)));
        if let Some(name) = nothing {
            let name = name.clone();
            return self.unknown_shape(&name);
        }
        let of = |marker: MarkerId| shapes.iter().find(|(_, part)| part.marker == marker).map_or("", |(name, _)| name.as_str());
        Some(contact.without(|a, b| {
            let both = [of(a), of(b)];
            exclude.iter().any(|[x, y]| {
                let as_given = |a: &str, b: &str| named(&x.text, a) && named(&y.text, b);
                as_given(both[0], both[1]) || as_given(both[1], both[0])
            })
        }))
    }
}

/// Whether a name is what a pattern stands for; `*` stands for any letters.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => {
            let Some(left) = name.strip_prefix(start) else { return false };
            left.char_indices().map(|(k, _)| &left[k..]).chain([""]).any(|end| matches(rest, end))
        }
    }
}

fn solid(shape: &Touching) -> Shape {
    match shape {
        Touching::Point(_) => contact::ContactPoint.into(),
        Touching::Sphere(s) => contact::Sphere { radius: s.radius }.into(),
        Touching::HollowSphere(s) => contact::HollowSphere { radius: s.radius }.into(),
        Touching::HalfSpace(_) => contact::HalfSpace.into(),
        Touching::Box(s) => contact::Cuboid { size: s.size.into() }.into(),
        Touching::Cylinder(s) => contact::Cylinder { radius: s.radius, length: s.length }.into(),
        Touching::HollowCylinder(s) => contact::HollowCylinder { radius: s.radius, length: s.length }.into(),
        Touching::Disk(s) => contact::Disk { radius: s.radius, edge: s.edge.unwrap_or_default() }.into(),
        Touching::Capsule(s) => contact::Capsule { radius: s.radius, length: s.length }.into(),
        Touching::Ellipsoid(s) => contact::Ellipsoid { semi_axes: s.semi_axes.into() }.into(),
        Touching::Torus(s) => contact::Torus { radius: s.radius, tube: s.tube }.into(),
    }
}

fn friction(t: &ContactFriction) -> Friction {
    let transition = t.transition_speed.unwrap_or(TRANSITION);
    let fixed = t.static_coefficient.unwrap_or(t.dynamic);
    match t.sliding_speed {
        Some(sliding) => Friction::stepped(fixed, t.dynamic, transition, sliding),
        None => Friction::coulomb(t.dynamic, transition).with_static(fixed).with_viscous(t.viscous.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_any_letters() {
        assert!(matches("shoe*.pad", "shoe12.pad") && matches("*", "a.b") && matches("a*b*c", "aXbYbc") && matches("ab", "ab"));
        assert!(!matches("shoe*.pad", "shoe12.rail") && !matches("a*b", "bab") && !matches("ab", "abc"));
    }
}
