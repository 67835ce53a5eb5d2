//! The convex hull of points: a tetrahedron to which one point after another is added; faces that a point sees give way to a fan from it to their
//! outline.

use super::Triangles;
use crate::math::Vec3;
use std::collections::HashSet;

/// Points closer to a face than this part of the size are on it.
const ON: f64 = 1e-10;

/// The convex hull; `None` if the points are all in a plane.
pub fn hull_of(points: &[Vec3]) -> Option<Triangles> {
    let size = points.iter().fold(0.0_f64, |size, x| size.max(x.amax()));
    let start = tetrahedron(points, ON * size)?;
    let mut faces = start;
    for (k, x) in points.iter().enumerate() {
        let (seen, kept): (Vec<[usize; 3]>, Vec<[usize; 3]>) = faces.iter().partition(|t| height(points, t, x) > ON * size);
        if seen.is_empty() {
            continue;
        }
        let sides: HashSet<[usize; 2]> = seen.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]).collect();
        let outline = seen.iter().flat_map(|t| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]]).filter(|[a, b]| !sides.contains(&[*b, *a]));
        faces = kept.into_iter().chain(outline.map(|[a, b]| [a, b, k])).collect();
    }
    let mut used: Vec<usize> = faces.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let place = |k: usize| used.binary_search(&k).unwrap_or(0);
    let triangles: Vec<[usize; 3]> = faces.iter().map(|t| t.map(place)).collect();
    Triangles::new(used.iter().map(|k| points[*k]).collect(), &triangles)
}

/// How far a point is above a face.
fn height(points: &[Vec3], t: &[usize; 3], x: &Vec3) -> f64 {
    let [a, b, c] = t.map(|k| points[k]);
    (b - a).cross(&(c - a)).try_normalize(0.0).map_or(0.0, |n| n.dot(&(x - a)))
}

/// Four points that are not in a plane, the first ones far apart.
fn tetrahedron(points: &[Vec3], on: f64) -> Option<Vec<[usize; 3]>> {
    let farthest = |measure: &dyn Fn(&Vec3) -> f64| {
        let best = (0..points.len()).max_by(|i, j| measure(&points[*i]).total_cmp(&measure(&points[*j])))?;
        (measure(&points[best]) > on).then_some(best)
    };
    let a = 0;
    let origin = *points.first()?;
    let b = farthest(&|x| (x - origin).norm())?;
    let along = (points[b] - origin).normalize();
    let c = farthest(&|x| (x - origin).cross(&along).norm())?;
    let normal = along.cross(&(points[c] - origin)).normalize();
    let d = farthest(&|x| (x - origin).dot(&normal).abs())?;
    let [b, c] = if (points[d] - origin).dot(&normal) > 0.0 { [c, b] } else { [b, c] };
    Some(vec![[a, b, c], [a, c, d], [c, b, d], [b, a, d]])
}
