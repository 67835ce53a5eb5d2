//! Shapes to draw, and mass properties from shapes.

use super::super::problem::Span;
use super::super::tables::{Graphic, Shape, Solid, Turn};
use super::Lowering;
use crate::geometry;
use cardan::math::{Mat3, Vec3};

/// Mass, centre of mass and inertia about it, in the body frame.
pub(super) struct MassProperties {
    pub mass: f64,
    pub center: Vec3,
    pub inertia: Mat3,
}

/// A thin rod turns about its own axis as if its radius were this part of its length.
const ROD_RADIUS: f64 = 0.01;

impl Lowering<'_> {
    /// The geometry of a shape; a mesh is read from its file.
    fn geometry(&mut self, solid: &Solid) -> Option<geometry::Shape> {
        Some(match solid {
            Solid::Box(s) => geometry::Shape::Box { size: s.size },
            Solid::Cylinder(s) => geometry::Shape::Cylinder { radius: s.radius, length: s.length },
            Solid::Sphere(s) => geometry::Shape::Sphere { radius: s.radius },
            Solid::Rod(s) => geometry::Shape::Rod { length: s.length },
            Solid::Tube(s) => geometry::Shape::Tube { outer_radius: s.outer_radius, inner_radius: s.inner_radius, length: s.length },
            Solid::Line(s) => geometry::Shape::Line { points: s.points.clone() },
            Solid::Mesh(s) => {
                return match geometry::mesh::read(&self.base.join(&s.file.text), s.scale.unwrap_or(1.0)) {
                    Ok(shape) => Some(shape),
                    Err(error) => self.problem(&s.file.span, error.to_string(), "this file"),
                };
            }
        })
    }

    /// A shape as it is drawn.
    pub(super) fn graphic(&mut self, table: &Graphic) -> Option<geometry::Graphic> {
        let shape = self.geometry(&table.solid)?;
        let orientation = orientation(table.orientation.as_ref());
        Some(geometry::Graphic { shape, position: table.position.unwrap_or_default(), orientation, color: table.color.clone() })
    }

    /// Mass properties of a shape; the body's own mass comes before the shape's.
    pub(super) fn mass_properties(&mut self, span: &Span, table: &Shape, mass: Option<f64>) -> Option<MassProperties> {
        let solid = match self.geometry(&table.solid)?.mass_properties() {
            Ok(solid) => solid.placed(table.position.unwrap_or_default(), orientation(table.orientation.as_ref())),
            Err(error) => return self.problem(span, error.to_string(), "its shape"),
        };
        let per_length = if let Solid::Rod(rod) = &table.solid { rod.mass_per_length } else { None };
        let volume = match &table.solid {
            Solid::Rod(_) if table.density.is_some() => {
                return self.problem(span, "a thin rod has no volume", "give mass or mass_per_length");
            }
            _ => solid.volume,
        };
        let of_material = match &table.material {
            Some(name) => self.find_material(name)?.1,
            None => None,
        };
        let density = table.density.or(of_material).or(per_length);
        let Some(mass) = mass.or(table.mass).or(density.map(|d| d * volume)) else {
            return self.problem(span, "a shape needs a density or a mass", "needs 'density' or 'mass'");
        };
        let mut inertia = Mat3::from(solid.inertia) * (mass / solid.volume);
        if let Solid::Rod(rod) = &table.solid {
            let axis = table.orientation.as_ref().map_or(Vec3::x(), |t| t.rotation * Vec3::x());
            inertia += axis * axis.transpose() * (0.5 * mass * (ROD_RADIUS * rod.length).powi(2));
        }
        Some(MassProperties { mass, center: solid.centroid.into(), inertia })
    }
}

fn orientation(turn: Option<&Turn>) -> [f64; 4] {
    turn.map_or([1.0, 0.0, 0.0, 0.0], |t| [t.rotation.w, t.rotation.i, t.rotation.j, t.rotation.k])
}
