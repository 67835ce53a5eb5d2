//! From tables to the engine's model. References are looked up here; what is wrong is collected with its place.

mod blocks;
mod bodies;
mod constraints;
mod contacts;
mod forces;
mod joints;
mod markers;
mod profiles;
mod sensors;
mod shapes;
mod signals;
mod surfaces;

use super::field::{Entry, Function, Name};
use super::problem::{Problem, Span};
use super::reader::Broken;
use super::tables::File;
use crate::geometry::Graphic;
use cardan::bodies::{BodyId, MarkerId};
use cardan::constraints::JointId;
use cardan::contact::{Material, Part};
use cardan::model::Model;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Where the elements of a model stand in its file, by what they are (in the engine's words) and their names.
pub(super) type Places = HashMap<(&'static str, String), Span>;

/// Where the texts of functions stand, by what the element is, its name and the key.
pub(super) type Texts = HashMap<(&'static str, String, &'static str), Span>;

/// What becomes of a file's tables.
pub(super) struct Lowered {
    pub model: Model,
    pub graphics: Vec<(String, Vec<Graphic>)>,
    pub places: Places,
    pub texts: Texts,
    pub problems: Vec<Problem>,
    pub broken: Broken,
}

/// A shape that can touch others.
#[derive(Clone)]
struct Surface {
    /// `body.shape`.
    name: String,
    part: Part,
    material: Option<Material>,
}

struct Lowering<'f> {
    base: &'f Path,
    model: Model,
    graphics: Vec<(String, Vec<Graphic>)>,
    places: Places,
    texts: Texts,
    problems: Vec<Problem>,
    broken: Broken,
    /// Places and labels of problems.
    said: HashSet<(usize, &'static str)>,
    bodies: HashMap<String, BodyId>,
    markers: HashMap<String, MarkerId>,
    joints: HashMap<String, JointId>,
    /// Materials, each with its density.
    materials: HashMap<String, (Material, Option<f64>)>,
    /// Shapes that can touch, in the order of the file.
    shapes: Vec<Surface>,
}

/// Makes the model of a file; `name` is used where the file does not give one.
pub(super) fn lower(file: &File, name: &str, base: &Path, broken: Broken) -> Lowered {
    let mut model = Model::new(file.head.name.as_deref().unwrap_or(name));
    model.set_gravity(file.head.gravity.unwrap_or_default());
    for (name, amount) in &file.head.parameters.0 {
        match amount.dimension() {
            Some(dimension) => model.set_quantity(name, amount.value, dimension),
            None => model.set_parameter(name, amount.value),
        }
    }
    let mut lowering = Lowering {
        base,
        model,
        graphics: Vec::new(),
        places: Places::new(),
        texts: Texts::new(),
        problems: Vec::new(),
        broken,
        said: HashSet::new(),
        bodies: HashMap::from([("ground".into(), BodyId::GROUND)]),
        markers: HashMap::new(),
        joints: HashMap::new(),
        materials: HashMap::new(),
        shapes: Vec::new(),
    };
    let all = &file.sections;
    lowering.each(&all.materials.0, Lowering::material);
    lowering.each(&all.bodies.0, Lowering::body);
    lowering.each(&all.joints.0, Lowering::joint);
    lowering.each(&all.motions.0, Lowering::motion);
    lowering.each(&all.couplers.0, Lowering::coupler);
    lowering.each(&all.constraints.0, Lowering::constraint);
    lowering.each(&all.forces.0, Lowering::force);
    lowering.each(&all.splines.0, Lowering::spline);
    lowering.each(&all.contacts.0, Lowering::contact);
    lowering.each(&all.variables.0, Lowering::variable);
    lowering.each(&all.arrays.0, Lowering::array);
    lowering.each(&all.states.0, Lowering::state);
    lowering.each(&all.blocks.0, Lowering::block);
    lowering.each(&all.inputs.0, Lowering::input);
    lowering.each(&all.sensors.0, Lowering::sensor);
    lowering.each(&all.events.0, Lowering::event);
    let Lowering { model, graphics, places, texts, problems, broken, .. } = lowering;
    Lowered { model, graphics, places, texts, problems, broken }
}

impl Lowering<'_> {
    fn each<T>(&mut self, tables: &[Entry<T>], one: impl Fn(&mut Self, &str, &Span, &T) -> Option<()>) {
        for entry in tables {
            // What fails has said why.
            if one(self, &entry.name, &entry.span, &entry.value).is_none() {
                self.broken.insert(&entry.name);
            }
        }
    }

    /// Notes a problem; gives nothing, so that it can stand where a value is missing.
    fn problem<T>(&mut self, span: &Span, message: impl Into<String>, label: &'static str) -> Option<T> {
        if self.is_news(span, label) {
            self.problems.push(Problem::new(span.clone(), message, label));
        }
        None
    }

    /// Whether this has not been said at that place; what is wrong in a repetition is wrong every time.
    fn is_news(&mut self, span: &Span, label: &'static str) -> bool {
        self.said.insert((span.start, label))
    }

    /// Notes where an element stands; a problem if there is another one of that name.
    fn place(&mut self, sort: &'static str, name: &str, span: &Span) -> Option<()> {
        if name.is_empty() {
            return self.problem(span, "a name must not be empty", "needs a name");
        }
        if self.places.insert((sort, name.into()), span.clone()).is_none() {
            return Some(());
        }
        self.problem(span, format!("there are two {sort} elements called '{name}'; give each its own name"), "the second of them")
    }

    /// What a name stands for; a problem if there is nothing of that name.
    fn find<T: Copy>(&mut self, what: &str, name: &Name, known: impl Fn(&Self) -> &HashMap<String, T>) -> Option<T> {
        if let Some(found) = known(self).get(&name.text) {
            return Some(*found);
        }
        if self.broken.covers(&name.text) || !self.is_news(&name.span, "not known") {
            return None;
        }
        let mut names: Vec<&str> = known(self).keys().map(String::as_str).collect();
        names.sort_unstable();
        let problem = Problem::new(name.span.clone(), format!("there is no {what} '{}'", name.text), "not known");
        self.problems.push(problem.suggest_or_list(&name.text, &names));
        None
    }

    /// The text of a function; notes where it stands.
    fn text(&mut self, what: &'static str, element: &str, key: &'static str, function: &Function) -> String {
        self.texts.insert((what, element.into(), key), function.span.clone());
        function.text.clone()
    }

    fn find_joint(&mut self, name: &Name) -> Option<JointId> {
        self.find("joint", name, |l| &l.joints)
    }

    fn find_body(&mut self, name: &Name) -> Option<BodyId> {
        self.find("body", name, |l| &l.bodies)
    }
}
