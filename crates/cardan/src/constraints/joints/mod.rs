//! Joints: named lists of primitives between two markers, i on one body and j on the other. One file a joint.
//!
//! The joint axis is z of both markers. A new joint is a file here and a line in the list below.

use super::coupler::Coordinate;
use super::{Axes, Row};
use crate::bodies::MarkerId;
use crate::measures::Measure;
use crate::units::Dimension;
use std::fmt::Debug;
use std::sync::Arc;

/// A type of joint.
pub trait JointType: Debug + Send + Sync {
    /// Name in files and tables.
    fn name(&self) -> &'static str;
    /// One line for reference tables.
    fn summary(&self) -> &'static str;
    /// Its rows between marker i and marker j.
    fn rows(&self, axes: &Axes) -> Vec<Row>;
    /// The coordinates it leaves free that motions and couplers may use.
    fn coordinates(&self) -> &'static [Coordinate] {
        &[]
    }
    /// The number that some types have.
    fn parameter(&self) -> Option<JointParameter> {
        None
    }
    /// The same type with another parameter; `None` if it has none.
    fn with_parameter(&self, _value: f64) -> Option<Arc<dyn JointType>> {
        None
    }
    /// What is wrong with its parameters, if anything.
    fn mistake(&self) -> Option<String> {
        None
    }
}

/// The number of a joint type: a pitch, a length, an angle.
#[derive(Debug, Clone, PartialEq)]
pub struct JointParameter {
    /// Name in files.
    pub name: &'static str,
    /// One line for reference tables.
    pub summary: &'static str,
    /// Its dimension.
    pub dimension: Dimension,
    /// Its value.
    pub value: f64,
    /// What it is where it is left out: this measure of the markers as they are placed. `None` if it must be given.
    pub as_placed: Option<Measure>,
}

/// A joint of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JointId(pub(crate) usize);

impl JointId {
    /// Position in the model's list of joints.
    pub fn index(self) -> usize {
        self.0
    }
}

/// A joint between two markers.
#[derive(Debug, Clone)]
#[must_use = "a joint has to be added to a model"]
pub struct Joint {
    /// Unique name.
    pub name: String,
    /// The type.
    pub kind: Arc<dyn JointType>,
    /// Marker i.
    pub i: MarkerId,
    /// Marker j; directions and coordinates are those of i seen from j.
    pub j: MarkerId,
}

impl Joint {
    /// A joint of this type between marker `i` and marker `j`.
    pub fn new(name: &str, kind: impl JointType + 'static, i: MarkerId, j: MarkerId) -> Self {
        Self { name: name.into(), kind: Arc::new(kind), i, j }
    }
}

macro_rules! registry {
    ($($module:ident: $Type:ident = $example:expr;)*) => {
        $(mod $module; pub use $module::$Type;)*
        /// One example of every joint type: the list behind reference tables and test batteries.
        pub fn all() -> Vec<Arc<dyn JointType>> {
            vec![$(Arc::new($example)),*]
        }
    };
}

registry! {
    fixed: Fixed = Fixed;
    revolute: Revolute = Revolute;
    spherical: Spherical = Spherical;
    translational: Translational = Translational;
    cylindrical: Cylindrical = Cylindrical;
    planar: PlanarJoint = PlanarJoint;
    universal: Universal = Universal;
    constant_velocity: ConstantVelocity = ConstantVelocity;
    screw: Screw = Screw { pitch: 0.4 };
    rod: Rod = Rod { length: 0.8 };
    point_in_line: PointInLine = PointInLine;
    point_in_plane: PointInPlane = PointInPlane;
    parallel: ParallelAxes = ParallelAxes;
    perpendicular: PerpendicularAxes = PerpendicularAxes;
    orientation: SameOrientation = SameOrientation;
    angle: FixedAngle = FixedAngle { angle: 0.3 };
}
