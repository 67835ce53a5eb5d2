//! The lowest points of ellipsoids above a half space, and of flat circles (the ends of a cylinder, the middle of a disk or a torus), which are felt as
//! ellipsoids of half thickness ε R: upright they roll on their edge, flat they stand as on a bottom that is slightly round. Those of a cylinder are that
//! much within it, so that it stands as high as it is long. With A = R diag(a²) Rᵀ,
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
#[derive(Debug, Clone, Copy)]
pub struct Round {
    pub height: f64,
    pub semi_axes: Vec3,
    pub edge: f64,
}

impl Round {
    /// A ball about the origin.
    pub fn point(edge: f64) -> Self {
        Self { height: 0.0, semi_axes: Vec3::zeros(), edge }
    }

    /// Calls `each` with those of a shape.
    pub fn each(shape: &Shape, mut each: impl FnMut(Self)) {
        match shape {
            Shape::Ellipsoid(s) => each(Self { height: 0.0, semi_axes: s.semi_axes, edge: 0.0 }),
            Shape::Cylinder(s) => {
                let height = (0.5 * s.length - ROUNDING * s.radius).max(0.0);
                [-height, height].iter().for_each(|height| each(Self::circle(*height, s.radius, 0.0)));
            }
            Shape::Disk(s) => each(Self::circle(0.0, s.radius - s.edge, s.edge)),
            Shape::Torus(s) => each(Self::circle(0.0, s.radius, s.tube)),
            _ => {}
        }
    }

    /// A in its own axes.
    pub fn squares(&self) -> Mat3 {
        Mat3::from_diagonal(&self.semi_axes.component_mul(&self.semi_axes))
    }

    /// The point of the surface whose normal is d, from its centre, and how it moves with d; in axes in which A is `matrix`.
    pub fn point_and_bend(&self, d: &Vec3, matrix: &Mat3) -> (Vec3, Mat3) {
        let image = matrix * d;
        let s = d.dot(&image).sqrt();
        let mut bend = (Mat3::identity() - d * d.transpose()) * self.edge;
        if s > 0.0 {
            bend += matrix / s - image * image.transpose() / (s * s * s);
        }
        (image / s.max(f64::MIN_POSITIVE) + d * self.edge, bend)
    }

    fn circle(height: f64, radius: f64, edge: f64) -> Self {
        Self { height, semi_axes: Vec3::new(radius, radius, ROUNDING * radius), edge }
    }

    fn touch(&self, at: &Relative) -> Touch {
        let n = at.b.r.column(2).into_owned();
        let centre = at.a.r.column(2) * self.height;
        let matrix = at.a.r * self.squares() * at.a.r.transpose();
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
    Round::each(a, |round| each(round.touch(at)));
}
