//! What the report draws, from a model: bodies with their shapes and markers, joints and forces as links.

use cardan::bodies::{Body, Marker, MarkerId};
use cardan::forces::ForceLaw;
use cardan::math::Quat;
use cardan::model::Model;
use cardan::system::System;
use cardan_io::model_file::Document;
use cardan_io::report::{Anchor, Link, Scene, SceneBody, SceneMarker};
use std::collections::{HashMap, HashSet};

/// The scene of a model; `channels` says under which names the forces of its elements are recorded.
pub fn scene<'c>(document: &Document, system: &System, channels: impl Iterator<Item = &'c str>) -> Scene {
    let model = &document.model;
    let forces: HashSet<&str> = channels.filter_map(|c| c.strip_suffix(".force.x")).collect();
    let recorded = |name: &str| forces.contains(name);
    let joints = model.joints().iter().map(|j| link(model, &j.name, j.kind.name(), [j.i, j.j], Some(j.name.clone())));
    let laws = system.forces().iter().map(|f| (f.name(), f.kind_name(), f.markers()));
    let written = model.expression_forces().iter().map(|f| (f.name.as_str(), f.kind_name(), [f.i, f.j]));
    let loads = laws.chain(written).map(|(name, kind, markers)| {
        // A force that shares its name with a joint is recorded with its section before it.
        let sectioned = format!("forces.{name}");
        let channel = if recorded(&sectioned) { sectioned } else { name.into() };
        link(model, name, &kebab(kind), markers, Some(channel))
    });
    let links = joints.chain(loads).map(|mut link| {
        link.force = link.force.filter(|name| recorded(name));
        link
    });
    Scene { bodies: bodies(document), links: links.collect() }
}

fn bodies(document: &Document) -> Vec<SceneBody> {
    let model = &document.model;
    let body = |body: &Body| SceneBody { name: body.name.clone(), ..SceneBody::default() };
    let mut bodies: Vec<SceneBody> = model.bodies().iter().map(body).collect();
    let places: HashMap<&str, usize> = model.bodies().iter().enumerate().map(|(k, body)| (body.name.as_str(), k)).collect();
    for (name, graphics) in &document.graphics {
        if let Some(k) = places.get(name.as_str()) {
            bodies[*k].graphics.extend(graphics.iter().cloned());
        }
    }
    for m in model.markers() {
        let body = &mut bodies[m.body.index()];
        body.markers.push(marker(m, &body.name));
    }
    bodies
}

fn marker(marker: &Marker, body: &str) -> SceneMarker {
    let own = marker.name.strip_prefix(body).and_then(|rest| rest.strip_prefix('.')).unwrap_or(&marker.name);
    SceneMarker { name: own.into(), position: marker.position.into(), orientation: numbers(&marker.orientation) }
}

fn link(model: &Model, name: &str, kind: &str, ends: [MarkerId; 2], force: Option<String>) -> Link {
    let [i, j] = ends.map(|m| {
        let marker = &model.markers()[m.index()];
        let body = model.bodies()[marker.body.index()].name.clone();
        Anchor { body, position: marker.position.into(), orientation: numbers(&marker.orientation) }
    });
    Link { name: name.into(), kind: kind.into(), i, j, force }
}

fn numbers(q: &Quat) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

/// `SpringDamper` as it is written in model files: `spring-damper`.
pub fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out.strip_prefix("single-").map_or(out.clone(), String::from)
}
