//! The convex hull of points.

use super::Solid;
use crate::contact::surface::Nearest;
use crate::contact::triangles::{Triangles, hull_of};
use crate::math::Vec3;
use std::sync::Arc;

/// The smallest convex solid that holds given points.
#[derive(Debug, Clone, PartialEq)]
pub struct Hull {
    points: Vec<Vec3>,
    solid: Option<Arc<Facets>>,
}

/// Its surface, and its plane faces.
#[derive(Debug, PartialEq)]
pub struct Facets {
    pub surface: Triangles,
    pub faces: Vec<Facet>,
    /// Edges between faces.
    pub edges: Vec<[usize; 2]>,
}

/// A plane face: its normal and distance from the origin, and the same of its sides.
#[derive(Debug, PartialEq)]
pub struct Facet {
    pub plane: (Vec3, f64),
    pub sides: Vec<(Vec3, f64)>,
}

impl Hull {
    /// Of these points, m.
    pub fn new(points: Vec<Vec3>) -> Self {
        let finite = points.iter().flat_map(|x| x.iter()).all(|x| x.is_finite());
        let surface = if finite { hull_of(&points) } else { None };
        Self { points, solid: surface.map(|surface| Arc::new(facets(surface))) }
    }

    /// The points it was made of, m.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    pub(in crate::contact) fn facets(&self) -> Option<&Facets> {
        self.solid.as_deref()
    }

    pub(in crate::contact) fn surface(&self) -> Option<&Triangles> {
        self.facets().map(|facets| &facets.surface)
    }
}

fn facets(surface: Triangles) -> Facets {
    let corner = |k: usize| surface.corners[k];
    let sharp = || surface.edges.iter().filter(|edge| !edge.flat);
    let face = |first: usize| {
        let n = surface.normals[first];
        let of_face = |edge: &&super::super::triangles::Edge| edge.triangles.iter().any(|k| surface.faces[*k] == first);
        let sides = sharp().filter(of_face).map(|edge| {
            let [a, b] = edge.corners.map(corner);
            let out = (b - a).cross(&n).normalize();
            let offset = out.dot(&a);
            // Away from the middle of the face.
            let middle = surface.triangles[first].iter().map(|k| corner(*k)).sum::<Vec3>() / 3.0;
            if out.dot(&middle) > offset { (-out, -offset) } else { (out, offset) }
        });
        Facet { plane: (n, n.dot(&corner(surface.triangles[first][0]))), sides: sides.collect() }
    };
    let faces = (0..surface.triangles.len()).filter(|k| surface.faces[*k] == *k).map(face).collect();
    let edges = sharp().map(|edge| edge.corners).collect();
    Facets { surface, faces, edges }
}

impl Solid for Hull {
    fn nearest(&self, x: &Vec3) -> Nearest {
        self.surface().map_or(Nearest::flat(f64::INFINITY, Vec3::z()), |surface| surface.nearest(x))
    }
    fn reach(&self) -> f64 {
        self.points.iter().fold(0.0, |reach, x| reach.max(x.norm()))
    }
    fn depth(&self) -> f64 {
        let Some(facets) = self.facets() else { return 0.0 };
        let width = |f: &Facet| f.plane.1 - self.points.iter().fold(f64::INFINITY, |low, x| low.min(f.plane.0.dot(x)));
        0.5 * facets.faces.iter().map(width).fold(f64::INFINITY, f64::min)
    }
    fn size(&self) -> Option<f64> {
        Some(self.depth())
    }
    fn mistake(&self) -> Option<String> {
        if self.points.iter().flat_map(|x| x.iter()).any(|x| !x.is_finite()) {
            return Some("its points must be finite".into());
        }
        let missing = self.solid.is_none();
        missing.then(|| format!("it needs at least four points that are not in a plane, of {} none are", self.points.len()))
    }
}
