use super::*;
use crate::contact::profile::{Piece, Turn};
use crate::math::random::Random;

fn shapes() -> Vec<Shape> {
    vec![
        ContactPoint.into(),
        Sphere { radius: 0.7 }.into(),
        HollowSphere { radius: 2.0 }.into(),
        HalfSpace.into(),
        Cuboid { size: Vec3::new(1.0, 0.6, 1.4) }.into(),
        Cylinder { radius: 0.5, length: 1.2 }.into(),
        HollowCylinder { radius: 0.8, length: 1.0 }.into(),
        Disk { radius: 0.9, edge: 0.1 }.into(),
        Capsule { radius: 0.4, length: 1.0 }.into(),
        Ellipsoid { semi_axes: Vec3::new(1.0, 0.5, 0.8) }.into(),
        Torus { radius: 0.8, tube: 0.25 }.into(),
        profile().into(),
        Hull::new(octahedron().0).into(),
        Mesh::new(octahedron().0, octahedron().1).into(),
        HeightField::new([-1.0, 1.0], [-0.9, 1.1], waves()).into(),
    ]
}

/// With lines, a convex and a concave arc, and a spline.
fn profile() -> Profile {
    let pieces = vec![
        Piece::Line { to: [0.7, -0.6] },
        Piece::Arc { center: [0.7, -0.1], to: [1.2, -0.1], turn: Turn::Left },
        Piece::Spline { points: vec![[1.0, 0.5], [0.6, 0.9], [0.2, 1.0]], directions: [Some([0.0, 1.0]), None] },
        Piece::Arc { center: [-0.4, 1.0], to: [-1.0, 1.0], turn: Turn::Right },
        Piece::Line { to: [-1.0, -0.6] },
    ];
    Profile::closed([-1.0, -0.6], pieces).wide(1.4)
}

fn octahedron() -> (Vec<Vec3>, Vec<[usize; 3]>) {
    let corners = [[1.0, 0.0, 0.1], [0.0, 0.9, 0.0], [-1.1, 0.0, 0.0], [0.1, -0.8, 0.0], [0.0, 0.0, 1.0], [0.0, 0.1, -0.9]];
    let triangles = vec![[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4], [1, 0, 5], [2, 1, 5], [3, 2, 5], [0, 3, 5]];
    (corners.iter().map(|x| Vec3::from(*x)).collect(), triangles)
}

fn waves() -> Vec<Vec<f64>> {
    let height = |i: usize, j: usize| 0.1 * (i as f64).sin() + 0.08 * (0.8 * j as f64).cos();
    (0..7).map(|i| (0..6).map(|j| height(i, j)).collect()).collect()
}

/// Normal and curvature are the derivatives of the distance, and the foot of the perpendicular is on the surface.
#[test]
fn distances_have_their_derivatives() {
    assert_eq!(shapes().len(), SHAPES.len(), "a new shape needs a case");
    let mut random = Random::new(7);
    for shape in shapes() {
        let mut compared = 0;
        for _ in 0..200 {
            let x = Vec3::from_fn(|_, _| random.range(-1.5, 1.5));
            let at = shape.nearest(&x);
            let foot = shape.nearest(&(x - at.normal * at.distance * 0.999));
            // Beside edges inside, the nearest face changes: derivatives are one-sided there.
            let h = 1e-6;
            let ends = |k: usize| [1.0, -1.0].map(|s| shape.nearest(&(x + Vec3::ith(k, s * h))));
            if (0..3).any(|k| ends(k).iter().any(|e| (e.bend - at.bend).norm() > 1e-2 * (1.0 + at.bend.norm()))) {
                continue;
            }
            compared += 1;
            assert!((at.normal.norm() - 1.0).abs() < 1e-12, "{shape:?}");
            assert!((foot.distance - 0.001 * at.distance).abs() < 1e-9, "{shape:?} at {x}: {} {}", at.distance, foot.distance);
            for k in 0..3 {
                let [a, b] = ends(k);
                assert!(((a.distance - b.distance) / (2.0 * h) - at.normal[k]).abs() < 1e-7, "{shape:?} at {x}");
                let bend = (a.normal - b.normal) / (2.0 * h);
                assert!((bend - at.bend.column(k)).norm() < 1e-5 * (1.0 + at.bend.norm().powi(3)), "{shape:?} at {x}: {bend} {}", at.bend);
            }
        }
        assert!(compared > 120, "{shape:?}: {compared}");
    }
}

#[test]
fn ellipsoids_are_near_from_their_planes_of_symmetry_and_axes() {
    let e = Ellipsoid { semi_axes: Vec3::new(3.0, 2.0, 1.0) };
    for (x, distance) in
        [([0.0, 0.0, 0.0], -1.0), ([5.0, 0.0, 0.0], 2.0), ([0.0, 2.5, 0.0], 0.5), ([0.0, 0.0, -0.5], -0.5), ([2.9, 0.0, 0.0], -0.1)]
    {
        let at = e.nearest(&x.into());
        assert!((at.distance - distance).abs() < 1e-12, "{x:?}: {}", at.distance);
    }
}

#[test]
fn sizes_without_sense_are_mistakes() {
    assert!(shapes().iter().all(|shape| shape.mistake().is_none()));
    assert!(Shape::from(Sphere { radius: 0.0 }).mistake().is_some_and(|m| m.contains("radius")));
    assert!(Shape::from(Cuboid { size: Vec3::new(1.0, -1.0, 1.0) }).mistake().is_some_and(|m| m.contains("along y")));
    assert!(Shape::from(Torus { radius: 0.1, tube: 0.2 }).mistake().is_some());
    assert!(Shape::from(Disk { radius: 0.1, edge: 0.2 }).mistake().is_some());
}
