//! Bodies, with mass properties as given or from a shape.

use super::super::field::Named;
use super::super::problem::Span;
use super::super::tables::{self, Body, Graphic, PlanarBody, PointBody, RigidBody, Shape};
use super::Lowering;
use super::shapes::MassProperties;
use crate::geometry;
use cardan::bodies::{self, BodyId, Inertia};
use cardan::math::{Quat, Vec3};

impl Lowering<'_> {
    pub(super) fn body(&mut self, name: &str, span: &Span, table: &Body) -> Option<()> {
        if name == "ground" {
            return self.ground(span, table);
        }
        self.place("body", name, span)?;
        let (body, shape, graphics, markers, shapes) = match table {
            Body::Rigid(t) => (self.rigid(name, span, t)?, &t.shape, &t.graphics, &t.markers, &t.shapes),
            Body::Planar(t) => (self.planar(name, span, t)?, &t.shape, &t.graphics, &t.markers, &t.shapes),
            Body::Point(t) | Body::Point2d(t) => (self.point(name, span, t)?, &t.shape, &t.graphics, &t.markers, &t.shapes),
        };
        let body = match table {
            Body::Point2d(_) => bodies::Body { shape: bodies::Body::point_2d(name, bodies::Kind::mass(&body.shape)).shape, ..body },
            _ => body,
        };
        if let Some(mistake) = body.mistake() {
            return self.problem(span, format!("body '{name}': {mistake}"), "this body");
        }
        let id = self.model.add_body(body);
        self.bodies.insert(name.into(), id);
        self.add_markers(id, markers);
        let outlines = self.add_shapes(id, shapes);
        self.draw(name, shape.as_ref(), graphics, outlines);
        Some(())
    }

    /// The ground takes markers, shapes and graphics only.
    fn ground(&mut self, span: &Span, table: &Body) -> Option<()> {
        let Body::Rigid(t) = table else { return self.problem(span, "the ground has no kind", "only markers, shapes and graphics") };
        let (markers, shapes, graphics) = (t.markers.clone(), t.shapes.clone(), t.graphics.clone());
        if *t != (RigidBody { markers, shapes, graphics, ..RigidBody::default() }) {
            return self.problem(span, "the ground has only markers, shapes and graphics", "it neither moves nor has mass");
        }
        self.add_markers(BodyId::GROUND, &t.markers);
        let outlines = self.add_shapes(BodyId::GROUND, &t.shapes);
        self.draw("ground", None, &t.graphics, outlines);
        Some(())
    }

    fn add_markers(&mut self, id: BodyId, markers: &Named<tables::Marker>) {
        for entry in &markers.0 {
            let position = Vec3::from(entry.value.position.unwrap_or_default());
            let orientation = entry.value.orientation.as_ref().map_or(Quat::identity(), |t| t.rotation);
            if matches!(entry.name.as_str(), "origin" | "cm") {
                let message = format!("every body has a marker '{}' already", entry.name);
                self.problem::<()>(&entry.span, message, "choose another name");
                continue;
            }
            self.add_marker(&entry.name, &entry.span, id, position, orientation);
        }
    }

    /// What is to be drawn of a body; if nothing is, outlines of what touches.
    fn draw(&mut self, body: &str, shape: Option<&Shape>, graphics: &[Graphic], outlines: Vec<geometry::Graphic>) {
        let drawn = match shape {
            Some(s) if graphics.is_empty() => {
                vec![Graphic { solid: s.solid.clone(), position: s.position, orientation: s.orientation.clone(), color: s.color.clone() }]
            }
            _ => graphics.to_vec(),
        };
        let shapes: Vec<_> = if drawn.is_empty() { outlines } else { drawn.iter().filter_map(|g| self.graphic(g)).collect() };
        if !shapes.is_empty() {
            self.graphics.push((body.into(), shapes));
        }
    }

    /// The mass, as given or from the shape.
    fn mass(&mut self, name: &str, span: &Span, given: Option<f64>, shape: Option<&MassProperties>) -> Option<f64> {
        let mass = given.or(shape.map(|s| s.mass));
        mass.or_else(|| self.problem(span, format!("body '{name}' needs a mass, or a shape with a density"), "needs 'mass' or 'shape'"))
    }

    fn properties(&mut self, span: &Span, shape: &Option<Shape>, mass: Option<f64>) -> Result<Option<MassProperties>, ()> {
        match shape {
            Some(shape) => self.mass_properties(span, shape, mass).map(Some).ok_or(()),
            None => Ok(None),
        }
    }

    fn rigid(&mut self, name: &str, span: &Span, t: &RigidBody) -> Option<bodies::Body> {
        let shape = self.properties(span, &t.shape, t.mass).ok()?;
        let mass = self.mass(name, span, t.mass, shape.as_ref());
        let inertia = match (t.inertia, &shape) {
            (Some(tables::Inertia::Principal([xx, yy, zz])), _) => Some(Inertia::principal(xx, yy, zz)),
            (Some(tables::Inertia::Tensor([xx, yy, zz, xy, yz, zx])), _) => Some(Inertia::tensor(xx, yy, zz, xy, yz, zx)),
            (None, Some(s)) => {
                let j = s.inertia;
                Some(Inertia::tensor(j[(0, 0)], j[(1, 1)], j[(2, 2)], j[(0, 1)], j[(1, 2)], j[(0, 2)]))
            }
            (None, None) => self.problem(span, format!("body '{name}' needs an inertia, or a shape"), "needs 'inertia' or 'shape'"),
        };
        let center = t.center_of_mass.or(shape.as_ref().map(|s| s.center.into())).unwrap_or_default();
        let mut inertia = inertia?.with_center_of_mass(center);
        if let Some(point) = t.inertia_about {
            inertia = inertia.about(point);
        }
        if let Some(axes) = &t.inertia_axes {
            inertia = inertia.in_axes(axes.rotation);
        }
        let body = bodies::Body::rigid(name, mass?, inertia)
            .at(t.position.unwrap_or_default())
            .moving(t.velocity.unwrap_or_default())
            .spinning(t.angular_velocity.unwrap_or_default());
        Some(body.oriented(t.orientation.as_ref().map_or(Quat::identity(), |t| t.rotation)))
    }

    fn planar(&mut self, name: &str, span: &Span, t: &PlanarBody) -> Option<bodies::Body> {
        let shape = self.properties(span, &t.shape, t.mass).ok()?;
        let mass = self.mass(name, span, t.mass, shape.as_ref());
        let inertia = t.inertia.or(shape.as_ref().map(|s| s.inertia[(2, 2)]));
        let needs = || format!("body '{name}' needs an inertia, or a shape");
        let inertia = inertia.or_else(|| self.problem(span, needs(), "needs 'inertia' or 'shape'"));
        let center = t.center_of_mass.or(shape.as_ref().map(|s| [s.center.x, s.center.y, 0.0])).unwrap_or_default();
        if center[2] != 0.0 {
            let message = format!("body '{name}': the centre of mass of a planar body lies in the plane of its frame");
            return self.problem(span, message, "give it z = 0");
        }
        let body = bodies::Body::planar(name, mass?, inertia?)
            .with_center_of_mass(center)
            .at(t.position.unwrap_or_default())
            .turned(t.angle.unwrap_or_default())
            .moving(t.velocity.unwrap_or_default());
        Some(body.spinning([0.0, 0.0, t.angular_velocity.unwrap_or_default()]))
    }

    fn point(&mut self, name: &str, span: &Span, t: &PointBody) -> Option<bodies::Body> {
        let shape = self.properties(span, &t.shape, t.mass).ok()?;
        let mass = self.mass(name, span, t.mass, shape.as_ref())?;
        Some(bodies::Body::point(name, mass).at(t.position.unwrap_or_default()).moving(t.velocity.unwrap_or_default()))
    }
}
