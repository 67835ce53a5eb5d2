//! Bodies, markers and graphics.

use super::super::field::Named;
use super::super::tables::{
    self, Body, BoxShape, ContactShape, Cylinder, Graphic, Inertia, Line, Marker, PlanarBody, PointBody, RigidBody,
};
use super::super::tables::{Rod, Solid, Sphere, Tube, Turn};
use super::{Lifting, entry, unless_zero, vector};
use crate::geometry;
use cardan::bodies::{self, BodyId, Kind, Shape};
use cardan::math::{Quat, Quaternion};

impl Lifting<'_> {
    pub(super) fn bodies(&self, drawn: &[(String, Vec<geometry::Graphic>)]) -> Named<Body> {
        let mut all = Vec::new();
        for (k, body) in self.model.bodies().iter().enumerate() {
            let (markers, shapes) = (self.markers(k), self.shapes(k));
            let graphics: Vec<Graphic> =
                drawn.iter().filter(|(name, _)| *name == body.name).flat_map(|(_, list)| list).filter_map(graphic).collect();
            if k == BodyId::GROUND.index() {
                if !(markers.0.is_empty() && shapes.0.is_empty() && graphics.is_empty()) {
                    all.push(entry("ground", Body::Rigid(RigidBody { markers, shapes, graphics, ..RigidBody::default() })));
                }
                continue;
            }
            all.extend(table(body, markers, shapes, graphics).map(|table| entry(&body.name, table)));
        }
        Named(all)
    }

    fn markers(&self, body: usize) -> Named<Marker> {
        let own = self.model.markers().iter().enumerate().filter(|(_, m)| m.body.index() == body);
        Named(
            own.filter_map(|(k, m)| {
                let name = self.names.table(k)?;
                if self.shape_of(k).is_some() {
                    return None;
                }
                Some(entry(name, Marker { position: vector(&m.position), orientation: turn(&m.orientation) }))
            })
            .collect(),
        )
    }
}

pub(super) fn turn(rotation: &Quat) -> Option<Turn> {
    (*rotation != Quat::identity()).then(|| Turn::from(*rotation))
}

/// The table of a body of a kind that files know.
fn table(body: &bodies::Body, markers: Named<Marker>, shapes: Named<ContactShape>, graphics: Vec<Graphic>) -> Option<Body> {
    let (position, velocity) = (vector(&body.position), vector(&body.velocity));
    Some(match &body.shape {
        Shape::Flexible(_) => return None,
        Shape::Point(point) => {
            let table = PointBody { mass: Some(point.mass), shape: None, position, velocity, markers, shapes, graphics };
            if point.dimensions == 2 { Body::Point2d(table) } else { Body::Point(table) }
        }
        Shape::Planar(planar) => Body::Planar(PlanarBody {
            mass: Some(planar.mass),
            inertia: Some(planar.inertia),
            center_of_mass: vector(&planar.center_of_mass),
            position,
            angle: unless_zero(body.angle),
            velocity,
            angular_velocity: unless_zero(body.angular_velocity.z),
            markers,
            shapes,
            graphics,
            shape: None,
        }),
        Shape::Rigid(rigid) => Body::Rigid(RigidBody {
            mass: Some(rigid.mass()),
            inertia: Some(inertia(rigid.given_tensor())),
            center_of_mass: vector(&rigid.center_of_mass()),
            position,
            orientation: turn(&body.orientation),
            velocity,
            angular_velocity: vector(&body.angular_velocity),
            markers,
            shapes,
            graphics,
            ..RigidBody::default()
        }),
    })
}

fn inertia(j: &cardan::math::Mat3) -> tables::Inertia {
    let moments = [j[(0, 0)], j[(1, 1)], j[(2, 2)]];
    let products = [j[(0, 1)], j[(1, 2)], j[(0, 2)]];
    if products == [0.0; 3] {
        return Inertia::Principal(moments);
    }
    Inertia::Tensor([moments[0], moments[1], moments[2], products[0], products[1], products[2]])
}

/// A shape to draw; a mesh is left out, since its file is not known.
fn graphic(graphic: &geometry::Graphic) -> Option<Graphic> {
    let solid = match graphic.shape.clone() {
        geometry::Shape::Box { size } => Solid::Box(BoxShape { size }),
        geometry::Shape::Cylinder { radius, length } => Solid::Cylinder(Cylinder { radius, length }),
        geometry::Shape::Sphere { radius } => Solid::Sphere(Sphere { radius }),
        geometry::Shape::Rod { length } => Solid::Rod(Rod { length, mass_per_length: None }),
        geometry::Shape::Tube { outer_radius, inner_radius, length } => Solid::Tube(Tube { outer_radius, inner_radius, length }),
        geometry::Shape::Line { points } => Solid::Line(Line { points }),
        geometry::Shape::Mesh { .. } => return None,
    };
    let [w, x, y, z] = graphic.orientation;
    let rotation = Quat::new_unchecked(Quaternion::new(w, x, y, z));
    let position = (graphic.position != [0.0; 3]).then_some(graphic.position);
    Some(Graphic { solid, position, orientation: turn(&rotation), color: graphic.color.clone() })
}
