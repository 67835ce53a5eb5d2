//! Joints, motions and couplers.

use super::super::field::{Function, Name, Quantity};
use super::super::problem::Span;
use super::super::tables::{self, Coupler, Freedom, z_along};
use super::Lowering;
use cardan::bodies::MarkerId;
use cardan::constraints::{self, Coordinate, Drive, Joint, JointId, Motion, Prescribed, Term};
use cardan::expr::{alike, in_words};
use cardan::math::{Quat, UnitVec3, Vec3};
use cardan::measures::TimeFunction;
use cardan::units::Dimension;

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
        let (prescribed, function) = self.prescribed(name, span, t, coordinate)?;
        let function = TimeFunction::expression(self.text("motion", name, prescribed.key(), function));
        let start = t.initial_displacement.as_ref();
        let initial_displacement = match start.map(|x| self.quantity(x, coordinate.dimension(), name, "initial_displacement")) {
            Some(x) => Some(x?),
            None => None,
        };
        self.model.add_constraint(Motion { name: name.into(), drive, coordinate, function, prescribed, initial_displacement });
        Some(())
    }

    /// What a motion prescribes, and the function that does.
    fn prescribed<'t>(&mut self, name: &str, span: &Span, t: &'t tables::Motion, of: Coordinate) -> Option<(Prescribed, &'t Function)> {
        let prescribed = match (&t.function, &t.velocity, &t.acceleration) {
            (Some(f), None, None) if t.initial_displacement.is_none() && t.initial_velocity.is_none() => (Prescribed::Displacement, f),
            (None, Some(f), None) if t.initial_velocity.is_none() => (Prescribed::Velocity, f),
            (None, None, Some(f)) => {
                let dimension = of.dimension().times(Dimension::TIME.to_the(-1));
                let start = t.initial_velocity.as_ref().map(|v| self.quantity(v, dimension, name, "initial_velocity"));
                (Prescribed::Acceleration { initial_velocity: start.unwrap_or(Some(0.0))? }, f)
            }
            (Some(_), None, None) | (None, Some(_), None) => {
                let message = format!("motion '{name}': its function gives where it starts");
                return self.problem(span, message, "needs no 'initial_velocity', nor 'initial_displacement' beside 'function'");
            }
            _ => {
                let message = format!("motion '{name}' needs one of function, velocity and acceleration");
                return self.problem(span, message, "needs 'function', 'velocity' or 'acceleration'");
            }
        };
        Some(prescribed)
    }

    /// The value of a number that must have this dimension, or none.
    fn quantity(&mut self, quantity: &Quantity, dimension: Dimension, element: &str, key: &str) -> Option<f64> {
        match quantity.amount.dimension().filter(|d| !alike(*d, dimension)) {
            None => Some(quantity.amount.value),
            Some(found) => {
                let message = format!("{key} of '{element}' is {}, but this is {}", in_words(dimension), in_words(found));
                self.problem(&quantity.span, message, "of another dimension")
            }
        }
    }

    pub(super) fn coupler(&mut self, name: &str, span: &Span, t: &Coupler) -> Option<()> {
        self.place("constraint", name, span)?;
        let (coupler, offset) = match t {
            Coupler::Linear(t) => {
                let terms: Vec<Option<Term>> = t.terms.iter().map(|term| self.term(term)).collect();
                let terms = terms.into_iter().collect::<Option<Vec<_>>>()?;
                self.check_terms(name, t, &terms)?;
                (constraints::Coupler::new(name, terms), t.offset.as_ref().map(|offset| offset.amount.value))
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
        Some(Term { factor: t.factor.amount.value, joint, coordinate })
    }

    /// The terms of a coupler whose factors have units, and its offset: all lengths, or all angles. A plain factor fits both.
    fn check_terms(&mut self, name: &str, t: &tables::LinearCoupler, terms: &[Term]) -> Option<()> {
        let with_unit = |q: &Quantity| q.amount.dimension().map(|d| (d, q.span.clone()));
        let products = t.terms.iter().zip(terms).filter_map(|(table, term)| {
            let (factor, span) = with_unit(&table.factor)?;
            Some((factor.times(term.coordinate.dimension()), span))
        });
        let sides: Vec<(Dimension, Span)> = products.chain(t.offset.as_ref().and_then(with_unit)).collect();
        let of_sum = sides.first().map_or(Dimension::LENGTH, |(first, _)| *first);
        for (side, span) in sides {
            if !alike(side, Dimension::LENGTH) && !alike(side, Dimension::ANGLE) {
                let message = format!("coupler '{name}' adds lengths or angles, but with this factor a coordinate is {}", in_words(side));
                return self.problem(&span, message, "of another dimension");
            }
            if !alike(side, of_sum) {
                let message = format!("coupler '{name}' adds {} to {}", in_words(side), in_words(of_sum));
                return self.problem(&span, message, "of another dimension");
            }
        }
        Some(())
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
