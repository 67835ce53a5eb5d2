//! Bodies that touch: balls that bounce, strike each other, slide and roll. Normal forces are linear in the depth, k δ, and nothing is lost in
//! them, as that is a law which all programs have.

use super::{Observed, Problem};
use cardan::contact::{Contact, Friction, Given, HalfSpace, Location, NormalLaw, Part, Shape, Sphere};
use cardan::math::Quat;
use cardan::math::random::Random;
use cardan::prelude::*;
use std::f64::consts::FRAC_PI_6;

/// Gravity along −z, or −y where the model has it so.
const GRAVITY: f64 = 9.81;

fn part(model: &mut Model, body: BodyId, at: [f64; 3], shape: impl Into<Shape>) -> Part {
    Part { marker: model.add_marker(Marker::on(body).at(at)), shape: shape.into() }
}

/// n balls of 10 kg and a radius of 0.1 m in a square, which fall 5 m onto a floor and bounce, and could strike each other. After 20 s each of
/// them has touched the floor ten times. Reference: the problem `bouncing` of SimBenchmark, github.com/leggedrobotics/SimBenchmark, with rigid
/// balls.
pub fn bouncing(n: usize) -> Problem {
    const RADIUS: f64 = 0.1;
    let mut model = Model::new("bouncing");
    model.set_gravity([0.0, 0.0, -GRAVITY]);
    let floor = part(&mut model, BodyId::GROUND, [0.0; 3], HalfSpace);
    let side = (1..).find(|m| m * m >= n).unwrap_or(1);
    let mut bodies = Vec::new();
    for k in 0..n {
        let at = [3.0 * RADIUS * (k % side) as f64, 3.0 * RADIUS * (k / side) as f64, 5.0];
        bodies.push(model.add_body(Body::rigid(&format!("ball{k}"), 10.0, Inertia::ball(10.0, RADIUS)).at(at)));
    }
    let balls: Vec<Part> = bodies.iter().map(|body| part(&mut model, *body, [0.0; 3], Sphere { radius: RADIUS })).collect();
    let law = NormalLaw::elastic(1e8, 1.0);
    model.add_force(Contact::new("floor", balls.clone(), vec![floor], law.clone()));
    model.add_force(Contact::among("balls", balls, law));
    Problem::new(model, bodies.into_iter().map(Observed::Position).collect(), 20.0)
}

/// n steel balls of 1 cm on strings in a row, which touch; the first one is let go at 30°. Strings are rods on hinges.
pub fn cradle(n: usize) -> Problem {
    const RADIUS: f64 = 0.01;
    const LENGTH: f64 = 0.12;
    const MASS: f64 = 0.032882;
    let mut model = Model::new("cradle");
    model.set_gravity([0.0, -GRAVITY, 0.0]);
    let (mut bodies, mut balls) = (Vec::new(), Vec::new());
    for k in 0..n {
        let (top, angle) = (2.0 * RADIUS * k as f64, if k == 0 { FRAC_PI_6 } else { 0.0 });
        let attitude = Quat::from_axis_angle(&Vec3::z_axis(), -angle);
        let at = [top - LENGTH * angle.sin(), -LENGTH * angle.cos(), 0.0];
        let body = model.add_body(Body::rigid(&format!("ball{k}"), MASS, Inertia::ball(MASS, RADIUS)).at(at).oriented(attitude));
        let i = model.add_marker(Marker::on(body).at([0.0, LENGTH, 0.0]));
        let j = model.add_marker(Marker::on(BodyId::GROUND).at([top, 0.0, 0.0]));
        model.add_joint(Joint::new(&format!("string{k}"), Revolute, i, j));
        balls.push(part(&mut model, body, [0.0; 3], Sphere { radius: RADIUS }));
        bodies.push(body);
    }
    model.add_force(Contact::among("balls", balls, NormalLaw::elastic(1e7, 1.0)).located(Location::Always));
    Problem::new(model, bodies.into_iter().map(Observed::Position).collect(), 1.0)
}

/// n small balls that fly at 20 m/s into a bowl of five large ones, in layers of 8 × 8. Reference: the test generalContactSpheresTest of Exudyn,
/// without its damping.
pub fn spheres(n: usize) -> Problem {
    const ROW: usize = 8;
    const HEIGHT: f64 = 8.0;
    const LARGE: f64 = 30.0;
    let mut model = Model::new("spheres");
    model.set_gravity([0.0, -GRAVITY, 0.0]);
    let (far, low) = (LARGE + HEIGHT, -3.0);
    let walls = [[0.0, -LARGE - 0.5 * HEIGHT, 0.0], [-far, low, 0.0], [far, low, 0.0], [0.0, low, far], [0.0, low, -far]];
    let mut balls: Vec<Part> = walls.iter().map(|at| part(&mut model, BodyId::GROUND, *at, Sphere { radius: LARGE })).collect();
    let (mut random, mut bodies) = (Random::new(1), Vec::new());
    for k in 0..n {
        let (layer, shift) = (k / (ROW * ROW), if k / (ROW * ROW) % 2 == 1 { 0.5 } else { 0.0 });
        let across = |place: usize| 0.4 - 0.5 * HEIGHT + place as f64 + shift;
        let at = [across(k % ROW), -3.5 + 0.74 * layer as f64, across(k / ROW % ROW)];
        let body = model.add_body(Body::point(&format!("ball{k}"), 0.05).at(at).moving([0.0, -20.0, 0.0]));
        balls.push(part(&mut model, body, [0.0; 3], Sphere { radius: 0.5 * random.range(0.8, 1.0) }));
        bodies.push(body);
    }
    // Two springs of 4e4 N/m in series.
    model.add_force(Contact::among("spheres", balls, NormalLaw::elastic(2e4, 1.0)));
    // Later on nobody can tell where so many balls are: each strike multiplies errors by the distance of balls against their size.
    Problem::new(model, bodies.into_iter().map(Observed::Position).collect(), if n > 300 { 0.05 } else { 0.1 })
}

/// A ball that slides onto a floor with 1 m/s and rolls from t = 0.146 s on, as it does without creep at a friction of 0.2.
pub fn bowling() -> Problem {
    const RADIUS: f64 = 0.1;
    const MASS: f64 = 1.0;
    const STIFFNESS: f64 = 1e6;
    let mut model = Model::new("bowling");
    model.set_gravity([0.0, 0.0, -GRAVITY]);
    let at = [0.0, 0.0, RADIUS - MASS * GRAVITY / STIFFNESS];
    let ball = model.add_body(Body::rigid("ball", MASS, Inertia::ball(MASS, RADIUS)).at(at).moving([1.0, 0.0, 0.0]));
    let (i, j) = (part(&mut model, ball, [0.0; 3], Sphere { radius: RADIUS }), part(&mut model, BodyId::GROUND, [0.0; 3], HalfSpace));
    let friction = Friction::coulomb(0.2, 1e-4);
    let given = Given { normal: Some(NormalLaw::elastic(STIFFNESS, 1.0)), friction: Some(friction), ..Given::default() };
    model.add_force(Contact::between("floor", vec![i], vec![j], given));
    Problem::new(model, vec![Observed::Position(ball)], 0.5)
}
