//! Forces whose components are expressions of time and of the motion of any markers.
//!
//! ```text
//! single    w_a = z g_a           along a measure with gradient g: the line, the z axis of j, the rotation about it     (1)
//! vector    w_i = (f, 0),   w_j = −(f, d × f)           f = R_k (x, y, z),  d = p_i − p_j                                (2)
//! general   w_i = (f, τ),   w_j = −(f, τ + d × f)       τ = R_k (tx, ty, tz)                                            (3)
//! ```
//!
//! with R_k the axes of a marker k of choice. Conventions are those of the other forces; the evaluation is in
//! `system/expressions`, since an expression may read any marker and reaction.

use super::Line;
use crate::bodies::MarkerId;

/// The components of a force and where they act.
#[derive(Debug, Clone, PartialEq)]
pub enum Components {
    /// One, along a line (1).
    Single {
        /// The line.
        line: Line,
        /// N, or N m about an axis.
        function: String,
    },
    /// x, y, z in the axes of a marker, N (2).
    Vector {
        /// The marker.
        axes: MarkerId,
        /// The functions.
        functions: [String; 3],
    },
    /// x, y, z, N, and tx, ty, tz, N m, in the axes of a marker (3).
    General {
        /// The marker.
        axes: MarkerId,
        /// The functions.
        functions: [String; 6],
    },
}

/// Names of the components of vector and general forces.
pub const COMPONENTS: [&str; 6] = ["x", "y", "z", "tx", "ty", "tz"];

/// A force given by expressions.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionForce {
    /// Unique name.
    pub name: String,
    /// Marker i, which the force acts on.
    pub i: MarkerId,
    /// Marker j, which the reaction acts on.
    pub j: MarkerId,
    /// The functions.
    pub components: Components,
}

impl ExpressionForce {
    /// The name of the kind, as in [`super::KINDS`].
    pub fn kind_name(&self) -> &'static str {
        match self.components {
            Components::Single { .. } => "SingleForce",
            Components::Vector { .. } => "VectorForce",
            Components::General { .. } => "GeneralForce",
        }
    }

    /// One component, positive where it drives i away from j (forward).
    pub fn single(name: &str, i: MarkerId, j: MarkerId, line: Line, function: impl Into<String>) -> Self {
        Self { name: name.into(), i, j, components: Components::Single { line, function: function.into() } }
    }

    /// Three components in the axes of a marker.
    pub fn vector<T: Into<String>>(name: &str, i: MarkerId, j: MarkerId, axes: MarkerId, functions: [T; 3]) -> Self {
        Self { name: name.into(), i, j, components: Components::Vector { axes, functions: functions.map(Into::into) } }
    }

    /// Force and torque in the axes of a marker.
    pub fn general<T: Into<String>>(name: &str, i: MarkerId, j: MarkerId, axes: MarkerId, functions: [T; 6]) -> Self {
        Self { name: name.into(), i, j, components: Components::General { axes, functions: functions.map(Into::into) } }
    }

    /// The functions with the names of their components.
    pub fn functions(&self) -> Vec<(&'static str, &str)> {
        match &self.components {
            Components::Single { function, .. } => vec![("function", function.as_str())],
            Components::Vector { functions, .. } => COMPONENTS.into_iter().zip(functions.iter().map(String::as_str)).collect(),
            Components::General { functions, .. } => COMPONENTS.into_iter().zip(functions.iter().map(String::as_str)).collect(),
        }
    }

    /// The marker whose axes the components are in, if there is one.
    pub fn axes(&self) -> Option<MarkerId> {
        match self.components {
            Components::Single { .. } => None,
            Components::Vector { axes, .. } | Components::General { axes, .. } => Some(axes),
        }
    }
}
