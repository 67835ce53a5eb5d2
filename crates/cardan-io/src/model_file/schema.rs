//! The JSON Schema of model files, collected from the tables.

use super::field::Table;
use serde_json::{Map, json};

/// A JSON value.
pub(super) type Json = serde_json::Value;

/// One set of keys that a table may have.
#[derive(Debug, Clone, Default)]
pub(super) struct Alternative {
    pub properties: Map<String, Json>,
    pub required: Vec<String>,
}

impl Alternative {
    /// A key with its description.
    pub fn key(&mut self, key: &str, description: &str, required: bool, mut schema: Json) {
        if let Some(object) = schema.as_object_mut().filter(|_| !description.is_empty()) {
            object.insert("description".into(), description.into());
        }
        self.properties.insert(key.into(), schema);
        if required {
            self.required.push(key.into());
        }
    }
}

/// Every set of one with every set of the other.
pub(super) fn product(left: Vec<Alternative>, right: &[Alternative]) -> Vec<Alternative> {
    let both = |a: &Alternative, b: &Alternative| {
        let mut out = a.clone();
        out.properties.extend(b.properties.clone());
        out.required.extend(b.required.iter().cloned());
        out
    };
    left.iter().flat_map(|a| right.iter().map(move |b| both(a, b))).collect()
}

/// The definitions collected so far.
#[derive(Debug, Default)]
pub(super) struct Defs(Map<String, Json>);

impl Defs {
    /// A reference to a table's definition, which is added where it is not there yet.
    pub fn table<T: Table>(&mut self) -> Json {
        if !self.0.contains_key(T::NAME) {
            // The name is taken first: tables may hold each other.
            self.0.insert(T::NAME.into(), Json::Null);
            let mut sets: Vec<Json> = T::alternatives(self).into_iter().map(object).collect();
            let schema = if sets.len() == 1 { sets.swap_remove(0) } else { json!({ "oneOf": sets }) };
            self.0.insert(T::NAME.into(), schema);
        }
        json!({ "$ref": format!("#/$defs/{}", T::NAME) })
    }
}

fn object(set: Alternative) -> Json {
    json!({ "type": "object", "properties": set.properties, "required": set.required, "additionalProperties": false })
}

/// The schema of a document that is this table.
pub(super) fn document<T: Table>() -> Json {
    let mut defs = Defs::default();
    let Json::Object(root) = defs.table::<T>() else { return Json::Null };
    let mut out = Map::new();
    out.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
    out.insert("title".into(), "A model of Cardan".into());
    out.extend(root);
    out.insert("$defs".into(), Json::Object(defs.0));
    Json::Object(out)
}
