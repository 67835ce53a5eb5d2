//! One case per element: how it is put between two bodies. Laws are scaled to be of order one and smooth.

use super::{Site, Style};
use cardan::constraints::{JointType, joints};
use cardan::math::dual::DualVec3;
use cardan::math::spline::Curve;
use cardan::math::{Mat6, random::Random};
use cardan::prelude::*;
use std::sync::Arc;

type Add = Box<dyn Fn(&mut Model, &mut Site, [BodyId; 2])>;

/// An element and how to add it.
pub struct Case {
    pub name: &'static str,
    pub add: Add,
}

/// A case between two markers of the site's style.
fn between(name: &'static str, add: impl Fn(&mut Model, &mut Site, MarkerId, MarkerId) + 'static) -> Case {
    let add = move |model: &mut Model, site: &mut Site, bodies: [BodyId; 2]| {
        let [i, j] = bodies.map(|b| site.marker(model, b));
        add(model, site, i, j);
    };
    Case { name, add: Box::new(add) }
}

/// All cases.
pub fn cases() -> Vec<Case> {
    let mut out: Vec<Case> = joints::all().into_iter().map(joint).collect();
    out.extend(driven());
    out.extend(couplers());
    out.extend(written());
    out.extend(forces());
    out.extend(expressions());
    out
}

fn joint(kind: Arc<dyn JointType>) -> Case {
    between(kind.name(), move |model, _, i, j| {
        model.add_joint(Joint { name: "joint".into(), kind: kind.clone(), i, j });
    })
}

fn driven() -> Vec<Case> {
    let function = || TimeFunction::new(|t| (t * 1.7).sin() * 0.4 + t * t);
    vec![
        between("motion translation", move |model, _, i, j| {
            model.add_constraint(Motion::between("motion", i, j, Coordinate::Translation, function()));
        }),
        between("motion rotation", move |model, _, i, j| {
            model.add_constraint(Motion::between("motion", i, j, Coordinate::Rotation, function()));
        }),
    ]
}

/// Two cylindrical joints on a common carrier, which is free where markers are free.
fn on_carrier(model: &mut Model, site: &mut Site, bodies: [BodyId; 2]) -> [JointId; 2] {
    let side = if site.style == Style::Any { super::Side::Rigid } else { super::Side::Planar };
    let carrier = site.body(model, "carrier", side);
    [0, 1].map(|k| {
        let (i, j) = (site.marker(model, bodies[k]), site.marker(model, carrier));
        model.add_joint(Joint::new(&format!("joint{k}"), Cylindrical, i, j))
    })
}

fn couplers() -> Vec<Case> {
    type Make = fn([JointId; 2]) -> Coupler;
    let make: [(&'static str, Make); 3] = [
        ("gear", |[a, b]| Coupler::gear("coupler", a, 0.7, b, -1.3)),
        ("rack and pinion", |[a, b]| Coupler::rack_and_pinion("coupler", a, b, 0.4)),
        ("coupler", |[a, b]| {
            let term = |factor, joint, coordinate| Term { factor, joint, coordinate };
            let terms =
                vec![term(0.5, a, Coordinate::Translation), term(-1.5, b, Coordinate::Translation), term(0.8, b, Coordinate::Rotation)];
            Coupler::new("coupler", terms).with_offset(0.3)
        }),
    ];
    let case = |(name, make): (&'static str, Make)| Case {
        name,
        add: Box::new(move |model, site, bodies| {
            let joints = on_carrier(model, site, bodies);
            model.add_constraint(make(joints));
        }),
    };
    make.into_iter().map(case).collect()
}

/// A gently bent curve: flat for planar models, else winding in space.
fn curve(style: Style) -> Curve {
    let lift = if style == Style::Any { 0.6 } else { 0.0 };
    let point = |k: i32| {
        let a = 0.11 * f64::from(k - 6);
        Vec3::new(12.0 * a.sin(), 12.0 * (1.0 - a.cos()), lift * (3.0 * a).sin())
    };
    Curve::open(&(0..13).map(point).collect::<Vec<_>>()).unwrap()
}

fn written() -> Vec<Case> {
    vec![
        between("user constraint", |model, _, i, j| {
            model.add_constraint(UserConstraint::new("user", &[i, j], |m, t| {
                let d = m[0].position - m[1].position;
                d.dot(&m[1].axis(0)) * t.sin() + m[0].axis(1).dot(&m[1].axis(2)) * d.dot(&d) * t * t + d.x * d.y * 0.3 - t.exp()
            }));
        }),
        between("point on curve", |model, site, i, j| {
            model.add_constraint(PointOnCurve::new("curve", i, j, curve(site.style)));
        }),
        Case {
            name: "rolling disk",
            add: Box::new(|model, site, [a, b]| {
                let flat = site.style != Style::Any;
                let disk = site.marker_of(model, a, if flat { Style::Vertical } else { Style::Any });
                let plane = site.marker_of(model, b, if flat { Style::InPlane } else { Style::Any });
                model.add_constraint(RollingDisk::new("disk", disk, plane, 0.35));
            }),
        },
        between("knife edge", |model, _, i, j| model.add_constraint(KnifeEdge::new("knife", i, j))),
    ]
}

/// A random symmetric matrix, positive definite.
pub fn definite(random: &mut Random) -> Mat6 {
    let a = Mat6::from_fn(|_, _| random.range(-1.0, 1.0));
    a * a.transpose() + Mat6::identity() * 0.1
}

/// A section whose stiffnesses are of order one at length one.
pub fn soft_section() -> Section {
    Section { area: 2.0, bending: [0.3, 0.5], torsion: 0.7, shear: [0.8, 0.6], youngs_modulus: 1.5, shear_modulus: 0.6 }
}

fn bushing(site: &mut Site, i: MarkerId, j: MarkerId) -> Bushing {
    let (k, c) = (definite(&mut site.random), definite(&mut site.random));
    Bushing::new("force", i, j).stiffness(k).damping(c).preload([0.3, -0.2, 0.5], [0.1, 0.6, -0.4]).offset([0.2, -0.1, 0.3])
}

fn forces() -> Vec<Case> {
    let mut out = vec![
        between("SpringDamper", |model, _, i, j| {
            model.add_force(SpringDamper::new("force", i, j).stiffness(3.0).damping(0.8).free_length(0.6).preload(0.4));
        }),
        between("RotationalSpringDamper", |model, _, i, j| {
            model.add_force(RotationalSpringDamper::new("force", i, j).stiffness(2.0).damping(0.7).free_angle(0.3).preload(-0.5));
        }),
        between("Bushing", |model, site, i, j| {
            let bushing = bushing(site, i, j);
            model.add_force(bushing);
        }),
        between("Beam", |model, _, i, j| model.add_force(Beam::new("force", i, j, 0.9, soft_section()).damping_ratio(0.3))),
    ];
    out.extend(frictions());
    out.extend(functions());
    out
}

/// Ordinary coefficients: with large ones the accelerations need not exist (the paradox of Painlevé).
fn frictions() -> Vec<Case> {
    vec![
        between("JointFriction sliding", |model, _, i, j| {
            let joint = model.add_joint(Joint::new("joint", Cylindrical, i, j));
            model.add_force(JointFriction::sliding("force", joint, 0.3, 0.2).transition_speed(0.4).preload(0.3));
        }),
        between("JointFriction pin", |model, _, i, j| {
            let joint = model.add_joint(Joint::new("joint", Revolute, i, j));
            model.add_force(JointFriction::pin("force", joint, 0.7, 0.3, 0.2).transition_speed(0.4));
        }),
    ]
}

fn functions() -> Vec<Case> {
    let lines = [("SingleForce between", Line::Between), ("SingleForce axis", Line::Axis), ("SingleForce rotation", Line::Rotation)];
    let single = |(name, line): (&'static str, Line)| {
        between(name, move |model, _, i, j| {
            model.add_force(SingleForce::new("force", i, j, line, |t, s, rate| s.sin() * t - rate * rate * s * 0.3));
        })
    };
    let mut out: Vec<Case> = lines.into_iter().map(single).collect();
    out.push(between("VectorForce", |model, _, i, j| {
        model.add_force(VectorForce::new("force", i, j, |k| {
            k.displacement * k.displacement.norm2() - k.velocity * (k.rotation[(0, 1)] + k.time)
        }));
    }));
    out.push(between("GeneralForce", |model, _, i, j| {
        model.add_force(GeneralForce::new("force", i, j, |k| {
            let follower = k.rotation * DualVec3::new(1.0.into(), Dual::constant(-0.5), k.angular_velocity.x);
            (follower - k.velocity * k.displacement.x, k.angular_velocity.cross(&k.displacement) - k.rotation.column(2))
        }));
    }));
    out
}

/// Squared length, for laws over dual numbers.
trait Squared {
    fn norm2(&self) -> Dual;
}

impl Squared for DualVec3 {
    fn norm2(&self) -> Dual {
        self.dot(self)
    }
}

/// The name of a marker in expressions.
pub fn name(model: &Model, marker: MarkerId) -> String {
    let marker = &model.markers()[marker.index()];
    format!("{}.{}", model.bodies()[marker.body.index()].name, marker.name)
}

/// Forces and a constraint given by expressions, which read positions, velocities, accelerations and time.
fn expressions() -> Vec<Case> {
    let single = |(label, line): (&'static str, Line)| {
        between(label, move |model, _, i, j| {
            let [a, b] = [i, j].map(|m| name(model, m));
            let text = format!("SIN(DM({a}, {b})) - 0.3*VZ({a}, {b}, {b}, {a}) + 0.1*ACCX({a}, {b}, {b}) + TIME*WY({b})*AZ({a}, {b})");
            model.add_force(ExpressionForce::single("force", i, j, line, text));
        })
    };
    let lines = [("expression between", Line::Between), ("expression axis", Line::Axis), ("expression rotation", Line::Rotation)];
    let mut out: Vec<Case> = lines.into_iter().map(single).collect();
    out.push(between("expression general", |model, site, i, j| {
        let k = site.marker(model, model.markers()[i.index()].body);
        let [a, b, c] = [i, j, k].map(|m| name(model, m));
        let texts = [
            format!("DX({a}, {b}, {c}) - 0.2*VR({a}, {b})"),
            format!("-VY({a}, {b}, {c})*DM({a}, {b})"),
            "2*COS(TIME)".to_string(),
            format!("-WX({a}, {b}, {b})"),
            format!("0.1*WDTZ({a}, {b}, {c})"),
            format!("VM({a}, {c}) - 1*AZ({a}, {b})"),
        ];
        model.add_force(ExpressionForce::general("force", i, j, k, texts));
    }));
    out.push(between("expression constraint", |model, _, i, j| {
        let [a, b] = [i, j].map(|m| name(model, m));
        let text = format!("DX({a}, {b}, {b})*SIN(TIME) + 0.5*DM({a}, {b})**2*TIME - 0.3*DY({b}, {a}, ground)*AZ({a}, {b}) - EXP(TIME)");
        model.add_constraint(UserConstraint::expression("user", text));
    }));
    out
}
