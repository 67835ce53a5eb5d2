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

pub mod classics;
mod error;

pub use error::ModelError;

use crate::bodies::{Body, BodyId, Marker, MarkerId};
use crate::constraints::{Coupler, Joint, JointId, KnifeEdge, Motion, PointOnCurve, RollingDisk, UserConstraint};
use crate::forces::{Force, ForceLaw};
use crate::math::Vec3;

/// A constraint that is not a joint.
#[derive(Debug, Clone)]
pub enum Extra {
    /// A prescribed motion.
    Motion(Motion),
    /// A coupler, gear or rack-and-pinion.
    Coupler(Coupler),
    /// A user-written constraint.
    User(UserConstraint),
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
extras!(Motion(Motion), Coupler(Coupler), User(UserConstraint), Curve(PointOnCurve), Rolling(RollingDisk), KnifeEdge(KnifeEdge));

/// A mechanism.
#[derive(Debug, Clone)]
pub struct Model {
    name: String,
    gravity: Vec3,
    bodies: Vec<Body>,
    markers: Vec<Marker>,
    joints: Vec<Joint>,
    extras: Vec<Extra>,
    forces: Vec<Force>,
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
    pub fn add_force(&mut self, force: impl Into<Force>) {
        self.forces.push(force.into());
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
        for force in &self.forces {
            if let Some(mistake) = force.mistake() {
                return Err(ModelError::Force { force: force.name().into(), mistake });
            }
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), ModelError> {
        let bodies = self.bodies.iter().map(|b| ("body", b.name.as_str()));
        let joints = self.joints.iter().map(|j| ("constraint", j.name.as_str()));
        let extras = self.extras.iter().map(|e| ("constraint", e.name()));
        let forces = self.forces.iter().map(|f| ("force", f.name()));
        let mut seen = std::collections::HashSet::new();
        for (what, name) in bodies.chain(joints).chain(extras).chain(forces) {
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
        Ok(())
    }
}
