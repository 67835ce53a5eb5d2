//! The shapes of bodies that touch, from numbers or from files.

use super::super::field::{Name, Named};
use super::super::problem::Span;
use super::super::tables::{ContactShape, Touching};
use super::{Lowering, Surface, profiles};
use crate::geometry;
use cardan::bodies::BodyId;
use cardan::contact::{self, Part, Profile, Shape, Solid};
use cardan::math::{Quat, Vec3};

impl Lowering<'_> {
    /// The shapes of a body, each with a marker of its own. Gives the outlines of profiles, to be drawn where nothing else is.
    pub(super) fn add_shapes(&mut self, body: BodyId, shapes: &Named<ContactShape>) -> Vec<geometry::Graphic> {
        let mut outlines = Vec::new();
        for entry in &shapes.0 {
            let ContactShape { shape, material, position, orientation } = &entry.value;
            let Some(shape) = self.touching(&entry.name, &entry.span, shape) else { continue };
            if let Some(mistake) = shape.mistake() {
                self.problem::<()>(&entry.span, format!("shape '{}': {mistake}", entry.name), "this shape");
                continue;
            }
            let material = material.as_ref().and_then(|name| self.find_material(name)).map(|(material, _)| material);
            let orientation = orientation.as_ref().map_or(Quat::identity(), |t| t.rotation);
            if let Shape::Profile(profile) = &shape {
                outlines.extend(profiles::outlines(profile, position.unwrap_or_default(), &orientation));
            }
            let position = Vec3::from(position.unwrap_or_default());
            let Some(marker) = self.add_marker(&entry.name, &entry.span, body, position, orientation) else { continue };
            let name = format!("{}.{}", self.model.bodies()[body.index()].name, entry.name);
            self.shapes.push(Surface { name, part: Part { marker, shape }, material });
        }
        outlines
    }

    /// The shape; points, triangles and heights may be in files.
    fn touching(&mut self, name: &str, span: &Span, shape: &Touching) -> Option<Shape> {
        Some(match shape {
            Touching::Point(_) => contact::ContactPoint.into(),
            Touching::Sphere(s) => contact::Sphere { radius: s.radius }.into(),
            Touching::HollowSphere(s) => contact::HollowSphere { radius: s.radius }.into(),
            Touching::HalfSpace(_) => contact::HalfSpace.into(),
            Touching::Box(s) => contact::Cuboid { size: s.size.into() }.into(),
            Touching::Cylinder(s) => contact::Cylinder { radius: s.radius, length: s.length }.into(),
            Touching::HollowCylinder(s) => contact::HollowCylinder { radius: s.radius, length: s.length }.into(),
            Touching::Disk(s) => contact::Disk { radius: s.radius, edge: s.edge.unwrap_or_default() }.into(),
            Touching::Capsule(s) => contact::Capsule { radius: s.radius, length: s.length }.into(),
            Touching::Ellipsoid(s) => contact::Ellipsoid { semi_axes: s.semi_axes.into() }.into(),
            Touching::Torus(s) => contact::Torus { radius: s.radius, tube: s.tube }.into(),
            Touching::Profile(s) => self.made(name, span, profiles::profile(s))?,
            Touching::Gear(s) => self.made(name, span, profiles::gear(s))?,
            Touching::Sprocket(s) => self.made(name, span, profiles::sprocket(s))?,
            Touching::GenevaWheel(s) => self.made(name, span, profiles::geneva_wheel(s))?,
            Touching::GenevaLock(s) => self.made(name, span, profiles::geneva_lock(s))?,
            Touching::Cam(s) => self.made(name, span, profiles::cam(s))?,
            Touching::Hull(s) => {
                self.either(name, span, s.file.is_some(), !s.points.is_empty(), "points")?;
                let points = match &s.file {
                    Some(file) => self.mesh_file(file, s.scale)?.0,
                    None => s.points.iter().map(|x| Vec3::from(*x)).collect(),
                };
                contact::Hull::new(points).into()
            }
            Touching::Mesh(s) => {
                self.either(name, span, s.file.is_some(), !(s.corners.is_empty() && s.triangles.is_empty()), "corners and triangles")?;
                let (corners, triangles) = match &s.file {
                    Some(file) => self.mesh_file(file, s.scale)?,
                    None => (s.corners.iter().map(|x| Vec3::from(*x)).collect(), s.triangles.clone()),
                };
                contact::Mesh::new(corners, triangles).into()
            }
            Touching::HeightField(s) => {
                self.either(name, span, s.file.is_some(), !s.heights.is_empty(), "heights")?;
                let heights = match &s.file {
                    Some(file) => self.heights_file(file, s.scale.unwrap_or(1.0))?,
                    None => s.heights.clone(),
                };
                contact::HeightField::new(s.x, s.y, heights).into()
            }
        })
    }

    /// A profile, or what is wrong with it.
    fn made(&mut self, name: &str, span: &Span, profile: Result<Profile, String>) -> Option<Shape> {
        match profile {
            Ok(profile) => Some(profile.into()),
            Err(mistake) => self.problem(span, format!("shape '{name}': {mistake}"), "this shape"),
        }
    }

    /// Whether it is either in a file or given here.
    fn either(&mut self, name: &str, span: &Span, in_file: bool, given: bool, what: &str) -> Option<()> {
        if in_file == given {
            return self.problem(span, format!("shape '{name}' needs either {what}, or a file"), "this shape");
        }
        Some(())
    }

    fn mesh_file(&mut self, file: &Name, scale: Option<f64>) -> Option<(Vec<Vec3>, Vec<[usize; 3]>)> {
        match geometry::mesh::read(&self.base.join(&file.text), scale.unwrap_or(1.0)) {
            Ok(geometry::Shape::Mesh { vertices, triangles }) => {
                let triangles = triangles.iter().map(|t| t.map(|k| k as usize)).collect();
                Some((vertices.into_iter().map(Vec3::from).collect(), triangles))
            }
            Ok(_) => None,
            Err(error) => self.problem(&file.span, error.to_string(), "this file"),
        }
    }

    fn heights_file(&mut self, file: &Name, scale: f64) -> Option<Vec<Vec<f64>>> {
        let text = match std::fs::read_to_string(self.base.join(&file.text)) {
            Ok(text) => text,
            Err(error) => return self.problem(&file.span, format!("{} cannot be read: {error}", file.text), "this file"),
        };
        let mut rows = Vec::new();
        for (line, row) in (1..).zip(text.lines()).filter(|(_, row)| !row.trim().is_empty()) {
            let words = row.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
            match words.map(|word| word.parse::<f64>().map(|z| z * scale).map_err(|_| word)).collect::<Result<Vec<f64>, &str>>() {
                Ok(row) => rows.push(row),
                Err(word) => {
                    return self.problem(&file.span, format!("{}: line {line}: `{word}` is not a number", file.text), "this file");
                }
            }
        }
        Some(rows)
    }
}
