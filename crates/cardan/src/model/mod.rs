//! The model: what a user builds. Plain lists of bodies, markers, joints, constraints and forces, added through handles.
//!
//! ```
//! use cardan::prelude::*;
//! let mut model = Model::new("pendulum");
//! let bob = model.add_body(Body::point_2d("bob", 1.0).at([1.0, 0.0, 0.0]));
//! let pivot = model.add_marker(Marker::on(BodyId::GROUND));
//! let tip = model.add_marker(Marker::on(bob));
//! model.add_joint(Joint::new("rod", Rod { length: 1.0 }, tip, pivot));
//! assert_eq!(model.bodies().len(), 2);
//! ```

mod arrays;
pub mod classics;
mod dimensions;
mod error;
mod expressions;
mod functions;
mod lowered;
mod names;
mod perturbation;

pub use arrays::{Array, Elements};
pub use error::ModelError;
pub use expressions::ExpressionProblem;
pub(crate) use expressions::{Compiled, Read, Use};
pub use functions::{Differential, Direction, Form, Input, ModelEvent, Sensor, SensorErrors, Solution, Variable};
pub(crate) use names::{ElementName, MarkerName, Names};

use crate::bodies::{Body, BodyId, Marker, MarkerId};
use crate::constraints::{Coupler, ExpressionConstraint, Joint, JointId, KnifeEdge, Motion, PointOnCurve, RollingDisk, UserConstraint};
use crate::control::{Block, Held, Switch};
use crate::expr::{Spline, same_name};
use crate::forces::{ExpressionForce, Force, ForceLaw, PairForce};
use crate::math::Vec3;
use crate::units::Dimension;

/// A constraint that is not a joint.
#[derive(Debug, Clone)]
pub enum Extra {
    /// A prescribed motion.
    Motion(Motion),
    /// A coupler, gear or rack-and-pinion.
    Coupler(Coupler),
    /// A user-written constraint.
    User(UserConstraint),
    /// A constraint given by an expression.
    Expression(ExpressionConstraint),
    /// A point on a curve.
    Curve(PointOnCurve),
    /// A disk rolling on a plane.
    Rolling(RollingDisk),
    /// A knife edge.
    KnifeEdge(KnifeEdge),
}

macro_rules! extras {
    ($($variant:ident($kind:ident)),*) => {
        $(impl From<$kind> for Extra { fn from(x: $kind) -> Self { Extra::$variant(x) } })*
        impl Extra {
            /// Its name.
            pub fn name(&self) -> &str { match self { $(Extra::$variant(x) => &x.name),* } }
        }
    };
}
extras!(
    Motion(Motion),
    Coupler(Coupler),
    User(UserConstraint),
    Expression(ExpressionConstraint),
    Curve(PointOnCurve),
    Rolling(RollingDisk),
    KnifeEdge(KnifeEdge)
);

/// What [`Model::add_force`] takes.
pub trait AnyForce {
    /// Adds it to the model's lists.
    fn add_to(self, model: &mut Model);
}

impl<F: Into<Force>> AnyForce for F {
    fn add_to(self, model: &mut Model) {
        model.forces.push(self.into());
    }
}

impl AnyForce for ExpressionForce {
    fn add_to(self, model: &mut Model) {
        model.expression_forces.push(self);
    }
}

impl AnyForce for PairForce {
    fn add_to(self, model: &mut Model) {
        model.pair_forces.push(self);
    }
}

/// A mechanism.
///
/// ```
/// use cardan::prelude::*;
/// let mut model = Model::new("swing");
/// model.set_gravity([0.0, -9.81, 0.0]);
/// let arm = model.add_body(Body::planar("arm", 2.0, 0.05).at([0.5, 0.0, 0.0]));
/// let pin = model.add_marker(Marker::on(BodyId::GROUND).named("pin"));
/// let end = model.add_marker(Marker::on(arm).at([-0.5, 0.0, 0.0]).named("end"));
/// model.add_joint(Joint::new("hinge", Revolute, end, pin));
/// model.add_sensor(Sensor::new("height", "DY(arm)"));
/// assert_eq!(model.validate(), Ok(()));
/// ```
#[derive(Debug, Clone)]
#[must_use = "a model has to be compiled to a system"]
pub struct Model {
    name: String,
    gravity: Vec3,
    bodies: Vec<Body>,
    markers: Vec<Marker>,
    joints: Vec<Joint>,
    extras: Vec<Extra>,
    forces: Vec<Force>,
    expression_forces: Vec<ExpressionForce>,
    pair_forces: Vec<PairForce>,
    parameters: Vec<(String, f64)>,
    /// Of parameters that have a unit.
    parameter_dimensions: Vec<(String, Dimension)>,
    splines: Vec<(String, Spline)>,
    variables: Vec<Variable>,
    arrays: Vec<Array>,
    states: Vec<Differential>,
    inputs: Vec<Input>,
    blocks: Vec<Block>,
    /// What blocks hold between samples, and what they switch; there once they are written out.
    held: Vec<Held>,
    switches: Vec<Switch>,
    implicit: Vec<String>,
    sensors: Vec<Sensor>,
    events: Vec<ModelEvent>,
}

impl Model {
    /// A model with nothing but the ground, without gravity.
    pub fn new(name: &str) -> Self {
        // The ground is listed as a body so that handles are plain indices; it carries no equations.
        let ground = Body::point("ground", 1.0);
        Self {
            name: name.into(),
            gravity: Vec3::zeros(),
            bodies: vec![ground],
            markers: Vec::new(),
            joints: Vec::new(),
            extras: Vec::new(),
            forces: Vec::new(),
            expression_forces: Vec::new(),
            pair_forces: Vec::new(),
            parameters: Vec::new(),
            parameter_dimensions: Vec::new(),
            splines: Vec::new(),
            variables: Vec::new(),
            arrays: Vec::new(),
            states: Vec::new(),
            inputs: Vec::new(),
            blocks: Vec::new(),
            held: Vec::new(),
            switches: Vec::new(),
            implicit: Vec::new(),
            sensors: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Sets the acceleration of gravity, m/s².
    pub fn set_gravity(&mut self, gravity: [f64; 3]) {
        self.gravity = gravity.into();
    }

    /// Adds a body.
    pub fn add_body(&mut self, body: Body) -> BodyId {
        self.bodies.push(body);
        BodyId(self.bodies.len() - 1)
    }

    /// Adds a marker.
    pub fn add_marker(&mut self, mut marker: Marker) -> MarkerId {
        if marker.name.is_empty() {
            marker.name = format!("marker{}", self.markers.len() + 1);
        }
        self.markers.push(marker);
        MarkerId(self.markers.len() - 1)
    }

    /// Adds a joint.
    pub fn add_joint(&mut self, joint: Joint) -> JointId {
        self.joints.push(joint);
        JointId(self.joints.len() - 1)
    }

    /// Adds a motion, coupler, user constraint, curve, rolling disk or knife edge.
    pub fn add_constraint(&mut self, constraint: impl Into<Extra>) {
        self.extras.push(constraint.into());
    }

    /// Adds a force.
    pub fn add_force(&mut self, force: impl AnyForce) {
        force.add_to(self);
    }

    /// Sets a parameter of a dimension, which functions are checked with; its value is in SI units.
    pub fn set_quantity(&mut self, name: &str, value: f64, dimension: Dimension) {
        self.set_parameter(name, value);
        self.parameter_dimensions.push((name.into(), dimension));
    }

    /// Sets a parameter, a constant that expressions may use by name. It fits everywhere.
    pub fn set_parameter(&mut self, name: &str, value: f64) {
        self.parameter_dimensions.retain(|(known, _)| !same_name(known, name));
        match self.parameters.iter_mut().find(|(known, _)| same_name(known, name)) {
            Some(parameter) => parameter.1 = value,
            None => self.parameters.push((name.into(), value)),
        }
    }

    /// Adds a table for AKISPL, CUBSPL and LINSPL.
    pub fn add_spline(&mut self, name: &str, spline: Spline) {
        self.splines.push((name.into(), spline));
    }

    /// Adds a variable.
    pub fn add_variable(&mut self, variable: Variable) {
        self.variables.push(variable);
    }

    /// Adds an array, whose elements expressions read as ARYVAL(name, k).
    pub fn add_array(&mut self, array: Array) {
        self.arrays.push(array);
    }

    /// Adds a differential state.
    pub fn add_state(&mut self, state: Differential) {
        self.states.push(state);
    }

    /// Adds an input, which expressions read as INPUT(name). It has this value until a real-time run sets it.
    pub fn add_input(&mut self, name: &str, initial: f64) {
        self.inputs.push(Input { name: name.into(), initial });
    }

    /// Adds a block, whose output expressions read as VARVAL(name).
    pub fn add_block(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// Marks a force by name: real-time methods treat it implicitly where they are to treat marked forces so.
    pub fn mark_implicit(&mut self, force: &str) {
        self.implicit.push(force.into());
    }

    /// Adds a sensor.
    pub fn add_sensor(&mut self, sensor: Sensor) {
        self.sensors.push(sensor);
    }

    /// Adds an event, which every simulation of the model watches.
    pub fn add_event(&mut self, event: ModelEvent) {
        self.events.push(event);
    }

    /// The model's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Acceleration of gravity.
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// All bodies, the ground first.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// All markers.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// All joints.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// All other constraints.
    pub fn extras(&self) -> &[Extra] {
        &self.extras
    }

    /// All forces.
    pub fn forces(&self) -> &[Force] {
        &self.forces
    }

    /// All forces between pairs of markers that come and go.
    pub fn pair_forces(&self) -> &[PairForce] {
        &self.pair_forces
    }

    /// All forces given by expressions.
    pub fn expression_forces(&self) -> &[ExpressionForce] {
        &self.expression_forces
    }

    /// All parameters.
    pub fn parameters(&self) -> &[(String, f64)] {
        &self.parameters
    }

    /// The dimension of a parameter that has one.
    pub fn parameter_dimension(&self, name: &str) -> Option<Dimension> {
        self.parameter_dimensions.iter().find(|(known, _)| same_name(known, name)).map(|(_, dimension)| *dimension)
    }

    /// All splines.
    pub fn splines(&self) -> &[(String, Spline)] {
        &self.splines
    }

    /// All variables.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// All arrays.
    pub fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// All differential states.
    pub fn states(&self) -> &[Differential] {
        &self.states
    }

    /// All inputs.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// All blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// What blocks hold between samples, where they are written out.
    pub(crate) fn held(&self) -> &[Held] {
        &self.held
    }

    /// What blocks switch, where they are written out.
    pub(crate) fn switches(&self) -> &[Switch] {
        &self.switches
    }

    /// Whether a force is marked to be treated implicitly.
    pub fn is_implicit(&self, force: &str) -> bool {
        self.implicit.iter().any(|name| name == force)
    }

    /// All sensors.
    pub fn sensors(&self) -> &[Sensor] {
        &self.sensors
    }

    /// All events.
    pub fn events(&self) -> &[ModelEvent] {
        &self.events
    }

    /// Checks names, handles and parameters.
    pub fn validate(&self) -> Result<(), ModelError> {
        self.check_names()?;
        self.check_handles()?;
        for body in &self.bodies[1..] {
            if let Some(mistake) = body.mistake() {
                return Err(ModelError::Body { body: body.name.clone(), mistake });
            }
        }
        if let Some(marker) = self.markers.iter().find(|m| !m.is_finite()) {
            return Err(ModelError::Marker { marker: marker.name.clone() });
        }
        for joint in &self.joints {
            if let Some(mistake) = joint.kind.mistake() {
                return Err(ModelError::Joint { joint: joint.name.clone(), mistake });
            }
        }
        if let Some(state) = self.states.iter().find(|s| !s.initial.is_finite()) {
            return Err(ModelError::State { state: state.name.clone(), initial: state.initial });
        }
        if let Some(sensor) = self.sensors.iter().find(|s| s.errors.mistake().is_some()) {
            return Err(ModelError::Sensor { sensor: sensor.name.clone(), mistake: sensor.errors.mistake().unwrap_or_default() });
        }
        let finite = |a: &Array| !matches!(&a.elements, Elements::Values(v) if v.iter().any(|x| !x.is_finite()));
        if let Some(array) = self.arrays.iter().find(|a| a.count() == 0 || !finite(a)) {
            return Err(ModelError::Array { array: array.name.clone() });
        }
        if let Some(input) = self.inputs.iter().find(|i| !i.initial.is_finite()) {
            return Err(ModelError::Input { input: input.name.clone(), initial: input.initial });
        }
        self.check_marks()?;
        let mistakes = self.forces.iter().map(|f| (f.name(), f.mistake()));
        for (force, mistake) in mistakes.chain(self.pair_forces.iter().map(|f| (f.name(), f.mistake()))) {
            if let Some(mistake) = mistake {
                return Err(ModelError::Force { force: force.into(), mistake });
            }
        }
        Ok(())
    }

    fn check_marks(&self) -> Result<(), ModelError> {
        let pairs = |name: &String| self.pair_forces.iter().any(|f| f.name() == name);
        let expressions = |name: &String| self.expression_forces.iter().any(|f| f.name == *name);
        let known = |name: &String| self.forces.iter().any(|f| f.name() == name) || pairs(name) || expressions(name);
        match self.implicit.iter().find(|name| !known(name)) {
            Some(force) => {
                Err(ModelError::Force { force: force.clone(), mistake: "it is marked to be implicit, but is not in the model".into() })
            }
            None => Ok(()),
        }
    }

    fn check_names(&self) -> Result<(), ModelError> {
        let bodies = self.bodies.iter().map(|b| ("body", b.name.as_str()));
        let joints = self.joints.iter().map(|j| ("constraint", j.name.as_str()));
        let extras = self.extras.iter().map(|e| ("constraint", e.name()));
        let forces = self.forces.iter().map(|f| ("force", f.name()));
        let forces = forces.chain(self.pair_forces.iter().map(|f| ("force", f.name())));
        let forces = forces.chain(self.expression_forces.iter().map(|f| ("force", f.name.as_str())));
        let splines = self.splines.iter().map(|s| ("spline", s.0.as_str()));
        let variables = self.variables.iter().map(|v| ("variable", v.name.as_str()));
        let states = self.states.iter().filter(|s| !matches!(s.form, Form::Algebraic(_))).map(|s| ("state", s.name.as_str()));
        let blocks = self.blocks.iter().map(|b| ("variable", b.name.as_str()));
        let arrays = self.arrays.iter().map(|a| ("variable", a.name.as_str()));
        let inputs = self.inputs.iter().map(|i| ("input", i.name.as_str()));
        let sensors = self.sensors.iter().map(|s| ("sensor", s.name.as_str()));
        let events = self.events.iter().map(|e| ("event", e.name.as_str()));
        let mut seen = std::collections::HashSet::new();
        let elements = bodies.chain(joints).chain(extras).chain(forces);
        let signals = variables.chain(blocks).chain(arrays).chain(states).chain(inputs).chain(sensors).chain(events);
        for (what, name) in elements.chain(splines).chain(signals) {
            if !seen.insert((what, name)) {
                return Err(ModelError::DuplicateName { what, name: name.into() });
            }
        }
        Ok(())
    }

    fn check_handles(&self) -> Result<(), ModelError> {
        let foreign = |name: &str| Err(ModelError::ForeignHandle { element: name.into() });
        if let Some(marker) = self.markers.iter().find(|m| m.body.0 >= self.bodies.len()) {
            return foreign(&marker.name);
        }
        let known = |m: &MarkerId| m.0 < self.markers.len();
        for joint in &self.joints {
            if !known(&joint.i) || !known(&joint.j) {
                return foreign(&joint.name);
            }
        }
        for force in &self.forces {
            let joint_known = !matches!(force, Force::JointFriction(f) if f.joint.0 >= self.joints.len());
            let markers_known = matches!(force, Force::JointFriction(_)) || force.markers().iter().all(known);
            if !joint_known || !markers_known {
                return foreign(force.name());
            }
        }
        if let Some(force) = self.pair_forces.iter().find(|f| !f.markers().iter().all(known)) {
            return foreign(force.name());
        }
        for force in &self.expression_forces {
            if ![force.i, force.j, force.axes().unwrap_or(force.i)].iter().all(known) {
                return foreign(&force.name);
            }
        }
        Ok(())
    }
}
