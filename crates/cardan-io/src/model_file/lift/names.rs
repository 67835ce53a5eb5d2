//! Names of markers in files: `body.marker`, each once. A body's own frame and its centre of mass need not be written.

use super::super::field::Name;
use cardan::bodies::{Marker, MarkerId};
use cardan::math::{Quat, Vec3};
use cardan::model::Model;
use std::collections::HashSet;

/// The name of every marker within its body, and which are to be written.
pub(super) struct MarkerNames {
    /// Body, name, and whether the marker has a table.
    all: Vec<(String, String, Written)>,
}

/// Whether a marker has a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Table,
    Implicit,
}

impl MarkerNames {
    pub fn new(model: &Model) -> Self {
        let mut taken = HashSet::new();
        let all = model.markers().iter().map(|marker| {
            let body = model.bodies()[marker.body.index()].name.clone();
            if is_implicit(model, marker) {
                return (body, marker.name.clone(), Written::Implicit);
            }
            let mut name = marker.name.clone();
            let mut k = 1;
            while matches!(name.as_str(), "origin" | "cm") || !taken.insert((body.clone(), name.clone())) {
                k += 1;
                name = format!("{}{k}", marker.name);
            }
            (body, name, Written::Table)
        });
        Self { all: all.collect() }
    }

    /// The reference to a marker.
    pub fn of(&self, marker: MarkerId) -> Name {
        let (body, name, _) = &self.all[marker.index()];
        Name::from(format!("{body}.{name}").as_str())
    }

    /// The name of a marker within its body.
    pub fn within(&self, k: usize) -> &str {
        &self.all[k].1
    }

    /// The name within its body, if the marker is to be written.
    pub fn table(&self, k: usize) -> Option<&str> {
        let (_, name, written) = &self.all[k];
        (*written == Written::Table).then_some(name)
    }
}

fn is_implicit(model: &Model, marker: &Marker) -> bool {
    let center = if marker.body.index() == 0 { Vec3::zeros() } else { model.bodies()[marker.body.index()].center_of_mass() };
    let place = match marker.name.as_str() {
        "origin" => Vec3::zeros(),
        "cm" => center,
        _ => return false,
    };
    marker.position == place && marker.orientation == Quat::identity()
}
