//! Joints, motions and couplers.

use super::super::field::Name;
use super::super::problem::Span;
use super::super::tables::{self, Coupler, Freedom, z_along};
use super::Lowering;
use cardan::bodies::MarkerId;
use cardan::constraints::{self, Coordinate, Drive, Joint, JointId, Motion, Term};
use cardan::math::{Quat, UnitVec3, Vec3};
use cardan::measures::TimeFunction;

impl Lowering<'_> {
    pub(super) fn joint(&mut self, name: &str, span: &Span, t: &tables::Joint) -> Option<()> {
        self.place("constraint", name, span)?;
        let [i, j] = self.ends(name, span, t)?;
        let mut kind = t.kind.joint.clone();
        if let Some(parameter) = kind.parameter() {
            let placed = parameter.as_placed.map(|measure| self.measured(&measure, i, j));
            kind = t.kind.parameter.or(placed).and_then(|value| kind.with_parameter(value)).unwrap_or(kind);
        }
        if let Some(mistake) = kind.mistake() {
            return self.problem(span, format!("joint '{name}': {mistake}"), "this joint");
        }
        let id = self.model.add_joint(Joint { name: name.into(), kind, i, j });
        self.joints.insert(name.into(), id);
        Some(())
    }

    /// The joint's markers: those named, or two new ones at its place.
    fn ends(&mut self, name: &str, span: &Span, t: &tables::Joint) -> Option<[MarkerId; 2]> {
        match t {
            tables::Joint { i: Some(i), j: Some(j), between: None, at: None, axis: None, orientation: None, .. } => {
                let (i, j) = (self.marker(i), self.marker(j));
                Some([i?, j?])
            }
            tables::Joint { i: None, j: None, between: Some(bodies), at: Some(at), axis, orientation, .. } => {
                let turn = match (axis, orientation) {
                    (None, None) => Quat::identity(),
                    (None, Some(turn)) => turn.rotation,
                    (Some(axis), None) => match UnitVec3::try_new(Vec3::from(*axis), 0.0) {
                        Some(axis) => z_along(axis),
                        None => return self.problem(span, format!("joint '{name}': its axis has no direction"), "this joint"),
                    },
                    _ => return self.problem(span, format!("joint '{name}': give either axis or orientation"), "not both"),
                };
                let [i, j] = bodies.each_ref().map(|body| self.end(name, span, body, Vec3::from(*at), turn));
                Some([i?, j?])
            }
            _ => {
                let needs = missing(t);
                self.problem(span, format!("joint '{name}' {needs}"), needs)
            }
        }
    }

    /// A marker `body.joint` at a place of the world.
    fn end(&mut self, joint: &str, span: &Span, body: &Name, at: Vec3, turn: Quat) -> Option<MarkerId> {
        let id = self.find_body(body)?;
        let (position, orientation) = self.pose(id);
        let back = orientation.inverse();
        self.add_marker(joint, span, id, back * (at - position), back * turn)
    }

    /// The coordinate asked for, or the joint's only one.
    pub(super) fn coordinate(&mut self, joint: JointId, given: Option<Freedom>, span: &Span) -> Option<Coordinate> {
        let kind = self.model.joints()[joint.index()].kind.clone();
        let free = kind.coordinates();
        let words = |c: &Coordinate| if *c == Coordinate::Rotation { "rotation" } else { "translation" };
        let wanted = given.map(coordinate);
        match (wanted, free) {
            (Some(wanted), free) if free.contains(&wanted) => Some(wanted),
            (None, [only]) => Some(*only),
            (None, [_, _, ..]) => {
                let message = format!("a {} joint has several coordinates: say which", kind.name());
                self.problem(span, message, "needs coordinate = \"rotation\" or \"translation\"")
            }
            (_, []) => {
                self.problem(span, format!("a {} joint leaves no coordinate free that could be used here", kind.name()), "this joint")
            }
            (Some(wanted), _) => self.problem(span, format!("a {} joint has no {}", kind.name(), words(&wanted)), "this coordinate"),
        }
    }

    pub(super) fn motion(&mut self, name: &str, span: &Span, t: &tables::Motion) -> Option<()> {
        self.place("constraint", name, span)?;
        let (drive, coordinate) = match (&t.joint, &t.i, &t.j) {
            (Some(joint), None, None) => {
                let id = self.find_joint(joint)?;
                (Drive::Joint(id), self.coordinate(id, t.coordinate, &joint.span)?)
            }
            (None, Some(i), Some(j)) => {
                let [i, j] = self.both(i, j)?;
                let Some(freedom) = t.coordinate else {
                    return self.problem(span, format!("motion '{name}' needs a coordinate"), "needs 'coordinate'");
                };
                (Drive::Markers(i, j), coordinate(freedom))
            }
            _ => {
                return self.problem(
                    span,
                    format!("motion '{name}' needs either a joint, or markers i and j"),
                    "needs 'joint', or 'i' and 'j'",
                );
            }
        };
        let function = TimeFunction::expression(self.text("motion", name, "function", &t.function));
        self.model.add_constraint(Motion { name: name.into(), drive, coordinate, function });
        Some(())
    }

    pub(super) fn coupler(&mut self, name: &str, span: &Span, t: &Coupler) -> Option<()> {
        self.place("constraint", name, span)?;
        let (coupler, offset) = match t {
            Coupler::Linear(t) => {
                let terms: Vec<Option<Term>> = t.terms.iter().map(|term| self.term(term)).collect();
                (constraints::Coupler::new(name, terms.into_iter().collect::<Option<_>>()?), t.offset)
            }
            Coupler::Gear(t) => {
                let [first, second] = t.joints.each_ref().map(|joint| self.turning(joint, Freedom::Rotation));
                (constraints::Coupler::gear(name, first?, t.radii[0], second?, t.radii[1]), t.offset)
            }
            Coupler::RackAndPinion(t) => {
                let (rack, pinion) = (self.turning(&t.rack, Freedom::Translation), self.turning(&t.pinion, Freedom::Rotation));
                (constraints::Coupler::rack_and_pinion(name, rack?, pinion?, t.radius), t.offset)
            }
        };
        self.model.add_constraint(constraints::Coupler { offset, ..coupler });
        Some(())
    }

    fn term(&mut self, t: &tables::CouplerTerm) -> Option<Term> {
        let joint = self.find_joint(&t.joint)?;
        let coordinate = self.coordinate(joint, t.coordinate, &t.joint.span)?;
        Some(Term { factor: t.factor, joint, coordinate })
    }

    /// A joint that has this coordinate.
    fn turning(&mut self, name: &Name, freedom: Freedom) -> Option<JointId> {
        let joint = self.find_joint(name)?;
        self.coordinate(joint, Some(freedom), &name.span).map(|_| joint)
    }
}

fn coordinate(freedom: Freedom) -> Coordinate {
    match freedom {
        Freedom::Rotation => Coordinate::Rotation,
        Freedom::Translation => Coordinate::Translation,
    }
}

/// What a joint lacks, or has too much of.
fn missing(t: &tables::Joint) -> &'static str {
    let (pair, place) = (t.i.is_some() || t.j.is_some(), t.between.is_some() || t.at.is_some());
    match (pair, place) {
        (true, false) if t.j.is_none() => "needs 'j', the other marker",
        (true, false) if t.i.is_none() => "needs 'i', the other marker",
        (true, false) => "has markers 'i' and 'j', so that it can have neither 'axis' nor 'orientation'",
        (false, true) if t.at.is_none() => "needs 'at', its place in the world",
        (false, true) => "needs 'between', the two bodies",
        (true, true) => "may have either 'i' and 'j', or 'between' and 'at', not both",
        (false, false) => "needs 'i' and 'j', or 'between' and 'at'",
    }
}
