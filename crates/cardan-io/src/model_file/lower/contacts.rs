//! Shapes that touch, and contacts between them.

use super::super::field::{Function, Name, Named};
use super::super::problem::{Problem, Span};
use super::super::tables::{self, ContactFriction, ContactLaw, ContactResistance, ContactShape, Losses, Names, Restitution, Touching};
use super::{Lowering, Surface, profiles};
use crate::geometry;
use cardan::bodies::{BodyId, MarkerId};
use cardan::contact::{self, Arrival, Friction, Given, Location, Material, NormalLaw, Part, Profile, Resistance, SLOWEST, Shape, Solid};
use cardan::forces::PairLaw;
use cardan::math::{Quat, Vec3};

/// Where nothing else is said: e, the transition speeds of sliding (m/s) and rolling (rad/s), the damping of bristles (s), ν.
const EXPONENT: f64 = 1.5;
const TRANSITION: f64 = 1e-3;
const ROLLING_TRANSITION: f64 = 1e-2;
const BRISTLE_DAMPING: f64 = 1e-3;
const POISSON: f64 = 0.3;

/// What a law says, and the material of both surfaces, if it gives one.
type Said = (Given, Option<Material>);

impl Lowering<'_> {
    pub(super) fn material(&mut self, name: &str, span: &Span, t: &tables::Material) -> Option<()> {
        let material = Material {
            youngs_modulus: t.youngs_modulus,
            poissons_ratio: t.poisson.unwrap_or(POISSON),
            restitution: t.restitution,
            friction: t.friction.as_ref().map(friction),
        };
        if let Some(mistake) = material.mistake() {
            return self.problem(span, format!("material '{name}': {mistake}"), "this material");
        }
        if let Some(density) = t.density.filter(|d| !(*d > 0.0 && d.is_finite())) {
            return self.problem(span, format!("material '{name}': the density must be positive, it is {density}"), "this material");
        }
        self.materials.insert(name.into(), (material, t.density));
        Some(())
    }

    /// A material and its density.
    pub(super) fn find_material(&mut self, name: &Name) -> Option<(Material, Option<f64>)> {
        self.find("material", name, |l| &l.materials)
    }

    /// The shapes of a body, each with a marker of its own. Gives the outlines of profiles, to be drawn where nothing else is.
    pub(super) fn add_shapes(&mut self, body: BodyId, shapes: &Named<ContactShape>) -> Vec<geometry::Graphic> {
        let mut outlines = Vec::new();
        for entry in &shapes.0 {
            let ContactShape { shape, material, position, orientation } = &entry.value;
            let Some(shape) = self.touching(&entry.name, &entry.span, shape) else { continue };
            if let Some(mistake) = shape.mistake() {
                self.problem::<()>(&entry.span, format!("shape '{}': {mistake}", entry.name), "this shape");
                continue;
            }
            let material = material.as_ref().and_then(|name| self.find_material(name)).map(|(material, _)| material);
            let orientation = orientation.as_ref().map_or(Quat::identity(), |t| t.rotation);
            if let Shape::Profile(profile) = &shape {
                outlines.extend(profiles::outlines(profile, position.unwrap_or_default(), &orientation));
            }
            let position = Vec3::from(position.unwrap_or_default());
            let Some(marker) = self.add_marker(&entry.name, &entry.span, body, position, orientation) else { continue };
            let name = format!("{}.{}", self.model.bodies()[body.index()].name, entry.name);
            self.shapes.push(Surface { name, part: Part { marker, shape }, material });
        }
        outlines
    }

    /// The shape; points, triangles and heights may be in files.
    fn touching(&mut self, name: &str, span: &Span, shape: &Touching) -> Option<Shape> {
        Some(match shape {
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
            Touching::Profile(s) => self.made(name, span, profiles::profile(s))?,
            Touching::Gear(s) => self.made(name, span, profiles::gear(s))?,
            Touching::Sprocket(s) => self.made(name, span, profiles::sprocket(s))?,
            Touching::GenevaWheel(s) => self.made(name, span, profiles::geneva_wheel(s))?,
            Touching::GenevaLock(s) => self.made(name, span, profiles::geneva_lock(s))?,
            Touching::Cam(s) => self.made(name, span, profiles::cam(s))?,
            Touching::Hull(s) => {
                self.either(name, span, s.file.is_some(), !s.points.is_empty(), "points")?;
                let points = match &s.file {
                    Some(file) => self.mesh_file(file, s.scale)?.0,
                    None => s.points.iter().map(|x| Vec3::from(*x)).collect(),
                };
                contact::Hull::new(points).into()
            }
            Touching::Mesh(s) => {
                self.either(name, span, s.file.is_some(), !(s.corners.is_empty() && s.triangles.is_empty()), "corners and triangles")?;
                let (corners, triangles) = match &s.file {
                    Some(file) => self.mesh_file(file, s.scale)?,
                    None => (s.corners.iter().map(|x| Vec3::from(*x)).collect(), s.triangles.clone()),
                };
                contact::Mesh::new(corners, triangles).into()
            }
            Touching::HeightField(s) => {
                self.either(name, span, s.file.is_some(), !s.heights.is_empty(), "heights")?;
                let heights = match &s.file {
                    Some(file) => self.heights_file(file, s.scale.unwrap_or(1.0))?,
                    None => s.heights.clone(),
                };
                contact::HeightField::new(s.x, s.y, heights).into()
            }
        })
    }

    /// A profile, or what is wrong with it.
    fn made(&mut self, name: &str, span: &Span, profile: Result<Profile, String>) -> Option<Shape> {
        match profile {
            Ok(profile) => Some(profile.into()),
            Err(mistake) => self.problem(span, format!("shape '{name}': {mistake}"), "this shape"),
        }
    }

    /// Whether it is either in a file or given here.
    fn either(&mut self, name: &str, span: &Span, in_file: bool, given: bool, what: &str) -> Option<()> {
        if in_file == given {
            return self.problem(span, format!("shape '{name}' needs either {what}, or a file"), "this shape");
        }
        Some(())
    }

    fn mesh_file(&mut self, file: &Name, scale: Option<f64>) -> Option<(Vec<Vec3>, Vec<[usize; 3]>)> {
        match geometry::mesh::read(&self.base.join(&file.text), scale.unwrap_or(1.0)) {
            Ok(geometry::Shape::Mesh { vertices, triangles }) => {
                let triangles = triangles.iter().map(|t| t.map(|k| k as usize)).collect();
                Some((vertices.into_iter().map(Vec3::from).collect(), triangles))
            }
            Ok(_) => None,
            Err(error) => self.problem(&file.span, error.to_string(), "this file"),
        }
    }

    fn heights_file(&mut self, file: &Name, scale: f64) -> Option<Vec<Vec<f64>>> {
        let text = match std::fs::read_to_string(self.base.join(&file.text)) {
            Ok(text) => text,
            Err(error) => return self.problem(&file.span, format!("{} cannot be read: {error}", file.text), "this file"),
        };
        let mut rows = Vec::new();
        for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty()) {
            let words = row.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
            match words.map(|word| word.parse::<f64>().map(|z| z * scale).map_err(|_| word)).collect::<Result<Vec<f64>, &str>>() {
                Ok(row) => rows.push(row),
                Err(word) => {
                    return self.problem(&file.span, format!("{}: line {line}: `{word}` is not a number", file.text), "this file");
                }
            }
        }
        Some(rows)
    }

    pub(super) fn contact(&mut self, name: &str, span: &Span, t: &tables::Contact) -> Option<()> {
        self.place("force", name, span)?;
        let said = self.law(name, span, t);
        let contact = match (&t.i, &t.j) {
            (Some(i), Some(j)) => {
                let (i, j) = (self.parts(i), self.parts(j));
                contact::Contact::between(name, i?, j?, said.clone()?.0)
            }
            (Some(i), None) => contact::Contact::within(name, self.parts(i)?, said.clone()?.0),
            (None, None) => self.contact_of_all(name, span, said.clone()?.0)?,
            (None, Some(_)) => return self.problem(span, format!("contact '{name}' has 'j' but no 'i'"), "needs 'i'"),
        };
        let (shapes, of_both) = (&self.shapes, said?.1);
        let of = |marker: MarkerId| shapes.iter().find(|s| s.part.marker == marker).and_then(|s| s.material);
        let contact = contact.made_of(|marker| of_both.or_else(|| of(marker)));
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

    /// All shapes touch each other, but for those of bodies that a joint connects.
    fn contact_of_all(&mut self, name: &str, span: &Span, given: Given) -> Option<contact::Contact> {
        if self.shapes.is_empty() {
            let message = format!("contact '{name}': no body has shapes that could touch");
            let help = "give some: [bodies.NAME.shapes] with, say, surface = { kind = \"sphere\", radius = 0.1 }";
            self.problems.push(Problem::new(span.clone(), message, "touches nothing").help(help));
            return None;
        }
        let parts = self.shapes.iter().map(|s| s.part.clone()).collect();
        Some(contact::Contact::within(name, parts, given).without(|a, b| self.model.are_joined(a, b)))
    }

    /// What a contact says of its laws.
    fn law(&mut self, name: &str, span: &Span, t: &tables::Contact) -> Option<Said> {
        let rest =
            Given { friction: t.friction.as_ref().map(friction), resistance: t.resistance.as_ref().map(resistance), ..Given::default() };
        let given = |normal: NormalLaw| (Given { normal: Some(normal), ..rest.clone() }, None);
        let left = |law: NormalLaw, left: &Restitution| match left.restitution {
            Some(restitution) => law.returning(restitution, arrival(left).unwrap_or(Arrival::Own { slowest: SLOWEST })),
            None => law,
        };
        let open = |left: &Restitution| Given { restitution: left.restitution, arrival: arrival(left), ..rest.clone() };
        Some(match &t.law {
            None => (rest, None),
            Some(ContactLaw::Impact(t)) => {
                let elastic = NormalLaw::elastic(t.stiffness, t.exponent.unwrap_or(EXPONENT));
                given(match (t.damping, t.depth) {
                    (None, _) => elastic,
                    (Some(damping), Some(depth)) => elastic.stepped(damping, depth),
                    (Some(_), None) => {
                        return self.problem(span, format!("contact '{name}': damping sets in over a depth"), "needs 'depth' in its law");
                    }
                })
            }
            Some(ContactLaw::HuntCrossley(t)) => match t.stiffness {
                Some(stiffness) => given(left(NormalLaw::elastic(stiffness, t.exponent.unwrap_or(EXPONENT)), &t.left)),
                None if t.exponent.is_some() => {
                    return self.problem(
                        span,
                        format!("contact '{name}': an exponent goes with a stiffness"),
                        "needs 'stiffness' in its law",
                    );
                }
                None => (open(&t.left), None),
            },
            Some(ContactLaw::Hertz(t)) => {
                let material = t.youngs_modulus.map(|e| Material::elastic(e, t.poisson.unwrap_or(POISSON)));
                match (material, t.radius) {
                    (Some(material), Some(radius)) => given(left(NormalLaw::hertz([material; 2], 1.0 / radius), &t.left)),
                    (None, Some(_)) => {
                        let message = format!("contact '{name}': a radius goes with Young's modulus");
                        return self.problem(span, message, "needs 'youngs_modulus' in its law");
                    }
                    (material, None) => (open(&t.left), material),
                }
            }
            Some(ContactLaw::Table(t)) => {
                if t.depth.len() != t.force.len() {
                    let message = format!("contact '{name}': there are {} depths and {} forces", t.depth.len(), t.force.len());
                    return self.problem(span, message, "needs as many of both");
                }
                let points: Vec<[f64; 2]> = t.depth.iter().zip(&t.force).map(|(x, y)| [*x, *y]).collect();
                let law = NormalLaw::table(&points);
                given(left(self.damped(name, span, law, &t.losses)?, &t.losses.left))
            }
            Some(ContactLaw::Function(t)) => {
                let law = self.law_of_function(name, &t.function)?;
                given(left(self.damped(name, span, law, &t.losses)?, &t.losses.left))
            }
        })
    }

    fn law_of_function(&mut self, name: &str, function: &Function) -> Option<NormalLaw> {
        match NormalLaw::function(&function.text, &self.model.scope()) {
            Ok(law) => Some(law),
            Err(error) => self.problem(&function.span, format!("contact '{name}': {}", error.show(&function.text)), "this function"),
        }
    }

    /// With the damping that is given.
    fn damped(&mut self, name: &str, span: &Span, law: NormalLaw, losses: &Losses) -> Option<NormalLaw> {
        match (losses.damping, losses.damping_depth, losses.left.restitution) {
            (None, None, _) => Some(law),
            (Some(damping), Some(depth), None) => Some(law.stepped(damping, depth)),
            (Some(_), _, Some(_)) => self.problem(span, format!("contact '{name}' has damping and a restitution"), "one of them only"),
            _ => self.problem(span, format!("contact '{name}': damping sets in over a depth"), "needs 'damping' and 'damping_depth'"),
        }
    }

    /// The shapes that names with `*` stand for.
    fn parts(&mut self, names: &Names) -> Option<Vec<Part>> {
        let mut all: Vec<usize> = Vec::new();
        for name in &names.0 {
            let found: Vec<usize> = (0..self.shapes.len()).filter(|k| matches(&name.text, &self.shapes[*k].name)).collect();
            if found.is_empty() {
                return self.unknown_shape(name);
            }
            all.extend(found.iter().filter(|k| !all.contains(k)).copied().collect::<Vec<_>>());
        }
        Some(all.into_iter().map(|k| self.shapes[k].part.clone()).collect())
    }

    fn unknown_shape<T>(&mut self, name: &Name) -> Option<T> {
        if !self.broken.covers(&name.text) && self.is_news(&name.span, "not known") {
            let known: Vec<&str> = self.shapes.iter().map(|s| s.name.as_str()).collect();
            let body = name.text.split_once('.').map_or(name.text.as_str(), |(body, _)| body);
            let within = format!("{body}.");
            let own: Vec<&str> = known.iter().copied().filter(|shape| shape.starts_with(&within)).collect();
            let problem = Problem::new(name.span.clone(), format!("there is no shape '{}'", name.text), "not known");
            let problem = match (self.bodies.contains_key(body), &own[..]) {
                (true, []) => problem.help(format!(
                    "{body} has no shapes: write [bodies.{body}.shapes] with, say, surface = {{ kind = \"sphere\", radius = 0.1 }}, and name {body}.surface here"
                )),
                (true, [first, ..]) if name.text == body => problem.help(format!("write {body}.* for all of its shapes, or {first}")),
                _ if known.is_empty() => problem.note("shapes are given in [bodies.NAME.shapes]"),
                _ => problem.suggest_or_list(&name.text, &known),
            };
            self.problems.push(problem);
        }
        None
    }

    /// Without the pairs that are named, by shape or by body.
    fn without_excluded(&mut self, contact: contact::Contact, exclude: &[[Name; 2]]) -> Option<contact::Contact> {
        let shapes = &self.shapes;
        let named =
            |pattern: &str, full: &str| matches(pattern, full) || full.rsplit_once('.').is_some_and(|(body, _)| matches(pattern, body));
        let nothing = exclude.iter().flatten().find(|name| !shapes.iter().any(|s| named(&name.text, &s.name)));
        if let Some(name) = nothing {
            let name = name.clone();
            return self.unknown_shape(&name);
        }
        let of = |marker: MarkerId| shapes.iter().find(|s| s.part.marker == marker).map_or("", |s| s.name.as_str());
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

fn friction(t: &ContactFriction) -> Friction {
    let transition = t.transition_speed.unwrap_or(TRANSITION);
    let fixed = t.static_coefficient.unwrap_or(t.dynamic);
    let friction = match t.sliding_speed {
        Some(sliding) => Friction::stepped(fixed, t.dynamic, transition, sliding),
        None => Friction::coulomb(t.dynamic, transition).with_static(fixed).with_viscous(t.viscous.unwrap_or_default()),
    };
    match t.bristles {
        Some(deflection) => friction.with_bristles(deflection, t.bristle_damping.unwrap_or(BRISTLE_DAMPING)),
        None => friction,
    }
}

fn resistance(t: &ContactResistance) -> Resistance {
    Resistance {
        rolling: t.rolling.unwrap_or_default(),
        spinning: t.spinning.unwrap_or_default(),
        transition: t.transition_speed.unwrap_or(ROLLING_TRANSITION),
    }
}

fn arrival(left: &Restitution) -> Option<Arrival> {
    left.speed.map(Arrival::Given)
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
