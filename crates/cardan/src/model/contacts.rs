//! What a model says of the loads that its contacts carry, and which of its shapes are in each other from the start.

use super::Model;
use crate::bodies::{BodyId, Kind, MarkerId};
use crate::contact::{Contact, Loads, Location};

impl Model {
    /// Whether the bodies of two markers are connected by a joint.
    pub fn are_joined(&self, a: MarkerId, b: MarkerId) -> bool {
        let body = |marker: MarkerId| self.markers.get(marker.index()).map(|m| m.body);
        let both = [body(a), body(b)];
        self.joints.iter().map(|joint| [body(joint.i), body(joint.j)]).any(|[i, j]| [i, j] == both || [j, i] == both)
    }

    /// The contacts, with laws that suit masses, gravity and speeds of the model where they are not given.
    pub fn settled_contacts(&self) -> impl Iterator<Item = Contact> {
        let speeds = self.bodies[1..].iter().map(|b| b.velocity.norm());
        let speed = speeds.fold(0.0, f64::max);
        let (gravity, speed) = (self.gravity.norm(), if speed > 0.0 { speed } else { 1.0 });
        let few = self.contacts.iter().filter(|contact| contact.location() == Location::OfFew);
        let touches = few.map(Contact::touches_at_most).sum();
        self.contacts.iter().map(move |contact| {
            let mass = |marker: MarkerId| match self.markers.get(marker.index()).map(|m| m.body) {
                Some(body) if body != BodyId::GROUND => self.bodies[body.index()].shape.mass(),
                _ => f64::INFINITY,
            };
            contact.clone().settled(&Loads { mass: &mass, gravity, speed }).among_touches(touches)
        })
    }
}
