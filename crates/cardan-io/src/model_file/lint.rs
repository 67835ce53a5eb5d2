//! What is allowed but probably not meant: implausible masses, loose bodies, wrong units, leftovers.

use super::document::Document;
use super::problem::{Problem, Problems, Severity};
use super::reader::names_in;
use cardan::bodies::{Body, BodyId, Kind, MarkerId, Shape};
use cardan::constraints::{Constraint, Drive};
use cardan::expr::{self, Node, find, parse};
use cardan::forces::{Force, ForceLaw};
use cardan::model::{Elements, Extra, Model};
use std::collections::HashSet;

/// kg/m³; osmium has 22,600.
const DENSITIES: std::ops::RangeInclusive<f64> = 1.0..=25_000.0;
/// Ratio of masses in one model.
const MASS_RATIO: f64 = 1e6;
/// Ratio of a body's principal moments.
const INERTIA_RATIO: f64 = 1e-7;
/// m; machines are smaller.
const FAR: f64 = 100.0;
/// rad/s; springs of machines are slower.
const FAST: f64 = 1e6;

/// Tolerances above are loose.
const LOOSE: f64 = 0.02;

/// Warnings about a document.
pub fn lint(document: &Document) -> Problems {
    let mut linter = Linter { document, model: &document.model, list: Vec::new() };
    linter.emptiness();
    linter.bodies();
    linter.mass_ratio();
    linter.connections();
    linter.gravity();
    linter.stiffness();
    linter.settings();
    linter.leftovers();
    Problems::new(&document.origin.name, &document.origin.source, linter.list)
}

struct Linter<'d> {
    document: &'d Document,
    model: &'d Model,
    list: Vec<Problem>,
}

impl Linter<'_> {
    fn warn(&mut self, what: &'static str, name: &str, message: String, help: &str) {
        let span = self.document.origin.places.get(&(what, name.to_string())).cloned().unwrap_or(0..0);
        let label = if span == (0..0) { String::new() } else { format!("this {what}") };
        self.list.push(Problem { severity: Severity::Warning, ..Problem::new(span, message, label).help(help) });
    }

    fn emptiness(&mut self) {
        if self.model.bodies().len() == 1 {
            self.warn("model", "", "the model has no bodies".into(), "add one: [bodies.NAME] with mass and inertia, or with a shape");
        }
    }

    fn bodies(&mut self) {
        for body in &self.model.bodies()[1..] {
            let name = body.name.as_str();
            if let Some(density) = self.density(body).filter(|d| !DENSITIES.contains(d)) {
                let message = format!("body '{name}' has a mean density of {density:.3e} kg/m³");
                self.warn("body", name, message, "no engineering material has: check the units of its mass and its shape");
            }
            if let Some(size) = self.size(body).filter(|size| body.shape.mass() > DENSITIES.end() * size.powi(3)) {
                let message = format!("body '{name}' of {} kg has its markers within {size:.3e} m", body.shape.mass());
                self.warn("body", name, message, "that is denser than any material: check the units of its mass and its markers");
            }
            self.inertia(body);
        }
    }

    /// Mass by volume, where the body's shapes have one.
    fn density(&self, body: &Body) -> Option<f64> {
        let (_, shapes) = self.document.graphics.iter().find(|(name, _)| *name == body.name)?;
        let solid =
            |s: &&crate::geometry::Graphic| !matches!(s.shape, crate::geometry::Shape::Rod { .. } | crate::geometry::Shape::Line { .. });
        let volume: f64 = shapes.iter().filter(solid).filter_map(|s| s.shape.mass_properties().ok()).map(|s| s.volume).sum();
        (volume > 0.0).then(|| body.shape.mass() / volume)
    }

    /// The largest edge of the box around a body's markers, where the body is not drawn.
    fn size(&self, body: &Body) -> Option<f64> {
        if self.document.graphics.iter().any(|(name, _)| *name == body.name) {
            return None;
        }
        let own: Vec<_> = self.model.markers().iter().filter(|m| self.model.bodies()[m.body.index()].name == body.name).collect();
        let range = |k: usize| {
            let (low, high) = own.iter().fold((0.0_f64, 0.0_f64), |(low, high), m| (low.min(m.position[k]), high.max(m.position[k])));
            high - low
        };
        Some((0..3).map(range).fold(0.0, f64::max)).filter(|size| *size > 0.0)
    }

    fn inertia(&mut self, body: &Body) {
        let Shape::Rigid(rigid) = &body.shape else { return };
        let moments = rigid.tensor().symmetric_eigenvalues();
        // Of ideal rods the assembly says where it matters.
        if rigid.idle_axis().is_none() && moments.min() < INERTIA_RATIO * moments.max() {
            let message = format!(
                "body '{}' has almost no inertia about one axis: {:.3e} against {:.3e} kg m²",
                body.name,
                moments.min(),
                moments.max()
            );
            self.warn("body", &body.name, message, "it may spin up about that axis: give it the inertia of its real thickness");
        }
    }

    fn mass_ratio(&mut self) {
        let bodies = &self.model.bodies()[1..];
        let by_mass = |a: &&Body, b: &&Body| a.shape.mass().total_cmp(&b.shape.mass());
        let (Some(light), Some(heavy)) = (bodies.iter().min_by(by_mass), bodies.iter().max_by(by_mass)) else { return };
        if heavy.shape.mass() > MASS_RATIO * light.shape.mass() {
            let (m, n) = (light.shape.mass(), heavy.shape.mass());
            let message = format!("body '{}' of {m} kg is lighter than body '{}' of {n} kg by more than a million", light.name, heavy.name);
            self.warn("body", &light.name, message, "check the units of both masses");
        }
    }

    fn connections(&mut self) {
        let mut group: Vec<usize> = (0..self.model.bodies().len()).collect();
        let body = |m: &MarkerId| self.model.markers()[m.index()].body.index();
        let tied = links(self.model).into_iter().map(|markers| markers.iter().map(body).collect());
        for bodies in tied.chain(held_by_functions(self.model)) {
            let mut bodies: Vec<usize> = bodies.into_iter().map(|b: usize| root(&group, b)).collect();
            bodies.sort_unstable();
            for b in bodies.iter().skip(1) {
                group[*b] = bodies[0];
            }
        }
        for k in 1..group.len() {
            if root(&group, k) != 0 {
                let name = &self.model.bodies()[k].name;
                let message = format!("nothing connects body '{name}' to the ground");
                self.warn("body", name, message, "it will fly freely; add a joint or a force if that is not meant");
            }
        }
    }

    fn gravity(&mut self) {
        let g = self.model.gravity().norm();
        let silent = self.document.file.as_ref().is_some_and(|file| file.head.gravity.is_some());
        if g == 0.0 && !silent && self.model.bodies().len() > 1 {
            self.warn(
                "model",
                "",
                "the model has no gravity".into(),
                "add gravity = [0, 0, \"-9.81 m/s^2\"], or gravity = [0, 0, 0] if that is meant",
            );
        }
        if (9_000.0..10_000.0).contains(&g) {
            self.warn("model", "", format!("gravity is {g} m/s²"), "was it given in mm/s²? Numbers without a unit are in SI");
        }
        let far = self.model.bodies()[1..].iter().find(|b| (9.0..10.0).contains(&g) && b.position.amax() > FAR);
        if let Some(body) = far {
            let message = format!("body '{}' is {:.0} m away from the origin", body.name, body.position.amax());
            self.warn("body", &body.name, message, "were lengths given in mm? Numbers without a unit are in SI");
        }
    }

    fn stiffness(&mut self) {
        for force in self.model.forces() {
            let Force::SpringDamper(spring) = force else { continue };
            let masses = spring.markers().map(|m| self.model.markers()[m.index()].body.index()).into_iter().filter(|b| *b > 0);
            let Some(mass) = masses.map(|b| self.model.bodies()[b].shape.mass()).reduce(f64::min) else { continue };
            let frequency = (spring.law.stiffness / mass).sqrt();
            if frequency > FAST {
                let message = format!("force '{}' makes its body oscillate with {frequency:.1e} rad/s", force.name());
                self.warn("force", force.name(), message, "check the unit of its stiffness; a rigid connection is a joint");
            }
        }
    }

    /// Settings that are allowed but do nothing, or hardly anything.
    fn settings(&mut self) {
        let settings = &self.document.simulation;
        let idle = [("first_step", settings.first_step), ("largest_step", settings.largest_step)];
        for (name, _) in idle.into_iter().filter(|(_, given)| settings.step.is_some() && given.is_some()) {
            self.warn("setting", name, format!("simulation.{name} has no effect: all steps have the size 'step'"), "remove one of them");
        }
        if let Some(tolerance) = settings.tolerance.filter(|e| *e > LOOSE) {
            let message = format!("a tolerance of {tolerance} keeps hardly a digit");
            self.warn("setting", "tolerance", message, "1e-3 to 1e-9 are usual");
        }
        if let (Some(interval), Some(t_end)) = (settings.output_interval, settings.t_end)
            && interval > t_end
        {
            let message = format!("the time between samples, {interval} s, is longer than the run of {t_end} s");
            self.warn("setting", "output_interval", message, "only the start and the end are recorded: check its unit");
        }
    }

    /// Markers and parameters that nothing uses.
    fn leftovers(&mut self) {
        let texts = names(self.model);
        let linked: HashSet<usize> = links(self.model).into_iter().flatten().map(MarkerId::index).collect();
        for (k, marker) in self.model.markers().iter().enumerate() {
            let full = format!("{}.{}", self.model.bodies()[marker.body.index()].name, marker.name);
            let named = texts.contains(&full.to_lowercase()) || texts.contains(&marker.name.to_lowercase());
            if !linked.contains(&k) && !named {
                self.warn(
                    "marker",
                    &full,
                    format!("nothing uses marker '{full}'"),
                    "remove it, or check the names that should refer to it",
                );
            }
        }
        for (name, _) in &self.document.parameters {
            if !self.document.origin.used.contains(name) && !texts.contains(&name.to_lowercase()) {
                self.warn(
                    "parameter",
                    name,
                    format!("nothing uses parameter '{name}'"),
                    "remove it, or check the numbers that should use it",
                );
            }
        }
    }
}

fn root(group: &[usize], mut k: usize) -> usize {
    while group[k] != k {
        k = group[k];
    }
    k
}

/// The markers that each element ties together.
fn links(model: &Model) -> Vec<Vec<MarkerId>> {
    let joints = model.joints().iter().map(|j| vec![j.i, j.j]);
    let extras = model.extras().iter().map(|extra| match extra {
        Extra::Motion(m) => match m.drive {
            Drive::Markers(i, j) => vec![i, j],
            Drive::Joint(_) => Vec::new(),
        },
        Extra::Curve(c) => c.markers().to_vec(),
        Extra::KnifeEdge(k) => k.markers().to_vec(),
        Extra::Rolling(r) => vec![r.disk, r.plane],
        Extra::User(u) => u.markers().to_vec(),
        Extra::Coupler(c) => c.terms.iter().map(|t| &model.joints()[t.joint.index()]).flat_map(|j| [j.i, j.j]).collect(),
        // See `held_by_functions`.
        Extra::Expression(_) => Vec::new(),
    });
    let own = model.forces().iter().filter(|f| !matches!(f, Force::JointFriction(_))).map(|f| f.markers().to_vec());
    let expressions = model.expression_forces().iter().map(|f| [f.i, f.j].into_iter().chain(f.axes()).collect());
    joints.chain(extras).chain(own).chain(expressions).filter(|markers: &Vec<MarkerId>| !markers.is_empty()).collect()
}

/// The bodies that each constraint given by a function ties together: those whose markers it reads, also by variables, and the ground
/// where a function like DX or AZ names one marker only.
fn held_by_functions(model: &Model) -> Vec<Vec<usize>> {
    let functions = model.extras().iter().filter_map(|e| if let Extra::Expression(c) = e { Some(c.function.as_str()) } else { None });
    functions
        .map(|text| {
            let (mut bodies, mut seen) = (Vec::new(), HashSet::new());
            read_bodies(model, text, &mut seen, &mut bodies);
            bodies
        })
        .collect()
}

fn read_bodies(model: &Model, text: &str, seen: &mut HashSet<String>, bodies: &mut Vec<usize>) {
    let Ok(expr) = parse(text) else { return };
    expr.walk(&mut |e| {
        let Node::Call { name, arguments, .. } = &e.node else { return };
        if find(name).is_none_or(|f| f.kind() != expr::Kind::Quantity) {
            return;
        }
        let named: Vec<String> =
            arguments.iter().filter_map(|a| if let Node::Name(n) = &a.node { Some(n.to_lowercase()) } else { None }).collect();
        let found: Vec<usize> = named.iter().filter_map(|n| body_named(model, n)).collect();
        if found.len() == 1 {
            bodies.push(BodyId::GROUND.index());
        }
        bodies.extend(found);
        for name in named.into_iter().filter(|n| seen.insert(n.clone())).collect::<Vec<_>>() {
            let variable = model.variables().iter().find(|v| v.name.eq_ignore_ascii_case(&name));
            variable.iter().for_each(|v| read_bodies(model, &v.function, seen, bodies));
        }
    });
}

/// The body whose marker, frame or centre of mass has this name, in small letters.
fn body_named(model: &Model, name: &str) -> Option<usize> {
    let short = name.strip_suffix(".origin").or(name.strip_suffix(".cm")).unwrap_or(name);
    let body = |b: usize| model.bodies()[b].name.to_lowercase();
    let own = (0..model.bodies().len()).find(|b| body(*b) == short);
    let full = |m: &&cardan::bodies::Marker| format!("{}.{}", body(m.body.index()), m.name.to_lowercase()) == name;
    let marker = model.markers().iter().find(full).or_else(|| model.markers().iter().find(|m| m.name.eq_ignore_ascii_case(name)));
    own.or(marker.map(|m| m.body.index()))
}

/// All names in the functions of a model, in small letters.
fn names(model: &Model) -> HashSet<String> {
    let motions = model.extras().iter().filter_map(|extra| match extra {
        Extra::Motion(m) => m.function.text(),
        Extra::Expression(c) => Some(c.function.as_str()),
        _ => None,
    });
    let forces = model.expression_forces().iter().flat_map(|f| f.functions()).map(|(_, text)| text);
    let arrays = model.arrays().iter().flat_map(|a| if let Elements::Functions(texts) = &a.elements { &texts[..] } else { &[] });
    let variables = model.variables().iter().map(|v| v.function.as_str()).chain(arrays.map(String::as_str));
    let states = model.states().iter().map(|s| s.function.as_str());
    let sensors = model.sensors().iter().map(|s| s.function.as_str());
    let events = model.events().iter().map(|e| e.function.as_str());
    let blocks: Vec<String> = model.blocks().iter().flat_map(|b| b.signals()).map(|(_, text)| text).collect();
    let mut out = HashSet::new();
    let texts = motions.chain(forces).chain(variables).chain(states).chain(sensors).chain(events).chain(blocks.iter().map(String::as_str));
    for expr in texts.filter_map(|text| parse(text).ok()) {
        names_in(&expr, &mut |name| {
            out.insert(name.to_lowercase());
        });
    }
    out
}
