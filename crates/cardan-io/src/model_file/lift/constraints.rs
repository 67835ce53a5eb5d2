//! Joints, motions, couplers and other constraints.

use super::super::field::{Name, Named, Quantity};
use super::super::tables::{
    self, Constraint, Coupler, CouplerTerm, Freedom, FunctionConstraint, Joint, JointKind, LinearCoupler, Sections,
};
use super::{Lifting, entry, function, unless_zero};
use cardan::constraints::{Constraint as _, Coordinate, Drive, JointId, Prescribed};
use cardan::model::Extra;

fn freedom(coordinate: Coordinate) -> Freedom {
    match coordinate {
        Coordinate::Translation => Freedom::Translation,
        Coordinate::Rotation => Freedom::Rotation,
    }
}

impl Lifting<'_> {
    pub(super) fn joints(&self) -> Named<Joint> {
        Named(
            self.model
                .joints()
                .iter()
                .map(|joint| {
                    let parameter = joint.kind.parameter().map(|p| p.value);
                    let (i, j) = (Some(self.names.of(joint.i)), Some(self.names.of(joint.j)));
                    let kind = JointKind { joint: joint.kind.clone(), parameter };
                    entry(&joint.name, Joint { kind, i, j, between: None, at: None, axis: None, orientation: None })
                })
                .collect(),
        )
    }

    pub(super) fn joint(&self, joint: JointId) -> Name {
        Name::from(self.model.joints()[joint.index()].name.as_str())
    }

    pub(super) fn extras(&self, out: &mut Sections, rust: &mut Vec<String>) {
        for extra in self.model.extras() {
            let name = extra.name();
            let mut constraint = |table| out.constraints.0.push(entry(name, table));
            match extra {
                Extra::Motion(m) => match m.function.text() {
                    Some(text) => out.motions.0.push(entry(name, self.motion(m, text))),
                    None => rust.push(format!("motion '{name}'")),
                },
                Extra::Coupler(c) => out.couplers.0.push(entry(name, Coupler::Linear(self.coupler(c)))),
                Extra::User(_) => rust.push(format!("constraint '{name}'")),
                Extra::Expression(c) => constraint(Constraint::Function(FunctionConstraint { function: function(&c.function) })),
                Extra::Curve(c) => constraint(Constraint::PointOnCurve(self.curve(c))),
                Extra::Rolling(r) => {
                    let (disk, plane) = (self.names.of(r.disk), self.names.of(r.plane));
                    constraint(Constraint::RollingDisk(tables::RollingDisk { disk, plane, radius: r.radius }));
                }
                Extra::KnifeEdge(k) => {
                    let (blade, plane) = (self.names.of(k.markers()[0]), self.names.of(k.markers()[1]));
                    constraint(Constraint::KnifeEdge(tables::KnifeEdge { blade, plane }));
                }
            }
        }
    }

    fn motion(&self, m: &cardan::constraints::Motion, text: &str) -> tables::Motion {
        let (joint, i, j) = match m.drive {
            Drive::Joint(joint) => (Some(self.joint(joint)), None, None),
            Drive::Markers(i, j) => (None, Some(self.names.of(i)), Some(self.names.of(j))),
        };
        let (mut displacement, mut velocity, mut acceleration, mut initial_velocity) = (None, None, None, None);
        match m.prescribed {
            Prescribed::Displacement => displacement = Some(function(text)),
            Prescribed::Velocity => velocity = Some(function(text)),
            Prescribed::Acceleration { initial_velocity: start } => {
                acceleration = Some(function(text));
                initial_velocity = unless_zero(start).map(|v| Quantity::of(v, None));
            }
        }
        let initial_displacement = m.initial_displacement.map(|x| Quantity::of(x, None));
        let coordinate = Some(freedom(m.coordinate));
        tables::Motion { joint, i, j, coordinate, function: displacement, velocity, acceleration, initial_displacement, initial_velocity }
    }

    fn coupler(&self, c: &cardan::constraints::Coupler) -> LinearCoupler {
        let term = |t: &cardan::constraints::Term| CouplerTerm {
            joint: self.joint(t.joint),
            coordinate: Some(freedom(t.coordinate)),
            factor: Quantity::of(t.factor, None),
        };
        LinearCoupler { terms: c.terms.iter().map(term).collect(), offset: c.offset.map(|offset| Quantity::of(offset, None)) }
    }

    fn curve(&self, c: &cardan::constraints::PointOnCurve) -> tables::PointOnCurve {
        let (i, j) = (self.names.of(c.markers()[0]), self.names.of(c.markers()[1]));
        let points = c.curve().points().iter().map(|p| (*p).into()).collect();
        tables::PointOnCurve { i, j, points, closed: c.curve().is_closed().then_some(true) }
    }
}
