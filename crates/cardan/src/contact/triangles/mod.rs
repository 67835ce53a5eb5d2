//! Surfaces of triangles: their faces, edges and corners, and which of them is nearest.
//!
//! Triangles in one plane that share an edge are one face: the edge between them is none that could be felt. The signed distance is that of the
//! nearest feature; its sign is by the mean of the normals about it, weighted by angles for corners, which is right for closed surfaces.
//!
//! References: Ericson, Real-time collision detection, section 5.1.5; Bærentzen, Aanæs, IEEE Trans. Vis. Comput. Graph. 11 (2005),
//! doi:10.1109/TVCG.2005.49 (the sign).

mod hull;
mod tree;

pub use hull::hull_of;

use super::surface::Nearest;
use crate::math::{Mat3, Vec3};
use std::collections::HashMap;
use tree::Tree;

/// Normals that differ by less are those of one plane.
const FLAT: f64 = 1e-6;

/// Pairs of triangles that are looked at for the thickness, at most.
const TRIED: usize = 4_000_000;

/// A side of a triangle or of several in a plane: two corners, and the triangles beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub corners: [usize; 2],
    pub triangles: Vec<usize>,
    /// Whether it is within a plane face.
    pub flat: bool,
    /// The sum of the normals beside it.
    normal: Vec3,
}

/// A surface of triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Triangles {
    pub corners: Vec<Vec3>,
    pub triangles: Vec<[usize; 3]>,
    /// Outward normals, if corners are counter-clockwise seen from outside.
    pub normals: Vec<Vec3>,
    pub edges: Vec<Edge>,
    /// Edges of a triangle; the first leads from its first corner to its second.
    pub sides: Vec<[usize; 3]>,
    /// Sums of normals about corners, weighted by angles.
    corner_normals: Vec<Vec3>,
    /// Whether edges that are not flat end there.
    pub sharp_corners: Vec<bool>,
    /// One of the triangles about a corner.
    pub owners: Vec<usize>,
    /// The plane face of every triangle, by the first triangle in it.
    pub faces: Vec<usize>,
    tree: Tree,
}

/// What of a triangle is nearest: all of it, a side, a corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    Face,
    Edge(usize),
    Corner(usize),
}

/// A point's nearest point of a triangle or an edge.
#[derive(Debug, Clone, Copy)]
pub struct Foot {
    pub point: Vec3,
    pub feature: Feature,
}

impl Triangles {
    /// Of corners and triples of them; `None` without triangles that have an area.
    pub fn new(corners: Vec<Vec3>, all: &[[usize; 3]]) -> Option<Self> {
        let area = |t: &[usize; 3]| (corners[t[1]] - corners[t[0]]).cross(&(corners[t[2]] - corners[t[0]]));
        let triangles: Vec<[usize; 3]> =
            all.iter().filter(|t| t.iter().all(|k| *k < corners.len()) && area(t).norm() > 0.0).copied().collect();
        if triangles.is_empty() {
            return None;
        }
        let normals: Vec<Vec3> = triangles.iter().map(|t| area(t).normalize()).collect();
        let tree = Tree::new(&triangles.iter().map(|t| t.map(|k| corners[k])).collect::<Vec<_>>());
        let (edges, sides) = edges(&triangles, &normals);
        let corner_normals = corner_normals(&corners, &triangles, &normals);
        let mut sharp_corners = vec![false; corners.len()];
        edges.iter().filter(|e| !e.flat).flat_map(|e| e.corners).for_each(|k| sharp_corners[k] = true);
        let mut owners = vec![0; corners.len()];
        triangles.iter().enumerate().for_each(|(k, t)| t.iter().for_each(|c| owners[*c] = k));
        let faces = faces(triangles.len(), &edges);
        Some(Self { corners, triangles, normals, edges, sides, corner_normals, sharp_corners, owners, faces, tree })
    }

    /// What keeps it from having an inside: an edge with one triangle, more than two, or two that face in opposite directions.
    pub fn open_edge(&self) -> Option<&Edge> {
        self.edges.iter().find(|edge| match edge.triangles[..] {
            [a, b] => self.runs_along(a, edge) == self.runs_along(b, edge),
            _ => true,
        })
    }

    /// Whether the corners of an edge follow each other in a triangle.
    fn runs_along(&self, triangle: usize, edge: &Edge) -> bool {
        let t = &self.triangles[triangle];
        (0..3).any(|k| [t[k], t[(k + 1) % 3]] == edge.corners)
    }

    /// The enclosed volume.
    pub fn volume(&self) -> f64 {
        self.triangles.iter().map(|t| self.corners[t[0]].dot(&self.corners[t[1]].cross(&self.corners[t[2]])) / 6.0).sum()
    }

    /// The nearest point of a triangle.
    pub fn foot(&self, triangle: usize, x: &Vec3) -> Foot {
        let t = self.triangles[triangle];
        let n = &self.normals[triangle];
        let mut nearest: Option<(f64, Foot)> = None;
        for k in 0..3 {
            let outward = (self.corners[t[(k + 1) % 3]] - self.corners[t[k]]).cross(n);
            if outward.dot(&(x - self.corners[t[k]])) <= 0.0 {
                continue;
            }
            let foot = self.foot_on_edge(self.sides[triangle][k], x);
            let distance = (x - foot.point).norm_squared();
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, foot));
            }
        }
        nearest.map_or_else(|| Foot { point: x - n * n.dot(&(x - self.corners[t[0]])), feature: Feature::Face }, |(_, foot)| foot)
    }

    /// The nearest point of an edge.
    pub fn foot_on_edge(&self, edge: usize, x: &Vec3) -> Foot {
        let [a, b] = self.edges[edge].corners;
        let (from, along) = (self.corners[a], self.corners[b] - self.corners[a]);
        let part = along.dot(&(x - from)) / along.norm_squared();
        if part <= 0.0 {
            Foot { point: from, feature: Feature::Corner(a) }
        } else if part >= 1.0 {
            Foot { point: self.corners[b], feature: Feature::Corner(b) }
        } else {
            Foot { point: from + along * part, feature: Feature::Edge(edge) }
        }
    }

    /// Calls `each` with the triangles that may be within a distance of a point.
    pub fn near(&self, x: &Vec3, reach: f64, mut each: impl FnMut(usize)) {
        self.tree.near(x, reach, |k| {
            each(k);
            reach
        });
    }

    /// The distance, negative inside, with its derivatives.
    pub fn nearest(&self, x: &Vec3) -> Nearest {
        let (mut least, mut best) = (f64::INFINITY, (0, Foot { point: *x, feature: Feature::Face }));
        self.tree.near(x, f64::INFINITY, |k| {
            let foot = self.foot(k, x);
            let distance = (x - foot.point).norm();
            if distance < least {
                (least, best) = (distance, (k, foot));
            }
            least
        });
        let (triangle, foot) = best;
        let apart = x - foot.point;
        if foot.feature == Feature::Face {
            return Nearest::flat(self.normals[triangle].dot(&apart), self.normals[triangle]);
        }
        let outside = self.outward(foot.feature, triangle).dot(&apart) >= 0.0;
        let nearest = Nearest::rounded(&apart, 0.0, &self.free(foot.feature));
        if outside { nearest } else { nearest.inside_out() }
    }

    /// A direction that points outward from a feature.
    fn outward(&self, feature: Feature, triangle: usize) -> Vec3 {
        match feature {
            Feature::Face => self.normals[triangle],
            Feature::Edge(k) => self.edges[k].normal,
            Feature::Corner(k) => self.corner_normals[k],
        }
    }

    /// What projects on the directions in which the nearest point of a feature stays where it is.
    pub fn free(&self, feature: Feature) -> Mat3 {
        match feature {
            Feature::Face => Mat3::zeros(),
            Feature::Corner(_) => Mat3::identity(),
            Feature::Edge(k) => {
                let [a, b] = self.edges[k].corners;
                let along = (self.corners[b] - self.corners[a]).normalize();
                Mat3::identity() - along * along.transpose()
            }
        }
    }

    /// Half of the way through, from the middle of a triangle to the other side, where that is least.
    pub fn half_thickness(&self) -> f64 {
        let through = |k: usize| {
            let (n, start) = (-self.normals[k], self.triangles[k].iter().map(|c| self.corners[*c]).sum::<Vec3>() / 3.0);
            (0..self.triangles.len()).filter(|o| *o != k).filter_map(|other| self.crossing(other, &start, &n)).fold(f64::INFINITY, f64::min)
        };
        let stride = (self.triangles.len() * self.triangles.len()).div_ceil(TRIED);
        0.5 * (0..self.triangles.len()).step_by(stride).map(through).fold(f64::INFINITY, f64::min)
    }

    /// How far along a ray a triangle is.
    fn crossing(&self, triangle: usize, start: &Vec3, along: &Vec3) -> Option<f64> {
        let (t, n) = (self.triangles[triangle], &self.normals[triangle]);
        let slope = n.dot(along);
        let way = n.dot(&(self.corners[t[0]] - start)) / slope;
        let x = start + along * way;
        let inside = (0..3).all(|k| (self.corners[t[(k + 1) % 3]] - self.corners[t[k]]).cross(&(x - self.corners[t[k]])).dot(n) >= 0.0);
        (slope.abs() > FLAT && way > 0.0 && inside).then_some(way)
    }
}

/// Edges in the order in which triangles name them, and those of every triangle.
fn edges(triangles: &[[usize; 3]], normals: &[Vec3]) -> (Vec<Edge>, Vec<[usize; 3]>) {
    let (mut edges, mut known): (Vec<Edge>, HashMap<[usize; 2], usize>) = (Vec::new(), HashMap::new());
    let mut sides = Vec::with_capacity(triangles.len());
    for (k, t) in triangles.iter().enumerate() {
        sides.push([0, 1, 2].map(|side| {
            let [a, b] = [t[side], t[(side + 1) % 3]];
            let edge = *known.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                edges.push(Edge { corners: [a, b], triangles: Vec::new(), flat: false, normal: Vec3::zeros() });
                edges.len() - 1
            });
            edges[edge].triangles.push(k);
            edges[edge].normal += normals[k];
            edge
        }));
    }
    for edge in &mut edges {
        edge.flat = matches!(edge.triangles[..], [a, b] if (normals[a] - normals[b]).norm() < FLAT);
    }
    (edges, sides)
}

/// Triangles that are joined by flat edges, each with the first of them.
fn faces(count: usize, edges: &[Edge]) -> Vec<usize> {
    let mut first: Vec<usize> = (0..count).collect();
    let root = |first: &[usize], mut k: usize| {
        while first[k] != k {
            k = first[k];
        }
        k
    };
    for edge in edges.iter().filter(|edge| edge.flat) {
        let [a, b] = [root(&first, edge.triangles[0]), root(&first, edge.triangles[1])];
        first[a.max(b)] = a.min(b);
    }
    (0..count).map(|k| root(&first, k)).collect()
}

fn corner_normals(corners: &[Vec3], triangles: &[[usize; 3]], normals: &[Vec3]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::zeros(); corners.len()];
    for (t, n) in triangles.iter().zip(normals) {
        for k in 0..3 {
            let [here, next, last] = [k, k + 1, k + 2].map(|k| corners[t[k % 3]]);
            sums[t[k]] += n * (next - here).angle(&(last - here));
        }
    }
    sums
}
