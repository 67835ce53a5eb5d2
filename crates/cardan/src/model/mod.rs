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
mod checks;
pub mod classics;
mod contacts;
mod dimensions;
mod elements;
mod error;
mod expressions;
mod functions;
mod lists;
mod lowered;
mod names;
mod perturbation;

pub use arrays::{Array, Elements};
pub use elements::{AnyForce, Extra};
pub use error::ModelError;
pub use expressions::ExpressionProblem;
pub(crate) use expressions::{Compiled, Read, Use};
pub use functions::{Differential, Direction, Form, Input, ModelEvent, Sensor, SensorErrors, Solution, Variable};
pub(crate) use names::{ElementName, MarkerName, Names};

use crate::bodies::{Body, BodyId, Marker, MarkerId};
use crate::constraints::{Joint, JointId};
use crate::contact::Contact;
use crate::control::{Block, Held, Switch};
use crate::expr::{Spline, same_name};
use crate::forces::{ExpressionForce, Force, PairForce};
use crate::math::Vec3;
use crate::units::Dimension;

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
    contacts: Vec<Contact>,
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
            contacts: Vec::new(),
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
}
