//! The mechanisms of the published tables and reference solutions, and how errors against them are measured.

#![allow(dead_code, unused_imports, reason = "every test program uses a part")]

pub use cardan::model::classics::*;
use cardan::prelude::*;

/// A reference file of tests/data.
pub fn reference(name: &str) -> serde_json::Value {
    let path = format!("{}/tests/data/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The numbers of a JSON array.
pub fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Euclidean distance.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Reference q and v of the stiff double pendulum at t = 2, in the order of its coordinates.
pub fn stiff_double_pendulum_end() -> (Vec<f64>, Vec<f64>) {
    let end = numbers(&reference("stiff_double_pendulum")["final"]);
    let (theta, omega, p, v) = (&end[0..2], &end[2..4], &end[6..10], &end[10..14]);
    (vec![p[0], p[1], theta[0], p[2], p[3], theta[1]], vec![v[0], v[1], omega[0], v[2], v[3], omega[1]])
}

/// The heavy top spinning at 150 rad/s on a spherical joint.
pub fn heavy_top() -> Model {
    let mut model = Model::new("heavy top");
    model.set_gravity([0.0, 0.0, -9.81]);
    let inertia = Inertia::principal(0.234375, 0.46875, 0.234375);
    let body = Body::rigid("top", 15.0, inertia).at([0.0, 1.0, 0.0]).moving([4.61538, 0.0, 0.0]).spinning([0.0, 150.0, -4.61538]);
    let top = model.add_body(body);
    let tip = model.add_marker(Marker::on(top).at([0.0, -1.0, 0.0]));
    let ground = model.add_marker(Marker::on(BodyId::GROUND));
    model.add_joint(Joint::new("tip", Spherical, tip, ground));
    model
}

/// A free body with these principal moments and this initial angular velocity.
pub fn free_top(moments: &[f64], omega: &[f64]) -> Model {
    let mut model = Model::new("free top");
    let inertia = Inertia::principal(moments[0], moments[1], moments[2]);
    model.add_body(Body::rigid("top", 1.0, inertia).spinning([omega[0], omega[1], omega[2]]));
    model
}

/// Errors of a top against a reference state: position, attitude, velocity, angular velocity, acceleration, angular
/// acceleration, reaction.
pub fn top_errors(x: &State, expected: &[f64]) -> [f64; 7] {
    let sign = if distance(&x.q[3..7], &expected[9..13]) > 1.0 { -1.0 } else { 1.0 };
    let attitude: Vec<f64> = x.q[3..7].iter().map(|c| sign * c).collect();
    let force: Vec<f64> = x.lambda.iter().map(|l| -l).collect();
    [
        distance(&x.q[..3], &expected[..3]),
        distance(&attitude, &expected[9..13]),
        distance(&x.v[..3], &expected[3..6]),
        distance(&x.v[3..], &expected[6..9]),
        distance(&x.a[..3], &expected[13..16]),
        distance(&x.a[3..], &expected[19..22]),
        distance(&force, &expected[16..19]),
    ]
}
