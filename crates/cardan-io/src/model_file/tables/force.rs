//! Forces.

use super::super::field::{Field, Function, Name};
use super::super::item::Item;
use super::super::reader::{Reader, Value};
use super::super::schema::{Defs, Json};
use super::super::table::{kinds, table, words};
use cardan::units::Dimension;
use serde_json::json;
use toml::de::DeValue;

table! {
    /// A spring and damper along the line between two markers.
    pub struct SpringDamper {
        /// Marker i.
        i: Name,
        /// Marker j.
        j: Name,
        /// Stiffness; default 0.
        stiffness: Option<f64> [STIFFNESS],
        /// Damping; default 0.
        damping: Option<f64> [DAMPING],
        /// Length without force; default: as placed.
        free_length: Option<f64> [LENGTH],
        /// Constant part of the force, positive apart.
        preload: Option<f64> [FORCE],
    }
}

table! {
    /// A spring and damper about z of marker j.
    pub struct RotationalSpringDamper {
        /// Marker i.
        i: Name,
        /// Marker j.
        j: Name,
        /// Stiffness; default 0.
        stiffness: Option<f64> [ROTATIONAL_STIFFNESS],
        /// Damping; default 0.
        damping: Option<f64> [ROTATIONAL_DAMPING],
        /// Angle without torque; default: as placed.
        free_angle: Option<f64> [ANGLE],
        /// Constant part of the torque, positive forward.
        preload: Option<f64> [TORQUE],
    }
}

table! {
    /// A linear force and torque in six directions.
    pub struct Bushing {
        /// Marker i.
        i: Name,
        /// Marker j, in whose axes it is measured.
        j: Name,
        /// Six numbers (x, y, z, then rotations) or a 6×6 matrix.
        stiffness: Option<SixBySix> [STIFFNESS],
        /// Six numbers or a 6×6 matrix.
        damping: Option<SixBySix> [DAMPING],
        /// Constant force and torque on i.
        preload: Option<Components> [FORCE],
        /// Position of i without force, in the axes of j.
        offset: Option<[f64; 3]> [LENGTH],
    }
}

table! {
    /// A solid round section.
    pub struct Round {
        /// Radius.
        radius: f64 [LENGTH],
    }
}

table! {
    /// A solid rectangle.
    pub struct Rectangle {
        /// Along y.
        width: f64 [LENGTH],
        /// Along z.
        height: f64 [LENGTH],
    }
}

table! {
    /// A section given by its properties.
    pub struct SectionProperties {
        /// Area.
        area: f64 [AREA],
        /// Second moments of area about y and z.
        bending: [f64; 2] [SECOND_MOMENT_OF_AREA],
        /// Torsion constant.
        torsion: f64 [SECOND_MOMENT_OF_AREA],
        /// Shear correction factors along y and z; default: rigid in shear.
        shear: Option<[f64; 2]>,
    }
}

kinds! {
    /// The cross-section of a beam.
    pub enum Section default "properties" {
        /// Given by its properties.
        "properties" => Properties(SectionProperties),
        /// A solid round section.
        "round" => Round(Round),
        /// A solid rectangle.
        "rectangle" => Rectangle(Rectangle),
    }
}

table! {
    /// A massless beam from marker j along its x axis to marker i.
    pub struct Beam {
        /// Marker i.
        i: Name,
        /// Marker j.
        j: Name,
        /// Length without force; default: as placed.
        length: Option<f64> [LENGTH],
        /// Cross-section.
        section: Section,
        /// Young's modulus.
        youngs_modulus: f64 [PRESSURE],
        /// Poisson's ratio, instead of the shear modulus.
        poisson: Option<f64>,
        /// Shear modulus, instead of Poisson's ratio.
        shear_modulus: Option<f64> [PRESSURE],
        /// Damping per stiffness.
        damping_ratio: Option<f64> [TIME],
    }
}

table! {
    /// Friction in a joint, with the joint's reaction as normal force.
    pub struct JointFriction {
        /// The joint.
        joint: Name,
        /// Coefficient at rest.
        static_coefficient ("static"): f64,
        /// Coefficient in motion; default: as at rest.
        dynamic: Option<f64>,
        /// Radius of the pin, for joints that turn.
        radius: Option<f64> [LENGTH],
        /// Speed below which the contact creeps; default 1 mm/s.
        transition_speed: Option<f64> [VELOCITY],
        /// Normal force that is there without any reaction.
        preload: Option<f64> [FORCE],
    }
}

words! {
    /// What a single force acts along.
    pub enum Acting {
        /// The line between the markers.
        "line" => Line,
        /// z of marker j.
        "axis" => Axis,
        /// A torque about z of marker j.
        "rotation" => Rotation,
    }
}

table! {
    /// A force along one line, given by a function.
    pub struct SingleForce {
        /// Marker i.
        i: Name,
        /// Marker j.
        j: Name,
        /// The force, positive apart (forward).
        function: Function,
        /// What it acts along; default: the line between the markers.
        along: Option<Acting>,
    }
}

table! {
    /// A force with three components, given by functions.
    pub struct VectorForce {
        /// Marker i.
        i: Name,
        /// Marker j, which the reaction acts on.
        j: Name,
        /// Force along x.
        x: Option<Function>,
        /// Force along y.
        y: Option<Function>,
        /// Force along z.
        z: Option<Function>,
        /// The marker whose axes these are; default j.
        axes: Option<Name>,
    }
}

table! {
    /// A force and a torque, given by functions.
    pub struct GeneralForce {
        /// Marker i.
        i: Name,
        /// Marker j, which the reaction acts on.
        j: Name,
        /// Force along x.
        x: Option<Function>,
        /// Force along y.
        y: Option<Function>,
        /// Force along z.
        z: Option<Function>,
        /// Torque about x.
        tx: Option<Function>,
        /// Torque about y.
        ty: Option<Function>,
        /// Torque about z.
        tz: Option<Function>,
        /// The marker whose axes these are; default j.
        axes: Option<Name>,
    }
}

kinds! {
    /// A kind of force.
    pub enum ForceKind {
        /// A spring and damper along the line between two markers.
        "spring-damper" => SpringDamper(SpringDamper),
        /// A spring and damper about z, counting turns.
        "rotational-spring-damper" => RotationalSpringDamper(RotationalSpringDamper),
        /// A linear force and torque in six directions.
        "bushing" => Bushing(Bushing),
        /// A Timoshenko beam element between two markers.
        "beam" => Beam(Beam),
        /// Coulomb friction with stiction in a joint, with the joint's reaction as normal force.
        "joint-friction" => JointFriction(JointFriction),
        /// A function along a line, an axis or a rotation.
        "force" => Single(SingleForce),
        /// Three functions: a force.
        "vector-force" => Vector(VectorForce),
        /// Six functions: a force and a torque.
        "general-force" => General(GeneralForce),
    }
}

table! {
    /// A force.
    pub struct Force {
        .. /// Its kind, with its keys.
        kind: ForceKind,
        /// Whether real-time methods with `jacobian = "marked"` treat it implicitly; default: no.
        implicit: Option<bool>,
    }
}

/// The dimension of an entry of a force law: rows are forces, then torques; columns lengths, then angles.
fn entry(translation: Dimension, row: usize, column: usize) -> Dimension {
    let lever = if row < 3 { Dimension::NONE } else { Dimension::LENGTH };
    let angle = if column < 3 { Dimension::NONE } else { Dimension::PITCH };
    translation.times(lever).times(angle)
}

/// Numbers of a list, each with its own dimension.
fn numbers(list: &[Value], reader: &mut Reader, dimension: impl Fn(usize) -> Dimension) -> Option<[f64; 6]> {
    let all: Vec<Option<f64>> = list.iter().enumerate().map(|(k, value)| reader.number(value, dimension(k))).collect();
    all.into_iter().collect::<Option<Vec<f64>>>()?.try_into().ok()
}

/// Force and torque: six numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Components(pub [f64; 6]);

impl Field for Components {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        match value.get_ref() {
            DeValue::Array(list) if list.len() == 6 => numbers(list, reader, |k| entry(dimension, k, 0)).map(Self),
            _ => reader.expected(value, "a list of 6 numbers"),
        }
    }

    fn write(&self) -> Option<Item> {
        self.0.write()
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        <[f64; 6]>::schema(dimension, defs)
    }
}

/// A 6×6 matrix by rows, given by its diagonal or as a whole.
#[derive(Debug, Clone, PartialEq)]
pub enum SixBySix {
    /// The diagonal.
    Diagonal([f64; 6]),
    /// All rows.
    Full(Box<[[f64; 6]; 6]>),
}

impl Field for SixBySix {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        let DeValue::Array(list) = value.get_ref() else { return reader.expected(value, "six numbers or six rows of six") };
        let full = list.iter().any(|row| row.get_ref().is_array());
        if list.len() != 6 {
            return reader.expected(value, "six numbers or six rows of six");
        }
        if !full {
            return numbers(list, reader, |k| entry(dimension, k, k)).map(Self::Diagonal);
        }
        let mut rows = [[0.0; 6]; 6];
        for (a, row) in list.iter().enumerate() {
            match row.get_ref() {
                DeValue::Array(columns) if columns.len() == 6 => rows[a] = numbers(columns, reader, |b| entry(dimension, a, b))?,
                _ => return reader.expected(row, "a row of six numbers"),
            }
        }
        Some(Self::Full(Box::new(rows)))
    }

    fn write(&self) -> Option<Item> {
        match self {
            Self::Diagonal(all) => all.write(),
            Self::Full(rows) => rows.write(),
        }
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        let row = <[f64; 6]>::schema(dimension, defs);
        json!({ "anyOf": [row.clone(), { "type": "array", "items": row, "minItems": 6, "maxItems": 6 }] })
    }
}
