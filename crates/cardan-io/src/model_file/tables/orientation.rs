//! Orientations: five ways to write a rotation.

use super::super::field::Field;
use super::super::item::Item;
use super::super::problem::Problem;
use super::super::reader::{Reader, Value};
use super::super::schema::{Defs, Json};
use super::super::table::table;
use cardan::math::{Quat, Quaternion, UnitVec3, Vec3};
use cardan::units::Dimension;

table! {
    /// A rotation as it is written: one of `quaternion`, `axis` with `angle`, `euler313`, `rpy`, `z` and/or `x`.
    #[derive(Default)]
    pub struct Orientation {
        /// w, x, y, z.
        quaternion: Option<[f64; 4]>,
        /// Axis of a rotation by `angle`.
        axis: Option<[f64; 3]>,
        /// Angle of the rotation about `axis`.
        angle: Option<f64> [ANGLE],
        /// Turns about z, then the new x, then the new z.
        euler313: Option<[f64; 3]> [ANGLE],
        /// Roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll).
        rpy: Option<[f64; 3]> [ANGLE],
        /// Direction of the z axis.
        z: Option<[f64; 3]>,
        /// Direction that the x axis comes as close to as possible (exactly, where `z` is left out).
        x: Option<[f64; 3]>,
    }
}

impl Orientation {
    /// The rotation, or what is wrong.
    fn rotation(&self) -> Result<Quat, String> {
        match self {
            Self { quaternion: Some(q), axis: None, angle: None, euler313: None, rpy: None, z: None, x: None } => unit_quaternion(*q),
            Self { quaternion: None, axis: Some(axis), angle: Some(angle), euler313: None, rpy: None, z: None, x: None } => {
                Ok(Quat::from_axis_angle(&direction(*axis, "axis")?, *angle))
            }
            Self { quaternion: None, axis: None, angle: None, euler313: Some([psi, theta, phi]), rpy: None, z: None, x: None } => {
                Ok(about(Vec3::z_axis(), *psi) * about(Vec3::x_axis(), *theta) * about(Vec3::z_axis(), *phi))
            }
            Self { quaternion: None, axis: None, angle: None, euler313: None, rpy: Some([roll, pitch, yaw]), z: None, x: None } => {
                Ok(about(Vec3::z_axis(), *yaw) * about(Vec3::y_axis(), *pitch) * about(Vec3::x_axis(), *roll))
            }
            Self { quaternion: None, axis: None, angle: None, euler313: None, rpy: None, z, x } if z.is_some() || x.is_some() => {
                from_axes(*z, *x)
            }
            _ => Err("an orientation is one of: quaternion; axis and angle; euler313; rpy; z and/or x".into()),
        }
    }
}

fn about(axis: UnitVec3, angle: f64) -> Quat {
    Quat::from_axis_angle(&axis, angle)
}

fn direction(v: [f64; 3], name: &str) -> Result<UnitVec3, String> {
    UnitVec3::try_new(Vec3::from(v), 0.0).filter(|u| u.iter().all(|x| x.is_finite())).ok_or(format!("'{name}' has no direction"))
}

/// Quaternions that are of unit length to the last digits are kept as they are, so that what is written reads back unchanged.
fn unit_quaternion([w, x, y, z]: [f64; 4]) -> Result<Quat, String> {
    let q = Quaternion::new(w, x, y, z);
    match q.norm_squared() {
        n if (n - 1.0).abs() < 2e-15 => Ok(Quat::new_unchecked(q)),
        n if n > 0.0 && n.is_finite() => Ok(Quat::new_normalize(q)),
        _ => Err("a quaternion must not be zero".into()),
    }
}

fn from_axes(z: Option<[f64; 3]>, x: Option<[f64; 3]>) -> Result<Quat, String> {
    match (z, x) {
        (Some(z), None) => Ok(z_along(direction(z, "z")?)),
        // The turn that takes x along the direction is the one that would take z there, with the axes renamed.
        (None, x) => {
            let x = direction(x.unwrap_or_default(), "x")?;
            Quat::rotation_between(&Vec3::x(), &x).map_or_else(|| Ok(about(Vec3::z_axis(), std::f64::consts::PI)), Ok)
        }
        (Some(z), Some(x)) => {
            let (z, x) = (direction(z, "z")?, direction(x, "x")?);
            let y = z.cross(&x);
            if y.norm() < 1e-9 {
                return Err("'z' and 'x' point along the same line".into());
            }
            let y = y.normalize();
            let columns = [y.cross(&z), y, z.into_inner()];
            let matrix = cardan::math::Mat3::from_columns(&columns);
            Ok(Quat::from_matrix(&matrix))
        }
    }
}

/// The shortest turn that takes z along a direction.
pub(in super::super) fn z_along(z: UnitVec3) -> Quat {
    cardan::bodies::Marker::on(cardan::bodies::BodyId::GROUND).z_along([z.x, z.y, z.z]).orientation
}

/// A rotation with the way it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// The rotation.
    pub rotation: Quat,
    written: Orientation,
}

impl From<Quat> for Turn {
    fn from(rotation: Quat) -> Self {
        let quaternion = Some([rotation.w, rotation.i, rotation.j, rotation.k]);
        Self { rotation, written: Orientation { quaternion, ..Orientation::default() } }
    }
}

impl Field for Turn {
    fn read(value: &Value, dimension: Dimension, reader: &mut Reader) -> Option<Self> {
        let written = Orientation::read(value, dimension, reader)?;
        match written.rotation() {
            Ok(rotation) => Some(Self { rotation, written }),
            Err(message) => {
                reader.report(Problem::new(value.span(), format!("{}: {message}", reader.path()), "this rotation"));
                None
            }
        }
    }

    fn write(&self) -> Option<Item> {
        self.written.write()
    }

    fn schema(dimension: Dimension, defs: &mut Defs) -> Json {
        Orientation::schema(dimension, defs)
    }
}
