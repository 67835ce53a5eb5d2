//! Markers by name. A body's own frame and its centre of mass are markers where they are used.

use super::super::field::Name;
use super::super::problem::{Problem, Span};
use super::Lowering;
use cardan::bodies::{BodyId, Marker, MarkerId, MarkerState, Shape};
use cardan::math::{Quat, Vec3};
use cardan::measures::{Measure, Past};

impl Lowering<'_> {
    /// Adds a marker `body.name`.
    pub(super) fn add_marker(&mut self, name: &str, span: &Span, body: BodyId, position: Vec3, orientation: Quat) -> Option<MarkerId> {
        let full = format!("{}.{name}", self.model.bodies()[body.index()].name);
        self.place("marker", &full, span)?;
        let id = self.model.add_marker(Marker::on(body).at(position.into()).oriented(orientation).named(name));
        self.markers.insert(full, id);
        Some(id)
    }

    /// A marker by name.
    pub(super) fn marker(&mut self, name: &Name) -> Option<MarkerId> {
        if let Some(id) = self.markers.get(&name.text) {
            return Some(*id);
        }
        let (body, what) = match self.bodies.get(&name.text) {
            Some(body) => (Some(*body), "origin"),
            None => name.text.rsplit_once('.').map_or((None, ""), |(body, what)| (self.bodies.get(body).copied(), what)),
        };
        match (body, what) {
            (Some(body), "origin") => Some(self.implicit(body, "origin", Vec3::zeros(), &name.span)),
            (Some(body), "cm") => {
                let center = if body == BodyId::GROUND { Vec3::zeros() } else { self.model.bodies()[body.index()].center_of_mass() };
                Some(self.implicit(body, "cm", center, &name.span))
            }
            _ if self.broken.covers(&name.text) || !self.is_news(&name.span, "not known") => None,
            _ => self.unknown_marker(name),
        }
    }

    /// `body.origin` or `body.cm`, made where it is not there yet.
    fn implicit(&mut self, body: BodyId, what: &str, position: Vec3, span: &Span) -> MarkerId {
        let name = format!("{}.{what}", self.model.bodies()[body.index()].name);
        if let Some(id) = self.markers.get(&name) {
            return *id;
        }
        let id = self.model.add_marker(Marker::on(body).at(position.into()).named(what));
        self.places.insert(("marker", name.clone()), span.clone());
        self.markers.insert(name, id);
        id
    }

    fn unknown_marker(&mut self, name: &Name) -> Option<MarkerId> {
        let mut known: Vec<&str> = self.markers.keys().chain(self.bodies.keys()).map(String::as_str).collect();
        known.sort_unstable();
        let problem =
            Problem::new(name.span.clone(), format!("there is no marker '{}'", name.text), "not known").suggest(&name.text, known);
        self.problems.push(match (&problem.help, name.text.split_once('.')) {
            (None, Some((body, _))) if !self.bodies.contains_key(body) => problem.note(format!("there is no body '{body}' either")),
            (None, Some((body, _))) => {
                let start = format!("{body}.");
                let mut own: Vec<&str> = self.markers.keys().map(String::as_str).filter(|m| m.starts_with(&start)).collect();
                own.sort_unstable();
                if own.is_empty() {
                    problem.note(format!("the body has only {body}.origin and {body}.cm"))
                } else {
                    problem.list("known", &own)
                }
            }
            (None, _) => problem.note("markers are written body.marker; a body's own frame is body.origin or just body"),
            _ => problem,
        });
        None
    }

    /// Where a body is placed: its frame's origin and orientation in the world.
    pub(super) fn pose(&self, body: BodyId) -> (Vec3, Quat) {
        let b = &self.model.bodies()[body.index()];
        match &b.shape {
            _ if body == BodyId::GROUND => (Vec3::zeros(), Quat::identity()),
            Shape::Rigid(_) | Shape::Flexible(_) => (b.position, b.orientation),
            Shape::Planar(_) => (b.position, Quat::from_axis_angle(&Vec3::z_axis(), b.angle)),
            Shape::Point(_) => (b.position, Quat::identity()),
        }
    }

    /// Where a marker is placed.
    pub(super) fn placed(&self, marker: MarkerId) -> MarkerState {
        let m = &self.model.markers()[marker.index()];
        let (position, orientation) = self.pose(m.body);
        let r = (orientation * m.orientation).to_rotation_matrix().into_inner();
        MarkerState { p: position + orientation * m.position, r, ..MarkerState::identity() }
    }

    /// A measure between two markers as they are placed.
    pub(super) fn measured(&self, measure: &Measure, i: MarkerId, j: MarkerId) -> f64 {
        measure.evaluate(&self.placed(i), &self.placed(j), Past::NONE).0
    }
}
