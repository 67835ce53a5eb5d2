//! Two solids with flat faces: corners that are below a face of the other, and edges that cross. Each has a depth p_i along the normal n of the face, or
//! along that across both edges, and a place inside of the sides of the face, or between the ends of the edges, by the distances s. With P(n) the
//! way along n by which both as a whole would have to be moved apart,
//!
//! ```text
//! P(n)⁸ = Σ max(0, n·(y − x))⁸,     P* = P_f s(P_e/P_f),     s(x) = x + (1 − x) φ(3 x − 1)                     (1)
//! δ_i = p_i Π φ(x₀ + s/2m) φ(3 P*/P(n) − 1),     φ rises from 0 at 0 to 1 at 1,     φ(x₀)² = ½                  (2)
//! ```
//!
//! over all corners y of b and x of a: about the largest of these, but smooth, also where several are equal as between sides that are about
//! parallel. P_f is the least over all normals of faces and P_e that over those of pairs of edges: P* is P_e where that is a third of P_f or
//! less, and P_f where it is two thirds or more, since the normal of two edges that are about parallel turns by anything. Along n the solids are
//! apart if the largest n·(y − x) is negative: then nothing is felt, whatever is beside whatever. Of several ways out, those much longer than
//! the shortest do not count. What leaves a face over its edge fades over a narrow margin m on both sides of it while the crossing of the edges
//! grows. By the choice of x₀ solids with flush sides, where corners and crossings are in the same places, are as stiff as with four corners
//! inside. Edges that are parallel but for one degree do not cross.
//!
//! Reference: Gottschalk, Lin, Manocha, OBBTree, SIGGRAPH (1996), doi:10.1145/237170.237244 (the directions of (1)).

use crate::contact::shapes::{Cuboid, Facets, Shape, Solid};
use crate::contact::touch::{Relative, Touch};
use crate::math::taylor::Moving;
use crate::math::{Mat3, Number, Taylor, Vec3};
use nalgebra::Vector3;

/// m by the smaller of the half thicknesses.
const MARGIN: f64 = 0.02;
/// x₀ of (2).
const FLUSH: f64 = 0.614_385;
/// Squared sines between edges from which on they begin to cross, and fully do.
const PARALLEL: [f64; 2] = [4e-4, 36e-4];
/// Squared sines below this have no direction across.
const NONE: f64 = 1e-18;

/// A convex solid with flat faces, in its own frame.
pub trait Outline {
    fn corners(&self) -> usize;
    fn corner(&self, k: usize) -> Vec3;
    fn faces(&self) -> usize;
    /// The outward normal of a face and how far it is from the origin.
    fn face(&self, k: usize) -> (Vec3, f64);
    fn sides(&self, face: usize) -> usize;
    /// The normal, in the face and outward, of one of its sides, and how far that is from the origin.
    fn side(&self, face: usize, k: usize) -> (Vec3, f64);
    fn edges(&self) -> usize;
    /// The corners at both ends.
    fn edge(&self, k: usize) -> [usize; 2];
    /// Edges of which no two are known to be parallel.
    fn spans(&self) -> usize;
    fn span(&self, k: usize) -> usize;
}

impl Outline for Cuboid {
    fn corners(&self) -> usize {
        8
    }
    fn corner(&self, k: usize) -> Vec3 {
        Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { -0.5 } else { 0.5 } * self.size[axis])
    }
    fn faces(&self) -> usize {
        6
    }
    fn face(&self, k: usize) -> (Vec3, f64) {
        let side = if k & 1 == 0 { -1.0 } else { 1.0 };
        (Vec3::ith(k / 2, side), 0.5 * self.size[k / 2])
    }
    fn sides(&self, _: usize) -> usize {
        4
    }
    fn side(&self, face: usize, k: usize) -> (Vec3, f64) {
        let axis = (face / 2 + 1 + k / 2) % 3;
        self.face(2 * axis + (k & 1))
    }
    fn edges(&self) -> usize {
        12
    }
    fn edge(&self, k: usize) -> [usize; 2] {
        let axis = k / 4;
        let start = (k & 1) << ((axis + 1) % 3) | (k >> 1 & 1) << ((axis + 2) % 3);
        [start, start | 1 << axis]
    }
    fn spans(&self) -> usize {
        3
    }
    fn span(&self, k: usize) -> usize {
        4 * k
    }
}

impl Outline for Facets {
    fn corners(&self) -> usize {
        self.surface.corners.len()
    }
    fn corner(&self, k: usize) -> Vec3 {
        self.surface.corners[k]
    }
    fn faces(&self) -> usize {
        self.faces.len()
    }
    fn face(&self, k: usize) -> (Vec3, f64) {
        self.faces[k].plane
    }
    fn sides(&self, face: usize) -> usize {
        self.faces[face].sides.len()
    }
    fn side(&self, face: usize, k: usize) -> (Vec3, f64) {
        self.faces[face].sides[k]
    }
    fn edges(&self) -> usize {
        self.edges.len()
    }
    fn edge(&self, k: usize) -> [usize; 2] {
        self.edges[k]
    }
    fn spans(&self) -> usize {
        self.edges.len()
    }
    fn span(&self, k: usize) -> usize {
        k
    }
}

/// The touches of two solids with flat faces: those that carry, or one that tells how far they are apart.
pub fn touches(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    let (margin, p) = (MARGIN * a.depth().min(b.depth()), at.a.p - at.b.p);
    match (a, b) {
        (Shape::Cuboid(a), Shape::Cuboid(b)) => Bodies { a, b, at, p, margin }.touches(each),
        (Shape::Hull(a), Shape::Cuboid(b)) => a.facets().into_iter().for_each(|a| Bodies { a, b, at, p, margin }.touches(each)),
        (Shape::Hull(a), Shape::Hull(b)) => {
            if let (Some(a), Some(b)) = (a.facets(), b.facets()) {
                Bodies { a, b, at, p, margin }.touches(each);
            }
        }
        _ => {}
    }
}

/// A direction along which the solids could be moved apart.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// The normal of a face of b.
    FaceOfB(usize),
    /// That of a face of a, reversed.
    FaceOfA(usize),
    /// Across an edge of a and one of b, with this sign.
    Edges([usize; 2], f64),
}

/// The shortest ways apart along normals of faces, and of pairs of edges that are not parallel, with their lengths.
#[derive(Debug, Clone, Copy)]
struct Least {
    face: (Way, f64),
    edges: Option<(Way, f64)>,
    /// P_f and P*, once they overlap.
    of_face: f64,
    reference: f64,
}

struct Bodies<'x, A, B> {
    a: &'x A,
    b: &'x B,
    at: &'x Relative<'x>,
    /// From the origin of b to that of a.
    p: Vec3,
    margin: f64,
}

/// An edge: its middle, direction and half length.
struct Edge<T: Number> {
    middle: Vector3<T>,
    along: Vector3<T>,
    half: f64,
}

/// p_i, the product of what fades, and the contact point from the origin of a.
struct Place<T: Number> {
    depth: T,
    part: T,
    arm: Vector3<T>,
}

impl<A: Outline, B: Outline> Bodies<'_, A, B> {
    fn touches(&self, each: &mut impl FnMut(Touch)) {
        let Some(mut least) = self.least() else { return };
        let depth = least.edges.map_or(least.face.1, |edges| edges.1.min(least.face.1));
        if depth <= 0.0 {
            return each(Touch::apart(-depth));
        }
        (least.of_face, least.reference) = (self.smooth(least.face), self.reference(&least));
        let mut none = true;
        self.places(|way, place| {
            let near = self.place::<f64>(way, place);
            if near.depth > 0.0 && near.part > 0.0 && self.own(&near, self.weight::<f64>(way, &least)) > 0.0 {
                none = false;
                let place = self.place::<Taylor>(way, place);
                each(Touch::of_gap(&-self.own(&place, self.weight(way, &least)), &place.arm));
            }
        });
        if none {
            each(Touch::apart(0.0));
        }
    }

    /// (2).
    fn own<T: Number>(&self, place: &Place<T>, weight: T) -> T {
        if place.depth.value() > 0.0 { place.depth * place.part * weight } else { T::zero() }
    }

    /// The shortest ways apart.
    fn least(&self) -> Option<Least> {
        let faces = (0..self.b.faces()).map(Way::FaceOfB).chain((0..self.a.faces()).map(Way::FaceOfA));
        let spans = (0..self.a.spans()).flat_map(|i| (0..self.b.spans()).map(move |j| [self.a.span(i), self.b.span(j)]));
        let edges = spans.filter(|pair| self.sine(*pair) > NONE).flat_map(|pair| [Way::Edges(pair, 1.0), Way::Edges(pair, -1.0)]);
        Some(Least { face: self.shortest(faces)?, edges: self.shortest(edges), of_face: 0.0, reference: 0.0 })
    }

    fn shortest(&self, ways: impl Iterator<Item = Way>) -> Option<(Way, f64)> {
        ways.map(|way| (way, self.way_apart::<f64>(way))).min_by(|x, y| x.1.total_cmp(&y.1))
    }

    /// P (1), where the largest term is this.
    fn smooth<T: Moving>(&self, (way, largest): (Way, f64)) -> T {
        let n = self.normal::<T>(way) * T::constant(1.0 / largest);
        let value = n.map(Number::value);
        let (down, up) = (self.at.a.r.tr_mul(&value), self.at.b.r.tr_mul(&value));
        let mut sum = T::zero();
        for x in (0..self.a.corners()).map(|k| self.a.corner(k)) {
            let height = value.dot(&self.p) + down.dot(&x);
            for y in (0..self.b.corners()).map(|k| self.b.corner(k)).filter(|y| up.dot(y) > height) {
                let d = n.dot(&(T::fixed(&(self.at.b.r * y)) - T::carried(&self.p, &(self.at.a.r * x))));
                let square = d * d;
                let fourth = square * square;
                sum += fourth * fourth;
            }
        }
        Number::sqrt(Number::sqrt(Number::sqrt(sum))) * T::constant(largest)
    }

    /// P* (1).
    fn reference<T: Moving>(&self, least: &Least) -> T {
        let face = self.smooth::<T>(least.face);
        let Some(shortest) = least.edges else { return face };
        let x = self.smooth::<f64>(shortest) / face.value();
        if x >= 2.0 / 3.0 {
            return face;
        }
        let edges = self.smooth::<T>(shortest);
        edges + (face - edges) * rise(edges / face * T::constant(3.0) - T::one())
    }

    /// Calls `each` with the corners and crossings that may carry: a way, and which corner.
    fn places(&self, mut each: impl FnMut(Way, usize)) {
        let seen = Seen { turn: self.at.b.r.tr_mul(&self.at.a.r), shift: self.at.b.r.tr_mul(&self.p) };
        for i in 0..self.a.corners() {
            let x = seen.to_b(&self.a.corner(i));
            (0..self.b.faces()).filter(|k| below(self.b.face(*k), &x)).for_each(|k| each(Way::FaceOfB(k), i));
        }
        for i in 0..self.b.corners() {
            let y = seen.to_a(&self.b.corner(i));
            (0..self.a.faces()).filter(|k| below(self.a.face(*k), &y)).for_each(|k| each(Way::FaceOfA(k), i));
        }
        for i in 0..self.a.edges() {
            let own = self.a.edge(i).map(|k| seen.to_b(&self.a.corner(k)));
            for j in 0..self.b.edges() {
                if crosses(&own, &self.b.edge(j).map(|k| self.b.corner(k)), 2.0 * self.margin) {
                    let above = self.place::<f64>(Way::Edges([i, j], 1.0), 0).depth;
                    each(Way::Edges([i, j], if above > 0.0 { 1.0 } else { -1.0 }), 0);
                }
            }
        }
    }

    fn edge_of_a<T: Moving>(&self, k: usize) -> Edge<T> {
        let [start, end] = self.a.edge(k).map(|k| self.at.a.r * self.a.corner(k));
        let along = end - start;
        let length = along.norm();
        Edge { middle: T::carried(&self.p, &(0.5 * (start + end))), along: T::turning(&(along / length)), half: 0.5 * length }
    }

    fn edge_of_b<T: Moving>(&self, k: usize) -> Edge<T> {
        let [start, end] = self.b.edge(k).map(|k| self.at.b.r * self.b.corner(k));
        let along = end - start;
        let length = along.norm();
        Edge { middle: T::fixed(&(0.5 * (start + end))), along: T::fixed(&(along / length)), half: 0.5 * length }
    }

    /// The squared sine between two edges.
    fn sine(&self, [i, j]: [usize; 2]) -> f64 {
        self.edge_of_a::<f64>(i).along.cross(&self.edge_of_b::<f64>(j).along).norm_squared()
    }

    fn normal<T: Moving>(&self, way: Way) -> Vector3<T> {
        match way {
            Way::FaceOfB(k) => T::fixed(&(self.at.b.r * self.b.face(k).0)),
            Way::FaceOfA(k) => -T::turning(&(self.at.a.r * self.a.face(k).0)),
            Way::Edges([i, j], sign) => {
                let across = self.edge_of_a::<T>(i).along.cross(&self.edge_of_b::<T>(j).along);
                let size = Number::sqrt(across.dot(&across));
                across * (T::constant(sign) / size)
            }
        }
    }

    /// The largest term of (1).
    fn way_apart<T: Moving>(&self, way: Way) -> T {
        let n = self.normal::<T>(way);
        let value = n.map(Number::value);
        let (down, up) = (-self.at.a.r.tr_mul(&value), self.at.b.r.tr_mul(&value));
        let x = farthest((0..self.a.corners()).map(|k| self.a.corner(k)), &down);
        let y = farthest((0..self.b.corners()).map(|k| self.b.corner(k)), &up);
        n.dot(&(T::fixed(&(self.at.b.r * y)) - T::carried(&self.p, &(self.at.a.r * x))))
    }

    /// The last factor of (2).
    fn weight<T: Moving>(&self, way: Way, least: &Least) -> T {
        let own = (way, self.way_apart::<f64>(way));
        let ratio = least.reference / if way == least.face.0 { least.of_face } else { self.smooth::<f64>(own) };
        if ratio >= 2.0 / 3.0 {
            return T::one();
        }
        if ratio <= 1.0 / 3.0 {
            return T::zero();
        }
        rise(self.reference::<T>(least) / self.smooth::<T>(own) * T::constant(3.0) - T::one())
    }

    fn place<T: Moving>(&self, way: Way, corner: usize) -> Place<T> {
        match way {
            Way::FaceOfB(k) => {
                let arm = self.at.a.r * self.a.corner(corner);
                let x = T::carried(&self.p, &arm);
                let below = |(n, offset): (Vec3, f64)| T::constant(offset) - T::fixed(&(self.at.b.r * n)).dot(&x);
                let depth = below(self.b.face(k));
                let part = self.inside((0..self.b.sides(k)).map(|side| below(self.b.side(k, side))));
                Place { depth, part, arm: T::turning(&arm) + self.normal::<T>(way) * (depth * T::constant(0.5)) }
            }
            Way::FaceOfA(k) => {
                let y = T::fixed(&(self.at.b.r * self.b.corner(corner))) - T::carried(&self.p, &Vec3::zeros());
                let below = |(n, offset): (Vec3, f64)| T::constant(offset) - T::turning(&(self.at.a.r * n)).dot(&y);
                let depth = below(self.a.face(k));
                let part = self.inside((0..self.a.sides(k)).map(|side| below(self.a.side(k, side))));
                Place { depth, part, arm: y - self.normal::<T>(way) * (depth * T::constant(0.5)) }
            }
            Way::Edges(pair, _) => self.crossing(way, pair),
        }
    }

    fn crossing<T: Moving>(&self, way: Way, [i, j]: [usize; 2]) -> Place<T> {
        let (a, b, n) = (self.edge_of_a::<T>(i), self.edge_of_b::<T>(j), self.normal::<T>(way));
        let (w, d) = (a.middle - b.middle, a.along.cross(&b.along));
        let sine = d.dot(&d);
        let [s, t] = [&b.along, &a.along].map(|other| -w.dot(&other.cross(&d)) / sine);
        let ends = [(s, a.half), (-s, a.half), (t, b.half), (-t, b.half)];
        let inside = self.inside(ends.into_iter().map(|(along, half)| T::constant(half) - along));
        let parallel = rise((sine - T::constant(PARALLEL[0])) * T::constant(1.0 / (PARALLEL[1] - PARALLEL[0])));
        let depth = -n.dot(&w);
        let origin = T::carried(&self.p, &Vec3::zeros());
        Place { depth, part: inside * parallel, arm: a.middle - origin + a.along * s + n * (depth * T::constant(0.5)) }
    }

    /// The product of φ in (2) for these distances.
    fn inside<T: Number>(&self, distances: impl Iterator<Item = T>) -> T {
        let part = |s: T| rise(s * T::constant(0.5 / self.margin) + T::constant(FLUSH));
        distances.fold(T::one(), |product, s| if product.value() > 0.0 { product * part(s) } else { product })
    }
}

/// From the axes of one solid to those of the other.
struct Seen {
    turn: Mat3,
    shift: Vec3,
}

impl Seen {
    /// A point in the axes of a, in those of b.
    fn to_b(&self, x: &Vec3) -> Vec3 {
        self.shift + self.turn * x
    }
    /// A point in the axes of b, in those of a.
    fn to_a(&self, y: &Vec3) -> Vec3 {
        self.turn.tr_mul(&(y - self.shift))
    }
}

/// Whether a point is below a face.
fn below((n, offset): (Vec3, f64), x: &Vec3) -> bool {
    n.dot(x) < offset
}

/// Whether two edges, by their ends, cross as (2) sees it, or beyond their ends by no more than this margin.
fn crosses(a: &[Vec3; 2], b: &[Vec3; 2], margin: f64) -> bool {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (d, of_a, of_b) = (u.cross(&v), u.norm_squared(), v.norm_squared());
    let size = d.norm_squared();
    // Along both, from 0 to 1.
    let [s, t] = [&v, &u].map(|other| -w.dot(&other.cross(&d)) / size);
    let within = |s: f64, square: f64| (s - 0.5).abs() <= 0.5 + margin / square.sqrt();
    size > PARALLEL[0] * of_a * of_b && within(s, of_a) && within(t, of_b)
}

/// φ of (2), with continuous second derivatives.
fn rise<T: Number>(x: T) -> T {
    if x.value() <= 0.0 {
        return T::zero();
    }
    if x.value() >= 1.0 {
        return T::one();
    }
    x * x * x * (x * (x * T::constant(6.0) - T::constant(15.0)) + T::constant(10.0))
}

fn farthest(points: impl Iterator<Item = Vec3>, along: &Vec3) -> Vec3 {
    points.max_by(|x, y| x.dot(along).total_cmp(&y.dot(along))).unwrap_or_default()
}
