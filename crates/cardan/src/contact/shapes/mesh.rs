//! A surface of triangles.

use super::Solid;
use crate::contact::surface::Nearest;
use crate::contact::triangles::Triangles;
use crate::math::Vec3;
use std::sync::Arc;

/// Triangles, counter-clockwise seen from outside. Balls are felt on both sides of it; points are pushed out of what it encloses.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    corners: Vec<Vec3>,
    triangles: Vec<[usize; 3]>,
    surface: Option<Arc<Triangles>>,
    /// How deep points may be in it.
    depth: f64,
}

impl Mesh {
    /// Of corners, m, and triples of them.
    pub fn new(corners: Vec<Vec3>, triangles: Vec<[usize; 3]>) -> Self {
        let finite = corners.iter().flat_map(|x| x.iter()).all(|x| x.is_finite());
        let surface = if finite { Triangles::new(corners.clone(), &triangles).map(Arc::new) } else { None };
        let depth = surface.as_ref().filter(|s| s.open_edge().is_none()).map_or(0.0, |s| s.half_thickness());
        Self { corners, triangles, surface, depth: if depth.is_finite() { depth } else { 0.0 } }
    }

    /// Its corners, m.
    pub fn corners(&self) -> &[Vec3] {
        &self.corners
    }

    /// Its triangles.
    pub fn triangles(&self) -> &[[usize; 3]] {
        &self.triangles
    }

    pub(in crate::contact) fn surface(&self) -> Option<&Triangles> {
        self.surface.as_deref()
    }

    /// Why it has no inside, if so.
    pub fn open(&self) -> Option<String> {
        let surface = self.surface()?;
        if let Some(edge) = surface.open_edge() {
            let [a, b] = edge.corners.map(|k| surface.corners[k]);
            let why = match edge.triangles.len() {
                1 => "has a triangle on one side only".to_string(),
                2 => "lies between triangles that face in opposite directions".to_string(),
                n => format!("belongs to {n} triangles"),
            };
            return Some(format!("the edge from ({:.6}, {:.6}, {:.6}) to ({:.6}, {:.6}, {:.6}) {why}", a.x, a.y, a.z, b.x, b.y, b.z));
        }
        (surface.volume() <= 0.0).then(|| "its triangles face inward".to_string())
    }
}

impl Solid for Mesh {
    fn nearest(&self, x: &Vec3) -> Nearest {
        self.surface().map_or(Nearest::flat(f64::INFINITY, Vec3::z()), |surface| surface.nearest(x))
    }
    fn reach(&self) -> f64 {
        self.corners.iter().fold(0.0, |reach, x| reach.max(x.norm()))
    }
    fn depth(&self) -> f64 {
        self.depth
    }
    fn size(&self) -> Option<f64> {
        Some(self.reach())
    }
    fn mistake(&self) -> Option<String> {
        if self.corners.iter().flat_map(|x| x.iter()).any(|x| !x.is_finite()) {
            return Some("its corners must be finite".into());
        }
        if let Some(t) = self.triangles.iter().find(|t| t.iter().any(|k| *k >= self.corners.len())) {
            return Some(format!("a triangle names corner {}, there are {}, counted from 0", t.iter().max()?, self.corners.len()));
        }
        self.surface.is_none().then(|| "it has no triangle with an area".into())
    }
}
