//! The suspension corner of the gallery at rest, against the minimum of its potential energy in two coordinates.
#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

use cardan::analysis::equilibrium;
use cardan::math::{Mat3, Quat, UnitVec3, Vec3};
use cardan_io::model_file::load;
use std::path::Path;

const G: f64 = 9.81;

fn turned(point: Vec3, about: Vec3, axis: Vec3, angle: f64) -> Vec3 {
    about + Quat::from_axis_angle(&UnitVec3::new_normalize(axis), angle) * (point - about)
}

/// A root near zero.
fn root(f: impl Fn(f64) -> f64) -> f64 {
    let (mut x, h) = (0.0, 1e-6);
    for _ in 0..50 {
        x -= f(x) * 2.0 * h / (f(x + h) - f(x - h));
    }
    x
}

/// The point at these distances from three others, near a guess.
fn trilaterate(centres: [Vec3; 3], distances: [f64; 3], guess: Vec3) -> Vec3 {
    let mut p = guess;
    for _ in 0..50 {
        let rows = centres.map(|c| (p - c).transpose());
        let error = Vec3::from_fn(|k, _| 0.5 * ((p - centres[k]).norm_squared() - distances[k].powi(2)));
        p -= Mat3::from_rows(&rows).try_inverse().unwrap() * error;
    }
    p
}

/// The frame of three points.
fn frame([a, b, c]: [Vec3; 3]) -> (Vec3, Mat3) {
    let x = (b - a).normalize();
    let z = x.cross(&(c - a)).normalize();
    (a, Mat3::from_columns(&[x, z.cross(&x), z]))
}

/// Potential energy and the heights of wheel and upright, from the height of the chassis and the angle of the lower wishbone. The links
/// of the upright close by distances: ball to ball, and from the end of the tie rod to three points.
fn corner(height: f64, lower: f64) -> (f64, f64) {
    let (balls, tie) = ([Vec3::new(0.0, 0.72, 0.18), Vec3::new(-0.02, 0.68, 0.5)], Vec3::new(-0.14, 0.7, 0.25));
    let (inner_tie, tower) = (Vec3::new(-0.15, 0.38, 0.26), Vec3::new(0.0, 0.46, 0.62));
    let down = |p: Vec3| turned(p, Vec3::new(0.0, 0.35, 0.2), Vec3::x(), lower);
    let (up_at, up_axis) = (Vec3::new(0.0, 0.42, 0.49), Vec3::new(0.24, 0.0, 0.02));
    let ball = down(balls[0]);
    let upper = root(|angle| (turned(balls[1], up_at, up_axis, angle) - ball).norm() - (balls[1] - balls[0]).norm());
    let up = |p: Vec3| turned(p, up_at, up_axis, upper);
    let anchors = [balls[0], balls[1], inner_tie];
    let end = trilaterate([ball, up(balls[1]), inner_tie], anchors.map(|a| (tie - a).norm()), tie);
    let ((from, axes), (to, now)) = (frame([balls[0], balls[1], tie]), frame([ball, up(balls[1]), end]));
    let carried = |p: Vec3| to + now * axes.transpose() * (p - from);
    let masses = [
        (350.0, Vec3::new(0.0, 0.3, 0.6)),
        (8.0, down(Vec3::new(0.0, 1.42 / 3.0, 0.58 / 3.0))),
        (5.0, up(Vec3::new(-0.02 / 3.0, 1.52 / 3.0, 1.48 / 3.0))),
        (12.0, carried(Vec3::new(-0.02 / 3.0, 2.18 / 3.0, 0.33))),
        (22.0, carried(Vec3::new(0.0, 0.78, 0.31))),
    ];
    let stretch = (tower - down(Vec3::new(0.0, 0.58, 0.19))).norm() - (0.12_f64.hypot(0.43) + 0.09);
    let wheel = masses[4].1.z + height;
    let weight: f64 = masses.iter().map(|(m, p)| m * G * (p.z + height)).sum();
    (weight + 0.5 * 60e3 * stretch * stretch - 3900.0 * wheel + 0.5 * 200e3 * (wheel - 0.31).powi(2), wheel)
}

/// Newton's method on the gradient of the energy, by differences of fourth order.
fn minimum() -> [f64; 2] {
    let (mut x, h) = ([0.0; 2], 1e-3);
    let shifted = |x: [f64; 2], k: usize, by: f64| if k == 0 { [x[0] + by, x[1]] } else { [x[0], x[1] + by] };
    let energy = |x: [f64; 2]| corner(x[0], x[1]).0;
    let slope = |x: [f64; 2], k: usize| {
        let at = |by: f64| energy(shifted(x, k, by));
        (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h)
    };
    for _ in 0..20 {
        let g = [slope(x, 0), slope(x, 1)];
        let second = |i: usize, j: usize| (slope(shifted(x, j, h), i) - slope(shifted(x, j, -h), i)) / (2.0 * h);
        let (a, b, d) = (second(0, 0), second(0, 1), second(1, 1));
        let determinant = a * d - b * b;
        x = [x[0] - (d * g[0] - b * g[1]) / determinant, x[1] - (a * g[1] - b * g[0]) / determinant];
    }
    x
}

#[test]
fn a_suspension_corner_rests_where_its_energy_is_least() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery/double-wishbone/model.toml");
    let system = load(model, &[]).unwrap().compile().unwrap();
    let found = equilibrium(&system).unwrap();
    let [height, lower] = minimum();
    let wheel = corner(height, lower).1;
    let z = |name: &str| found.state.q[system.body(name).unwrap().q0 + 2];
    assert!(height.abs() > 1e-3, "the corner is at rest where it is given: {height}");
    assert!((z("chassis") - 0.6 - height).abs() < 1e-9, "{} against {height}", z("chassis") - 0.6);
    assert!((z("wheel") - wheel).abs() < 1e-9, "{} against {wheel}", z("wheel"));
    // The wheel may turn; the rest is held by springs.
    assert_eq!(found.free, ["wheel"]);
}
