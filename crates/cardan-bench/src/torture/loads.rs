//! What acts on a mechanism besides its joints: functions of time with breaks and pulses, kinks in functions of the state, stiff
//! elements, friction.

use super::builder::{Builder, Room, number as n};
use cardan::constraints::Term;
use cardan::forces::{Line, Section};
use cardan::prelude::*;
use std::f64::consts::{PI, TAU};

/// Adds up to three loads of any kind.
pub fn some(b: &mut Builder) {
    const LOADS: &[fn(&mut Builder)] = &[push, push, push, torque, stop, floor, rope, slack, saturated, spring, bushing, friction, beam];
    for _ in 0..1 + b.random.bits() % 3 {
        let load = b.pick(LOADS);
        load(b);
    }
}

/// A function of time of this amplitude: ramps, pulses, waves; from smooth to discontinuous, from slow to very short.
pub fn of_time(b: &mut Builder, amplitude: f64) -> String {
    let t0 = b.random.range(0.05, 0.8) * b.t_end;
    let w = b.decades(1e-3, 0.3) * b.t_end;
    let (t1, middle) = (t0 + w, t0 + 0.5 * w);
    let a = n(amplitude * (1.0 + b.nudge));
    let pulse = |f: &str| format!("{a}*({f}(TIME, {}, 0, {}, 1) - {f}(TIME, {}, 0, {}, 1))", n(t0), n(middle), n(middle), n(t1));
    let (text, breaks) = match b.random.bits() % 10 {
        0 => (format!("STEP(TIME, {}, 0, {}, {a})", n(t0), n(t1)), vec![t0, t1]),
        1 => (pulse("STEP5"), vec![t0, middle, t1]),
        2 => (pulse("HAVSIN"), vec![t0, middle, t1]),
        3 => (pulse("STEP"), vec![t0, middle, t1]),
        4 => (format!("IF(TIME - {}: 0, 0, {a})*IF(TIME - {}: 1, 1, 0)", n(t0), n(t1)), vec![t0, t1]),
        5 => (format!("{a}*EXP(-((TIME - {})/{})**2)", n(t0), n(0.3 * w)), vec![t0]),
        6 => {
            let rate = TAU / (b.t_end * b.random.range(0.1, 0.7));
            (format!("{a}*MAX(0, SIN({}*TIME))", n(rate)), (1..40).map(|k| f64::from(k) * PI / rate).collect())
        }
        7 => {
            let period = b.t_end * b.random.range(0.1, 0.7);
            (format!("{a}*MOD(TIME, {p})/{p}", p = n(period)), (1..12).map(|k| f64::from(k) * period).collect())
        }
        8 => (format!("{a}*MAX(0, 1 - ABS(TIME - {})/{})", n(middle), n(0.5 * w)), vec![t0, middle, t1]),
        _ => {
            let rate = b.rate() * b.random.range(0.3, 5.0);
            (format!("{a}*SIN({}*TIME)", n(rate)), vec![])
        }
    };
    breaks.into_iter().for_each(|t| b.break_at(t));
    text
}

/// A body of the mechanism with its mass.
fn any_body(b: &mut Builder) -> (BodyId, f64) {
    let k = b.random.bits() as usize % b.bodies.len();
    b.bodies[k]
}

/// A push by a function of time.
fn push(b: &mut Builder) {
    let (body, mass) = any_body(b);
    let at = b.position(body);
    let offset = b.random.vector(0.3 * b.size);
    let offset = if b.room == Room::Plane { Vec3::new(offset.x, offset.y, 0.0) } else { offset };
    let [(i, _), (j, _)] = b.pair(body, BodyId::GROUND, at, offset);
    let amplitude = mass * b.g * b.decades(0.5, 10.0);
    let function = of_time(b, amplitude);
    let name = b.name("push");
    let functions = [function.clone(), format!("-0.4*({function})"), "0".into()];
    b.model.add_force(ExpressionForce::vector(&name, i, j, j, functions));
}

/// A joint with this coordinate free.
fn any_joint(b: &mut Builder, coordinate: Coordinate) -> Option<super::builder::Placed> {
    let free: Vec<_> = b.joints.iter().filter(|j| j.free.contains(&coordinate)).cloned().collect();
    (!free.is_empty()).then(|| free[b.random.bits() as usize % free.len()].clone())
}

/// A torque on a joint by a function of time.
fn torque(b: &mut Builder) {
    let Some(joint) = any_joint(b, Coordinate::Rotation) else { return push(b) };
    let amplitude = b.mass * b.g * b.size * b.decades(0.1, 2.0);
    let (function, name) = (of_time(b, amplitude), b.name("torque"));
    b.model.add_force(ExpressionForce::single(&name, joint.markers[0], joint.markers[1], Line::Rotation, function));
}

/// Stops on both sides of a joint's rotation.
fn stop(b: &mut Builder) {
    let Some(joint) = any_joint(b, Coordinate::Rotation) else { return floor(b) };
    let reach = b.random.range(0.05, 0.8);
    let k = b.mass * b.g * b.size * b.decades(1e2, 1e5);
    let damping = k * b.decades(1e-4, 1e-2) / b.rate();
    let exponent = b.pick(&[1.0, 1.5, 2.2]);
    let (i, j, name) = (&joint.i, &joint.j, b.name("stop"));
    let function =
        format!("BISTOP(AZ({i}, {j}), WZ({i}, {j}, {j}), {}, {}, {}, {exponent}, {}, 0.001)", n(-reach), n(reach), n(k), n(damping));
    b.model.add_force(ExpressionForce::single(&name, joint.markers[0], joint.markers[1], Line::Rotation, function));
}

/// A body falls on a floor.
fn floor(b: &mut Builder) {
    let (body, mass) = any_body(b);
    let at = b.position(body);
    let [(i, i_name), (j, j_name)] = b.pair(body, BodyId::GROUND, at, Vec3::zeros());
    let depth = b.random.range(0.05, 0.5) * b.size;
    let exponent = b.pick(&[1.0, 1.5, 2.2]);
    let k = mass * b.g / b.size.powf(exponent) * b.decades(1e2, 1e6);
    let damping = mass * b.rate() * b.decades(0.1, 30.0);
    let (axis, other) = if b.room == Room::Plane { ("Y", 1) } else { ("Z", 2) };
    let law = format!(
        "IMPACT(D{axis}({i_name}, {j_name}), V{axis}({i_name}, {j_name}), {}, {}, {exponent}, {}, {})",
        n(-depth),
        n(k),
        n(damping),
        n(1e-4 * b.size)
    );
    let mut functions = ["0".to_string(), "0".into(), "0".into()];
    functions[other] = law;
    let name = b.name("floor");
    b.model.add_force(ExpressionForce::vector(&name, i, j, j, functions));
}

/// A rope: it only pulls.
fn rope(b: &mut Builder) {
    let (body, mass) = any_body(b);
    let at = b.position(body);
    let shift = Vec3::new(0.9, 0.7, 0.0) * b.size;
    let [(i, i_name), (j, j_name)] = b.pair(body, BodyId::GROUND, at - shift, shift);
    let length = shift.norm() * b.random.range(0.95, 1.3);
    let k = mass * b.rate().powi(2) * b.decades(10.0, 1e5);
    let name = b.name("rope");
    let function = format!("-{}*MAX(0, DM({i_name}, {j_name}) - {})", n(k), n(length));
    b.model.add_force(ExpressionForce::single(&name, i, j, Line::Between, function));
}

/// A spring with another stiffness on its other side.
fn slack(b: &mut Builder) {
    let (body, mass) = any_body(b);
    let at = b.position(body);
    let [(i, i_name), (j, j_name)] = b.pair(body, BodyId::GROUND, at, Vec3::zeros());
    let k = mass * b.rate().powi(2) * b.decades(1.0, 1e4);
    let x = format!("DX({i_name}, {j_name})");
    let name = b.name("slack");
    let function = format!("IF({x}: -{}*{x}, 0, -{}*{x})", n(k), n(k * 0.01));
    b.model.add_force(ExpressionForce::vector(&name, i, j, j, [function, "0".into(), "0".into()]));
}

/// A brake that saturates.
fn saturated(b: &mut Builder) {
    let (body, mass) = any_body(b);
    let at = b.position(body);
    let [(i, i_name), (j, j_name)] = b.pair(body, BodyId::GROUND, at, Vec3::zeros());
    let (force, speed) = (mass * b.g * b.random.range(0.1, 0.7), b.speed() * b.decades(1e-3, 1e-1));
    let part = |v: &str| format!("-{}*MAX(-1, MIN(1, {v}({i_name}, {j_name})/{}))", n(force), n(speed));
    let name = b.name("brake");
    b.model.add_force(ExpressionForce::vector(&name, i, j, j, [part("VX"), part("VY"), "0".into()]));
}

/// A spring-damper, soft to very stiff.
fn spring(b: &mut Builder) {
    let (body, mass) = any_body(b);
    let at = b.position(body);
    let shift = Vec3::new(0.5, 0.4, 0.0) * b.size;
    let [(i, _), (j, _)] = b.pair(body, BodyId::GROUND, at - shift, shift);
    let k = mass * b.rate().powi(2) * b.decades(1.0, 1e6);
    let damping = 2.0 * (k * mass).sqrt() * b.decades(1e-2, 2.0);
    let name = b.name("spring");
    b.model.add_force(SpringDamper::new(&name, i, j).stiffness(k).damping(damping).free_length(shift.norm()));
}

/// A stiff bushing.
fn bushing(b: &mut Builder) {
    let (body, mass) = any_body(b);
    let at = b.position(body);
    let [(i, _), (j, _)] = b.pair(body, BodyId::GROUND, at, Vec3::zeros());
    let k = mass * b.rate().powi(2) * b.decades(1.0, 1e6);
    let ratio = b.decades(1e-2, 1.0) / (k / mass).sqrt();
    let stiffness = [k, k, k, k * b.size * b.size, k * b.size * b.size, k * b.size * b.size];
    let name = b.name("bushing");
    let bushing = Bushing::new(&name, i, j).diagonal_stiffness(stiffness).diagonal_damping(stiffness.map(|k| k * ratio));
    b.model.add_force(bushing);
}

/// A body on a steel beam, fixed in the ground where the body starts.
fn beam(b: &mut Builder) {
    if b.room == Room::Plane {
        return bushing(b);
    }
    let (body, mass) = any_body(b);
    let at = b.position(body);
    let length = b.size;
    let (tip, _) = b.marker(body, at, Quat::identity());
    let (root, _) = b.marker(BodyId::GROUND, at - Vec3::x() * length, Quat::identity());
    // As thick as it needs for a chosen frequency of bending: 3 E I/L³ = m ω², I = π r⁴/4.
    let rate = b.rate() * b.decades(3.0, 300.0);
    let e = 2.1e11;
    let radius = (4.0 * mass * rate * rate * length.powi(3) / (3.0 * e * PI)).powf(0.25);
    let name = b.name("beam");
    let ratio = 0.02 / rate;
    b.model.add_force(Beam::new(&name, tip, root, length, Section::round(radius, e, 0.3)).damping_ratio(ratio));
}

/// Friction in a joint.
fn friction(b: &mut Builder) {
    let (coordinate, other) =
        if b.once_in(2) { (Coordinate::Rotation, Coordinate::Translation) } else { (Coordinate::Translation, Coordinate::Rotation) };
    let Some(joint) = any_joint(b, coordinate).or_else(|| any_joint(b, other)) else { return saturated(b) };
    let (name, mu) = (b.name("friction"), b.random.range(0.05, 0.4));
    let slow = b.speed() * b.decades(1e-4, 1e-2);
    let law = if joint.free.contains(&Coordinate::Rotation) {
        JointFriction::pin(&name, joint.id, 0.05 * b.size, mu * 1.3, mu)
    } else {
        JointFriction::sliding(&name, joint.id, mu * 1.3, mu)
    };
    b.model.add_force(law.transition_speed(slow).preload(0.1 * b.mass * b.g));
}

/// Prescribes the rotation of a joint: constant speed, a start from rest, a swing, a pause and a move.
pub fn drive(b: &mut Builder, joint: usize, speed: f64) {
    let joint = b.joints[joint].clone();
    let (t0, t1) = (b.random.range(0.1, 0.5) * b.t_end, b.random.range(0.55, 0.9) * b.t_end);
    let function = match b.random.bits() % 4 {
        0 => format!("{}*TIME", n(speed)),
        1 => format!("{}*SIN({}*TIME)", n(0.7), n(speed)),
        2 => {
            b.break_at(t0);
            b.break_at(t1);
            format!("STEP5(TIME, {}, 0, {}, {})", n(t0), n(t1), n(speed * (t1 - t0) * 0.5))
        }
        _ => {
            let short = t0 + 0.02 * b.t_end;
            b.break_at(t0);
            b.break_at(short);
            format!("{}*TIME + STEP5(TIME, {}, 0, {}, 0.05)", n(0.3 * speed), n(t0), n(short))
        }
    };
    let name = b.name("drive");
    b.fastest = b.fastest.max(2.0 * speed.abs());
    b.model.add_constraint(Motion::rotation(&name, joint.id, TimeFunction::expression(function)));
}

/// A coupler between two joints' coordinates.
pub fn couple(b: &mut Builder, first: (usize, Coordinate, f64), second: (usize, Coordinate, f64)) {
    let term = |b: &Builder, (k, coordinate, factor): (usize, Coordinate, f64)| Term { factor, joint: b.joints[k].id, coordinate };
    let (name, terms) = (b.name("coupler"), vec![term(b, first), term(b, second)]);
    b.model.add_constraint(Coupler::new(&name, terms));
}
