//! Bodies on springs: a vehicle at rest that meets a bump, bodies on beams and bushings.

use super::super::builder::{Builder, Room, number as n};
use super::super::loads;
use cardan::forces::{Line, Section};
use cardan::prelude::*;
use std::f64::consts::PI;

/// Two masses over each other on springs, at rest, the road rising after a pause.
pub fn bump(b: &mut Builder) {
    let (l, m) = (b.size, b.mass);
    let gravity = b.g;
    b.model.set_gravity([0.0, 0.0, 0.0]);
    let up = Quat::from_axis_angle(&Vec3::x_axis(), -PI / 2.0);
    let (wheel, car) = (b.cube(0.1 * m, 0.2 * l).at([0.0, 0.3 * l, 0.0]), b.cube(m, 0.5 * l).at([0.0, l, 0.0]));
    let (wheel, car) = (b.given(wheel, 0.1 * m), b.given(car, m));
    let first = b.joint_along(Translational, wheel, BodyId::GROUND, Vec3::new(0.0, 0.3 * l, 0.0), up);
    b.joint_along(Translational, car, BodyId::GROUND, Vec3::new(0.0, l, 0.0), up);
    let k = m * gravity / l * b.decades(5.0, 50.0);
    let (i, j) = (b.marker(car, Vec3::new(0.0, l, 0.0), up), b.marker(wheel, Vec3::new(0.0, 0.3 * l, 0.0), up));
    b.model.add_force(SpringDamper::new("suspension", i.0, j.0).stiffness(k).damping(0.3 * (k * m).sqrt()).free_length(0.7 * l));
    b.t_end *= b.decades(1.0, 8.0);
    let height = 0.05 * l;
    let road = loads::of_time(b, height);
    let joint = b.joints[first].clone();
    let tyre = format!("{}*({road} - DZ({}, {}, {}))", n(10.0 * k), joint.i, joint.j, joint.j);
    b.model.add_force(ExpressionForce::single("tyre", joint.markers[0], joint.markers[1], Line::Axis, tyre));
}

/// Bodies one behind the other on steel beams, or on stiff bushings.
pub fn beams(b: &mut Builder) {
    let count = 1 + b.random.bits() % 3;
    let length = b.size / count as f64;
    let mass = b.mass;
    let rate = b.rate() * b.decades(3.0, 1e3);
    // Oscillations of high frequency are followed for some hundred periods at most.
    b.t_end = b.t_end.min(1000.0 / rate);
    let e = 2.1e11;
    let radius = (4.0 * mass * rate * rate * length.powi(3) / (3.0 * e * PI)).powf(0.25);
    let mut parent = BodyId::GROUND;
    for k in 0..count {
        let (from, to) = (Vec3::x() * (length * k as f64), Vec3::x() * (length * (k + 1) as f64));
        let body = b.cube(mass, 0.3 * length).at(to.into());
        let body = b.given(body, mass);
        let name = b.name("element");
        let ((root, _), (tip, _)) = (b.marker(parent, from, Quat::identity()), b.marker(body, to, Quat::identity()));
        if b.room == Room::Space {
            let beam = Beam::new(&name, tip, root, length, Section::round(radius, e, 0.3));
            let ratio = b.pick(&[0.0, 0.01, 0.1]) / rate;
            b.model.add_force(beam.damping_ratio(ratio));
        } else {
            let (j, _) = b.marker(parent, to, Quat::identity());
            let k = mass * rate * rate;
            let turn = k * length * length;
            let bushing = Bushing::new(&name, tip, j).diagonal_stiffness([k, k, k, turn, turn, turn]);
            let ratio = b.pick(&[0.0, 0.01, 0.1]) / rate;
            b.model.add_force(bushing.diagonal_damping([k, k, k, turn, turn, turn].map(|k| k * ratio)));
        }
        parent = body;
    }
    if b.once_in(2) {
        loads::some(b);
    }
}
