//! Balls on surfaces of triangles: of every face, edge and corner that is near the centre, the depth of the nearest point is
//!
//! ```text
//! p = R − D,     δ = p Π f(p_e/p),     f(s) = 1 − max(0, s)²                                                   (1)
//! ```
//!
//! with the depths p_e of what bounds it: the edges of a face, the corners of an edge. So a ball in a groove has two touches, one that leaves a face over
//! an edge goes on to the edge without a jump, and within a plane face nothing is felt of how it is divided.

use crate::contact::shapes::{Shape, Solid};
use crate::contact::surface::Nearest;
use crate::contact::touch::{Relative, Touch};
use crate::contact::triangles::{Feature, Foot, Triangles};
use crate::math::taylor::Moving;
use crate::math::{Number, Taylor, TaylorVec3, Vec3};

/// A ball, and where its centre is: from the origin of a in world axes, and in the frame of b.
struct Ball<'x> {
    offset: Vec3,
    radius: f64,
    centre: Vec3,
    at: &'x Relative<'x>,
}

/// The touches of the balls of a with the triangles of b: those that carry, or one that tells how far it is.
pub fn touches(a: &Shape, b: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    let (surface, solid) = match b {
        Shape::Mesh(mesh) => (mesh.surface(), false),
        Shape::Hull(hull) => (hull.surface(), true),
        _ => (None, false),
    };
    let Some(surface) = surface else { return };
    super::balls::each(a, |offset, radius| {
        let offset = at.a.r * offset;
        let ball = Ball { offset, radius, centre: at.seen_from_b(&offset), at };
        let nearest = b.nearest(&ball.centre);
        let inside = solid && nearest.distance <= 0.0;
        if radius == 0.0 || inside || nearest.distance.abs() >= radius {
            let nearest = if radius > 0.0 && !solid && nearest.distance < 0.0 { nearest.inside_out() } else { nearest };
            return each(Touch::of_ball(offset, radius, &nearest.turned(&at.b.r)));
        }
        ball.features(surface, each);
    });
}

impl Ball<'_> {
    fn features(&self, surface: &Triangles, each: &mut impl FnMut(Touch)) {
        surface.near(&self.centre, self.radius, |k| {
            let foot = surface.foot(k, &self.centre);
            if foot.feature == Feature::Face {
                self.feature(surface, &foot, |part| self.sides_of_face(surface, surface.faces[k], part), each);
            }
            for edge in surface.sides[k].into_iter().filter(|e| surface.edges[*e].triangles[0] == k && !surface.edges[*e].flat) {
                let foot = surface.foot_on_edge(edge, &self.centre);
                if matches!(foot.feature, Feature::Edge(_)) {
                    self.feature(
                        surface,
                        &foot,
                        |part| surface.edges[edge].corners.into_iter().for_each(|c| part(corner(surface, c))),
                        each,
                    );
                }
            }
            for c in surface.triangles[k].into_iter().filter(|c| surface.owners[*c] == k && surface.sharp_corners[*c]) {
                self.feature(surface, &corner(surface, c), |_| {}, each);
            }
        });
    }

    /// Edges, near the ball, of a plane face.
    fn sides_of_face(&self, surface: &Triangles, face: usize, part: &mut dyn FnMut(Foot)) {
        surface.near(&self.centre, self.radius, |k| {
            if surface.faces[k] != face {
                return;
            }
            surface.sides[k].into_iter().filter(|e| !surface.edges[*e].flat).for_each(|e| part(surface.foot_on_edge(e, &self.centre)));
        });
    }

    /// (1).
    fn feature(&self, surface: &Triangles, foot: &Foot, borders: impl Fn(&mut dyn FnMut(Foot)), each: &mut impl FnMut(Touch)) {
        let depth = self.depth(foot);
        if depth <= 0.0 {
            return;
        }
        let (mut own, mut fades) = (depth, false);
        borders(&mut |border| {
            let part = (self.depth(&border) / depth).clamp(0.0, 1.0);
            fades |= part > 0.0;
            own *= 1.0 - part * part;
        });
        if own <= 0.0 {
            return;
        }
        let whole = Touch::of_ball(self.offset, self.radius, &self.nearest(surface, foot).turned(&self.at.b.r));
        if !fades {
            return each(whole);
        }
        let centre = Taylor::carried(&Vec3::zeros(), &self.offset);
        let depth = self.varying(surface, foot, &centre);
        let mut own = depth;
        borders(&mut |border| {
            if self.depth(&border) > 0.0 {
                let part = self.varying(surface, &border, &centre) / depth;
                own *= Taylor::constant(1.0) - part * part;
            }
        });
        each(whole.with_gap(&-own));
    }

    fn depth(&self, foot: &Foot) -> f64 {
        self.radius - (self.centre - foot.point).norm()
    }

    /// The distance of a foot, on whatever side.
    fn nearest(&self, surface: &Triangles, foot: &Foot) -> Nearest {
        let apart = self.centre - foot.point;
        if foot.feature == Feature::Face {
            let distance = apart.norm();
            return Nearest::flat(distance, apart / distance.max(f64::MIN_POSITIVE));
        }
        Nearest::rounded(&apart, 0.0, &surface.free(foot.feature))
    }

    /// The depth of a foot as the centre moves.
    fn varying(&self, surface: &Triangles, foot: &Foot, centre: &TaylorVec3) -> Taylor {
        let Nearest { distance, normal, bend } = self.nearest(surface, foot).turned(&self.at.b.r);
        let mut depth = Taylor::constant(self.radius - distance);
        for k in 0..3 {
            depth.g -= centre[k].g * normal[k];
            depth.h -= centre[k].h * normal[k];
            for l in 0..3 {
                depth.h -= centre[k].g * centre[l].g.transpose() * bend[(k, l)];
            }
        }
        depth
    }
}

fn corner(surface: &Triangles, k: usize) -> Foot {
    Foot { point: surface.corners[k], feature: Feature::Corner(k) }
}
