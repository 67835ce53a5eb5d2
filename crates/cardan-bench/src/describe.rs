//! A problem as JSON, for the peers: the same bodies, joints and forces that Cardan computes, so that nothing is written twice.
//! Positions of markers are from the body's centre of mass, rotations are quaternions (w, x, y, z), the ground is body −1.

use crate::problems::{Observed, Problem};
use cardan::bodies::{Body, BodyId, MarkerId, Shape};
use cardan::contact::{Contact, Damping, Elastic, NormalLaw, Part, Shape as Surface};
use cardan::forces::{Components, Force, ForceLaw, Line, PairLaw};
use cardan::math::{Mat6, Quat, Vec3};
use cardan::model::Model;
use serde_json::{Value, json};
use thiserror::Error;

/// Something that peers are not told about.
#[derive(Debug, Error)]
#[error("'{element}' cannot be described to other programs: {reason}")]
pub struct DescribeError {
    element: String,
    reason: String,
}

/// The description of a problem.
pub fn describe(problem: &Problem) -> Result<Value, DescribeError> {
    let model = problem.for_peers();
    let forces = model.forces().iter().map(|f| force(model, f));
    let torques = model.expression_forces().iter().map(|f| match &f.components {
        Components::Single { line: Line::Rotation, function } => {
            let value: f64 = function.parse().map_err(|_| unknown(&f.name, "the torque is not a constant"))?;
            Ok(json!({"kind": "torque", "i": marker(model, f.i), "j": marker(model, f.j), "torque": value}))
        }
        _ => Err(unknown(&f.name, "not a torque")),
    });
    let joints = model.joints().iter().map(|j| {
        let length = j.kind.parameter().map(|p| p.value);
        json!({"kind": j.kind.name(), "i": marker(model, j.i), "j": marker(model, j.j), "length": length})
    });
    let observed = problem.observed.iter().map(|o| {
        let kind = match o {
            Observed::Position(_) => "position",
            Observed::Angle(_) => "angle",
        };
        json!({"kind": kind, "body": index(o.body())})
    });
    Ok(json!({
        "gravity": triple(model.gravity()),
        "t_end": problem.t_end,
        "bodies": model.bodies()[1..].iter().map(body).collect::<Vec<_>>(),
        "joints": joints.collect::<Vec<_>>(),
        "forces": forces.chain(torques).collect::<Result<Vec<_>, _>>()?,
        "contacts": model.contacts().iter().map(|c| contact(model, c)).collect::<Result<Vec<_>, _>>()?,
        "observed": observed.collect::<Vec<_>>(),
    }))
}

fn body(body: &Body) -> Value {
    let (kind, inertia) = match &body.shape {
        Shape::Point(p) => (if p.dimensions == 2 { "point" } else { "point-in-space" }, json!(null)),
        Shape::Planar(p) => ("planar", json!(p.inertia)),
        Shape::Rigid(r) => ("rigid", json!(r.tensor().as_slice())),
        Shape::Flexible(_) => ("flexible", json!(null)),
    };
    let rotation = match &body.shape {
        Shape::Planar(_) => Quat::from_axis_angle(&Vec3::z_axis(), body.angle),
        Shape::Point(_) | Shape::Rigid(_) | Shape::Flexible(_) => body.orientation,
    };
    let arm = body.orientation * body.center_of_mass();
    let spin = body.orientation * body.angular_velocity;
    json!({
        "kind": kind,
        "mass": cardan::bodies::Kind::mass(&body.shape),
        "inertia": inertia,
        "position": triple(body.position + arm),
        "rotation": quaternion(rotation),
        "angle": body.angle,
        "velocity": triple(body.velocity + spin.cross(&arm)),
        "angular_velocity": triple(body.angular_velocity),
    })
}

fn marker(model: &Model, id: MarkerId) -> Value {
    let marker = &model.markers()[id.index()];
    let center = if marker.body == BodyId::GROUND { Vec3::zeros() } else { model.bodies()[marker.body.index()].center_of_mass() };
    json!({"body": index(marker.body), "position": triple(marker.position - center), "rotation": quaternion(marker.orientation)})
}

fn force(model: &Model, force: &Force) -> Result<Value, DescribeError> {
    match force {
        Force::Bushing(bushing) => {
            Ok(bushing_between(model, force, "bushing", [&bushing.stiffness_matrix(), &bushing.damping_matrix()], bushing.offset))
        }
        Force::Beam(beam) => {
            let k = Mat6::from_diagonal(&beam.stiffness());
            Ok(bushing_between(model, force, "beam", [&k, &(k * beam.damping_ratio)], Vec3::new(beam.length, 0.0, 0.0)))
        }
        _ => spring(model, force),
    }
}

/// Six components; those of a beam are measured halfway between the directions of its ends.
fn bushing_between(model: &Model, force: &Force, kind: &str, stiffness_and_damping: [&Mat6; 2], offset: Vec3) -> Value {
    let [i, j] = force.markers().map(|m| marker(model, m));
    let [k, c] = stiffness_and_damping.map(|m| m.as_slice().to_vec());
    json!({"kind": kind, "i": i, "j": j, "stiffness": k, "damping": c, "offset": triple(offset)})
}

fn spring(model: &Model, force: &Force) -> Result<Value, DescribeError> {
    let (kind, law) = match force {
        Force::SpringDamper(s) => ("spring", s.law),
        Force::RotationalSpringDamper(s) => ("rotational-spring", s.law),
        _ => return Err(unknown(force.name(), "neither a spring-damper, nor a bushing or beam")),
    };
    let [i, j] = force.markers().map(|m| marker(model, m));
    Ok(json!({"kind": kind, "i": i, "j": j, "stiffness": law.stiffness, "damping": law.damping, "free": law.free}))
}

/// Shapes in the axes of their bodies, those of j none where the shapes of i touch each other; k δ between any two of them, friction.
fn contact(model: &Model, contact: &Contact) -> Result<Value, DescribeError> {
    let refused = |reason: &str| unknown(contact.name(), reason);
    let Some(NormalLaw { elastic: Elastic::Power { stiffness, exponent: 1.0 }, damping: Damping::None, .. }) = &contact.given().normal
    else {
        return Err(refused("its normal force is not a stiffness times the depth"));
    };
    let part = |part: &Part| {
        let (kind, radius) = match &part.shape {
            Surface::Sphere(sphere) => ("sphere", Some(sphere.radius)),
            Surface::HalfSpace(_) => ("half-space", None),
            _ => return Err(refused("its shapes are neither balls nor half spaces")),
        };
        Ok(json!({"kind": kind, "at": marker(model, part.marker), "radius": radius}))
    };
    let [i, j] = contact.groups().map(|parts| parts.iter().map(part).collect::<Result<Vec<_>, _>>());
    let friction = contact.given().friction.map(|friction| json!({"coefficient": friction.moving, "transition": friction.transition()}));
    Ok(json!({"i": i?, "j": j?, "stiffness": stiffness, "friction": friction}))
}

fn unknown(element: &str, reason: &str) -> DescribeError {
    DescribeError { element: element.into(), reason: reason.into() }
}

fn index(body: BodyId) -> i64 {
    body.index() as i64 - 1
}

fn triple(v: Vec3) -> [f64; 3] {
    v.into()
}

fn quaternion(q: Quat) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}
