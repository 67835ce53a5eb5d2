//! Contact: laws, tangents of every pair of shapes, impacts and sliding against closed forms and independent solutions.

#![allow(clippy::unwrap_used, reason = "a test may stop at what it did not expect")]

#[path = "../common/differences.rs"]
mod differences;
mod energy;
mod impacts;
mod laws;
mod materials;
mod paradoxes;
mod resting;
mod shots;
mod sliding;
mod solids;
mod steps;
mod sticking;
mod tangents;
mod toys;

use cardan::contact::{Contact, NormalLaw, Part, Shape};
use cardan::prelude::*;

/// A shape in the frame of a body or of the ground.
pub fn part(model: &mut Model, body: BodyId, shape: impl Into<Shape>) -> Part {
    Part { marker: model.add_marker(Marker::on(body)), shape: shape.into() }
}

/// Contact between two shapes, each in the frame of its body.
pub fn contact(model: &mut Model, i: (BodyId, Shape), j: (BodyId, Shape), law: NormalLaw) -> Contact {
    let (i, j) = (part(model, i.0, i.1), part(model, j.0, j.1));
    Contact::new("contact", vec![i], vec![j], law)
}
