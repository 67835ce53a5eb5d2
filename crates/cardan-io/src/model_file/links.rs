//! What the elements of a model refer to: the bodies that they tie together, and the names in their functions.

use super::reader::names_in;
use cardan::bodies::{BodyId, MarkerId};
use cardan::constraints::{Constraint, Drive};
use cardan::expr::{self, Node, find, parse};
use cardan::forces::{Force, ForceLaw};
use cardan::model::{Elements, Extra, Model};
use std::collections::HashSet;

/// The markers that each element ties together.
pub(super) fn links(model: &Model) -> Vec<Vec<MarkerId>> {
    let joints = model.joints().iter().map(|j| vec![j.i, j.j]);
    let extras = model.extras().iter().map(|extra| match extra {
        Extra::Motion(m) => match m.drive {
            Drive::Markers(i, j) => vec![i, j],
            Drive::Joint(_) => Vec::new(),
        },
        Extra::Curve(c) => c.markers().to_vec(),
        Extra::KnifeEdge(k) => k.markers().to_vec(),
        Extra::Rolling(r) => vec![r.disk, r.plane],
        Extra::User(u) => u.markers().to_vec(),
        Extra::Coupler(c) => c.terms.iter().map(|t| &model.joints()[t.joint.index()]).flat_map(|j| [j.i, j.j]).collect(),
        // See `held_by_functions`.
        Extra::Expression(_) => Vec::new(),
    });
    let own = model.forces().iter().filter(|f| !matches!(f, Force::JointFriction(_))).map(|f| f.markers().to_vec());
    let expressions = model.expression_forces().iter().map(|f| [f.i, f.j].into_iter().chain(f.axes()).collect());
    let contacts = model.contacts().iter().map(|c| c.groups().into_iter().flatten().map(|part| part.marker).collect());
    joints.chain(extras).chain(own).chain(expressions).chain(contacts).filter(|markers: &Vec<MarkerId>| !markers.is_empty()).collect()
}

/// The bodies that each constraint given by a function ties together: those whose markers it reads, also by variables, and the ground
/// where a function like DX or AZ names one marker only.
pub(super) fn held_by_functions(model: &Model) -> Vec<Vec<usize>> {
    let functions = model.extras().iter().filter_map(|e| if let Extra::Expression(c) = e { Some(c.function.as_str()) } else { None });
    functions
        .map(|text| {
            let (mut bodies, mut seen) = (Vec::new(), HashSet::new());
            read_bodies(model, text, &mut seen, &mut bodies);
            bodies
        })
        .collect()
}

fn read_bodies(model: &Model, text: &str, seen: &mut HashSet<String>, bodies: &mut Vec<usize>) {
    let Ok(expr) = parse(text) else { return };
    expr.walk(&mut |e| {
        let Node::Call { name, arguments, .. } = &e.node else { return };
        if find(name).is_none_or(|f| f.kind() != expr::FunctionKind::Quantity) {
            return;
        }
        let named: Vec<String> =
            arguments.iter().filter_map(|a| if let Node::Name(n) = &a.node { Some(n.to_lowercase()) } else { None }).collect();
        let found: Vec<usize> = named.iter().filter_map(|n| body_named(model, n)).collect();
        if found.len() == 1 {
            bodies.push(BodyId::GROUND.index());
        }
        bodies.extend(found);
        for name in named.into_iter().filter(|n| seen.insert(n.clone())).collect::<Vec<_>>() {
            let variable = model.variables().iter().find(|v| v.name.eq_ignore_ascii_case(&name));
            variable.iter().for_each(|v| read_bodies(model, &v.function, seen, bodies));
        }
    });
}

/// The body whose marker, frame or centre of mass has this name, in small letters.
fn body_named(model: &Model, name: &str) -> Option<usize> {
    let short = name.strip_suffix(".origin").or(name.strip_suffix(".cm")).unwrap_or(name);
    let body = |b: usize| model.bodies()[b].name.to_lowercase();
    let own = (0..model.bodies().len()).find(|b| body(*b) == short);
    let full = |m: &&cardan::bodies::Marker| format!("{}.{}", body(m.body.index()), m.name.to_lowercase()) == name;
    let marker = model.markers().iter().find(full).or_else(|| model.markers().iter().find(|m| m.name.eq_ignore_ascii_case(name)));
    own.or(marker.map(|m| m.body.index()))
}

/// All names in the functions of a model, in small letters.
pub(super) fn names(model: &Model) -> HashSet<String> {
    let motions = model.extras().iter().filter_map(|extra| match extra {
        Extra::Motion(m) => m.function.text(),
        Extra::Expression(c) => Some(c.function.as_str()),
        _ => None,
    });
    let forces = model.expression_forces().iter().flat_map(|f| f.functions()).map(|(_, text)| text);
    let arrays = model.arrays().iter().flat_map(|a| if let Elements::Functions(texts) = &a.elements { &texts[..] } else { &[] });
    let variables = model.variables().iter().map(|v| v.function.as_str()).chain(arrays.map(String::as_str));
    let states = model.states().iter().map(|s| s.function.as_str());
    let sensors = model.sensors().iter().map(|s| s.function.as_str());
    let events = model.events().iter().map(|e| e.function.as_str());
    let blocks: Vec<String> = model.blocks().iter().flat_map(|b| b.signals()).map(|(_, text)| text).collect();
    let mut out = HashSet::new();
    let texts = motions.chain(forces).chain(variables).chain(states).chain(sensors).chain(events).chain(blocks.iter().map(String::as_str));
    for expr in texts.filter_map(|text| parse(text).ok()) {
        names_in(&expr, &mut |name| {
            out.insert(name.to_lowercase());
        });
    }
    out
}
