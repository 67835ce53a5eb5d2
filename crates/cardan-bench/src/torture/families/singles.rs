//! One or two bodies with something sharp: bounces, fast spins, a servo, stick and slip.

use super::super::builder::{Builder, Room, number as n};
use super::super::loads;
use cardan::forces::Line;
use cardan::prelude::*;
use std::f64::consts::PI;

/// A ball on a stiff floor.
pub fn bounce(b: &mut Builder) {
    let up = if b.room == Room::Plane { Vec3::y() } else { Vec3::z() };
    b.model.set_gravity((up * -b.g).into());
    let (mass, height) = (b.mass, b.size * b.random.range(0.2, 1.5));
    let speed = b.speed();
    let ball = b.cube(mass, 0.2 * b.size).at((up * height).into()).moving([0.3 * speed, 0.0, 0.0]).spinning([0.0, 0.0, 2.0 * b.rate()]);
    let ball = b.given(ball, mass);
    let at = b.position(ball);
    let [(i, i_name), (j, j_name)] = b.pair(ball, BodyId::GROUND, Vec3::zeros(), at);
    let exponent = b.pick(&[1.0, 1.5, 2.2]);
    let k = mass * b.g / b.size.powf(exponent) * b.decades(1e3, 1e8);
    let damping = if b.once_in(2) { 0.0 } else { mass * b.rate() * b.decades(0.3, 100.0) };
    let axis = if b.room == Room::Plane { "Y" } else { "Z" };
    let law = format!(
        "IMPACT(D{axis}({i_name}, {j_name}), V{axis}({i_name}, {j_name}), 0, {}, {exponent}, {}, {})",
        n(k),
        n(damping),
        n(1e-4 * b.size)
    );
    let zero = || "0".to_string();
    let functions = if b.room == Room::Plane { [zero(), law, zero()] } else { [zero(), zero(), law] };
    b.model.add_force(ExpressionForce::vector("floor", i, j, j, functions));
    b.t_end *= 1.5;
}

/// A free body that spins fast, perhaps with a thrust fixed in it, perhaps on a point.
pub fn spinner(b: &mut Builder) {
    b.room = Room::Space;
    let speed = b.decades(10.0, 4000.0);
    b.t_end = b.t_end.min(1500.0 / speed);
    b.fastest = b.fastest.max(speed);
    let (l, m) = (b.size, b.mass);
    let inertia = Inertia::cuboid(m, l * b.random.range(0.5, 1.0), l * b.random.range(0.5, 1.0), 0.3 * l);
    let tilt = Quat::from_axis_angle(&Vec3::x_axis(), b.random.range(0.1, 1.0));
    let wobble = b.pick(&[0.0, 0.01, 0.3]);
    let name = b.name("top");
    let body = Body::rigid(&name, m, inertia).oriented(tilt).spinning([wobble * speed, 0.0, speed]);
    let top = b.given(body, m);
    let sensor = b.name("angle");
    b.model.add_sensor(Sensor::new(&sensor, format!("AZ({name}, ground)")));
    match b.random.bits() % 3 {
        0 => {
            let ((i, _), (j, _)) = (b.marker(top, Vec3::zeros(), tilt), b.marker(BodyId::GROUND, Vec3::zeros(), Quat::identity()));
            let thrust = loads::of_time(b, 3.0 * m * b.g);
            b.model.add_force(ExpressionForce::vector("thrust", i, j, i, [format!("0.01*({thrust})"), "0".into(), thrust]));
        }
        1 => {
            let at = tilt * Vec3::new(0.0, 0.0, -0.3 * l);
            b.joint(Spherical, top, BodyId::GROUND, at);
        }
        _ => {}
    }
}

/// A body on an axle that a controller with integral action moves to an angle that jumps.
pub fn servo(b: &mut Builder) {
    let (l, m) = (b.size, b.mass);
    let arm = b.cube(m, 0.5 * l).at([0.5 * l, 0.0, 0.0]);
    let arm = b.given(arm, m);
    let axle = b.joint_along(Revolute, arm, BodyId::GROUND, Vec3::zeros(), Quat::identity());
    let joint = b.joints[axle].clone();
    let (i, j) = (&joint.i, &joint.j);
    let height = b.random.range(0.2, 2.0);
    let target = loads::of_time(b, height);
    b.model.add_variable(Variable::new("miss", format!("{target} - AZ({i}, {j})")));
    let (p, rate) = (m * b.g * l * b.decades(3.0, 1e3), b.rate());
    b.model.add_state(Differential::new("integral", "VARVAL(miss)", 0.0));
    let quick = n(rate * b.decades(10.0, 1e4));
    b.model.add_state(Differential::new("lag", format!("{quick}*(VARVAL(miss) - DIF(lag))"), 0.0));
    let damping = (p * m).sqrt() * l * b.decades(0.1, 2.0);
    let limit = n(m * b.g * l * b.decades(2.0, 100.0));
    let law = format!("{}*DIF(lag) + {}*DIF(integral) - {}*WZ({i}, {j}, {j})", n(p), n(p * rate * 0.3), n(damping));
    let law = if b.once_in(2) { format!("MAX(-{limit}, MIN({limit}, {law}))") } else { law };
    b.model.add_force(ExpressionForce::single("servo", joint.markers[0], joint.markers[1], Line::Rotation, law));
}

/// A block on a rough slide, drawn by a spring whose end moves.
pub fn stick_slip(b: &mut Builder) {
    let (l, m) = (b.size, b.mass);
    let along_x = Quat::from_axis_angle(&Vec3::y_axis(), PI / 2.0);
    let block = b.cube(m, 0.2 * l);
    let block = b.given(block, m);
    let slide = b.joint_along(Translational, block, BodyId::GROUND, Vec3::zeros(), along_x);
    let joint = b.joints[slide].clone();
    let mu = b.random.range(0.1, 0.5);
    let slow = b.speed() * b.decades(1e-4, 1e-2);
    let friction = JointFriction::sliding("friction", joint.id, mu * b.random.range(1.0, 1.6), mu);
    b.model.add_force(friction.transition_speed(slow).preload(m * b.g));
    let k = m * b.rate().powi(2) * b.decades(1.0, 100.0);
    let (speed, start) = (b.speed() * b.decades(0.03, 0.5), b.random.range(0.0, 0.4) * b.t_end);
    b.break_at(start);
    b.t_end *= 2.0;
    let function = format!("{}*({}*MAX(0, TIME - {}) - DZ({}, {}, {}))", n(k), n(speed), n(start), joint.i, joint.j, joint.j);
    b.model.add_force(ExpressionForce::single("pull", joint.markers[0], joint.markers[1], Line::Axis, function));
}
