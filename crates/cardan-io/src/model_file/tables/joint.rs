//! Joints. Their kinds and parameters are those of the engine's registry.

use super::super::field::{Field, Name, Table};
use super::super::item::Item;
use super::super::reader::{Entries, Reader};
use super::super::schema::{Alternative, Defs};
use super::super::table::{kind, table, unknown_kind};
use super::Turn;
use cardan::constraints::JointType;
use cardan::constraints::joints::all;
use std::sync::{Arc, OnceLock};

table! {
    /// A joint, between two markers or between two bodies at a place of the world.
    pub struct Joint {
        .. /// The kind, with its parameter.
        kind: JointKind,
        /// Marker i.
        i: Option<Name>,
        /// Marker j; coordinates are those of i seen from j.
        j: Option<Name>,
        /// The two bodies, instead of markers.
        between: Option<[Name; 2]>,
        /// With `between`: the joint's place in the world.
        at: Option<[f64; 3]> [LENGTH],
        /// With `between`: the joint's z axis in the world.
        axis: Option<[f64; 3]>,
        /// With `between`: the joint's axes in the world, instead of `axis`.
        orientation: Option<Turn>,
    }
}

/// A kind of joint of the engine.
#[derive(Debug, Clone)]
pub struct JointKind {
    /// The engine's example of that kind.
    pub joint: Arc<dyn JointType>,
    /// The parameter, where it was given.
    pub parameter: Option<f64>,
}

impl PartialEq for JointKind {
    fn eq(&self, other: &Self) -> bool {
        self.joint.name() == other.joint.name() && self.parameter == other.parameter
    }
}

fn registry() -> &'static [Arc<dyn JointType>] {
    static ALL: OnceLock<Vec<Arc<dyn JointType>>> = OnceLock::new();
    ALL.get_or_init(all)
}

impl Table for JointKind {
    const NAME: &'static str = "JointKind";

    fn take(entries: &mut Entries, reader: &mut Reader) -> Option<Self> {
        let (name, span) = kind(entries, reader, None)?;
        let Some(joint) = registry().iter().find(|j| j.name() == name) else {
            return unknown_kind(entries, reader, &name, span, registry().iter().map(|j| j.name()));
        };
        let parameter = match joint.parameter() {
            None => None,
            Some(p) if p.as_placed.is_none() => Some(entries.take::<f64>(p.name, p.dimension, reader)?),
            Some(p) => entries.take::<Option<f64>>(p.name, p.dimension, reader)?,
        };
        Some(Self { joint: joint.clone(), parameter })
    }

    fn put(&self, out: &mut Vec<(String, Item)>) {
        out.push(("kind".into(), Item::Text(self.joint.name().into())));
        if let (Some(p), Some(value)) = (self.joint.parameter(), self.parameter) {
            out.push((p.name.into(), Item::Number(value)));
        }
    }

    fn alternatives(defs: &mut Defs) -> Vec<Alternative> {
        let mut one = |joint: &Arc<dyn JointType>| {
            let mut out = Alternative::default();
            out.key("kind", joint.summary(), true, serde_json::json!({ "const": joint.name() }));
            if let Some(p) = joint.parameter() {
                out.key(p.name, p.summary, p.as_placed.is_none(), f64::schema(p.dimension, defs));
            }
            out
        };
        registry().iter().map(&mut one).collect()
    }
}
