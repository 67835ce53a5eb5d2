//! What is in a model, list by list.

use super::{Array, Differential, Extra, Input, Model, ModelEvent, Sensor, Variable};
use crate::bodies::{Body, Marker};
use crate::constraints::Joint;
use crate::contact::Contact;
use crate::control::{Block, Held, Switch};
use crate::expr::{Spline, same_name};
use crate::forces::{ExpressionForce, Force, PairForce, PairLaw};
use crate::math::Vec3;
use crate::units::Dimension;

impl Model {
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

    /// All contacts.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The laws of all forces between pairs that come and go, those of contacts last.
    pub(crate) fn pair_laws(&self) -> impl Iterator<Item = &dyn PairLaw> {
        self.pair_forces.iter().map(|force| &**force).chain(self.contacts.iter().map(|contact| contact as &dyn PairLaw))
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
}
