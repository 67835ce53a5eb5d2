//! Mass properties of shapes against formulas, fine meshes and each other; meshes from good and bad files.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::math::random::Random;
use cardan::math::{Mat3, Quat, Vec3};
use cardan_io::geometry::{NotSolid, Shape, Solid, mesh};
use std::f64::consts::{PI, TAU};
use std::path::PathBuf;

fn assert_close(own: &Solid, expected: &Solid, tolerance: f64) {
    let size = expected.volume.cbrt();
    assert!((own.volume / expected.volume - 1.0).abs() < tolerance, "volume {} against {}", own.volume, expected.volume);
    let shift = (Vec3::from(own.centroid) - Vec3::from(expected.centroid)).norm();
    assert!(shift < tolerance * size, "centroid {:?} against {:?}", own.centroid, expected.centroid);
    let (a, b) = (Mat3::from(own.inertia), Mat3::from(expected.inertia));
    assert!((a - b).norm() < tolerance * b.norm(), "inertia {a} against {b}");
}

fn diagonal(volume: f64, moments: [f64; 3]) -> Solid {
    Solid { volume, centroid: [0.0; 3], inertia: Mat3::from_diagonal(&moments.into()).into() }
}

/// A surface over a grid of angles that closes around both: `point(u, v)` with u, v in [0, 2π).
fn torus_grid(n: usize, rings: usize, point: impl Fn(f64, usize) -> [f64; 3]) -> Shape {
    let vertices =
        (0..rings).flat_map(|ring| (0..n).map(move |k| (k, ring))).map(|(k, ring)| point(TAU * k as f64 / n as f64, ring)).collect();
    let index = |k: usize, ring: usize| ((ring % rings) * n + k % n) as u32;
    let cell = |k, ring| {
        let (a, b, c, d) = (index(k, ring), index(k + 1, ring), index(k + 1, ring + 1), index(k, ring + 1));
        [[a, b, c], [a, c, d]]
    };
    let triangles = (0..rings).flat_map(|ring| (0..n).flat_map(move |k| cell(k, ring))).collect();
    Shape::Mesh { vertices, triangles }
}

/// A surface of revolution about z through (r, z), from one pole on the axis to the other.
fn revolved(n: usize, profile: &[(f64, f64)]) -> Shape {
    let last = profile.len() - 1;
    let mut vertices = vec![[0.0, 0.0, profile[0].1], [0.0, 0.0, profile[last].1]];
    for &(r, z) in &profile[1..last] {
        vertices.extend((0..n).map(|k| TAU * k as f64 / n as f64).map(|angle| [r * angle.cos(), r * angle.sin(), z]));
    }
    let index = |ring: usize, k: usize| (2 + ring * n + k % n) as u32;
    let mut triangles = Vec::new();
    for k in 0..n {
        triangles.push([0, index(0, k + 1), index(0, k)]);
        triangles.push([1, index(last - 2, k), index(last - 2, k + 1)]);
        for ring in 0..last - 2 {
            triangles.push([index(ring, k), index(ring, k + 1), index(ring + 1, k + 1)]);
            triangles.push([index(ring, k), index(ring + 1, k + 1), index(ring + 1, k)]);
        }
    }
    Shape::Mesh { vertices, triangles }
}

fn tetrahedron() -> Shape {
    let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    Shape::Mesh { vertices, triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] }
}

fn cube(half: [f64; 3]) -> Shape {
    let vertices = (0..8).map(|k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] })).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Shape::Mesh { vertices, triangles: quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect() }
}

fn mapped(shape: &Shape, map: impl Fn(Vec3) -> Vec3) -> Shape {
    let Shape::Mesh { vertices, triangles } = shape else { panic!("not a mesh") };
    Shape::Mesh { vertices: vertices.iter().map(|&v| map(v.into()).into()).collect(), triangles: triangles.clone() }
}

#[test]
fn formulas_are_those_of_the_textbook() {
    let (r, l) = (0.3, 0.8);
    let v = PI * r * r * l;
    let side = v * (3.0 * r * r + l * l) / 12.0;
    let cylinder = Shape::Cylinder { radius: r, length: l }.mass_properties().unwrap();
    assert_close(&cylinder, &diagonal(v, [side, side, v * r * r / 2.0]), 1e-14);

    let hole = PI * 0.01 * l;
    let hole_side = hole * (3.0 * 0.01 + l * l) / 12.0;
    let tube = Shape::Tube { outer_radius: r, inner_radius: 0.1, length: l }.mass_properties().unwrap();
    assert_close(&tube, &diagonal(v - hole, [side - hole_side, side - hole_side, v * r * r / 2.0 - hole * 0.01 / 2.0]), 1e-14);

    let ball = 4.0 / 3.0 * PI * r.powi(3);
    assert_close(&Shape::Sphere { radius: r }.mass_properties().unwrap(), &diagonal(ball, [0.4 * ball * r * r; 3]), 1e-14);

    let block = Shape::Box { size: [1.0, 2.0, 3.0] }.mass_properties().unwrap();
    assert_close(&block, &diagonal(6.0, [6.5, 5.0, 2.5]), 1e-14);

    let rod = Shape::Rod { length: 2.0 }.mass_properties().unwrap();
    assert_close(&rod, &diagonal(2.0, [0.0, 2.0 / 3.0, 2.0 / 3.0]), 1e-14);
}

#[test]
fn a_tetrahedron_is_exact() {
    let (own, j) = (tetrahedron().mass_properties().unwrap(), 1.0 / 80.0);
    let xy = 1.0 / 480.0;
    let inertia = [[j, xy, xy], [xy, j, xy], [xy, xy, j]];
    assert_close(&own, &Solid { volume: 1.0 / 6.0, centroid: [0.25; 3], inertia }, 1e-14);
}

#[test]
fn fine_meshes_approach_the_round_shapes() {
    let n = 300;
    let block = Shape::Box { size: [1.0, 2.0, 0.4] }.mass_properties().unwrap();
    assert_close(&cube([0.5, 1.0, 0.2]).mass_properties().unwrap(), &block, 1e-14);

    let cylinder = revolved(n, &[(0.0, -0.4), (0.3, -0.4), (0.3, 0.4), (0.0, 0.4)]).mass_properties().unwrap();
    assert_close(&cylinder, &Shape::Cylinder { radius: 0.3, length: 0.8 }.mass_properties().unwrap(), 2e-4);

    let arc: Vec<(f64, f64)> = (0..=n).map(|k| PI * k as f64 / n as f64).map(|u| (0.7 * u.sin(), -0.7 * u.cos())).collect();
    assert_close(&revolved(n, &arc).mass_properties().unwrap(), &Shape::Sphere { radius: 0.7 }.mass_properties().unwrap(), 3e-4);

    let section = [(0.3, -0.4), (0.3, 0.4), (0.1, 0.4), (0.1, -0.4)];
    let tube = torus_grid(n, 4, |angle, ring| [section[ring].0 * angle.cos(), section[ring].0 * angle.sin(), section[ring].1]);
    let expected = Shape::Tube { outer_radius: 0.3, inner_radius: 0.1, length: 0.8 }.mass_properties().unwrap();
    assert_close(&tube.mass_properties().unwrap(), &expected, 2e-4);
}

#[test]
fn moving_a_mesh_moves_its_mass_properties() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let half = random.vector(1.0).map(|x| x.abs() + 0.1);
        let skewed = mapped(&cube(half.into()), |v| v + Vec3::new(0.3 * v.y, 0.2 * v.z, 0.1 * v.x));
        let (turn, shift): (Quat, Vec3) = (random.rotation(), random.vector(100.0));
        let moved = mapped(&skewed, |v| turn * v + shift).mass_properties().unwrap();
        let placed = skewed.mass_properties().unwrap().placed(shift.into(), [turn.w, turn.i, turn.j, turn.k]);
        assert_close(&moved, &placed, 1e-10);
    }
}

#[test]
fn a_mesh_inside_out_has_the_same_mass() {
    let mirrored = mapped(&cube([0.5, 0.6, 0.7]), |v| Vec3::new(-v.x, v.y, v.z));
    assert_close(&mirrored.mass_properties().unwrap(), &cube([0.5, 0.6, 0.7]).mass_properties().unwrap(), 1e-14);
}

#[test]
fn what_encloses_nothing_has_no_mass() {
    let Shape::Mesh { vertices, triangles } = tetrahedron() else { unreachable!() };
    let with = |triangles: Vec<[u32; 3]>| Shape::Mesh { vertices: vertices.clone(), triangles }.mass_properties().unwrap_err();
    assert_eq!(with(triangles[..3].to_vec()), NotSolid::Open { edges: 6, open: 3, misdirected: 0 });
    let mut flipped = triangles.clone();
    flipped[3].reverse();
    assert_eq!(with(flipped), NotSolid::Open { edges: 6, open: 0, misdirected: 3 });
    assert_eq!(with(vec![[0, 1, 2], [0, 2, 1]]), NotSolid::Flat);
    assert_eq!(with(vec![[0, 1, 4]]), NotSolid::Vertex { triangle: 0, vertex: 4, vertices: 4 });
    assert_eq!(Shape::Line { points: vec![] }.mass_properties().unwrap_err(), NotSolid::Line);
    assert!(matches!(Shape::Sphere { radius: -1.0 }.mass_properties(), Err(NotSolid::Size { value: -1.0, .. })));
    let closed_tube = Shape::Tube { outer_radius: 0.1, inner_radius: 0.2, length: 1.0 };
    assert!(matches!(closed_tube.mass_properties(), Err(NotSolid::Size { .. })));
}

/// Writes a file for one test and reads it as a mesh.
fn read(name: &str, content: &[u8], scale: f64) -> Result<Shape, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    mesh::read(&path, scale).map_err(|error| error.to_string())
}

fn corners(shape: &Shape) -> Vec<[[f64; 3]; 3]> {
    let Shape::Mesh { vertices, triangles } = shape else { panic!("not a mesh") };
    triangles.iter().map(|t| t.map(|k| vertices[k as usize])).collect()
}

fn text_stl(shape: &Shape) -> String {
    let vertex = |[x, y, z]: [f64; 3]| format!("vertex {x} {y} {z}\n");
    let facet = |t: [[f64; 3]; 3]| format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", t.map(vertex).concat());
    format!("solid part 1\n{}endsolid part 1\n", corners(shape).into_iter().map(facet).collect::<String>())
}

fn binary_stl(shape: &Shape, header: &str) -> Vec<u8> {
    let mut out = vec![b' '; 80];
    out[..header.len()].copy_from_slice(header.as_bytes());
    out.extend((corners(shape).len() as u32).to_le_bytes());
    for triangle in corners(shape) {
        out.extend([0; 12]);
        out.extend(triangle.iter().flatten().flat_map(|x| (*x as f32).to_le_bytes()));
        out.extend([0; 2]);
    }
    out
}

#[test]
fn stl_files_of_all_sorts_give_the_same_solid() {
    let part = mapped(&revolved(40, &[(0.0, -40.0), (30.0, -40.0), (10.0, 40.0), (0.0, 50.0)]), |v| v + Vec3::new(7.0, 8.0, 9.0));
    let expected = mapped(&part, |v| v * 1e-3).mass_properties().unwrap();
    let text = text_stl(&part);
    let noisy = text.replace("vertex", "  VERTEX\t").replace('\n', "\r\n");
    let files = [
        ("text.stl", text.into_bytes()),
        ("noisy.STL", noisy.into_bytes()),
        ("binary.stl", binary_stl(&part, "made by a test")),
        ("solid.stl", binary_stl(&part, "solid facet endsolid")),
        ("padded.stl", [binary_stl(&part, "made by a test"), vec![0; 7]].concat()),
    ];
    for (name, content) in files {
        let shape = read(name, &content, 1e-3).unwrap();
        let Shape::Mesh { vertices, .. } = &shape else { panic!("{name}") };
        assert_eq!(vertices.len(), 82, "{name}");
        assert_close(&shape.mass_properties().unwrap(), &expected, 1e-5);
    }
}

#[test]
fn obj_files_with_polygons_and_all_kinds_of_corners() {
    let text = "# a box\no box\nv 0 0 0\nv 1 0 0 # corner\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3 1.0\nv 0 2 3\nvn 0 0 1\nvt 0 0\n\
                f 4 3 2 1\nf -4/1 -3/1 -2/1 -1/1\nf 1//1 2//1 6//1 5//1\nf 2/1/1 3/1/1 7/1/1 6/1/1\nf 3 4 8 7\nf 4 1 5 8\n";
    let own = read("box.obj", text.as_bytes(), 2.0).unwrap().mass_properties().unwrap();
    let expected = Shape::Box { size: [2.0, 4.0, 6.0] }.mass_properties().unwrap().placed([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0]);
    assert_close(&own, &expected, 1e-14);
}

#[test]
fn bad_files_say_where() {
    let stl = text_stl(&tetrahedron());
    let cut = stl.lines().take(5).collect::<Vec<_>>().join("\n");
    let changed = |from: &str, to: &str| stl.replacen(from, to, 1).into_bytes();
    let binary = binary_stl(&tetrahedron(), "test");
    let cases: [(&str, Vec<u8>, &str); 12] = [
        ("a.stl", changed("vertex 0 0 0", "vertex 0 zero 0"), "line 4: `zero` is not a number"),
        ("b.stl", changed("vertex 0 0 0", "vertex 0 0"), "line 4: a vertex needs three coordinates, here are 2"),
        ("c.stl", cut.into(), "line 5: the file ends inside a facet"),
        ("d.stl", changed("vertex 0 0 0\n", ""), "line 6: a facet has three corners, this one has 2"),
        ("e.stl", changed("outer loop", "inner loop"), "line 3: `inner` is not a word of STL"),
        ("f.stl", binary[..200].into(), "284 bytes would be needed, 200 are there"),
        ("g.stl", "".into(), "84 bytes would be needed, 0 are there"),
        ("h.stl", "solid nothing\nendsolid\n".into(), "holds no triangles"),
        ("i.stl", changed("vertex 1 0 0", "vertex nan 0 0"), "triangle 1 has a corner that is not finite"),
        ("j.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n".into(), "line 3: the corner `3` is not a vertex; 2 came before"),
        ("k.obj", "v 0 0 0\nv 1 0 0\nf 0 1 2\n".into(), "line 3: the corner `0` is not a vertex"),
        ("l.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n".into(), "line 3: a face needs three corners, here are 2"),
    ];
    for (name, content, expected) in cases {
        let message = read(name, &content, 1.0).unwrap_err();
        assert!(message.contains(name) && message.contains(expected), "{name}: {message}");
    }
    assert!(read("m.obj", b"\xff\xfe", 1.0).unwrap_err().contains("not text"));
    assert!(read("n.step", b"", 1.0).unwrap_err().contains("only .stl and .obj"));
    assert!(read("o.stl", stl.as_bytes(), -1.0).unwrap_err().contains("scale is -1"));
    assert!(mesh::read(&PathBuf::from("no such.stl"), 1.0).unwrap_err().to_string().contains("cannot read the mesh no such.stl"));
}
