//! The lowest points of ellipsoids above a half space, and of flat circles (the ends of a cylinder, the middle of a disk or a torus), which are felt as
//! ellipsoids of half thickness ε R: upright they roll on their edge, flat they stand as on a bottom that is slightly round. With A = R diag(a²) Rᵀ,
//! the centre at c from the origin of marker a and a round edge of radius ρ,
//!
//! ```text
//! r = c − A n/s − ρ n,    s = √(nᵀ A n)                                                                         (1)
//! δr = δψ × c − (δψ × A n − A (δψ × n))/s + A n (δψ·(A n × n))/s³                                                (2)
//! ```

use crate::contact::shapes::Shape;
use crate::contact::touch::{Relative, Slopes, Touch};
use crate::math::{Mat3, Vec3, skew};

/// ε.
const ROUNDING: f64 = 0.002;

/// An ellipsoid at a height on the z axis of marker a, with a round edge.
struct Round {
    height: f64,
    semi_axes: Vec3,
    edge: f64,
}

impl Round {
    fn circle(height: f64, radius: f64, edge: f64) -> Self {
        Self { height, semi_axes: Vec3::new(radius, radius, ROUNDING * radius), edge }
    }

    fn touch(&self, at: &Relative) -> Touch {
        let n = at.b.r.column(2).into_owned();
        let centre = at.a.r.column(2) * self.height;
        let squares = Mat3::from_diagonal(&self.semi_axes.component_mul(&self.semi_axes));
        let matrix = at.a.r * squares * at.a.r.transpose();
        let image = matrix * n;
        let s = n.dot(&image).sqrt();
        let lowest = centre - image / s - n * self.edge;
        let gap = n.dot(&(at.a.p + lowest - at.b.p));
        let slide = (skew(&image) - matrix * skew(&n)) / s + image * image.cross(&n).transpose() / (s * s * s);
        let half = n * n.transpose() * 0.5;
        // Halfway between the surfaces.
        let slopes = Slopes { normal: [Mat3::zeros(); 2], arm: [-half, slide - skew(&centre) + half * skew(&lowest)] };
        Touch::given(gap, n, lowest - n * (0.5 * gap), slopes)
    }
}

/// The touches of shape a with the half space b.
pub fn touches(a: &Shape, at: &Relative, each: &mut impl FnMut(Touch)) {
    match a {
        Shape::Ellipsoid(s) => each(Round { height: 0.0, semi_axes: s.semi_axes, edge: 0.0 }.touch(at)),
        Shape::Cylinder(s) => [-0.5, 0.5].iter().for_each(|end| each(Round::circle(end * s.length, s.radius, 0.0).touch(at))),
        Shape::Disk(s) => each(Round::circle(0.0, s.radius - s.edge, s.edge).touch(at)),
        Shape::Torus(s) => each(Round::circle(0.0, s.radius, s.tube).touch(at)),
        _ => {}
    }
}
