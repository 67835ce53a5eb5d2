//! Bodies of simple shapes that fall, slide, roll, strike and are struck.

use super::super::builder::Builder;
use cardan::contact::{Capsule, Contact, Cuboid, Cylinder, Ellipsoid, Friction, Given, HalfSpace, HollowSphere, NormalLaw, Part, Shape, Sphere};
use cardan::prelude::*;

/// A shape of about this size, and the inertia of a body of this mass that fills it.
fn shape(b: &mut Builder, size: f64, mass: f64) -> (Shape, Inertia) {
    let mut part = || size * b.random.range(0.3, 0.6);
    let [x, y, z] = [part(), part(), part()];
    let lengthwise = Inertia::cuboid(mass, 1.7 * x, 1.7 * x, y + x);
    match b.random.bits() % 5 {
        0 => (Sphere { radius: x }.into(), Inertia::ball(mass, x)),
        1 => (Cuboid { size: 2.0 * Vec3::new(x, y, z) }.into(), Inertia::cuboid(mass, 2.0 * x, 2.0 * y, 2.0 * z)),
        2 => (Capsule { radius: 0.5 * x, length: y }.into(), lengthwise),
        3 => (Cylinder { radius: x, length: y }.into(), lengthwise),
        _ => (Ellipsoid { semi_axes: Vec3::new(x, y, z) }.into(), Inertia::cuboid(mass, 1.5 * x, 1.5 * y, 1.5 * z)),
    }
}

/// The law of a contact that carries bodies of this mass: given by numbers, or left to the program.
fn law(b: &mut Builder, mass: f64) -> Given {
    let exponent = b.pick(&[1.0, 1.5]);
    let stiffness = mass * b.g / b.size.powf(exponent) * b.decades(1e4, 1e8);
    let restitution = b.random.range(0.2, 0.95);
    let elastic = NormalLaw::elastic(stiffness, exponent);
    let speed = b.speed();
    let normal = match b.random.bits() % 4 {
        0 => None,
        1 => Some(elastic),
        2 => Some(elastic.restitution(restitution, speed)),
        _ => Some(elastic.stepped(mass * b.rate() * b.decades(1.0, 100.0), 1e-4 * b.size)),
    };
    let coefficient = b.random.range(0.05, 0.8);
    let friction = match b.random.bits() % 4 {
        0 => None,
        1 => Some(Friction::stepped(1.2 * coefficient, coefficient, 1e-2 * speed, 3e-2 * speed)),
        2 => Some(Friction::coulomb(coefficient, 1e-3 * speed).with_bristles(1e-4 * b.size, 1e-3 / b.rate())),
        _ => Some(Friction::coulomb(coefficient, b.decades(1e-4, 1e-2) * speed)),
    };
    Given { normal, friction, ..Given::default() }
}

/// A shape on a body, at its centre.
fn on(b: &mut Builder, body: BodyId, shape: impl Into<Shape>) -> Part {
    let at = b.position(body);
    let (marker, _) = b.marker_of(body, at);
    Part { marker, shape: shape.into() }
}

/// A body of some shape, somewhere, that moves.
fn thrown(b: &mut Builder, size: f64, at: Vec3, velocity: Vec3) -> (BodyId, Part) {
    let (mass, name, spin) = (b.mass * b.decades(0.3, 3.0), b.name("body"), b.rate() * b.random.range(0.0, 3.0));
    let (shape, inertia) = shape(b, size, mass);
    let (turn, axis) = (b.random.rotation(), b.random.vector(1.0));
    let body = Body::rigid(&name, mass, inertia).at(at.into()).oriented(turn).moving(velocity.into()).spinning((axis * spin).into());
    let body = b.given(body, mass);
    let part = on(b, body, shape);
    (body, part)
}

/// A body that is thrown onto the floor, or into a bowl.
pub fn fall(b: &mut Builder) {
    b.in_space();
    let (l, speed) = (b.size, b.speed());
    let height = l * b.random.range(0.7, 1.5);
    let along = speed * b.random.range(0.0, 1.0);
    let (_, part) = thrown(b, l, Vec3::z() * height, Vec3::new(along, 0.3 * along, 0.0));
    let floor = if matches!(part.shape, Shape::Sphere(_) | Shape::Cuboid(_) | Shape::Capsule(_)) && b.once_in(2) {
        let radius = 4.0 * l;
        let (marker, _) = b.marker_of(BodyId::GROUND, Vec3::z() * radius);
        Part { marker, shape: HollowSphere { radius }.into() }
    } else {
        let (marker, _) = b.marker_of(BodyId::GROUND, Vec3::zeros());
        Part { marker, shape: HalfSpace.into() }
    };
    let law = law(b, b.mass);
    b.model.add_force(Contact::between("floor", vec![part], vec![floor], law));
}

/// A body that slides and rolls on a slope.
pub fn slope(b: &mut Builder) {
    b.in_space();
    let tilt = b.random.range(0.0, 0.6);
    b.model.set_gravity([b.g * tilt.sin() * (1.0 + b.nudge()), 0.0, -b.g * tilt.cos() * (1.0 + b.nudge())]);
    let (l, mass, along) = (b.size, b.mass, b.speed() * b.random.range(0.0, 1.0));
    let radius = 0.3 * l;
    let name = b.name("body");
    let rolls = b.once_in(2);
    let (shape, inertia): (Shape, _) = if rolls {
        (Sphere { radius }.into(), Inertia::ball(mass, radius))
    } else {
        (Cuboid { size: Vec3::new(3.0, 2.0, 2.0) * radius }.into(), Inertia::cuboid(mass, 3.0 * radius, 2.0 * radius, 2.0 * radius))
    };
    let body = Body::rigid(&name, mass, inertia).at([0.0, 0.0, radius]).moving([along, 0.0, 0.0]);
    let body = b.given(body, mass);
    let part = on(b, body, shape);
    let (marker, _) = b.marker_of(BodyId::GROUND, Vec3::zeros());
    let mut law = law(b, mass);
    let coefficient = b.random.range(0.1, 0.8);
    let transition = b.decades(1e-4, 1e-2) * b.speed();
    law.friction = law.friction.or(Some(Friction::coulomb(coefficient, transition)));
    b.model.add_force(Contact::between("slope", vec![part], vec![Part { marker, shape: HalfSpace.into() }], law));
}

/// Bodies that fly towards each other.
pub fn strike(b: &mut Builder) {
    b.in_space();
    let (l, speed, count) = (b.size, b.speed(), 2 + b.random.bits() % 2);
    let mut parts = Vec::new();
    for k in 0..count {
        let side = k as f64 - 0.5 * (count as f64 - 1.0);
        let aside = b.random.vector(0.15 * l);
        let towards = Vec3::x() * (-side * speed * b.random.range(0.5, 2.0));
        parts.push(thrown(b, 0.6 * l, Vec3::x() * (1.5 * l * side) + aside, towards).1);
    }
    let law = law(b, b.mass);
    b.model.add_force(Contact::within("bodies", parts, law));
}

/// A pendulum that strikes a block which slides on the floor.
pub fn hammer(b: &mut Builder) {
    b.in_space();
    b.model.set_gravity([0.0, 0.0, -b.g * (1.0 + b.nudge())]);
    let (l, mass) = (b.size, b.mass);
    let (radius, angle) = (0.15 * l, b.random.range(0.5, 1.5));
    let name = b.name("hammer");
    let head = Vec3::new(-l * f64::sin(angle), 0.0, l + 1.2 * radius - l * f64::cos(angle));
    let hammer = b.given(Body::rigid(&name, mass, Inertia::ball(mass, radius)).at(head.into()), mass);
    let across = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    b.joint_along(Revolute, hammer, BodyId::GROUND, Vec3::z() * (l + 1.2 * radius), across);
    let face = on(b, hammer, Sphere { radius });
    let (name, edge, share) = (b.name("block"), 2.4 * radius, b.decades(0.2, 5.0));
    let sides = Vec3::new(edge, 1.3 * edge, edge);
    let inertia = Inertia::cuboid(share * mass, sides.x, sides.y, sides.z);
    let block = Body::rigid(&name, share * mass, inertia).at([radius + 0.5 * edge + 0.02 * l, 0.0, 0.5 * edge]);
    let block = b.given(block, share * mass);
    let block = on(b, block, Cuboid { size: sides });
    let (marker, _) = b.marker_of(BodyId::GROUND, Vec3::zeros());
    let (blow, mut lies) = (law(b, mass), law(b, share * mass));
    b.model.add_force(Contact::between("blow", vec![face], vec![block.clone()], blow));
    let (coefficient, transition) = (b.random.range(0.1, 0.6), 1e-3 * b.speed());
    lies.friction = Some(Friction::coulomb(coefficient, transition));
    b.model.add_force(Contact::between("floor", vec![block], vec![Part { marker, shape: HalfSpace.into() }], lies));
}
