//! Mistakes in a model that can be seen without compiling it: names, handles, parameters.

use super::{Array, Elements, Form, Model, ModelError};
use crate::bodies::MarkerId;
use crate::forces::{Force, ForceLaw};

impl Model {
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
        for (force, mistake) in mistakes.chain(self.pair_laws().map(|f| (f.name(), f.mistake()))) {
            if let Some(mistake) = mistake {
                return Err(ModelError::Force { force: force.into(), mistake });
            }
        }
        Ok(())
    }

    fn check_marks(&self) -> Result<(), ModelError> {
        let pairs = |name: &String| self.pair_laws().any(|f| f.name() == name);
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
        let forces = forces.chain(self.pair_laws().map(|f| ("force", f.name())));
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
        if let Some(force) = self.pair_laws().find(|f| !f.markers().iter().all(known)) {
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
