//! Contacts between shapes, and their laws.

use super::super::field::{Function, Name};
use super::super::problem::{Problem, Span};
use super::super::tables::{self, ContactFriction, ContactLaw, ContactResistance, Losses, Names, Restitution};
use super::Lowering;
use cardan::bodies::MarkerId;
use cardan::contact::{self, Arrival, Friction, Given, Location, Material, NormalLaw, Part, Resistance, SLOWEST};
use cardan::forces::PairLaw;

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
